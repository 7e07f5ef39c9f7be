use super::Stateful;

/// Collects everything that changes from frame to frame, word by word.
///
/// ```
/// use nebula_animation::state::StateWriter;
///
/// let mut writer = StateWriter::default();
/// writer.write(&true);
/// writer.write(&0.5_f64);
/// assert_eq!(writer.words(), [1, 0, 0x3fe0_0000]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateWriter {
    words: Vec<u32>,
}

impl StateWriter {
    /// Writes on after words that there are already.
    pub(crate) fn after(words: Vec<u32>) -> Self {
        Self { words }
    }

    /// Writes a value.
    pub fn write<T: Stateful + ?Sized>(&mut self, value: &T) {
        value.write_state(self);
    }

    /// Writes one word.
    pub fn word(&mut self, word: u32) {
        self.words.push(word);
    }

    /// Writes a value as two words, the lower one first.
    pub(super) fn double(&mut self, value: u64) {
        self.words.extend([value as u32, (value >> 32) as u32]);
    }

    /// Writes how many things follow, in one word.
    pub(crate) fn count(&mut self, count: usize) {
        // More than that is no length that reading accepts: there would have to be as many words.
        self.word(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// Writes truth values, up to 32 of them, as the bits of one word.
    pub(crate) fn flags<const N: usize>(&mut self, flags: [bool; N]) {
        self.word(flags.iter().enumerate().fold(0, |word, (bit, &flag)| word | u32::from(flag) << bit));
    }

    /// Writes words of which most are as the one before, the first as 0: which of them are not, and those.
    pub(crate) fn runs(&mut self, words: impl Iterator<Item = u32>) {
        let mut before = 0;
        let changes = words.map(|word| (word, std::mem::replace(&mut before, word) != word));
        let at = self.words.len();
        self.words.push(0);
        let mut mask = Vec::new();
        for (index, (word, is_new)) in changes.enumerate() {
            if index % 32 == 0 {
                mask.push(0_u32);
            }
            if is_new {
                mask[index / 32] |= 1 << (index % 32);
                self.words.push(word);
            }
        }
        let count = self.words.len() - at - 1;
        if count > 0 {
            self.words[at] = count as u32;
            self.words.splice(at + 1..at + 1, mask);
        }
    }

    /// Writes what a closure writes, preceded by how many words that takes.
    pub(crate) fn part(&mut self, write: impl FnOnce(&mut Self)) {
        let at = self.words.len();
        self.words.push(0);
        write(self);
        // What does not fit is far beyond any memory; reading would say that words are left over.
        let length = u32::try_from(self.words.len() - at - 1).unwrap_or(u32::MAX);
        self.words[at] = length;
    }

    /// The words written so far.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The words written.
    #[must_use]
    pub fn into_words(self) -> Vec<u32> {
        self.words
    }
}
