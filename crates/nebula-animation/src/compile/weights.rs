//! Morph weights: one key look-up for all targets of a mesh.

use std::sync::Arc;

use super::timeline::{Place, Timeline};
use crate::clip::Interpolation;
use crate::math::hermite_basis;
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, Scalar, dispatch};

/// The compiled keys of a mesh's morph weights: any time at the same cost, in any order, without allocation.
///
/// ```
/// use nebula_animation::{Interpolation, compile::CompiledWeights};
///
/// // Two targets; the first fades in within a second.
/// let weights = CompiledWeights::new(Interpolation::Linear, &[0.0, 1.0], [0.0, 0.5, 1.0, 0.5], 2);
/// let mut now = [0.0; 2];
/// weights.sample(0.25, &mut now);
/// assert_eq!(now, [0.25, 0.5]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledWeights {
    interpolation: Interpolation,
    target_count: usize,
    /// None for a single key, or times that nobody can follow: the first key holds.
    timeline: Option<Timeline>,
    values: Arc<[f32]>,
}

/// Values that are made up at most where a caller gives too few.
const MOST_MISSING: usize = 1 << 24;

impl CompiledWeights {
    /// Compiles keys at ascending times, in seconds. The values of a key are the weights of all targets; with
    /// [`Interpolation::CubicSpline`], all in-tangents, all weights, then all out-tangents.
    ///
    /// Missing values count as 0. If more than 16 million are missing, the targets for which there is no room are
    /// dropped.
    #[must_use]
    pub fn new(
        interpolation: Interpolation,
        times: &[f32],
        values: impl Into<Arc<[f32]>>,
        target_count: usize,
    ) -> Self {
        let mut values = values.into();
        let slots = times.len().max(1) * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        // A number from a stranger must not take the memory.
        let room = values.len().saturating_add(MOST_MISSING);
        let target_count = if slots.saturating_mul(target_count) > room { room / slots } else { target_count };
        let needed = slots * target_count;
        if values.len() < needed {
            values = values.iter().copied().chain(std::iter::repeat(0.0)).take(needed).collect();
        }
        Self { interpolation, target_count, timeline: Timeline::new(times), values }
    }

    /// The number of weights.
    #[must_use]
    pub fn target_count(&self) -> usize {
        self.target_count
    }

    /// Writes the weights at `time` seconds, clamped to the keys. A shorter slice gets the first ones; entries beyond
    /// the targets are left unchanged.
    pub fn sample(&self, time: f32, weights: &mut [f32]) {
        let count = self.target_count.min(weights.len());
        let place = self.timeline.as_ref().map(|timeline| timeline.find(time));
        dispatch(Isa::best(), SampleWeights { weights: self, place, out: &mut weights[..count] });
    }

    /// The numbers in one slot: a key, or one of the three of a spline's key.
    #[inline(always)]
    fn slot(&self, slot: usize) -> &[f32] {
        &self.values[slot * self.target_count..][..self.target_count]
    }
}

struct SampleWeights<'a> {
    weights: &'a CompiledWeights,
    place: Option<Place>,
    out: &'a mut [f32],
}

impl Kernel for SampleWeights<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { weights, place, out } = self;
        let is_spline = weights.interpolation == Interpolation::CubicSpline;
        let Some(Place { key, fraction, seconds, is_end }) = place else {
            out.copy_from_slice(&weights.slot(usize::from(is_spline))[..out.len()]);
            return;
        };
        match weights.interpolation {
            Interpolation::Step => out.copy_from_slice(&weights.slot(key + usize::from(is_end))[..out.len()]),
            Interpolation::Linear => {
                let factors = [1.0 - fraction, fraction];
                combine::<L, 2>([weights.slot(key), weights.slot(key + 1)], factors, out);
            }
            Interpolation::CubicSpline => {
                let slots = [3 * key + 1, 3 * key + 2, 3 * key + 4, 3 * key + 3];
                let slots =
                    [weights.slot(slots[0]), weights.slot(slots[1]), weights.slot(slots[2]), weights.slot(slots[3])];
                combine::<L, 4>(slots, hermite_basis(fraction, seconds), out);
            }
        }
    }
}

/// Sums of slots times factors.
#[inline(always)]
fn combine<L: Lanes, const N: usize>(slots: [&[f32]; N], factors: [f32; N], out: &mut [f32]) {
    let whole = out.len() / L::WIDTH * L::WIDTH;
    for start in (0..whole).step_by(L::WIDTH) {
        sum::<L, N>(slots, factors, start).store(&mut out[start..]);
    }
    for start in whole..out.len() {
        sum::<Scalar, N>(slots, factors, start).store(&mut out[start..]);
    }
}

#[inline(always)]
fn sum<L: Lanes, const N: usize>(slots: [&[f32]; N], factors: [f32; N], start: usize) -> L {
    let mut sum = L::load(&slots[0][start..]).mul(L::splat(factors[0]));
    for index in 1..N {
        sum = sum.add(L::load(&slots[index][start..]).mul(L::splat(factors[index])));
    }
    sum
}
