use glam::{Mat4, Vec3};

use crate::skinning::Bounds;

/// The camera of a [`Painter`](super::Painter).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// World space to clip space: x and y from -1 to 1, y up, depth from 0 (near) to 1 (far).
    pub clip_from_world: Mat4,
    /// The eye position in world space.
    pub eye: Vec3,
    /// The direction to the light, in world space; any length.
    pub light: Vec3,
}

impl Camera {
    /// A camera that sees a whole box from the front right, slightly from above. `aspect` is width divided by height.
    #[must_use]
    pub fn around(bounds: &Bounds, aspect: f32) -> Self {
        let aspect = if aspect > 0.0 && aspect.is_finite() { aspect } else { 1.0 };
        let (center, radius) = (bounds.center(), (bounds.size().length() * 0.5).max(1e-6));
        let fov = 0.6_f32;
        // Far enough for the ball around the box, in the narrower direction.
        let narrow = if aspect < 1.0 { ((fov * 0.5).tan() * aspect).atan() } else { fov * 0.5 };
        let distance = radius / narrow.sin() * 1.05;
        let eye = center + Vec3::new(0.5, 0.25, 0.829) * distance;
        let view = Mat4::look_at_rh(eye, center, Vec3::Y);
        let projection = Mat4::perspective_rh(fov, aspect, (distance - radius) * 0.5, distance + radius * 2.0);
        Self { clip_from_world: projection * view, eye, light: Vec3::new(0.45, 0.8, 0.55) }
    }
}
