//! The pose of a clip at a time: what stands still, then what moves.

use super::arcs::Arcs;
use super::packed::PackedTracks;
use super::timeline::Place;
use super::{CompiledClip, Moves};
use crate::math::lanes::{Kernel, Lanes};
use crate::rig::block::{Blocks, Component, LANES, PoseBlock};

/// Writes what stands still, with what is at rest or without, then what moves.
pub(super) struct Sample<'a, const REST: bool> {
    pub clip: &'a CompiledClip,
    pub time: f32,
    pub wants_scale: bool,
    pub moving: &'a [Moves],
    pub wanted: Blocks,
    pub pose: &'a mut [PoseBlock],
}

impl<const REST: bool> Kernel for Sample<'_, REST> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        self.put_still::<L>();
        if let Some(packed) = &self.clip.packed {
            packed.sample::<L>(self.time, self.pose);
        }
        self.put_moving::<L>();
    }
}

impl<const REST: bool> Sample<'_, REST> {
    #[inline(always)]
    fn put_still<L: Lanes>(&mut self) {
        let Self { clip, wants_scale, moving, wanted, ref mut pose, .. } = *self;
        for stretch in wanted.stretches(pose.len()) {
            let (stills, moving) = (&clip.still[stretch.clone()], &moving[stretch.clone()]);
            for ((block, still), moves) in pose[stretch].iter_mut().zip(stills).zip(moving) {
                if REST || moves.translation {
                    copy::<L>(&still.translation, &mut block.translation);
                }
                if !clip.turns_all {
                    copy::<L>(&still.rotation, &mut block.rotation);
                }
                if (wants_scale || !clip.is_unscaled) && (REST || moves.scale) {
                    copy::<L>(&still.scale, &mut block.scale);
                }
            }
        }
    }

    /// Writes what moves but is not packed.
    #[inline(always)]
    fn put_moving<L: Lanes>(&mut self) {
        let place = self.put_rotations::<L>();
        self.put_vectors::<L>(place);
    }

    /// Writes the rotations of it. Where the first of them are on their timeline.
    #[inline(always)]
    fn put_rotations<L: Lanes>(&mut self) -> Option<Place> {
        let Self { clip, time, wanted, ref mut pose, .. } = *self;
        let mut place = None;
        for tracks in &clip.rotations {
            let found = tracks.find(time);
            tracks.sample::<L>(&found, wanted, pose);
            if place.is_none() {
                place = Some(found);
            }
        }
        for tracks in &clip.loose_rotations {
            tracks.sample::<L>(time, pose);
        }
        place
    }

    /// The same of translations and scales, where the first rotations are at this place of their timeline.
    #[inline(always)]
    fn put_vectors<L: Lanes>(&mut self, place: Option<Place>) {
        let Self { clip, time, wanted, ref mut pose, .. } = *self;
        for (tracks, is_in_step) in clip.vectors.iter().zip(&clip.in_step) {
            match &place {
                Some(place) if *is_in_step => tracks.sample::<L>(place, wanted, pose),
                _ => tracks.sample::<L>(&tracks.find(time), wanted, pose),
            }
        }
        for tracks in &clip.loose_vectors {
            tracks.sample::<L>(time, pose);
        }
    }
}

impl CompiledClip {
    /// Whether one group of tracks turns all joints along arcs, and nothing else turns any: they can be worked out alone then.
    pub(crate) fn has_arcs(&self) -> bool {
        let is_alone = self.rotations.len() == 1 && self.loose_rotations.is_empty() && self.packed.is_none();
        is_alone && self.turns_all && self.rotations[0].has_arcs()
    }

    /// As a sample of what moves in some blocks of a clip that [has arcs](CompiledClip::has_arcs), but for rotations: those are in the answer.
    #[inline(always)]
    pub(crate) fn sample_vectors<L: Lanes>(&self, time: f32, wanted: Blocks, pose: &mut [PoseBlock]) -> Arcs<'_, L> {
        let tracks = &self.rotations[0];
        let place = tracks.find(time);
        let mut sample = Sample::<false> { clip: self, time, wants_scale: true, moving: &self.moves, wanted, pose };
        sample.put_still::<L>();
        sample.put_vectors::<L>(Some(place));
        tracks.arcs(&place)
    }
}

/// As [`Sample`] without what is at rest, of a compressed clip at eight times. Rotations are not in the poses but in `turned`.
pub(super) struct SampleEight<'a> {
    pub clip: &'a CompiledClip,
    pub packed: &'a PackedTracks,
    pub times: [f32; LANES],
    pub wants_scale: bool,
    pub moving: &'a [Moves],
    /// One after the other.
    pub poses: &'a mut [PoseBlock],
    /// A block for each joint, lanes being times; more of them than the rig has lanes.
    pub turned: &'a mut [PoseBlock],
}

impl Kernel for SampleEight<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { clip, packed, times, wants_scale, moving, poses, turned } = self;
        let stride = moving.len().max(1);
        let wanted = Blocks::ALL;
        let is_packed = clip.turns_all && clip.rotations.is_empty() && clip.loose_rotations.is_empty();
        for (pose, time) in poses.chunks_exact_mut(stride).zip(times) {
            let mut sample = Sample::<false> { clip, time, wants_scale, moving, wanted, pose };
            sample.put_still::<L>();
            if !is_packed {
                sample.put_rotations::<L>();
            }
        }
        if !is_packed {
            turn_over::<L>(poses, stride, turned);
        }
        packed.sample_eight::<L>(&times, poses, turned);
        for (pose, time) in poses.chunks_exact_mut(stride).zip(times) {
            Sample::<false> { clip, time, wants_scale, moving, wanted, pose }.put_vectors::<L>(None);
        }
    }
}

/// Takes rotations out of eight poses, lanes becoming poses.
#[inline(always)]
fn turn_over<L: Lanes>(poses: &[PoseBlock], stride: usize, turned: &mut [PoseBlock]) {
    for (block, turned) in turned.as_chunks_mut::<LANES>().0.iter_mut().enumerate().take(stride) {
        for component in 0..4 {
            let source = std::array::from_fn(|pose| &poses[pose * stride + block].rotation[component]);
            L::transpose(source, &mut turned.each_mut().map(|joint| &mut joint.rotation[component]));
        }
    }
}

/// Copies whole vectors.
#[inline(always)]
fn copy<L: Lanes>(from: &[Component], to: &mut [Component]) {
    for (from, to) in from.iter().zip(to) {
        for lane in (0..LANES).step_by(L::WIDTH) {
            L::load(&from[lane..]).store(&mut to[lane..]);
        }
    }
}
