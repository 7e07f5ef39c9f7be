use glam::{Quat, Vec3};

use super::turn::about;
use super::{LEAST_WEIGHT, ModelPose, ProceduralContext, ProceduralLayer};
use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::math::trig::decay;
use crate::skeleton::JointPose;
use crate::state::stateful;

/// Tilts the torso according to lateral velocity: in the direction in which a character drifts relative to its facing.
///
/// A character that faces where it goes has no lateral velocity, even in curves: use [`BodyLean`](super::BodyLean) for
/// those.
///
/// By itself it tilts about the joint's own Z, immediately. In a stack that knows the rig, it tilts about the entity's
/// forward direction, whatever the joint's axes, and follows the velocity smoothly at any frame rate. It makes no
/// difference whether [`entity_forward`](ProceduralContext::entity_forward) points where the character looks or the
/// opposite way.
///
/// ```
/// use nebula_animation::LeanLayer;
///
/// let lean = LeanLayer { weight: 0.5, ..LeanLayer::new(2) };
/// assert_eq!(lean.current_lean, 0.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LeanLayer {
    /// Joint index to tilt (e.g., spine or torso joint).
    pub joint_index: u16,
    /// Maximum lean angle in radians; less than 0 counts as 0.
    pub max_lean_angle: f32,
    /// How quickly the lean responds: all but `1/e` of a change is done in `1 / responsiveness` seconds. 0 or less
    /// never moves, infinity responds at once.
    pub responsiveness: f32,
    /// Current smoothed lean in radians, towards the entity's right; starts at 0 and is updated every frame.
    pub current_lean: f32,
    /// Blend weight in `[0, 1]`.
    pub weight: f32,
}

/// Radians for each metre per second to the side.
const LEAN_PER_SPEED: f32 = 0.1;

impl LeanLayer {
    /// A lean of up to 20 degrees, most of which is reached in a quarter of a second.
    #[must_use]
    pub fn new(joint_index: u16) -> Self {
        Self { joint_index, max_lean_angle: 0.35, responsiveness: 8.0, current_lean: 0.0, weight: 1.0 }
    }

    /// The lean that the velocity asks for, with the entity's right; not finite if that is not.
    fn target_lean(&self, context: &ProceduralContext, right: Vec3) -> f32 {
        // Project velocity onto the entity's right axis to get lateral speed.
        let lateral_speed = context.velocity.dot(right);
        let limit = self.max_lean_angle.max(0.0);
        let is_number = context.entity_forward.is_finite() && !self.max_lean_angle.is_nan();
        if is_number { (lateral_speed * LEAN_PER_SPEED).clamp(-limit, limit) } else { f32::NAN }
    }
}

/// The entity's right, level; zero where it looks straight up or down.
fn right(context: &ProceduralContext) -> Vec3 {
    context.entity_forward.cross(Vec3::Y).normalize_or_zero()
}

impl ProceduralLayer for LeanLayer {
    stateful!(given { joint_index, max_lean_angle, responsiveness, weight } kept { current_lean });

    fn evaluate(&self, context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, about(Vec3::NEG_Z, self.target_lean(context, right(context))), Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joint_index
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn update(&mut self, context: &ProceduralContext) {
        if !(self.weight >= LEAST_WEIGHT) {
            return;
        }
        let target = self.target_lean(context, right(context));
        let left = decay((self.responsiveness * context.dt).max(0.0));
        let lean = target + (self.current_lean - target) * left;
        if lean.is_finite() {
            self.current_lean = lean;
        }
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        if !self.target_lean(context, right(context)).is_finite() {
            return pose.reject();
        }
        // Level, and ahead: a turn about it takes what is up to the right.
        let ahead = context.entity_forward.with_y(0.0);
        let model_from_world = pose.model_from_world();
        let axis = model_from_world.transform_vector3(ahead).normalize_or_zero();
        // Seen through a mirror, it goes the other way round.
        let lean = self.current_lean * model_from_world.matrix3.determinant().signum();
        let turn = about(axis, lean);
        pose.rotate_in_model(self.joint_index, if axis == Vec3::ZERO { Quat::IDENTITY } else { turn });
    }

    fn explain(&self, context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let asked = (context.velocity.dot(right(context)) * LEAN_PER_SPEED).abs().to_degrees();
        let most = self.max_lean_angle.max(0.0).to_degrees();
        let limit =
            (asked > most).then(|| Limit::new(LimitKind::Budget, "max_lean_angle", most, asked, LimitUnit::Degrees));
        let _ = pose;
        reasons.push(Reason::new(self.joint_index, format!("lean by {asked:.1} degrees")).limited(limit));
    }
}
