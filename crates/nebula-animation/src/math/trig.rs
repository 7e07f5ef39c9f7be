//! Trigonometry and decay with the same bits on every machine: the functions of the standard library are those of the
//! platform, and differ in the last places.
//!
//! All work in `f64` with series that are good to 1e-12, so that results are right to the last place of `f32` or next to it.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, LOG2_E, TAU};

use super::lanes::{LANES, Lanes};

/// Sine and cosine of an angle in radians; not a number if the angle is not finite.
#[inline]
pub(crate) fn sin_cos(angle: f32) -> (f32, f32) {
    let mut angle = f64::from(angle);
    if !(angle.abs() < 1e5) {
        // The remainder of a division is exact, but slow; of infinity it is not a number.
        angle %= TAU;
        if angle.is_nan() {
            return (f32::NAN, f32::NAN);
        }
    }
    near_sin_cos(angle)
}

/// As [`sin_cos`] of each lane, with the same bits, for angles of less than 1e5.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "compilers make vectors of plain loops")]
pub(crate) fn sin_cos_of<L: Lanes>(angle: L) -> [L; 2] {
    let (mut angles, mut sines, mut cosines) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
    angle.store(&mut angles);
    for lane in 0..L::WIDTH {
        (sines[lane], cosines[lane]) = near_sin_cos(f64::from(angles[lane]));
    }
    [L::load(&sines), L::load(&cosines)]
}

/// Of angles that are not large. Without branches, so that compilers can do several at once.
#[inline(always)]
fn near_sin_cos(angle: f64) -> (f32, f32) {
    let shifted = angle * FRAC_2_PI + ROOM;
    let rest = angle - (shifted - ROOM) * FRAC_PI_2;
    let square = rest * rest;
    let sine = rest * series(square, &SINE);
    let cosine = series(square, &COSINE);
    // The last bits of a number that has no room for fractions are those of the whole number: quarters of a turn.
    let quarter = shifted.to_bits();
    let (along, across) = if quarter & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
    (flipped(along, quarter >> 1) as f32, flipped(across, quarter ^ (quarter >> 1)) as f32)
}

/// A number whose sign is flipped where the last bit is set.
#[inline(always)]
fn flipped(value: f64, bits: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ (bits << 63))
}

/// Powers of `x^2`: 1, -1/3!, 1/5! and so on.
const SINE: [f64; 8] = every_second(1);
/// Powers of `x^2`: 1, -1/2!, 1/4! and so on.
const COSINE: [f64; 8] = every_second(0);

/// Every second factor of the exponential series, with signs that alternate: the odd ones, or the even ones.
const fn every_second(first: usize) -> [f64; 8] {
    let mut factors = [1.0; 8];
    let mut index = 1;
    while index < factors.len() {
        let power = 2 * index + first;
        factors[index] = -factors[index - 1] / (power * (power - 1)) as f64;
        index += 1;
    }
    factors
}

/// Powers of `x^2`: 1, -1/3, 1/5 and so on.
const ARC_TANGENT: [f64; 12] = {
    let mut factors = [1.0; 12];
    let mut index = 0;
    while index < factors.len() {
        let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
        factors[index] = sign / (2 * index + 1) as f64;
        index += 1;
    }
    factors
};
/// Powers of `x`: 1, -1, 1/2!, -1/3! and so on.
const DECAY: [f64; 12] = {
    let mut factors = [1.0; 12];
    let mut index = 1;
    while index < factors.len() {
        factors[index] = -factors[index - 1] / index as f64;
        index += 1;
    }
    factors
};

/// `factors[0] + factors[1] x + factors[2] x^2` and so on. Four terms at a time, so that few of them wait for others: the number of
/// factors is a multiple of that.
#[inline(always)]
fn series<const N: usize>(x: f64, factors: &[f64; N]) -> f64 {
    const { assert!(N.is_multiple_of(4)) };
    let square = x * x;
    let fourth = square * square;
    let mut sum = 0.0;
    for start in (0..N).step_by(4).rev() {
        let low = factors[start] + factors[start + 1] * x;
        let high = factors[start + 2] + factors[start + 3] * x;
        let four = low + high * square;
        sum = if start + 4 == N { four } else { sum * fourth + four };
    }
    sum
}

/// Beyond 2^52 there is no room for fractions: what is added to this number is rounded to a whole one. Without a call of the
/// platform's function, which older instruction sets need.
const ROOM: f64 = 6_755_399_441_055_744.0;

/// The angle in `[-pi, pi]` of the direction `(x, y)`; 0 of no direction.
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    let sum = f64::from(x) + f64::from(y);
    if !sum.is_finite() {
        return f32::NAN;
    }
    if x == 0.0 && y == 0.0 {
        return 0.0;
    }
    angle_of(y, x)
}

/// As [`atan2`] of each lane, with the same bits, for directions of finite length that is not 0.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "compilers make vectors of plain loops")]
pub(crate) fn atan2_of<L: Lanes>(y: L, x: L) -> L {
    let (mut ys, mut xs) = ([0.0; LANES], [0.0; LANES]);
    y.store(&mut ys);
    x.store(&mut xs);
    for lane in 0..L::WIDTH {
        ys[lane] = angle_of(ys[lane], xs[lane]);
    }
    L::load(&ys)
}

