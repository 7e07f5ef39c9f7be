//! The path of a foot from where it left the ground to where it will land.

use glam::Vec3A;

use super::damped::{Damped, Paces};
use super::foot::ease;
use super::print::{ALL, EDGE, Print, ground_below};
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
    /// Where the clip has the foot land, in model space: as it did the last time. And how many seconds of the clip after the landing that was.
    spot: Vec3A,
    late: f32,
    /// Where the clip had hip and ankle then, in model space.
    hip: Vec3A,
    ankle: Vec3A,
    /// How far the foot is lifted over what lies between the two, in metres.
    bump: Damped<f32>,
    /// Seconds of the clips until it lands, of the frame before; and seconds at the rate at which they run.
    until: f32,
    secs: f32,
    /// Whether both ends are known.
    is_known: bool,
    /// Whether the foot has landed before, or the other one of its pair; and whether it was this one.
    has_landed: bool,
    is_own: bool,
    /// Seconds since it left the ground.
    since: f32,
    /// The ground at the landing: its normal, and which part of the sole is over it, as in a [`Print`].
    normal: Vec3A,
    over: [f32; 2],
    /// For which landing the ground was asked, and how far along the ground the foot lands from there, so that its sole is on one stair.
    asked: Vec3A,
    aside: Vec3A,
    /// How far that is from where the clip is now expected to have it land.
    beside: Vec3A,
    /// Whether a foot can stand there, and whether there are stairs on the way.
    is_good: bool,
    has_stairs: bool,
    /// Whether the foot was on the floor of its clip in this swing, although it should not have been; and in the one before. What the clips say of
    /// contacts is of no use then.
    is_low: bool,
    was_low: bool,
}

impl Stateful for Stride {
    stateful!(flags { is_known, has_landed, is_own, is_low, was_low, is_good, has_stairs } given {} kept {
        from, to, spot, late, hip, ankle, bump, until, secs, since, normal, over, asked, aside, beside,
    } then clean);
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
/// How many seconds before its end a landing like that of the other foot is corrected.
const SURE_SECS: f32 = 0.1;
/// A sole lower than this, in leg lengths, this many seconds after lift-off and before landing, is on the ground.
const LOW: f32 = 0.01;
const EARLY_SECS: f32 = 0.08;
/// A foot has just landed that did so less than these seconds of the clips ago.
const JUST_SECS: f32 = 0.05;
/// Landings that are farther away than this, in seconds, are not foreseen.
const FARTHEST_SECS: f32 = 1.5;

impl Stride {
    fn clean(&mut self) {
        // Below zero before the first frame of a swing.
        self.until = self.until.clamp(-1.0, 1e6);
    }

    /// The foot leaves the ground at a place of the world, which is a spot on the clip's floor.
    pub fn lift_off(&mut self, place: Vec3A, spot: Vec3A, leg: &Leg, step: &Step) {
        if !self.has_landed {
            // Feet land as far in front of the hip as they stay behind it, on their heels.
            self.spot = (2.0 * step.hip - spot).with_y(spot.y);
            (self.hip, self.ankle) = (step.hip, self.spot + Vec3A::Y * leg.heel.length());
        }
        (self.from, self.to, self.bump, self.until) = (place, place, Damped::default(), -1.0);
        (self.aside, self.beside, self.has_stairs) = (Vec3A::ZERO, Vec3A::ZERO, false);
        (self.normal, self.over) = (Vec3A::Y, ALL);
        (self.is_known, self.since, self.was_low, self.is_low) = (true, 0.0, self.is_low, false);
    }

    /// Whether the foot has just left the ground for the first time, and nobody knows where it lands.
    pub fn is_new(&self) -> bool {
        self.is_known && self.until < 0.0 && !self.has_landed
    }

    /// Expects a landing like that of the other leg of a pair, as far ahead along the foot.
    pub fn learn_from(&mut self, other: &Self, step: &Step) {
        if other.has_landed {
            let forwards = step.sole.forwards();
            let lifted = 2.0 * step.hip - self.spot;
            self.spot = (lifted + forwards * (other.spot - lifted).dot(forwards)).with_y(other.spot.y);
            (self.late, self.hip, self.ankle, self.has_landed) = (other.late, other.hip, other.ankle, true);
        }
    }

