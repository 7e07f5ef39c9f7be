//! Vectors and rotations of some characters at once. (Not operators: their closures would not be inlined into kernels.)

use glam::{Quat, Vec3A};

use crate::math::lanes::Lanes;
use crate::math::slerp::Warp;
use crate::rig::block::{Component, LANES};

pub(super) type Vector<L> = [L; 3];
pub(super) type Turn<L> = [L; 4];

#[inline(always)]
pub(super) fn load<L: Lanes, const N: usize>(components: &[Component; N], lane: usize) -> [L; N] {
    let mut values = [L::splat(0.0); N];
    for (value, component) in values.iter_mut().zip(components) {
        *value = L::load(&component[lane..]);
    }
    values
}

#[inline(always)]
pub(super) fn store<L: Lanes, const N: usize>(values: [L; N], components: &mut [Component; N], lane: usize) {
    for (value, component) in values.into_iter().zip(components) {
        value.store(&mut component[lane..]);
    }
}

/// The same vector for all.
#[inline(always)]
pub(super) fn splat<L: Lanes>(vector: Vec3A) -> Vector<L> {
    [L::splat(vector.x), L::splat(vector.y), L::splat(vector.z)]
}

#[inline(always)]
pub(super) fn add<L: Lanes, const N: usize>(mut a: [L; N], b: [L; N]) -> [L; N] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.add(b);
    }
    a
}

#[inline(always)]
pub(super) fn sub<L: Lanes, const N: usize>(mut a: [L; N], b: [L; N]) -> [L; N] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.sub(b);
    }
    a
}

#[inline(always)]
pub(super) fn scale<L: Lanes, const N: usize>(mut a: [L; N], factor: L) -> [L; N] {
    for a in &mut a {
        *a = a.mul(factor);
    }
    a
}

#[inline(always)]
pub(super) fn dot<L: Lanes>([a, b, c]: Vector<L>, [x, y, z]: Vector<L>) -> L {
    a.mul(x).add(b.mul(y)).add(c.mul(z))
}

#[inline(always)]
pub(super) fn cross<L: Lanes>([a, b, c]: Vector<L>, [x, y, z]: Vector<L>) -> Vector<L> {
    [b.mul(z).sub(c.mul(y)), c.mul(x).sub(a.mul(z)), a.mul(y).sub(b.mul(x))]
}

#[inline(always)]
pub(super) fn length_squared_of<L: Lanes>([x, y, z, w]: Turn<L>) -> L {
    x.mul(x).add(y.mul(y)).add(z.mul(z).add(w.mul(w)))
}

/// The products of quaternions, `left * right`.
#[inline(always)]
pub(super) fn product<L: Lanes>([a, b, c, d]: Turn<L>, [x, y, z, w]: Turn<L>) -> Turn<L> {
    [
        d.mul(x).add(a.mul(w)).add(b.mul(z).sub(c.mul(y))),
        d.mul(y).add(b.mul(w)).add(c.mul(x).sub(a.mul(z))),
        d.mul(z).add(c.mul(w)).add(a.mul(y).sub(b.mul(x))),
        d.mul(w).sub(a.mul(x)).sub(b.mul(y).add(c.mul(z))),
    ]
}

/// The products with the inverse of the left quaternion, which is of unit length.
#[inline(always)]
pub(super) fn quotient<L: Lanes>([a, b, c, d]: Turn<L>, right: Turn<L>) -> Turn<L> {
    let zero = L::splat(0.0);
    product([zero.sub(a), zero.sub(b), zero.sub(c), d], right)
}

/// Vectors turned by rotations of unit length.
#[inline(always)]
pub(super) fn rotated<L: Lanes>([a, b, c, d]: Turn<L>, vector: Vector<L>) -> Vector<L> {
    let axis = [a, b, c];
    let across = cross(axis, vector);
    let doubled = add(across, across);
    add(add(vector, scale(doubled, d)), cross(axis, doubled))
}

/// Vectors turned by the inverse of rotations of unit length.
#[inline(always)]
pub(super) fn rotated_back<L: Lanes>([a, b, c, d]: Turn<L>, vector: Vector<L>) -> Vector<L> {
    let axis = [a, b, c];
    let across = cross(vector, axis);
    let doubled = add(across, across);
    add(add(vector, scale(doubled, d)), cross(doubled, axis))
}

/// Quaternions of about unit length, made so by one step of Newton's.
#[inline(always)]
pub(super) fn unit<L: Lanes>(turn: Turn<L>) -> Turn<L> {
    scale(turn, L::splat(1.5).sub(L::splat(0.5).mul(length_squared_of(turn))))
}

/// Who cannot be dealt with side by side: 0 for all others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Odd<L>(pub L);

impl<L: Lanes> Odd<L> {
    /// All whose number is not above a limit, or none, are odd.
    #[inline(always)]
    pub fn unless_above(&mut self, number: L, limit: L) {
        self.0 = number.select_above(limit, self.0, L::splat(1.0));
    }
}

/// The shortest rotations from one direction to another, for directions of ordinary length that are not far apart.
#[inline(always)]
pub(super) fn arc<L: Lanes>(from: Vector<L>, to: Vector<L>, odd: &mut Odd<L>) -> Turn<L> {
    let (squared, along) = (dot(from, from).mul(dot(to, to)), dot(from, to));
    let lengths = squared.sqrt();
    let real = lengths.add(along);
    odd.unless_above(squared, L::splat(1e-24));
    odd.unless_above(L::splat(1e24), squared);
    odd.unless_above(along, lengths.mul(L::splat(-0.5)));
    let [x, y, z] = cross(from, to);
    let both = lengths.mul(real);
    scale([x, y, z, real], L::splat(1.0).div(both.add(both).sqrt()))
}

/// The parts of turns whose real part is not negative.
#[inline(always)]
pub(super) fn part_of<L: Lanes>(warp: &Warp<L>, [x, y, z, w]: Turn<L>) -> Turn<L> {
    let [none, all] = warp.factors(w);
    [x.mul(all), y.mul(all), z.mul(all), none.add(w.mul(all))]
}

pub(super) fn vector_of(components: &[Component; 3], member: usize) -> Vec3A {
    let [x, y, z] = components;
    Vec3A::new(x[member], y[member], z[member])
}

/// Sets the numbers of one member; of the last one, those of all lanes after it too.
#[inline(always)]
pub(super) fn set<const N: usize>(components: &mut [Component; N], member: usize, is_last: bool, values: [f32; N]) {
    for (component, value) in components.iter_mut().zip(values) {
        if is_last && member == 0 {
            // At once: what is written in pieces is slow to be read as a whole.
            *component = [value; LANES];
        } else if is_last {
            component[member..].fill(value);
        } else {
            component[member] = value;
        }
    }
}

pub(super) fn turn_of([x, y, z, w]: &[Component; 4], member: usize) -> Quat {
    Quat::from_xyzw(x[member], y[member], z[member], w[member])
}
