//! The parts of the demo program that tests and benchmarks use too.

/// Writes the characters that the repository ships.
pub mod author;
/// Measures evaluation against the plain path.
pub mod bench;
/// The command line.
pub mod cli;
/// Draws scenes without a GPU, and writes pictures.
pub mod picture;
/// The commands that look at files and print text.
mod tool;
