//! An orbit camera, controlled by the mouse.

use glam::{Vec2, Vec3};

use crate::picture::Camera;

/// A camera on a sphere around a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// The point in the middle of the picture.
    pub target: Vec3,
    /// Angle around the vertical axis, in radians; 0 sees the front (+Z).
    pub turn: f32,
    /// Angle above the horizon, in radians.
    pub rise: f32,
    /// Distance from the target, in metres.
    pub distance: f32,
    /// Size of what is looked at, in metres: how near and how far it makes sense to go.
    pub size: f32,
    vertical_fov: f32,
}

/// The camera keeps this far from straight above and below, in radians.
const POLE: f32 = 0.02;

/// The side from which models are first seen.
const TURN: f32 = 0.54;
const RISE: f32 = 0.30;

impl Orbit {
    /// Shows a box as large as it fits into a picture of this shape (width divided by height).
    pub fn framing(bounds: [Vec3; 2], aspect: f32) -> Self {
        let mut orbit =
            Self { target: Vec3::ZERO, turn: TURN, rise: RISE, distance: 1.0, size: 1.0, vertical_fov: 0.5 };
        orbit.frame(bounds, aspect);
        orbit
    }

    /// The same from the side at which it is now.
    pub fn frame(&mut self, [min, max]: [Vec3; 2], aspect: f32) {
        let camera = Camera::framing_from(self.direction(), min, max, aspect);
        self.target = camera.target;
        self.distance = camera.eye.distance(camera.target).max(f32::MIN_POSITIVE);
        self.size = (max - min).length().max(self.distance * 1e-3);
        self.vertical_fov = camera.vertical_fov_radians;
    }

    /// Looks from a direction, which points from the target to the camera.
    pub fn look_from(&mut self, direction: Vec3) {
        if let Some(direction) = direction.try_normalize() {
            self.turn = direction.x.atan2(direction.z);
            self.rise = direction.y.clamp(-1.0, 1.0).asin();
            self.orbit(Vec2::ZERO);
        }
    }

    /// Turns by a way of the mouse, in parts of the picture's height.
    pub fn orbit(&mut self, way: Vec2) {
        if way.is_finite() {
            let limit = std::f32::consts::FRAC_PI_2 - POLE;
            self.turn = (self.turn - way.x * 3.5).rem_euclid(std::f32::consts::TAU);
            self.rise = (self.rise + way.y * 3.5).clamp(-limit, limit);
        }
    }

    /// Moves the target with the mouse, by a way in parts of the picture's height.
    pub fn pan(&mut self, way: Vec2) {
        if way.is_finite() {
            let back = self.direction();
            let right = Vec3::Y.cross(back).try_normalize().unwrap_or(Vec3::X);
            let up = back.cross(right);
            let height = 2.0 * (self.vertical_fov * 0.5).tan() * self.distance;
            let far = self.size * 50.0;
            self.target =
                (self.target + (up * way.y - right * way.x) * height).clamp_length_max(far + self.target.length());
        }
    }

    /// Goes nearer by steps of a mouse wheel; farther by negative ones.
    pub fn zoom(&mut self, steps: f32) {
        if steps.is_finite() {
            let distance = self.distance * (-0.15 * steps).exp();
            self.distance = distance.clamp(self.size * 0.02, self.size * 40.0);
        }
    }

    /// From the target towards the camera; a unit vector.
    pub fn direction(&self) -> Vec3 {
        let (sin, cos) = self.rise.sin_cos();
        Vec3::new(self.turn.sin() * cos, sin, self.turn.cos() * cos)
    }

    /// The camera.
    pub fn camera(&self) -> Camera {
        Camera {
            eye: self.target + self.direction() * self.distance,
            target: self.target,
            up: Vec3::Y,
            vertical_fov_radians: self.vertical_fov,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::View;

    /// Boxes from a centimetre to a hundred metres fill the picture, and stay in it from all sides.
    #[test]
    fn boxes_of_all_sizes_are_framed() {
        for size in [0.01, 1.0, 100.0] {
            let bounds = [Vec3::new(-0.3, 0.0, -0.2) * size, Vec3::new(0.3, 1.0, 0.2) * size];
            for turn in [0.0, 1.0, 3.0] {
                let mut orbit = Orbit::framing(bounds, 1.5);
                orbit.orbit(Vec2::new(turn, 0.1));
                orbit.frame(bounds, 1.5);
                let view = View::new(&orbit.camera(), 300, 200);
                let heights = [0, 1, 2, 3, 4, 5, 6, 7].map(|corner: usize| {
                    let pick = |bit: usize| bounds[corner >> bit & 1];
                    let pixel = view.pixel_of(Vec3::new(pick(0).x, pick(1).y, pick(2).z)).unwrap();
                    assert!(
                        pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(Vec2::new(300.0, 200.0)).all(),
                        "{size} {pixel}"
                    );
                    pixel.y
                });
                let (top, bottom) = (
                    heights.iter().copied().fold(f32::MAX, f32::min),
                    heights.iter().copied().fold(f32::MIN, f32::max),
                );
                assert!(bottom - top > 120.0, "{size}: {}", bottom - top);
            }
        }
    }

    #[test]
    fn no_way_of_the_mouse_breaks_the_camera() {
        let mut orbit = Orbit::framing([Vec3::ZERO, Vec3::ONE], 1.0);
        for way in [Vec2::NAN, Vec2::splat(1e30), Vec2::splat(f32::INFINITY), Vec2::new(0.0, -9.0)] {
            orbit.orbit(way);
            orbit.pan(way);
            orbit.zoom(way.x);
            let camera = orbit.camera();
            assert!(camera.eye.is_finite() && camera.target.is_finite() && camera.eye != camera.target, "{camera:?}");
        }
        (0..500).for_each(|_| orbit.zoom(1.0));
        assert!(orbit.distance > 0.01);
        (0..500).for_each(|_| orbit.zoom(-1.0));
        assert!(orbit.distance < 100.0);
    }
}
