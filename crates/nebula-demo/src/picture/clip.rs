//! Clips triangles that cannot be projected.

use glam::DVec3;

use super::camera::View;

/// How far outside the picture, in pixels, a corner may lie before the triangle is cut at the side: small enough that
/// the products of its coordinates fit into integers, large enough that it happens rarely.
const GUARD: f64 = 16_384.0;

/// A convex polygon in homogeneous pixels. Each of five planes adds one corner at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    corners: [DVec3; 8],
    count: usize,
}

impl Polygon {
    pub(super) fn corners(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }
}

/// The part of a triangle that lies in front of the near plane and not far outside the picture.
pub(super) fn clip(triangle: [DVec3; 3], view: &View) -> Polygon {
    let mut polygon = Polygon { corners: [DVec3::ZERO; 8], count: 3 };
    polygon.corners[..3].copy_from_slice(&triangle);
    let near = f64::from(view.near);
    let (right, bottom) = (f64::from(view.width) + GUARD, f64::from(view.height) + GUARD);
    cut(&mut polygon, |corner| corner.z - near);
    cut(&mut polygon, |corner| corner.x + GUARD * corner.z);
    cut(&mut polygon, |corner| right * corner.z - corner.x);
    cut(&mut polygon, |corner| corner.y + GUARD * corner.z);
    cut(&mut polygon, |corner| bottom * corner.z - corner.y);
    polygon
}

/// Keeps the part of a polygon where `distance`, a linear function, is not negative.
fn cut(polygon: &mut Polygon, distance: impl Fn(DVec3) -> f64) {
    if polygon.corners().iter().all(|&corner| distance(corner) >= 0.0) {
        return;
    }
    let mut kept = Polygon { corners: [DVec3::ZERO; 8], count: 0 };
    for index in 0..polygon.count {
        let current = polygon.corners[index];
        let next = polygon.corners[(index + 1) % polygon.count];
        let (from, to) = (distance(current), distance(next));
        if from >= 0.0 {
            kept.push(current);
        }
        // Computed from the inner corner to the outer one, in whichever order they come: two triangles that share
        // the edge get the same point and leave no gap.
        if from >= 0.0 && to < 0.0 {
            kept.push(current.lerp(next, from / (from - to)));
        } else if from < 0.0 && to >= 0.0 {
            kept.push(next.lerp(current, to / (to - from)));
        }
    }
    *polygon = kept;
}

impl Polygon {
    fn push(&mut self, corner: DVec3) {
        // Rounding could make a polygon concave and one corner too many; a missing sliver does no harm.
        if let Some(slot) = self.corners.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }
}
