use super::sample_channel;
use crate::clip::{AnimationClip, WEIGHTS_PER_JOINT};

/// Samples the morph weights of a clip at `time` seconds, by glTF's own formulas.
///
/// `weights` has one entry per slot of [`MorphLayout`](crate::clip::MorphLayout). Slots without a channel get their
/// weight from `defaults`, or 0 if that is shorter. Channels for slots beyond `weights` are ignored. NaN counts as the
/// start.
///
/// ```
/// use nebula_animation::{AnimationClip, sample::sample_morph_weights};
///
/// let mut weights = [9.0; 3];
/// sample_morph_weights(&AnimationClip::default(), &[0.5], 1.0, &mut weights);
/// assert_eq!(weights, [0.5, 0.0, 0.0]);
/// ```
pub fn sample_morph_weights(clip: &AnimationClip, defaults: &[f32], time: f32, weights: &mut [f32]) {
    for (slot, weight) in weights.iter_mut().enumerate() {
        *weight = defaults.get(slot).copied().unwrap_or_default();
    }
    for (group, channel) in clip.morph_channels() {
        let Some(own) = weights.get_mut(WEIGHTS_PER_JOINT * group..) else { continue };
        if !own.is_empty() {
            let values = sample_channel(channel, time).to_array();
            own.iter_mut().zip(values).for_each(|(weight, value)| *weight = value);
        }
    }
}
