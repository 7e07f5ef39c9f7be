//! Rotations from one direction to another.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use crate::math::trig::sin_cos;

/// The shortest rotation from one unit vector to another. For opposite ones, a half turn about any axis between.
#[inline]
pub(super) fn arc(from: Vec3, to: Vec3) -> Quat {
    let axis = from.cross(to);
    let real = 1.0 + from.dot(to);
    let length_squared = axis.length_squared() + real * real;
    if length_squared > 1e-12 {
        let factor = length_squared.sqrt().recip();
        Quat::from_xyzw(axis.x * factor, axis.y * factor, axis.z * factor, real * factor)
    } else if length_squared.is_nan() {
        Quat::from_xyzw(f32::NAN, f32::NAN, f32::NAN, f32::NAN)
    } else {
        about(from.any_orthonormal_vector(), PI)
    }
}

/// The rotation from one unit vector towards another by at most `limit` radians. Between opposite ones, it goes about `up`.
pub(super) fn turn_towards(from: Vec3, to: Vec3, limit: f32, up: Vec3) -> Quat {
    let limit = limit.clamp(0.0, PI);
    let cosine = from.dot(to);
    let axis = from.cross(to);
    // Below a hundredth of a degree from opposite, the axis is mostly rounding.
    if cosine < 0.0 && axis.length_squared() < 3e-8 {
        let upright = (up - from * up.dot(from)).try_normalize();
        return about(upright.unwrap_or_else(|| from.any_orthonormal_vector()), limit);
    }
    if limit == PI || cosine >= sin_cos(limit).1 {
        return arc(from, to);
    }
    axis.try_normalize().map_or(Quat::IDENTITY, |axis| about(axis, limit))
}

/// The rotation by an angle in radians about a unit vector.
#[inline]
pub(super) fn about(axis: Vec3, angle: f32) -> Quat {
    let (sine, cosine) = sin_cos(angle * 0.5);
    Quat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}
