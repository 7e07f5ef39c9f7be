use glam::Vec3;

use super::damped::Damped;
use super::foot::Step;
use super::settings::FootSettings;

/// Lowers the pelvis so that the feet reach the ground.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pelvis {
    /// Along the character's own direction upwards, in units of model space; negative is lower.
    shift: Damped<f32>,
}

/// How high the pelvis may be, and how low.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Up to here all legs are as bent as they should be.
    comfortable: f32,
    /// Up to here all feet reach.
    reachable: f32,
    /// Down to here no leg is folded.
    lowest: f32,
}

impl Room {
    pub const ANY: Self = Self { comfortable: f32::INFINITY, reachable: f32::INFINITY, lowest: f32::NEG_INFINITY };

    /// Less room, for a leg that has to reach `ankle` in model space.
    pub fn with_leg(&mut self, step: &Step, ankle: Vec3, up: Vec3, settings: &FootSettings) {
        let away = ankle - step.hip;
        let along = away.dot(up);
        let aside_squared = (away.length_squared() - along * along).max(0.0);
        let above = |reach: f32| along + (reach * reach - aside_squared).max(0.0).sqrt();
        let span = step.hip.distance(step.ankle);
        let stretch = if settings.max_stretch > 0.0 { settings.max_stretch.min(1.0) } else { 1.0 };
        self.comfortable = self.comfortable.min(above(span.max(stretch * step.length)));
        self.reachable = self.reachable.min(above(0.998 * step.length));
        self.lowest = self.lowest.max(above(span.min(0.55 * step.length)));
    }
}

impl Pelvis {
    /// Lets a frame pass. How far to move the pelvis upwards, in model space.
    pub fn advance(&mut self, room: &Room, length: f32, settings: &FootSettings, dt: f32, is_fresh: bool) -> f32 {
        let most = settings.max_drop.max(0.0) * length;
        let wanted = room.lowest.max(0.0).min(room.comfortable).clamp(-most, most);
        if is_fresh {
            self.shift = Damped::at(wanted);
        } else {
            self.shift.follow(wanted, settings.pelvis_rate.max(0.0), dt);
        }
        // The spring lags behind; a leg that became straight would tear its foot off the ground.
        let limit = room.reachable.max(-most);
        if self.shift.value > limit {
            self.shift = Damped { value: limit, velocity: self.shift.velocity.min(0.0) };
        }
        self.shift.value
    }
}
