//! Trigonometry and decay with the same bits on every machine: the functions of the standard library are those of the
//! platform, and differ in the last places.
//!
//! All work in `f64` with series that are good to 1e-12, so that results are right to the last place of `f32` or next to it.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LOG2_E, TAU};

/// Sine and cosine of an angle in radians; not a number if the angle is not finite.
pub(crate) fn sin_cos(angle: f32) -> (f32, f32) {
    if !angle.is_finite() {
        return (f32::NAN, f32::NAN);
    }
    // The remainder of a division is exact.
    let angle = f64::from(angle) % TAU;
    let quarter = (angle / FRAC_PI_2).round_ties_even();
    let rest = angle - quarter * FRAC_PI_2;
    let square = rest * rest;
    let sine = rest * alternating(square, [6.0, 20.0, 42.0, 72.0, 110.0, 156.0]);
    let cosine = alternating(square, [2.0, 12.0, 30.0, 56.0, 90.0, 132.0]);
    let (sine, cosine) = match (quarter as i32).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    (sine as f32, cosine as f32)
}

/// `1 - x/a (1 - x/b (1 - ...))`.
fn alternating(x: f64, divisors: [f64; 6]) -> f64 {
    divisors.iter().rev().fold(1.0, |sum, divisor| 1.0 - x / divisor * sum)
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
    let ratio = low / high;
    let (t, from) = if ratio > 0.414 { ((ratio - 1.0) / (ratio + 1.0), FRAC_PI_4) } else { (ratio, 0.0) };
    let square = t * t;
    let mut series = 0.0;
    for odd in (0..14_u8).rev() {
        series = 1.0 / f64::from(2 * odd + 1) - square * series;
    }
    let mut angle = from + t * series;
    if y.abs() > x.abs() {
        angle = FRAC_PI_2 - angle;
    }
    if x < 0.0 {
        angle = 2.0 * FRAC_PI_2 - angle;
    }
    if y < 0.0 { -angle as f32 } else { angle as f32 }
}

/// `e^-x` for `x` of at least 0: what is left after a decay. 1 below that, 0 far beyond.
pub(crate) fn decay(x: f32) -> f32 {
    if !(x > 0.0) {
        return if x.is_nan() { f32::NAN } else { 1.0 };
    }
    if x > 100.0 {
        return 0.0;
    }
    let x = f64::from(x);
    let halvings = (x * LOG2_E).round_ties_even();
    let rest = x - halvings * std::f64::consts::LN_2;
    let series = (1..=11_u8).rev().fold(1.0, |sum, n| 1.0 - rest / f64::from(n) * sum);
    // Two to a whole power, by its exponent.
    let power = f64::from_bits((1023 - halvings as u64) << 52);
    (series * power) as f32
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
