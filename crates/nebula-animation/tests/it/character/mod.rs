//! Whole characters: faces and bodies that move together, held to an `f64` reference that shares no code with the library.

mod fades;
mod files;
mod layers;
mod many;
mod picture;
mod stage;
mod whole;
