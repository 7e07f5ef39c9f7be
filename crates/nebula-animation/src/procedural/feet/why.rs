//! Explains what foot placement wanted of pelvis and legs, and what limited it.

use super::layer::FootPlacement;
use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::procedural::ModelPose;

/// How far an ankle may miss its target, as a fraction of the leg's length: less is rounding.
const BESIDE: f32 = 1e-3;

impl FootPlacement {
    /// After the legs were bent.
    pub(super) fn reasons(&self, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        if self.targets.len() != self.rig.legs.len() {
            return;
        }
        let scale = pose.world_from_model().to_scale_rotation_translation().0.y.abs();
        let length = self.rig.legs.first().map_or(1.0, |leg| leg.length);
        let (lowered, most) = (-self.pelvis.shifted(), self.settings.max_drop.max(0.0) * length);
        let drop = (lowered.abs() > most * (1.0 - BESIDE) && most > 0.0).then(|| {
            let (allowed, wanted) = (most * scale, lowered.abs().max(most) * scale);
            Limit::new(LimitKind::Budget, "max_drop", allowed, wanted, LimitUnit::Metres)
        });
        let millimetres = lowered * scale * 1000.0;
        let text = match millimetres {
            0.05.. => format!("lower the pelvis by {millimetres:.1} mm, so that the feet reach the ground"),
            ..-0.05 => format!("lift the pelvis by {:.1} mm, so that the legs have room", -millimetres),
            _ => "leave the pelvis where the animation has it".to_owned(),
        };
        reasons.push(Reason::new(self.rig.pelvis, text).limited(drop));
        for ((leg, foot), target) in self.rig.legs.iter().zip(&self.feet).zip(&self.targets) {
            let [thigh, shin, ankle] = leg.limb.joints;
            let (hip, reached) = (pose.origin(thigh), pose.origin(ankle));
            let knee = pose.origin(shin);
            let reach = hip.distance(knee) + knee.distance(reached);
            let wanted = hip.distance(target.ankle);
            let is_beside = reached.distance(target.ankle) > BESIDE * leg.length;
            let limit = (is_beside && wanted > reach).then(|| {
                Limit::new(LimitKind::Reach, "length of the leg", reach * scale, wanted * scale, LimitUnit::Metres)
            });
            let text = match foot.is_planted {
                true => "stay locked to its footprint",
                false => "swing clear of the ground",
            };
            let reason = |joint: u16| Reason::new(joint, text).limited(limit.clone());
            reasons.extend(leg.limb.joints.map(reason));
        }
    }
}

impl std::fmt::Debug for FootPlacement {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let planted = self.feet.iter().map(|foot| foot.is_planted).collect::<Vec<_>>();
        formatter
            .debug_struct("FootPlacement")
            .field("settings", &self.settings)
            .field("weight", &self.weight)
            .field("rig", &self.rig)
            .field("is_planted", &planted)
            .finish_non_exhaustive()
    }
}
