//! Evaluating a crowd, on one thread or on all.

use super::clips::CrowdClip;
use super::ranks::Ranks;
use super::{Crowd, CrowdCharacter, CrowdClipId};
use crate::math::caches::largest_cache;
use crate::math::lanes::finish_streaming;
use crate::palette::{ClipAt, Evaluator, PaletteRows, Source};
use crate::rig::block::LANES;

/// Scratch memory, one for each thread that evaluates.
#[derive(Debug, Default)]
pub(super) struct Evaluators(Vec<Evaluator>);

/// Characters in one piece of work for a thread.
#[cfg(feature = "parallel")]
const CHARACTERS_PER_PIECE: usize = 64;

impl Crowd {
    /// Sets the size in bytes above which palettes are written past the caches: `Some(0)` always, `Some(usize::MAX)`
    /// never. `None`, the default, is half of the machine's largest cache: larger palettes would evict each other
    /// before they are read, while smaller ones are still cached when they are uploaded. Results do not depend on it.
    ///
    /// ```
    /// let mut crowd = nebula_animation::Crowd::new();
    /// crowd.stream_above(Some(0)); // Palettes go to memory that the GPU reads, and nobody else does.
    /// ```
    pub fn stream_above(&mut self, bytes: impl Into<Option<usize>>) {
        self.stream_above = bytes.into();
    }

    /// Whether palettes of this size bypass the caches.
    fn is_streamed(&self, bytes: usize) -> bool {
        bytes > self.stream_above.unwrap_or_else(|| largest_cache() / 2)
    }

    /// Like [`Crowd::evaluate`], into your own memory: the rows of each character's joints, character by character. A
    /// buffer that is too short gets the characters that fit. Morph weights are in [`Crowd::morph_weights`].
    pub fn evaluate_into(&mut self, palettes: &mut [PaletteRows]) {
        self.morph_weights.resize(self.ranks.weight_count(), 0.0);
        let is_streamed = self.is_streamed(size_of_val(palettes));
        let parts = Parts { ranks: &self.ranks, clips: &self.clips, characters: &self.characters };
        self.evaluators.fit(1, &self.ranks);
        let scratch = &mut self.evaluators.0[0];
        let piece = Piece { first: 0, end: parts.characters.len(), palettes, morph_weights: &mut self.morph_weights };
        parts.evaluate(scratch, piece, is_streamed);
    }

    /// Like [`Crowd::evaluate`], on the threads of the current rayon pool. The result has the same bits.
    #[cfg(feature = "parallel")]
    pub fn evaluate_on_threads(&mut self) {
        use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

        self.palettes.resize(self.ranks.joint_count());
        self.morph_weights.resize(self.ranks.weight_count(), 0.0);
        let is_streamed = self.is_streamed(size_of_val(&self.palettes[..]));
        let parts = Parts { ranks: &self.ranks, clips: &self.clips, characters: &self.characters };
        let threads = rayon::current_num_threads().max(1);
        self.evaluators.fit(threads, &self.ranks);
        // Each thread gets a run of whole pieces, and the memory that belongs to it.
        let characters_each = parts.characters.len().div_ceil(threads).next_multiple_of(CHARACTERS_PER_PIECE);
        let (mut palettes, mut weights) = (&mut self.palettes[..], &mut self.morph_weights[..]);
        let mut pieces = Vec::with_capacity(threads);
        let mut first = 0;
        while first < parts.characters.len() {
            let end = (first + characters_each).min(parts.characters.len());
            let (from, to) = (parts.starts(first), parts.starts(end));
            let (own, others) = palettes.split_at_mut(to.0 - from.0);
            let (own_weights, other_weights) = weights.split_at_mut(to.1 - from.1);
            pieces.push(Piece { first, end, palettes: own, morph_weights: own_weights });
            (palettes, weights, first) = (others, other_weights, end);
        }
        let work = pieces.into_par_iter().zip(&mut self.evaluators.0[..]);
        work.for_each(|(piece, scratch)| parts.evaluate(scratch, piece, is_streamed));
    }
}

