//! What the fuzz targets do with their input. The bodies are plain functions that panic on a fault, so that the library's own tests can
//! replay the kept corpora on stable Rust: `crates/nebula-animation/tests/it/fuzz.rs` and
//! `crates/nebula-import/tests/it/fuzz.rs`.

/// Bytes: files of compiled clips.
pub mod clips;
/// Text: state machines from JSON.
pub mod document;
/// Files of other formats, and what is compressed in glTF.
pub mod import;
/// glTF bytes: load, compile, sample, skin.
pub mod load;
/// Changes of glTF files that keep the container and the JSON whole.
pub mod mutate;
/// Rigs, clips and layers, and every call on them.
pub mod play;
/// Bytes: recordings, which are played.
pub mod recording;
