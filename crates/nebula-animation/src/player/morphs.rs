//! Morph weights of a player.

use super::AnimationPlayer;
use crate::clip::{AnimationClip, WEIGHTS_PER_JOINT, is_morph_joint};
use crate::rig::Rig;
use crate::sample::sample_morph_weights;

impl AnimationPlayer {
    /// The morph weights at the time of the pose, in the slots that [`Rig::morphs`] defines; empty for a rig without
    /// morph targets, and until the first stage has run. Written by [`sample_clip`](crate::sample_clip) and the
    /// systems.
    ///
    /// With authored clips instead of a library there is no rig: there are as many weights as the sampled clips
    /// animate, and those that the current clip does not animate are 0.
    ///
    /// ```
    /// use nebula_animation::clip::MorphLayout;
    /// use nebula_animation::rig::RigOptions;
    /// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationPlayer, Rig, Skeleton, sample_clip};
    ///
    /// let clips = [AnimationClip::of_morph_weight("smile", 1, &[(0.0, 0.0), (1.0, 1.0)])];
    /// let options = RigOptions { morphs: MorphLayout::of_clips(&clips), ..RigOptions::default() };
    /// let library = AnimationClipLibrary::new(&Rig::with_options(Skeleton::default(), options), &clips);
    /// let mut player = AnimationPlayer::new(0, library[0].duration(), 0);
    /// player.time = 0.5;
    /// sample_clip(&mut player, library.rig(), &library);
    /// assert_eq!(player.morph_weights(), [0.0, 0.5, 0.0]);
    /// ```
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.morph_weights
    }
}

/// Writes the weights of an authored clip, for a skeleton of this many joints.
pub(super) fn sample_authored(clip: &AnimationClip, joint_count: usize, time: f32, weights: &mut Vec<f32>) {
    let groups = clip.morph_channels().filter(|(_, channel)| is_morph_joint(channel.joint_index, joint_count));
    let count = groups.map(|(group, _)| WEIGHTS_PER_JOINT * (group + 1)).max().unwrap_or_default();
    weights.resize(count.max(weights.len()), 0.0);
    sample_morph_weights(clip, &[], time, weights);
    weights.iter_mut().filter(|weight| !weight.is_finite()).for_each(|weight| *weight = 0.0);
}

/// Puts weights to rest: those of a rig, or all to 0.
pub(super) fn rest(rig: Option<&Rig>, weights: &mut Vec<f32>) {
    weights.resize(rig.map_or(weights.len(), Rig::morph_slots), 0.0);
    weights.fill(0.0);
    if let Some(rig) = rig {
        rig.write_morphs(&rig.rest, weights);
    }
}

/// Puts weights that are not finite to rest, or to 0 where that is not finite either.
pub(super) fn repair(rig: &Rig, weights: &mut [f32]) {
    for (slot, weight) in weights.iter_mut().enumerate().filter(|(_, weight)| !weight.is_finite()) {
        let rest = rig.morph_weight(&rig.rest, slot);
        *weight = if rest.is_finite() { rest } else { 0.0 };
    }
}
