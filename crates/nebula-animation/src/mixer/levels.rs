//! The levels of interrupted fades, in memory that the thread lends.

use std::ops::{Deref, DerefMut};

use super::layer::{Level, OLDER};
use super::lease::{borrow, put_back};

/// Levels below the one that is fading, the oldest first. Holds memory only while there are any.
#[derive(Debug, Default)]
pub(super) struct Levels(Vec<Level>);

/// As many levels as there can be before they are folded.
pub(super) const MOST_LEVELS: usize = OLDER + 1;

impl Levels {
    pub fn push(&mut self, level: Level) {
        if self.0.capacity() == 0 {
            self.0 = borrow();
            self.0.reserve_exact(MOST_LEVELS);
        }
        self.0.push(level);
    }

    /// Whether there are no levels, and no memory for them.
    pub fn is_returned(&self) -> bool {
        self.0.capacity() == 0
    }

    /// Returns the memory if there are no levels.
    pub fn give_back(&mut self) {
        if self.0.is_empty() && self.0.capacity() > 0 {
            put_back(std::mem::take(&mut self.0));
        }
    }
}

impl Deref for Levels {
    type Target = Vec<Level>;

    fn deref(&self) -> &Vec<Level> {
        &self.0
    }
}

impl DerefMut for Levels {
    fn deref_mut(&mut self) -> &mut Vec<Level> {
        &mut self.0
    }
}

impl<'a> IntoIterator for &'a Levels {
    type Item = &'a Level;
    type IntoIter = std::slice::Iter<'a, Level>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Levels {
    type Item = &'a mut Level;
    type IntoIter = std::slice::IterMut<'a, Level>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl Clone for Levels {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        self.0.iter().for_each(|level| copy.push(level.clone()));
        copy
    }
}

impl Drop for Levels {
    fn drop(&mut self) {
        self.0.clear();
        self.give_back();
    }
}
