//! The hill that a character stands on: how its body goes with the slope.

use glam::{Quat, Vec3A};

use super::damped::Damped;
use super::foot::Foot;
use super::step::{Stand, Surroundings};
use crate::procedural::turn::{arc, rotated};
use crate::rig::Leg;
use crate::state::stateful;

/// How the ground rises below all feet together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hill {
    /// Upwards along the level ground of the world, in metres per metre; smoothed.
    rise: Damped<Vec3A>,
}

stateful!(Hill { rise });

/// Steeper ground is as this, in metres per metre.
const STEEPEST: f32 = 0.8;
/// How far the hips of a biped that walks go downhill, as a part of what would keep its legs as they are on level ground. All of it, and the body
/// would be askew; none of it, and one leg is folded while the other does not reach.
const LEAN: f32 = 0.35;

impl Hill {
    /// Lets a frame pass.
    pub fn advance(&mut self, legs: &[Leg], feet: &[Foot], around: &Surroundings<'_>) {
        let (mut total, mut rise, mut moved) = (0.0, Vec3A::ZERO, Vec3A::ZERO);
        for (leg, foot) in legs.iter().zip(feet) {
            if let Some(slope) = foot.slope(leg.length * around.stand.scale) {
                total += 1.0;
                rise += slope;
                moved += foot.ground_velocity();
            }
        }
        let mut rise = if total > 0.0 { (rise / total).clamp_length_max(STEEPEST) } else { Vec3A::ZERO };
        if legs.len() <= 2 {
            // Who stands still stands upright.
            let length = legs.first().map_or(1.0, |leg| leg.length) * around.stand.scale;
            let velocity = around.velocity - moved / f32::max(total, 1.0);
            rise *= (velocity.with_y(0.0).length() / length).min(1.0);
        }
        if around.is_fresh {
            self.rise = Damped::at(rise);
        } else {
            self.rise.follow(rise, around.paces.leaning);
        }
    }

    /// How a body goes with the slope, so far as it is on the ground.
    pub fn tilt(&self, legs: &[Leg], grounded: f32, stand: &Stand) -> Tilt {
        let rise = self.rise.value * grounded;
        let into_model = stand.rotation.conjugate();
        let normal = (Vec3A::Y - rise) * (1.0 + rise.length_squared()).sqrt().recip();
        let floor = Vec3A::Y * stand.floor;
        if legs.len() > 2 {
            let rotation = into_model * arc(stand.up, normal) * stand.rotation;
            return Tilt { lean: Vec3A::ZERO, rotation: Some(rotation), floor };
        }
        let length = legs.first().map_or(1.0, |leg| leg.length);
        let away = rotated(into_model, normal - stand.up).with_y(0.0);
        Tilt { lean: away * (LEAN * length), rotation: None, floor }
    }
}

/// How the body goes with the slope in a frame, in model space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tilt {
    /// How far the hips of a biped go downhill.
    lean: Vec3A,
    /// How others turn about the place where they stand: their back is along the slope.
    pub rotation: Option<Quat>,
    floor: Vec3A,
}

impl Tilt {
    /// How far a point of the body moves.
    pub fn moved(&self, point: Vec3A) -> Vec3A {
        let arm = point - self.floor;
        self.rotation.map_or(self.lean, |rotation| rotated(rotation, arm) - arm)
    }

    /// How something that turns with the body is turned.
    pub fn rotated(&self, rotation: Quat) -> Quat {
        self.rotation.map_or(rotation, |tilt| tilt * rotation)
    }
}
