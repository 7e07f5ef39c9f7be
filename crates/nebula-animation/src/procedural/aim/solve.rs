//! Rotates the joints of a chain until its eye looks at a point.

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec3A};

use super::super::ModelPose;
use super::super::placed::Placed;
use super::super::turn::{arc_between, rotated, turn_to};
use super::AimJoint;
use crate::math::clean_weight;
use crate::math::lanes::{Lanes, Scalar};
use crate::math::slerp::Warp;
use crate::math::trig::sin_cos;

/// Values derived from the limit and the share of a joint, recomputed only when they may have changed.
#[derive(Debug, Clone, Copy)]
pub(in crate::procedural) struct Cone {
    /// Of the limit; not a number as long as it is not known.
    pub cosine: f32,
    /// For its part of the rotation that the joints before it have left.
    pub warp: Warp<Scalar>,
}

impl Default for Cone {
    fn default() -> Self {
        Self { cosine: f32::NAN, warp: Warp::splat(1.0) }
    }
}

/// What is kept says nothing about a layer.
impl PartialEq for Cone {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Cone {
    /// Those of a chain and its eyeballs.
    pub fn of_all(chain: &[AimJoint], eyeballs: &[AimJoint]) -> Arc<[Self]> {
        let mut cones = vec![Self::default(); chain.len() + eyeballs.len()];
        Self::make_all(&mut cones, chain, eyeballs);
        cones.into()
    }

    /// Says that limits and shares may have changed.
    pub fn forget_all(cones: &mut Arc<[Self]>) {
        if let Some(first) = Arc::make_mut(cones).first_mut() {
            *first = Self::default();
        }
    }

    /// Brings the cones of a chain and its eyeballs up to date.
    #[inline]
    pub fn update_all(cones: &mut Arc<[Self]>, chain: &[AimJoint], eyeballs: &[AimJoint]) {
        if cones.first().is_some_and(|first| first.cosine.is_nan()) {
            Self::make_all(Arc::make_mut(cones), chain, eyeballs);
        }
    }

    /// The joint's part of a rotation.
    #[inline]
    fn part_of(&self, turn: Quat) -> Quat {
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let [none, all] = self.warp.factors(Scalar::splat(turn.w)).map(Scalar::get);
        let part = Vec3A::from_vec4(turn.into()) * all;
        Quat::from_vec4(part.extend(none + turn.w * all))
    }

    fn make_all(cones: &mut [Self], chain: &[AimJoint], eyeballs: &[AimJoint]) {
        let mut left = chain.iter().map(|joint| joint.share).sum::<f32>();
        for (cone, &AimJoint { limit, share, .. }) in cones.iter_mut().zip(chain.iter().chain(eyeballs)) {
            let warp = Warp::splat(clean_weight(share / left));
            *cone = Self { cosine: sin_cos(limit.max(0.0)).1, warp };
            left -= share;
        }
    }
}

/// What aims: borrowed from the layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solver<'a> {
    pub chain: &'a [AimJoint],
    /// In the space of the chain's last joint.
    pub eye: Vec3A,
    pub eyeballs: &'a [AimJoint],
    /// Of the chain, then of the eyeballs.
    pub cones: &'a [Cone],
}

/// Times that the chain is gone through. One is enough unless a joint reaches its limit or a scale differs by axis.
const PASSES: u8 = 4;

/// Sine of the angle at which the eye counts as looking at the target: 0.0006 degrees.
const EXACT: f32 = 1e-5;

