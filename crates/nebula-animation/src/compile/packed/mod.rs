//! Tracks of a compressed clip: curves of single numbers, in segments of eight samples, read at any time at the same cost.
//!
//! A curve is sampled on the clip's even grid. From segment to segment it goes through knots, which both neighbours share; what
//! it does between two of them is a sum of seven half waves, `sin(pi k j / 8)`, which are zero at the knots. Smooth motion has small
//! numbers for the shorter waves. Between samples the waves are straight lines, so the curve is what a linear track would be.
//!
//! Eight curves that need about as many bits as each other, of whichever joints, are read side by side: each number takes as many
//! bits as the largest of the eight.

mod basis;
mod layout;

use crate::math::lanes::{Lanes, WIDTHS, load3, store_all};
use crate::rig::block::{Component, LANES, Part, PoseBlock};

pub(super) use basis::{SEGMENT, WAVES, wave};
pub(super) use layout::{Contents, GroupContents, MOST_KNOT_BITS, MOST_WAVE_BITS, bits_of};

/// Numbers that are read beyond the last ones, because eight are read at once.
const PADDING: usize = 160;
/// The largest number of 16 bits with a sign.
pub(super) const LARGEST_WIDE: f32 = 32767.0;

/// The curves of a clip.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PackedTracks {
    /// Time of the first sample, samples per second, and the number of the last sample.
    start: f32,
    per_second: f64,
    last: usize,
    segments: usize,
    /// What the steps of rotations and of vectors are multiples of.
    turn_unit: f32,
    way_unit: f32,
    groups: Box<[Group]>,
    /// Of groups of vectors, one after the other: what is added to the curves.
    origins: Box<[Component]>,
    /// The blocks of joints that have curves of rotations.
    turned: Box<[Turned]>,
    /// Bytes of one knot of all curves.
    knot_bytes: usize,
    /// The references of rotations, the steps of groups, the knots, where segments begin, the segments, and padding.
    bytes: Box<[u8]>,
    /// Where in the bytes these begin.
    steps: usize,
    knots: usize,
    table: usize,
    body: usize,
}

/// Eight joints, some of which turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turned {
    pub block: u16,
    /// Which of the eight turn, a bit each.
    pub joints: u8,
    /// Which of these turn so far that all four numbers of the rotation have curves.
    pub far: u8,
}

/// Up to eight curves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Group {
    /// For each curve, its block of joints, axis and lane: `32 block + 8 axis + lane`.
    pub targets: [u16; LANES],
    pub part: Part,
    pub members: u8,
    pub knot_width: u8,
}

impl Group {
    /// Bytes that a number of so many bits takes for all curves of the group.
    #[inline(always)]
    pub(super) fn bytes_of(&self, width: usize) -> usize {
        (usize::from(self.members) * width).div_ceil(8)
    }
}

/// The factors of the waves of a segment: `2^((n - 10) / 8)`.
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

impl PackedTracks {
    /// Bytes that the tracks take.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val::<[Group]>(&self.groups)
            + size_of_val::<[Component]>(&self.origins)
            + size_of_val::<[Turned]>(&self.turned)
            + self.bytes.len()
    }

    /// How many curves of each part there are, and the bits that their samples take, knots included.
    pub fn curves_and_bits(&self, part: Part) -> (usize, usize) {
        let (data, mut curves, mut bits) = (&self.bytes[..], 0, 0);
        for (index, group) in self.groups.iter().enumerate().filter(|(_, group)| group.part == part) {
            curves += usize::from(group.members);
            bits += 8 * group.bytes_of(usize::from(group.knot_width)) * (self.segments + 1);
            for segment in 0..self.segments {
                let header = word(data, self.body + self.segment(data, segment) + 4 * index);
                bits += 32 + (0..WAVES).map(|wave| 8 * group.bytes_of(width_of(header, wave))).sum::<usize>();
            }
        }
        (curves, bits)
    }

    /// The segment around a time, and how far in it, counted in samples.
    #[inline(always)]
    fn find(&self, time: f32) -> (usize, f32) {
        let passed = (f64::from(time) - f64::from(self.start)) * self.per_second;
        // Not a number counts as the start.
        let place = if passed > 0.0 { passed.min(self.last as f64) } else { 0.0 };
        let segment = (place as usize / SEGMENT).min(self.segments - 1);
        (segment, (place - (segment * SEGMENT) as f64) as f32)
    }

    /// Where a segment begins in the body.
    #[inline(always)]
    fn segment(&self, data: &[u8], segment: usize) -> usize {
        word(data, self.table + 4 * segment) as usize
    }

    /// Writes the values at a time into a pose. Of blocks that turn, joints that do not are as they are in `still`.
    #[inline(always)]
    pub fn sample<L: Lanes>(&self, time: f32, still: &[PoseBlock], pose: &mut [PoseBlock]) {
        let data = &self.bytes[..];
        let (segment, place) = self.find(time);
        let waves = basis::between(place);
        let end = place * (0.5 / SEGMENT as f32);
        let (at_start, at_end) = (L::splat(0.5 - end), L::splat(end));
        for turned in &self.turned {
            pose[usize::from(turned.block)].rotation[..3].fill([0.0; LANES]);
        }
        let mut knots = self.knots + segment * self.knot_bytes;
        let mut headers = self.body + self.segment(data, segment);
        let mut numbers = headers + 4 * self.groups.len();
        let mut steps = self.steps;
        let mut origins = self.origins.iter();
        for group in &self.groups {
            let (members, width) = (usize::from(group.members), usize::from(group.knot_width));
            let header = word(data, headers);
            let unit = if group.part == Part::Rotation { self.turn_unit } else { self.way_unit };
            let (unit, scale) = (L::splat(unit), L::splat(SCALES[(header >> 28) as usize]));
            let mut values = [0.0; LANES];
            let mut read = 0;
            for lane in (0..LANES).step_by(L::WIDTH) {
                let (bend, bytes) = L::unpack_sum(&data[numbers..], header, members, &waves, lane);
                read = bytes;
                let first = L::unpack(&data[knots..], width, lane).mul(at_start);
                let second = L::unpack(&data[knots + self.knot_bytes..], width, lane).mul(at_end);
                let step = L::unpack_wide(&data[steps..], lane).mul(unit);
                first.add(second).add(bend.mul(scale)).mul(step).store(&mut values[lane..]);
            }
            numbers += read;
            headers += 4;
            steps += 2 * LANES;
            knots += group.bytes_of(width);
            let targets = group.targets.iter().take(members);
            if group.part == Part::Rotation {
                for (target, value) in targets.zip(values) {
                    let rotation = pose[usize::from(*target) / ROTATION].rotation.as_flattened_mut();
                    rotation[usize::from(*target) % ROTATION] = value;
                }
            } else if let Some(origin) = origins.next() {
                for ((target, value), origin) in targets.zip(values).zip(origin) {
                    let part = pose[usize::from(*target) / ROTATION].part_mut(group.part).as_flattened_mut();
                    part[usize::from(*target) % ROTATION] = value + origin;
                }
            }
        }
        for (index, turned) in self.turned.iter().enumerate() {
            let block = usize::from(turned.block);
            turn::<L>(*turned, &data[3 * 2 * LANES * index..], &still[block].rotation, &mut pose[block].rotation);
        }
    }
}

