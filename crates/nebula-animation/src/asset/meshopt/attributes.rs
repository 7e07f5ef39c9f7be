//! The attribute codec: elements of any layout, stored byte by byte as differences from the element before.
//!
//! The stream is a header byte, blocks of up to 256 elements, and a tail with the element that precedes the first.
//! Inside a block the elements are transposed: all differences of their first byte come first, then those of
//! their second byte, and so on. Such a plane is cut into groups of 16 differences, each packed with the fewest
//! bits that suffice. Four neighbouring planes are a channel. Version 1 adds a choice of packings for each plane,
//! and a choice of what the differences of a channel are taken between: bytes, 16-bit integers or 32-bit patterns.

use super::allocate;
use super::channels::{BLOCK_ELEMENTS, Channel, Deltas, Plane};

/// The most bytes that a block holds once it is decoded.
const BLOCK_BYTES: usize = 8192;

/// The elements whose differences are packed together.
const GROUP: usize = 16;

/// The most bytes that a group takes: 16 differences of 4 bits, and each of them again in full. No tail is
/// shorter, so this many bytes can be looked at wherever a group may begin.
const GROUP_BYTES: usize = 24;

/// Decodes `count` elements of `stride` bytes each (a multiple of 4 up to 256).
pub(super) fn decode(data: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let version = Version::of(data)?;
    let block_elements = (BLOCK_BYTES / stride / GROUP * GROUP).min(BLOCK_ELEMENTS);
    let tail_bytes = version.tail_bytes(stride);
    let shortest = version.shortest_blocks(count.div_ceil(block_elements), stride).saturating_add(1 + tail_bytes);
    if data.len() < shortest {
        return Err(format!("the attribute stream has {} bytes, expected at least {shortest}", data.len()));
    }
    let mut channels = version.read_channels(data, stride)?;
    let mut output = allocate(count, stride)?;
    let mut planes = [[0; BLOCK_ELEMENTS]; 4];
    let mut stream = Stream { data, at: 1, end: data.len() - tail_bytes };
    for block in output.chunks_mut(block_elements * stride) {
        let elements = block.len() / stride;
        let controls = match version {
            Version::Zero => &[],
            Version::One => stream.take(channels.len())?,
        };
        for (index, channel) in channels.iter_mut().enumerate() {
            for (place, plane) in planes.iter_mut().enumerate() {
                let packing = match controls.get(index) {
                    Some(control) => Packing::of_control(control >> (2 * place)),
                    None => Packing::Groups([0, 2, 4, 8]),
                };
                stream.unpack_plane(packing, plane, elements)?;
            }
            channel.accumulate(&planes, block, stride, index * 4);
        }
    }
    match stream.end - stream.at {
        0 => Ok(output),
        left => Err(format!("the attribute stream has {left} bytes after its last element, expected none")),
    }
}

/// The version of the codec, which the header byte names.
#[derive(Clone, Copy)]
enum Version {
    Zero,
    One,
}

impl Version {
    fn of(data: &[u8]) -> Result<Self, String> {
        match data.first() {
            Some(0xa0) => Ok(Self::Zero),
            Some(0xa1) => Ok(Self::One),
            Some(other) => Err(format!("the attribute stream begins with {other:#04x}, expected 0xa0 or 0xa1")),
            None => Err("the attribute stream is empty, expected a header".to_owned()),
        }
    }

    /// The size of the tail, which padding in front of it brings to a minimum that depends on the version.
    fn tail_bytes(self, stride: usize) -> usize {
        match self {
            Self::Zero => stride.max(32),
            Self::One => (stride + stride / 4).max(GROUP_BYTES),
        }
    }

    /// The fewest bytes that a number of blocks can take. The output is therefore at most 256 times (version 0) or
    /// 1024 times (version 1) the size of the input, and a short stream cannot ask for a huge allocation.
    fn shortest_blocks(self, blocks: usize, stride: usize) -> usize {
        match self {
            // Each plane has at least one byte of group headers.
            Self::Zero => blocks.saturating_mul(stride),
            // Each channel has a control byte, which may say that its planes are all zero.
            Self::One => blocks.saturating_mul(stride / 4),
        }
    }

    /// Reads the end of a stream that is known to be long enough: the element that precedes the first one, and in
    /// version 1 a byte for each channel that says how its differences are taken.
    fn read_channels(self, data: &[u8], stride: usize) -> Result<Vec<Channel>, String> {
        let (rest, modes) = match self {
            Self::Zero => (data, &[][..]),
            Self::One => data.split_at(data.len() - stride / 4),
        };
        let (baseline, _) = rest[rest.len() - stride..].as_chunks::<4>();
        let mut channels = Vec::with_capacity(baseline.len());
        for (index, &bytes) in baseline.iter().enumerate() {
            let mode = modes.get(index).copied().unwrap_or(0);
            channels.push(Channel {
                deltas: match (mode & 0xf, mode >> 4) {
                    (0, 0) => Deltas::Bytes,
                    (1, 0) => Deltas::Words,
                    (2, rotation) => Deltas::Xor(u32::from(rotation)),
                    _ => {
                        return Err(format!(
                            "channel {index} has mode {mode:#04x}, expected 0x00, 0x01 or 0x02 with a rotation"
                        ));
                    }
                },
                previous: u32::from_le_bytes(bytes),
            });
        }
        Ok(channels)
    }
}

