use super::AnimationMixer;
use super::action::AnimationAction;
use super::error::{Cue, PlayError, UnknownName};
use super::fade::Fade;
use super::layer::MixerLayer;

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

    /// Plays a motion on a layer: see [`MixerLayer::play`].
    ///
    /// # Errors
    /// Where there is no such layer or no such motion; what was playing goes on.
    pub fn play_on<'a>(
        &mut self,
        layer: LayerId,
        motion: impl Into<Cue<'a>>,
        fade: impl Into<Fade>,
    ) -> Result<&mut AnimationAction, PlayError> {
        self.require_layer(layer)?.play(motion, fade)
    }

    /// Plays a motion once on a layer, which then hands back: see [`MixerLayer::play_once`].
    ///
    /// # Errors
    /// Where there is no such layer or no such motion; what was playing goes on.
    pub fn play_once_on<'a>(
        &mut self,
        layer: LayerId,
        motion: impl Into<Cue<'a>>,
        fade_in: impl Into<Fade>,
        fade_out: impl Into<Fade>,
    ) -> Result<&mut AnimationAction, PlayError> {
        self.require_layer(layer)?.play_once(motion, fade_in, fade_out)
    }

    fn require_layer(&mut self, layer: LayerId) -> Result<&mut MixerLayer, PlayError> {
        let count = self.layers().count();
        self.layer_mut(layer).ok_or(PlayError::NoSuchLayer { layer, count })
    }
}