impl Solver<'_> {
    /// The eye's position in model space, and the direction in which it looks, of any length; `None` if a scale is
    /// zero.
    pub fn gaze(&self, pose: &mut ModelPose<'_>) -> Option<(Vec3A, Vec3A)> {
        let last = self.chain.last()?;
        let axis = axis(pose, last);
        let placed = pose.placed(last.joint);
        let gaze = placed.vector(axis);
        let is_somewhere = gaze.is_finite() && gaze.length_squared() > 0.0;
        is_somewhere.then(|| (placed.point(self.eye), gaze))
    }

    /// The chain's fraction of the rotation from the front to the target; the rest is left for eyeballs.
    pub fn part_of_chain(&self) -> f32 {
        let left = self.eyeballs.iter().map(|eyeball| eyeball.share).fold(0.0, f32::max);
        if left > 0.0 {
            let chain = self.chain.iter().map(|joint| joint.share).sum::<f32>();
            return clean_weight(chain / (chain + left));
        }
        1.0
    }

    /// Turns the chain to one point, then the eyeballs to another. `gaze` is where the eye is and looks before that.
    pub fn solve(&self, pose: &mut ModelPose<'_>, gaze: (Vec3A, Vec3A), of_face: Vec3A, of_eyes: Vec3A) {
        self.solve_chain(pose, gaze, of_face);
        let (_, cones) = self.cones.split_at(self.chain.len().min(self.cones.len()));
        for (eyeball, cone) in self.eyeballs.iter().zip(cones) {
            aim_eyeball(pose, eyeball, cone, of_eyes);
        }
    }

    /// Turns the chain until it looks at the target, or nothing is gained any more.
    fn solve_chain(&self, pose: &mut ModelPose<'_>, gaze: (Vec3A, Vec3A), target: Vec3A) {
        let (mut gaze, mut error) = (gaze, f32::INFINITY);
        for pass in 0..PASSES {
            if self.pass(pose, gaze, target, pass > 0) {
                return;
            }
            let Some((eye, way)) = self.gaze(pose) else { return };
            gaze = (eye, way);
            let before = error;
            error = miss(way, target - eye);
            // Where nothing gains any more, all joints that could help are at their limits.
            if error < EXACT || error > 0.9 * before {
                return;
            }
        }
    }

    /// Each joint takes its share of the remaining rotation or, once others have reached their limits, as much as it
    /// can. Returns whether the eye now certainly looks at the target.
    fn pass(&self, pose: &mut ModelPose<'_>, gaze: (Vec3A, Vec3A), target: Vec3A, takes_all: bool) -> bool {
        let last = self.chain.len().saturating_sub(1);
        // As long as it follows from the joint before where the eye is and looks.
        let (mut carried, mut is_carried) = (gaze, true);
        for (index, (joint, cone)) in self.chain.iter().zip(self.cones).enumerate() {
            if index == last {
                return aim_joint(pose, joint, cone, self.eye, target);
            }
            if !is_carried {
                let Some(gaze) = self.gaze(pose) else { return false };
                carried = gaze;
            }
            let (eye, gaze) = carried;
            let Some(turn) = turn_to(gaze, target - eye, pose.rig().up()) else { return false };
            let share = if takes_all { turn } else { cone.part_of(turn) };
            let local = pose.local(joint.joint);
            let (translation, before, scale) = local;
            let above = pose.above(joint.joint);
            let (is_even, pivot) = (above.is_even(), above.point(translation.into()));
            let Some(turn) = above.turn_from_model(share) else { continue };
            let after = turn * before;
            let back = way_back(pose, joint, cone, is_even, scale, before, after);
            pose.set_turned(joint.joint, local, back.map_or(after, |back| back * after), pivot);
            // All that is below a joint turns with it.
            is_carried = is_even && back.is_none();
            carried = (pivot + rotated(share, eye - pivot), rotated(share, gaze));
        }
        false
    }
}

/// The front of a joint in its own space.
#[inline]
fn axis(pose: &ModelPose<'_>, joint: &AimJoint) -> Vec3A {
    match (joint.axis, pose.rig().fronts(joint.joint)) {
        (None, Some([front, _])) => front,
        _ => given_axis(pose, joint),
    }
}

/// The same for a joint with its own front, or the entity's.
fn given_axis(pose: &ModelPose<'_>, joint: &AimJoint) -> Vec3A {
    joint.axis.unwrap_or_else(|| pose.rig().in_joint(joint.joint, pose.front())).into()
}

/// The front of a joint in its own space, and in the parent's as the rest pose has it.
#[inline]
pub(super) fn axes(pose: &ModelPose<'_>, joint: &AimJoint) -> [Vec3A; 2] {
    match (joint.axis, pose.rig().fronts(joint.joint)) {
        (None, Some(fronts)) => fronts,
        _ => given_axes(pose, joint),
    }
}

fn given_axes(pose: &ModelPose<'_>, aim: &AimJoint) -> [Vec3A; 2] {
    let (joint, rig) = (aim.joint, pose.rig());
    let at_rest = aim.axis.map_or(pose.front(), |axis| rig.model_from_joint(joint).transform_vector3(axis));
    let at_rest = rig.parent(joint).map_or(at_rest, |above| rig.in_joint(above, at_rest));
    [given_axis(pose, aim), Vec3A::from(at_rest).normalize_or_zero()]
}

/// The sine of the angle between two directions, and more where they are opposite.
fn miss(gaze: Vec3A, wanted: Vec3A) -> f32 {
    let (gaze, wanted) = (gaze.normalize_or_zero(), wanted.normalize_or_zero());
    let sine = gaze.cross(wanted).length();
    if gaze.dot(wanted) < 0.0 { 2.0 - sine } else { sine }
}

