//! The parts of the demo program that tests and benchmarks use too.

/// Writes the characters that the repository ships.
pub mod author;
/// Measures evaluation against the plain path.
#[cfg(not(target_arch = "wasm32"))]
pub mod bench;
/// The command line.
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
/// Draws scenes with a GPU.
#[cfg(feature = "gpu")]
pub mod gpu;
/// Draws scenes without a GPU, and writes pictures.
pub mod picture;
/// What the demo shows.
pub mod scene;
/// Characters as pictures: the demo, and other people's files.
pub mod show;
/// The commands that look at files and print text.
#[cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "pages have no command line"))]
mod tool;
/// The windows: the viewer, and the demo that one steers.
#[cfg(feature = "window")]
pub mod window;
