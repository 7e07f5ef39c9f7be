//! Tracks a direction like a neck does, in the plane of [`Axes`]: smoothly, within a speed and an acceleration, and
//! never across the back.
//!
//! The gaze moves along with its target. Only the remaining angle, after a target has appeared, jumped, or moved faster
//! than a neck can follow, is spread over time. So a gaze that has arrived stays on target, and does not lag behind
//! anything that it can follow.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3, Vec3A};

use super::axes::Axes;
use crate::math::trig::{atan2, decay};
use crate::state::{Stateful, stateful};

/// How far and how fast to follow: fields of the layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub limit: f32,
    pub hysteresis: f32,
    pub follow_secs: f32,
    pub max_speed: f32,
    pub max_acceleration: f32,
}

/// What there is to look at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sight {
    /// In a direction of any length.
    Target(Vec3A),
    /// At the eye itself: in no direction, so the last one is as good.
    Here,
    /// Nowhere: whatever the animation looks at.
    Lost,
}

/// Where the aim is on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tracker {
    at: Vec2,
    /// Per second; while the animation leads, without what that does.
    speed: Vec2,
    /// Where it is going, and how fast that moves while it is followed.
    goal: Vec2,
    goal_speed: Vec2,
    /// What the body has carried the axes to.
    pub carried: Option<Quat>,
    /// One by the distance at which it looks, in 1/m; 0 while it does not.
    near: f32,
    /// Which way the front of the entity pointed last, seen from above.
    heading: f32,
    is_started: bool,
    /// Whether the goal is what the animation looks at.
    is_free: bool,
    /// How far the last step went, in times of the spring, and what was left then: mostly the same in the next one.
    step: f32,
    left: f32,
}

// What is left of the last step follows from its length.
impl Stateful for Tracker {
    stateful!(flags { is_started, is_free } given {} kept { at, speed, goal, goal_speed, carried, near, heading });
}

/// `(1 + x) e^-x = 0.01`: how often a second's worth of following is in the time in which a hundredth is left.
pub(in crate::procedural) const SETTLED: f32 = 6.638_352;
/// The fraction of the limit that is kept on the side on which a target is behind the back.
pub(in crate::procedural) const KEPT: f32 = 0.1;
/// Longest step in which speed and acceleration are held, in seconds.
const STEP: f32 = 1.0 / 240.0;
/// What is left of longer frames makes no difference any more.
pub(in crate::procedural) const LONGEST: f32 = 2.0;
/// In parts of acceleration by speed, how fast a spring may be that slows down from that speed within that acceleration: `e`, and some room.
pub(in crate::procedural) const BRAKES: f32 = 2.4;
/// Radians by which a gaze may miss a trembling target, such as seen from a bobbing head, and how fast it converges, in
/// 1/s.
pub(in crate::procedural) const AT_EASE: f32 = 0.017_5;
pub(in crate::procedural) const EASE_RATE: f32 = 2.0;
/// By how much farther away than its target a gaze looks that is on its way there, in s² for the square of its speed.
pub(in crate::procedural) const ON_THE_WAY: f32 = 0.3;
/// Radians at which a gaze has returned to the animation's.
const RETURNED: f32 = 1e-5;

/// The part of a tracker that changes while it follows a target; the rest stays as it is.
#[derive(Debug, Clone, Copy)]
pub(in crate::procedural) struct Tracked {
    pub at: Vec2,
    pub speed: Vec2,
    pub goal: Vec2,
    pub goal_speed: Vec2,
    pub near: f32,
    pub heading: f32,
}

/// How many small steps a frame has.
pub(in crate::procedural) fn steps_of(dt: f32) -> f32 {
    (dt / STEP).ceil().max(1.0)
}

impl Tracker {
    /// Where it is, if it follows a target.
    pub fn tracked(&self) -> Option<Tracked> {
        let Self { at, speed, goal, goal_speed, near, heading, .. } = *self;
        (self.is_started && !self.is_free).then_some(Tracked { at, speed, goal, goal_speed, near, heading })
    }

    /// Stores its position, and the rotation of the axes by the body.
    pub fn set_tracked(&mut self, tracked: &Tracked, carried: Option<Quat>) {
        let Tracked { at, speed, goal, goal_speed, near, heading } = *tracked;
        *self = Self { at, speed, goal, goal_speed, near, heading, carried, ..*self };
    }