/// Rotates a joint so that its axis, starting at an eye that rotates with it, passes through the target. Returns
/// whether it certainly does.
fn aim_joint(pose: &mut ModelPose<'_>, joint: &AimJoint, cone: &Cone, eye: Vec3A, target: Vec3A) -> bool {
    let axis = axis(pose, joint);
    let placed = pose.placed(joint.joint);
    let (is_even, even) = (placed.is_even(), placed.even());
    let to_target = target - placed.origin();
    let (along, beside) = (placed.vector(axis), placed.vector(eye));
    let length = along.length();
    let gaze = along / length;
    // The point of the line of sight that is as far from the joint as the target: it comes to lie on the target.
    let ahead = beside.dot(gaze);
    let to_target_squared = to_target.length_squared();
    let square = ahead * ahead - beside.length_squared() + to_target_squared;
    if !(square > 0.0) {
        return false;
    }
    let distance = square.sqrt() - ahead;
    let sight = beside + gaze * distance;
    // Far from opposite, the shortest way is the only one.
    if is_even && sight.dot(to_target) > -0.5 * to_target_squared {
        let Some(turn) = arc_between(sight, to_target) else { return false };
        let local = pose.local(joint.joint);
        let rotation = turn * even.rotation;
        let after = pose.above(joint.joint).rotation().conjugate() * rotation;
        let back = way_back(pose, joint, cone, true, local.2, local.1, after);
        match back {
            Some(back) => pose.set_turned(joint.joint, local, back * after, even.translation),
            None => pose.set_placed(joint.joint, rotation, even.translation, even.scale),
        }
        return back.is_none();
    }
    if let Some(turn) = turn_to(sight, to_target, pose.rig().up()) {
        turn_and_hold(pose, joint, cone, turn, eye + axis * (distance / length), to_target);
    }
    false
}

/// Turns a joint so that its axis, beginning at the joint, goes through the target.
fn aim_eyeball(pose: &mut ModelPose<'_>, joint: &AimJoint, cone: &Cone, target: Vec3A) {
    let axis = axis(pose, joint);
    let (translation, before, scale) = pose.local(joint.joint);
    let above = pose.above(joint.joint);
    let (is_even, to_target) = (above.is_even(), target - above.point(translation.into()));
    let (current, wanted) = (rotated(before, Vec3A::from(scale) * axis), above.way_from_model(to_target));
    let lengths = (current.length_squared() * wanted.length_squared()).sqrt();
    if current.dot(wanted) > -0.99 * lengths {
        let Some(turn) = arc_between(current, wanted) else { return };
        let after = turn * before;
        let back = way_back(pose, joint, cone, is_even, scale, before, after);
        return pose.set_local_rotation(joint.joint, back.map_or(after, |back| back * after));
    }
    // Nearly opposite, or without direction.
    let gaze = above.vector(current);
    let Some(turn) = turn_to(gaze, to_target, pose.rig().up()) else { return };
    turn_and_hold(pose, joint, cone, turn, axis, to_target);
}

/// Rotates a joint by a rotation in model space, exactly so that a vector in its space points along a direction in
/// model space, as far as its cone allows.
fn turn_and_hold(pose: &mut ModelPose<'_>, joint: &AimJoint, cone: &Cone, turn: Quat, vector: Vec3A, direction: Vec3A) {
    let (_, before, _) = pose.local(joint.joint);
    pose.turn_and_point(joint.joint, turn, vector, direction);
    let (_, after, scale) = pose.local(joint.joint);
    let is_even = pose.above(joint.joint).is_even();
    if let Some(back) = way_back(pose, joint, cone, is_even, scale, before, after) {
        pose.turn(joint.joint, back);
    }
}

/// The rotation in the parent's space that brings a joint back into its cone: to the edge, or to where it was.
#[inline]
fn way_back(
    pose: &mut ModelPose<'_>,
    aim: &AimJoint,
    cone: &Cone,
    is_parent_even: bool,
    scale: Vec3,
    before: Quat,
    after: Quat,
) -> Option<Quat> {
    if aim.limit >= PI {
        return None;
    }
    let [axis, center] = axes(pose, aim);
    let axis = Vec3A::from(scale) * axis;
    let way = rotated(after, axis);
    // Angles in the parent's space are those in model space, unless a scale differs by axis. The cosine is that of unit vectors. The
    // axis is as long as it is when turned, and known earlier.
    let is_inside = is_parent_even && center.dot(way) >= cone.cosine * axis.length();
    if is_inside { None } else { way_to_edge(pose.above(aim.joint), cone, center, rotated(before, axis), way) }
}

/// The directions are in the parent's space: the middle of the cone, and those before and after the joint was rotated.
#[inline(never)]
fn way_to_edge(above: &Placed, cone: &Cone, center: Vec3A, before: Vec3A, after: Vec3A) -> Option<Quat> {
    let center = above.vector(center).try_normalize()?;
    let was = above.vector(before).try_normalize()?;
    let is = above.vector(after).try_normalize()?;
    // A joint that was outside before may stay as far out.
    let least = cone.cosine.min(center.dot(was));
    if center.dot(is) >= least {
        return None;
    }
    let side = (is - center * center.dot(is)).try_normalize();
    let side = side.unwrap_or_else(|| center.any_orthonormal_vector());
    let edge = center * least + side * (1.0 - least * least).max(0.0).sqrt();
    arc_between(after, above.way_from_model(edge))
}
