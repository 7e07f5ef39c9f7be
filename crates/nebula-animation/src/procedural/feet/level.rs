//! How high the body is carried, and whether by the ground at all.

use glam::Vec3A;

use super::foot::ease;
use super::layer::FootPlacement;
use super::step::Stand;
use crate::frame::GroundQuery;

/// Seconds in which the feet are released in the air.
const AIR_SECS: f32 = 0.15;

impl FootPlacement {
    /// How far above the entity the ground is over which the feet carry the body, in model space: the ways of the feet, below the body.
    /// And how fast that goes up.
    pub(super) fn base(&self, stand: &Stand, velocity: Vec3A) -> [f32; 2] {
        let origin = stand.point(Vec3A::Y * stand.floor);
        let (mut total, mut above, mut climb) = (0.0, 0.0, 0.0);
        for (leg, foot) in self.rig.legs.iter().zip(&self.feet) {
            let length = leg.length * stand.scale;
            if let Some([height, rise]) = foot.stride.height_at(origin, velocity, length) {
                // Those that swing know where the body goes.
                let weight = if foot.is_planted { 1e-3 } else { 1.0 };
                total += weight;
                above += weight * (height - origin.y);
                climb += weight * rise;
            }
        }
        let length = self.rig.legs.first().map_or(1.0, |leg| leg.length) * stand.scale;
        let walking = (velocity.with_y(0.0).length() / (0.5 * length)).min(1.0);
        let share = if total > 0.0 { walking / (total * stand.scale) } else { 0.0 };
        [above * share, climb * share]
    }

    /// The same when the next foot lands on stairs, and in how many seconds that is. The entity goes up by `climb` a second, apart from jumps.
    pub(super) fn next_base(&self, stand: &Stand, velocity: Vec3A, climb: f32) -> Option<[f32; 3]> {
        let origin = stand.point(Vec3A::Y * stand.floor);
        let velocity = velocity.with_y(0.0);
        let swinging = self.rig.legs.iter().zip(&self.feet).filter(|(_, foot)| !foot.is_planted);
        let landing = swinging.filter_map(|(leg, foot)| {
            let secs = foot.stride.lands_in()?;
            let length = leg.length * stand.scale;
            let [height, rise] = foot.stride.height_at(origin + velocity * secs, velocity, length)?;
            let walking = (velocity.length() / (0.5 * length)).min(1.0) / stand.scale;
            Some([(height - origin.y) * walking - climb * secs, rise * walking - climb, secs])
        });
        landing.min_by(|a, b| a[2].total_cmp(&b[2]))
    }

    /// Whether the character is on the ground or in the air, from 1 to 0.
    pub(super) fn advance_grounded(
        &mut self,
        ground: &dyn GroundQuery,
        is_grounded: bool,
        stand: &Stand,
        dt: f32,
        is_fresh: bool,
    ) -> f32 {
        let target = if !is_grounded {
            0.0
        } else if self.steps.iter().any(|step| step.is_down) {
            1.0
        } else {
            let origin = stand.point(Vec3A::Y * stand.floor);
            let height = ground.ground(origin.into()).map(|ground| ground.height).filter(|height| height.is_finite());
            let length = self.rig.legs.first().map_or(1.0, |leg| leg.length) * stand.scale;
            height.map_or(0.0, |height| (1.0 - ((origin.y - height) / length - 0.1) / 0.3).clamp(0.0, 1.0))
        };
        let change = dt / AIR_SECS;
        let limit = if is_fresh { 1.0 } else { change };
        self.grounded += (target - self.grounded).clamp(-limit, limit);
        ease(self.grounded)
    }
}