    /// Follows for `dt` seconds, starting from `gaze`, where the animation looks. Returns the point of the plane to
    /// look at; `None` if the animation looks there by itself.
    pub fn follow(&mut self, bounds: &Bounds, axes: &Axes, gaze: Vec3A, sight: Sight, dt: f32) -> Option<Vec2> {
        let dt = if dt > 0.0 { dt } else { 0.0 };
        let is_new = !self.is_started;
        if is_new {
            let at = axes.points(gaze).0[0];
            let Self { carried, heading, .. } = *self;
            *self = Self { at, goal: at, carried, heading, is_started: true, ..Self::default() };
        }
        let is_limited = bounds.limit < PI;
        let is_free = matches!(sight, Sight::Lost);
        let goal = match sight {
            Sight::Lost => axes.points(gaze).0[0],
            Sight::Here => self.goal,
            Sight::Target(direction) => {
                // Found again, it is looked for on the side that the gaze is on.
                let before = if self.is_free { self.at } else { self.goal };
                let ([nearer, farther], angle) = axes.points(direction);
                let keeps_side = is_limited
                    && TAU - angle <= PI + bounds.hysteresis.max(0.0)
                    && farther.dot(before) > nearer.dot(before);
                bounds.within(if keeps_side { farther } else { nearer })
            }
        };
        if !is_limited {
            go_the_nearer_way(&mut self.goal, &mut self.goal_speed, goal);
            go_the_nearer_way(&mut self.at, &mut self.speed, goal);
        }
        let is_the_same = !is_new && self.is_free == is_free;
        let goal = if is_free || !is_the_same { goal } else { self.at_ease(goal, bounds, dt) };
        let before = self.at;
        let slope = if is_the_same && dt > 0.0 { (goal - self.goal) / dt } else { Vec2::ZERO };
        if is_free && is_the_same {
            // What the animation does is no business of the neck's.
            self.at += goal - self.goal;
        }
        let ride = if is_free { Vec2::ZERO } else { self.ride(slope, bounds, dt) };
        (self.goal, self.goal_speed, self.is_free) = (goal, ride, is_free);
        self.approach(bounds, dt);
        if is_free && self.at.distance_squared(goal) < RETURNED * RETURNED && self.speed.length() < RETURNED {
            self.is_started = false;
            return None;
        }
        if is_limited && !is_free {
            // Where the animation left the cone by itself, it may take its time to come in.
            self.at = self.at.clamp_length_max(bounds.limit.max(0.0).max(before.length()));
        }
        Some(self.at)
    }

    /// The distance at which to look for a target at this distance. On the way to another target, directions matter
    /// rather than where they are seen from: an eye that moves along with the head, and sees near things elsewhere,
    /// would lengthen the way.
    pub fn distance(&mut self, distance: f32, bounds: &Bounds, dt: f32) -> f32 {
        let near = distance.recip();
        let rate = SETTLED / bounds.follow_secs.max(1e-6);
        let left = if self.near > 0.0 && bounds.follow_secs > 0.0 { decay(rate * dt) } else { 0.0 };
        self.near = near + (self.near - near) * left;
        (1.0 + ON_THE_WAY * self.speed.length_squared()) / self.near
    }

    /// Says the same in other axes: which ones it is makes no difference to what is looked at.
    /// But what they leave behind comes along.
    pub fn change_axes(&mut self, before: &Axes, axes: &Axes, limit: f32) {
        let most = limit.max(self.at.length());
        [self.at, self.goal] = [self.at, self.goal].map(|point| axes.point_of(before, point));
        if limit < PI {
            self.at = self.at.clamp_length_max(most);
        }
    }

    /// The maximum speed of the gaze relative to a rotating entity: within `most`, and together with the entity within
    /// 1.3 of it.
    pub fn speed_beside_turning(&mut self, most: f32, front: Vec3, dt: f32) -> f32 {
        let before = std::mem::replace(&mut self.heading, atan2(front.x, front.z));
        if !(dt > 0.0) || !self.is_started {
            return most;
        }
        let turned = (self.heading - before).abs();
        (1.3 * most - turned.min(TAU - turned) / dt).max(0.5 * most).min(most)
    }

    /// The goal, held still as long as it only trembles.
    fn at_ease(&self, goal: Vec2, bounds: &Bounds, dt: f32) -> Vec2 {
        let beside = self.goal - goal;
        let has_jumped = beside.length() > bounds.max_speed.max(0.0) * dt + AT_EASE;
        if has_jumped || !(bounds.follow_secs > 0.0) {
            return goal;
        }
        goal + (beside * decay(EASE_RATE * dt)).clamp_length_max(AT_EASE)
    }

