//! The plane of directions in which gazes are followed: see `aim/axes`, whose steps these are.

use std::f32::consts::TAU;

use super::math::{Odd, Vector, add, dot, rotated, scale, sub};
use crate::math::lanes::Lanes;
use crate::math::trig::{atan2_of, sin_cos_of};
use crate::rig::block::LANES;

pub(super) type Point<L> = [L; 2];

/// Front, left and up: see `aim/axes`.
#[derive(Clone, Copy)]
pub(super) struct Axes<L> {
    pub front: Vector<L>,
    pub left: Vector<L>,
    pub up: Vector<L>,
}

impl<L: Lanes> Axes<L> {
    #[inline(always)]
    pub fn turned(&self, turn: [L; 4]) -> Self {
        Self { front: rotated(turn, self.front), left: rotated(turn, self.left), up: rotated(turn, self.up) }
    }

    /// These where a number is above 0, others elsewhere.
    #[inline(always)]
    pub fn or(&self, others: &Self, number: L) -> Self {
        let zero = L::splat(0.0);
        Self {
            front: choose(number, zero, self.front, others.front),
            left: choose(number, zero, self.left, others.left),
            up: choose(number, zero, self.up, others.up),
        }
    }

    /// The two points of directions, and how far from the origin the nearer one is.
    #[inline(always)]
    pub fn points(&self, direction: Vector<L>, odd: &mut Odd<L>) -> (Point<L>, Point<L>, L) {
        let side = [dot(direction, self.left), dot(direction, self.up)];
        let (length, ahead) = (length(side), dot(direction, self.front));
        odd.unless_above(length, L::splat(1e-9).mul(absolute(ahead)));
        odd.unless_above(L::splat(1e15), length);
        let (angle, way) = (atan2_of(length, ahead), divided(side, length));
        (scale(way, angle), scale(way, angle.sub(L::splat(TAU))), angle)
    }

    /// The directions of points; unit length.
    #[inline(always)]
    pub fn direction(&self, point: Point<L>, odd: &mut Odd<L>) -> Vector<L> {
        let angle = length(point);
        // Not quite at the front, and no number that is too large.
        odd.unless_above(angle, L::splat(1e-8));
        odd.unless_above(L::splat(1e4), angle);
        let [sine, cosine] = sin_cos_of(angle);
        let side = divided(add(scale(self.left, point[0]), scale(self.up, point[1])), angle);
        add(scale(self.front, cosine), scale(side, sine))
    }

    /// The points of these axes for the same directions as points of others that are not far away.
    #[inline(always)]
    pub fn point_of(&self, others: &Self, point: Point<L>, odd: &mut Odd<L>) -> Point<L> {
        let direction = others.direction(point, odd);
        let (nearer, farther, _) = self.points(direction, odd);
        choose(apart(nearer, point), apart(farther, point), farther, nearer)
    }
}

/// The square of the distance of points.
#[inline(always)]
fn apart<L: Lanes>(a: Point<L>, b: Point<L>) -> L {
    let way = sub(a, b);
    dot2(way, way)
}

#[inline(always)]
pub(super) fn dot2<L: Lanes>([a, b]: Point<L>, [x, y]: Point<L>) -> L {
    a.mul(x).add(b.mul(y))
}

#[inline(always)]
pub(super) fn length<L: Lanes>(point: Point<L>) -> L {
    dot2(point, point).sqrt()
}

#[inline(always)]
pub(super) fn divided<L: Lanes, const N: usize>(mut a: [L; N], by: L) -> [L; N] {
    for a in &mut a {
        *a = a.div(by);
    }
    a
}

/// Points no further from the origin than a distance.
#[inline(always)]
pub(super) fn clamped<L: Lanes>(point: Point<L>, furthest: L) -> Point<L> {
    let squared = dot2(point, point);
    let nearer = scale(divided(point, squared.sqrt()), furthest);
    choose(squared, furthest.mul(furthest), nearer, point)
}

/// `then` where a number is above a limit.
#[inline(always)]
pub(super) fn choose<L: Lanes, const N: usize>(number: L, limit: L, then: [L; N], mut otherwise: [L; N]) -> [L; N] {
    for (otherwise, then) in otherwise.iter_mut().zip(then) {
        *otherwise = number.select_above(limit, then, *otherwise);
    }
    otherwise
}

/// The greatest of some numbers.
#[inline(always)]
pub(super) fn greatest<L: Lanes>(numbers: L) -> f32 {
    let mut lanes = [0.0; LANES];
    numbers.store(&mut lanes);
    lanes.into_iter().fold(0.0, f32::max)
}

#[inline(always)]
pub(super) fn absolute<L: Lanes>(number: L) -> L {
    number.copy_sign_flip(number)
}

#[inline(always)]
pub(super) fn most<L: Lanes>(a: L, b: L) -> L {
    a.select_above(b, a, b)
}

#[inline(always)]
pub(super) fn least<L: Lanes>(a: L, b: L) -> L {
    b.select_above(a, a, b)
}
