//! The mean of a few poses, in one pass.

use super::blend::SHORTEST;
use super::space::MOST_CLIPS;
use crate::compile::{Arcs, CompiledClip, Moves};
use crate::math::lanes::{Kernel, Lanes, load4, store_all};
use crate::math::slerp::dot;
use crate::rig::block::{Blocks, Component, LANES, PoseBlock};

/// A clip at a time, and its weight above 0.
pub(super) type Part<'a> = (&'a CompiledClip, f32, f32);

/// The mean of the poses of clips, from one to three. Rotations are added up as quaternions, each in the half of the sum so far, and
/// brought to unit length. What is at rest in all of them is so in the mean, to the bit.
pub(super) struct Mean<'a> {
    /// The poses, one after the other, without what is at rest.
    pub samples: &'a [PoseBlock],
    pub parts: &'a [Part<'a>],
    pub rest: &'a [PoseBlock],
    pub wanted: Blocks,
    pub pose: &'a mut [PoseBlock],
}

impl Kernel for Mean<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { samples, parts, rest, wanted, pose } = self;
        let blocks = rest.len();
        match *parts {
            [(.., a), (.., b)] => turns::<L, _, 2>(&Samples { samples, blocks }, [a, b], rest, wanted, pose),
            [(.., a), (.., b), (.., c)] => {
                turns::<L, _, 3>(&Samples { samples, blocks }, [a, b, c], rest, wanted, pose);
            }
            _ => turns::<L, _, 1>(&Samples { samples, blocks }, [1.0], rest, wanted, pose),
        }
        vectors::<L>(samples, parts, rest, wanted, pose);
    }
}

/// As [`Mean`] of two or three clips that [have arcs](CompiledClip::has_arcs), with the same bits: their rotations are added up as they are
/// worked out, and never written down.
pub(super) struct MeanOfArcs<'a> {
    /// Memory for the translations and scales of each.
    pub samples: &'a mut [PoseBlock],
    pub parts: &'a [Part<'a>],
    pub rest: &'a [PoseBlock],
    pub wanted: Blocks,
    pub pose: &'a mut [PoseBlock],
}

impl Kernel for MeanOfArcs<'_> {
    type Output = ();
    const NEEDS_REGISTERS: bool = true;
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { samples, parts, rest, wanted, pose } = self;
        match *parts {
            [a, b] => arcs::<L, 2>([a, b], samples, rest, wanted, pose),
            [a, b, c] => arcs::<L, 3>([a, b, c], samples, rest, wanted, pose),
            _ => {}
        }
        vectors::<L>(samples, parts, rest, wanted, pose);
    }
}

#[inline(always)]
fn arcs<L: Lanes, const N: usize>(
    parts: [Part; N],
    samples: &mut [PoseBlock],
    rest: &[PoseBlock],
    wanted: Blocks,
    pose: &mut [PoseBlock],
) {
    let blocks = rest.len();
    let mut weights = [0.0; N];
    let mut all = [None; N];
    for (index, (clip, time, weight)) in parts.into_iter().enumerate() {
        weights[index] = weight;
        all[index] = Some(clip.sample_vectors::<L>(time, wanted, &mut samples[index * blocks..][..blocks]));
    }
    turns::<L, _, N>(&all, weights, rest, wanted, pose);
}

/// Translations and scales.
#[inline(always)]
fn vectors<L: Lanes>(
    samples: &[PoseBlock],
    parts: &[Part],
    rest: &[PoseBlock],
    wanted: Blocks,
    pose: &mut [PoseBlock],
) {
    let total = parts.iter().fold(0.0, |total, (.., weight)| total + weight);
    let blocks = rest.len();
    for index in wanted.stretches(blocks).flatten() {
        let (pose, rest) = (&mut pose[index], &rest[index]);
        let moves = parts.iter().fold(Moves::default(), |all, (clip, ..)| all | clip.moves[index]);
        if moves.translation {
            let mut vectors = [&rest.translation; MOST_CLIPS];
            for (number, _) in parts.iter().enumerate().filter(|(_, (clip, ..))| clip.moves[index].translation) {
                vectors[number] = &samples[number * blocks + index].translation;
            }
            mean::<L>(parts, total, &vectors, &mut pose.translation);
        } else {
            pose.translation = rest.translation;
        }
        if moves.scale {
            let mut vectors = [&rest.scale; MOST_CLIPS];
            for (number, _) in parts.iter().enumerate().filter(|(_, (clip, ..))| clip.moves[index].scale) {
                vectors[number] = &samples[number * blocks + index].scale;
            }
            mean::<L>(parts, total, &vectors, &mut pose.scale);
        } else {
            pose.scale = rest.scale;
        }
    }
}

