//! Characters as pictures, without a GPU: the demo, and the same for anyone's file.
//!
//! How a file becomes a picture: `model` loads it and prepares what does not change (`image` decodes its textures), a
//! `figure` takes a pose (`skin` morphs and deforms the vertices) and hands its surfaces and its skeleton to
//! [`picture`](crate::picture), `stage` finds where camera and floor go, `film` draws the frames and writes the file.
//!
//! `demo` plays a `script` of the shipped humanoid, which `gait` moves over the ground; `render` and `sheet` show
//! other people's files, a sheet with labels in a `font` of its own.

pub mod demo;
pub(crate) mod figure;
mod film;
mod font;
mod gait;
mod image;
pub mod model;
pub mod output;
pub mod render;
mod script;
#[cfg(feature = "gpu")]
pub(crate) mod shapes;
pub mod sheet;
pub mod shot;
pub(crate) mod skin;
pub(crate) mod stage;
#[cfg(test)]
mod tests;
