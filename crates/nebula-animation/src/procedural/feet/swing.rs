//! Feet in their swing, between one footprint and the next.

use super::foot::ease;
use super::step::Step;
use crate::rig::Leg;

/// How high a sole is in the middle of a stride, in lengths of the leg, and how far the foot is free of the ground there.
const HIGH: f32 = 0.4;
const MOST_FREE: f32 = 0.85;

/// Up to here, in lengths of the leg, a foot skims over the ground as one that stands does.
const SKIMMING: f32 = 0.03;

/// A foot that swings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swing {
    /// How high the sole is in the clip above its lowest swing height, in leg lengths; 0 or more.
    pub height: f32,
}

impl Swing {
    /// Of a foot that stands.
    pub const NONE: Self = Self { height: 0.0 };

    pub fn of(leg: &Leg, step: &Step, floor: f32) -> Self {
        Self { height: (step.height(floor) / leg.length - SKIMMING).max(0.0) }
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
}

/// The greater one of two numbers, without a kink within `width` of where they are equal.
pub(super) fn soft_max(a: f32, b: f32, width: f32) -> f32 {
    let away = a - b;
    let blend = (width - away.abs()).max(0.0);
    a.max(b) + if width > 0.0 { blend * blend / (4.0 * width) } else { 0.0 }
}
