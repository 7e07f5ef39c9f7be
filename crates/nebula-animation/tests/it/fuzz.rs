//! The bodies of the fuzz targets (`fuzz/`, a workspace of its own) on the inputs that are kept of them: the same on every machine, and
//! on stable Rust. A finding becomes an input here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::support::within_a_minute;

#[cfg(feature = "documents")]
#[path = "../../../../fuzz/src/document.rs"]
mod document;
#[path = "../../../../fuzz/src/load.rs"]
pub mod load;
#[cfg(feature = "documents")]
#[path = "../../../../fuzz/src/play/mod.rs"]
mod play;

/// Runs a target on every input that is kept of it.
fn replay(target: &str, least: usize, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the corpus is readable").path())
        .collect();
    files.sort();
    assert!(files.len() >= least, "{} inputs in {}, expected at least {least}", files.len(), folder.display());
    let mut broken = Vec::new();
    for file in &files {
        let input = std::fs::read(file).expect("the corpus is readable");
        let run = || within_a_minute(file.display(), || body(&input));
        if catch_unwind(AssertUnwindSafe(run)).is_err() {
            broken.push(file.display().to_string());
        }
    }
    assert!(broken.is_empty(), "the panics above come from:\n{}", broken.join("\n"));
}

#[test]
fn kept_files_load_or_are_refused() {
    replay("load", 200, |input| {
        load::load(input);
    });
}

#[cfg(feature = "documents")]
#[test]
fn kept_calls_leave_finite_poses() {
    replay("play", 200, play::play);
}

#[cfg(feature = "documents")]
#[test]
fn kept_documents_are_read_or_refused() {
    replay("document", 50, document::document);
}
