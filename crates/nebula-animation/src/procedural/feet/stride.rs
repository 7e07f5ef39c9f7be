//! The path of a foot from where it left the ground to where it will land.

use glam::Vec3A;

use super::damped::{Damped, Paces};
use super::foot::ease;
use super::print::{Bed, Print, ground_below};
use super::step::{Step, Surroundings};
use crate::rig::Leg;
use crate::state::{Stateful, stateful};

/// What is known of a foot's way over the ground. Heights along it are those of a line between its ends, which on a slope is the slope.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stride {
    /// Where the foot left the ground, in the world.
    from: Vec3A,
    /// Where it will land, in world space; where it stands, once it does.
    to: Vec3A,
    /// Where the clip has the foot land, in model space: as it did the last time.
    spot: Vec3A,
    /// How far the foot is lifted over what lies between the two, in metres.
    bump: Damped<f32>,
    /// Seconds of the clips until it lands, of the frame before.
    until: f32,
    /// Whether both ends are known.
    is_known: bool,
    /// Whether the foot has landed before.
    has_landed: bool,
    /// Seconds since it left the ground.
    since: f32,
    /// Whether the foot was on the floor of its clip in this swing, although it should not have been; and in the one before. What the clips say of
    /// contacts is of no use then.
    is_low: bool,
    was_low: bool,
}

impl Stateful for Stride {
    stateful!(flags { is_known, has_landed, is_low, was_low } given {} kept { from, to, spot, bump, until, since } then clean);
}

/// How the ground's height along the path affects a foot.
pub(super) struct Guided {
    /// The height to carry the foot over.
    pub height: f32,
    /// By how much the foot's way has jumped up or down in this frame.
    pub jump: f32,
    /// In the first frame, the height from which the path begins.
    pub from: Option<f32>,
    /// Which part of the sole will be on the ground, as in a [`Print`].
    pub over: [f32; 2],
    /// How far the foot has come down to its landing, from 0 to 1.
    pub landing: f32,
    /// Whether the foot can stand at its destination.
    pub is_good: bool,
}

/// A stride that is shorter, in lengths of the leg, goes by the time that is left.
const SHORTEST: f32 = 0.1;
/// How many seconds before its end such a stride changes its height.
const LAST_SECS: f32 = 0.25;
/// A sole lower than this, in leg lengths, this many seconds after lift-off and before landing, is on the ground.
const LOW: f32 = 0.01;
const EARLY_SECS: f32 = 0.08;
/// Landings that are farther away than this, in seconds, are not foreseen.
const FARTHEST_SECS: f32 = 1.5;

impl Stride {
    fn clean(&mut self) {
        // Below zero before the first frame of a swing.
        self.until = self.until.clamp(-1.0, 1e6);
    }

    /// The foot leaves the ground at a place of the world, which is a spot on the clip's floor.
    pub fn lift_off(&mut self, place: Vec3A, spot: Vec3A, step: &Step) {
        if !self.has_landed {
            // Feet land as far in front of the hip as they stay behind it.
            self.spot = (2.0 * step.hip - spot).with_y(spot.y);
        }
        (self.from, self.to, self.bump, self.until) = (place, place, Damped::default(), -1.0);
        (self.is_known, self.since, self.was_low, self.is_low) = (true, 0.0, self.is_low, false);
    }

    /// The foot stands in a footprint.
    pub fn land(&mut self, print: &Print) {
        self.to = print.place;
        // A foot that stands from the first frame on may have done so for long.
        if self.is_known {
            (self.spot, self.has_landed) = (print.spot, true);
        }
    }

    /// The path of the foot is unknown.
    pub fn forget(&mut self) {
        self.is_known = false;
    }

    /// Goes along with ground that moves.
    pub fn ride(&mut self, way: Vec3A) {
        self.from += way;
        self.to += way;
    }

    /// The destination of the foot, if it is known.
    pub fn end(&self) -> Option<Vec3A> {
        (self.is_known && self.until >= 0.0).then_some(self.to)
    }

    /// How far along the path a position is, 0 and 1 at its ends and a bit beyond them; for short paths, by the
    /// remaining time.
    fn progress(&self, place: Vec3A, secs: f32, length: f32) -> f32 {
        let way = (self.to - self.from).with_y(0.0);
        let long = way.length_squared();
        if long > (SHORTEST * length) * (SHORTEST * length) {
            ((place - self.from).dot(way) / long).clamp(-0.5, 1.5)
        } else {
            (1.0 - secs / LAST_SECS).clamp(0.0, 1.0)
        }
    }