    /// The foot stands in a footprint.
    pub fn land(&mut self, print: &Print, step: &Step) {
        self.to = print.place;
        // A foot that stands from the first frame on may have done so for long.
        if self.is_known || step.since < JUST_SECS {
            (self.spot, self.late, self.has_landed, self.is_own) = (print.spot, step.since, true, true);
            (self.hip, self.ankle) = (step.hip, step.ankle);
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
        self.asked += way;
    }

    /// How far along the ground the foot lands from where the clip has it land, if there are stairs, and in how many seconds of the clips.
    pub fn aside(&self) -> Option<(Vec3A, f32)> {
        (self.is_known && self.has_stairs).then_some((self.beside, self.until))
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
        let is_long = is_long && self.has_stairs && self.is_good;
        is_long.then(|| {
            let rise = self.to.y - self.from.y;
            [
                self.from.y + rise * ((place - self.from).dot(way) / long).clamp(-0.5, 1.5),
                rise * velocity.dot(way) / long,
            ]
        })
    }

    /// Whether it is known where and when the foot lands.
    pub fn is_foreseen(&self) -> bool {
        self.is_known && self.secs > 0.0 && self.is_good
    }

    /// In how many seconds the foot lands on stairs.
    pub fn lands_in(&self) -> Option<f32> {
        (self.is_known && self.has_stairs && self.has_landed && self.secs > 0.0).then_some(self.secs)
    }

    /// How high the pelvis may be when the foot lands, in model space above a body that follows the ground, for a leg that is no longer than
    /// `reach` then; and in how many seconds that is.
    pub fn foresee(&self, leg: &Leg, reach: f32, around: &Surroundings<'_>) -> Option<[f32; 2]> {
        let stand = around.stand;
        if !self.is_foreseen() {
            return None;
        }
        let origin = stand.point(Vec3A::Y * stand.floor) + around.velocity * self.secs;
        let line = self.height_at(origin, around.velocity, leg.length * stand.scale);
        let base = line.map_or_else(|| self.height_of(origin), |[height, _]| height);
        let away = self.ankle - self.hip;
        let reach = reach.max(away.length());
        let beside = stand.world_from_model.transform_vector3a(away.with_y(0.0)) + self.aside;
        let beside = beside.length_squared() / (stand.scale * stand.scale);
        Some([(self.to.y - base) / stand.scale + away.y + (reach * reach - beside).max(0.0).sqrt(), self.secs])
    }

    /// Lets a frame pass for a foot that swings over a footprint, with the sole so high above the clip's floor, and so far beside where the
    /// clip has it.
    pub fn guide(
        &mut self,
        leg: &Leg,
        step: &Step,
        print: &Print,
        sole: f32,
        offset: Vec3A,
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
        self.secs = secs;
        let way = (around.velocity - print.velocity).with_y(0.0) * (secs + self.late / rate);
        let mut place = stand.point(self.spot.with_y(stand.floor)) + way;
        if !self.is_own {
            // What was guessed is corrected on the way.
            let sure = 1.0 - (secs / if self.has_landed { SURE_SECS } else { LAST_SECS }).min(1.0);
            place += (print.place - offset - place).with_y(0.0) * sure;
        }
        let before = self.to;
        let moved = (place - self.asked).with_y(0.0).length();
        if step.is_down && (is_first || !self.has_stairs) {
            // Without a landing that was planned, there is none to go to.
            self.has_stairs = false;
            return None;
        }
        if step.is_down {
            // The way ends where it was going to, so that the foot does not jump; unless it ended elsewhere.
            if (print.place - self.asked - self.aside).with_y(0.0).length() > 2.0 * FARTHEST_OFF * length {
                self.has_stairs = false;
                return None;
            }
            self.to = print.place.with_y(self.height_of(print.place));
        } else {
            if is_first || !self.is_good || moved > FARTHEST_OFF * length {
                self.plan(place, leg, step, around);
            }
            let landing = self.asked + self.aside;
            self.beside = (landing - place).with_y(0.0);
            self.to = landing.with_y(self.height_of(landing));
        }
        let starts = is_first || !self.has_stairs;
        if !self.has_stairs {
            // What the slope at both ends explains is no stair, and the foot goes over it as it is.
            let (mean, way) = (self.normal + print.normal, self.to - self.from);
            let unexplained = way.y * mean.y + mean.x * way.x + mean.z * way.z;
            self.has_stairs = unexplained.abs() > LOWEST_STAIR * length * mean.y || self.aside != Vec3A::ZERO;
            if !self.has_stairs {
                return None;
            }
        }
        let share = self.progress(print.place, secs, length);
        let near = ease(((share - 0.7) / 0.3).clamp(0.0, 1.0));
        // What no slope explains is another stair.
        let moved = self.to - before;
        let explained = -(self.normal.x * moved.x + self.normal.z * moved.z) / self.normal.y.max(0.1);
        let jump = moved.y - explained;
        let is_jump = !starts && jump.abs() > length * (0.004 + 0.6 * around.dt);
        let line = self.from.y + (self.to.y - self.from.y) * share;
        let needed = if print.is_good { (print.place.y - line - SPARE * sole * stand.scale).max(0.0) } else { 0.0 };
        let paces: &Paces = around.paces;
        self.bump.follow(needed, if needed > self.bump.value { paces.rising } else { paces.falling });
        Some(Guided {
            from: starts.then_some(line),
            height: line + self.bump.value.max(0.0) * ease(((1.0 - share) * 5.0).clamp(0.0, 1.0)),
            jump: if is_jump { jump * share.clamp(0.0, 1.0) } else { 0.0 },
            over: self.over,
            landing: near,
            is_good: self.is_good,
        })
    }

    /// The height of the ground at the landing, continued to a position near it.
    fn height_of(&self, place: Vec3A) -> f32 {
        let away = place - self.to;
        self.to.y - (self.normal.x * away.x + self.normal.z * away.z) / self.normal.y.max(0.1)
    }

    /// Asks for the ground at a landing. A sole that would lie over an edge lands beside it, if there is room.
    fn plan(&mut self, place: Vec3A, leg: &Leg, step: &Step, around: &Surroundings<'_>) {
        let stand = around.stand;
        let length = leg.length * stand.scale;
        let level = (self.from, 2.0 * around.settings.max_step * length);
        let mut landing = ground_below(place, leg, &step.sole, level, 4, around);
        (self.asked, self.aside) = (place, Vec3A::ZERO);
        let [back, front] = leg.sole_ends();
        let [back, front] = [back.min(-0.5), front.max(0.5)];
        let forwards = stand.world_from_model.transform_vector3a(step.sole.forwards()) * leg.sole_length;
        if landing.over != ALL && landing.is_good {
            let edge = if landing.over[0] > ALL[0] { landing.over[0] } else { landing.over[1] };
            let mut least = (fit(landing.over), 0.0);
            for shift in [edge - back + ROOM, edge - front - ROOM] {
                let away = forwards * shift;
                if away.length_squared() > (MOST_ASIDE * length) * (MOST_ASIDE * length) {
                    continue;
                }
                let beside = ground_below(place + away, leg, &step.sole, level, 3, around);
                let badness = (fit(beside.over), shift.abs());
                if beside.is_good && badness < least {
                    (least, landing, self.aside) = (badness, beside, away.with_y(0.0));
                }
            }
        }
        self.to = (place + self.aside).with_y(landing.height);
        (self.normal, self.over, self.is_good) = (landing.normal, landing.over, landing.is_good);
        // A stair close behind the heel or ahead of the toes is in the way of the shoe above the sole.
        let is_stair = |end: f32| {
            let at = self.to + forwards * end;
            let highest = self.height_of(at) + EDGE * leg.sole_length * stand.scale;
            around.ground.ground(at.into()).is_some_and(|ground| ground.height > highest)
        };
        let aside = match (is_stair(back - SHOE), is_stair(front + SHOE)) {
            (true, false) => forwards * SHOE,
            (false, true) => -forwards * SHOE,
            _ => return,
        };
        self.aside += aside.with_y(0.0);
        self.to = self.to.with_y(0.0) + aside.with_y(0.0) + Vec3A::Y * self.height_of(self.to + aside);
        self.over =
            self.over.map(|edge| if edge.abs() < ALL[1] { edge - SHOE.copysign(aside.dot(forwards)) } else { edge });
    }
}

/// How well a sole lies of which this part is on the ground: 0 with all of it, 1 with toes beyond an edge or a heel behind one.
fn fit(over: [f32; 2]) -> u8 {
    match over {
        ALL => 0,
        [from, to] if from <= FARTHEST_EDGES[0] && to >= FARTHEST_EDGES[1] => 1,
        _ => 2,
    }
}

/// Where edges may be, in lengths of the sole from its middle: the ball, about which feet roll, and more than the front half are on the ground.
const FARTHEST_EDGES: [f32; 2] = [-0.1, 0.5];
/// What ground rises by from one footprint to the next to be stairs, in lengths of the leg.
const LOWEST_STAIR: f32 = 0.05;
/// The ground at a landing is asked for again where it turns out to be farther away than this from where it was expected, in lengths of the leg.
const FARTHEST_OFF: f32 = 0.05;
/// How far a foot lands at most from where the clip has it land, in lengths of the leg.
const MOST_ASIDE: f32 = 0.2;
/// How far from the edge, in lengths of the sole; and how far a shoe reaches beyond its sole.
const ROOM: f32 = 0.02;
const SHOE: f32 = 0.1;
/// How much of the height of a clip's swing counts as clear of what is below.
const SPARE: f32 = 0.8;
