//! Watches a file, and the files it refers to, for changes.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nebula_animation::Asset;

/// Looks at a file, and at the buffers and images that it refers to, from time to time.
#[derive(Debug)]
pub struct Watch {
    /// The file itself comes first.
    paths: Vec<PathBuf>,
    /// What is shown.
    shown: Vec<Stamp>,
    /// What was seen last, while it is not yet shown.
    seen: Option<Vec<Stamp>>,
    /// Seconds until the next look.
    wait: f32,
}

/// A file is the same while this is; none while there is no file.
type Stamp = Option<(SystemTime, u64)>;

/// Seconds between two looks. Files that differ from those that are shown, but not from the look before, have been written to
/// their end.
const PAUSE: f32 = 0.3;

/// The most files that are looked at: a file may name any number of them.
const MOST: usize = 500;

impl Watch {
    /// Watches a file as it is now.
    pub fn new(file: &Path) -> Self {
        let mut paths = Asset::files(file);
        paths.truncate(MOST);
        let shown = stamps(&paths);
        Self { paths, shown, seen: None, wait: PAUSE }
    }

    /// Lets time pass; whether any of the files is another one, and all are complete.
    pub fn update(&mut self, dt: f32) -> bool {
        self.wait -= dt;
        if self.wait > 0.0 {
            return false;
        }
        self.wait = PAUSE;
        let now = stamps(&self.paths);
        // A file that is gone is about to be written anew, unless the first one has changed and may not name it any more. One that
        // was never there may come.
        let is_gone = self.shown.iter().zip(&now).any(|(shown, now)| shown.is_some() && now.is_none());
        let is_first_same = self.shown.first() == now.first();
        if (is_gone && is_first_same) || now.first().is_none_or(Option::is_none) || now == self.shown {
            self.seen = None;
            return false;
        }
        let is_complete = self.seen.as_ref() == Some(&now);
        if is_complete {
            self.shown = now;
            self.seen = None;
        } else {
            self.seen = Some(now);
        }
        is_complete
    }
}

fn stamps(paths: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |path: &PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    paths.iter().map(stamp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_counts_once_it_has_stopped_changing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"a").unwrap();
        let mut watch = Watch::new(&path);
        assert!(!watch.update(1.0), "nothing has changed");
        std::fs::write(&path, b"ab").unwrap();
        assert!(!watch.update(1.0), "it may still be growing");
        std::fs::write(&path, b"abc").unwrap();
        assert!(!watch.update(1.0), "it is still growing");
        assert!(!watch.update(0.1), "too early to look");
        assert!(watch.update(1.0), "complete");
        assert!(!watch.update(1.0) && !watch.update(1.0), "told once");
        std::fs::remove_file(&path).unwrap();
        assert!(!watch.update(1.0) && !watch.update(1.0), "gone");
        std::fs::write(&path, b"abcd").unwrap();
        assert!(!watch.update(1.0));
        assert!(watch.update(1.0), "back");
    }

    /// A .gltf is as new as its buffers and images, those included that were missing at first.
    #[test]
    fn files_that_a_file_refers_to_count_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let json = r#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 1, "uri": "a%20b.bin"}],
            "images": [{"uri": "skin.png"}, {"uri": "data:image/png;base64,AAAA"}, {"uri": "../outside.png"}]}"#;
        std::fs::write(path("model.gltf"), json).unwrap();
        std::fs::write(path("a b.bin"), b"1").unwrap();
        let mut watch = Watch::new(&path("model.gltf"));
        let mut is_told = || {
            let told = [watch.update(1.0), watch.update(1.0), watch.update(1.0)];
            assert!(!told[0] && !told[2]);
            told[1]
        };
        assert!(!is_told(), "nothing has changed");
        std::fs::write(path("a b.bin"), b"12").unwrap();
        assert!(is_told(), "a buffer");
        std::fs::write(path("skin.png"), b"1").unwrap();
        assert!(is_told(), "an image that was missing");
        std::fs::write(path("skin.png"), b"12").unwrap();
        assert!(is_told(), "an image");
        std::fs::write(path("other.png"), b"1").unwrap();
        assert!(!is_told(), "a file that is not shown");
        std::fs::remove_file(path("a b.bin")).unwrap();
        assert!(!is_told(), "a buffer that is gone");
        std::fs::write(path("a b.bin"), b"123").unwrap();
        assert!(is_told(), "back");
        std::fs::remove_file(path("a b.bin")).unwrap();
        std::fs::write(path("model.gltf"), json.replace("a%20b", "other")).unwrap();
        assert!(is_told(), "it names another buffer");
    }
}
