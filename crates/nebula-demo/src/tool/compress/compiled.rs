//! Compiled clips as a file, for games that load them without glTF.

use std::fs;
use std::path::Path;

use nebula_animation::{AnimationClipLibrary, Compression, LibraryOptions};

use super::input::Input;

/// How the names of such files end.
const ENDING: &str = "clips";

/// Whether a file is to hold compiled clips.
pub fn is_meant(out: &Path) -> bool {
    out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING))
}

/// Writes the clips of a file, and reads them once more, as whoever loads them does.
pub fn write(out: &Path, inputs: &[Input], compression: &Compression) -> Result<(), String> {
    let [input] = inputs else {
        return Err(format!(
            "{}: the clips of {} files have as many rigs; a file has one",
            out.display(),
            inputs.len()
        ));
    };
    let options = LibraryOptions { compression: Some(compression.clone()), ..LibraryOptions::default() };
    let bytes = AnimationClipLibrary::to_bytes(&input.rig, &input.clips, options);
    let told = |problem: String| format!("{}: {problem}", out.display());
    fs::write(out, &bytes).map_err(|error| told(error.to_string()))?;
    AnimationClipLibrary::from_bytes(&input.rig, bytes).map(|_| ()).map_err(|error| told(error.to_string()))
}
