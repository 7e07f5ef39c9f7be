use glam::Vec3A;

use super::damped::Damped;
use super::step::{Step, Surroundings};
use crate::rig::Leg;
use crate::state::stateful;

/// Lowers the pelvis so that the feet reach the ground.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pelvis {
    /// Along the character's own direction upwards, in units of model space; negative is lower.
    shift: Damped<f32>,
    /// What is left of jumps of the entity, as for `shift`: so much lower is the body than where the entity has gone up to.
    lag: Damped<f32>,
    /// How high the body could be at least, above that, since the first leg landed last and in the stride before: it stays there, and does not
    /// go up and down within a stride.
    held: [f32; 2],
    /// The same for how low it could be at most, for legs that fold no further.
    propped: [f32; 2],
    /// Seconds since then, and how many strides that were, up to two.
    since: f32,
    strides: u8,
}

stateful!(Pelvis { shift, lag, held, propped, since, strides });

/// A body that stands forgets what it needed after as many seconds, twice.
const FORGETTING_SECS: f32 = 2.5;

/// How high the pelvis may be, and how low.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Up to here all legs are as bent as they should be, now and soon.
    comfortable: f32,
    /// Down to here no leg is folded.
    lowest: f32,
    /// Down to here legs can be folded at all.
    foldable: f32,
    /// Up to here legs will soon be as bent as they should be whose landing nobody foresees.
    soon: f32,
    /// Up to here above a body that follows the stairs, a foot reaches the stair on which it lands in so many seconds.
    ahead: [f32; 2],
}

impl Room {
    pub const ANY: Self = Self {
        comfortable: f32::INFINITY,
        lowest: f32::NEG_INFINITY,
        foldable: f32::NEG_INFINITY,
        soon: f32::INFINITY,
        ahead: [f32::INFINITY, 0.0],
    };

    /// Less room for a leg of which nobody foresees what it needs: where the ground makes it reach lower and lower, that goes on for a while.
    pub fn expect(&mut self, [by_clip, by_ground]: [f32; 2], before: f32, around: &Surroundings<'_>) {
        let pace = if around.is_fresh { 0.0 } else { ((by_ground - before) * around.rate).min(0.0) };
        self.soon = self.soon.min(by_clip + by_ground + pace * around.paces.foresight);
    }

    /// How long a leg is at most so that its knee is not straight.
    pub fn reach(&self, step: &Step, around: &Surroundings<'_>) -> f32 {
        let stretch = around.settings.max_stretch;
        step.length * if stretch > 0.0 { stretch.min(1.0) } else { 1.0 }
    }

    /// Less room, for a foot that lands.
    pub fn foresee(&mut self, ahead: [f32; 2]) {
        if ahead[0] < self.ahead[0] {
            self.ahead = ahead;
        }
    }

    /// Less room, whatever the legs need.
    pub fn lower_to(&mut self, height: f32) {
        self.comfortable = self.comfortable.min(height);
    }

    /// Less room, for a leg that has to reach `ankle` in model space: what it has by the clip, and what the ground
    /// adds.
    pub fn with_leg(
        &mut self,
        leg: &Leg,
        step: &Step,
        ankle: Vec3A,
        is_planted: bool,
        around: &Surroundings<'_>,
    ) -> [f32; 2] {
        // Lengths as squares, which need no roots to be compared.
        let room = |ankle: Vec3A, reach_squared: f32| {
            let away = ankle - step.hip;
            away.y + (reach_squared - away.x * away.x - away.z * away.z).max(0.0).sqrt()
        };
        let above = |reach_squared: f32| room(ankle, reach_squared);
        let part = |part: f32| (part * step.length) * (part * step.length);
        let span = step.hip.distance_squared(step.ankle);
        let reach = self.reach(step, around);
        let reach_squared = span.max(reach * reach);
        let comfortable = above(reach_squared);
        self.comfortable = self.comfortable.min(comfortable);
        self.lowest = self.lowest.max(above(span.min(part(0.55))));
        if is_planted {
            self.foldable = self.foldable.max(above(span.min(part(leg.folded))));
        }
        let by_clip = room(step.ankle, reach_squared);
        [by_clip, comfortable - by_clip]
    }
}

