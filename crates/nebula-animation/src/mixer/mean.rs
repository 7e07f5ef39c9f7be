//! The mean of a few poses, in one pass.

use super::blend::SHORTEST;
use super::space::MOST_CLIPS;
use crate::compile::Moves;
use crate::math::lanes::{Kernel, Lanes, load4, store_all};
use crate::math::slerp::dot;
use crate::rig::block::{Blocks, Component, LANES, PoseBlock};

/// The mean of poses, each with a weight above 0. Rotations are added up as quaternions, each in the half of the sum so far, and
/// brought to unit length. What is at rest in all of them is so in the mean, to the bit.
pub(super) struct Mean<'a> {
    /// The poses, one after the other, without what is at rest.
    pub samples: &'a [PoseBlock],
    /// The weight of each, and what of it is not at rest; from one to three.
    pub parts: &'a [(f32, &'a [Moves])],
    pub rest: &'a [PoseBlock],
    pub wanted: Blocks,
    pub pose: &'a mut [PoseBlock],
}

impl Kernel for Mean<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { samples, parts, rest, wanted, pose } = self;
        let total = parts.iter().fold(0.0, |total, (weight, _)| total + weight);
        let blocks = rest.len();
        match *parts {
            [(a, _), (b, _)] => turns::<L, 2>(samples, [a, b], rest, wanted, pose),
            [(a, _), (b, _), (c, _)] => turns::<L, 3>(samples, [a, b, c], rest, wanted, pose),
            _ => turns::<L, 1>(samples, [1.0], rest, wanted, pose),
        }
        for index in wanted.stretches(blocks).flatten() {
            let (pose, rest) = (&mut pose[index], &rest[index]);
            let moves = parts.iter().fold(Moves::default(), |all, (_, moves)| all | moves[index]);
            if moves.translation {
                let mut vectors = [&rest.translation; MOST_CLIPS];
                for (number, _) in parts.iter().enumerate().filter(|(_, (_, moves))| moves[index].translation) {
                    vectors[number] = &samples[number * blocks + index].translation;
                }
                mean::<L>(parts, total, &vectors, &mut pose.translation);
            } else {
                pose.translation = rest.translation;
            }
            if moves.scale {
                let mut vectors = [&rest.scale; MOST_CLIPS];
                for (number, _) in parts.iter().enumerate().filter(|(_, (_, moves))| moves[index].scale) {
                    vectors[number] = &samples[number * blocks + index].scale;
                }
                mean::<L>(parts, total, &vectors, &mut pose.scale);
            } else {
                pose.scale = rest.scale;
            }
        }
    }
}

/// The mean of rotations, with these weights.
#[inline(always)]
fn turns<L: Lanes, const N: usize>(
    samples: &[PoseBlock],
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
    let blocks = rest.len();
    for index in wanted.stretches(blocks).flatten() {
        let (pose, rest) = (&mut pose[index], &rest[index]);
        for lane in (0..LANES).step_by(L::WIDTH) {
            let mut sum = load4::<L>(&samples[index].rotation, lane);
            for sum in &mut sum {
                *sum = zero.add(sum.mul(factors[0]));
            }
            for (number, weight) in factors.iter().enumerate().skip(1) {
                let turn = load4::<L>(&samples[number * blocks + index].rotation, lane);
                // The sign of the weight does what the sign of the quaternion would.
                let weight = weight.copy_sign_flip(dot(sum, turn));
                for (sum, turn) in sum.iter_mut().zip(turn) {
                    *sum = sum.add(turn.mul(weight));
                }
            }
            let squared = dot(sum, sum);
            let scale = one.div(squared.sqrt());
            // Quaternions that cancel out leave no direction.
            let instead = load4::<L>(&rest.rotation, lane);
            for (sum, instead) in sum.iter_mut().zip(instead) {
                *sum = squared.select_above(shortest, sum.mul(scale), instead);
            }
            store_all(sum, &mut pose.rotation, lane);
        }
    }
}

/// The mean of vectors.
#[inline(always)]
fn mean<L: Lanes>(
    parts: &[(f32, &[Moves])],
    total: f32,
    vectors: &[&[Component; 3]; MOST_CLIPS],
    out: &mut [Component; 3],
) {
    let part = L::splat(1.0 / total);
    for lane in (0..LANES).step_by(L::WIDTH) {
        for (axis, out) in out.iter_mut().enumerate() {
            let mut sum = L::splat(0.0);
            for ((weight, _), vector) in parts.iter().zip(vectors) {
                sum = sum.add(L::load(&vector[axis][lane..]).mul(L::splat(*weight)));
            }
            sum.mul(part).store(&mut out[lane..]);
        }
    }
}
