//! Spherical interpolation without trigonometry.
//!
//! The point at a fraction `t` of the arc between two unit quaternions at an angle `a` (at most a right one) is the
//! normalised `(1 - u) p + u q` for
//!
//! ```text
//! u = 1/2 + tan(s a) / (2 tan(a / 2)),   s = t - 1/2
//! ```
//!
//! which is `u = t + s (s^2 - 1/4) K` with a smooth `K` of `c = 1 - cos a` and `r = s^2`. The polynomial below was fitted to
//! that `K` over the whole range (0 to 90 degrees between quaternions, a half turn between rotations): the point is
//! right to 1.6e-7 radians in `f32`. Its coefficients depend on `t` alone, so they are found once for all joints that share
//! a key interval.

//!
//! Keys are mostly close to each other. There, the factors of `p` and `q` themselves are a few terms of a series, and no root
//! or division is left:
//!
//! ```text
//! sin(t a) / sin a = t (1 + A1 c (1 + A2 c (1 + A3 c (1 + ...)))),   Ai = (i^2 - t^2) / (i (2 i + 1))
//! ```
//!
//! With terms up to the `n`th power, what is left out is below `0.4 (c / 2)^(n + 1)`; see [`Near::REACH`].

use super::lanes::{Lanes, Scalar};

/// `K = sum of COEFFICIENTS[i - 1][j] c^i r^j`.
const COEFFICIENTS: [&[f32]; 6] = [
    &[0.666_404_25],
    &[0.135_870_59, 0.544_520_9],
    &[0.027_195_68, 0.142_613_3, 0.273_959_54],
    &[0.036_129_516, 0.191_248_33, 0.707_472_7, 1.223_968_4],
    &[-0.020_450_876, -0.107_010_55, -0.421_077_1, -1.639_950_1, -1.260_508],
    &[0.013_265_013, 0.077_715_25, 0.306_819_8, 1.077_221, 2.884_343],
];

/// What is needed of a fraction, for any number of quaternion pairs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Warp<L> {
    fraction: L,
    /// `s (s^2 - 1/4)`.
    strength: L,
    /// Factors of c, c^2 and so on.
    powers: [L; 6],
}

impl<L: Lanes> Warp<L> {
    /// The same fraction, from 0 to 1, in all lanes.
    #[inline(always)]
    pub fn splat(fraction: f32) -> Self {
        // One float at a time gives the same bits as all lanes at once, and is less work.
        Warp::<Scalar>::new(Scalar::splat(fraction)).in_lanes()
    }
}

impl Warp<Scalar> {
    /// The same in all lanes.
    #[inline(always)]
    pub fn in_lanes<L: Lanes>(&self) -> Warp<L> {
        let [a, b, c, d, e, f] = self.powers;
        Warp {
            fraction: L::splat(self.fraction.get()),
            strength: L::splat(self.strength.get()),
            powers: [
                L::splat(a.get()),
                L::splat(b.get()),
                L::splat(c.get()),
                L::splat(d.get()),
                L::splat(e.get()),
                L::splat(f.get()),
            ],
        }
    }
}

impl<L: Lanes> Warp<L> {
    #[inline(always)]
    pub fn new(fraction: L) -> Self {
        let s = fraction.sub(L::splat(0.5));
        let r = s.mul(s);
        Self {
            fraction,
            strength: s.mul(r.sub(L::splat(0.25))),
            powers: [
                polynomial(COEFFICIENTS[0], r),
                polynomial(COEFFICIENTS[1], r),
                polynomial(COEFFICIENTS[2], r),
                polynomial(COEFFICIENTS[3], r),
                polynomial(COEFFICIENTS[4], r),
                polynomial(COEFFICIENTS[5], r),
            ],
        }
    }

    /// The point on the arc from `p` to `q`, quaternions of unit length whose dot product is not negative.
    #[inline(always)]
    pub fn slerp(&self, p: [L; 4], q: [L; 4]) -> [L; 4] {
        self.with_cosine(dot(p, q), p, q)
    }

