//! Pictures of characters: the demo, and users' files.
//!
//! A `shot` says what is seen from where, whoever draws it: a `renderer`. The one without a GPU has the library deform
//! the vertices (`surfaces`) and hands them to [`picture`](crate::picture).
//!
//! How a file becomes a shot: `model` loads it and prepares what does not change (`image` decodes its textures, `looks` are its materials), a
//! `figure` takes a pose, `side` and `stage` find where camera and floor go, `course` where a camera goes along, `film` has the frames drawn and writes the file.
//! `played` is the character that the viewer shows of a file, as recordings of it need it again. `clusters` tells which triangles are too small to be seen.
//! `render` and `sheet` do that for other people's files, a sheet with labels in a `font` of its own; `demo` for the
//! [scenes](crate::scene) of this program.

#[cfg(feature = "gpu")]
pub(crate) mod bounds;
pub mod clusters;
pub(crate) mod course;
pub mod demo;
pub mod figure;
pub mod film;
mod font;
mod image;
pub mod looks;
pub mod model;
mod outline;
pub mod output;
pub mod played;
pub mod render;
pub mod renderer;
pub mod sheet;
pub mod shot;
pub(crate) mod side;
pub(crate) mod stage;
pub mod surfaces;
#[cfg(test)]
pub(crate) mod tests;
