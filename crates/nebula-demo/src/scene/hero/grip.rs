//! A hand that holds something.

use glam::{Quat, Vec3};
use nebula_animation::{JointPose, ModelPose, ProceduralContext, ProceduralLayer};

/// The joint that holds the sword, where in its space, and how: under the palm, across the fingers, the point a little
/// lower than straight ahead of an arm that hangs.
pub(super) const HOLD: (&str, Vec3, Quat) =
    ("RightHand", Vec3::new(-0.078, -0.03, 0.004), Quat::from_xyzw(0.0, -0.207_911_7, 0.0, 0.978_147_6));

/// Closes the fingers of a hand, whatever the clip does with them: a layer of our own, beside those of the library.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grip {
    /// The joint of the fingers.
    pub joint: u16,
    /// How far they bend, in radians, about the joint's own Z.
    pub bend: f32,
}

impl ProceduralLayer for Grip {
    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joint
    }

    fn weight(&self) -> f32 {
        1.0
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let (translation, _, scale) = pose.local(self.joint);
        pose.set_local(self.joint, (translation, Quat::from_rotation_z(self.bend), scale));
    }
}
