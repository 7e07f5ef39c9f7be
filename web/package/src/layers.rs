//! Procedural layers of a character.

use glam::Vec3;
use nebula_animation::{AimLayer, BodyLean, BreathingLayer, FootPlacement, LookAtLayer};
use wasm_bindgen::prelude::*;

use crate::character::RawCharacter;
use crate::exception;

#[wasm_bindgen(js_class = RawCharacter)]
impl RawCharacter {
    /// Adds a layer by its number: looking with the head, looking with eyes, head and trunk, feet on the ground, leaning into turns,
    /// breathing. A character has at most one of each.
    ///
    /// # Errors
    /// The joints that it needs were not found: which ones.
    #[wasm_bindgen(js_name = addProcedural)]
    pub fn add_procedural(&mut self, kind: u32) -> Result<(), JsError> {
        if self.weigh(kind, 1.0) {
            return Ok(());
        }
        let rig = self.character.rig().clone();
        let humanoid = rig.humanoid();
        match kind {
            0 => self.character.add_layer(humanoid.look_at(Vec3::ZERO).map_err(exception)?),
            1 => self.character.add_layer(humanoid.aim(&rig, Vec3::ZERO).map_err(exception)?),
            2 => match rig.feet() {
                Some(feet) => self.character.add_layer(FootPlacement::new(feet.clone())),
                None => self.character.add_layer(humanoid.foot_placement(&rig).map_err(exception)?),
            },
            3 => self.character.add_layer(humanoid.lean().map_err(exception)?),
            _ => self.character.add_layer(humanoid.breathing().map_err(exception)?),
        }
        Ok(())
    }

    /// Sets where a layer that looks has to look, in world space: at the point that the scratch tells.
    #[wasm_bindgen(js_name = setTarget)]
    pub fn set_target(&mut self, kind: u32) {
        let [x, y, z, ..] = self.scratch.each_ref().map(|number| number.get() as f32);
        let target = Vec3::new(x, y, z);
        if kind == 0 {
            self.character.layer_mut::<LookAtLayer>().into_iter().for_each(|layer| layer.target = target);
        } else {
            self.character.layer_mut::<AimLayer>().into_iter().for_each(|layer| layer.target = target);
        }
    }

    /// Sets how much of a layer is seen, from 0 to 1, to the number in the scratch; whether there is such a layer.
    #[wasm_bindgen(js_name = setProceduralWeight)]
    pub fn set_procedural_weight(&mut self, kind: u32) -> bool {
        self.weigh(kind, self.number() as f32)
    }

    /// Whether a foot stands.
    #[wasm_bindgen(js_name = isPlanted)]
    pub fn is_planted(&mut self, leg: usize) -> bool {
        self.character.layer_mut::<FootPlacement>().is_some_and(|feet| feet.is_planted(leg))
    }
}

impl RawCharacter {
    fn weigh(&mut self, kind: u32, weight: f32) -> bool {
        let character = &mut self.character;
        let place = match kind {
            0 => character.layer_mut::<LookAtLayer>().map(|layer| &mut layer.weight),
            1 => character.layer_mut::<AimLayer>().map(|layer| &mut layer.weight),
            2 => character.layer_mut::<FootPlacement>().map(|layer| &mut layer.weight),
            3 => character.layer_mut::<BodyLean>().map(|layer| &mut layer.weight),
            _ => character.layer_mut::<BreathingLayer>().map(|layer| &mut layer.weight),
        };
        place.map(|place| *place = weight).is_some()
    }
}
