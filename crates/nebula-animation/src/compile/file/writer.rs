/// Bytes of a file as they come.
#[derive(Debug, Default)]
pub(super) struct Writer(pub Vec<u8>);

impl Writer {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub fn short(&mut self, number: u16) {
        self.0.extend(number.to_le_bytes());
    }

    pub fn word(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    /// No list is as long as 2^32.
    pub fn count(&mut self, count: usize) {
        self.word(u32::try_from(count).unwrap_or(u32::MAX));
    }

    pub fn long(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub fn float(&mut self, number: f32) {
        self.word(number.to_bits());
    }

    pub fn double(&mut self, number: f64) {
        self.long(number.to_bits());
    }

    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend(text.as_bytes());
    }
}
