//! Evaluates groups of curves at one time, or at several: what does not depend on time is then read once for all of
//! them.

use super::LARGEST_WIDE;
use super::basis::{self, NEEDED};
use super::out::Out;
use super::parts::{Group, Spot, bytes_of};
use super::turns::{Arc, between, between_long, long, normal, product, sine_and_cosine};
use crate::math::lanes::{Lanes, store_all};
use crate::rig::block::LANES;

/// What is the same for all curves at a time.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a, L, A> {
    data: &'a [u8],
    /// The parts of the five numbers in the samples before and after.
    before: [L; NEEDED],
    after: [L; NEEDED],
    /// Those in what is between them on the straight line.
    straight: [L; NEEDED],
    /// How rotations go from one to the other.
    arc: A,
    /// Which of the two and of the four numbers of their levels.
    quarter: usize,
    odd: usize,
    knot_bytes: usize,
    turn_unit: L,
    way_unit: L,
    cursor: Cursor,
}

/// Where reading is.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub knots: usize,
    pub headers: usize,
    pub numbers: usize,
}

impl<'a, L: Lanes, A: Arc<L>> Moment<'a, L, A> {
    /// A fraction of an interval of a segment, whose numbers are in steps of a `scale`.
    #[inline(always)]
    pub fn new(
        data: &'a [u8],
        interval: usize,
        fraction: f32,
        scale: f32,
        [turn_unit, way_unit]: [f32; 2],
        knot_bytes: usize,
        cursor: Cursor,
    ) -> Self {
        let [before, after] = basis::around(interval);
        let mut moment = Self {
            data,
            before: [L::splat(0.0); NEEDED],
            after: [L::splat(0.0); NEEDED],
            straight: [L::splat(0.0); NEEDED],
            arc: A::at(fraction),
            quarter: interval / 4,
            odd: interval / 2,
            knot_bytes,
            turn_unit: L::splat(turn_unit),
            way_unit: L::splat(way_unit),
            cursor,
        };
        for part in 0..NEEDED {
            let factor = if part < 2 { 0.5 } else { scale };
            moment.before[part] = L::splat(before[part] * factor);
            moment.after[part] = L::splat(after[part] * factor);
            let straight = before[part] * (1.0 - fraction) + after[part] * fraction;
            moment.straight[part] = L::splat(straight * factor);
        }
        moment
    }

    /// Where the five numbers of an axis of a group are. The cursor goes on to the next axis.
    #[inline(always)]
    fn spot(&mut self, group: &Group, axis: usize) -> Spot {
        let members = usize::from(group.members);
        let Self { data, cursor, quarter, odd, knot_bytes, .. } = self;
        let header = &data[cursor.headers..cursor.headers + 2];
        let header = usize::from(u16::from_le_bytes([header[0], header[1]]));
        let (first, second, third) = (header & 31, header >> 5 & 31, header >> 10 & 31);
        let knot = usize::from(group.knot_widths[axis]);
        let [mut a, mut b, mut c, mut length] = [first, second, third, knot];
        // Eight numbers take as many bytes as one has bits.
        if members != LANES {
            [a, b, c] = [bytes_of(members, first), bytes_of(members, second), bytes_of(members, third)];
            length = bytes_of(members, knot);
        }
        let seconds = cursor.numbers + a;
        let thirds = seconds + 2 * b;
        let widths = [knot, knot, first, second, third];
        let places =
            [cursor.knots, cursor.knots + *knot_bytes, cursor.numbers, seconds + *quarter * b, thirds + *odd * c];
        cursor.numbers = thirds + 4 * c;
        cursor.headers += 2;
        cursor.knots += length;
        Spot { places, widths }
    }

    /// The samples before and after, in steps.
    #[inline(always)]
    fn both(&self, spot: &Spot, lane: usize) -> [L; 2] {
        let numbers = self.numbers(spot, lane);
        [sum(&numbers, &self.before), sum(&numbers, &self.after)]
    }

    /// What is between the samples on the straight line, in steps.
    #[inline(always)]
    fn straight(&self, spot: &Spot, lane: usize) -> L {
        sum(&self.numbers(spot, lane), &self.straight)
    }

