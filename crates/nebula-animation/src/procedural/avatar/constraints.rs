use glam::{Quat, Vec3};

use crate::explain::Reason;
use crate::math::lanes::{Lanes, Scalar};
use crate::math::slerp::Warp;
use crate::procedural::turn::arc;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::rig::avatar::{ConstraintKind, JointConstraint};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer of joints that follow other joints: twist joints of arms, helmets that rotate with a head, eyes on stalks.
///
/// It implements `VRMC_node_constraint` 1.0. A joint that depends on another one of the list comes after it.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::procedural::avatar::JointConstraints;
/// use nebula_animation::rig::avatar::{ConstraintKind, JointConstraint};
///
/// let twist = JointConstraint { joint: 5, source: 6, weight: 0.5, kind: ConstraintKind::Roll(Vec3::X) };
/// let layer = JointConstraints::new(vec![twist]);
/// assert_eq!(layer.weight, 1.0);
/// ```
#[derive(Debug, Clone)]
pub struct JointConstraints {
    /// Blend weight, from 0 to 1.
    pub weight: f32,
    constraints: Vec<JointConstraint>,
}

impl JointConstraints {
    /// A layer of full weight.
    #[must_use]
    pub fn new(constraints: Vec<JointConstraint>) -> Self {
        Self { weight: 1.0, constraints }
    }
}

impl ProceduralLayer for JointConstraints {
    stateful!(given { weight } kept {});

    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.constraints.first().map_or(0, |constraint| constraint.joint)
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        for constraint in &self.constraints {
            let [joint, source] = [constraint.joint, constraint.source];
            if [joint, source].iter().any(|joint| usize::from(*joint) >= pose.joint_count()) {
                return pose.reject();
            }
            let rest = |pose: &ModelPose<'_>, joint: u16| pose.rig().joints[usize::from(joint)].bind_rotation;
            let (own, others) = (rest(pose, joint), rest(pose, source));
            let wanted = match constraint.kind {
                ConstraintKind::Rotation => own * (others.conjugate() * pose.local(source).1),
                ConstraintKind::Roll(axis) => {
                    // How the source has turned, seen in the axes of the joint.
                    let in_parent = pose.local(source).1 * others.conjugate();
                    let in_own = own.conjugate() * in_parent * own;
                    let swing = arc(axis, in_own * axis);
                    own * (swing.conjugate() * in_own)
                }
                ConstraintKind::Aim(axis) => {
                    let (from, to) = (pose.position(joint), pose.position(source));
                    let Some(to) = (to - from).try_normalize() else { continue };
                    let above = pose.above(joint).rotation();
                    let now = above * own * axis;
                    above.conjugate() * arc(now, to) * above * own
                }
            };
            let warp = Warp::<Scalar>::splat(constraint.weight.clamp(0.0, 1.0));
            let [from, to] = [own, wanted].map(|turn| turn.to_array().map(Scalar::splat));
            let turned = Quat::from_array(warp.slerp_shorter(from, to).map(Scalar::get));
            let (translation, _, scale) = pose.local(joint);
            pose.set_local(joint, (translation, turned, scale));
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        for JointConstraint { joint, source, weight, kind } in &self.constraints {
            let what = match kind {
                ConstraintKind::Rotation => "turn as",
                ConstraintKind::Roll(_) => "roll along with",
                ConstraintKind::Aim(_) => "point at",
            };
            let name = pose.rig().joints.get(usize::from(*source)).map_or("", |source| source.name.as_str());
            reasons.push(Reason::new(*joint, format!("{what} {name}, weight {weight:.2}")));
        }
    }
}
