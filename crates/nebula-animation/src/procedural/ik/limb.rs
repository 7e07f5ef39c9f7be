use glam::{Quat, Vec3, Vec3A};

use super::two_bone::{Bones, TwoBoneLimits};
use super::why;
use crate::explain::Reason;
use crate::frame::TargetId;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::rig::{Limb, Rig};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer that moves the end of an arm or a leg to a position in the world.
///
/// The joints need not be direct parents of each other: twist joints may lie between them. The limb takes the smallest
/// rotation that keeps its own plane, unless a pole tells where the middle joint points.
///
/// A target that is not finite, or a joint that does not exist, is logged once, and the limb stays as it is.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{ProceduralAnimationStack, Rig, Skeleton, procedural::ik::TwoBoneIk};
///
/// let skeleton = Skeleton::default(); // A character of yours.
/// let rig = Rig::new(skeleton);
/// let [shoulder, elbow, wrist] = [8, 9, 10];
/// let mut stack = ProceduralAnimationStack::default();
/// stack.push(TwoBoneIk::new(&rig, [shoulder, elbow, wrist], Vec3::new(0.3, 1.1, 0.4)));
/// ```
#[derive(Debug, Clone)]
pub struct TwoBoneIk {
    /// Where the limb begins, bends and ends: for instance thigh, shin and foot. Each is a descendant of the previous
    /// one.
    pub joints: [u16; 3],
    /// The target of the limb's end, in world space.
    pub target: Vec3,
    /// A target to resolve through the [`Surroundings`](crate::Surroundings); default `None`. While its position is
    /// unknown, the limb is left as it is in the animation.
    pub follows: Option<TargetId>,
    /// A position in world space that the middle joint points towards; `None` (the default) keeps the plane of the
    /// pose.
    pub pole: Option<Vec3>,
    /// The rotation of the end joint in world space; `None` (the default) keeps it as it is relative to the lower bone.
    pub end_rotation: Option<Quat>,
    /// The axis of the hinge in the middle joint's own space: a positive rotation about it bends the limb.
    pub hinge: Vec3,
    /// Limits of the bend, and how the limb eases into full reach.
    pub limits: TwoBoneLimits,
    /// Blend weight, from 0 to 1.
    pub weight: f32,
    has_warned: bool,
}

impl TwoBoneIk {
    /// A layer of full weight that moves the end of a limb to a target in world space.
    ///
    /// The hinge is that of the rest pose. If the limb is straight there, one that points down is a leg, whose knee
    /// points forward; any other is an arm, whose elbow points back.
    #[must_use]
    pub fn new(rig: &Rig, joints: [u16; 3], target: Vec3) -> Self {
        Self {
            joints,
            target,
            follows: None,
            pole: None,
            end_rotation: None,
            hinge: Limb::of(rig, joints).hinge.into(),
            limits: TwoBoneLimits::default(),
            weight: 1.0,
            has_warned: false,
        }
    }

    /// Whether it can be applied side by side with others.
    pub(in crate::procedural) fn is_usual(&self, pose: &ModelPose<'_>) -> bool {
        let joint_count = pose.rig().joint_count();
        let is_there = |joint: &u16| usize::from(*joint) < joint_count;
        let limits = [self.limits.min_bend, self.limits.max_bend, self.limits.softness];
        pose.joint_count() == joint_count
            && self.joints.iter().all(is_there)
            && self.end_rotation.is_none()
            && self.pole.is_none_or(Vec3::is_finite)
            && limits.iter().all(|number| number.is_finite())
    }

    /// Whether it is made for the same joints as another one.
    pub(in crate::procedural) fn is_shaped_like(&self, other: &Self) -> bool {
        self.joints == other.joints && self.pole.is_some() == other.pole.is_some()
    }

