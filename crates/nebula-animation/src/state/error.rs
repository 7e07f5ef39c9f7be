/// Why a state cannot be restored, and what was being read.
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
    /// What was being read, from the outside in; empty for the record as a whole.
    pub place: String,
    /// What is wrong with it.
    pub problem: StateProblem,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateProblem {
    /// It ends before everything was read, or a length in it is greater than what follows.
    #[error("the record is too short")]
    TooShort,
    /// It goes on after everything was read.
    #[error("{0} words of the record are left over")]
    LeftOver(usize),
    /// A number is infinite or not a number.
    #[error("a number is not finite")]
    NotFinite,
    /// A number is finite, and yet no clip, fade or clock comes to it.
    #[error("a number is larger than it can be")]
    TooLarge,
    /// A quaternion is far from unit length.
    #[error("a rotation is not of unit length")]
    NotARotation,
    /// A value that its type does not have, as a truth value of 7.
    #[error("{0} is not a value that it can have")]
    OutOfRange(u64),
    /// There are more or fewer of something than here.
    #[error("there are {found} in the record, and {expected} here")]
    Count {
        /// How many the record has.
        found: u64,
        /// How many there are to be.
        expected: u64,
    },
    /// Bytes that [`CharacterState::to_bytes`](super::CharacterState::to_bytes) did not make.
    #[error("these bytes are not those of a state")]
    NotAState,
    /// The state was written by a version of this crate that writes others.
    #[error("the state is of version {found}, not {expected}")]
    Version {
        /// That of the record.
        found: u32,
        /// That of this crate.
        expected: u32,
    },
    /// The bytes changed since they were written.
    #[error("the bytes have changed since they were written")]
    Checksum,
    /// The state is that of something else: a library of other clips, another state machine, another layer.
    #[error("the state is of another {0}")]
    Another(&'static str),
    /// The state is that of a character on another rig.
    #[error("the state is of another rig")]
    Rig,
    /// A layer whose state nobody writes has other settings than it had then.
    #[error("its settings are other ones than in the record, which does not hold them: it has no `write_state`")]
    Unwritten,
    /// Anything else, in words: for what is read outside of this crate.
    #[error("{0}")]
    Other(String),
}

impl StateError {
    /// A problem with the record as a whole.
    #[must_use]
    pub fn new(problem: StateProblem) -> Self {
        Self { place: String::new(), problem }
    }

    /// The same, in a part that has this name.
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
