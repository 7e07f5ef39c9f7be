//! Morph weights in clips: stored as translations of pseudo-joints beyond the skeleton, three weights each.

use glam::Vec3;
use thiserror::Error;

use super::{AnimationClip, Channel, Interpolation, Keyframe};

/// The lowest joint index that can stand for morph weights. The three weights of slots 0 to 2 are at `u16::MAX`, those
/// of slots 3 to 5 one below, and so on.
pub const FIRST_MORPH_JOINT: u16 = 0x8000;

/// The maximum number of morph weights of a character.
pub const MOST_MORPH_SLOTS: usize = (u16::MAX - FIRST_MORPH_JOINT + 1) as usize * WEIGHTS_PER_JOINT;

/// A translation has three numbers.
pub(crate) const WEIGHTS_PER_JOINT: usize = 3;

/// Where the weight of a slot is stored: the joint index of its translation channel, and the axis (0 to 2) in it.
/// `None` beyond [`MOST_MORPH_SLOTS`].
///
/// ```
/// use nebula_animation::clip::morph_joint;
///
/// assert_eq!(morph_joint(0), Some((65_535, 0)));
/// assert_eq!(morph_joint(5), Some((65_534, 2)));
/// assert_eq!(morph_joint(usize::MAX), None);
/// ```
#[must_use]
pub fn morph_joint(slot: usize) -> Option<(u16, usize)> {
    let group = u16::try_from(slot / WEIGHTS_PER_JOINT).ok()?;
    let joint = u16::MAX - group;
    (joint >= FIRST_MORPH_JOINT).then_some((joint, slot % WEIGHTS_PER_JOINT))
}

/// `true` if a joint index stands for morph weights, in clips for a skeleton of `joint_count` joints.
///
/// ```
/// use nebula_animation::clip::is_morph_joint;
///
/// assert!(is_morph_joint(65_535, 25));
/// assert!(!is_morph_joint(25, 25), "a joint that the skeleton lacks");
/// ```
#[must_use]
pub fn is_morph_joint(joint_index: u16, joint_count: usize) -> bool {
    joint_index >= FIRST_MORPH_JOINT && usize::from(joint_index) >= joint_count
}

/// Why keys of morph weights were rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MorphKeysError {
    /// The first slot is no multiple of three, or there are too many weights.
    #[error(
        "{target_count} weights from slot {first_slot}: expected a multiple of 3, and at most {MOST_MORPH_SLOTS} slots"
    )]
    Slots {
        /// The slot of the first weight.
        first_slot: usize,
        /// How many weights there were to be.
        target_count: usize,
    },
    /// There are no times, or they are not finite, not negative and ascending.
    #[error("key times must be finite, not negative and ascending, and there must be at least one")]
    Times,
    /// The number of values does not match the keys.
    #[error("{found} values, expected {expected}")]
    Values {
        /// How many were given.
        found: usize,
        /// How many values the keys need.
        expected: usize,
    },
}

impl AnimationClip {
    /// The channels that carry morph weights, each with its group: the weights of group `g` are those of slots `3 * g`
    /// to `3 * g + 2`. If a group has several channels, the last one counts.
    ///
    /// In a clip for more than [`FIRST_MORPH_JOINT`] joints, channels of joints are included: see [`is_morph_joint`].
    pub fn morph_channels(&self) -> impl Iterator<Item = (usize, &Channel<Vec3>)> {
        let is_used =
            |channel: &&Channel<Vec3>| channel.joint_index >= FIRST_MORPH_JOINT && !channel.keyframes.is_empty();
        self.translation_channels.iter().filter(is_used).map(|channel| (group_of(channel), channel))
    }

    /// The number of morph weights covered by the channels: one more than the last slot of
    /// [`AnimationClip::morph_channels`], 0 if there are none; always a multiple of three.
    ///
    /// ```
    /// assert_eq!(nebula_animation::AnimationClip::default().morph_count(), 0);
    /// ```
    #[must_use]
    pub fn morph_count(&self) -> usize {
        self.morph_channels().map(|(group, _)| WEIGHTS_PER_JOINT * (group + 1)).max().unwrap_or_default()
    }

    /// A clip that animates a single morph weight, with linear keys (seconds, weight): a smile, a blink. Keys that are
    /// out of order or not finite are dropped.
    ///
    /// ```
    /// let smile = nebula_animation::AnimationClip::of_morph_weight("smile", 0, &[(0.0, 0.0), (0.2, 1.0)]);
    /// assert_eq!((smile.duration, smile.morph_count()), (0.2, 3));
    /// ```
    #[must_use]
    pub fn of_morph_weight(name: impl Into<String>, slot: usize, keys: &[(f32, f32)]) -> Self {
        let mut clip = Self { name: name.into(), ..Self::default() };
        let Some((joint_index, axis)) = morph_joint(slot) else { return clip };
        let mut channel = Channel { joint_index, interpolation: Interpolation::Linear, keyframes: Vec::new() };
        for &(time, weight) in keys {
            if time >= clip.duration && time.is_finite() && weight.is_finite() {
                let mut value = Vec3::ZERO;
                value[axis] = weight;
                channel.keyframes.push(Keyframe { time, value, tangents: None });
                clip.duration = time;
            }
        }
        clip.translation_channels.push(channel);
        clip
    }