impl Pelvis {
    /// Takes a jump of the entity, up or down, out of this frame and spreads it over the next ones. `None` forgets them.
    ///
    /// `base` is how far above the entity the ground is over which the feet carry the body, and how fast that goes up; `next` the same when
    /// the next foot lands, and in how many seconds it does.
    pub fn absorb(&mut self, jump: Option<f32>, base: [f32; 2], next: Option<[f32; 3]>, around: &Surroundings<'_>) {
        let Some(jump) = jump else {
            self.lag = Damped::default();
            return;
        };
        self.lag.value -= jump;
        match (next, base) {
            (Some([above, climb, secs]), _) if secs > around.dt => {
                // As if it went up evenly to there, and the rest comes to an end there.
                let mut rest = Damped { value: self.lag.value - above, velocity: self.lag.velocity - climb };
                rest.value += climb * secs;
                rest.arrive(0.0, secs, around.dt);
                self.lag.value = above - climb * (secs - around.dt) + rest.value;
                self.lag.velocity = climb + rest.velocity;
            }
            (_, [above, climb]) => self.lag.follow(above + climb * around.paces.lead, around.paces.climbing),
        }
    }

    /// Whether a whole stride is known, and what it needs.
    pub fn knows_strides(&self) -> bool {
        self.strides > 1
    }

    /// How far the body is above where the entity's own jumps have put it.
    pub fn lag(&self) -> f32 {
        self.lag.value
    }

    /// How far it is above where the clip has it, in model space.
    pub fn shifted(&self) -> f32 {
        self.shift.value + self.lag.value
    }

    /// Lets a frame pass in which the first foot may have landed, or all feet are as in the clip. How far to move the pelvis upwards, in model
    /// space.
    pub fn advance(
        &mut self,
        room: &Room,
        [has_landed, is_free]: [bool; 2],
        length: f32,
        around: &Surroundings<'_>,
    ) -> f32 {
        let most = around.settings.max_drop.max(0.0) * length;
        // The body stays above the stairs that its feet are on, however far the entity is above or below them.
        let farthest = around.settings.max_step.max(0.0) * length;
        let lag = self.lag.value.clamp(-farthest, farthest);
        self.since += around.dt;
        if has_landed || self.since > FORGETTING_SECS {
            (self.held, self.propped, self.since) = ([most, self.held[0]], [-most, self.propped[0]], 0.0);
        }
        if has_landed {
            self.strides = (self.strides + 1).min(2);
        }
        if around.is_fresh || is_free {
            self.strides = 0;
            (self.held, self.propped) = ([most; 2], [-most; 2]);
        }
        let free = (room.comfortable - lag).clamp(-most, most);
        let [ahead, secs] = room.ahead;
        self.held[0] = self.held[0].min(free).min(ahead.max(-most));
        self.propped[0] = self.propped[0].max((room.foldable - lag).clamp(-most, most));
        let comfortable = self.held[0].min(self.held[1]).min((room.soon - lag).max(-most)) + lag;
        let foldable = self.propped[0].max(self.propped[1]) + lag;
        let wanted = (room.lowest.max(lag).min(comfortable).max(foldable) - lag).clamp(-most, most);
        self.shift.value = self.shift.value.clamp(-most, most);
        if around.is_fresh {
            self.shift = Damped::at(wanted);
        } else {
            let paces = around.paces;
            if ahead <= wanted && wanted < self.shift.value {
                self.shift.arrive(wanted, secs, around.dt);
                return self.shift.value + lag;
            }
            self.shift.follow(wanted, if wanted < self.shift.value { paces.lowering } else { paces.lifting });
        }
        self.shift.value + lag
    }
}
