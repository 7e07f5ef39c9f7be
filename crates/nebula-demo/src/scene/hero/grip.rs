use glam::{Quat, Vec3};
use nebula_animation::{JointPose, ModelPose, ProceduralContext, ProceduralLayer};

/// Bends a joint of fingers about its own Z, by so many radians, whatever the clip does with it: a layer of our own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grip(pub u16, pub f32);

impl ProceduralLayer for Grip {
    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.0
    }

    fn weight(&self) -> f32 {
        1.0
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let (translation, _, scale) = pose.local(self.0);
        pose.set_local(self.0, (translation, Quat::from_rotation_z(self.1), scale));
    }
}
