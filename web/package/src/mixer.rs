//! The mixer of a character.

use glam::Vec2;
use nebula_animation::mixer::{BlendMode, FadeCurve, MixerLayer, PlayError};
use nebula_animation::{AnimationAction, BlendSpace, Fade, JointMask, LayerId};
use wasm_bindgen::prelude::*;

use crate::character::RawCharacter;
use crate::exception;

/// A fade of so many seconds; curves by number: linear, smooth, inertialised.
pub(crate) fn fade(seconds: f32, curve: u32) -> Fade {
    let curve = match curve {
        0 => FadeCurve::Linear,
        1 => FadeCurve::Smooth,
        _ => FadeCurve::Inertialised,
    };
    Fade { seconds, curve }
}

#[wasm_bindgen(js_class = RawCharacter)]
impl RawCharacter {
    /// Plays a clip by its name on a layer; the action's number, or -1: see [`take_error`](RawCharacter::take_error).
    pub fn play(&mut self, layer: usize, clip: &str, seconds: f32, curve: u32) -> f64 {
        self.start(layer, |layer| layer.play(clip, fade(seconds, curve)))
    }

    /// Plays a clip by its index on a layer; as above.
    #[wasm_bindgen(js_name = playIndex)]
    pub fn play_index(&mut self, layer: usize, clip: usize, seconds: f32, curve: u32) -> f64 {
        self.start(layer, |layer| layer.play(clip, fade(seconds, curve)))
    }

    /// Plays a blend space on a layer; as above.
    #[wasm_bindgen(js_name = playSpace)]
    pub fn play_space(&mut self, layer: usize, space: usize, seconds: f32, curve: u32) -> f64 {
        match self.spaces.get(space).copied() {
            Some(motion) => self.start(layer, |layer| layer.play(motion, fade(seconds, curve))),
            None => self.failed("there is no such blend space"),
        }
    }

    /// Plays a clip once, and then what played before; as above.
    #[wasm_bindgen(js_name = playOnce)]
    pub fn play_once(&mut self, layer: usize, clip: &str, fade_in: f32, fade_out: f32) -> f64 {
        self.start(layer, |layer| layer.play_once(clip, fade(fade_in, 1), fade(fade_out, 1)))
    }

    /// Starts a clip over; as above.
    pub fn restart(&mut self, layer: usize, clip: &str, seconds: f32, curve: u32) -> f64 {
        self.start(layer, |layer| layer.restart(clip, fade(seconds, curve)))
    }

    /// Fades out what a layer plays.
    ///
    /// # Errors
    /// There is no such layer.
    pub fn stop(&mut self, layer: usize, seconds: f32, curve: u32) -> Result<(), JsError> {
        self.layer_mut(layer)?.stop(fade(seconds, curve));
        Ok(())
    }

    /// Adds a layer; its number.
    #[wasm_bindgen(js_name = addLayer)]
    pub fn add_layer(&mut self, name: &str, is_additive: bool) -> usize {
        let id = self.character.mixer.add_layer(name);
        if let Some(layer) = self.character.mixer.layer_mut(id).filter(|_| is_additive) {
            layer.mode = BlendMode::Additive;
        }
        id.index()
    }

    /// Lets a layer act on the joints below some joints only; on the upper body where nothing is said.
    ///
    /// # Errors
    /// There is no such joint, or no upper body was found.
    #[wasm_bindgen(js_name = setMask)]
    pub fn set_mask(&mut self, layer: usize, joints: Option<Vec<String>>) -> Result<(), JsError> {
        let rig = self.character.rig().clone();
        let mask = match joints {
            None => rig.upper_body().map_err(exception)?,
            Some(joints) => {
                let mut mask = JointMask::none(&rig);
                for joint in &joints {
                    mask = mask.with_subtree(&rig, joint, 1.0).map_err(exception)?;
                }
                mask
            }
        };
        self.layer_mut(layer)?.set_mask(mask);
        Ok(())
    }

    /// Makes a blend space of clips at places of a line or a plane; its number. By their speeds where there are no places.
    ///
    /// # Errors
    /// There is no such clip, or the places make no space.
    #[wasm_bindgen(js_name = addBlendSpace)]
    pub fn add_blend_space(&mut self, clips: Vec<String>, places: &[f32], sync: Vec<String>) -> Result<usize, JsError> {
        let library = self.character.mixer.clips().clone();
        let found: Result<Vec<_>, _> = clips.iter().map(|clip| library.find(clip)).collect();
        let found = found.map_err(exception)?;
        let space = if places.is_empty() {
            BlendSpace::by_speed(&library, &found)
        } else {
            let places = places.as_chunks().0.iter().map(|&[x, y]| Vec2::new(x, y));
            let samples: Vec<_> = places.zip(&found).map(|(place, clip)| (place, clip.index())).collect();
            if samples.iter().all(|(place, _)| place.y == 0.0) {
                let samples: Vec<_> = samples.iter().map(|(place, clip)| (place.x, *clip)).collect();
                BlendSpace::line(&library, &samples)
            } else {
                BlendSpace::plane(&library, &samples)
            }
        };
        let space = space.and_then(|space| space.synchronised(&library, library.markers(), &sync));
        let motion = self.character.mixer.add_blend_space(space.map_err(exception)?);
        self.spaces.push(motion);
        Ok(self.spaces.len() - 1)
    }