/// How the differences of one plane of a block are packed.
#[derive(Clone, Copy)]
enum Packing {
    /// In groups, each of which says with 2 bits how many of these bits its differences take.
    Groups([u8; 4]),
    /// All differences are zero and nothing is stored.
    Zero,
    /// One byte for each element.
    Literal,
}

impl Packing {
    /// The packing that the lowest 2 bits of a control byte stand for.
    fn of_control(control: u8) -> Self {
        match control & 3 {
            0 => Self::Groups([0, 1, 2, 4]),
            1 => Self::Groups([1, 2, 4, 8]),
            2 => Self::Zero,
            _ => Self::Literal,
        }
    }
}

/// What remains to be read of the blocks of a stream.
struct Stream<'a> {
    /// The whole stream. The tail is part of it because a group is looked at before its length is known.
    data: &'a [u8],
    /// The first byte that was not read yet, never above `end`.
    at: usize,
    /// Where the blocks end and the tail begins.
    end: usize,
}

impl<'a> Stream<'a> {
    /// Reads a number of bytes.
    fn take(&mut self, length: usize) -> Result<&'a [u8], &'static str> {
        let from = self.at;
        self.skip(length)?;
        Ok(&self.data[from..self.at])
    }

    /// Moves on by a number of bytes.
    fn skip(&mut self, length: usize) -> Result<(), &'static str> {
        if length > self.end - self.at {
            return Err("the attribute stream ends inside its elements, expected more bytes");
        }
        self.at += length;
        Ok(())
    }

    /// Reads the differences of one byte of the elements of a block. What lies in the plane beyond the elements
    /// is of no use afterwards.
    fn unpack_plane(&mut self, packing: Packing, plane: &mut Plane, elements: usize) -> Result<(), &'static str> {
        match packing {
            Packing::Zero => plane.fill(0),
            Packing::Literal => plane[..elements].copy_from_slice(self.take(elements)?),
            Packing::Groups(widths) => {
                let groups = elements.div_ceil(GROUP);
                let headers = self.take(groups.div_ceil(4))?;
                let (slots, _) = plane.as_chunks_mut::<GROUP>();
                for (index, slots) in slots[..groups].iter_mut().enumerate() {
                    let header = headers[index / 4] >> (index % 4 * 2);
                    self.unpack_group(widths[usize::from(header & 3)], slots)?;
                }
            }
        }
        Ok(())
    }

    /// Reads 16 differences that take `width` bits each.
    #[inline]
    fn unpack_group(&mut self, width: u8, slots: &mut [u8; GROUP]) -> Result<(), &'static str> {
        let Some(bytes) = self.data[self.at..].first_chunk() else {
            return Err("the attribute stream ends inside a group, expected more bytes");
        };
        let length = match width {
            0 => {
                *slots = [0; GROUP];
                0
            }
            1 => unpack_escaped::<1>(bytes, slots),
            2 => unpack_escaped::<2>(bytes, slots),
            4 => unpack_escaped::<4>(bytes, slots),
            _ => {
                slots.copy_from_slice(&bytes[..GROUP]);
                GROUP
            }
        };
        self.skip(length)
    }
}

/// Reads 16 differences of fewer than 8 bits each, and returns how many bytes they took. The highest value is an
/// escape: the difference did not fit and stands in full behind the packed ones.
#[inline]
fn unpack_escaped<const WIDTH: usize>(bytes: &[u8; GROUP_BYTES], slots: &mut [u8; GROUP]) -> usize {
    let per_byte = 8 / WIDTH;
    let escape = (1 << WIDTH) - 1;
    let mut full_at = GROUP / per_byte;
    for (index, slot) in slots.iter_mut().enumerate() {
        // Single bits are stored from the lowest to the highest, and pairs and quadruples the other way round.
        let place = index % per_byte;
        let shift = if WIDTH == 1 { place } else { 8 - WIDTH * (place + 1) };
        let packed = (bytes[index / per_byte] >> shift) & escape;
        // The choice has no branch because data that is worth escaping defeats its prediction. The index stays in
        // range: it starts at 8 or less and has moved by at most 15 when it is used for the last time.
        let full = bytes[full_at];
        let is_escaped = packed == escape;
        *slot = if is_escaped { full } else { packed };
        full_at += usize::from(is_escaped);
    }
    full_at
}