    /// How fast to go along with a goal that moves by `slope`: as fast, up to half of the greatest speed, and less beyond that. From the
    /// greatest speed on, it is rather a jump, and seldom followed by another one. What a neck can speed up by, it does at once.
    fn ride(&mut self, slope: Vec2, bounds: &Bounds, dt: f32) -> Vec2 {
        let most = 0.5 * bounds.max_speed.max(0.0);
        let speed = slope.length();
        let ride = match speed {
            jump if jump >= 2.0 * most => self.goal_speed * 0.5,
            fast if fast > most => slope * (2.0 - fast / most),
            _ => slope,
        };
        self.speed += (ride - self.goal_speed).clamp_length_max((bounds.max_acceleration * dt).max(0.0));
        ride
    }

    /// A critically damped spring covers the remaining distance, in closed form: two half steps are one whole step. If
    /// speed or acceleration may reach their limits, it takes small steps.
    fn approach(&mut self, bounds: &Bounds, dt: f32) {
        if !(bounds.follow_secs > 0.0) {
            (self.at, self.speed) = (self.goal, self.goal_speed);
            return;
        }
        let (most, push) = (bounds.max_speed.max(0.0), bounds.max_acceleration.max(0.0));
        let rate = (SETTLED / bounds.follow_secs.max(1e-6)).min(BRAKES * push / most);
        let dt = dt.min(LONGEST);
        // As seen from the goal, which moves through the frame.
        let (mut away, mut speed) = (self.at - self.goal + self.goal_speed * dt, self.speed - self.goal_speed);
        // What a closed form comes to at most on its way.
        let (far, fast) = (rate * away.length(), speed.length());
        let is_free =
            self.goal_speed.length() + 1.4 * fast + 0.4 * far <= most && rate * (2.2 * far + 3.2 * fast) <= push;
        let steps = if is_free { 1.0 } else { steps_of(dt) };
        let step = dt / steps;
        if self.step != rate * step || self.left == 0.0 {
            (self.step, self.left) = (rate * step, decay(rate * step));
        }
        for _ in 0..steps as u16 {
            let pull = (speed + away * rate) * step;
            let (next, wanted) = ((away + pull) * self.left, (speed - pull * rate) * self.left);
            if is_free {
                (away, speed) = (next, wanted);
                continue;
            }
            let mut held = wanted;
            if (wanted - speed).length_squared() > push * push * step * step {
                held = speed + (wanted - speed).clamp_length_max(push * step);
            }
            if (self.goal_speed + held).length_squared() > most * most {
                held = (self.goal_speed + held).clamp_length_max(most) - self.goal_speed;
            }
            away = if held == wanted { next } else { away + (speed + held) * (0.5 * step) };
            speed = held;
        }
        (self.at, self.speed) = (self.goal + away, self.goal_speed + speed);
    }
}

impl Bounds {
    /// Where to look for a target at a point of the plane: there, within the limit. A target behind the back is
    /// released, down to a glance to its side.
    fn within(&self, wanted: Vec2) -> Vec2 {
        let (limit, angle) = (self.limit.max(0.0), wanted.length());
        if self.limit >= PI || angle <= limit {
            return wanted;
        }
        // Where it may come to change sides.
        let end = (PI - self.hysteresis.max(0.0)).max(0.5 * (limit + PI));
        let t = ((angle - limit) / (end - limit)).clamp(0.0, 1.0);
        let let_go = t * t * (3.0 - 2.0 * t);
        // Only to its side: up and down are as good as each other for what is straight behind.
        wanted * (limit * (1.0 - (1.0 - KEPT) * let_go) / angle) * Vec2::new(1.0, 1.0 - let_go)
    }
}

/// Says the same direction and the same motion by the other point, if that is nearer to the goal.
fn go_the_nearer_way(at: &mut Vec2, speed: &mut Vec2, goal: Vec2) {
    let (from, to) = (*at, other_way(*at));
    if to.distance_squared(goal) >= from.distance_squared(goal) {
        return;
    }
    let along = from.normalize_or_zero();
    let radial = along * speed.dot(along);
    let ratio = if from.length() > 1e-9 { -to.length() / from.length() } else { 0.0 };
    *speed = radial + (*speed - radial) * ratio;
    *at = to;
}

/// The other point of the same direction.
fn other_way(point: Vec2) -> Vec2 {
    point - point.normalize_or(Vec2::X) * TAU
}
