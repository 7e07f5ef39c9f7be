use glam::{Vec3, Vec3A};

use super::turn::about;
use super::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::explain::Reason;
use crate::math::trig::sin_cos;
use crate::skeleton::JointPose;
use crate::state::stateful;

/// Applies a subtle periodic oscillation to the chest joint to simulate breathing.
///
/// By itself it scales, lifts and rotates the joint along the joint's own axes. In a stack that knows the rig, it lifts
/// and rotates the joint in model space, and its children (neck, arms) keep their size. A child can only undo a uniform
/// scale, so a joint with children is scaled uniformly.
///
/// ```
/// use nebula_animation::BreathingLayer;
///
/// let breathing = BreathingLayer { frequency: 0.4, ..BreathingLayer::new(4) };
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BreathingLayer {
    /// Joint index to oscillate (e.g., upper chest or spine2).
    pub joint_index: u16,
    /// Breathing frequency in Hz (typical: 0.25 = one breath per 4 seconds).
    pub frequency: f32,
    /// Maximum scale amplitude (e.g., 0.02 for a 2% chest expansion); below 1.
    pub amplitude: f32,
    /// Blend weight in `[0, 1]`.
    pub weight: f32,
}

impl BreathingLayer {
    /// A quiet breath of four seconds.
    #[must_use]
    pub fn new(joint_index: u16) -> Self {
        Self { joint_index, frequency: 0.25, amplitude: 0.02, weight: 1.0 }
    }

    /// Growth, lift in metres, and rotation in radians.
    fn breath(&self, context: &ProceduralContext) -> (f32, f32, f32) {
        // Whole breaths are taken off in `f64`: after an hour, the product is past what `f32` can tell apart.
        let breaths = f64::from(context.elapsed) * f64::from(self.frequency);
        let phase = sin_cos((breaths.fract() * std::f64::consts::TAU) as f32).0;
        let growth = phase * self.amplitude;
        // Slight upward translation to accompany the expansion, subtle rotation: the chest lifts during inhale.
        (1.0 + growth, growth * 0.5, growth * 0.3)
    }
}

impl ProceduralLayer for BreathingLayer {
    stateful!(given { joint_index, frequency, amplitude, weight } kept {});

    fn evaluate(&self, context: &ProceduralContext) -> JointPose {
        let (growth, lift, turn) = self.breath(context);
        (Vec3::new(0.0, lift, 0.0), about(Vec3::X, turn), Vec3::new(growth, growth, 1.0))
    }

    fn target_joint(&self) -> u16 {
        self.joint_index
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let joint = self.joint_index;
        let (growth, lift, turn) = self.breath(context);
        if !(growth > 0.0) || !growth.is_finite() {
            return pose.reject();
        }
        let up = pose.rig().up();
        let right = pose.front().cross(up).normalize_or_zero();
        let children = pose.rig().children(joint);
        let third = if children.is_empty() { 1.0 } else { growth };
        pose.move_and_grow(joint, Vec3A::from(up) * lift, about(right, turn), [growth, third]);
        // The stack blends what is written here with what was before, by the weight. What is written is such that the blend
        // is the inverse of the joint's blended growth.
        let weight = pose.weight();
        let blended = 1.0 + weight * (growth - 1.0);
        let undone = 1.0 + (blended.recip() - 1.0) / weight;
        for &child in children {
            pose.grow(child, undone);
        }
    }

    fn explain(&self, context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let (growth, ..) = self.breath(context);
        let breath = format!("breathe at {} Hz: grow by {:+.2} % now", self.frequency, 100.0 * (growth - 1.0));
        reasons.push(Reason::new(self.joint_index, breath));
        let keep = "keep its size on a chest that breathes";
        reasons.extend(pose.rig().children(self.joint_index).iter().map(|&child| Reason::new(child, keep)));
    }
}
