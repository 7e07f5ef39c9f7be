//! The overlay: lines with smooth edges and a dark outline, drawn over the finished picture.

use glam::{Vec2, Vec3, Vec3A, Vec4};

use super::camera::View;
use super::color::TABLES;
use super::{Canvas, Line};

/// Pixels by which the outline is wider on each side, and its colour: lines must be seen on any ground.
pub(crate) const OUTLINE: f32 = 1.2;
pub(crate) const OUTLINE_COLOR: Vec4 = Vec4::new(0.01, 0.012, 0.02, 0.55);

/// Draws all outlines, then all lines: where lines meet, no outline cuts through them.
pub(super) fn draw(lines: &[Line], view: &View, canvas: &mut Canvas) {
    for line in lines {
        let alpha = OUTLINE_COLOR.w * line.color.w;
        stroke(line, view, OUTLINE, OUTLINE_COLOR.truncate().extend(alpha), canvas);
    }
    for line in lines {
        stroke(line, view, 0.0, line.color, canvas);
    }
}

/// Draws one line, `extra` pixels wider on each side.
fn stroke(line: &Line, view: &View, extra: f32, color: Vec4, canvas: &mut Canvas) {
    let Some([start, end]) = on_screen(line, view) else { return };
    let radii = line.widths.map(|width| width.max(0.0) * 0.5 + extra);
    if !(radii[0].is_finite() && radii[1].is_finite() && color.is_finite()) {
        return;
    }
    let reach = radii[0].max(radii[1]) + 1.0;
    let (min, max) = (start.min(end) - reach, start.max(end) + reach);
    // The casts bound what lies outside the picture.
    let (left, right) = (min.x.floor().max(0.0) as u32, (max.x.ceil().max(0.0) as u32).min(canvas.width));
    let (top, bottom) = (min.y.floor().max(0.0) as u32, (max.y.ceil().max(0.0) as u32).min(canvas.height));
    let tables = &*TABLES;
    let along = end - start;
    let inverse = 1.0 / along.length_squared().max(1e-6);
    for y in top..bottom {
        for x in left..right {
            let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let fraction = ((point - start).dot(along) * inverse).clamp(0.0, 1.0);
            let radius = radii[0] + (radii[1] - radii[0]) * fraction;
            // A line thinner than a pixel gets fainter instead of thinner.
            let faint = (radius * 2.0).min(1.0);
            let cover = (radius.max(0.5) + 0.5 - point.distance(start + along * fraction)).clamp(0.0, 1.0) * faint;
            if cover > 0.0 {
                let pixel = &mut canvas.pixels[y as usize * canvas.width as usize + x as usize];
                let mixed = tables.decode(*pixel).lerp(Vec3A::from_vec4(color), (cover * color.w).clamp(0.0, 1.0));
                *pixel = tables.encode(mixed);
            }
        }
    }
}

/// The ends of a line in pixels, cut at the near plane; none if nothing is left or an end is not finite.
fn on_screen(line: &Line, view: &View) -> Option<[Vec2; 2]> {
    let (start, end) = (view.project(line.start), view.project(line.end));
    if !(start.is_finite() && end.is_finite()) || start.z.max(end.z) < view.near {
        return None;
    }
    let cut = |point: Vec3A, other: Vec3A| {
        let inside =
            if point.z >= view.near { point } else { other.lerp(point, (other.z - view.near) / (other.z - point.z)) };
        Vec3::from(inside).truncate() / inside.z.max(view.near)
    };
    let ends = [cut(start, end), cut(end, start)];
    ends.iter().all(|end| end.is_finite()).then_some(ends)
}