#[inline(always)]
fn angle_of(y: f32, x: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let is_steep = y.abs() > x.abs();
    let (low, high) = if is_steep { (x.abs(), y.abs()) } else { (y.abs(), x.abs()) };
    // Up to the tangent of 22.5 degrees, as is; from there to 45 degrees, by how much less than 45 degrees.
    let is_beyond = low > 0.414 * high;
    let rise = if is_beyond { low - high } else { low };
    let run = if is_beyond { low + high } else { high };
    let from = if is_beyond { FRAC_PI_4 } else { 0.0 };
    let t = rise / run;
    let angle = from + t * series(t * t, &ARC_TANGENT);
    let angle = if is_steep { FRAC_PI_2 - angle } else { angle };
    let angle = if x < 0.0 { 2.0 * FRAC_PI_2 - angle } else { angle };
    (if y < 0.0 { -angle } else { angle }) as f32
}

/// `e^-x` for `x` of at least 0: what is left after a decay. 1 below that, 0 far beyond.
#[inline]
pub(crate) fn decay(x: f32) -> f32 {
    if !(x > 0.0) {
        return if x.is_nan() { f32::NAN } else { 1.0 };
    }
    if x > 100.0 {
        return 0.0;
    }
    near_decay(x)
}

/// As [`decay`] of each lane, with the same bits, for numbers above 0.
#[inline(always)]
pub(crate) fn decay_of<L: Lanes>(x: L) -> L {
    let mut left = [0.0; LANES];
    x.store(&mut left);
    for left in &mut left[..L::WIDTH] {
        let near = near_decay(*left);
        *left = if *left > 100.0 { 0.0 } else { near };
    }
    L::load(&left)
}

#[inline(always)]
fn near_decay(x: f32) -> f32 {
    let x = f64::from(x);
    let shifted = x * LOG2_E + ROOM;
    let rest = x - (shifted - ROOM) * std::f64::consts::LN_2;
    // Two to a whole power, by its exponent; the last bits of a number without fractions are those of the whole number.
    let power = f64::from_bits(1023_u64.wrapping_sub(shifted.to_bits() & 0xff) << 52);
    (series(rest, &DECAY) * power) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::isa::Isa;
    use crate::math::lanes::{Kernel, dispatch};

    /// Against the platform's functions in `f64`, which are right to 1e-15.
    #[test]
    fn values_are_those_of_the_platform() {
        for step in -40_000..40_000_i32 {
            let x = step as f32 * 0.001;
            let (sine, cosine) = sin_cos(x);
            assert!((f64::from(sine) - f64::from(x).sin()).abs() < 4e-8, "sin {x}");
            assert!((f64::from(cosine) - f64::from(x).cos()).abs() < 4e-8, "cos {x}");
            let (y, along) = sin_cos(x * 0.07);
            for scale in [1e-30, 1.0, 1e30] {
                let expected = f64::from(y * scale).atan2(f64::from(along * scale));
                assert!((f64::from(atan2(y * scale, along * scale)) - expected).abs() < 2e-7, "atan2 {x}");
            }
            let expected = (-f64::from(x.abs())).exp();
            assert!((f64::from(decay(x.abs())) - expected).abs() <= expected * 1e-7 + 1e-40, "decay {x}");
        }
    }

    /// Lane by lane the same bits, on whatever instructions the machine has.
    struct InLanes([f32; LANES], [f32; LANES]);

    impl Kernel for InLanes {
        type Output = [[f32; LANES]; 4];
        #[inline(always)]
        fn run<L: Lanes>(self) -> Self::Output {
            let Self(a, b) = self;
            let mut out = [[0.0; LANES]; 4];
            for lane in (0..LANES).step_by(L::WIDTH) {
                let (x, y) = (L::load(&a[lane..]), L::load(&b[lane..]));
                let [sine, cosine] = sin_cos_of(x);
                for (out, value) in out.iter_mut().zip([sine, cosine, atan2_of(x, y), decay_of(y)]) {
                    value.store(&mut out[lane..]);
                }
            }
            out
        }
    }

    #[test]
    fn lanes_have_the_same_bits() {
        for isa in [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::best()] {
            for step in -3_000..3_000_i32 {
                let a: [f32; LANES] = std::array::from_fn(|lane| (step * 8 + lane as i32) as f32 * 0.013);
                let b: [f32; LANES] = std::array::from_fn(|lane| 120.0 * (0.501 + 0.5 * sin_cos(a[lane] * 7.3).0));
                let found = dispatch(isa, InLanes(a, b));
                for (lane, (a, b)) in a.into_iter().zip(b).enumerate() {
                    let (sine, cosine) = sin_cos(a);
                    let expected = [sine, cosine, atan2(a, b), decay(b)];
                    let found = found.map(|values| values[lane].to_bits());
                    assert_eq!(found, expected.map(f32::to_bits), "{a} and {b} on {isa:?}");
                }
            }
        }
    }

    #[test]
    fn edges_are_defined() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f32::INFINITY).0.is_nan() && sin_cos(f32::NAN).1.is_nan());
        let (sine, cosine) = sin_cos(f32::MAX);
        assert!((sine * sine + cosine * cosine - 1.0).abs() < 1e-6);
        assert_eq!((atan2(0.0, 0.0), atan2(0.0, 1.0)), (0.0, 0.0));
        assert_eq!(atan2(0.0, -1.0), std::f32::consts::PI);
        assert!(atan2(f32::NAN, 1.0).is_nan());
        assert_eq!((decay(-1.0), decay(0.0), decay(1e9)), (1.0, 1.0, 0.0));
        assert!(decay(f32::NAN).is_nan());
    }
}
