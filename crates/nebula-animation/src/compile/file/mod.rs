//! Compiled clips as bytes, for a game to ship instead of the source files.
//!
//! A file has a header (kind, version, a checksum of the rest), the names of the rig's joints, and the clips:
//! uncompressed channels as keys, packed tracks as they are in memory, to be used without a copy. Numbers are
//! little-endian.

mod channels;
mod library;
mod packed;
mod reader;
mod save;
mod writer;

use thiserror::Error;

use save::{restore, save};

/// What a file begins with.
const MAGIC: [u8; 4] = *b"NBCL";
/// What is in a file, and in which order: another number whenever that changes.
const VERSION: u32 = 1;
/// Bytes before those that the checksum is of: magic, version, checksum.
const HEAD: usize = 16;

/// Why bytes could not be read as clips of a rig.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClipFileError {
    /// The bytes were not written by [`AnimationClipLibrary::to_bytes`](super::AnimationClipLibrary::to_bytes).
    #[error("these bytes are not a file of compiled clips")]
    NotClips,
    /// They were written by an incompatible version of this crate.
    #[error("the clip file has version {found}, expected {expected}: compile the clips again")]
    Version {
        /// That of the file.
        found: u32,
        /// That of this crate.
        expected: u32,
    },
    /// They have changed since they were written, or some are missing.
    #[error("the clip file has changed since it was written: its checksum does not match")]
    Checksum,
    /// The clips are for another rig.
    #[error("the clips are for another rig: {0}")]
    Rig(String),
    /// Something in the file is invalid.
    #[error("the clip file is damaged at byte {at}: {what}")]
    Damaged {
        /// What was being read, and what is wrong with it.
        what: String,
        /// How far the file was read.
        at: usize,
    },
}

/// A sum that any changed byte changes: eight bytes at a time, so that large files take no time.
fn checksum(bytes: &[u8]) -> u64 {
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = chunks.iter().chain([&last]).map(|chunk| u64::from_le_bytes(*chunk));
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    words.fold(bytes.len() as u64, mix)
}
