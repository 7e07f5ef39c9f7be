//! Streams of the reference encoder, whole and damaged.
//!
//! `vectors/reference.bin` was made with the npm package `meshoptimizer` 1.3.0: the streams with
//! `encodeVertexBufferLevel` (versions 0 and 1, level 3 for [`Content::Ramp`] and 2 for the others),
//! `encodeIndexBuffer` and `encodeIndexSequence`, the input of the filters with its `encodeFilter*` functions
//! (and a few elements whose results lie halfway between two integers), and what the indices and the filtered
//! elements decode to with its decoder built without SIMD. The build with SIMD rounds halves to even, and so
//! differs from it by one unit here and there, which the extensions allow.

use super::{Filter, Mode, decode};

mod by_hand;

/// One record of the file: a byte each for mode, filter, content and stride, 16 bits each (little-endian) for the
/// count and the lengths of what follows, the stream, and what it decodes to. The latter is left out of unfiltered
/// attributes, which can be made again here because that codec loses nothing.
struct Vector {
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
    stream: &'static [u8],
    expected: Vec<u8>,
}

impl Vector {
    fn decode(&self, stream: &[u8]) -> Result<Vec<u8>, String> {
        decode(stream, self.mode, self.filter, self.count, self.stride)
    }
}

/// The content of an unfiltered attribute stream.
enum Content {
    Constant,
    Smooth,
    Random,
    Ramp,
    Sparse,
}

impl Content {
    fn make(&self, count: usize, stride: usize) -> Vec<u8> {
        let mut random = Xorshift(0x9e37_79b9);
        let mut bytes = Vec::new();
        for element in 0..count as u32 {
            for place in 0..stride as u32 {
                let word = place / 2;
                let smooth = word * 1000 + element * (word % 3) + element / 16 * 7;
                let ramp = 0x3f80_0000 ^ ((element * element * (place / 4 + 1)) << 11);
                bytes.push(match self {
                    Self::Constant => (place * 37 + 11) as u8,
                    Self::Smooth => (smooth >> (place % 2 * 8)) as u8,
                    Self::Random => (random.next() >> 24) as u8,
                    Self::Ramp => (ramp >> (place % 4 * 8)) as u8,
                    Self::Sparse => match random.next() {
                        value if value % 32 == 0 => (value >> 24) as u8,
                        _ => place as u8,
                    },
                });
            }
        }
        bytes
    }
}

struct Xorshift(u32);

impl Xorshift {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }
}

fn vectors() -> Vec<Vector> {
    let mut rest: &'static [u8] = include_bytes!("vectors/reference.bin");
    let mut vectors = Vec::new();
    while let Some((head, after)) = rest.split_first_chunk::<10>() {
        let [mode, filter, content, stride, sizes @ ..] = *head;
        let (sizes, _) = sizes.as_chunks::<2>();
        let size = |index: usize| usize::from(u16::from_le_bytes(sizes[index]));
        let (count, stride) = (size(0), usize::from(stride));
        let (stream, after) = after.split_at(size(1));
        let (expected, after) = after.split_at(size(2));
        rest = after;
        vectors.push(Vector {
            mode: [Mode::Attributes, Mode::Triangles, Mode::Indices][usize::from(mode)],
            filter: FILTERS[usize::from(filter)],
            count,
            stride,
            stream,
            expected: match content {
                0 => expected.to_vec(),
                1 => Content::Constant.make(count, stride),
                2 => Content::Smooth.make(count, stride),
                3 => Content::Random.make(count, stride),
                4 => Content::Ramp.make(count, stride),
                _ => Content::Sparse.make(count, stride),
            },
        });
    }
    assert!(rest.is_empty());
    vectors
}

const FILTERS: [Filter; 5] = [Filter::None, Filter::Octahedral, Filter::Quaternion, Filter::Exponential, Filter::Color];

#[test]
fn streams_of_the_reference_encoder_decode_to_the_bit() {
    let vectors = vectors();
    for vector in &vectors {
        let what = format!(
            "{:?} {:?}, {} of {}, header {:#04x}",
            vector.mode, vector.filter, vector.count, vector.stride, vector.stream[0]
        );
        assert_eq!(vector.decode(vector.stream), Ok(vector.expected.clone()), "{what}");
    }
    // The file would prove little if a part of it were lost.
    let any = |test: &dyn Fn(&Vector) -> bool| vectors.iter().any(test);
    for header in [0xa0, 0xa1] {
        for filter in FILTERS {
            assert!(any(&|v| v.stream[0] == header && v.filter == filter));
        }
        for stride in [4, 8, 12, 16, 20, 64] {
            assert!(any(&|v| v.stream[0] == header && v.stride == stride));
        }
        for count in [1, 15, 16, 17, 255, 256, 257, 1000] {
            assert!(any(&|v| v.stream[0] == header && v.count == count));
        }
    }
    for mode in [Mode::Triangles, Mode::Indices] {
        assert!(any(&|v| v.mode == mode && v.stride == 2));
        assert!(any(&|v| v.mode == mode && v.stride == 4));
    }
}

