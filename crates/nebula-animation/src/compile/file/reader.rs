use std::ops::Range;

use super::ClipFileError;

/// Bytes of a file, one after the other; nothing is taken that is not there.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Something cannot be.
    pub fn damaged(&self, what: impl Into<String>) -> ClipFileError {
        ClipFileError::Damaged { what: what.into(), at: self.at }
    }

    /// Where the next bytes are, which are passed over.
    pub fn range(&mut self, count: usize) -> Result<Range<usize>, ClipFileError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| self.damaged("it ends here"))?;
        let range = self.at..end;
        self.at = end;
        Ok(range)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ClipFileError> {
        let range = self.range(N)?;
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes[range]);
        Ok(array)
    }

    pub fn byte(&mut self) -> Result<u8, ClipFileError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn short(&mut self) -> Result<u16, ClipFileError> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn word(&mut self) -> Result<u32, ClipFileError> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn long(&mut self) -> Result<u64, ClipFileError> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn float(&mut self, what: &str) -> Result<f32, ClipFileError> {
        let number = f32::from_bits(self.word()?);
        if number.is_finite() { Ok(number) } else { Err(self.damaged(format!("{what} is no finite number"))) }
    }

    pub fn double(&mut self, what: &str) -> Result<f64, ClipFileError> {
        let number = f64::from_bits(self.long()?);
        if number.is_finite() { Ok(number) } else { Err(self.damaged(format!("{what} is no finite number"))) }
    }

    /// A truth value, or a choice: below `choices`.
    pub fn choice(&mut self, choices: u8, what: &str) -> Result<u8, ClipFileError> {
        let choice = self.byte()?;
        if choice < choices { Ok(choice) } else { Err(self.damaged(format!("{choice} is no {what}"))) }
    }

    /// How many things follow that take at least so many bytes each: never more than can be there.
    pub fn count(&mut self, least: usize, what: &str) -> Result<usize, ClipFileError> {
        let count = self.word()? as usize;
        let room = (self.bytes.len() - self.at) / least.max(1);
        if count <= room { Ok(count) } else { Err(self.damaged(format!("{count} {what} do not fit"))) }
    }

    pub fn text(&mut self, what: &str) -> Result<String, ClipFileError> {
        let count = self.count(1, "bytes of a name")?;
        let range = self.range(count)?;
        let text = std::str::from_utf8(&self.bytes[range]).map(str::to_owned);
        text.map_err(|_| self.damaged(format!("{what} is no text")))
    }

    /// Everything was read.
    pub fn finish(&self) -> Result<(), ClipFileError> {
        let left = self.bytes.len() - self.at;
        if left == 0 { Ok(()) } else { Err(self.damaged(format!("{left} bytes are left over"))) }
    }
}
