use super::{StateError, StateProblem, Stateful};

/// Reads back what was given to a [`StateWriter`](super::StateWriter), in the same order, and validates it.
///
/// ```
/// use nebula_animation::state::{StateReader, StateWriter};
///
/// # fn main() -> Result<(), nebula_animation::state::StateError> {
/// let mut writer = StateWriter::default();
/// writer.write(&-0.0_f32);
///
/// let mut reader = StateReader::new(writer.words());
/// let mut number = 1.0_f32;
/// reader.read(&mut number)?;
/// assert!(number == 0.0 && number.is_sign_negative());
/// assert!(reader.read(&mut number).is_err()); // There was one only.
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct StateReader<'a> {
    words: &'a [u32],
    takes_any_number: bool,
}

impl<'a> StateReader<'a> {
    /// Starts at the first word.
    #[must_use]
    pub fn new(words: &'a [u32]) -> Self {
        Self { words, takes_any_number: false }
    }

    /// Reads a value. Numbers must be finite, 32-bit ones below 1e15, and rotations of about unit length, so that they
    /// cannot harm later frames. After an error, the value may have been read in part.
    ///
    /// # Errors
    /// The record is too short, or contains something that the value cannot be.
    pub fn read<T: Stateful + ?Sized>(&mut self, value: &mut T) -> Result<(), StateError> {
        value.read_state(self)
    }

    /// The same, accepting any number, even infinite ones: for values that were set by the user rather than computed,
    /// and that are checked wherever they are used.
    ///
    /// # Errors
    /// The record is too short, or contains something that the value cannot be.
    pub fn read_any<T: Stateful + ?Sized>(&mut self, value: &mut T) -> Result<(), StateError> {
        let before = std::mem::replace(&mut self.takes_any_number, true);
        let result = value.read_state(self);
        self.takes_any_number = before;
        result
    }

    /// Reads one word.
    ///
    /// # Errors
    /// No words are left.
    pub fn word(&mut self) -> Result<u32, StateError> {
        let (&word, rest) = self.words.split_first().ok_or(StateProblem::TooShort)?;
        self.words = rest;
        Ok(word)
    }

    /// The number of words left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.words.len()
    }

    /// Checks that everything was read.
    ///
    /// # Errors
    /// There are words left.
    pub fn finish(&self) -> Result<(), StateError> {
        if self.words.is_empty() { Ok(()) } else { Err(StateProblem::LeftOver(self.words.len()).into()) }
    }

    /// Whether numbers may be infinite, and rotations of any length.
    pub(super) fn takes_any_number(&self) -> bool {
        self.takes_any_number
    }

    /// Reads two words, the lower one first.
    pub(super) fn double(&mut self) -> Result<u64, StateError> {
        let [low, high] = [self.word()?, self.word()?];
        Ok(u64::from(high) << 32 | u64::from(low))
    }

    /// Reads how many things follow, each of which takes a word at least.
    pub(crate) fn length(&mut self) -> Result<usize, StateError> {
        let length = self.word()?;
        // So that no record makes anybody take more memory than it takes itself.
        let fits = usize::try_from(length).ok().filter(|length| *length <= self.words.len());
        fits.ok_or_else(|| StateProblem::TooShort.into())
    }

    /// Reads how many there are of something, which have to be as many as here.
    pub(crate) fn expect_count(&mut self, expected: usize, what: &str) -> Result<(), StateError> {
        let found = u64::from(self.word().map_err(|error| error.within(what))?);
        let expected = expected as u64;
        if found == expected {
            return Ok(());
        }
        Err(StateError::new(StateProblem::Count { found, expected }).within(what))
    }

    /// What [`StateWriter::flags`](super::StateWriter::flags) wrote.
    pub(crate) fn flags<const N: usize>(&mut self) -> Result<[bool; N], StateError> {
        let word = self.word()?;
        if u64::from(word) >> N != 0 {
            return Err(StateProblem::OutOfRange(word.into()).into());
        }
        Ok(std::array::from_fn(|bit| word >> bit & 1 == 1))
    }

    /// The `count` words that [`StateWriter::runs`](super::StateWriter::runs) wrote, given to a closure one after the other.
    pub(crate) fn runs(&mut self, count: usize, mut take: impl FnMut(usize, u32)) -> Result<(), StateError> {
        let changes = self.word()?;
        if changes == 0 {
            (0..count).for_each(|index| take(index, 0));
            return Ok(());
        }
        let mask_words = count.div_ceil(32);
        let mask = self.words.get(..mask_words).ok_or(StateProblem::TooShort)?;
        self.words = &self.words[mask_words..];
        let marked: u32 = mask.iter().map(|word| word.count_ones()).sum();
        let is_beyond = mask.last().is_some_and(|last| !count.is_multiple_of(32) && last >> (count % 32) != 0);
        if marked != changes || is_beyond {
            return Err(StateProblem::OutOfRange(changes.into()).into());
        }
        let mut word = 0;
        for index in 0..count {
            if mask[index / 32] >> (index % 32) & 1 == 1 {
                word = self.word()?;
            }
            take(index, word);
        }
        Ok(())
    }

    /// The words that [`StateWriter::part`](super::StateWriter::part) wrote, as a separate record.
    pub(crate) fn part(&mut self) -> Result<Self, StateError> {
        let length = self.length()?;
        let (part, rest) = self.words.split_at(length);
        self.words = rest;
        Ok(Self { words: part, takes_any_number: self.takes_any_number })
    }
}
