use crate::compile::ClipId;

/// A handle to a layer of an [`AnimationMixer`](crate::AnimationMixer), as returned by
/// [`add_layer`](crate::AnimationMixer::add_layer).
///
/// ```
/// use nebula_animation::{AnimationClipLibrary, AnimationMixer, LayerId};
///
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::default());
/// let arm = mixer.add_layer("arm");
/// assert_ne!(arm, LayerId::BASE);
/// assert_eq!(mixer.layer_named("arm"), Ok(arm));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LayerId(u32);

impl LayerId {
    /// The base layer, which every mixer has.
    pub const BASE: Self = Self(0);

    /// The layer at this index, counted from the base layer, which is 0. Whether a mixer has such a layer is checked
    /// when it is used. Indices above 2^32 - 1 count as that.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        // No mixer has as many, and frames have many of these.
        Self(if index < u32::MAX as usize { index as u32 } else { u32::MAX })
    }

    /// The index, counted from the base layer, which is 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A clip that contributes to a pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShownClip {
    /// The layer of the mixer.
    pub layer: LayerId,
    /// The clip of the character's library.
    pub clip: ClipId,
    /// The time of the clip that is shown, in seconds.
    pub time: f32,
    /// Weight within the layer's pose, from 0 to 1, after fades and weights.
    pub weight: f32,
    /// Weight for the feet, from 0 to 1: layers whose masks exclude the feet do not count.
    pub feet_weight: f32,
}

impl ShownClip {
    /// A clip, by handle or index, that contributes the whole pose.
    #[must_use]
    pub fn alone(clip: impl Into<ClipId>, time: f32) -> Self {
        Self { layer: LayerId::BASE, clip: clip.into(), time, weight: 1.0, feet_weight: 1.0 }
    }
}
