//! Rotations from packed numbers, and interpolation between them.

use crate::math::lanes::Lanes;
use crate::math::slerp::{Near, Warp, dot_in_pairs};

/// Interpolation of rotations.
pub(super) trait Arc<L: Lanes>: Copy {
    fn at(fraction: f32) -> Self;
    /// How much of the first and of the second one, by the cosine of what is between them, which is not negative.
    fn shares(&self, cosine: L) -> [L; 2];
}

impl<L: Lanes, const TERMS: usize> Arc<L> for Near<L, TERMS> {
    #[inline(always)]
    fn at(fraction: f32) -> Self {
        Self::splat(fraction)
    }
    #[inline(always)]
    fn shares(&self, cosine: L) -> [L; 2] {
        Self::shares(self, cosine)
    }
}

impl<L: Lanes> Arc<L> for Warp<L> {
    #[inline(always)]
    fn at(fraction: f32) -> Self {
        Self::splat(fraction)
    }
    #[inline(always)]
    fn shares(&self, cosine: L) -> [L; 2] {
        self.factors(cosine)
    }
}

/// The rotation between two.
#[inline(always)]
pub(super) fn between<L: Lanes>(arc: &impl Arc<L>, p: [L; 4], q: [L; 4]) -> [L; 4] {
    let [a, b] = arc.shares(dot_in_pairs(p, q));
    [
        p[0].mul(a).add(q[0].mul(b)),
        p[1].mul(a).add(q[1].mul(b)),
        p[2].mul(a).add(q[2].mul(b)),
        p[3].mul(a).add(q[3].mul(b)),
    ]
}

/// As [`between`] of two that are longer by factors, with one division for both; the result has the length of a factor.
#[inline(always)]
pub(super) fn between_long<L: Lanes>(
    arc: &impl Arc<L>,
    (p, p_size): ([L; 4], L),
    (q, q_size): ([L; 4], L),
    length: L,
) -> [L; 4] {
    let scale = L::splat(1.0).div(p_size.mul(q_size));
    let [a, b] = arc.shares(dot_in_pairs(p, q).mul(scale));
    let scale = scale.mul(length);
    let (a, b) = (a.mul(q_size.mul(scale)), b.mul(p_size.mul(scale)));
    [
        p[0].mul(a).add(q[0].mul(b)),
        p[1].mul(a).add(q[1].mul(b)),
        p[2].mul(a).add(q[2].mul(b)),
        p[3].mul(a).add(q[3].mul(b)),
    ]
}

/// The rotation whose axis times `tan(angle / 4)` these are, longer by a factor.
#[inline(always)]
pub(super) fn long<L: Lanes>([x, y, z]: [L; 3]) -> ([L; 4], L) {
    let one = L::splat(1.0);
    let squares = x.mul(x).add(y.mul(y)).add(z.mul(z));
    ([x.add(x), y.add(y), z.add(z), one.sub(squares)], one.add(squares))
}

/// Of unit length. Clips have no numbers that are all zero: files with such are refused.
#[inline(always)]
pub(super) fn normal<L: Lanes>([x, y, z, w]: [L; 4]) -> [L; 4] {
    let squares = x.mul(x).add(y.mul(y)).add(z.mul(z)).add(w.mul(w));
    let scale = L::splat(1.0).div(squares.sqrt());
    [x.mul(scale), y.mul(scale), z.mul(scale), w.mul(scale)]
}

/// The product of two rotations.
#[inline(always)]
pub(super) fn product<L: Lanes>(p: [L; 4], q: [L; 4]) -> [L; 4] {
    [
        p[3].mul(q[0]).add(p[0].mul(q[3])).add(p[1].mul(q[2]).sub(p[2].mul(q[1]))),
        p[3].mul(q[1]).add(p[1].mul(q[3])).add(p[2].mul(q[0]).sub(p[0].mul(q[2]))),
        p[3].mul(q[2]).add(p[2].mul(q[3])).add(p[0].mul(q[1]).sub(p[1].mul(q[0]))),
        p[3].mul(q[3]).sub(p[0].mul(q[0])).sub(p[1].mul(q[1]).add(p[2].mul(q[2]))),
    ]
}

/// Of angles up to 1.2, to within the rounding of single numbers: hinges turn by half of 124 degrees from their mean at most.
#[inline(always)]
pub(super) fn sine_and_cosine<L: Lanes>(angle: L) -> [L; 2] {
    let square = angle.mul(angle);
    let sine =
        polynomial(&[1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0], square);
    let cosine = polynomial(&[1.0, -0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0], square);
    [angle.mul(sine), cosine]
}

/// The sum of factors times powers, in pairs of terms: less to wait for.
#[inline(always)]
fn polynomial<L: Lanes>(factors: &[f32; 6], x: L) -> L {
    let square = x.mul(x);
    let low = L::splat(factors[1]).mul(x).add(L::splat(factors[0]));
    let middle = L::splat(factors[3]).mul(x).add(L::splat(factors[2]));
    let high = L::splat(factors[5]).mul(x).add(L::splat(factors[4]));
    high.mul(square).add(middle).mul(square).add(low)
}