    #[inline(always)]
    fn numbers(&self, spot: &Spot, lane: usize) -> [L; NEEDED] {
        let mut numbers = [L::splat(0.0); NEEDED];
        for (part, number) in numbers.iter_mut().enumerate() {
            *number = L::unpack(self.data, spot.places[part], spot.widths[part], lane);
        }
        numbers
    }

    /// Whole numbers that do not change, one for each member.
    #[inline(always)]
    fn wide(&self, at: usize, lane: usize) -> L {
        L::unpack_wide(&self.data[at..], lane)
    }

    /// Floats that do not change, one for each member.
    #[inline(always)]
    fn floats(&self, at: usize, lane: usize) -> L {
        let mut floats = [0.0; LANES];
        let bytes = self.data[at..at + 4 * LANES].as_chunks::<4>().0;
        for (float, bytes) in floats.iter_mut().zip(bytes) {
            *float = f32::from_le_bytes(*bytes);
        }
        L::load(&floats[lane..])
    }

    #[inline(always)]
    fn quats(&self, at: usize, row: usize, lane: usize) -> [L; 4] {
        [
            self.floats(at, lane),
            self.floats(at + row, lane),
            self.floats(at + 2 * row, lane),
            self.floats(at + 3 * row, lane),
        ]
    }

    /// Three numbers, a fraction of the largest one each.
    #[inline(always)]
    fn frame(&self, at: usize, row: usize, lane: usize) -> [L; 3] {
        let unit = L::splat(1.0 / LARGEST_WIDE);
        [self.wide(at, lane).mul(unit), self.wide(at + row, lane).mul(unit), self.wide(at + 2 * row, lane).mul(unit)]
    }
}

