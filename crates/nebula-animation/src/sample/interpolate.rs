use glam::{Quat, Vec3};

use crate::math::{hermite_basis, unit_quat};

/// A value that keyframes can hold.
///
/// Implemented for [`Vec3`] (translation and scale), [`Quat`] (rotation) and `f32` (morph weights).
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::sample::Interpolatable;
///
/// assert_eq!(<Vec3 as Interpolatable>::lerp(&Vec3::ZERO, &Vec3::X, 0.25).x, 0.25);
/// ```
pub trait Interpolatable: Clone + Default {
    /// Interpolates from `a` to `b` by `t` (0 to 1): linearly, or for rotations along the shorter arc at constant
    /// speed.
    #[must_use]
    fn lerp(a: &Self, b: &Self, t: f32) -> Self;

    /// The Hermite spline of glTF 2.0 from `a` to `b`, which are `seconds` apart, at the fraction `t`. Tangents are per
    /// second: the one that leaves `a` and the one that arrives at `b`.
    #[must_use]
    fn cubic_spline(a: &Self, out_tangent: &Self, in_tangent: &Self, b: &Self, t: f32, seconds: f32) -> Self;
}

impl Interpolatable for f32 {
    fn lerp(a: &Self, b: &Self, t: f32) -> Self {
        a * (1.0 - t) + b * t
    }

    fn cubic_spline(a: &Self, out_tangent: &Self, in_tangent: &Self, b: &Self, t: f32, seconds: f32) -> Self {
        let [at_a, at_out, at_b, at_in] = hermite_basis(t, seconds);
        a * at_a + out_tangent * at_out + b * at_b + in_tangent * at_in
    }
}

impl Interpolatable for Vec3 {
    fn lerp(a: &Self, b: &Self, t: f32) -> Self {
        Vec3::lerp(*a, *b, t)
    }

    fn cubic_spline(a: &Self, out_tangent: &Self, in_tangent: &Self, b: &Self, t: f32, seconds: f32) -> Self {
        let [at_a, at_out, at_b, at_in] = hermite_basis(t, seconds);
        *a * at_a + *out_tangent * at_out + *b * at_b + *in_tangent * at_in
    }
}

impl Interpolatable for Quat {
    fn lerp(a: &Self, b: &Self, t: f32) -> Self {
        let blended = Quat::slerp(*a, *b, t);
        // Two keys a half turn apart in the same direction cancel out exactly in the middle.
        unit_quat(blended).unwrap_or(*a)
    }

    fn cubic_spline(a: &Self, out_tangent: &Self, in_tangent: &Self, b: &Self, t: f32, seconds: f32) -> Self {
        let [at_a, at_out, at_b, at_in] = hermite_basis(t, seconds);
        unit_quat(*a * at_a + *out_tangent * at_out + *b * at_b + *in_tangent * at_in).unwrap_or(*a)
    }
}
