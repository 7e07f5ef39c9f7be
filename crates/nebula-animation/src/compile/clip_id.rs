use std::fmt;
use std::ops::Index;

use super::library::{AnimationClipLibrary, LibraryClip};

/// A clip of a library, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClipId(u32);

impl ClipId {
    /// The clip at an index. Whether a library has it is checked when it is used. Indices above 2^32 - 1 count as that.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        // No library has as many, and frames have many of these.
        Self(if index < u32::MAX as usize { index as u32 } else { u32::MAX })
    }

    /// Index of the clip in its library.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Index<ClipId> for AnimationClipLibrary {
    type Output = LibraryClip;

    /// The clip. As with a slice, one of another library that has more of them is a panic: [`get`](slice::get) is not.
    fn index(&self, clip: ClipId) -> &LibraryClip {
        &(**self)[clip.index()]
    }
}

impl Index<usize> for AnimationClipLibrary {
    type Output = LibraryClip;

    fn index(&self, clip: usize) -> &LibraryClip {
        &(**self)[clip]
    }
}

impl From<usize> for ClipId {
    fn from(index: usize) -> Self {
        Self::new(index)
    }
}

/// By its index.
impl PartialEq<usize> for ClipId {
    fn eq(&self, index: &usize) -> bool {
        self.index() == *index
    }
}

impl fmt::Display for ClipId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "clip {}", self.0)
    }
}
