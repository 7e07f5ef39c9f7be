//! Explains what limbs and chains were to reach, and whether they are long enough.

use glam::Vec3;

use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::procedural::ModelPose;

/// How much nearer than its length a limb reaches and is still straight.
const STRAIGHT: f32 = 1e-4;

/// Tells of joints that were to follow a target which nobody knew.
pub(super) fn lost(joints: &[u16], reasons: &mut Vec<Reason>) {
    let text = "stay as the animation has it: there is no target";
    reasons.extend(joints.iter().map(|&joint| Reason::new(joint, text)));
}

/// Tells of joints, each below the one before it, whose end was to come to a place in the world.
pub(super) fn reasons(pose: &mut ModelPose<'_>, joints: &[u16], target: Vec3, reasons: &mut Vec<Reason>) {
    if !target.is_finite() || joints.iter().any(|&joint| usize::from(joint) >= pose.joint_count()) {
        return;
    }
    let places: Vec<Vec3> = joints.iter().map(|&joint| pose.world_position(joint)).collect();
    let (Some(&start), Some(&end)) = (places.first(), places.last()) else { return };
    let length: f32 = places.windows(2).map(|bone| bone[0].distance(bone[1])).sum();
    let wanted = start.distance(target);
    let missed = end.distance(target);
    let limit = if wanted > length * (1.0 + STRAIGHT) {
        Some(Limit::new(LimitKind::Reach, "length of the limb", length, wanted, LimitUnit::Metres))
    } else if missed > length * 1e-3 {
        Some(Limit::new(LimitKind::Budget, "how far it bends", wanted - missed, wanted, LimitUnit::Metres))
    } else {
        None
    };
    let Vec3 { x, y, z } = target;
    let Some(end) = joints.last().and_then(|&end| pose.rig().joints.get(usize::from(end))) else { return };
    let text = format!("bring {} to ({x:.2}, {y:.2}, {z:.2})", end.name);
    reasons.extend(joints.iter().map(|&joint| Reason::new(joint, text.clone()).limited(limit.clone())));
}
