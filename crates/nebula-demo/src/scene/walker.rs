//! Movement on the hills: rotated by inputs, moved by the steps of clips.

use std::f64::consts::TAU;

use glam::{Affine3A, DVec2, Mat4, Quat, Vec2, Vec3, Vec3Swizzles};
use nebula_animation::compile::RootDelta;

use super::terrain::Hills;

/// What a player or a script asks of the hero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Input {
    /// Where to go in the ground plane, as world x and z. Shorter than 0.1 is to stand.
    pub direction: Vec2,
    /// Whether to run rather than walk.
    pub is_running: bool,
}

/// Someone's place on the hills, and how it changes.
#[derive(Debug, Clone)]
pub struct Walker {
    /// What it walks on.
    pub hills: Hills,
    /// Metres per second over the ground in the last step.
    pub speed: f32,
    /// World x and z. In `f64`, so that long walks are as exact as short ones.
    place: DVec2,
    /// Radians from +Z to +X.
    heading: f64,
    /// Radians per second.
    turn_rate: f64,
    /// How far it goes for each metre that its feet say. 1, but for tests that want to see it slide.
    pub(super) slip: f64,
}

/// Radians per second.
const FASTEST_TURN: f64 = 2.2;

impl Walker {
    /// Someone at a place, given as x and z, who faces +Z.
    #[must_use]
    pub fn new(hills: Hills, place: Vec2) -> Self {
        Self { hills, speed: 0.0, place: place.as_dvec2(), heading: 0.0, turn_rate: 0.0, slip: 1.0 }
    }

    /// The same person elsewhere, standing: where a transform has it.
    #[must_use]
    pub fn moved_to(&self, world_from_model: Mat4) -> Self {
        let (ahead, place) = (world_from_model.z_axis, world_from_model.w_axis.truncate());
        let heading = f64::from(ahead.x).atan2(f64::from(ahead.z));
        Self { heading, ..Self::new(self.hills, place.xz()) }
    }

    /// Turns towards a direction, as world x and z, for `dt` seconds; without one, or with one that is not finite, the turn dies away.
    pub fn turn(&mut self, direction: Option<Vec2>, dt: f64) {
        let rate = direction.filter(|direction| direction.is_finite()).map_or(0.0, |direction| {
            let way = f64::from(direction.x).atan2(f64::from(direction.y)) - self.heading;
            let away = way - (way / TAU).round() * TAU;
            (away * 4.5).clamp(-FASTEST_TURN, FASTEST_TURN)
        });
        // It begins and ends softly.
        self.turn_rate += (rate - self.turn_rate) * (1.0 - (-8.0 * dt).exp());
        self.heading += self.turn_rate * dt;
    }

    /// Goes as far as the clips say in `dt` seconds, half of the turn first.
    pub fn go(&mut self, step: RootDelta, dt: f64) {
        let heading = self.heading + 0.5 * (step.yaw - self.turn_rate * dt);
        let moved = DVec2::from_angle(-heading).rotate(step.translation.xz()) * self.slip;
        self.heading += step.yaw;
        self.place += moved;
        if dt > 0.0 {
            self.speed = (moved.length() / dt) as f32;
        }
    }

    /// Where it is in the world.
    #[must_use]
    pub fn world_from_model(&self) -> Affine3A {
        Affine3A::from_rotation_translation(Quat::from_rotation_y(self.heading as f32), self.place())
    }

    /// How it moves, in world space and metres per second.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.forward() * self.speed
    }

    /// Where it stands, on the ground.
    #[must_use]
    pub fn place(&self) -> Vec3 {
        self.hills.on(self.place.as_vec2())
    }

    /// Where it faces, level; unit length.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        Vec3::new(self.heading.sin() as f32, 0.0, self.heading.cos() as f32)
    }
}
