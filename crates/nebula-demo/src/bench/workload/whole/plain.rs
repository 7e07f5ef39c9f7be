//! The same characters, computed in the straightforward way.

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::{
    ClipId, JointPose, LayerId, ModelPose, ProceduralAnimationStack, ProceduralContext,
    frame::ShownClip,
    palette::{model_matrices, skinning_matrices},
    sample::sample_morph_weights,
    sample_pose,
};

use super::cast::{Cast, around, surroundings};
use crate::bench::workload::crowd::FRAME_SECS;

/// A clip and its share of the pose.
pub struct Part {
    pub clip: usize,
    pub weight: f32,
}

/// A character for the plain path.
pub struct PlainCharacter {
    /// Which one it follows, and for how many frames it has.
    pub index: usize,
    pub frames: usize,
    pub palette: Vec<Mat4>,
    pub morph_weights: Vec<f32>,
    parts: Vec<Part>,
    /// Of the parts' cycle, from 0 to 1, which takes so many seconds.
    phase: f64,
    cycle: f64,
    /// Seconds of the upper body's clip, if there is one.
    upper_body: Option<f64>,
    elapsed: f64,
    layers: ProceduralAnimationStack,
    local: Vec<JointPose>,
    sampled: Vec<JointPose>,
}

impl PlainCharacter {
    pub fn new(
        cast: &Cast,
        index: usize,
        parts: Vec<Part>,
        phase: f64,
        cycle: f64,
        upper_body: Option<f64>,
        layers: ProceduralAnimationStack,
    ) -> Self {
        let local = cast.skeleton.bind_pose();
        let (sampled, palette) = (local.clone(), vec![Mat4::IDENTITY; local.len()]);
        let morph_weights = vec![0.0; cast.rig().morphs().slot_count()];
        let (frames, elapsed) = (0, 0.0);
        Self { index, frames, palette, morph_weights, parts, phase, cycle, upper_body, elapsed, layers, local, sampled }
    }
}

impl Cast {
    /// One frame of the plain path.
    pub fn follow(&self, plain: &mut PlainCharacter) {
        plain.frames += 1;
        plain.phase = (plain.phase + FRAME_SECS / plain.cycle).fract();
        plain.upper_body = plain.upper_body.map(|time| (time + FRAME_SECS) % f64::from(self.clips[3].duration));
        plain.elapsed += FRAME_SECS;
        self.sample(plain);
        self.bend(plain);
        model_matrices(&self.skeleton, &plain.local, &mut plain.palette);
        skinning_matrices(&self.skeleton, &mut plain.palette);
    }

    /// The second of a part's clip that is shown.
    fn time(&self, plain: &PlainCharacter, part: &Part) -> f32 {
        (plain.phase * f64::from(self.clips[part.clip].duration)) as f32
    }

    /// Finds the local pose: the mean of the parts, and the upper body over it.
    fn sample(&self, plain: &mut PlainCharacter) {
        let mut local = vec![(Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO); plain.local.len()];
        for part in &plain.parts {
            let (clip, weight, time) = (&self.clips[part.clip], part.weight, self.time(plain, part));
            sample_pose(clip, &self.skeleton, time, &mut plain.sampled);
            for (sum, joint) in local.iter_mut().zip(&plain.sampled) {
                let weight_of_turn = if sum.1.dot(joint.1) < 0.0 { -weight } else { weight };
                *sum = (sum.0 + joint.0 * weight, sum.1 + joint.1 * weight_of_turn, sum.2 + joint.2 * weight);
            }
            sample_morph_weights(clip, &[], time, &mut plain.morph_weights);
        }
        local.iter_mut().for_each(|joint| joint.1 = joint.1 / joint.1.length());
        if let Some(time) = plain.upper_body {
            sample_pose(&self.clips[3], &self.skeleton, time as f32, &mut plain.sampled);
            for (index, (joint, upper)) in local.iter_mut().zip(&plain.sampled).enumerate() {
                let weight = self.mask.weight(index);
                *joint = (joint.0.lerp(upper.0, weight), joint.1.slerp(upper.1, weight), joint.2.lerp(upper.2, weight));
            }
        }
        plain.local = local;
    }

    /// The same layers as those of the fast path.
    fn bend(&self, plain: &mut PlainCharacter) {
        let rig = self.rig();
        let context = ProceduralContext {
            dt: FRAME_SECS as f32,
            elapsed: plain.elapsed as f32,
            entity_position: Vec3::ZERO,
            entity_forward: rig.front().unwrap_or(Vec3::Z),
            velocity: Vec3::ZERO,
        };
        let shown: Vec<ShownClip> = plain.parts.iter().map(|part| self.shown(plain, part)).collect();
        let (ground, targets) = around(self, plain.elapsed);
        let pose = ModelPose::new(rig, &mut plain.local, Affine3A::IDENTITY);
        let mut pose = pose.within(&surroundings(&ground, &targets)).showing(&shown, &self.library);
        plain.layers.apply_in_model(&context, &mut pose);
    }

    fn shown(&self, plain: &PlainCharacter, part: &Part) -> ShownClip {
        let (weight, time) = (part.weight, self.time(plain, part));
        ShownClip { layer: LayerId::BASE, clip: ClipId::from(part.clip), time, weight, feet_weight: weight }
    }
}