#[test]
fn streams_that_are_too_short_or_too_long_are_errors() {
    for vector in vectors() {
        for length in 0..vector.stream.len() {
            assert!(vector.decode(&vector.stream[..length]).is_err());
        }
        let mut longer = vector.stream.to_vec();
        longer.push(0);
        assert!(vector.decode(&longer).is_err());
    }
}

/// A hundred thousand damaged streams: none may panic, and those that still decode have the size asked for.
#[test]
fn damaged_streams_never_panic() {
    let vectors: Vec<Vector> = vectors().into_iter().filter(|vector| vector.expected.len() <= 2048).collect();
    let mut random = Xorshift(1);
    let mut decoded = 0;
    for round in 0..100_000 {
        let vector = &vectors[round % vectors.len()];
        let mut stream = vector.stream.to_vec();
        for _ in 0..=random.below(4) {
            let place = random.below(stream.len());
            stream[place] ^= (random.next() >> 24) as u8;
        }
        if let Ok(bytes) = vector.decode(&stream) {
            assert_eq!(bytes.len(), vector.count * vector.stride);
            decoded += 1;
        }
    }
    assert!(decoded > 10_000, "the damage should not always be noticed: {decoded}");
}

#[test]
fn parameters_that_the_extensions_forbid_are_errors() {
    use Filter::{Color, Exponential, Octahedral, Quaternion};
    const NONE: Filter = Filter::None;
    // Each of these is tried on a stream that is valid for parameters next to them.
    let refused = [
        (Mode::Attributes, NONE, 0, 4),
        (Mode::Attributes, NONE, 16, 0),
        (Mode::Attributes, NONE, 16, 2),
        (Mode::Attributes, NONE, 16, 6),
        (Mode::Attributes, NONE, 16, 260),
        (Mode::Attributes, NONE, 257, 4),
        (Mode::Attributes, NONE, usize::MAX, 4),
        (Mode::Attributes, NONE, usize::MAX / 256, 256),
        (Mode::Attributes, Octahedral, 16, 12),
        (Mode::Attributes, Quaternion, 16, 4),
        (Mode::Attributes, Exponential, 16, 6),
        (Mode::Attributes, Color, 16, 16),
        (Mode::Triangles, NONE, 0, 2),
        (Mode::Triangles, NONE, 4, 2),
        (Mode::Triangles, NONE, 6, 2),
        (Mode::Triangles, NONE, 3, 1),
        (Mode::Triangles, NONE, 3, 8),
        (Mode::Triangles, NONE, usize::MAX / 3 * 3, 4),
        (Mode::Triangles, Exponential, 3, 4),
        (Mode::Indices, NONE, 0, 2),
        (Mode::Indices, NONE, 2, 2),
        (Mode::Indices, NONE, 1, 1),
        (Mode::Indices, NONE, 1, 3),
        (Mode::Indices, NONE, usize::MAX, 4),
        (Mode::Indices, Color, 1, 4),
    ];
    let stream = |mode| match mode {
        // Sixteen elements without differences: four headers and the tail.
        Mode::Attributes => [&[0xa0, 0, 0, 0, 0], &[7; 32][..]].concat(),
        // The triangle 0, 1, 2: a code and the table.
        Mode::Triangles => [&[0xe1, 0xf0], &[0; 16][..]].concat(),
        Mode::Indices => vec![0xd1, 0, 0, 0, 0, 0],
    };
    for (mode, filter, count, stride) in refused {
        let result = decode(&stream(mode), mode, filter, count, stride);
        assert!(result.is_err(), "{mode:?} {filter:?} {count} {stride}");
    }
    for (mode, filter, count, stride) in [
        (Mode::Attributes, NONE, 16, 4),
        (Mode::Attributes, Octahedral, 16, 4),
        (Mode::Attributes, Exponential, 16, 4),
        (Mode::Attributes, Color, 16, 4),
        (Mode::Triangles, NONE, 3, 2),
        (Mode::Indices, NONE, 1, 4),
    ] {
        let result = decode(&stream(mode), mode, filter, count, stride);
        assert_eq!(result.map(|bytes| bytes.len()), Ok(count * stride));
    }
}