    /// As [`Warp::slerp`] by the shorter way round, whatever the signs.
    #[inline(always)]
    pub fn slerp_shorter(&self, p: [L; 4], q: [L; 4]) -> [L; 4] {
        let cosine = dot(p, q);
        let [x, y, z, w] = q;
        let q =
            [x.copy_sign_flip(cosine), y.copy_sign_flip(cosine), z.copy_sign_flip(cosine), w.copy_sign_flip(cosine)];
        self.with_cosine(cosine.copy_sign_flip(cosine), p, q)
    }

    /// As [`Warp::slerp`], also where the quaternions are more than a right angle apart: the same arc, the long way round, at a
    /// speed that varies. Where they are opposite there is no arc, and `p` is the answer.
    #[inline(always)]
    pub fn slerp_either_way(&self, p: [L; 4], q: [L; 4]) -> [L; 4] {
        let (zero, one, shortest) = (L::splat(0.0), L::splat(1.0), L::splat(1e-12));
        let cosine = dot_in_pairs(p, q);
        let c = one.sub(cosine.select_above(zero, cosine, zero));
        let u = self.on_chord_in_pairs(c);
        let [x, y, z, w] = combine(p, one.sub(u), q, u);
        let squared = dot_in_pairs([x, y, z, w], [x, y, z, w]);
        // Factors instead of a choice at the end, which compilers turn into masked stores: those are slow.
        let scale = squared.select_above(shortest, one.div(squared.sqrt()), zero);
        let kept = squared.select_above(shortest, zero, one);
        combine([x, y, z, w], scale, p, kept)
    }

    /// The factors of no turn and of a turn whose sum is the turn's part: of a quaternion of unit length with this real part, which
    /// is not negative.
    #[inline(always)]
    pub fn factors(&self, real: L) -> [L; 2] {
        let one = L::splat(1.0);
        let c = one.sub(real);
        let u = self.on_chord_in_pairs(c);
        let rest = one.sub(u);
        let shortening = u.mul(rest).mul(c);
        let scale = one.div(one.sub(shortening.add(shortening)).sqrt());
        [rest.mul(scale), u.mul(scale)]
    }

    #[inline(always)]
    fn with_cosine(&self, cosine: L, p: [L; 4], q: [L; 4]) -> [L; 4] {
        let one = L::splat(1.0);
        let c = one.sub(cosine);
        let u = self.on_chord(c);
        let rest = one.sub(u);
        // The length follows from the angle: `p` and `q` have unit length.
        let shortening = u.mul(rest).mul(c);
        let scale = one.div(one.sub(shortening.add(shortening)).sqrt());
        combine(p, rest.mul(scale), q, u.mul(scale))
    }

    /// As `on_chord`, in pairs of terms: less to wait for, and other last bits.
    #[inline(always)]
    fn on_chord_in_pairs(&self, c: L) -> L {
        let [k1, k2, k3, k4, k5, k6] = self.powers;
        let square = c.mul(c);
        let (low, middle, high) = (k2.mul(c).add(k1), k4.mul(c).add(k3), k6.mul(c).add(k5));
        let k = high.mul(square).add(middle).mul(square).add(low).mul(c);
        self.fraction.add(self.strength.mul(k))
    }

    /// How far along the straight line from one quaternion to the other the point below the one on the arc is.
    #[inline(always)]
    fn on_chord(&self, c: L) -> L {
        let [k1, k2, k3, k4, k5, k6] = self.powers;
        let k = k6.mul(c).add(k5).mul(c).add(k4).mul(c).add(k3).mul(c).add(k2).mul(c).add(k1).mul(c);
        self.fraction.add(self.strength.mul(k))
    }
}

/// `p a + q b`, with the sign of `q` by which it is the nearer one.
#[inline(always)]
pub(crate) fn combine_shorter<L: Lanes>(p: [L; 4], a: L, q: [L; 4], b: L) -> [L; 4] {
    let (cosine, [x, y, z, w]) = (dot(p, q), q);
    let q = [x.copy_sign_flip(cosine), y.copy_sign_flip(cosine), z.copy_sign_flip(cosine), w.copy_sign_flip(cosine)];
    combine(p, a, q, b)
}

/// `p a + q b`.
#[inline(always)]
fn combine<L: Lanes>(p: [L; 4], a: L, q: [L; 4], b: L) -> [L; 4] {
    [
        p[0].mul(a).add(q[0].mul(b)),
        p[1].mul(a).add(q[1].mul(b)),
        p[2].mul(a).add(q[2].mul(b)),
        p[3].mul(a).add(q[3].mul(b)),
    ]
}