/// Joints that stand still, elsewhere than at rest: the same at all moments.
#[inline(always)]
pub(super) fn still<L: Lanes, A: Arc<L>, const N: usize>(
    moments: &[Moment<'_, L, A>; N],
    group: &Group,
    at: usize,
    out: &mut impl Out<N>,
) {
    let row = 4 * usize::from(group.members);
    let mut rotations = [[0.0; LANES]; 4];
    for lane in (0..LANES).step_by(L::WIDTH) {
        store_all(moments[0].quats(at, row, lane), &mut rotations, lane);
    }
    out.rotations::<L>(group, &[rotations; N]);
}

/// Joints that turn around one axis: between two such turns the angle goes straight.
#[inline(always)]
pub(super) fn hinges<L: Lanes, A: Arc<L>, const N: usize>(
    moments: &mut [Moment<'_, L, A>; N],
    group: &Group,
    at: usize,
    out: &mut impl Out<N>,
) {
    let begun = cursors(moments);
    let row = 2 * usize::from(group.members);
    let mut rotations = [[[0.0; LANES]; 4]; N];
    for lane in (0..LANES).step_by(L::WIDTH) {
        let all = &moments[0];
        let step = all.wide(at, lane).mul(all.turn_unit);
        let none = all.quats(at + row, 2 * row, lane);
        let half = all.quats(at + 9 * row, 2 * row, lane);
        for ((moment, begun), rotations) in moments.iter_mut().zip(begun).zip(&mut rotations) {
            moment.cursor = begun;
            let spot = moment.spot(group, 0);
            let [sine, cosine] = sine_and_cosine(moment.straight(&spot, lane).mul(step));
            let turned = [
                none[0].mul(cosine).add(half[0].mul(sine)),
                none[1].mul(cosine).add(half[1].mul(sine)),
                none[2].mul(cosine).add(half[2].mul(sine)),
                none[3].mul(cosine).add(half[3].mul(sine)),
            ];
            store_all(turned, rotations, lane);
        }
    }
    out.rotations::<L>(group, &rotations);
}

/// Joints that turn freely.
#[inline(always)]
pub(super) fn turns<L: Lanes, A: Arc<L>, const N: usize>(
    moments: &mut [Moment<'_, L, A>; N],
    group: &Group,
    at: usize,
    out: &mut impl Out<N>,
) {
    let begun = cursors(moments);
    let row = 2 * usize::from(group.members);
    let mut rotations = [[[0.0; LANES]; 4]; N];
    for lane in (0..LANES).step_by(L::WIDTH) {
        let all = &moments[0];
        let (left, left_size) = long(all.frame(at, row, lane));
        let (right, right_size) = long(all.frame(at + 3 * row, row, lane));
        let scale = L::splat(1.0).div(left_size.mul(right_size));
        let steps = steps::<L, A, 3>(all, at + 6 * row, row, lane);
        for ((moment, begun), rotations) in moments.iter_mut().zip(begun).zip(&mut rotations) {
            moment.cursor = begun;
            let [before, after] = samples(moment, group, &steps, lane);
            let turn = between_long(&moment.arc, long(before), long(after), scale);
            store_all(product(product(left, turn), right), rotations, lane);
        }
    }
    out.rotations::<L>(group, &rotations);
}

/// Joints that turn so far that all four numbers have curves.
#[inline(always)]
pub(super) fn far<L: Lanes, A: Arc<L>, const N: usize>(
    moments: &mut [Moment<'_, L, A>; N],
    group: &Group,
    at: usize,
    out: &mut impl Out<N>,
) {
    let begun = cursors(moments);
    let row = 2 * usize::from(group.members);
    let mut rotations = [[[0.0; LANES]; 4]; N];
    for lane in (0..LANES).step_by(L::WIDTH) {
        let steps = steps::<L, A, 4>(&moments[0], at, row, lane);
        for ((moment, begun), rotations) in moments.iter_mut().zip(begun).zip(&mut rotations) {
            moment.cursor = begun;
            let [before, after] = samples(moment, group, &steps, lane);
            store_all(between(&moment.arc, normal(before), normal(after)), rotations, lane);
        }
    }
    out.rotations::<L>(group, &rotations);
}

/// Curves of vectors.
#[inline(always)]
pub(super) fn vectors<L: Lanes, A: Arc<L>, const N: usize>(
    moments: &mut [Moment<'_, L, A>; N],
    group: &Group,
    at: usize,
    out: &mut impl Out<N>,
) {
    for (index, moment) in moments.iter_mut().enumerate() {
        let spot = moment.spot(group, 0);
        let mut numbers = [0.0; LANES];
        for lane in (0..LANES).step_by(L::WIDTH) {
            let step = moment.wide(at, lane).mul(moment.way_unit);
            moment.straight(&spot, lane).mul(step).store(&mut numbers[lane..]);
        }
        let origins = &moment.data[at + 2 * usize::from(group.members)..];
        out.numbers(index, group, &numbers, origins.as_chunks::<4>().0);
    }
}

/// Where reading is at each moment: vectors that hold fewer than eight go over a group again for the rest of it. What is read is used
/// at once, for less has to be kept.
#[inline(always)]
fn cursors<L: Lanes, A: Arc<L>, const N: usize>(moments: &[Moment<'_, L, A>; N]) -> [Cursor; N] {
    let mut cursors = [moments[0].cursor; N];
    for (cursor, moment) in cursors.iter_mut().zip(moments) {
        *cursor = moment.cursor;
    }
    cursors
}

/// The steps of the curves of a group's rotations.
#[inline(always)]
fn steps<L: Lanes, A: Arc<L>, const AXES: usize>(
    moment: &Moment<'_, L, A>,
    at: usize,
    row: usize,
    lane: usize,
) -> [L; AXES] {
    let mut steps = [L::splat(0.0); AXES];
    for (axis, step) in steps.iter_mut().enumerate() {
        *step = moment.wide(at + axis * row, lane).mul(moment.turn_unit);
    }
    steps
}

/// The samples before and after.
#[inline(always)]
fn samples<L: Lanes, A: Arc<L>, const AXES: usize>(
    moment: &mut Moment<'_, L, A>,
    group: &Group,
    steps: &[L; AXES],
    lane: usize,
) -> [[L; AXES]; 2] {
    let mut samples = [[L::splat(0.0); AXES]; 2];
    for axis in 0..AXES {
        let spot = moment.spot(group, axis);
        let [before, after] = moment.both(&spot, lane);
        samples[0][axis] = before.mul(steps[axis]);
        samples[1][axis] = after.mul(steps[axis]);
    }
    samples
}

/// Numbers times factors.
#[inline(always)]
fn sum<L: Lanes>(numbers: &[L; NEEDED], factors: &[L; NEEDED]) -> L {
    let knots = numbers[0].mul(factors[0]).add(numbers[1].mul(factors[1]));
    let inner = numbers[2].mul(factors[2]).add(numbers[3].mul(factors[3]));
    knots.add(inner).add(numbers[4].mul(factors[4]))
}