/// Numbers of eight rotations.
const ROTATION: usize = 4 * LANES;

/// Makes rotations of the numbers of their curves.
#[inline(always)]
fn turn<L: Lanes>(turned: Turned, references: &[u8], still: &[Component; 4], rotation: &mut [Component; 4]) {
    let mut apart = [[0.0; 4]; LANES];
    if turned.far != 0 {
        for (lane, apart) in apart.iter_mut().enumerate() {
            let [x, y, z, w] = [rotation[0][lane], rotation[1][lane], rotation[2][lane], rotation[3][lane]];
            let scale = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
            *apart = [x * scale, y * scale, z * scale, w * scale];
        }
    }
    for lane in (0..LANES).step_by(L::WIDTH) {
        let unit = L::splat(1.0 / LARGEST_WIDE);
        let from = whole([
            L::unpack_wide(references, lane).mul(unit),
            L::unpack_wide(&references[2 * LANES..], lane).mul(unit),
            L::unpack_wide(&references[4 * LANES..], lane).mul(unit),
        ]);
        let turn = whole(load3::<L>(&rotation[..], lane));
        store_all(product(from, turn), rotation, lane);
    }
    if turned.joints == u8::MAX && turned.far == 0 {
        return;
    }
    for lane in 0..LANES {
        let (is_turned, is_far) = (turned.joints >> lane & 1 == 1, turned.far >> lane & 1 == 1);
        for axis in 0..4 {
            if is_far {
                rotation[axis][lane] = apart[lane][axis];
            } else if !is_turned {
                rotation[axis][lane] = still[axis][lane];
            }
        }
    }
}

/// How many bits a wave has, by the header of a group in a segment.
fn width_of(header: u32, wave: usize) -> usize {
    WIDTHS[(header >> (4 * wave)) as usize & 15]
}

/// A number of four bytes.
#[inline(always)]
fn word(data: &[u8], at: usize) -> u32 {
    let bytes = &data[at..at + 4];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The rotation whose axis times `tan(angle / 4)` this is.
#[inline(always)]
fn whole<L: Lanes>([x, y, z]: [L; 3]) -> [L; 4] {
    let one = L::splat(1.0);
    let squares = x.mul(x).add(y.mul(y)).add(z.mul(z));
    let scale = one.div(one.add(squares));
    let twice = scale.add(scale);
    [x.mul(twice), y.mul(twice), z.mul(twice), one.sub(squares).mul(scale)]
}

/// The product of two rotations.
#[inline(always)]
fn product<L: Lanes>(p: [L; 4], q: [L; 4]) -> [L; 4] {
    [
        p[3].mul(q[0]).add(p[0].mul(q[3])).add(p[1].mul(q[2]).sub(p[2].mul(q[1]))),
        p[3].mul(q[1]).add(p[1].mul(q[3])).add(p[2].mul(q[0]).sub(p[0].mul(q[2]))),
        p[3].mul(q[2]).add(p[2].mul(q[3])).add(p[0].mul(q[1]).sub(p[1].mul(q[0]))),
        p[3].mul(q[3]).sub(p[0].mul(q[0])).sub(p[1].mul(q[1]).add(p[2].mul(q[2]))),
    ]
}
