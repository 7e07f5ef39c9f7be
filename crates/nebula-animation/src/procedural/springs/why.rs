//! Explains what springs wanted of their joints, and what limited it.

use super::SpringChain;
use super::joints::{ends, pushed};
use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::procedural::ModelPose;
use crate::rig::avatar::{JointColliderShape, SpringJoint, SpringJointChain};

/// How near to a collider the end of a bone touches it, in metres.
const TOUCHES: f32 = 1e-4;

/// Called after the chain was rotated.
pub(super) fn reasons(chain: &SpringChain, pose: &ModelPose<'_>, reasons: &mut Vec<Reason>) {
    let mut settled = chain.shown.clone();
    chain.guide.settle(&mut settled);
    let settings = chain.settings.checked();
    for ((&joint, point), rest) in chain.joints().iter().zip(&chain.shown).zip(&settled) {
        let text = format!(
            "swing (stiffness {}, damping {}): its end is {:.1} mm from where the animation has it, at {:.2} m/s",
            settings.stiffness,
            settings.damping,
            1000.0 * point.place.distance(rest.place),
            point.velocity.length()
        );
        let mut reason = Reason::new(joint, text);
        // Those whose joint does not exist are in neither list.
        let carriers = chain.colliders.iter().filter(|collider| usize::from(collider.joint) < pose.joint_count());
        for (collider, capsule) in carriers.zip(&chain.guide.capsules) {
            if capsule.push_out(point.place, settings.radius + TOUCHES).is_some() {
                let name = &pose.rig().joints[usize::from(collider.joint)].name;
                let apart = capsule.radius + settings.radius;
                let limit = Limit::new(LimitKind::Collider, format!("at {name}"), apart, apart, LimitUnit::Metres);
                reason = reason.limited(limit);
            }
        }
        reasons.push(reason);
    }
}

/// The same for joints with individual settings.
pub(super) fn joint_reasons(chain: &SpringJointChain, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
    for bone in &chain.bones {
        let SpringJoint { stiffness, drag, gravity_power, .. } = bone;
        let text = format!("swing (VRM: stiffness {stiffness}, drag {drag}, gravity {gravity_power})");
        let mut reason = Reason::new(bone.joint, text);
        let tail = (*pose.world_from_model() * pose.model(bone.joint)).transform_point3(bone.tail);
        for collider in &chain.colliders {
            let Some(name) = pose.rig().joints.get(usize::from(collider.joint)).map(|joint| joint.name.clone()) else {
                continue;
            };
            let own = bone.radius.max(0.0);
            if pushed(&collider.shape, ends(collider, pose), own + TOUCHES, tail).is_some() {
                let (kind, apart) = match collider.shape {
                    JointColliderShape::Capsule { radius, is_inside: false, .. } => ("at", radius + own),
                    JointColliderShape::Capsule { radius, .. } => ("inside of that at", radius - own),
                    JointColliderShape::Plane { .. } => ("a plane at", own),
                };
                let limit = Limit::new(LimitKind::Collider, format!("{kind} {name}"), apart, apart, LimitUnit::Metres);
                reason = reason.limited(limit);
            }
        }
        reasons.push(reason);
    }
}
