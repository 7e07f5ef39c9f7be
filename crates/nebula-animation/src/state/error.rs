/// Why a state cannot be restored, and which part was being read.
///
/// ```
/// use nebula_animation::state::{StateError, StateProblem};
///
/// let error = StateError::new(StateProblem::TooShort).within("AimLayer").within("layer 2");
/// assert_eq!(error.to_string(), "layer 2, AimLayer: the record is too short");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", prefix(.place))]
pub struct StateError {
    /// The part that was being read, from the outside in; empty for the record as a whole.
    pub place: String,
    /// What is wrong with it.
    pub problem: StateProblem,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateProblem {
    /// It ends too early, or a length in it exceeds what follows.
    #[error("the record is too short")]
    TooShort,
    /// It continues after everything was read.
    #[error("{0} words of the record are left over")]
    LeftOver(usize),
    /// A number is infinite or not a number.
    #[error("a number is not finite")]
    NotFinite,
    /// A finite number that no clip, fade or clock can reach.
    #[error("a number is too large")]
    TooLarge,
    /// A quaternion is far from unit length.
    #[error("a rotation is not of unit length")]
    NotARotation,
    /// A value that its type cannot have, such as a boolean of 7.
    #[error("{0} is not a valid value")]
    OutOfRange(u64),
    /// The number of some items differs from this character's.
    #[error("the record has {found}, the character {expected}")]
    Count {
        /// How many the record has.
        found: u64,
        /// How many there are to be.
        expected: u64,
    },
    /// These bytes were not written by [`CharacterState::to_bytes`](super::CharacterState::to_bytes).
    #[error("these bytes are not a saved state")]
    NotAState,
    /// The state was written by an incompatible version of this crate.
    #[error("the state has version {found}, expected {expected}")]
    Version {
        /// That of the record.
        found: u32,
        /// That of this crate.
        expected: u32,
    },
    /// The bytes have changed since they were written.
    #[error("the bytes have changed since they were written")]
    Checksum,
    /// The state belongs to something different: a library with other clips, another state machine, another layer.
    #[error("the state belongs to another {0}")]
    Another(&'static str),
    /// The state belongs to a character with a different rig.
    #[error("the state belongs to another rig")]
    Rig,
    /// A layer that does not save its settings now has different ones.
    #[error("its settings differ from those of the record, which does not include them: it has no `write_state`")]
    Unwritten,
    /// Anything else, in words: for errors from outside this crate.
    #[error("{0}")]
    Other(String),
}

impl StateError {
    /// A problem with the record as a whole.
    #[must_use]
    pub fn new(problem: StateProblem) -> Self {
        Self { place: String::new(), problem }
    }

    /// The same problem, inside a part with this name.
    #[must_use]
    pub fn within(mut self, name: &str) -> Self {
        self.place = if self.place.is_empty() { name.to_owned() } else { format!("{name}, {}", self.place) };
        self
    }
}

impl From<StateProblem> for StateError {
    fn from(problem: StateProblem) -> Self {
        Self::new(problem)
    }
}

fn prefix(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!("{place}: ") }
}
