//! Saves the recorded frames as a file that shows the same elsewhere.

use std::path::{Path, PathBuf};

use nebula_animation::Recorder;

use super::Inspector;
use crate::show::played;

impl Inspector {
    /// Writes the recorded frames, and looks whether the file is read again.
    pub fn save_recording(&mut self, character: &Recorder) {
        let file = &self.recording;
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let tape = character.tape();
        // Whoever plays it needs the machines.
        let documents = if self.desk.is_on { &self.desk.documents[..] } else { &[] };
        let saved = played::recording(&name, tape, documents).and_then(|recording| {
            let bytes = recording.to_bytes();
            std::fs::write(file, &bytes).map(|()| bytes).map_err(|error| error.to_string())
        });
        self.message = Some(match saved {
            Ok(bytes) => {
                let frames = tape.frames();
                let count = frames.end - frames.start;
                format!("saved {}: {count} frames in {} KB", file.display(), bytes.len().div_ceil(1024))
            }
            Err(error) => format!("{}: {error}", file.display()),
        });
    }

    /// Shows the frames of a recording, beginning with the last one. `model` is what the character is called, and `make` makes it anew.
    pub fn open_recording(
        &mut self,
        file: &Path,
        model: &str,
        character: &mut Recorder,
        make: played::Make<'_>,
    ) -> Result<(), String> {
        let played::Restored { name, recorder, documents } = played::restore(file, None, model, make)?;
        *character = recorder;
        self.is_open = true;
        self.go_live();
        self.moments.note_all(character);
        self.explanation = None;
        self.curves = Default::default();
        (self.desk.is_on, self.desk.documents) = (!documents.is_empty(), documents);
        let frames = character.tape().frames();
        self.go_to(character, frames.end.saturating_sub(1));
        self.message = Some(format!("{}: tape \"{name}\", frames {frames:?}", file.display()));
        Ok(())
    }

    /// The recording that somebody has asked for since the window asked last.
    pub fn take_wanted(&mut self) -> Option<PathBuf> {
        std::mem::take(&mut self.wants_saved).then(|| self.recording.clone())
    }
}