/// As [`Warp`], for quaternions that are close to each other: `1 - cos a` is at most [`Near::REACH`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near<L, const TERMS: usize> {
    /// Factors of 1, c, c^2 and so on, for the start and the end of the arc.
    start: [L; TERMS],
    end: [L; TERMS],
}

impl<L: Lanes, const TERMS: usize> Near<L, TERMS> {
    /// The largest `c` for which the terms that are left out stay below 4e-8.
    pub const REACH: f32 = match TERMS {
        4 => 0.045,
        _ => 0.16,
    };

    /// The same fraction, from 0 to 1, in all lanes.
    #[inline(always)]
    pub fn splat(fraction: f32) -> Self {
        let one = Near::<Scalar, TERMS>::new(Scalar::splat(fraction));
        let mut all = Self { start: [L::splat(0.0); TERMS], end: [L::splat(0.0); TERMS] };
        for term in 0..TERMS {
            all.start[term] = L::splat(one.start[term].get());
            all.end[term] = L::splat(one.end[term].get());
        }
        all
    }

    #[inline(always)]
    pub fn new(fraction: L) -> Self {
        Self { start: series(L::splat(1.0).sub(fraction)), end: series(fraction) }
    }

    /// How much of the start and of the end of the arc, by the cosine between them. In pairs of terms: less to wait for than in
    /// [`Near::slerp`], and other last bits.
    #[inline(always)]
    pub fn shares(&self, cosine: L) -> [L; 2] {
        let c = L::splat(1.0).sub(cosine);
        let square = c.mul(c);
        let (mut a, mut b) = (pair(&self.start, TERMS - 2, c), pair(&self.end, TERMS - 2, c));
        for term in (0..TERMS - 2).step_by(2).rev() {
            a = a.mul(square).add(pair(&self.start, term, c));
            b = b.mul(square).add(pair(&self.end, term, c));
        }
        [a, b]
    }

    /// The point on the arc from `p` to `q`, quaternions of unit length.
    #[inline(always)]
    pub fn slerp(&self, p: [L; 4], q: [L; 4]) -> [L; 4] {
        let c = L::splat(1.0).sub(dot(p, q));
        let (mut a, mut b) = (self.start[TERMS - 1], self.end[TERMS - 1]);
        for term in (0..TERMS - 1).rev() {
            a = a.mul(c).add(self.start[term]);
            b = b.mul(c).add(self.end[term]);
        }
        combine(p, a, q, b)
    }
}

/// Two terms, from one on.
#[inline(always)]
fn pair<L: Lanes>(terms: &[L], term: usize, c: L) -> L {
    terms[term + 1].mul(c).add(terms[term])
}

/// The factors of 1, c, c^2 and so on in `sin(t a) / sin a`.
#[inline(always)]
fn series<L: Lanes, const TERMS: usize>(t: L) -> [L; TERMS] {
    let square = t.mul(t);
    let mut factors = [t; TERMS];
    for term in 1..TERMS {
        let i = term as f32;
        let ratio = L::splat(i * i).sub(square).mul(L::splat(1.0 / (i * (2.0 * i + 1.0))));
        factors[term] = factors[term - 1].mul(ratio);
    }
    factors
}

/// `factors[0] + factors[1] r + factors[2] r^2` and so on.
#[inline(always)]
fn polynomial<L: Lanes>(factors: &[f32], r: L) -> L {
    let mut sum = L::splat(0.0);
    for &factor in factors.iter().rev() {
        sum = sum.mul(r).add(L::splat(factor));
    }
    sum
}

/// As [`dot`], added up in pairs: less to wait for, and other last bits.
#[inline(always)]
pub(crate) fn dot_in_pairs<L: Lanes>(p: [L; 4], q: [L; 4]) -> L {
    p[0].mul(q[0]).add(p[1].mul(q[1])).add(p[2].mul(q[2]).add(p[3].mul(q[3])))
}

/// The dot product of two quaternions, in each lane.
#[inline(always)]
pub(crate) fn dot<L: Lanes>(p: [L; 4], q: [L; 4]) -> L {
    p[0].mul(q[0]).add(p[1].mul(q[1])).add(p[2].mul(q[2])).add(p[3].mul(q[3]))
}
