//! Joints, names and boxes on top of a model.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::Skeleton;

use crate::picture::Line;
use crate::show::bounds::corners;

/// Colours, linear.
const BONE: Vec4 = Vec4::new(0.95, 0.45, 0.08, 0.95);
const JOINT: Vec4 = Vec4::new(1.0, 0.85, 0.4, 1.0);
const BOX: Vec4 = Vec4::new(0.15, 0.75, 0.95, 0.9);

/// The joints that `is_shown` and what connects them, for a picture of this height in pixels.
pub fn skeleton(
    skeleton: &Skeleton,
    joints: &[Mat4],
    is_shown: impl Fn(usize) -> bool,
    height: u32,
    lines: &mut Vec<Line>,
) {
    let width = (height as f32 / 140.0).clamp(1.0, 7.0);
    let place = |joint: usize| joints.get(joint).map_or(Vec3::NAN, |joint| joint.w_axis.truncate());
    for (index, joint) in skeleton.joints.iter().enumerate().filter(|(index, _)| is_shown(*index)) {
        let end = place(index);
        if let Some(parent) = joint.parent.map(usize::from).filter(|parent| is_shown(*parent)) {
            lines.push(Line { start: place(parent), end, widths: [width, width * 0.3], color: BONE });
        }
        lines.push(Line { start: end, end, widths: [width * 1.3; 2], color: JOINT });
    }
}

/// The twelve edges of a box.
pub fn edges(bounds: [Vec3; 2], height: u32, lines: &mut Vec<Line>) {
    let width = (height as f32 / 400.0).clamp(1.0, 3.0);
    let corners = corners(bounds);
    for start in 0..8_usize {
        for bit in [1, 2, 4] {
            if start & bit == 0 {
                lines.push(Line { start: corners[start], end: corners[start | bit], widths: [width; 2], color: BOX });
            }
        }
    }
}
