//! The axes in which a gaze is followed: those of the entity, and of its body only where that is turned far away from them.

use std::f32::consts::{PI, TAU};

use glam::{Mat3A, Quat, Vec2, Vec3A};

use super::super::ModelPose;
use super::super::turn::{about, rotated};
use crate::math::trig::{atan2, decay, sin_cos};
use crate::math::unit_quat;

/// Front, left and up in model space: unit vectors at right angles.
///
/// Directions are points of a plane: the front is the origin, the distance from it is the angle from the front, and the direction in
/// the plane is the way to turn. A cone around the front is a disc, so a point that goes straight from one place in it to another stays in
/// the cone, and passes by the front. Straight behind is the whole circle of radius pi: each direction is two points of the
/// plane, `v` and the one at `2 pi - |v|` on the other side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axes {
    front: Vec3A,
    left: Vec3A,
    up: Vec3A,
}

impl Axes {
    /// How the rest pose's front and up lie now, as carried by the joint above `joint`.
    fn of_body(pose: &mut ModelPose<'_>, joint: u16) -> Option<Self> {
        let rig = pose.rig();
        let parent = rig.parent(joint)?;
        let (front, up) = (rig.in_joint(parent, pose.front()), rig.in_joint(parent, rig.up()));
        let above = pose.above(joint);
        let front = above.vector(front.into()).try_normalize()?;
        Some(Self::facing(front, above.vector(up.into())))
    }

    /// Axes whose front is a unit vector, and whose direction upwards is the nearest possible to the one given.
    fn facing(front: Vec3A, up: Vec3A) -> Self {
        let left = up.cross(front).try_normalize().unwrap_or_else(|| front.any_orthonormal_vector());
        Self { front, left, up: front.cross(left) }
    }

    /// The two points of a direction of any length, and how far from the origin the nearer one is: at most pi.
    #[inline]
    pub fn points(&self, direction: Vec3A) -> ([Vec2; 2], f32) {
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
    pub fn direction(&self, point: Vec2) -> Vec3A {
        let angle = point.length();
        if angle < 1e-9 {
            return self.front;
        }
        let (sine, cosine) = sin_cos(angle);
        let side = (self.left * point.x + self.up * point.y) / angle;
        self.front * cosine + side * sine
    }

    /// The point of these axes for the same direction as one of others that are not far away.
    pub fn point_of(&self, others: &Self, point: Vec2) -> Vec2 {
        let ([nearer, farther], _) = self.points(others.direction(point));
        if farther.distance_squared(point) < nearer.distance_squared(point) { farther } else { nearer }
    }

    fn turned(&self, turn: Quat) -> Self {
        let [front, left, up] = [self.front, self.left, self.up].map(|axis| rotated(turn, axis));
        Self { front, left, up }
    }

    fn columns(&self) -> Mat3A {
        Mat3A::from_cols(self.front, self.left, self.up)
    }
}

/// How far a body may turn away from the entity, in radians, before the axes go along with it: more than any gait swings, and so little
/// that what is within the limits of a neck never comes to lie straight behind the body.
const SLACK: f32 = 0.25 * PI;
/// One more than twice its cosine: the sum of the cosines between axes that are so far apart.
const SLACK_TRACE: f32 = 1.0 + std::f32::consts::SQRT_2;
/// How fast axes return to the entity's, in 1/s.
const RETURN_RATE: f32 = 2.0;

/// The axes for a frame, and those of the last one if they were others. `carried` is by how much a body has drawn them away from the model's
/// own, if at all.
pub(super) fn axes(pose: &mut ModelPose<'_>, joint: u16, carried: &mut Option<Quat>, dt: f32) -> (Axes, Option<Axes>) {
    let own = Axes::facing(pose.front().into(), pose.rig().up().into());
    let Some(body) = Axes::of_body(pose, joint) else { return (own, None) };
    let trace = body.front.dot(own.front) + body.left.dot(own.left) + body.up.dot(own.up);
    if carried.is_none() && trace >= SLACK_TRACE {
        return (own, None);
    }
    let before = carried.unwrap_or(Quat::IDENTITY);
    let body = Quat::from_mat3a(&(body.columns() * own.columns().transpose()));
    let (axis, angle) = axis_and_angle(before);
    let left = angle * decay(RETURN_RATE * dt.max(0.0));
    *carried = (left > 1e-4).then(|| about(axis.into(), left));
    let now = carried.unwrap_or(Quat::IDENTITY);
    let (axis, away) = axis_and_angle(body * now.conjugate());
    if away > SLACK {
        *carried = unit_quat(about(axis.into(), away - SLACK) * now);
    }
    (own.turned(carried.unwrap_or(Quat::IDENTITY)), Some(own.turned(before)))
}

/// The axis of a rotation, at unit length, and the angle in `[0, pi]`.
fn axis_and_angle(turn: Quat) -> (Vec3A, f32) {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = Vec3A::new(turn.x, turn.y, turn.z);
    let length = axis.length();
    (axis.try_normalize().unwrap_or(Vec3A::Y), 2.0 * atan2(length, turn.w))
}
