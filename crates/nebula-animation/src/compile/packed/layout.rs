//! Packs curves into bytes.

use super::parts::bytes_of;
use super::{Group, Kind, LANES, LEVELS, NUMBERS, PADDING, PackedTracks, SEGMENT, level};

/// Curves as whole numbers, before they are packed.
pub(in crate::compile) struct Contents {
    pub start: f32,
    pub per_second: f64,
    /// The number of the last sample; at least 1.
    pub last: usize,
    /// What the steps of rotations and of vectors are multiples of.
    pub turn_unit: f32,
    pub way_unit: f32,
    pub reach: crate::compile::tracks::Reach,
    /// For each segment, the number of the factor of its steps.
    pub scales: Vec<u8>,
    pub groups: Vec<GroupContents>,
}

/// One to eight joints, or curves of vectors, that are packed side by side.
pub(in crate::compile) struct GroupContents {
    pub kind: Kind,
    pub members: Vec<Member>,
}

/// One of them.
pub(in crate::compile) struct Member {
    pub target: u16,
    /// What does not change: whole numbers and floats, as many as the kind has.
    pub shorts: Vec<i16>,
    pub floats: Vec<f32>,
    /// For each axis: the step, the knots, and the numbers of each segment.
    pub axes: Vec<Axis>,
}

/// One curve.
#[derive(Clone)]
pub(in crate::compile) struct Axis {
    pub step: i16,
    pub knots: Vec<i32>,
    pub numbers: Vec<[i32; NUMBERS]>,
}

/// The most bits that a number may have.
pub(in crate::compile) const MOST_BITS: usize = 24;

/// How many bits a number with a sign takes; none for 0.
pub(in crate::compile) fn bits_of(number: i32) -> usize {
    if number == 0 { 0 } else { 33 - (if number < 0 { !number } else { number }).leading_zeros() as usize }
}

impl PackedTracks {
    /// Packs curves. Numbers fit [`MOST_BITS`].
    pub fn new(contents: &Contents) -> Self {
        let segments = contents.last.div_ceil(SEGMENT);
        let source = &contents.groups;
        let groups: Box<[Group]> = source.iter().map(group).collect();
        let mut bytes = Vec::new();
        for group in source {
            constants(&mut bytes, group);
        }
        for knot in 0..=segments {
            for (group, source) in groups.iter().zip(source) {
                for axis in 0..group.kind.axes() {
                    let numbers = source.members.iter().map(|member| member.axes[axis].knots[knot]);
                    put(&mut bytes, usize::from(group.knot_widths[axis]), numbers);
                }
            }
        }
        let (mut table, mut body) = (Vec::new(), Vec::new());
        for segment in 0..segments {
            table.extend((body.len() as u32).to_le_bytes());
            body.extend([contents.scales[segment], 0]);
            let curves = || source.iter().flat_map(|group| (0..group.kind.axes()).map(move |axis| (group, axis)));
            let headers: Vec<[usize; LEVELS]> = curves().map(|(group, axis)| widths(group, axis, segment)).collect();
            for [first, second, third] in &headers {
                body.extend((first | second << 5 | third << 10).to_le_bytes().into_iter().take(2));
            }
            for (widths, (group, axis)) in headers.iter().zip(curves()) {
                for number in 0..NUMBERS {
                    let numbers = group.members.iter().map(|member| member.axes[axis].numbers[segment][number]);
                    put(&mut body, widths[level(number)], numbers);
                }
            }
        }
        bytes.extend(table);
        bytes.extend(body);
        bytes.extend([0; PADDING]);
        let Contents { start, per_second, last, turn_unit, way_unit, reach, .. } = contents;
        let head = super::Head {
            start: *start,
            per_second: *per_second,
            last: *last as u32,
            turn_unit: *turn_unit,
            way_unit: *way_unit,
            reach: *reach,
        };
        Self::of_parts(head, groups, bytes.into())
    }
}

fn group(source: &GroupContents) -> Group {
    let knot_width = |axis: usize| {
        let knots = source.members.iter().filter_map(|member| member.axes.get(axis)).flat_map(|axis| &axis.knots);
        knots.map(|knot| bits_of(*knot)).max().unwrap_or(0) as u8
    };
    Group {
        targets: std::array::from_fn(|member| source.members.get(member).map_or(0, |member| member.target)),
        kind: source.kind,
        members: source.members.len() as u8,
        knot_widths: std::array::from_fn(knot_width),
    }
}

/// What does not change, and the steps: for each number, those of all members.
fn constants(bytes: &mut Vec<u8>, group: &GroupContents) {
    let (shorts, floats) = group.kind.constants();
    for index in 0..shorts {
        bytes.extend(group.members.iter().flat_map(|member| member.shorts[index].to_le_bytes()));
    }
    for axis in 0..group.kind.axes() {
        bytes.extend(group.members.iter().flat_map(|member| member.axes[axis].step.to_le_bytes()));
    }
    for index in 0..floats {
        bytes.extend(group.members.iter().flat_map(|member| member.floats[index].to_le_bytes()));
    }
}

/// How many bits the numbers of each level have.
fn widths(group: &GroupContents, axis: usize, segment: usize) -> [usize; LEVELS] {
    let mut widths = [0; LEVELS];
    for member in &group.members {
        for (index, number) in member.axes[axis].numbers[segment].iter().enumerate() {
            widths[level(index)] = widths[level(index)].max(bits_of(*number));
        }
    }
    widths
}

/// Adds numbers of so many bits, and as many bits as make up whole bytes.
fn put(bytes: &mut Vec<u8>, width: usize, numbers: impl ExactSizeIterator<Item = i32>) {
    let end = bytes.len() + bytes_of(numbers.len().min(LANES), width);
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
    debug_assert_eq!(bytes.len(), end);
}
