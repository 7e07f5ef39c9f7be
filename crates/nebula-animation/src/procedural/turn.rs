//! Rotations from one direction to another.

use std::f32::consts::PI;

use glam::{Quat, Vec3, Vec3A, Vec4};

use crate::math::trig::sin_cos;

/// A vector rotated by a unit quaternion. Cheaper than the operator, which supports other lengths.
#[inline(always)]
pub(super) fn rotated(rotation: Quat, vector: Vec3A) -> Vec3A {
    let axis = Vec3A::from_vec4(Vec4::from(rotation));
    let across = axis.cross(vector);
    let doubled = across + across;
    vector + doubled * rotation.w + axis.cross(doubled)
}

/// A vector rotated by the inverse of a unit quaternion.
#[inline(always)]
pub(super) fn rotated_back(rotation: Quat, vector: Vec3A) -> Vec3A {
    let axis = Vec3A::from_vec4(Vec4::from(rotation));
    let across = vector.cross(axis);
    let doubled = across + across;
    vector + doubled * rotation.w + doubled.cross(axis)
}

/// The shortest rotation from one unit vector to another. For opposite ones, a half turn about any axis between.
#[inline]
pub(super) fn arc(from: impl Into<Vec3A>, to: impl Into<Vec3A>) -> Quat {
    let (from, to) = (from.into(), to.into());
    let turn = from.cross(to).extend(1.0 + from.dot(to));
    let length_squared = turn.length_squared();
    if length_squared > 1e-12 {
        Quat::from_vec4(turn * length_squared.sqrt().recip())
    } else {
        half_turn(from, length_squared)
    }
}

/// The same for directions of any length; none where one has no direction.
#[inline]
pub(super) fn arc_between(from: Vec3A, to: Vec3A) -> Option<Quat> {
    usual_arc(from, to).or_else(|| arc_between_units(from, to))
}

/// The same for directions of ordinary length that are not far apart: none otherwise.
#[inline(always)]
fn usual_arc(from: Vec3A, to: Vec3A) -> Option<Quat> {
    let (squared, dot) = (from.length_squared() * to.length_squared(), from.dot(to));
    let lengths = squared.sqrt();
    let real = lengths + dot;
    // Of ordinary size, so that nothing is lost in squares, and far from opposite.
    let is_usual = (1e-24..1e24).contains(&squared) && dot > -0.5 * lengths;
    // The square of the turn's length follows from the two.
    is_usual.then(|| Quat::from_vec4(from.cross(to).extend(real) / (2.0 * lengths * real).sqrt()))
}

#[cold]
fn arc_between_units(from: Vec3A, to: Vec3A) -> Option<Quat> {
    Some(arc(from.try_normalize()?, to.try_normalize()?))
}

/// Half a turn about an axis perpendicular to a unit vector; NaN if `length_squared` is.
#[cold]
fn half_turn(from: Vec3A, length_squared: f32) -> Quat {
    if length_squared.is_nan() {
        return Quat::from_xyzw(f32::NAN, f32::NAN, f32::NAN, f32::NAN);
    }
    about(from.any_orthonormal_vector().into(), PI)
}

/// The shortest rotation from one direction to another, of any length; none where one has no direction. Between opposite
/// ones, it goes about `up`.
#[inline]
pub(super) fn turn_to(from: Vec3A, to: Vec3A, up: Vec3) -> Option<Quat> {
    usual_arc(from, to).or_else(|| turn_round(from, to, up))
}

/// The same for directions that are far apart, or of no ordinary length.
#[inline(never)]
fn turn_round(from: Vec3A, to: Vec3A, up: Vec3) -> Option<Quat> {
    Some(turn_towards(from.try_normalize()?.into(), to.try_normalize()?.into(), PI, up))
}

/// The rotation from one unit vector towards another by at most `limit` radians. Between opposite ones, it goes about `up`.
pub(super) fn turn_towards(from: Vec3, to: Vec3, limit: f32, up: Vec3) -> Quat {
    let limit = limit.clamp(0.0, PI);
    let cosine = from.dot(to);
    let axis = from.cross(to);
    // Below a hundredth of a degree from opposite, the axis is mostly rounding.
    if cosine < 0.0 && axis.length_squared() < 3e-8 {
        return about(upright(from, up), limit);
    }
    if limit == PI || cosine >= sin_cos(limit).1 {
        return arc(from, to);
    }
    axis.try_normalize().map_or(Quat::IDENTITY, |axis| about(axis, limit))
}

/// The axis nearest to `up` that is square to a unit vector.
#[cold]
fn upright(from: Vec3, up: Vec3) -> Vec3 {
    let upright = (up - from * up.dot(from)).try_normalize();
    upright.unwrap_or_else(|| from.any_orthonormal_vector())
}

/// The rotation by an angle in radians about a unit vector.
#[inline]
pub(super) fn about(axis: Vec3, angle: f32) -> Quat {
    let (sine, cosine) = sin_cos(angle * 0.5);
    Quat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}