    /// Where the end shall be in model space, and none where nobody knows. `None` where a number is not finite.
    pub(in crate::procedural) fn goal(&mut self, pose: &ModelPose<'_>) -> Option<Option<Vec3A>> {
        if let Some(id) = self.follows {
            let position = pose.surroundings().targets.and_then(|targets| targets.position(id));
            let Some(position) = position else { return Some(None) };
            self.target = position;
        }
        let is_finite = self.target.is_finite() && self.hinge.is_finite();
        is_finite.then(|| Some(pose.model_from_world().transform_point3a(self.target.into())))
    }

    fn warn(&mut self, what: &str) {
        if !self.has_warned {
            self.has_warned = true;
            let [upper, middle, end] = self.joints;
            log::warn!("two-bone layer on joints {upper}, {middle}, {end}: {what}, the limb stays as it is");
        }
    }
}

impl ProceduralLayer for TwoBoneIk {
    stateful!(given { joints, target, follows, pole, end_rotation, hinge, limits, weight } kept {});

    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joints[0]
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        if self.joints.iter().any(|&joint| usize::from(joint) >= pose.joint_count()) {
            return self.warn("there are fewer joints");
        }
        let target = match self.goal(pose) {
            Some(Some(target)) => target,
            Some(None) => return,
            None => return self.warn("the target is not finite"),
        };
        let start = pose.origin(self.joints[0]);
        let pole = self.pole.filter(|pole| pole.is_finite());
        let pole = pole.map(|pole| pose.model_from_world().transform_point3a(pole.into()) - start);
        let limb = Limb { joints: self.joints, hinge: self.hinge.into() };
        if bend_limb(pose, &limb, target, pole, &self.limits).is_none() {
            return self.warn("a bone has no length");
        }
        if let Some(rotation) = self.end_rotation.filter(|rotation| rotation.is_finite()) {
            let (_, model_from_world, _) = pose.model_from_world().to_scale_rotation_translation();
            pose.set_rotation(self.joints[2], model_from_world * rotation);
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let is_known = |id| pose.surroundings().targets.is_some_and(|targets| targets.position(id).is_some());
        match self.follows.is_none_or(is_known) {
            true => why::reasons(pose, &self.joints, self.target, reasons),
            false => why::lost(&self.joints, reasons),
        }
    }
}

/// Bends a limb towards a target in model space. Returns the new position of its end; `None` if it cannot be bent, in
/// which case it is unchanged.
pub(crate) fn bend_limb(
    pose: &mut ModelPose<'_>,
    limb: &Limb,
    target: Vec3A,
    pole: Option<Vec3A>,
    limits: &TwoBoneLimits,
) -> Option<Vec3A> {
    /// How near the end has to be to where the solution is, as a part of the limb's length.
    const CLOSE: f32 = 2e-5;
    /// One round is exact, and not checked. With non-uniform scales, bones change their length as they rotate, and a
    /// few more rounds help.
    const MOST: usize = 6;
    let [start_joint, middle_joint, end_joint] = limb.joints;
    let mut reached = None;
    for _ in 0..MOST {
        let middle = pose.placed(middle_joint);
        let (is_even, lower, hinge) = (middle.is_even(), middle.even(), middle.vector(limb.hinge));
        let end = pose.origin(end_joint);
        let upper = pose.placed(start_joint).even();
        let bones = Bones { start: upper.translation, middle: lower.translation, end, hinge };
        let Some(solution) = bones.solve(target, pole, limits) else { break };
        reached = Some(solution.end);
        if is_even {
            // What is below a joint turns with it, exactly.
            pose.set_placed(start_joint, solution.upper_turn * upper.rotation, upper.translation, upper.scale);
            pose.set_placed(middle_joint, solution.lower_turn * lower.rotation, solution.middle, lower.scale);
            break;
        }
        pose.rotate_in_model(start_joint, solution.upper_turn);
        pose.rotate_in_model(middle_joint, solution.lower_turn * solution.upper_turn.conjugate());
        let most = CLOSE * solution.length;
        // An end beside the limb stays where it is, however often the limb is bent.
        let is_beside = !pose.rig().is_below(end_joint, middle_joint);
        if is_beside || pose.origin(end_joint).distance_squared(solution.end) <= most * most {
            break;
        }
    }
    reached
}
