//! Writes what the window shows as lines to a file, for external tests.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;

use super::places::Places;

/// The file that `NEBULA_TRACE_UI` names. Each line is a name, a blank and a value; a name comes again when its value
/// changes. `place NAME` says where a part of a panel is, in pixels: left, top, width, height.
pub struct Trace {
    file: Option<File>,
    known: BTreeMap<String, String>,
}

impl Trace {
    /// The trace that the environment asks for; one that writes nothing otherwise.
    pub fn from_environment() -> Self {
        let path = std::env::var_os("NEBULA_TRACE_UI");
        Self { file: path.and_then(|path| File::create(path).ok()), known: BTreeMap::new() }
    }

    /// Writes what has changed.
    pub fn note(&mut self, values: impl IntoIterator<Item = (String, String)>) {
        let Some(file) = &mut self.file else { return };
        for (name, value) in values {
            if self.known.get(&name) != Some(&value) {
                // A full disk ends the trace, not the program.
                let _ = writeln!(file, "{name} {value}");
                self.known.insert(name, value);
            }
        }
    }

    /// Writes which places have changed.
    pub fn note_places(&mut self, places: &Places, scale: f32) {
        if self.file.is_none() {
            return;
        }
        let line = |(name, rect): (&str, egui::Rect)| {
            let [x, y, width, height] =
                [rect.min.x, rect.min.y, rect.width(), rect.height()].map(|at| (at * scale).round());
            (format!("place {name}"), format!("{x} {y} {width} {height}"))
        };
        self.note(places.iter().map(line));
    }
}
