//! The index codec: a sequence of indices, each stored as a difference from one of two baselines.
//!
//! The stream is a header byte, one variable-length number per index, and four bytes of padding. Two baselines
//! instead of one keep the differences small where two rising sequences are spliced, as in triangle strips.

use super::allocate;

/// The first byte of a stream: the codec in the upper half, its version in the lower.
const HEADER: u8 = 0xd1;

/// The padding at the end of a stream. Its content is reserved, so nothing is asked of it.
const TAIL_BYTES: usize = 4;

/// Decodes `count` indices of `stride` bytes each (2 or 4).
pub(super) fn decode(data: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let Some((&header, rest)) = data.split_first() else {
        return Err("the index stream is empty, expected a header".to_owned());
    };
    if header != HEADER {
        return Err(format!("the index stream begins with {header:#04x}, expected {HEADER:#04x}"));
    }
    // Every index takes at least one byte, which bounds the allocation by the size of the input.
    let available = rest.len().checked_sub(TAIL_BYTES);
    let Some(available) = available.filter(|&bytes| bytes >= count) else {
        return Err(format!(
            "the index stream has {} bytes, expected at least {count} for the indices and 5 more",
            data.len()
        ));
    };
    let mut output = allocate(count, stride)?;
    let mut rest = &rest[..available];
    match stride {
        2 => read_all(&mut rest, output.as_chunks_mut::<2>().0)?,
        _ => read_all(&mut rest, output.as_chunks_mut::<4>().0)?,
    }
    if rest.is_empty() {
        Ok(output)
    } else {
        Err(format!("the index stream has {} bytes after its last index, expected none", rest.len()))
    }
}

/// Reads one index for each slot of the output.
fn read_all<const WIDTH: usize>(rest: &mut &[u8], slots: &mut [[u8; WIDTH]]) -> Result<(), &'static str> {
    let mut baselines = [0_u32; 2];
    for slot in slots {
        let code = read_varint(rest)?;
        // The lowest bit selects the baseline, and the others are a difference with its sign in the second bit.
        let baseline = &mut baselines[(code & 1) as usize];
        *baseline = baseline.wrapping_add(signed_delta(code >> 1));
        *slot = low_bytes(*baseline);
    }
    Ok(())
}

/// Reads a number in groups of 7 bits, the lowest first, whose upper bit says that more follow.
#[inline]
pub(super) fn read_varint(rest: &mut &[u8]) -> Result<u32, &'static str> {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let Some((&byte, after)) = rest.split_first() else {
            return Err("the stream ends inside its indices, expected more bytes");
        };
        *rest = after;
        // The last group has bits beyond the 32nd, which the extensions tell a decoder to ignore.
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err("an index takes more than 5 bytes, expected at most 5")
}

/// Undoes the interleaving of positive and negative numbers (0, -1, 1, -2, ...), modulo 2^32.
#[inline]
pub(super) fn signed_delta(code: u32) -> u32 {
    (code >> 1) ^ (code & 1).wrapping_neg()
}

/// The lower bytes of an index in little-endian order. An index that does not fit wraps around, as the Khronos
/// extension asks of 16-bit output.
#[inline]
pub(super) fn low_bytes<const WIDTH: usize>(index: u32) -> [u8; WIDTH] {
    let bytes = index.to_le_bytes();
    std::array::from_fn(|place| bytes[place])
}
