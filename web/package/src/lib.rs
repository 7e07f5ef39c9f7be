//! The Rust side of the npm package: the library's objects as classes that exchange numbers, names and pointers.
//!
//! The package's face is JavaScript (`js/`): it gives these classes the names of the contract, makes views of the memory that they point
//! to, and parses what is told as JSON. Nothing that is called each frame hands over anything but whole numbers; all others are in memory, in
//! the scratch of a character or a crowd: as arguments and results they would be objects of JavaScript's.

mod asset;
mod attachments;
mod character;
#[path = "../../console.rs"]
mod console;
mod crowd;
mod describe;
mod events;
mod ground;
mod layers;
mod machines;
mod many;
mod mixer;

use wasm_bindgen::prelude::*;

/// An exception with the library's own message.
fn exception(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

/// Which vector instructions this module was compiled for.
#[wasm_bindgen(js_name = instructionSet)]
#[must_use]
pub fn instruction_set() -> String {
    nebula_animation::compile::Isa::best().to_string()
}

/// The address of something in this module's memory.
fn address<T>(of: &[T]) -> usize {
    of.as_ptr().addr()
}
