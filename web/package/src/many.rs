//! Characters side by side.

use nebula_animation::Character;
use wasm_bindgen::prelude::*;

use crate::character::{Around, RawCharacter};

/// As [`RawCharacter::update`] of each of eight characters, by the time that the scratch of the first one tells; faster where they are of
/// one file. Whose function of the ground threw something: a bit for each.
#[wasm_bindgen(js_name = updateEight)]
#[allow(clippy::too_many_arguments, reason = "a list of borrowed objects cannot be handed over")]
#[must_use]
pub fn update_eight(
    a: &mut RawCharacter,
    b: &mut RawCharacter,
    c: &mut RawCharacter,
    d: &mut RawCharacter,
    e: &mut RawCharacter,
    f: &mut RawCharacter,
    g: &mut RawCharacter,
    h: &mut RawCharacter,
) -> u32 {
    let dt = a.number();
    let mut eight = [a, b, c, d, e, f, g, h];
    eight.iter_mut().for_each(|raw| raw.begin());
    let mut around: [Option<Around<'_>>; 8] = Default::default();
    let mut places = around.iter_mut();
    let mut characters: [&mut Character; 8] = eight.each_mut().map(|raw| {
        let (character, around) = raw.split();
        // There is one for each.
        if let Some(place) = places.next() {
            *place = Some(around);
        }
        character
    });
    Character::update_all_of(&mut characters, dt, |index, _| {
        around.get(index).and_then(Option::as_ref).map(Around::surroundings).unwrap_or_default()
    });
    eight.iter_mut().enumerate().fold(0, |thrown, (index, raw)| thrown | u32::from(raw.end()) << index)
}