    /// Sets the keys of `target_count` morph weights, starting at slot `first_slot`, which must be a multiple of three
    /// ([`MorphMesh::first_slot`](super::MorphMesh::first_slot)). Existing keys of these slots are replaced, up to the
    /// next multiple of three. The clip becomes longer if the keys extend beyond its end.
    ///
    /// `times` are in seconds, ascending. Values are ordered as in glTF: all weights of the first key, then those of
    /// the next. With [`Interpolation::CubicSpline`], each key has all in-tangents (per second), all weights, then all
    /// out-tangents.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, Interpolation, sample::sample_morph_weights};
    ///
    /// let mut blink = AnimationClip { name: "blink".into(), ..Default::default() };
    /// // Two targets, the eyelids; the left one is faster.
    /// blink.set_morph_weights(0, Interpolation::Linear, &[0.0, 0.1, 0.2], &[0.0, 0.0, 1.0, 0.5, 1.0, 1.0], 2)?;
    /// assert_eq!((blink.duration, blink.morph_count()), (0.2, 3));
    ///
    /// let mut weights = [0.0; 2];
    /// sample_morph_weights(&blink, &[], 0.1, &mut weights);
    /// assert_eq!(weights, [1.0, 0.5]);
    /// # Ok::<(), nebula_animation::clip::MorphKeysError>(())
    /// ```
    ///
    /// # Errors
    /// See [`MorphKeysError`]; the clip is unchanged then.
    pub fn set_morph_weights(
        &mut self,
        first_slot: usize,
        interpolation: Interpolation,
        times: &[f32],
        values: &[f32],
        target_count: usize,
    ) -> Result<(), MorphKeysError> {
        let end = first_slot.checked_add(target_count).filter(|end| *end <= MOST_MORPH_SLOTS);
        let Some(end) = end.filter(|_| first_slot.is_multiple_of(WEIGHTS_PER_JOINT)) else {
            return Err(MorphKeysError::Slots { first_slot, target_count });
        };
        let is_time = |time: &f32| time.is_finite() && *time >= 0.0;
        let Some(&last) = times.last().filter(|_| times.iter().all(is_time) && times.is_sorted()) else {
            return Err(MorphKeysError::Times);
        };
        let values_per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let expected = times.len().saturating_mul(values_per_key * target_count);
        if values.len() != expected {
            return Err(MorphKeysError::Values { found: values.len(), expected });
        }
        let groups = first_slot / WEIGHTS_PER_JOINT..end.div_ceil(WEIGHTS_PER_JOINT);
        self.translation_channels.retain(|channel| !groups.contains(&group_of(channel)));
        self.translation_channels.extend(weight_channels(first_slot, interpolation, times, values, target_count));
        self.duration = self.duration.max(last);
        Ok(())
    }
}

/// Which three weights a channel carries.
fn group_of(channel: &Channel<Vec3>) -> usize {
    usize::from(u16::MAX - channel.joint_index)
}

/// Keys of morph weights as channels, three weights each. Numbers that are missing count as 0; slots that are too many are left
/// out.
pub(crate) fn weight_channels<'a>(
    first_slot: usize,
    interpolation: Interpolation,
    times: &'a [f32],
    values: &'a [f32],
    target_count: usize,
) -> impl Iterator<Item = Channel<Vec3>> + 'a {
    (0..target_count).step_by(WEIGHTS_PER_JOINT).map_while(move |first| {
        let (joint_index, _) = morph_joint(first_slot.checked_add(first)?)?;
        let weight = |row: usize, target: usize| {
            let at = row.saturating_mul(target_count).saturating_add(target);
            values.get(at).copied().filter(|_| target < target_count).unwrap_or_default()
        };
        let three = |row: usize| Vec3::new(weight(row, first), weight(row, first + 1), weight(row, first + 2));
        let key = |(key, &time): (usize, &f32)| match interpolation {
            Interpolation::CubicSpline => {
                Keyframe { time, value: three(3 * key + 1), tangents: Some((three(3 * key), three(3 * key + 2))) }
            }
            Interpolation::Linear | Interpolation::Step => Keyframe { time, value: three(key), tangents: None },
        };
        Some(Channel { joint_index, interpolation, keyframes: times.iter().enumerate().map(key).collect() })
    })
}
