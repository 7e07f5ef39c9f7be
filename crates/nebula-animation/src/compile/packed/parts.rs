//! The header of packed tracks, and whether their bytes match it.

use super::basis::{LEVELS, NEEDED, SEGMENT};
use super::{ClipBytes, LANES, PackedTracks, VECTOR};
use crate::compile::tracks::Reach;
use crate::rig::Rig;
use crate::rig::block::Part;

/// What all curves have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::compile) struct Head {
    /// Time of the first sample, samples per second, and the number of the last sample, at least 1.
    pub start: f32,
    pub per_second: f64,
    pub last: u32,
    /// What the steps of rotations and of vectors are multiples of.
    pub turn_unit: f32,
    pub way_unit: f32,
    /// How far rotations turn from sample to sample.
    pub reach: Reach,
}

/// What the members of a group are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::compile) enum Kind {
    /// Joints that stand still, elsewhere than at rest: a rotation each.
    Still,
    /// Joints that turn around one axis, by one number, half of the angle: its cosine times a quaternion, and its sine times another one.
    Hinges,
    /// Joints that turn freely, by three numbers: a rotation before the turn, and one after it.
    Turns,
    /// Joints that turn so far that all four numbers have curves.
    Far,
    /// Single numbers of vectors, relative to an origin.
    Vectors,
}

impl Kind {
    pub const ALL: [Self; 5] = [Self::Still, Self::Hinges, Self::Turns, Self::Far, Self::Vectors];

    /// How many curves a member has.
    pub fn axes(self) -> usize {
        match self {
            Self::Still => 0,
            Self::Hinges | Self::Vectors => 1,
            Self::Turns => 3,
            Self::Far => 4,
        }
    }

    /// How many whole numbers of two bytes a member has that do not change, beside steps, and how many floats.
    pub fn constants(self) -> (usize, usize) {
        match self {
            Self::Still => (0, 4),
            Self::Hinges => (0, 8),
            Self::Turns => (6, 0),
            Self::Far => (0, 0),
            Self::Vectors => (0, 1),
        }
    }

    /// Bytes of a member that do not change, steps included.
    pub fn constant_bytes(self) -> usize {
        let (shorts, floats) = self.constants();
        2 * (shorts + self.axes()) + 4 * floats
    }

    pub fn part(self) -> Part {
        if self == Self::Vectors { Part::Translation } else { Part::Rotation }
    }
}

/// Up to eight joints, or curves of vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::compile) struct Group {
    /// For each member its joint; of curves of vectors `32 block + 8 axis + lane`.
    pub targets: [u16; LANES],
    pub kind: Kind,
    pub members: u8,
    pub knot_widths: [u8; 4],
}

/// Where the numbers are that a curve needs, and how many bits they have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub places: [usize; NEEDED],
    pub widths: [usize; NEEDED],
}

/// Bytes that numbers of so many bits take for so many members.
#[inline(always)]
pub(super) fn bytes_of(members: usize, width: usize) -> usize {
    (members * width).div_ceil(8)
}

/// A number of four bytes.
#[inline(always)]
pub(super) fn word(data: &[u8], at: usize) -> u32 {
    let bytes = &data[at..at + 4];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The numbers of bits of a header.
pub(super) fn widths(data: &[u8], at: usize) -> [usize; LEVELS] {
    let header = usize::from(data[at]) | usize::from(data[at + 1]) << 8;
    [header & 31, header >> 5 & 31, header >> 10 & 31]
}

impl PackedTracks {
    /// Puts tracks together.
    pub fn of_parts(head: Head, groups: Box<[Group]>, bytes: ClipBytes) -> Self {
        let of_knot = |group: &Group| {
            let widths = group.knot_widths.iter().take(group.kind.axes());
            widths.map(|width| bytes_of(group.members.into(), (*width).into())).sum::<usize>()
        };
        Self {
            segments: (head.last as usize).div_ceil(SEGMENT),
            curves: groups.iter().map(|group| group.kind.axes()).sum(),
            knot_bytes: groups.iter().map(of_knot).sum(),
            constants: groups.iter().map(|group| usize::from(group.members) * group.kind.constant_bytes()).sum(),
            head,
            groups,
            bytes,
        }
    }

    pub fn head(&self) -> &Head {
        &self.head
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub fn data(&self) -> &[u8] {
        self.bytes.get()
    }

    /// For each lane of the rig, whether its translation and whether its rotation is packed.
    pub fn lanes(&self, rig: &Rig) -> [Vec<bool>; 2] {
        let mut lanes = [vec![false; rig.lane_count()], vec![false; rig.lane_count()]];
        for group in &self.groups {
            for target in group.targets.iter().take(group.members.into()).map(|target| usize::from(*target)) {
                let is_vector = group.kind == Kind::Vectors;
                let lane = if is_vector { target / VECTOR * LANES + target % LANES } else { target };
                if let Some(is_packed) = lanes[usize::from(!is_vector)].get_mut(lane) {
                    *is_packed = true;
                }
            }
        }
        lanes
    }

    /// Bytes that the tracks take in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val::<[Group]>(&self.groups) + self.bytes.get().len()
    }

    /// How many curves of each part there are, and the bits that their samples take, knots included.
    pub fn curves_and_bits(&self, part: Part) -> (usize, usize) {
        let (data, mut curves, mut bits) = (self.bytes.get(), 0, 0);
        let mut header = 2;
        for group in &self.groups {
            for axis in 0..group.kind.axes() {
                header += 2;
                if group.kind.part() != part {
                    continue;
                }
                let members = usize::from(group.members);
                curves += members;
                bits += 8 * bytes_of(members, usize::from(group.knot_widths[axis])) * (self.segments + 1);
                for segment in 0..self.segments {
                    let [a, b, c] = widths(data, self.body(data, segment) + header - 2);
                    bits += 16 + 8 * (bytes_of(members, a) + 2 * bytes_of(members, b) + 4 * bytes_of(members, c));
                }
            }
        }
        (curves, bits)
    }
}
