//! The grounds of scripts.

use glam::Vec3;
use nebula_animation::{GroundPoint, GroundQuery};

use super::script::Ground;

/// A ground at a moment.
#[derive(Debug, Clone, Copy)]
pub struct GroundNow {
    pub ground: Ground,
    /// The direction of `s`: level, unit length.
    pub ahead: Vec3,
    /// Seconds from the beginning.
    pub time: f64,
}

impl GroundNow {
    /// How far the floor has moved since the beginning.
    pub fn moved(&self) -> Vec3 {
        self.velocity_until().map_or(Vec3::ZERO, |(velocity, until)| velocity * self.time.min(until) as f32)
    }

    fn velocity_until(&self) -> Option<(Vec3, f64)> {
        match self.ground {
            Ground::Lift { velocity, until } => Some((Vec3::Y * velocity, until)),
            Ground::Platform { velocity, until } => Some((velocity.into(), until)),
            _ => None,
        }
    }
}

impl GroundQuery for GroundNow {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let along = place.dot(self.ahead);
        Some(match self.ground {
            Ground::Flat => GroundPoint::level(0.0),
            Ground::Slope { degrees } => {
                let steepness = degrees.to_radians().tan();
                GroundPoint::new(steepness * along, Vec3::Y - self.ahead * steepness)
            }
            Ground::Stairs { rise, run } => GroundPoint::level(rise * (along / run).floor()),
            Ground::Lift { .. } | Ground::Platform { .. } => {
                let velocity = self.velocity_until().filter(|(_, until)| self.time <= *until);
                let velocity = velocity.map_or(Vec3::ZERO, |(velocity, _)| velocity);
                GroundPoint::level(self.moved().y).moving(velocity)
            }
        })
    }
}
