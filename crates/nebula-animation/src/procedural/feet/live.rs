use glam::Vec3A;

use super::step::{Stand, Step};
use crate::rig::Leg;
use crate::state::stateful;

/// Finds out from the pose alone whether a foot stands, where no clip's contacts are known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LiveContact {
    is_down: bool,
    /// Heel and ball in the world, as the clip had them in the frame before.
    before: [Vec3A; 2],
}

stateful!(LiveContact { is_down, before });

impl LiveContact {
    /// Whether a foot stands that is near the clip's floor, and that moves little through the world.
    pub fn advance(&mut self, leg: &Leg, step: &Step, stand: &Stand, speed: f32, dt: f32, is_fresh: bool) -> bool {
        let now = [stand.point(step.sole.heel), stand.point(step.sole.ball)];
        let before = std::mem::replace(&mut self.before, now);
        let heights = step.sole.heights(leg, stand.floor);
        // It takes less to go on standing than to begin with it.
        let slack = if self.is_down { 1.3 } else { 1.0 };
        let fastest = (0.25 * leg.length * stand.scale).max(0.4 * speed) * slack;
        let stands = |part: usize| {
            let moved = now[part] - before[part];
            let slid_squared = moved.x * moved.x + moved.z * moved.z;
            let most = fastest * dt;
            heights[part] < 0.025 * leg.length * slack && (is_fresh || slid_squared < most * most)
        };
        if dt > 0.0 || is_fresh {
            self.is_down = stands(0) || stands(1);
        }
        self.is_down
    }
}