impl Evaluators {
    /// Makes sure that there are this many, each with memory for every rig.
    fn fit(&mut self, count: usize, ranks: &Ranks) {
        while self.0.len() < count {
            self.0.push(Evaluator::new());
        }
        for evaluator in &mut self.0 {
            ranks.iter().for_each(|rank| evaluator.fit_eight(&rank.rig));
        }
    }
}

/// What threads share.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub ranks: &'a Ranks,
    pub clips: &'a [CrowdClip],
    pub characters: &'a [CrowdCharacter],
}

/// The characters from `first` to before `end`, and memory that starts with the first one's.
struct Piece<'a> {
    first: usize,
    end: usize,
    palettes: &'a mut [PaletteRows],
    morph_weights: &'a mut [f32],
}

impl<'a> Parts<'a> {
    /// Evaluates a piece. Characters whose palettes do not fit into it are left out.
    fn evaluate(self, evaluator: &mut Evaluator, piece: Piece, is_streamed: bool) {
        let Piece { first, end, palettes, morph_weights } = piece;
        let base = self.starts(first);
        'ranks: for (number, rank) in self.ranks.iter().enumerate() {
            let (rig, joints, slots) = (&rank.rig, rank.rig.joint_count(), rank.rig.morph_slots());
            let (mut index, end) = (rank.characters.start.max(first), rank.characters.end.min(end));
            while index < end {
                let (start, weight_start) = (rank.joint_start(index) - base.0, rank.weight_start(index) - base.1);
                // Characters of one rig go side by side, eight at a time.
                let eight = if end - index >= LANES { palettes.get_mut(start..start + LANES * joints) } else { None };
                if let Some(rows) = eight {
                    let sources = std::array::from_fn(|lane| self.source(number as u32, index + lane));
                    let weights = &mut morph_weights[weight_start..][..LANES * slots];
                    let sources = (&sources, self.are_one_clip(index));
                    evaluator.evaluate_eight(rig, sources, rows, weights, is_streamed);
                    index += LANES;
                } else {
                    let Some(rows) = palettes.get_mut(start..start + joints) else { break 'ranks };
                    let weights = &mut morph_weights[weight_start..][..slots];
                    evaluator.evaluate_one(rig, self.source(number as u32, index), rows, weights, is_streamed);
                    index += 1;
                }
            }
        }
        if is_streamed {
            finish_streaming();
        }
    }

    /// A clip of the rank's rig.
    #[inline(always)]
    fn clip_at(&self, rank: u32, clip: CrowdClipId, time: f64) -> Option<ClipAt<'a>> {
        let clip = self.clips.get(clip.index()).filter(|clip| clip.rank == rank)?;
        Some(ClipAt { clip: clip.for_palettes(), time: time as f32 })
    }

    /// Whether the eight characters from this one on play the same clip, and nothing else.
    fn are_one_clip(&self, first: usize) -> bool {
        let clip = self.characters[first].clip;
        self.characters[first..first + LANES].iter().all(|one| one.clip == clip && one.second.is_none())
    }

    /// What a character of a rank plays; a clip of another rig shows the rest pose.
    #[inline(always)]
    pub fn source(&self, rank: u32, character: usize) -> Source<'a> {
        let CrowdCharacter { clip, time, second, .. } = self.characters[character];
        let Some(from) = self.clip_at(rank, clip, time) else { return Source::Pose(&[]) };
        let blended = second.filter(|second| second.weight > 0.0);
        match blended.and_then(|second| Some((self.clip_at(rank, second.clip, second.time)?, second.weight))) {
            Some((to, weight)) => Source::Blend { from, to, weight },
            None => Source::Clip(from),
        }
    }

    /// Where the palette of a character starts, and where its morph weights do; for the one after the last, where all end.
    fn starts(&self, index: usize) -> (usize, usize) {
        if index < self.characters.len() {
            let rank = self.ranks.get(self.ranks.number_at(index));
            (rank.joint_start(index), rank.weight_start(index))
        } else {
            (self.ranks.joint_count(), self.ranks.weight_count())
        }
    }
}
