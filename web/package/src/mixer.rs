//! What a character plays.

use glam::Vec2;
use nebula_animation::mixer::{BlendMode, Cue, FadeCurve, MixerLayer, PlayError};
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
    /// Plays a clip by its name on a layer.
    ///
    /// # Errors
    /// There is no such clip.
    pub fn play(&mut self, layer: usize, clip: &str, seconds: f32, curve: u32) -> Result<(), JsError> {
        self.begin(layer, Cue::Name(clip), seconds, curve)
    }

    /// Plays a clip by its index on a layer.
    ///
    /// # Errors
    /// There is no such clip.
    #[wasm_bindgen(js_name = playIndex)]
    pub fn play_index(&mut self, layer: usize, clip: usize, seconds: f32, curve: u32) -> Result<(), JsError> {
        self.begin(layer, Cue::from(clip), seconds, curve)
    }

    /// Plays a blend space on a layer.
    ///
    /// # Errors
    /// There is no such space.
    #[wasm_bindgen(js_name = playSpace)]
    pub fn play_space(&mut self, layer: usize, space: usize, seconds: f32, curve: u32) -> Result<(), JsError> {
        let motion = self.spaces.get(space).copied().ok_or_else(|| exception("there is no such blend space"))?;
        self.begin(layer, Cue::Motion(motion), seconds, curve)
    }

    /// Plays a clip once, and then what played before.
    ///
    /// # Errors
    /// There is no such clip.
    #[wasm_bindgen(js_name = playOnce)]
    pub fn play_once(&mut self, layer: usize, clip: &str, fade_in: f32, fade_out: f32) -> Result<(), JsError> {
        let (fade_in, fade_out) = (fade(fade_in, 1), fade(fade_out, 1));
        self.layer_mut(layer)?.play_once(clip, fade_in, fade_out).map(|_| ()).map_err(exception)
    }

    /// Starts a clip over.
    ///
    /// # Errors
    /// There is no such clip.
    pub fn restart(&mut self, layer: usize, clip: &str, seconds: f32, curve: u32) -> Result<(), JsError> {
        self.layer_mut(layer)?.restart(clip, fade(seconds, curve)).map(|_| ()).map_err(exception)
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

    /// Lets a layer act on the joints below some joints only; on the upper body where there are none.
    ///
    /// # Errors
    /// There is no such joint, or no upper body was found.
    #[wasm_bindgen(js_name = setMask)]
    pub fn set_mask(&mut self, layer: usize, joints: Vec<String>) -> Result<(), JsError> {
        let rig = self.character.rig().clone();
        let mask = if joints.is_empty() {
            rig.upper_body().map_err(exception)?
        } else {
            let mut mask = JointMask::none(&rig);
            for joint in &joints {
                mask = mask.with_subtree(&rig, joint, 1.0).map_err(exception)?;
            }
            mask
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

    /// Moves to a place of a blend space.
    ///
    /// # Errors
    /// There is no such space.
    #[wasm_bindgen(js_name = setBlendPosition)]
    pub fn set_blend_position(&mut self, space: usize, x: f32, y: f32) -> Result<(), JsError> {
        let motion = self.spaces.get(space).copied().ok_or_else(|| exception("there is no such blend space"))?;
        self.character.mixer.set_blend_position(motion, Vec2::new(x, y)).map_err(exception)
    }

    /// A number of a layer: weight, fade progress, fade duration, whether it has just finished, the mixer's time scale.
    #[wasm_bindgen(js_name = layerNumber)]
    #[must_use]
    pub fn layer_number(&self, layer: usize, which: u32) -> f64 {
        let Some(layer) = self.character.mixer.layer(LayerId::new(layer)) else { return f64::NAN };
        match which {
            0 => layer.weight.into(),
            1 => layer.fade_progress.into(),
            2 => layer.fade_duration.into(),
            3 => f64::from(u8::from(layer.has_just_finished())),
            _ => self.character.mixer.time_scale.into(),
        }
    }

    /// Sets the weight of a layer.
    ///
    /// # Errors
    /// There is no such layer.
    #[wasm_bindgen(js_name = setLayerWeight)]
    pub fn set_layer_weight(&mut self, layer: usize, weight: f32) -> Result<(), JsError> {
        self.layer_mut(layer)?.weight = weight;
        Ok(())
    }

    /// Sets how fast the mixer's time passes.
    #[wasm_bindgen(js_name = setTimeScale)]
    pub fn set_time_scale(&mut self, scale: f32) {
        self.character.mixer.time_scale = scale;
    }

    /// The clip of a layer's action: its index, -1 for a blend space, -2 for none. `which` is the current one, or the one that fades.
    #[wasm_bindgen(js_name = actionClip)]
    #[must_use]
    pub fn action_clip(&self, layer: usize, which: u32) -> i32 {
        let action = self.action(layer, which);
        action.map_or(-2, |action| action.clip().map_or(-1, |clip| clip as i32))
    }

    /// A number of an action: time, speed, loop, playing, weight, duration, total time, repetitions, back and forth.
    #[wasm_bindgen(js_name = actionNumber)]
    #[must_use]
    pub fn action_number(&self, layer: usize, which: u32, number: u32) -> f64 {
        let Some(action) = self.action(layer, which) else { return f64::NAN };
        let flag = |flag: bool| f64::from(u8::from(flag));
        match number {
            0 => action.time.into(),
            1 => action.speed.into(),
            2 => flag(action.looping),
            3 => flag(action.playing),
            4 => action.weight.into(),
            5 => action.duration().into(),
            6 => action.total_time(),
            7 => action.repetitions.into(),
            _ => flag(action.back_and_forth),
        }
    }

    /// Sets a number of an action; the time seeks.
    #[wasm_bindgen(js_name = setActionNumber)]
    pub fn set_action_number(&mut self, layer: usize, which: u32, number: u32, value: f64) {
        let layer = self.character.mixer.layer_mut(LayerId::new(layer));
        let action = layer.and_then(|layer| match which {
            0 => layer.current_action.as_mut(),
            _ => layer.fading_action.as_mut(),
        });
        let Some(action) = action else { return };
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
    }

    /// How many markers clips came by in the last update.
    #[wasm_bindgen(js_name = eventCount)]
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// A number of an event: layer, clip, marker, weight, pass, total time, whether it was met backwards.
    #[wasm_bindgen(js_name = eventNumber)]
    #[must_use]
    pub fn event_number(&self, event: usize, number: u32) -> f64 {
        let Some(event) = self.events.get(event) else { return f64::NAN };
        match number {
            0 => event.layer.into(),
            1 => event.clip.into(),
            2 => event.marker.into(),
            3 => event.weight.into(),
            4 => event.pass,
            5 => event.total_time,
            _ => f64::from(u8::from(event.is_rewinding)),
        }
    }
}

impl RawCharacter {
    fn begin(&mut self, layer: usize, cue: Cue<'_>, seconds: f32, curve: u32) -> Result<(), JsError> {
        self.layer_mut(layer)?.play(cue, fade(seconds, curve)).map(|_| ()).map_err(exception)
    }

    fn layer_mut(&mut self, layer: usize) -> Result<&mut MixerLayer, JsError> {
        let layer = LayerId::new(layer);
        let missing = PlayError::NoSuchLayer { layer, count: self.character.mixer.layers().count() };
        self.character.mixer.layer_mut(layer).ok_or_else(|| exception(missing))
    }

    fn action(&self, layer: usize, which: u32) -> Option<&AnimationAction> {
        let layer = self.character.mixer.layer(LayerId::new(layer))?;
        if which == 0 { layer.current_action.as_ref() } else { layer.fading_action.as_ref() }
    }
}
