//! What the fuzz targets do with their input. The bodies are plain functions that panic on a fault, so that the library's own tests can
//! replay the kept corpora on stable Rust: `crates/nebula-animation/tests/it/fuzz.rs`.

/// Text: state machines from JSON.
pub mod document;
/// glTF bytes: load, compile, sample, skin.
pub mod load;
/// Changes of glTF files that keep the container and the JSON whole.
pub mod mutate;
/// Rigs, clips and layers, and every call on them.
pub mod play;
