//! Feet in their swing, between one footprint and the next.

use glam::Vec3A;

use super::foot::ease;
use super::step::Step;
use crate::rig::Leg;

/// How high a sole is in the middle of a stride, in lengths of the leg, and how far the foot is free of the ground there.
const HIGH: f32 = 0.4;
const MOST_FREE: f32 = 0.85;

/// Up to here, in lengths of the leg, a foot skims over the ground as one that stands does.
const SKIMMING: f32 = 0.03;

/// How high above that a foot is that is about to land.
const LOW: f32 = 0.1;

/// A foot that swings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swing {
    /// How high the sole is in the clip above its lowest swing height, in leg lengths; 0 or more.
    height: f32,
}

impl Swing {
    /// Of a foot that stands.
    pub const NONE: Self = Self { height: 0.0 };

    pub fn of(leg: &Leg, step: &Step, floor: f32) -> Self {
        let [heel, ball] = step.sole.heights(leg, floor);
        Self { height: (heel.min(ball) / leg.length - SKIMMING).max(0.0) }
    }

    /// How far the foot follows the ground below it: entirely near the floor of its clip, hardly high above it. That
    /// ground is not where it will land.
    pub fn following(&self) -> f32 {
        1.0 - MOST_FREE * ease((self.height / HIGH).min(1.0))
    }

    /// How far to lift a sole that is so deep in the ground, negative above it: out of it, and a foot that is well above the floor of its clip
    /// before it is there.
    pub fn lift(&self, leg: &Leg, depth: f32) -> f32 {
        soft_max(depth, 0.0, 0.5 * self.height.min(HIGH) * leg.length)
    }

    /// Where the foot can be without a knee that locks or folds flat. A foot that is about to land is not held back.
    pub fn within_reach(&self, leg: &Leg, step: &Step, hip: Vec3A, ankle: Vec3A) -> Vec3A {
        let away = ankle - hip;
        let (distance, span) = (away.length(), step.hip.distance(step.ankle));
        let (last, first) = (0.01 * step.length, 0.2 * leg.folded * step.length);
        // What the clip does itself is as it was.
        let farthest = (span + last).max(FARTHEST * step.length);
        let nearest = (span - first).min(leg.folded * step.length);
        let reached = soft_max(-soft_max(-distance, -farthest, last), nearest, first);
        let held = ease((self.height / LOW).min(1.0));
        if distance > 1e-6 * step.length { hip + away * (1.0 + held * (reached / distance - 1.0)) } else { ankle }
    }
}

/// How far a swinging foot may be stretched away, as a fraction of the leg's length, unless the clip stretches it
/// further.
const FARTHEST: f32 = 0.985;

/// The greater one of two numbers, without a kink within `width` of where they are equal.
fn soft_max(a: f32, b: f32, width: f32) -> f32 {
    let away = a - b;
    let blend = (width - away.abs()).max(0.0);
    a.max(b) + if width > 0.0 { blend * blend / (4.0 * width) } else { 0.0 }
}
