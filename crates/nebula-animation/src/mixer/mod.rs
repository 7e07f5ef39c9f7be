//! Several clips at once: blends of any number of them, cross-fades that never pop, layers.

mod blend;
mod motion;

pub use blend::{BlendInput, BlendMode, Blender};
pub use motion::Motion;
