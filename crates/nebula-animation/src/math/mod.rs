//! Numerical helpers that several stages share.

pub(crate) mod affine;
pub(crate) mod caches;
pub(crate) mod direction;
mod hash;
pub(crate) mod isa;
pub(crate) mod lanes;
pub(crate) mod slerp;
mod sum;
pub(crate) mod trig;

use glam::{DQuat, Quat};

pub(crate) use hash::Fingerprint;
pub(crate) use sum::ExactSum;

/// The unit quaternion with the same direction; `None` for zero length or numbers that are not finite.
///
/// Worked out in `f64`, because the squares of legal components (1e30, 1e-30) leave the range of `f32`.
pub(crate) fn unit_quat(quat: Quat) -> Option<Quat> {
    let wide = quat.as_dquat();
    let length = wide.length();
    (length.is_finite() && length > 0.0).then(|| DQuat::from_vec4(glam::DVec4::from(wide) / length).as_quat())
}

/// A sanitised weight: from 0 to 1, and 0 for NaN.
#[inline(always)]
pub(crate) fn clean_weight(weight: f32) -> f32 {
    if weight > 0.0 { weight.min(1.0) } else { 0.0 }
}

/// A sanitised duration in seconds: finite, and 0 if it is not a positive number. One that was an `f32` still is.
#[inline(always)]
pub(crate) fn clean_seconds(seconds: impl Into<f64>) -> f64 {
    let seconds = seconds.into();
    if seconds > 0.0 && seconds.is_finite() { seconds } else { 0.0 }
}

/// The weights of glTF's Hermite spline at the fraction `t` between two keys: of the start value, the out-tangent, the end
/// value and the in-tangent.
#[inline(always)]
pub(crate) fn hermite_basis(t: f32, seconds: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, seconds * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, seconds * (t3 - t2)]
}

/// The first number of the range for which `is_before` does not hold; it holds for a first part of the range.
#[inline(always)]
pub(crate) fn partition(range: std::ops::Range<i64>, is_before: impl Fn(i64) -> bool) -> i64 {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
