//! What springs wanted of their joints, and what was in the way.

use super::SpringChain;
use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::procedural::ModelPose;

/// How near to a collider the end of a bone touches it, in metres.
const TOUCHES: f32 = 1e-4;

/// After the chain was turned.
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
