//! Changes of glTF files. libFuzzer's own changes break the lengths of the container and the syntax of the JSON almost every time, so
//! that little behind them is reached; these keep both whole most of the time.

mod dice;
mod json;
mod parts;
mod words;

use dice::Dice;
use json::change_json;
use parts::Parts;
use words::{AVATAR_WORDS, DOCUMENT_WORDS, WORDS};

/// The plain mutator, `libfuzzer_sys::fuzzer_mutate`: bytes, how many of them count, how many there may be; how many count now.
pub type Plain = fn(&mut [u8], usize, usize) -> usize;

/// Changes an input of the `load` target in place; gives its new length.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    let mut dice = Dice::new(seed);
    let parts = Parts::of(&data[..size]);
    let (Some(mut parts), false) = (parts, dice.one_in(12)) else { return plain(data, size, max_size) };
    let room = max_size.saturating_sub(64);
    for _ in 0..=dice.below(3) {
        match dice.below(16) {
            0 => parts.choice = dice.below(256) as u8,
            1..=4 if parts.binary.as_ref().is_some_and(|binary| !binary.is_empty()) => {
                if let Some(binary) = &mut parts.binary {
                    let most = room.saturating_sub(parts.json.len()).max(binary.len());
                    change(binary, most, plain);
                }
            }
            5 | 6 => {
                let most = room.saturating_sub(parts.binary.as_ref().map_or(0, Vec::len)).max(parts.json.len());
                change(&mut parts.json, most, plain);
            }
            _ => change_json(&mut parts.json, WORDS, &mut dice),
        }
    }
    let file = parts.pack(dice.one_in(64), &mut dice);
    if file.is_empty() || file.len() > max_size.min(data.len()) {
        return plain(data, size, max_size);
    }
    data[..file.len()].copy_from_slice(&file);
    file.len()
}

/// Changes a document of the `document` target in place; gives its new length.
pub fn mutate_text(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    mutate_json(data, size, max_size, seed, plain, DOCUMENT_WORDS)
}

/// Changes an input of the `vrm` target in place; gives its new length.
pub fn mutate_avatar(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    mutate_json(data, size, max_size, seed, plain, AVATAR_WORDS)
}

/// Changes a few bytes of a binary file in place most of the time, and keeps its length: whatever stands before others says how many they
/// are, so that files with a byte more or less are refused early. Gives the new length.
pub fn mutate_binary(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    let mut dice = Dice::new(seed);
    if size == 0 || dice.one_in(8) {
        return plain(data, size, max_size);
    }
    for _ in 0..=dice.below(3) {
        let most = (size).min(1 + dice.below(12));
        let start = dice.below(size - most + 1);
        let window = &mut data[start..start + most];
        // What comes out shorter leaves the bytes behind it as they were.
        plain(window, most, most);
    }
    size
}

fn mutate_json(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain, words: &[&str]) -> usize {
    let mut dice = Dice::new(seed);
    if dice.one_in(4) {
        return plain(data, size, max_size);
    }
    let mut text = data[..size].to_vec();
    for _ in 0..=dice.below(3) {
        change_json(&mut text, words, &mut dice);
    }
    if text.is_empty() || text.len() > max_size.min(data.len()) {
        return plain(data, size, max_size);
    }
    data[..text.len()].copy_from_slice(&text);
    text.len()
}

fn change(bytes: &mut Vec<u8>, most: usize, plain: Plain) {
    if most == 0 {
        return;
    }
    let size = bytes.len();
    bytes.resize(most, 0);
    let size = plain(bytes, size, most);
    bytes.truncate(size);
}
