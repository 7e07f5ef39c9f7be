//! Tracks of a compressed clip: curves of single numbers, in segments of eight samples, read at any time at the same cost.
//!
//! A curve is sampled on the clip's even grid. From segment to segment it goes through knots, which both neighbours share; the samples
//! between two of them are what smooth motion would have there, and a number each ([`basis`]). A time needs the two samples around it, and
//! between them goes what the authored clip does: the arc, or the straight line.
//!
//! Eight joints that need about as many bits as each other are read side by side: each number takes as many bits as the largest of
//! the eight. Curves of vectors are read in eights too, of whichever joints and axes.

mod basis;
mod bytes;
mod check;
mod layout;
mod parts;
mod turns;

use super::tracks::Reach;
use crate::math::lanes::{Lanes, store_all};
use crate::math::slerp::{Near, Warp};
use crate::rig::block::{Component, LANES, Part, PoseBlock};

pub(super) use basis::{LEVELS, NUMBERS, SAMPLES, SEGMENT, level, sample};
pub(super) use bytes::{ClipBytes, Owner};
pub(super) use layout::{Axis, Contents, GroupContents, MOST_BITS, Member, bits_of};
pub(super) use parts::{Group, Head, Kind};

use basis::NEEDED;
use parts::{Spot, bytes_of, word};
use turns::{Arc, between, long, normal, product, sine_and_cosine, turn};

/// Bytes that are read beyond the last ones, because eight numbers are read at once.
const PADDING: usize = 32;
/// The largest number of 16 bits with a sign.
pub(super) const LARGEST_WIDE: f32 = 32767.0;

/// The curves of a clip.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compile) struct PackedTracks {
    head: Head,
    segments: usize,
    groups: Box<[Group]>,
    /// Curves of all groups, bytes of one knot of all of them, and of what does not change.
    curves: usize,
    knot_bytes: usize,
    constants: usize,
    /// What does not change (frames, steps, origins), the knots, where segments begin, the segments, and padding.
    bytes: ClipBytes,
}

/// The factors of the steps of a segment: `2^((n - 10) / 8)`.
pub(super) const SCALES: [f32; 16] = [
    0.420_448_2,
    0.458_502_02,
    0.5,
    0.545_253_9,
    0.594_603_54,
    0.648_419_8,
    std::f32::consts::FRAC_1_SQRT_2,
    0.771_105_4,
    0.840_896_4,
    0.917_004_05,
    1.0,
    1.090_507_7,
    1.189_207_1,
    1.296_839_6,
    std::f32::consts::SQRT_2,
    1.542_210_8,
];

/// What is the same for all curves at a time.
struct Moment<'a, L> {
    data: &'a [u8],
    /// The parts of the five numbers in the samples before and after.
    before: [L; NEEDED],
    after: [L; NEEDED],
    /// Those in what is between them on the straight line.
    straight: [L; NEEDED],
    /// Which of the two and of the four numbers of their levels.
    quarter: usize,
    odd: usize,
    knot_bytes: usize,
    turn_unit: L,
    way_unit: L,
}

/// Where reading is.
struct Cursor {
    constants: usize,
    knots: usize,
    headers: usize,
    numbers: usize,
}

impl PackedTracks {
    /// Writes the values at a time into a pose.
    #[inline(always)]
    pub fn sample<L: Lanes>(&self, time: f32, pose: &mut [PoseBlock]) {
        match self.head.reach {
            Reach::Near => self.sample_with::<L, Near<L, 4>>(time, pose),
            Reach::Middle => self.sample_with::<L, Near<L, 6>>(time, pose),
            Reach::Far => self.sample_with::<L, Warp<L>>(time, pose),
        }
    }

    #[inline(always)]
    fn sample_with<L: Lanes, A: Arc<L>>(&self, time: f32, pose: &mut [PoseBlock]) {
        let (sample, fraction) = self.find(time);
        self.sample_at::<L, A>(sample, fraction, pose);
    }

    /// Writes the values between a sample and the next one.
    #[inline(always)]
    fn sample_at<L: Lanes, A: Arc<L>>(&self, sample: usize, fraction: f32, pose: &mut [PoseBlock]) {
        let data = self.bytes.get();
        let (segment, interval) = (sample / SEGMENT, sample % SEGMENT);
        let body = self.body(data, segment);
        let scale = SCALES[usize::from(data[body] & 15)];
        let [before, after] = basis::around(interval);
        let mut moment = Moment {
            data,
            before: [L::splat(0.0); NEEDED],
            after: [L::splat(0.0); NEEDED],
            straight: [L::splat(0.0); NEEDED],
            quarter: interval / 4,
            odd: interval / 2,
            knot_bytes: self.knot_bytes,
            turn_unit: L::splat(self.head.turn_unit),
            way_unit: L::splat(self.head.way_unit),
        };
        for part in 0..NEEDED {
            let factor = if part < 2 { 0.5 } else { scale };
            moment.before[part] = L::splat(before[part] * factor);
            moment.after[part] = L::splat(after[part] * factor);
            let straight = before[part] * (1.0 - fraction) + after[part] * fraction;
            moment.straight[part] = L::splat(straight * factor);
        }
        let arc = A::at(fraction);
        let headers = body + 2;
        let mut cursor = Cursor {
            constants: 0,
            knots: self.constants + segment * self.knot_bytes,
            headers,
            numbers: headers + 2 * self.curves,
        };
        for group in &self.groups {
            match group.kind {
                Kind::Still => moment.still(group, &mut cursor, pose),
                Kind::Hinges => moment.hinges(group, &mut cursor, pose),
                Kind::Turns => moment.turns(group, &arc, &mut cursor, pose),
                Kind::Far => moment.far(group, &arc, &mut cursor, pose),
                Kind::Vectors => moment.vectors(group, &mut cursor, pose),
            }
        }
    }

