/// FNV-1a over words: a number that two different things hardly ever share, the same in every process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        numbers.into_iter().for_each(|number| self.word(number.to_bits()));
    }

    /// A text and its end, so that two texts do not hash like their concatenation.
    pub fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.word(byte.into()));
        self.word(u32::MAX);
    }

    pub fn value(self) -> u64 {
        self.0
    }

    /// The same in one word, for things of which there are few.
    pub fn short(self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}
