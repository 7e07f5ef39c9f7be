use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::aim::why::degrees_between;
use super::turn::turn_towards;
use super::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// Rotates one joint, typically the head, so that it faces a world-space point.
///
/// By itself it rotates from the entity's forward direction, as seen from the entity's position. In a stack that knows
/// the rig, it rotates the joint's actual front, from the joint's actual position, whatever its axes: the character's
/// front in its rest pose is attached to the joint and takes the shortest rotation to the target.
///
/// It responds immediately, and flips to the other side when the target passes behind. [`AimLayer`](super::AimLayer)
/// follows smoothly and shares the rotation among several joints.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::LookAtLayer;
///
/// let look_at = LookAtLayer { joint_index: 6, target: Vec3::new(2.0, 1.5, 3.0), max_angle: 1.2, weight: 1.0 };
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LookAtLayer {
    /// Joint index to rotate (e.g., head joint).
    pub joint_index: u16,
    /// World-space target position to look at, in metres.
    pub target: Vec3,
    /// Maximum rotation angle in radians, in `[0, pi]` (clamp to avoid neck-breaking rotations). Less counts as 0, more as pi.
    pub max_angle: f32,
    /// Blend weight in `[0, 1]`.
    pub weight: f32,
}

impl ProceduralLayer for LookAtLayer {
    stateful!(given { joint_index, target, max_angle, weight } kept {});

    fn evaluate(&self, context: &ProceduralContext) -> JointPose {
        let to_target = self.target - context.entity_position;
        let bad = !to_target.is_finite() || !context.entity_forward.is_finite() || self.max_angle.is_nan();
        let rotation = match (context.entity_forward.try_normalize(), to_target.try_normalize()) {
            _ if bad => Quat::from_vec4(glam::Vec4::NAN),
            (Some(forward), Some(to_target)) => turn_towards(forward, to_target, self.max_angle, Vec3::Y),
            // The target is where the entity is: every direction is as good.
            _ => Quat::IDENTITY,
        };
        (Vec3::ZERO, rotation, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joint_index
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let joint = self.joint_index;
        let target = pose.model_from_world().transform_point3(self.target);
        if !target.is_finite() || self.max_angle.is_nan() {
            return pose.reject();
        }
        let axis = pose.rig().in_joint(joint, pose.front());
        let model_from_joint = pose.model(joint);
        let current = model_from_joint.transform_vector3(axis).try_normalize();
        let wanted = (target - Vec3::from(model_from_joint.translation)).try_normalize();
        let (Some(current), Some(wanted)) = (current, wanted) else { return };
        let turn = turn_towards(current, wanted, self.max_angle, pose.rig().up());
        pose.turn_and_point(joint, turn, axis.into(), (turn * current).into());
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let axis = pose.rig().in_joint(self.joint_index, pose.front());
        let placed = pose.model(self.joint_index);
        let to_target = pose.model_from_world().transform_point3a(self.target.into()) - placed.translation;
        let left = degrees_between(placed.transform_vector3a(axis.into()), to_target);
        let most = self.max_angle.clamp(0.0, PI).to_degrees();
        let cone =
            (left > 0.05).then(|| Limit::new(LimitKind::Cone, "max_angle", most, most + left, LimitUnit::Degrees));
        let Vec3 { x, y, z } = self.target;
        reasons.push(Reason::new(self.joint_index, format!("look at ({x:.2}, {y:.2}, {z:.2})")).limited(cone));
    }
}
