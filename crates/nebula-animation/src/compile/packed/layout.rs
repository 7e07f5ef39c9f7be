//! From curves to bytes.

use super::{Group, LANES, PADDING, PackedTracks, SEGMENT, Turned, WAVES, width_of};
use crate::math::lanes::WIDTHS;
use crate::rig::block::Part;

/// Curves as whole numbers, before they are packed.
pub(in crate::compile) struct Contents {
    pub start: f32,
    pub per_second: f64,
    /// The number of the last sample; at least 1.
    pub last: usize,
    /// What the steps of rotations and of vectors are multiples of.
    pub turn_unit: f32,
    pub way_unit: f32,
    pub groups: Vec<GroupContents>,
    /// Blocks of joints that turn, and what each of the eight turns from, axis by axis.
    pub references: Vec<(Turned, [[i16; LANES]; 3])>,
}

/// One to eight curves that are packed side by side.
pub(in crate::compile) struct GroupContents {
    pub part: Part,
    pub targets: Vec<u16>,
    pub steps: Vec<i16>,
    /// What is added to vectors.
    pub origins: Vec<f32>,
    /// For each curve, the knots and the waves of each segment.
    pub knots: Vec<Vec<i32>>,
    pub waves: Vec<Vec<[i32; WAVES]>>,
    /// For each segment, the number of the factor of its waves.
    pub scales: Vec<u8>,
}

/// The most bits that a knot may have, and a wave.
pub(in crate::compile) const MOST_KNOT_BITS: usize = 24;
pub(in crate::compile) const MOST_WAVE_BITS: usize = 18;

/// How many bits a number with a sign takes; none for 0.
pub(in crate::compile) fn bits_of(number: i32) -> usize {
    if number == 0 { 0 } else { 33 - (if number < 0 { !number } else { number }).leading_zeros() as usize }
}

impl PackedTracks {
    /// Packs curves. Numbers fit [`MOST_KNOT_BITS`] and [`MOST_WAVE_BITS`].
    pub fn new(contents: &Contents) -> Self {
        let Contents { start, per_second, last, turn_unit, way_unit, groups: source, references } = contents;
        let segments = last.div_ceil(SEGMENT);
        let groups: Box<[Group]> = source.iter().map(group).collect();
        let mut bytes = Vec::new();
        for axis in references.iter().flat_map(|(_, axes)| axes) {
            bytes.extend(axis.iter().flat_map(|number| number.to_le_bytes()));
        }
        let steps = bytes.len();
        for group in source {
            let padded = (0..LANES).map(|member| group.steps.get(member).copied().unwrap_or_default());
            bytes.extend(padded.flat_map(i16::to_le_bytes));
        }
        let knots = bytes.len();
        for knot in 0..=segments {
            for (group, source) in groups.iter().zip(source) {
                put(&mut bytes, usize::from(group.knot_width), source.knots.iter().map(|knots| knots[knot]));
            }
        }
        let (mut table, mut body) = (Vec::new(), Vec::new());
        for segment in 0..segments {
            table.extend((body.len() as u32).to_le_bytes());
            let headers = source.iter().map(|group| header(group, segment));
            let headers: Vec<u32> = headers.collect();
            body.extend(headers.iter().flat_map(|header| header.to_le_bytes()));
            for (header, source) in headers.iter().zip(source) {
                for wave in 0..WAVES {
                    let numbers = source.waves.iter().map(|waves| waves[segment][wave]);
                    put(&mut body, width_of(*header, wave), numbers);
                }
            }
        }
        let at_table = bytes.len();
        bytes.extend(table);
        let at_body = bytes.len();
        bytes.extend(body);
        bytes.extend([0; PADDING]);
        Self {
            start: *start,
            per_second: *per_second,
            last: *last,
            turn_unit: *turn_unit,
            way_unit: *way_unit,
            segments,
            knot_bytes: groups.iter().map(|group| group.bytes_of(usize::from(group.knot_width))).sum(),
            origins: source.iter().filter(|group| group.part != Part::Rotation).map(origins).collect(),
            groups,
            turned: references.iter().map(|(turned, _)| *turned).collect(),
            bytes: bytes.into(),
            steps,
            knots,
            table: at_table,
            body: at_body,
        }
    }
}

fn group(source: &GroupContents) -> Group {
    let knots = source.knots.iter().flatten();
    Group {
        targets: std::array::from_fn(|member| source.targets.get(member).copied().unwrap_or_default()),
        part: source.part,
        members: source.targets.len() as u8,
        knot_width: knots.map(|knot| bits_of(*knot)).max().unwrap_or(0) as u8,
    }
}

fn origins(group: &GroupContents) -> [f32; LANES] {
    std::array::from_fn(|member| group.origins.get(member).copied().unwrap_or_default())
}

/// How many bits each wave has, and the factor.
fn header(group: &GroupContents, segment: usize) -> u32 {
    let widest = |wave: usize| group.waves.iter().map(|waves| bits_of(waves[segment][wave])).max().unwrap_or(0);
    let code = |wave: usize| WIDTHS.iter().position(|width| *width >= widest(wave)).unwrap_or(WIDTHS.len() - 1) as u32;
    (0..WAVES).fold(u32::from(group.scales[segment]) << 28, |header, wave| header | code(wave) << (4 * wave))
}

/// Adds numbers of so many bits, and as many bits as make up whole bytes.
fn put(bytes: &mut Vec<u8>, width: usize, numbers: impl Iterator<Item = i32>) {
    let (mut held, mut count) = (0_u64, 0);
    for number in numbers {
        let mask = (1_u64 << width) - 1;
        held |= (number as u64 & mask) << count;
        count += width;
        while count >= 8 {
            bytes.push(held as u8);
            held >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        bytes.push(held as u8);
    }
}
