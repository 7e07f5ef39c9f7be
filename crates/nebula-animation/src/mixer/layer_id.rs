//! Finding layers by number and name.

use super::AnimationMixer;
use super::action::AnimationAction;
use super::error::{Cue, PlayError, UnknownName};
use super::fade::Fade;
use super::layer::MixerLayer;
use crate::frame::LayerId;

impl AnimationMixer {
    /// The first layer with this name, from the base layer (`"base"`) up.
    ///
    /// # Errors
    /// There is no such layer; similar names are listed.
    pub fn layer_named(&self, name: &str) -> Result<LayerId, UnknownName> {
        let names = || self.layers().map(|layer| layer.name.as_str());
        names()
            .position(|known| known == name)
            .map(LayerId::new)
            .ok_or_else(|| UnknownName::new("layer", name, names()))
    }

    /// Plays a motion on a layer: see [`MixerLayer::play`].
    ///
    /// # Errors
    /// There is no such layer or no such motion; what was playing continues.
    pub fn play_on<'a>(
        &mut self,
        layer: LayerId,
        motion: impl Into<Cue<'a>>,
        fade: impl Into<Fade>,
    ) -> Result<&mut AnimationAction, PlayError> {
        self.require_layer(layer)?.play(motion, fade)
    }

    /// Plays a motion once on a layer, which then hands back. See [`MixerLayer::play_once`].
    ///
    /// # Errors
    /// There is no such layer or no such motion; what was playing continues.
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
