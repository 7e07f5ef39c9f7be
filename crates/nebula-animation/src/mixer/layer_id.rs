use super::AnimationMixer;
use super::error::UnknownName;

/// A layer of an [`AnimationMixer`]: what [`add_layer`](AnimationMixer::add_layer) gives.
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
pub struct LayerId(usize);

impl LayerId {
    /// The base layer, which every mixer has.
    pub const BASE: Self = Self(0);

    /// The layer so many above the base layer, which is 0. Whether a mixer has it is seen when it is asked for.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// How many layers it is above the base layer.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

impl AnimationMixer {
    /// The first layer of this name, from the base layer (`"base"`) up.
    ///
    /// # Errors
    /// That there is none, with names that come close.
    pub fn layer_named(&self, name: &str) -> Result<LayerId, UnknownName> {
        let names = || self.layers().map(|layer| layer.name.as_str());
        names().position(|known| known == name).map(LayerId).ok_or_else(|| UnknownName::new("layer", name, names()))
    }
}
