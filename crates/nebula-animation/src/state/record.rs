use super::{StateError, StateProblem, StateReader, StateWriter};

/// Everything that changes from frame to frame in a character: a record, plus what is needed to check that it fits.
///
/// Restore it into a character that was built in the same way from the same files; from then on both produce the same
/// bits. With the feature `serde` it can be part of other documents.
///
/// ```
/// use nebula_animation::state::CharacterState;
///
/// let state = CharacterState::record(7, |writer| writer.write(&0.25_f32));
/// let bytes = state.to_bytes();
/// assert_eq!(CharacterState::from_bytes(&bytes), Ok(state.clone()));
///
/// let mut number = 0.0_f32;
/// assert!(state.restore(8, |reader| reader.read(&mut number)).is_err()); // Another rig.
/// assert_eq!(state.restore(7, |reader| reader.read(&mut number)), Ok(()));
/// assert_eq!(number, 0.25);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharacterState {
    version: u32,
    rig: u64,
    words: Vec<u32>,
}

/// What is in a record, and in which order: another number whenever that changes.
pub(crate) const VERSION: u32 = 3;
/// What the bytes begin with.
const MAGIC: [u8; 4] = *b"NBST";
/// Bytes before the words: magic, version, rig. The number of words follows from that of the bytes.
const HEAD: usize = 16;
/// Bytes after them: the checksum.
const TAIL: usize = 8;

impl CharacterState {
    /// Records what a closure writes, for a character whose rig has this fingerprint.
    #[must_use]
    pub fn record(rig: u64, write: impl FnOnce(&mut StateWriter)) -> Self {
        let mut writer = StateWriter::default();
        write(&mut writer);
        Self { version: VERSION, rig, words: writer.into_words() }
    }

    /// Passes the record to a closure that restores a character whose rig has this fingerprint. The closure is not
    /// called if the version or the rig differs; it must read everything.
    ///
    /// # Errors
    /// The record is of a different version or rig; also the errors of the closure.
    pub fn restore<T>(
        &self,
        rig: u64,
        read: impl FnOnce(&mut StateReader<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        self.check_version()?;
        if self.rig != rig {
            return Err(StateProblem::Rig.into());
        }
        let mut reader = StateReader::new(&self.words);
        let value = read(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }

    /// The record as 32-bit words.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The fingerprint of the rig.
    #[must_use]
    pub fn rig(&self) -> u64 {
        self.rig
    }

    /// Converts the state to bytes: little-endian, the same on every machine.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 4 * self.words.len() + TAIL);
        bytes.extend(MAGIC);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(self.rig.to_le_bytes());
        bytes.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](CharacterState::to_bytes) wrote.
    ///
    /// # Errors
    /// The bytes are something else, of a different version, truncated, or changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        let Some(rest) = bytes.strip_prefix(&MAGIC) else { return Err(StateProblem::NotAState.into()) };
        let too_short = StateError::new(StateProblem::TooShort);
        let (version, rest) = rest.split_first_chunk().ok_or_else(|| too_short.clone())?;
        let (rig, rest) = rest.split_first_chunk().ok_or_else(|| too_short.clone())?;
        let (words, sum) = rest.split_last_chunk().ok_or(too_short)?;
        let mut state =
            Self { version: u32::from_le_bytes(*version), rig: u64::from_le_bytes(*rig), words: Vec::new() };
        state.check_version()?;
        let (words, odd) = words.as_chunks();
        if !odd.is_empty() || u64::from_le_bytes(*sum) != checksum(&bytes[..bytes.len() - TAIL]) {
            return Err(StateProblem::Checksum.into());
        }
        state.words = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        Ok(state)
    }

    fn check_version(&self) -> Result<(), StateError> {
        let (found, expected) = (self.version, VERSION);
        if found == expected { Ok(()) } else { Err(StateProblem::Version { found, expected }.into()) }
    }
}

/// FNV-1a: a change of a single byte always shows.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
