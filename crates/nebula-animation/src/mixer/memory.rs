//! What a layer remembers from frame to frame, besides its actions.

use super::blend::mask_lanes;
use super::layer::OLDER;
use super::lease::Lease;
use crate::math::lanes::prefetch;
use crate::rig::Rig;
use crate::rig::block::{Blocks, Component, LANES, PoseBlock};
use crate::skeleton::JointMask;

/// Rotations of one block of joints, each with the sign with which it was blended last. On the boundaries of vectors, as
/// [`PoseBlock`]s are: what is stored across two lines of the cache is slow to come back.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Turns(pub [Component; 4]);

/// How many actions can be followed at once: those below, the one that is fading, the current one, and one that is just
/// being folded.
pub(super) const TRACKS: usize = OLDER + 3;

/// What a layer remembers. Signs and poses are held while something fades, and given back after that.
#[derive(Debug, Clone)]
pub(super) struct LayerMemory {
    /// A frozen pose below all actions, if `has_snapshot`.
    pub snapshot: Lease<PoseBlock>,
    pub snapshot_alpha: f32,
    pub has_snapshot: bool,
    /// Every rotation has two quaternions. Which of the two an action uses is tracked from frame to frame while it is
    /// blended, so that the path from one action to another does not flip when they are half a turn apart.
    tracks: [Lease<Turns>; TRACKS],
    /// Whether one of these may be held.
    holds: bool,
    /// The mask, in blocks.
    mask: Vec<Component>,
    /// Those of its blocks that are 0 everywhere, those that are 1, and those that are nothing but the two.
    outside: Blocks,
    inside: Blocks,
    crisp: Blocks,
    is_mask_current: bool,
    /// Blocks that layers above hide altogether in this frame.
    pub covered: Blocks,
}

impl Default for LayerMemory {
    fn default() -> Self {
        Self {
            snapshot: Lease::default(),
            snapshot_alpha: 0.0,
            has_snapshot: false,
            tracks: Default::default(),
            holds: false,
            mask: Vec::new(),
            outside: Blocks::NONE,
            inside: Blocks::NONE,
            crisp: Blocks::NONE,
            is_mask_current: false,
            covered: Blocks::NONE,
        }
    }
}

impl LayerMemory {
    pub fn forget_mask(&mut self) {
        self.is_mask_current = false;
    }

    /// How much a joint takes part, if the mask is in blocks already.
    pub fn mask_weight(&self, joint: usize) -> Option<f32> {
        self.mask.get(joint / LANES).filter(|_| self.is_mask_current).map(|block| block[joint % LANES])
    }

    /// Blocks of which the mask leaves nothing, and those of which it leaves all; of a mask that is not in blocks yet, none.
    pub fn mask_blocks(&self) -> [Blocks; 2] {
        if self.is_mask_current { [self.outside, self.inside] } else { [Blocks::NONE; 2] }
    }

    /// The mask, the blocks in which it is 1 everywhere, and those in which it is nothing but 0 and 1; if it is in blocks already.
    pub fn mask_in_blocks(&self) -> Option<(&[Component], [Blocks; 2])> {
        self.is_mask_current.then_some((&self.mask[..], [self.inside, self.crisp]))
    }

    /// Asks for the memory of the mask.
    pub fn prefetch_mask(&self) {
        prefetch(&self.mask[..]);
    }

    /// The mask, in blocks.
    pub fn mask_lanes(&mut self, rig: &Rig, mask: &JointMask) -> &[Component] {
        if !self.is_mask_current {
            self.mask.resize(rig.rest.len(), [0.0; LANES]);
            mask_lanes(rig, mask, &mut self.mask);
            self.outside = Blocks::which(&self.mask, |block| *block == [0.0; LANES]);
            self.inside = Blocks::which(&self.mask, |block| *block == [1.0; LANES]);
            self.crisp = Blocks::which(&self.mask, |block| block.iter().all(|weight| [0.0, 1.0].contains(weight)));
            self.is_mask_current = true;
        }
        &self.mask
    }

    /// The memory of one track, for a rig of this many blocks.
    pub fn track(&mut self, track: u8, blocks: usize) -> &mut [Turns] {
        self.holds = true;
        self.tracks[usize::from(track)].take(blocks)
    }

    /// What a track remembers; empty where it has nothing yet.
    pub fn turns(&self, track: u8) -> &[Turns] {
        self.tracks.get(usize::from(track)).map_or(&[], Lease::get)
    }

    /// A track that none of these levels uses.
    pub fn free_track(used: impl Iterator<Item = Option<u8>>) -> u8 {
        let taken = used.flatten().fold(0_u8, |taken, track| taken | 1 << track);
        (taken.trailing_ones() as u8).min(TRACKS as u8 - 1)
    }

    /// Whether nothing is held.
    pub fn is_free(&self) -> bool {
        !self.holds && self.snapshot.get().is_empty()
    }

    /// Gives back what none of these levels uses.
    pub fn give_back(&mut self, used: impl Iterator<Item = Option<u8>>) {
        if !self.has_snapshot {
            self.snapshot.give_back();
        }
        if !self.holds {
            return;
        }
        let taken = used.flatten().fold(0_u8, |taken, track| taken | 1 << track);
        for (_, track) in self.tracks.iter_mut().enumerate().filter(|(index, _)| taken & (1 << index) == 0) {
            track.give_back();
        }
        self.holds = taken != 0;
    }
}
