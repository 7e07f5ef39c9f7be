//! Recordings: every frame comes back with the same bits, and no file does harm.

mod bytes;
mod everyone;
mod frames;
mod other;
mod settings;
mod together;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use nebula_animation::Character;

use crate::state::troupe::Sight;

/// Everything that can be seen of a frame and all that decides the next one, bit by bit, as a number.
fn seen(character: &Character) -> u64 {
    let sight = Sight::of(character);
    let mut hasher = DefaultHasher::new();
    sight.numbers.hash(&mut hasher);
    sight.words.hash(&mut hasher);
    character.state().hash(&mut hasher);
    hasher.finish()
}
