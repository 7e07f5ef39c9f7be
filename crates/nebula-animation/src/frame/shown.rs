use crate::compile::ClipId;

/// A layer of an [`AnimationMixer`](crate::AnimationMixer): what [`add_layer`](crate::AnimationMixer::add_layer) gives.
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

    /// The layer so many above the base layer, which is 0. Whether a mixer has it is seen when it is asked for. Indices above
    /// 2^32 - 1 count as that.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        // No mixer has as many, and frames have many of these.
        Self(if index < u32::MAX as usize { index as u32 } else { u32::MAX })
    }

    /// How many layers it is above the base layer.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A clip that a pose comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShownClip {
    /// The mixer's layer.
    pub layer: LayerId,
    /// The clip of the character's library.
    pub clip: ClipId,
    /// The time of the clip that is shown, in seconds.
    pub time: f32,
    /// Its share of the layer's pose, from 0 to 1, after fades and weights.
    pub weight: f32,
    /// Its share of what the feet do, from 0 to 1: layers above whose masks leave out the feet do not count.
    pub feet_weight: f32,
}

impl ShownClip {
    /// A clip, by its handle or its index, that is all there is to see.
    #[must_use]
    pub fn alone(clip: impl Into<ClipId>, time: f32) -> Self {
        Self { layer: LayerId::BASE, clip: clip.into(), time, weight: 1.0, feet_weight: 1.0 }
    }
}
