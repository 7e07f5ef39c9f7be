//! The channels of the attribute codec: how unpacked differences add up to the bytes of the elements.
//!
//! A channel is treated as one integer of 32 bits, whose lanes are bytes, 16-bit integers or the whole. All lanes
//! are then added with a few operations, which keeps the chain of dependent additions short.

/// The most elements that a block holds, whatever their size.
pub(super) const BLOCK_ELEMENTS: usize = 256;

/// The unpacked differences of one byte of the elements of a block.
pub(super) type Plane = [u8; BLOCK_ELEMENTS];

/// Four neighbouring bytes of the elements, with what is carried from one block to the next.
pub(super) struct Channel {
    pub(super) deltas: Deltas,
    /// The four bytes of the last element so far, in little-endian order.
    pub(super) previous: u32,
}

/// What the differences of a channel are taken between.
#[derive(Clone, Copy)]
pub(super) enum Deltas {
    /// Four bytes, each on its own, with the sign of the difference in the lowest bit.
    Bytes,
    /// Two 16-bit integers, likewise.
    Words,
    /// One pattern of 32 bits: the difference is an exclusive or, rotated to the left by this many bits.
    Xor(u32),
}

impl Channel {
    /// Adds up the differences of a block, and writes the channel at an offset into each of its elements.
    pub(super) fn accumulate(&mut self, planes: &[Plane; 4], block: &mut [u8], stride: usize, offset: usize) {
        // Each kind of difference gets a loop of its own, free of choices.
        match self.deltas {
            Deltas::Bytes => self.run(planes, block, stride, offset, signed::<8>, sum::<8>),
            Deltas::Words => self.run(planes, block, stride, offset, signed::<16>, sum::<16>),
            Deltas::Xor(rotation) => {
                let delta = |code: u32| code.rotate_right(rotation);
                self.run(planes, block, stride, offset, delta, |a, b| a ^ b);
            }
        }
    }

    #[inline]
    fn run(
        &mut self,
        planes: &[Plane; 4],
        block: &mut [u8],
        stride: usize,
        offset: usize,
        delta_of: impl Fn(u32) -> u32,
        add: impl Fn(u32, u32) -> u32,
    ) {
        // Only the additions depend on each other. The rest is done ahead of them, where it can be vectorised.
        let mut deltas = [0; BLOCK_ELEMENTS];
        let elements = block.len() / stride;
        let [a, b, c, d] = planes;
        let codes = a.iter().zip(b).zip(c).zip(d);
        for (delta, (((&a, &b), &c), &d)) in deltas[..elements].iter_mut().zip(codes) {
            *delta = delta_of(u32::from_le_bytes([a, b, c, d]));
        }
        let mut previous = self.previous;
        for (element, delta) in block.chunks_exact_mut(stride).zip(deltas) {
            previous = add(previous, delta);
            element[offset..offset + 4].copy_from_slice(&previous.to_le_bytes());
        }
        self.previous = previous;
    }
}

/// Undoes in each lane of `BITS` bits the interleaving of positive and negative numbers (0, -1, 1, -2, ...).
#[inline]
fn signed<const BITS: u32>(code: u32) -> u32 {
    let lane = (1 << BITS) - 1;
    let lowest = u32::MAX / lane;
    let magnitude = (code >> 1) & !(lowest << (BITS - 1));
    let sign = (code & lowest) * lane;
    magnitude ^ sign
}

/// Adds in each lane of `BITS` bits, modulo its range.
#[inline]
fn sum<const BITS: u32>(a: u32, b: u32) -> u32 {
    // With the highest bit of each lane left out no carry leaves its lane. That bit is then a sum without carry.
    let highest = (u32::MAX / ((1 << BITS) - 1)) << (BITS - 1);
    ((a & !highest) + (b & !highest)) ^ ((a ^ b) & highest)
}
