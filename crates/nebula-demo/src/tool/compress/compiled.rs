//! Compiled clips as a file, for games that load them without glTF.

use std::fs;
use std::path::Path;

use nebula_animation::{AnimationClipLibrary, Compression, LibraryOptions};

use super::input::Input;

/// Writes the clips of a file, and reads them once more, as whoever loads them does.
pub fn write(out: &Path, input: &Input, compression: &Compression) -> Result<(), String> {
    let options = LibraryOptions { compression: Some(compression.clone()), ..LibraryOptions::default() };
    let bytes = AnimationClipLibrary::to_bytes(&input.rig, &input.clips, options);
    let told = |problem: String| format!("{}: {problem}", out.display());
    fs::write(out, &bytes).map_err(|error| told(error.to_string()))?;
    AnimationClipLibrary::from_bytes(&input.rig, bytes).map(|_| ()).map_err(|error| told(error.to_string()))
}
