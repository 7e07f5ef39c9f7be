use std::ops::{Deref, DerefMut};

use crate::palette::PaletteRows;

/// The palettes of a crowd. They begin where a line of the caches does, as then do those of every eighth character: what goes past the caches fills
/// whole lines, and no part of one has to wait for the rest.
#[derive(Debug, Default)]
pub(super) struct Palettes {
    memory: Vec<PaletteRows>,
    /// Matrices before the first one that is used.
    unused: usize,
    count: usize,
}

/// Bytes of a line of the caches.
const LINE: usize = 64;
/// Of so many matrices side by side, one begins with a line.
const PERIOD: usize = 4;

impl Palettes {
    /// Makes room for so many matrices, to be written anew.
    pub fn resize(&mut self, count: usize) {
        self.memory.resize(count + PERIOD - 1, PaletteRows::IDENTITY);
        let begins_line = |index: &usize| self.memory[*index..].as_ptr().addr().is_multiple_of(LINE);
        self.unused = (0..PERIOD).find(begins_line).unwrap_or_default();
        self.count = count;
    }

    /// Forgets all matrices.
    pub fn clear(&mut self) {
        (self.unused, self.count) = (0, 0);
    }
}

impl Deref for Palettes {
    type Target = [PaletteRows];

    fn deref(&self) -> &[PaletteRows] {
        &self.memory[self.unused..][..self.count]
    }
}

impl DerefMut for Palettes {
    fn deref_mut(&mut self) -> &mut [PaletteRows] {
        &mut self.memory[self.unused..][..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palettes_begin_with_a_line() {
        let mut palettes = Palettes::default();
        for count in [1, 2, 67, 536, 5_360, 3, 0] {
            palettes.resize(count);
            assert_eq!(palettes.len(), count);
            assert!(palettes.as_ptr().addr().is_multiple_of(LINE), "{count}");
        }
    }
}
