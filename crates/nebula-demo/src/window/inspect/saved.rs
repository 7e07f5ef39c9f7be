//! The recorded frames as a file: a report of what was seen, which shows the same elsewhere.

use nebula_animation::{Recorder, recorder::Recording};

use super::Inspector;

impl Inspector {
    /// Writes the recorded frames, and looks whether the file is read again.
    pub fn save_recording(&mut self, character: &Recorder) {
        let file = &self.recording;
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let tape = character.tape();
        let bytes = Recording::of([(name.as_str(), tape)]).to_bytes();
        let saved = match Recording::from_bytes(&bytes) {
            Ok(_) => std::fs::write(file, &bytes).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        self.message = Some(match saved {
            Ok(()) => {
                let frames = tape.frames();
                let count = frames.end - frames.start;
                format!("saved {}: {count} frames in {} KB", file.display(), bytes.len().div_ceil(1024))
            }
            Err(error) => format!("{}: {error}", file.display()),
        });
    }
}
