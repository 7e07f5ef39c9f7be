//! The bodies of the fuzz targets (`fuzz/`, a workspace of its own) on the inputs that are kept of them: the same on every machine, and
//! on stable Rust. A finding becomes an input here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use nebula_animation::recorder::Recording;

use crate::support::within_a_minute;

#[path = "../../../../fuzz/src/clips.rs"]
pub mod clips;
#[cfg(feature = "documents")]
#[path = "../../../../fuzz/src/document.rs"]
mod document;
#[path = "../../../../fuzz/src/load.rs"]
pub mod load;
#[cfg(feature = "documents")]
#[path = "../../../../fuzz/src/play/mod.rs"]
mod play;

#[path = "../../../../fuzz/src/recording.rs"]
pub mod recording;

/// Where the inputs of a target are.
pub fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

/// Runs a target on every input that is kept of it.
fn replay(target: &str, least: usize, body: fn(&[u8])) {
    let folder = corpus(target);
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

#[test]
fn kept_files_of_clips_are_read_or_refused() {
    replay("clips", 30, clips::clips);
}

/// Among what is kept is a file that is sound, or fuzzing would see nothing but refusals.
#[test]
fn a_kept_file_of_clips_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/clips");
    let file = std::fs::read(folder.join("sound")).expect("a kept file");
    let library = nebula_animation::AnimationClipLibrary::from_bytes(clips::rig(), file);
    assert_eq!(library.expect("it is for the rig").len(), 2);
}

/// Writes what the fuzz target `clips` begins with. By hand, after the format has changed.
#[test]
#[ignore = "writes a file"]
fn write_the_seed_of_clips() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/clips");
    std::fs::write(folder.join("sound"), clips::file()).expect("a file");
}

/// What fuzzing does, on stable Rust: every byte of a file changed in some ways, and every length of it.
#[test]
fn changed_files_of_clips_are_read_or_refused() {
    let file = clips::file();
    clips::clips(&file);
    for at in 0..file.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[at] ^= change;
            clips::clips(&changed);
        }
        clips::clips(&file[..at]);
    }
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

/// Among what is kept is much that plays: inputs of another version of the format would all be refused, and show nothing.
#[test]
fn kept_recordings_play_or_are_refused() {
    static PLAYED: AtomicUsize = AtomicUsize::new(0);
    replay("recording", 20, |input| {
        let frames = recording::recording(input);
        PLAYED.fetch_add(usize::from(frames > 0), Ordering::Relaxed);
    });
    let played = PLAYED.load(Ordering::Relaxed);
    assert!(played >= 20, "only {played} of the kept recordings play: recorder::bytes::write_seeds_of_the_fuzz_target");
    // What was found is still refused for its own reason.
    for (name, problem) in [
        ("minus-zero-seconds", "tape 0: a tape does not last less than no time"),
        ("empty-tape-with-a-first-frame", "tape 0: a tape without frames has no first one"),
    ] {
        let input = std::fs::read(corpus("recording").join(name)).expect("it is kept");
        let error = Recording::from_bytes(&recording::sealed(&input)).expect_err(name);
        assert_eq!(error.to_string(), problem, "{name}");
    }
}