    /// Moves to the place of a blend space that the scratch tells: 0, or -1 where it failed.
    #[wasm_bindgen(js_name = setBlendPosition)]
    pub fn set_blend_position(&mut self, space: usize) -> f64 {
        let [x, y, ..] = self.scratch.each_ref().map(|number| number.get() as f32);
        let Some(motion) = self.spaces.get(space).copied() else { return self.failed("there is no such blend space") };
        match self.character.mixer.set_blend_position(motion, Vec2::new(x, y)) {
            Ok(()) => 0.0,
            Err(error) => self.failed(error),
        }
    }

    /// Writes a number of a layer to the scratch: weight, fade progress, fade duration, whether it has just finished, the mixer's time scale.
    #[wasm_bindgen(js_name = layerNumber)]
    pub fn layer_number(&self, layer: usize, which: u32) {
        let number = self.character.mixer.layer(LayerId::new(layer)).map(|layer| match which {
            0 => layer.weight.into(),
            1 => layer.fade_progress.into(),
            2 => layer.fade_duration.into(),
            3 => f64::from(u8::from(layer.has_just_finished())),
            _ => self.character.mixer.time_scale.into(),
        });
        self.hand_over(number.unwrap_or(f64::NAN));
    }

    /// Sets the weight of a layer to the number in the scratch.
    ///
    /// # Errors
    /// There is no such layer.
    #[wasm_bindgen(js_name = setLayerWeight)]
    pub fn set_layer_weight(&mut self, layer: usize) -> Result<(), JsError> {
        let weight = self.number() as f32;
        self.layer_mut(layer)?.weight = weight;
        Ok(())
    }

    /// Sets how fast the mixer's time passes: by the number in the scratch.
    #[wasm_bindgen(js_name = setTimeScale)]
    pub fn set_time_scale(&mut self) {
        self.character.mixer.time_scale = self.number() as f32;
    }

    /// Lets what plays on a layer stand, or go on.
    #[wasm_bindgen(js_name = setPlaying)]
    pub fn set_playing(&mut self, layer: usize, playing: bool) {
        let Some(layer) = self.character.mixer.layer_mut(LayerId::new(layer)) else { return };
        if playing { layer.resume() } else { layer.pause() }
    }

    /// The number of a layer's action, -1 where there is none: the current one, or else the one that fades.
    #[wasm_bindgen(js_name = actionNow)]
    #[must_use]
    pub fn action_now(&self, layer: usize, is_current: bool) -> f64 {
        let layer = self.character.mixer.layer(LayerId::new(layer));
        let action = layer.and_then(|layer| match is_current {
            true => layer.current_action.as_ref(),
            false => layer.fading_action.as_ref(),
        });
        action.map_or(-1.0, |action| action.id() as f64)
    }

    /// The clip of an action: its index, -1 for a blend space, -2 for an action that is gone.
    #[wasm_bindgen(js_name = actionClip)]
    #[must_use]
    pub fn action_clip(&mut self, layer: usize, id: f64) -> i32 {
        let action = self.action(layer, id);
        action.map_or(-2, |action| action.clip().map_or(-1, |clip| clip as i32))
    }

    /// Writes a number of an action to the scratch: time, speed, loop, playing, weight, duration, total time, repetitions, back and forth. Not
    /// a number for one that is gone.
    #[wasm_bindgen(js_name = actionNumber)]
    pub fn action_number(&mut self, layer: usize, id: f64, number: u32) {
        let flag = |flag: bool| f64::from(u8::from(flag));
        let number = self.action(layer, id).map(|action| match number {
            0 => action.time.into(),
            1 => action.speed.into(),
            2 => flag(action.looping),
            3 => flag(action.playing),
            4 => action.weight.into(),
            5 => action.duration().into(),
            6 => action.total_time(),
            7 => action.repetitions.into(),
            _ => flag(action.back_and_forth),
        });
        self.hand_over(number.unwrap_or(f64::NAN));
    }

    /// Sets a number of an action to the one in the scratch; the time seeks. Whether there is such an action.
    #[wasm_bindgen(js_name = setActionNumber)]
    pub fn set_action_number(&mut self, layer: usize, id: f64, number: u32) -> bool {
        let value = self.number();
        let Some(action) = self.action(layer, id) else { return false };
        match number {
            0 => action.seek(value),
            1 => action.speed = value as f32,
            2 => action.looping = value != 0.0,
            3 => action.playing = value != 0.0,
            4 => action.weight = value as f32,
            7 => action.repetitions = value as i32,
            8 => action.back_and_forth = value != 0.0,
            _ => {}
        }
        true
    }
}

impl RawCharacter {
    fn start(
        &mut self,
        layer: usize,
        play: impl FnOnce(&mut MixerLayer) -> Result<&mut AnimationAction, PlayError>,
    ) -> f64 {
        let layer = LayerId::new(layer);
        let count = self.character.mixer.layers().count();
        let begun = match self.character.mixer.layer_mut(layer) {
            Some(layer) => play(layer).map(|action| action.id()),
            None => Err(PlayError::NoSuchLayer { layer, count }),
        };
        match begun {
            Ok(id) => id as f64,
            Err(error) => self.failed(error),
        }
    }

    fn layer_mut(&mut self, layer: usize) -> Result<&mut MixerLayer, JsError> {
        let layer = LayerId::new(layer);
        let missing = PlayError::NoSuchLayer { layer, count: self.character.mixer.layers().count() };
        self.character.mixer.layer_mut(layer).ok_or_else(|| exception(missing))
    }

    /// An action of a layer that is still shown, by its number.
    fn action(&mut self, layer: usize, id: f64) -> Option<&mut AnimationAction> {
        let layer = self.character.mixer.layer_mut(LayerId::new(layer))?;
        layer.actions_mut().find(|action| action.id() as f64 == id)
    }
}
