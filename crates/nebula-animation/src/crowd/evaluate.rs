//! The work of a crowd, on one thread or on all.

use std::sync::Arc;

use super::{Crowd, CrowdCharacter, CrowdClip, CrowdClipId, CrowdRigId, Placement};
use crate::math::lanes::finish_streaming;
use crate::palette::{ClipAt, Evaluator, PaletteRows, Source};
use crate::rig::Rig;
use crate::rig::block::LANES;

/// Scratch memory, one for each thread that evaluates.
#[derive(Debug, Default)]
pub(super) struct Evaluators(Vec<Evaluator>);

/// Palettes beyond this size do not stay in the caches of one core: they are streamed past them.
const STREAMED_BYTES: usize = 1 << 20;

/// Characters in one piece of work for a thread.
#[cfg(feature = "parallel")]
const CHARACTERS_PER_PIECE: usize = 64;

impl Crowd {
    /// As [`Crowd::evaluate`], into memory of your own: for each character in turn, the rows of its joints. A buffer that
    /// is too short gets the characters that fit.
    pub fn evaluate_into(&mut self, palettes: &mut [PaletteRows]) {
        let is_streamed = size_of_val(palettes) > STREAMED_BYTES;
        let parts =
            Parts { rigs: &self.rigs, clips: &self.clips, characters: &self.characters, placements: &self.placements };
        self.evaluators.prepare(&self.rigs);
        let scratch = &mut self.evaluators.0[0];
        parts.evaluate(scratch, 0, parts.characters.len(), palettes, is_streamed);
    }

    /// As [`Crowd::evaluate`], on the threads of the current rayon pool. The result has the same bits.
    #[cfg(feature = "parallel")]
    pub fn evaluate_on_threads(&mut self) {
        use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

        self.palettes.resize(self.joint_count(), PaletteRows::IDENTITY);
        let is_streamed = size_of_val::<[_]>(&self.palettes) > STREAMED_BYTES;
        let parts =
            Parts { rigs: &self.rigs, clips: &self.clips, characters: &self.characters, placements: &self.placements };
        let threads = rayon::current_num_threads().max(1);
        self.evaluators.prepare(&self.rigs);
        self.evaluators.grow(threads, &self.rigs);
        // Each thread gets a run of whole pieces, and the memory that belongs to it.
        let characters_each = parts.characters.len().div_ceil(threads).next_multiple_of(CHARACTERS_PER_PIECE);
        let mut rest = &mut self.palettes[..];
        let mut pieces = Vec::with_capacity(threads);
        let mut first = 0;
        while first < parts.characters.len() {
            let end = (first + characters_each).min(parts.characters.len());
            let (piece, after) = rest.split_at_mut(parts.start(end) - parts.start(first));
            pieces.push((first, end, piece));
            rest = after;
            first = end;
        }
        let work = pieces.into_par_iter().zip(&mut self.evaluators.0[..]);
        work.for_each(|((first, end, palettes), scratch)| {
            parts.evaluate(scratch, first, end, palettes, is_streamed);
        });
    }
}

impl Evaluators {
    fn prepare(&mut self, rigs: &[Arc<Rig>]) {
        self.grow(1, rigs);
    }

    fn grow(&mut self, count: usize, rigs: &[Arc<Rig>]) {
        while self.0.len() < count {
            self.0.push(Evaluator::new());
        }
        for evaluator in &mut self.0 {
            for rig in rigs {
                evaluator.fit_eight(rig);
            }
        }
    }
}

/// What threads share.
#[derive(Clone, Copy)]
struct Parts<'a> {
    rigs: &'a [Arc<Rig>],
    clips: &'a [CrowdClip],
    characters: &'a [CrowdCharacter],
    placements: &'a [Placement],
}

impl Parts<'_> {
    /// Evaluates the characters from `first` to before `end` into memory that starts with the first one's.
    fn evaluate(
        self,
        evaluator: &mut Evaluator,
        first: usize,
        end: usize,
        palettes: &mut [PaletteRows],
        is_streamed: bool,
    ) {
        let base = self.start(first);
        let mut index = first;
        while index < end {
            let placement = self.placements[index];
            let rig = &self.rigs[placement.rig.0 as usize];
            let (start, count) = (placement.start as usize - base, rig.joint_count());
            // Characters of one rig go side by side where eight of them stand in a row.
            let has_eight = self.placements[index..end].get(LANES - 1).is_some()
                && self.placements[index..index + LANES].iter().all(|other| other.rig == placement.rig);
            if let Some(rows) = palettes.get_mut(start..start + LANES * count).filter(|_| has_eight) {
                let sources = std::array::from_fn(|lane| self.source(index + lane));
                evaluator.evaluate_eight(rig, &sources, rows, is_streamed);
                index += LANES;
            } else {
                let Some(rows) = palettes.get_mut(start..start + count) else { break };
                evaluator.evaluate_one(rig, self.source(index), rows, is_streamed);
                index += 1;
            }
        }
        if is_streamed {
            finish_streaming();
        }
    }

    /// A clip of the character's rig.
    fn clip_at(&self, rig: CrowdRigId, clip: CrowdClipId, time: f64) -> Option<ClipAt<'_>> {
        let clip = self.clips.get(clip.index()).filter(|clip| clip.rig == rig)?;
        Some(ClipAt { clip: &clip.clip, time: time as f32 })
    }

    /// What a character plays; a clip of another rig shows the rest pose.
    fn source(&self, character: usize) -> Source<'_> {
        let rig = self.placements[character].rig;
        let CrowdCharacter { clip, time, second, .. } = self.characters[character];
        let Some(from) = self.clip_at(rig, clip, time) else { return Source::Pose(&[]) };
        let blended = second.filter(|second| second.weight > 0.0);
        match blended.and_then(|second| Some((self.clip_at(rig, second.clip, second.time)?, second.weight))) {
            Some((to, weight)) => Source::Blend { from, to, weight },
            None => Source::Clip(from),
        }
    }

    /// Where the palette of a character starts; for the one after the last, where all end.
    fn start(&self, character: usize) -> usize {
        match (self.placements.get(character), self.placements.last()) {
            (Some(placement), _) => placement.start as usize,
            (None, Some(last)) => last.start as usize + self.rigs[last.rig.0 as usize].joint_count(),
            (None, None) => 0,
        }
    }
}
