//! Ready-made layers for any humanoid.

use glam::Vec3;

use super::feet::FootPlacement;
use super::{AimJoint, AimLayer, BodyLean, BreathingLayer, LookAtLayer};
use crate::rig::{FeetRig, LegError, Rig};
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{HumanoidMap, MissingJoints, Side};

/// Layers with settings that suit a human.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{ProceduralAnimationStack, Rig, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::path::Path::new("test_assets/simple_humanoid.glb");
/// let (skeleton, _) = load_skeleton_and_clips(path)?;
/// let rig = Rig::new(skeleton);
/// let humanoid = rig.humanoid();
/// let mut stack = ProceduralAnimationStack::default();
/// stack.push(humanoid.breathing()?);
/// stack.push(humanoid.lean()?);
/// stack.push(humanoid.aim(&rig, Vec3::new(0.0, 1.6, 5.0))?);
/// # Ok(())
/// # }
/// ```
impl HumanoidMap {
    /// The head looks at a target in world space, immediately, up to 80 degrees from the front.
    ///
    /// # Errors
    /// The head is not known.
    pub fn look_at(&self, target: Vec3) -> Result<LookAtLayer, MissingJoints> {
        Ok(LookAtLayer { joint_index: self.require(J::Head)?, target, max_angle: 80_f32.to_radians(), weight: 1.0 })
    }

    /// The spine leans into curves, forward when the character accelerates and back when it brakes.
    ///
    /// # Errors
    /// The spine is not known.
    pub fn lean(&self) -> Result<BodyLean, MissingJoints> {
        self.require(J::Spine).map(BodyLean::new)
    }

    /// The chest breathes.
    ///
    /// # Errors
    /// No joint of the back is known.
    pub fn breathing(&self) -> Result<BreathingLayer, MissingJoints> {
        self.ribcage().map_or_else(|| self.require(J::Chest), Ok).map(BreathingLayer::new)
    }

    /// The legs of the character, for [`FootPlacement`] and for [`ContactTrack`](crate::compile::ContactTrack).
    ///
    /// # Errors
    /// The hips or a joint of a leg are not known (toes are optional), or a joint cannot have its role, such as a shin
    /// that is not below its thigh. The error names the joint and the reason.
    pub fn feet(&self, rig: &Rig) -> Result<FeetRig, LegError> {
        // What the rig has worked out already is shared.
        let known = rig.feet().filter(|feet| feet.is_human && self == rig.humanoid()).cloned();
        known.map_or_else(|| FeetRig::of_humanoid(rig, self), Ok)
    }

    /// Places the feet on the ground of the [`Surroundings`](crate::Surroundings).
    ///
    /// # Errors
    /// Like [`feet`](HumanoidMap::feet).
    pub fn foot_placement(&self, rig: &Rig) -> Result<FootPlacement, LegError> {
        Ok(FootPlacement::new(self.feet(rig)?))
    }

    /// Chest, neck, head and eyes rotate together towards a target in world space.
    ///
    /// Targets are followed up to 110 degrees from the front, or as far as the existing joints can rotate: 30 degrees
    /// for the chest, 40 for the neck, 60 for the head. Without eye joints, the eyes are assumed where a human's are
    /// relative to the head joint.
    ///
    /// # Errors
    /// The head is not known.
    pub fn aim(&self, rig: &Rig, target: Vec3) -> Result<AimLayer, MissingJoints> {
        let head = self.require(J::Head)?;
        let joint = |joint: u16, share: f32, degrees: f32| AimJoint {
            share,
            limit: degrees.to_radians(),
            ..AimJoint::new(joint)
        };
        let chest = self.ribcage().map(|chest| joint(chest, 0.2, 30.0));
        let neck = self.get(J::Neck).map(|neck| joint(neck, 0.3, 40.0));
        let chain = chest.into_iter().chain(neck).chain([joint(head, 0.5, 60.0)]);
        let eyes = Side::BOTH.map(|side| self.get(J::Eye(side)));
        let eyeballs = eyes.into_iter().flatten().map(|eye| joint(eye, 0.15, 30.0));
        let mut layer = AimLayer::new(chain, target).with_eyeballs(eyeballs);
        // What no joint can turn to is not aimed at, so that none waits at the edge of its cone for a torso to swing by.
        layer.limit = layer.limit.min(layer.chain().iter().map(|joint| joint.limit).sum());
        let eye = match eyes {
            [Some(left), Some(right)] => rig.position(left).midpoint(rig.position(right)),
            _ => {
                // Of an upright human, in parts of the way from hips to head.
                let hips = self.get(J::Hips).map_or(rig.position(head), |hips| rig.position(hips));
                let size = rig.position(head).distance(hips);
                let front = rig.front().unwrap_or(Vec3::ZERO);
                rig.position(head) + size * (0.17 * rig.up() + 0.15 * front)
            }
        };
        let joint_from_model = rig.model_from_joint(head).inverse();
        let eye = joint_from_model.transform_point3(eye);
        layer.eye = if eye.is_finite() { eye } else { Vec3::ZERO };
        Ok(layer)
    }
}
