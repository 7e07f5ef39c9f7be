//! Explains what an aim wanted of its joints, and what limited it.

use std::f32::consts::PI;

use glam::{Vec3, Vec3A};

use super::solve::{Solver, axes};
use super::{AimJoint, AimLayer};
use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::procedural::ModelPose;
use crate::procedural::turn::rotated;

/// Degrees within which a direction is on the edge of its cone, and a gaze on its target.
const NEAR: f32 = 0.05;

impl AimLayer {
    /// Called after the chain was rotated.
    pub(super) fn reasons(&self, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let eye = Vec3A::from(self.eye);
        let solver = Solver { chain: &self.chain, eye, eyeballs: &self.eyeballs, cones: &self.cones };
        let Some((eye, gaze)) = solver.gaze(pose) else { return };
        let to_target = pose.model_from_world().transform_point3a(self.target.into()) - eye;
        let is_lost = self
            .follows
            .is_some_and(|id| pose.surroundings().targets.and_then(|targets| targets.position(id)).is_none());
        let Vec3 { x, y, z } = self.target;
        let wanted = match is_lost {
            true => "look where the animation does: there is no target".to_owned(),
            false => format!("look at ({x:.2}, {y:.2}, {z:.2})"),
        };
        let miss = if is_lost { 0.0 } else { degrees_between(gaze, to_target) };
        let off_front = degrees_between(Vec3A::from(pose.front()), to_target);
        let limit = self.limit.to_degrees();
        let of_all = (!is_lost && self.limit < PI && off_front > limit)
            .then(|| Limit::new(LimitKind::Cone, "limit of the aim", limit, off_front, LimitUnit::Degrees));
        let mut is_held = of_all.is_some();
        let first = reasons.len();
        for joint in self.chain.iter().chain(&*self.eyeballs) {
            let limit = cone(pose, joint, miss);
            is_held |= limit.is_some();
            reasons.push(Reason::new(joint.joint, wanted.clone()).limited(limit).limited(of_all.clone()));
        }
        if !is_held && miss > 20.0 * NEAR && self.eyeballs.is_empty() {
            // Nothing holds it but time.
            let speed = Limit::new(LimitKind::Speed, "follow_secs, max_speed", 0.0, miss, LimitUnit::Degrees);
            reasons[first..].iter_mut().for_each(|reason| reason.limits.push(speed.clone()));
        }
    }
}

/// The cone of a joint, where its front is at the edge.
fn cone(pose: &mut ModelPose<'_>, joint: &AimJoint, miss: f32) -> Option<Limit> {
    if joint.limit >= PI {
        return None;
    }
    let [axis, center] = axes(pose, joint);
    let (_, rotation, scale) = pose.local(joint.joint);
    let above = pose.above(joint.joint);
    let way = above.vector(rotated(rotation, Vec3A::from(scale) * axis));
    let (angle, limit) = (degrees_between(way, above.vector(center)), joint.limit.max(0.0).to_degrees());
    (miss > NEAR && angle > limit - NEAR)
        .then(|| Limit::new(LimitKind::Cone, "limit of the joint", limit, angle.max(limit) + miss, LimitUnit::Degrees))
}

/// From 0 to 180; 0 where one has no direction.
pub(in crate::procedural) fn degrees_between(a: Vec3A, b: Vec3A) -> f32 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}
