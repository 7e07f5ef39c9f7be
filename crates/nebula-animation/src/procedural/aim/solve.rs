//! Turning the joints of a chain until its eye looks at a point.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::super::ModelPose;
use super::super::scratch::slerp;
use super::super::turn::turn_towards;
use super::AimJoint;
use crate::math::lanes::Scalar;
use crate::math::slerp::Warp;
use crate::math::trig::sin_cos;

/// What aims: borrowed from the layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solver<'a> {
    pub chain: &'a [AimJoint],
    /// In the space of the chain's last joint.
    pub eye: Vec3,
    pub eyeballs: &'a [AimJoint],
}

/// Times that the chain is gone through. One is enough unless a joint reaches its limit or a scale differs by axis.
const PASSES: u8 = 4;

/// Sine of the angle at which the eye counts as looking at the target: 0.0006 degrees.
const EXACT: f32 = 1e-5;

impl Solver<'_> {
    /// Where the eye is in model space, and where it looks; none where a scale is zero.
    pub fn gaze(&self, pose: &mut ModelPose<'_>) -> Option<(Vec3, Vec3)> {
        let last = self.chain.last()?;
        let axis = axis(pose, last);
        let model_from_joint = pose.model(last.joint);
        let gaze = model_from_joint.transform_vector3(axis).try_normalize()?;
        Some((model_from_joint.transform_point3(self.eye), gaze))
    }

    /// Turns the chain, then the eyeballs.
    pub fn solve(&self, pose: &mut ModelPose<'_>, target: Vec3) {
        let passes = if self.eyeballs.is_empty() { PASSES } else { 1 };
        let mut error = f32::INFINITY;
        for pass in 0..passes {
            self.pass(pose, target, pass > 0);
            let Some((eye, gaze)) = self.gaze(pose) else { return };
            let before = error;
            error = miss(gaze, target - eye);
            // Where nothing gains any more, all joints that could help are at their limits.
            if error < EXACT || error > 0.9 * before {
                break;
            }
        }
        for eyeball in self.eyeballs {
            let axis = axis(pose, eyeball);
            aim_joint(pose, eyeball, axis, Vec3::ZERO, target);
        }
    }

    /// Each joint takes its share of the turn that is left. Once others have come to their limits, as much as it can.
    fn pass(&self, pose: &mut ModelPose<'_>, target: Vec3, takes_all: bool) {
        let eyeballs = self.eyeballs.iter().map(|eyeball| eyeball.share).fold(0.0, f32::max);
        let mut left = self.chain.iter().map(|joint| joint.share).sum::<f32>() + eyeballs;
        let Some((last, others)) = self.chain.split_last() else { return };
        for joint in others {
            let Some((eye, gaze)) = self.gaze(pose) else { return };
            let Some(wanted) = (target - eye).try_normalize() else { return };
            let turn = turn_towards(gaze, wanted, PI, pose.rest().up());
            let share = if takes_all { turn } else { part(turn, joint.share / left) };
            turn_within(pose, joint, share, None);
            left -= joint.share;
        }
        let axis = axis(pose, last);
        if eyeballs > 0.0 {
            let Some((eye, gaze)) = self.gaze(pose) else { return };
            let Some(wanted) = (target - eye).try_normalize() else { return };
            let turn = turn_towards(gaze, wanted, PI, pose.rest().up());
            turn_within(pose, last, part(turn, last.share / left), None);
        } else {
            aim_joint(pose, last, axis, self.eye, target);
        }
    }
}

/// The front of a joint in its own space.
fn axis(pose: &ModelPose<'_>, joint: &AimJoint) -> Vec3 {
    joint.axis.unwrap_or_else(|| pose.rest().in_joint(joint.joint, pose.front()))
}

/// The sine of the angle between a unit vector and a direction, and more where they are opposite.
fn miss(gaze: Vec3, wanted: Vec3) -> f32 {
    let wanted = wanted.normalize_or_zero();
    let sine = gaze.cross(wanted).length();
    if gaze.dot(wanted) < 0.0 { 2.0 - sine } else { sine }
}

/// A fraction of a rotation.
fn part(turn: Quat, fraction: f32) -> Quat {
    let fraction = fraction.clamp(0.0, 1.0);
    slerp(&Warp::<Scalar>::splat(fraction), Quat::IDENTITY, turn)
}

/// Turns a joint so that its axis, beginning at an eye that turns with it, goes through the target.
fn aim_joint(pose: &mut ModelPose<'_>, joint: &AimJoint, axis: Vec3, eye: Vec3, target: Vec3) {
    let model_from_joint = pose.model(joint.joint);
    let to_target = target - Vec3::from(model_from_joint.translation);
    let (along, beside) = (model_from_joint.transform_vector3(axis), model_from_joint.transform_vector3(eye));
    let length = along.length();
    let gaze = along / length;
    // The point of the line of sight that is as far from the joint as the target: it comes to lie on the target.
    let before = beside.dot(gaze);
    let square = before * before - beside.length_squared() + to_target.length_squared();
    if !(square > 0.0) {
        return;
    }
    let distance = square.sqrt() - before;
    let (lever, wanted) = ((beside + gaze * distance).try_normalize(), to_target.try_normalize());
    let (Some(lever), Some(wanted)) = (lever, wanted) else { return };
    let turn = turn_towards(lever, wanted, PI, pose.rest().up());
    turn_within(pose, joint, turn, Some((eye + axis * (distance / length), wanted)));
}

/// Turns a joint by a rotation in model space as far as its cone lets it; exactly so that a vector in its space points
/// along a direction in model space, if these are given.
fn turn_within(pose: &mut ModelPose<'_>, aim: &AimJoint, turn: Quat, exactly: Option<(Vec3, Vec3)>) {
    let joint = aim.joint;
    match exactly {
        Some((vector, direction)) => pose.turn_and_point(joint, turn, vector, direction),
        None => pose.rotate_in_model(joint, turn),
    }
    if aim.limit >= PI {
        return;
    }
    let axis = axis(pose, aim);
    let rest = pose.rest();
    let at_rest = aim.axis.map_or(pose.front(), |axis| rest.model_from_joint(joint).transform_vector3(axis));
    let at_rest = rest.parent(joint).map_or(at_rest, |above| rest.in_joint(above, at_rest));
    let center = pose.parent_model(joint).transform_vector3(at_rest).try_normalize();
    let after = pose.model(joint).transform_vector3(axis).try_normalize();
    let (Some(center), Some(after)) = (center, after) else { return };
    let cosine = sin_cos(aim.limit.max(0.0)).1;
    if center.dot(after) < cosine {
        // A joint that was outside before may stay as far out.
        let before = turn.conjugate() * after;
        let least = cosine.min(center.dot(before));
        if center.dot(after) >= least {
            return;
        }
        let side = (after - center * center.dot(after)).try_normalize();
        let side = side.unwrap_or_else(|| center.any_orthonormal_vector());
        pose.point(joint, axis, center * least + side * (1.0 - least * least).max(0.0).sqrt());
    }
}
