use thiserror::Error;

use crate::mixer::UnknownName;
use crate::state::StateError;

/// Why a recording could not be read or played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{problem}", prefix(.place))]
pub struct RecordingError {
    /// The part that was being read, from the outside in; empty for the recording as a whole.
    pub place: String,
    /// What is wrong with it.
    pub problem: RecordingProblem,
}

/// What is wrong with a recording.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordingProblem {
    /// The bytes were not written by [`Recording::to_bytes`](super::Recording::to_bytes).
    #[error("these bytes are not a recording")]
    NotARecording,
    /// It was written by an incompatible version of this crate.
    #[error("the recording has version {found}, expected {expected}")]
    Version {
        /// That of the file.
        found: u32,
        /// That of this crate.
        expected: u32,
    },
    /// The bytes have changed since they were written.
    #[error("the bytes have changed since they were written")]
    Checksum,
    /// It ends too early, or a length in it exceeds what follows.
    #[error("the recording is too short")]
    TooShort,
    /// It contains something that no recorder writes.
    #[error("{0}")]
    Damaged(&'static str),
    /// The tape does not have that frame.
    #[error("there is no frame {frame}: the tape has {count} from {first} on")]
    NoSuchFrame {
        /// The frame that was asked for.
        frame: u64,
        /// The first one that there is.
        first: u64,
        /// How many there are.
        count: u64,
    },
    /// A state of the tape cannot be restored: the character differs from the one that was recorded.
    #[error("{0}")]
    State(StateError),
    /// The recording has no tape with that name.
    #[error("{0}")]
    NoSuchTape(UnknownName),
}

impl RecordingError {
    /// The same, in a part that has this name.
    #[must_use]
    pub(super) fn within(mut self, name: &str) -> Self {
        self.place = if self.place.is_empty() { name.to_owned() } else { format!("{name}, {}", self.place) };
        self
    }
}

impl From<RecordingProblem> for RecordingError {
    fn from(problem: RecordingProblem) -> Self {
        Self { place: String::new(), problem }
    }
}

impl From<StateError> for RecordingError {
    fn from(error: StateError) -> Self {
        RecordingProblem::State(error).into()
    }
}

fn prefix(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!("{place}: ") }
}
