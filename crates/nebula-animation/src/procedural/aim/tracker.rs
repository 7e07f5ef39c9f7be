//! Following a direction smoothly, without turning by the back.
//!
//! Directions are points of a plane: the front of the body is the origin, the distance from it is the angle from the front, and
//! the direction in the plane is the way to turn. A cone around the front is a disc, so a point that goes straight
//! from one place in it to another stays in the cone, and passes by the front. Straight behind is the whole circle of
//! radius pi: each direction is two points of the plane, `v` and the one at `2 pi - |v|` on the other side.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3A};

use super::super::ModelPose;
use crate::math::trig::{atan2, decay, sin_cos};
use crate::state::stateful;

/// The axes of the body that carries the chain, in model space: unit vectors at right angles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    front: Vec3A,
    left: Vec3A,
    up: Vec3A,
}

impl Body {
    /// How the rest pose's front and up lie now, as carried by the joint above `joint`.
    pub fn of(pose: &mut ModelPose<'_>, joint: u16) -> Self {
        let rig = pose.rig();
        let (front, up) = (Vec3A::from(pose.front()), Vec3A::from(rig.up()));
        let Some(parent) = rig.parent(joint) else { return Self::facing(front, up) };
        let (front_in_joint, up_in_joint) = (rig.in_joint(parent, pose.front()), rig.in_joint(parent, rig.up()));
        let (front_in_joint, up_in_joint) = (Vec3A::from(front_in_joint), Vec3A::from(up_in_joint));
        let above = pose.above(joint);
        if above.is_even() {
            // The angles are those in the joint's own space, where nothing has to wait for where the joint is.
            let Self { front, left, .. } = Self::facing(front_in_joint.try_normalize().unwrap_or(front), up_in_joint);
            let (front, left) = (above.turned(front), above.turned(left));
            return Self { front, left, up: front.cross(left) };
        }
        Self::facing(above.vector(front_in_joint).try_normalize().unwrap_or(front), above.vector(up_in_joint))
    }

    /// A body that faces along a unit vector, and whose direction upwards is the nearest possible to the one given.
    fn facing(front: Vec3A, up: Vec3A) -> Self {
        let left = up.cross(front).try_normalize().unwrap_or_else(|| front.any_orthonormal_vector());
        Self { front, left, up: front.cross(left) }
    }

    /// The two points of a direction of any length, and how far from the origin the nearer one is: at most pi.
    #[inline]
    fn points(&self, direction: Vec3A) -> ([Vec2; 2], f32) {
        let side = Vec2::new(direction.dot(self.left), direction.dot(self.up));
        let length = side.length();
        let ahead = direction.dot(self.front);
        if length <= 1e-9 * ahead.abs() {
            let angle = if ahead < 0.0 { PI } else { 0.0 };
            return ([Vec2::new(angle, 0.0), Vec2::new(angle - TAU, 0.0)], angle);
        }
        let (angle, way) = (atan2(length, ahead), side / length);
        ([way * angle, way * (angle - TAU)], angle)
    }

    /// The direction of a point; unit length.
    fn direction(&self, point: Vec2) -> Vec3A {
        let angle = point.length();
        if angle < 1e-9 {
            return self.front;
        }
        let (sine, cosine) = sin_cos(angle);
        let side = (self.left * point.x + self.up * point.y) / angle;
        self.front * cosine + side * sine
    }
}

/// How far and how fast to follow: fields of the layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub limit: f32,
    pub hysteresis: f32,
    pub follow_secs: f32,
}

/// Where the aim is on its way, in the plane of the body.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tracker {
    at: Vec2,
    /// Per second.
    speed: Vec2,
    /// Where the target was last, not limited.
    wanted: Vec2,
    is_started: bool,
    /// How far the last step went, in times of the spring, and what was left then: mostly the same in the next one.
    step: f32,
    left: f32,
}

// What is left of the last step follows from its length.
stateful!(Tracker { at, speed, wanted, is_started });

/// `(1 + x) e^-x = 0.01`: how often a second's worth of following is in the time in which a hundredth is left.
const SETTLED: f32 = 6.638_352;

impl Tracker {
    /// Follows a direction of any length for `dt` seconds, beginning with `gaze`. Where there is no direction, the last one.
    pub fn follow(&mut self, bounds: &Bounds, body: &Body, gaze: Vec3A, wanted: Option<Vec3A>, dt: f32) -> Vec3A {
        if !self.is_started {
            self.at = body.points(gaze).0[0];
            *self = Self { at: self.at, wanted: self.at, is_started: true, ..Self::default() };
        }
        let is_limited = bounds.limit < PI;
        if let Some(wanted) = wanted {
            let ([nearer, farther], angle) = body.points(wanted);
            let keeps_side = is_limited
                && TAU - angle <= PI + bounds.hysteresis.max(0.0)
                && farther.dot(self.wanted) > nearer.dot(self.wanted);
            self.wanted = if keeps_side { farther } else { nearer };
        }
        if !is_limited && other_way(self.at).distance_squared(self.wanted) < self.at.distance_squared(self.wanted) {
            self.go_the_other_way();
        }
        let goal = if is_limited { self.wanted.clamp_length_max(bounds.limit.max(0.0)) } else { self.wanted };
        self.approach(goal, bounds.follow_secs, dt);
        if is_limited {
            self.at = self.at.clamp_length_max(bounds.limit.max(0.0));
        }
        body.direction(self.at)
    }

    /// A spring at the verge of swinging, in closed form: two half steps are one whole step.
    fn approach(&mut self, goal: Vec2, follow_secs: f32, dt: f32) {
        let dt = if dt > 0.0 { dt.min(1e6) } else { 0.0 };
        if !(follow_secs > 0.0) {
            (self.at, self.speed) = (goal, Vec2::ZERO);
            return;
        }
        let rate = SETTLED / follow_secs.max(1e-6);
        if self.step != rate * dt || self.left == 0.0 {
            (self.step, self.left) = (rate * dt, decay(rate * dt));
        }
        let left = self.left;
        let offset = self.at - goal;
        let pull = (self.speed + offset * rate) * dt;
        (self.at, self.speed) = (goal + (offset + pull) * left, (self.speed - pull * rate) * left);
    }

    /// Says the same direction and the same motion by the other point.
    fn go_the_other_way(&mut self) {
        let (from, to) = (self.at, other_way(self.at));
        let along = from.normalize_or_zero();
        let radial = along * self.speed.dot(along);
        let ratio = if from.length() > 1e-9 { -to.length() / from.length() } else { 0.0 };
        self.speed = radial + (self.speed - radial) * ratio;
        self.at = to;
    }
}

/// The other point of the same direction.
fn other_way(point: Vec2) -> Vec2 {
    point - point.normalize_or(Vec2::X) * TAU
}
