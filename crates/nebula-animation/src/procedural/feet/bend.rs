use glam::Vec3A;

use super::hill::Tilt;
use super::layer::FootPlacement;
use super::step::Stand;
use super::swing::Swing;
use crate::procedural::ModelPose;
use crate::procedural::ik::{TwoBoneLimits, bend_limb};

impl FootPlacement {
    /// Puts the pelvis where it is to be, higher by so much in model space, and bends the legs towards their targets.
    pub(super) fn bend(&mut self, pose: &mut ModelPose<'_>, stand: &Stand, tilt: &Tilt, higher: f32) {
        let moved = |point: Vec3A| point + tilt.moved(point) + Vec3A::Y * higher;
        let pelvis = pose.origin(self.rig.pelvis);
        pose.shift(self.rig.pelvis, moved(pelvis) - pelvis);
        if let Some(rotation) = tilt.rotation {
            pose.rotate_in_model(self.rig.pelvis, rotation);
        }
        let legs = self.rig.legs.iter().zip(&self.feet);
        for (((leg, foot), target), step) in legs.zip(&mut self.targets).zip(&self.steps) {
            if !foot.is_planted {
                let swing = Swing::of(leg, step, stand.floor);
                target.ankle = swing.within_reach(leg, step, moved(step.hip), target.ankle);
            }
            if !leg.is_chained {
                // It is where the shin ends, which has gone with the pelvis.
                pose.set_position(leg.limb.joints[2], moved(step.ankle).into());
            }
            let end = bend_limb(pose, &leg.limb, target.ankle, None, &TwoBoneLimits::default());
            if !leg.is_chained {
                pose.set_position(leg.limb.joints[2], end.unwrap_or(target.ankle).into());
            }
            pose.set_rotation(leg.limb.joints[2], target.rotation);
        }
    }
}