    /// The sample before a time, which is not the last one, and how far towards the next one.
    #[inline(always)]
    fn find(&self, time: f32) -> (usize, f32) {
        let passed = (f64::from(time) - f64::from(self.head.start)) * self.head.per_second;
        // Not a number counts as the start.
        let place = if passed > 0.0 { passed.min(f64::from(self.head.last)) } else { 0.0 };
        let sample = (place as usize).min(self.head.last as usize - 1);
        (sample, (place - sample as f64) as f32)
    }

    /// Where a segment begins in the bytes.
    #[inline(always)]
    fn body(&self, data: &[u8], segment: usize) -> usize {
        let table = self.constants + (self.segments + 1) * self.knot_bytes;
        table + 4 * self.segments + word(data, table + 4 * segment) as usize
    }
}

impl<L: Lanes> Moment<'_, L> {
    /// Where the five numbers of each axis of a group are. The cursor goes on to the next group.
    #[inline(always)]
    fn spots<const N: usize>(&self, group: &Group, cursor: &mut Cursor) -> [Spot; N] {
        let mut spots = [Spot::default(); N];
        let members = usize::from(group.members);
        for (axis, spot) in spots.iter_mut().enumerate() {
            let header = usize::from(self.data[cursor.headers]) | usize::from(self.data[cursor.headers + 1]) << 8;
            let (first, second, third) = (header & 31, header >> 5 & 31, header >> 10 & 31);
            let knot = usize::from(group.knot_widths[axis]);
            let [a, b, c] = [bytes_of(members, first), bytes_of(members, second), bytes_of(members, third)];
            let seconds = cursor.numbers + a;
            let thirds = seconds + 2 * b;
            spot.widths = [knot, knot, first, second, third];
            spot.places = [
                cursor.knots,
                cursor.knots + self.knot_bytes,
                cursor.numbers,
                seconds + self.quarter * b,
                thirds + self.odd * c,
            ];
            cursor.numbers = thirds + 4 * c;
            cursor.headers += 2;
            cursor.knots += bytes_of(members, knot);
        }
        spots
    }

    /// The samples before and after, in steps.
    #[inline(always)]
    fn both(&self, spot: &Spot, lane: usize) -> [L; 2] {
        let mut numbers = [L::splat(0.0); NEEDED];
        for (part, number) in numbers.iter_mut().enumerate() {
            *number = L::unpack(&self.data[spot.places[part]..], spot.widths[part], lane);
        }
        [sum(&numbers, &self.before), sum(&numbers, &self.after)]
    }

    /// What is between the samples on the straight line, in steps.
    #[inline(always)]
    fn straight(&self, spot: &Spot, lane: usize) -> L {
        let mut numbers = [L::splat(0.0); NEEDED];
        for (part, number) in numbers.iter_mut().enumerate() {
            *number = L::unpack(&self.data[spot.places[part]..], spot.widths[part], lane);
        }
        sum(&numbers, &self.straight)
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

    /// Joints that stand still, elsewhere than at rest.
    #[inline(always)]
    fn still(&self, group: &Group, cursor: &mut Cursor, pose: &mut [PoseBlock]) {
        let (at, row) = (cursor.constants, 4 * usize::from(group.members));
        cursor.constants += 4 * row;
        let mut out = [[0.0; LANES]; 4];
        for lane in (0..LANES).step_by(L::WIDTH) {
            store_all(self.quats(at, row, lane), &mut out, lane);
        }
        scatter(group, &out, pose);
    }

    /// Joints that turn around one axis: between two such turns the angle goes straight.
    #[inline(always)]
    fn hinges(&self, group: &Group, cursor: &mut Cursor, pose: &mut [PoseBlock]) {
        let [spot] = self.spots::<1>(group, cursor);
        let (at, row) = (cursor.constants, 2 * usize::from(group.members));
        cursor.constants += 17 * row;
        let mut out = [[0.0; LANES]; 4];
        for lane in (0..LANES).step_by(L::WIDTH) {
            let step = self.wide(at, lane).mul(self.turn_unit);
            let [sine, cosine] = sine_and_cosine(self.straight(&spot, lane).mul(step));
            let none = self.quats(at + row, 2 * row, lane);
            let half = self.quats(at + 9 * row, 2 * row, lane);
            let turned = [
                none[0].mul(cosine).add(half[0].mul(sine)),
                none[1].mul(cosine).add(half[1].mul(sine)),
                none[2].mul(cosine).add(half[2].mul(sine)),
                none[3].mul(cosine).add(half[3].mul(sine)),
            ];
            store_all(turned, &mut out, lane);
        }
        scatter(group, &out, pose);
    }

    /// Joints that turn freely.
    #[inline(always)]
    fn turns(&self, group: &Group, arc: &impl Arc<L>, cursor: &mut Cursor, pose: &mut [PoseBlock]) {
        let spots = self.spots::<3>(group, cursor);
        let (at, row) = (cursor.constants, 2 * usize::from(group.members));
        cursor.constants += 9 * row;
        let mut out = [[0.0; LANES]; 4];
        for lane in (0..LANES).step_by(L::WIDTH) {
            let (mut before, mut after) = ([L::splat(0.0); 3], [L::splat(0.0); 3]);
            for axis in 0..3 {
                let step = self.wide(at + (6 + axis) * row, lane).mul(self.turn_unit);
                let [a, b] = self.both(&spots[axis], lane);
                (before[axis], after[axis]) = (a.mul(step), b.mul(step));
            }
            let turn = between(arc, turn(before), turn(after));
            let (left, left_size) = long(self.frame(at, row, lane));
            let (right, right_size) = long(self.frame(at + 3 * row, row, lane));
            let scale = L::splat(1.0).div(left_size.mul(right_size));
            let [x, y, z, w] = product(product(left, turn), right);
            store_all([x.mul(scale), y.mul(scale), z.mul(scale), w.mul(scale)], &mut out, lane);
        }
        scatter(group, &out, pose);
    }

    /// Joints that turn so far that all four numbers have curves.
    #[inline(always)]
    fn far(&self, group: &Group, arc: &impl Arc<L>, cursor: &mut Cursor, pose: &mut [PoseBlock]) {
        let spots = self.spots::<4>(group, cursor);
        let (at, row) = (cursor.constants, 2 * usize::from(group.members));
        cursor.constants += 4 * row;
        let mut out = [[0.0; LANES]; 4];
        for lane in (0..LANES).step_by(L::WIDTH) {
            let (mut before, mut after) = ([L::splat(0.0); 4], [L::splat(0.0); 4]);
            for axis in 0..4 {
                let step = self.wide(at + axis * row, lane).mul(self.turn_unit);
                let [a, b] = self.both(&spots[axis], lane);
                (before[axis], after[axis]) = (a.mul(step), b.mul(step));
            }
            store_all(between(arc, normal(before), normal(after)), &mut out, lane);
        }
        scatter(group, &out, pose);
    }

    /// Curves of vectors.
    #[inline(always)]
    fn vectors(&self, group: &Group, cursor: &mut Cursor, pose: &mut [PoseBlock]) {
        let [spot] = self.spots::<1>(group, cursor);
        let members = usize::from(group.members);
        let at = cursor.constants;
        cursor.constants += 6 * members;
        let mut out = [0.0; LANES];
        for lane in (0..LANES).step_by(L::WIDTH) {
            let step = self.wide(at, lane).mul(self.way_unit);
            self.straight(&spot, lane).mul(step).store(&mut out[lane..]);
        }
        let origins = self.data[at + 2 * members..].as_chunks::<4>().0;
        for ((target, value), origin) in group.targets.iter().take(members).zip(out).zip(origins) {
            let target = usize::from(*target);
            let part = pose[target / VECTOR].part_mut(Part::Translation).as_flattened_mut();
            part[target % VECTOR] = value + f32::from_le_bytes(*origin);
        }
    }
}

/// Numbers of the vectors of eight joints, and a few that none has.
pub(super) const VECTOR: usize = 4 * LANES;

/// Puts rotations where their joints are.
#[inline(always)]
fn scatter(group: &Group, values: &[Component; 4], pose: &mut [PoseBlock]) {
    let first = usize::from(group.targets[0]);
    if group.members == 8 && first.is_multiple_of(LANES) && usize::from(group.targets[7]) == first + 7 {
        pose[first / LANES].rotation = *values;
        return;
    }
    for (member, target) in group.targets.iter().enumerate().take(usize::from(group.members)) {
        let (block, lane) = (usize::from(*target) / LANES, usize::from(*target) % LANES);
        let rotation = &mut pose[block].rotation;
        for (component, values) in rotation.iter_mut().zip(values) {
            component[lane] = values[member];
        }
    }
}

/// Numbers times factors.
#[inline(always)]
fn sum<L: Lanes>(numbers: &[L; NEEDED], factors: &[L; NEEDED]) -> L {
    let knots = numbers[0].mul(factors[0]).add(numbers[1].mul(factors[1]));
    let inner = numbers[2].mul(factors[2]).add(numbers[3].mul(factors[3]));
    knots.add(inner).add(numbers[4].mul(factors[4]))
}
