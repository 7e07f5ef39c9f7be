//! Thousands of characters in one call.

use std::cell::Cell;
use std::collections::BTreeMap;

use nebula_animation::crowd::{CrowdCharacter, CrowdCharacterId, CrowdClipId, SecondClip};
use wasm_bindgen::prelude::*;

use crate::asset::RawAsset;
use crate::{address, exception};

/// A crowd. Characters are told apart by numbers that are never used again.
#[wasm_bindgen(js_name = RawCrowd)]
#[derive(Default)]
pub struct RawCrowd {
    crowd: nebula_animation::Crowd,
    clips: Vec<CrowdClipId>,
    people: BTreeMap<usize, CrowdCharacterId>,
    next: usize,
    /// Numbers that JavaScript and this code hand each other.
    scratch: Box<[Cell<f64>; 2]>,
}

#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    /// An empty crowd.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a clip of a file; its number.
    ///
    /// # Errors
    /// There is no such clip.
    #[wasm_bindgen(js_name = addClip)]
    pub fn add_clip(&mut self, asset: &RawAsset, clip: &str) -> Result<usize, JsError> {
        let clip = asset.library.find(clip).map_err(exception)?;
        self.clips.push(self.crowd.add_clip(&asset.library, clip).map_err(exception)?);
        Ok(self.clips.len() - 1)
    }

    /// A new character that plays a clip; its number.
    ///
    /// # Errors
    /// There is no such clip.
    pub fn spawn(&mut self, clip: usize) -> Result<usize, JsError> {
        let clip = self.clip(clip)?;
        let number = self.next;
        self.people.insert(number, self.crowd.spawn(clip).map_err(exception)?);
        self.next += 1;
        Ok(number)
    }

    /// Lets a character leave; whether it was there.
    pub fn remove(&mut self, character: usize) -> bool {
        self.people.remove(&character).is_some_and(|id| self.crowd.remove(id).is_some())
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.crowd.characters().len()
    }

    /// Where the two doubles are that are handed over in memory.
    #[wasm_bindgen(js_name = scratchAddress)]
    #[must_use]
    pub fn scratch_address(&self) -> usize {
        address(&*self.scratch)
    }

    /// Lets a character play another clip, at the time that the scratch tells; whether both are there.
    #[wasm_bindgen(js_name = setClip)]
    pub fn set_clip(&mut self, character: usize, clip: usize) -> bool {
        let time = self.scratch[0].get();
        let clip = self.clips.get(clip).copied();
        let Some((character, clip)) = self.character(character).zip(clip) else { return false };
        (character.clip, character.time) = (clip, time);
        true
    }

    /// Blends a second clip over the first, from a time on and by a weight that the scratch tells; none of it where the weight is 0. One
    /// that is blended already goes on where no time is told. Whether both are there.
    #[wasm_bindgen(js_name = setSecond)]
    pub fn set_second(&mut self, character: usize, clip: usize) -> bool {
        let (time, weight) = (self.scratch[0].get(), self.scratch[1].get() as f32);
        let clip = self.clips.get(clip).copied();
        let Some((character, clip)) = self.character(character).zip(clip) else { return false };
        let goes_on = character.second.filter(|second| second.clip == clip && time.is_nan()).map(|second| second.time);
        let time = goes_on.unwrap_or(if time.is_nan() { 0.0 } else { time });
        character.second = (weight > 0.0).then_some(SecondClip { clip, time, weight });
        true
    }

    /// Writes the time of a character to the scratch; whether it is there.
    #[must_use]
    pub fn time(&self, character: usize) -> bool {
        let character = self.people.get(&character).and_then(|id| self.crowd.character(*id));
        character.map(|character| self.scratch[0].set(character.time)).is_some()
    }

    /// Sets a number of a character to the one in the scratch: time, speed, loop. Whether it is there.
    #[wasm_bindgen(js_name = setNumber)]
    pub fn set_number(&mut self, character: usize, which: u32) -> bool {
        let value = self.scratch[0].get();
        let Some(character) = self.character(character) else { return false };
        match which {
            0 => character.time = value,
            1 => character.speed = value as f32,
            _ => character.looping = value != 0.0,
        }
        true
    }

    /// Lets the time that the scratch tells pass for all of them, and makes their matrices.
    pub fn update(&mut self) {
        self.crowd.update(self.scratch[0].get());
    }

    /// Where the matrices are: twelve floats, three rows, for each joint.
    #[wasm_bindgen(js_name = paletteAddress)]
    #[must_use]
    pub fn palette_address(&self) -> usize {
        address(self.crowd.palettes())
    }

    /// How many matrices there are.
    #[wasm_bindgen(js_name = paletteCount)]
    #[must_use]
    pub fn palette_count(&self) -> usize {
        self.crowd.palettes().len()
    }

    /// Which matrix is the first of a character; -1 for one that is not there.
    #[wasm_bindgen(js_name = paletteStart)]
    #[must_use]
    pub fn palette_start(&self, character: usize) -> f64 {
        let start = self.people.get(&character).and_then(|id| self.crowd.palette_start(*id));
        start.map_or(-1.0, |start| start as f64)
    }
}

impl RawCrowd {
    fn clip(&self, clip: usize) -> Result<CrowdClipId, JsError> {
        self.clips.get(clip).copied().ok_or_else(|| exception("there is no such clip in the crowd"))
    }

    fn character(&mut self, character: usize) -> Option<&mut CrowdCharacter> {
        self.crowd.character_mut(*self.people.get(&character)?)
    }
}
