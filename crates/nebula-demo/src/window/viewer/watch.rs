//! Notices when a file has been written.

use std::path::PathBuf;
use std::time::SystemTime;

/// Looks at a file from time to time.
#[derive(Debug)]
pub struct Watch {
    path: PathBuf,
    /// What is shown.
    shown: Option<Stamp>,
    /// What was seen last, while it is not yet shown.
    seen: Option<Stamp>,
    /// Seconds until the next look.
    wait: f32,
}

/// A file is the same while this is.
type Stamp = (SystemTime, u64);

/// Seconds between two looks. A file that differs from the one that is shown, but not from the look before, has been written
/// to its end.
const PAUSE: f32 = 0.3;

impl Watch {
    /// Watches a file as it is now.
    pub fn new(path: PathBuf) -> Self {
        let shown = stamp(&path);
        Self { path, shown, seen: None, wait: PAUSE }
    }

    /// Lets time pass; whether the file is another one, and complete.
    pub fn update(&mut self, dt: f32) -> bool {
        self.wait -= dt;
        if self.wait > 0.0 {
            return false;
        }
        self.wait = PAUSE;
        let now = stamp(&self.path);
        // A file that is gone is about to be written anew.
        if now.is_none() || now == self.shown {
            self.seen = None;
            return false;
        }
        let is_complete = self.seen == now;
        self.seen = now;
        if is_complete {
            self.shown = now;
            self.seen = None;
        }
        is_complete
    }
}

fn stamp(path: &PathBuf) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_counts_once_it_has_stopped_changing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"a").unwrap();
        let mut watch = Watch::new(path.clone());
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
}
