//! Trigonometry and decay with the same bits on every machine: the functions of the standard library are those of the
//! platform, and differ in the last places.
//!
//! All work in `f64` with series that are good to 1e-12, so that results are right to the last place of `f32` or next to it.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, LOG2_E, TAU};

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
    let quarter = round(angle * FRAC_2_PI);
    let rest = angle - quarter * FRAC_PI_2;
    let square = rest * rest;
    let sine = rest * series(square, &SINE);
    let cosine = series(square, &COSINE);
    let (sine, cosine) = match quarter as i32 & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    (sine as f32, cosine as f32)
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

/// The nearest whole number of one that is far from large: beyond 2^52 there is no room for fractions. Without a call of the
/// platform's function, which older instruction sets need.
#[inline(always)]
fn round(x: f64) -> f64 {
    const ROOM: f64 = 6_755_399_441_055_744.0;
    (x + ROOM) - ROOM
}

/// The angle in `[-pi, pi]` of the direction `(x, y)`; 0 of no direction.
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let (low, high) = (x.abs().min(y.abs()), x.abs().max(y.abs()));
    if !(x + y).is_finite() {
        return f32::NAN;
    }
    if high == 0.0 {
        return 0.0;
    }
    // Up to the tangent of 22.5 degrees, as is; from there to 45 degrees, by how much less than 45 degrees.
    let (rise, run, from) = if low > 0.414 * high { (low - high, low + high, FRAC_PI_4) } else { (low, high, 0.0) };
    let t = rise / run;
    let mut angle = from + t * series(t * t, &ARC_TANGENT);
    if y.abs() > x.abs() {
        angle = FRAC_PI_2 - angle;
    }
    if x < 0.0 {
        angle = 2.0 * FRAC_PI_2 - angle;
    }
    if y < 0.0 { -angle as f32 } else { angle as f32 }
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
    let x = f64::from(x);
    let halvings = round(x * LOG2_E);
    let rest = x - halvings * std::f64::consts::LN_2;
    // Two to a whole power, by its exponent.
    let power = f64::from_bits((1023 - halvings as u64) << 52);
    (series(rest, &DECAY) * power) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

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