    /// The height of the path at a position in world space, and how steep it is along a velocity, in metres per second;
    /// `None` if no stride is known.
    pub fn height_at(&self, place: Vec3A, velocity: Vec3A, length: f32) -> Option<[f32; 2]> {
        let way = (self.to - self.from).with_y(0.0);
        let long = way.length_squared();
        let is_long = self.is_known && long > (SHORTEST * length) * (SHORTEST * length);
        is_long.then(|| {
            let rise = self.to.y - self.from.y;
            [
                self.from.y + rise * ((place - self.from).dot(way) / long).clamp(-0.5, 1.5),
                rise * velocity.dot(way) / long,
            ]
        })
    }

    /// Lets a frame pass for a foot that swings over a footprint, with the sole so high above the clip's floor.
    pub fn guide(
        &mut self,
        leg: &Leg,
        step: &Step,
        print: &Print,
        sole: f32,
        around: &Surroundings<'_>,
    ) -> Option<Guided> {
        let until = step.until;
        self.since += around.dt;
        self.is_low |= !step.is_down && sole < LOW * leg.length && until.min(self.since) > EARLY_SECS;
        if self.is_low || self.was_low {
            self.is_known = false;
        }
        if !self.is_known || !(until < FARTHEST_SECS) {
            self.forget();
            return None;
        }
        let stand = around.stand;
        let length = leg.length * stand.scale;
        self.ride(print.velocity * around.dt);
        // How fast the clips run is seen from one frame to the next.
        let passed = (self.until - until) * around.rate;
        let rate = if self.until >= 0.0 && passed > 0.1 && passed < 10.0 { passed } else { 1.0 };
        let is_first = self.until < 0.0;
        self.until = until;
        let secs = until / rate;
        let way = (around.velocity - print.velocity).with_y(0.0) * secs;
        let mut place = stand.point(self.spot.with_y(stand.floor)) + way;
        if !self.has_landed {
            // What was guessed is corrected on the way.
            let sure = 1.0 - (secs / LAST_SECS).min(1.0);
            place += (print.place - place).with_y(0.0) * sure;
        }
        let level = (self.from, 2.0 * around.settings.max_step * length);
        let landing = if step.is_down {
            // The way ends where it was going to, so that the foot does not jump.
            place = self.to;
            let Print { normal, velocity, over, is_good, .. } = *print;
            Bed { height: place.y, normal, velocity, over, is_good }
        } else {
            ground_below(place, leg, &step.sole, level, 3, around)
        };
        let before = self.to;
        self.to = place.with_y(landing.height);
        if is_first {
            // What the slope at both ends explains is no stair, and the foot goes over it as it is.
            let (mean, way) = (landing.normal + print.normal, self.to - self.from);
            let unexplained = way.y * mean.y + mean.x * way.x + mean.z * way.z;
            if !(unexplained.abs() > LOWEST_STAIR * length * mean.y) {
                self.is_known = false;
                return None;
            }
        }
        let share = self.progress(print.place, secs, length);
        let near = ease(((share - 0.7) / 0.3).clamp(0.0, 1.0));
        // What no slope explains is another stair.
        let moved = self.to - before;
        let explained = -(landing.normal.x * moved.x + landing.normal.z * moved.z) / landing.normal.y.max(0.1);
        let jump = moved.y - explained;
        let is_jump = !is_first && jump.abs() > length * (0.004 + 0.6 * around.dt);
        let line = self.from.y + (self.to.y - self.from.y) * share;
        let needed = if print.is_good { (print.place.y - line - SPARE * sole * stand.scale).max(0.0) } else { 0.0 };
        let paces: &Paces = around.paces;
        self.bump.follow(needed, if needed > self.bump.value { paces.rising } else { paces.falling });
        Some(Guided {
            from: is_first.then_some(self.from.y),
            height: line + self.bump.value.max(0.0) * ease(((1.0 - share) * 5.0).clamp(0.0, 1.0)),
            jump: if is_jump { jump * share.clamp(0.0, 1.0) } else { 0.0 },
            over: landing.over,
            landing: near,
            is_good: landing.is_good,
        })
    }
}

/// What ground rises by from one footprint to the next to be stairs, in lengths of the leg.
const LOWEST_STAIR: f32 = 0.2;
/// How much of the height of a clip's swing counts as clear of what is below.
const SPARE: f32 = 0.8;
