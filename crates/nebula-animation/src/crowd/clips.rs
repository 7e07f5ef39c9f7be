use std::num::NonZeroU32;
use std::sync::Arc;

use super::CrowdError;
use crate::compile::{AnimationClipLibrary, ClipId, CompiledClip, LibraryClip};
use crate::rig::Rig;

/// A clip of a [`Crowd`](super::Crowd).
// One more than its index: what may be without a clip needs no further byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CrowdClipId(NonZeroU32);

impl CrowdClipId {
    pub(super) fn new(index: usize) -> Self {
        // Beyond the largest number there is no memory for clips.
        Self(NonZeroU32::MIN.saturating_add(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A clip, by its place in a library that is shared.
#[derive(Debug)]
pub(super) struct CrowdClip {
    library: AnimationClipLibrary,
    index: usize,
    /// In the form for palettes alone, where the library has it.
    bound: Option<Arc<CompiledClip>>,
    /// The rank of the clip's rig.
    pub rank: u32,
    /// Length in seconds.
    pub duration: f32,
}

impl CrowdClip {
    pub fn new(
        library: &AnimationClipLibrary,
        clip: ClipId,
        rank_of: impl FnOnce(&Arc<Rig>) -> u32,
    ) -> Result<Self, CrowdError> {
        let index = clip.index();
        let found = library.get(index).ok_or(CrowdError::NoSuchClip { index, count: library.len() })?;
        let (bound, duration) = (found.bound().cloned(), found.duration());
        Ok(Self { library: library.clone(), index, bound, rank: rank_of(library.rig()), duration })
    }

    /// The clip with what belongs to it.
    pub fn get(&self) -> &LibraryClip {
        &self.library[self.index]
    }

    /// Whether it has markers, or a root that moves.
    pub fn tells(&self) -> bool {
        !self.get().markers().is_empty() || self.get().root().is_some_and(|root| !root.is_still())
    }

    /// The clip as it is evaluated.
    pub fn for_palettes(&self) -> &CompiledClip {
        self.bound.as_deref().unwrap_or_else(|| self.get())
    }
}
