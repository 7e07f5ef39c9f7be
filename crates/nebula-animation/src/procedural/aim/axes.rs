//! The reference axes of a gaze: those of the entity, or of its body if that faces far away from them.

use std::f32::consts::{PI, TAU};

use glam::{Mat3A, Quat, Vec2, Vec3A};

use super::super::ModelPose;
use super::super::turn::rotated;
use crate::math::trig::{atan2, decay, sin_cos};

/// Front, left and up in model space: unit vectors at right angles.
///
/// Directions are points of a plane: the front is the origin, the distance from it is the angle from the front, and the
/// direction in the plane is the direction of rotation. A cone around the front is a disc, so a point that moves
/// straight from one place in it to another stays in the cone, and passes by the front. Straight behind is the whole
/// circle of radius pi: each direction is two points of the plane, `v` and the one at `2 pi - |v|` on the other side.
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

    /// Those of the entity.
    pub fn own(pose: &ModelPose<'_>) -> Self {
        Self::facing(pose.front().into(), pose.rig().up().into())
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

    /// Front, left and up.
    pub fn directions(&self) -> [Vec3A; 3] {
        [self.front, self.left, self.up]
    }

    fn columns(&self) -> Mat3A {
        Mat3A::from_cols(self.front, self.left, self.up)
    }
}

/// Cosine and sine of half the angle by which a body may face away from the entity before the axes follow it. The angle
/// is 45 degrees: more than any gait swings, and so little that a direction within the limits of a neck is never
/// straight behind the body.
const SLACK: (f32, f32) = (0.923_879_5, 0.382_683_43);
/// How fast axes return to the entity's, in 1/s.
const RETURN_RATE: f32 = 2.0;
/// The tangent of a quarter of the angle at which they have returned.
const RETURNED: f32 = 2.5e-5;

/// The axes for a frame, and those of the last one if they were others. `carried` is by how much a body has drawn them away from the model's
/// own, if at all.
///
/// `body` is the rotation of the body relative to its rest pose, if there is one.
pub(super) fn axes(own: Axes, body: Option<Quat>, carried: &mut Option<Quat>, dt: f32) -> (Axes, Option<Axes>) {
    match carry(body, carried, || left_of_way(dt)) {
        Some([before, now]) => (own.turned(now), Some(own.turned(before))),
        None => (own, None),
    }
}

/// The fraction of the remaining rotation that is left after a frame.
pub(in crate::procedural) fn left_of_way(dt: f32) -> f32 {
    decay(RETURN_RATE * dt.max(0.0))
}

/// The rotation of the axes relative to the model's own, in the last frame and now; `None` if there is none. `left` is
/// the fraction of the way back that a frame leaves.
#[inline]
pub(super) fn carry(body: Option<Quat>, carried: &mut Option<Quat>, left: impl FnOnce() -> f32) -> Option<[Quat; 2]> {
    let body = body?;
    if carried.is_none() && body.w.abs() >= SLACK.0 {
        return None;
    }
    let before = carried.unwrap_or(Quat::IDENTITY);
    *carried = returned(before, left());
    let now = carried.unwrap_or(Quat::IDENTITY);
    if let Some(drawn) = beyond_slack(body * now.conjugate()) {
        let turn = drawn * now;
        let length_squared = turn.length_squared();
        *carried = (0.5..2.0).contains(&length_squared).then(|| turn * length_squared.sqrt().recip());
    }
    Some([before, carried.unwrap_or(Quat::IDENTITY)])
}

/// The rotation of the body above a joint relative to the rest pose, in model space.
#[inline]
pub(super) fn turn_of_body(pose: &mut ModelPose<'_>, joint: u16) -> Option<Quat> {
    let at_rest = pose.rig().parent(joint).and_then(|parent| pose.rig().turn_at_rest(parent));
    let above = pose.above(joint);
    match at_rest {
        Some(at_rest) if above.is_even() => Some(above.rotation() * at_rest.conjugate()),
        _ => {
            let (own, body) = (Axes::own(pose), Axes::of_body(pose, joint)?);
            Some(Quat::from_mat3a(&(body.columns() * own.columns().transpose())))
        }
    }
}

/// The remainder of a rotation. The tangent of a quarter of the angle decays, whatever the steps, and with it the
/// angle.
#[inline]
fn returned(turn: Quat, left: f32) -> Option<Quat> {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let tangent = Vec3A::from_vec4(turn.into()) * (left / (1.0 + turn.w));
    let squared = tangent.length_squared();
    let factor = 1.0 / (1.0 + squared);
    (squared > RETURNED * RETURNED)
        .then(|| Quat::from_vec4((tangent * (2.0 * factor)).extend((1.0 - squared) * factor)))
}

/// The part of a rotation that exceeds what a body may rotate by itself, about the same axis.
#[inline]
fn beyond_slack(turn: Quat) -> Option<Quat> {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    // Nor where a number is not one.
    if !(turn.w < SLACK.0) {
        return None;
    }
    let (cosine, sine) = SLACK;
    let axis = Vec3A::from_vec4(turn.into());
    let length = axis.length();
    let left = (length * cosine - turn.w * sine) / length;
    Some(Quat::from_vec4((axis * left).extend(turn.w * cosine + length * sine)))
}