/// Where rotations come from. (Not a closure: it would not be inlined into the kernel.)
trait Turns<L> {
    /// Those of a block of one of the poses, from a lane on; `None` where it has none.
    fn of(&self, number: usize, block: usize, lane: usize) -> Option<[L; 4]>;
}

/// Poses of so many blocks, one after the other.
struct Samples<'a> {
    samples: &'a [PoseBlock],
    blocks: usize,
}

impl<L: Lanes> Turns<L> for Samples<'_> {
    #[inline(always)]
    fn of(&self, number: usize, block: usize, lane: usize) -> Option<[L; 4]> {
        Some(load4::<L>(&self.samples[number * self.blocks + block].rotation, lane))
    }
}

impl<L: Lanes, const N: usize> Turns<L> for [Option<Arcs<'_, L>>; N] {
    #[inline(always)]
    fn of(&self, number: usize, block: usize, lane: usize) -> Option<[L; 4]> {
        self[number].as_ref()?.turns(block, lane)
    }
}

/// The mean of rotations, with these weights.
#[inline(always)]
fn turns<L: Lanes, T: Turns<L>, const N: usize>(
    source: &T,
    weights: [f32; N],
    rest: &[PoseBlock],
    wanted: Blocks,
    pose: &mut [PoseBlock],
) {
    let (zero, one, shortest) = (L::splat(0.0), L::splat(1.0), L::splat(SHORTEST));
    let mut factors = [zero; N];
    for (factor, weight) in factors.iter_mut().zip(weights) {
        *factor = L::splat(weight);
    }
    for index in wanted.stretches(rest.len()).flatten() {
        let (pose, rest) = (&mut pose[index], &rest[index]);
        for lane in (0..LANES).step_by(L::WIDTH) {
            let instead = load4::<L>(&rest.rotation, lane);
            let Some(mut sum) = source.of(0, index, lane) else {
                store_all(instead, &mut pose.rotation, lane);
                continue;
            };
            for sum in &mut sum {
                *sum = zero.add(sum.mul(factors[0]));
            }
            for (number, weight) in factors.iter().enumerate().skip(1) {
                let turn = source.of(number, index, lane).unwrap_or(instead);
                // The sign of the weight does what the sign of the quaternion would.
                let weight = weight.copy_sign_flip(dot(sum, turn));
                for (sum, turn) in sum.iter_mut().zip(turn) {
                    *sum = sum.add(turn.mul(weight));
                }
            }
            let squared = dot(sum, sum);
            let scale = one.div(squared.sqrt());
            // Quaternions that cancel out leave no direction.
            for (sum, instead) in sum.iter_mut().zip(instead) {
                *sum = squared.select_above(shortest, sum.mul(scale), instead);
            }
            store_all(sum, &mut pose.rotation, lane);
        }
    }
}

/// The mean of vectors.
#[inline(always)]
fn mean<L: Lanes>(parts: &[Part], total: f32, vectors: &[&[Component; 3]; MOST_CLIPS], out: &mut [Component; 3]) {
    let part = L::splat(1.0 / total);
    for lane in (0..LANES).step_by(L::WIDTH) {
        for (axis, out) in out.iter_mut().enumerate() {
            let mut sum = L::splat(0.0);
            for ((.., weight), vector) in parts.iter().zip(vectors) {
                sum = sum.add(L::load(&vector[axis][lane..]).mul(L::splat(*weight)));
            }
            sum.mul(part).store(&mut out[lane..]);
        }
    }
}
