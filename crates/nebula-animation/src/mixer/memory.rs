//! What a layer remembers from frame to frame, beside its actions.

use super::blend::mask_lanes;
use super::layer::OLDER;
use crate::compile::Rig;
use crate::compile::block::{Component, LANES, PoseBlock};
use crate::skeleton::JointMask;

/// Rotations of one block of joints, each with the sign with which it was blended last. On the boundaries of vectors, as
/// [`PoseBlock`]s are: what is stored across two lines of the cache is slow to come back.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Turns(pub [Component; 4]);

/// How many actions can be followed at once: those below, the one that is fading, the current one, and one that is just
/// being folded.
const TRACKS: usize = OLDER + 3;

/// Goes stale with the skeleton: it is fitted to a rig before use, and starts afresh for another one.
#[derive(Debug, Clone, Default)]
pub(super) struct LayerMemory {
    /// A pose that stands still below all actions, if `has_snapshot`.
    pub snapshot: Vec<PoseBlock>,
    pub snapshot_alpha: f32,
    pub has_snapshot: bool,
    /// Two quaternions stand for each rotation. Which of them an action shows is followed from frame to frame while it is
    /// blended, so that the way from one action to another does not change sides when they are half a turn apart.
    tracks: Vec<Turns>,
    /// The mask, in blocks.
    mask: Vec<Component>,
    is_mask_current: bool,
}

impl LayerMemory {
    /// Takes the size of a rig.
    pub fn fit(&mut self, rig: &Rig) {
        let blocks = rig.rest.len();
        self.snapshot.clear();
        self.snapshot.resize(blocks, PoseBlock::IDENTITY);
        self.tracks.clear();
        self.tracks.resize(blocks * TRACKS, Turns([[0.0; LANES]; 4]));
        self.mask.clear();
        self.mask.resize(blocks, [0.0; LANES]);
        (self.has_snapshot, self.is_mask_current) = (false, false);
    }

    pub fn forget_mask(&mut self) {
        self.is_mask_current = false;
    }

    /// The mask, in blocks.
    pub fn mask_lanes(&mut self, rig: &Rig, mask: &JointMask) -> &[Component] {
        if !self.is_mask_current {
            mask_lanes(rig, mask, &mut self.mask);
            self.is_mask_current = true;
        }
        &self.mask
    }

    /// The memory of one track.
    pub fn track(&mut self, track: u8) -> &mut [Turns] {
        let blocks = self.tracks.len() / TRACKS;
        &mut self.tracks[usize::from(track) * blocks..][..blocks]
    }

    /// A track that none of these levels uses.
    pub fn free_track(used: impl Iterator<Item = Option<u8>>) -> u8 {
        let taken = used.flatten().fold(0_u8, |taken, track| taken | 1 << track);
        (taken.trailing_ones() as u8).min(TRACKS as u8 - 1)
    }
}
