//! The triangle codec: one byte per triangle, which names an edge and a vertex that were seen recently.
//!
//! The stream is a header byte, one code byte per triangle, the extra data of the triangles that do not fit
//! in their code, and a table of 16 bytes. In a code `0xEV`, `E` below 15 takes the edge that many places back and
//! `V` says where the third vertex comes from; `E` of 15 starts a triangle that shares no recent edge.

use super::allocate;
use super::indices::{low_bytes, read_varint, signed_delta};

/// The first byte of a stream: the codec in the upper half, its version in the lower.
const HEADER: u8 = 0xe1;

/// The table at the end of a stream, which holds the vertex pairs that codes `0xf0` to `0xfd` stand for.
const TABLE_BYTES: usize = 16;

/// Decodes the `count` indices (a multiple of 3) of a triangle list, in `stride` bytes each (2 or 4).
pub(super) fn decode(data: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let Some((&header, rest)) = data.split_first() else {
        return Err("the triangle stream is empty, expected a header".to_owned());
    };
    if header != HEADER {
        return Err(format!("the triangle stream begins with {header:#04x}, expected {HEADER:#04x}"));
    }
    // Every triangle has a code byte, which bounds the allocation by the size of the input.
    let triangles = count / 3;
    let split = rest
        .split_last_chunk::<TABLE_BYTES>()
        .and_then(|(body, table)| Some((body.split_at_checked(triangles)?, table)));
    let Some(((codes, extra), table)) = split else {
        return Err(format!(
            "the triangle stream has {} bytes, expected at least {triangles} for the codes and 17 more",
            data.len()
        ));
    };
    check_table(table)?;

    let mut output = allocate(count, stride)?;
    let mut decoder = Decoder { extra, table, next: 0, last: 0, edges: Recent::new(), vertices: Recent::new() };
    match stride {
        2 => decoder.decode_all(codes, output.as_chunks_mut::<2>().0)?,
        _ => decoder.decode_all(codes, output.as_chunks_mut::<4>().0)?,
    }
    if decoder.extra.is_empty() {
        Ok(output)
    } else {
        Err(format!("the triangle stream has {} bytes after its last triangle, expected none", decoder.extra.len()))
    }
}

/// Enforces the two rules that the extensions give for the table of vertex pairs.
fn check_table(table: &[u8; TABLE_BYTES]) -> Result<(), String> {
    let valid = |pair: u8| pair >> 4 != 0xf && pair & 0xf != 0xf;
    if let Some(&pair) = table.iter().find(|&&pair| !valid(pair)) {
        return Err(format!("the table of vertex pairs holds {pair:#04x}, expected no digit 0xf"));
    }
    if table[14..] != [0, 0] {
        return Err("the table of vertex pairs does not end with two zero bytes".to_owned());
    }
    Ok(())
}

/// The state that is carried from one triangle to the next.
struct Decoder<'a> {
    /// The extra data that has not been read yet.
    extra: &'a [u8],
    table: &'a [u8; TABLE_BYTES],
    /// The lowest index that has not been used, if the vertices are numbered in order of their first use.
    next: u32,
    /// The index that the next explicitly stored index is a difference from.
    last: u32,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
}

impl Decoder<'_> {
    /// Decodes one triangle for each code, into slots that are three times as many as the codes.
    fn decode_all<const WIDTH: usize>(&mut self, codes: &[u8], slots: &mut [[u8; WIDTH]]) -> Result<(), &'static str> {
        let (triangles, _) = slots.as_chunks_mut::<3>();
        for (slots, &code) in triangles.iter_mut().zip(codes) {
            let corners = if code < 0xf0 { self.triangle_on_edge(code)? } else { self.free_triangle(code)? };
            *slots = corners.map(low_bytes);
        }
        Ok(())
    }

    /// A triangle on a recent edge, with a code from `0x00` to `0xef`.
    #[inline]
    fn triangle_on_edge(&mut self, code: u8) -> Result<[u32; 3], &'static str> {
        let [a, b] = self.edges.get(code >> 4)?;
        let source = code & 0xf;
        let c = match source {
            0 => self.take_next(),
            1..0xd => self.vertices.get(source)?,
            0xd => self.step_last(1_u32.wrapping_neg()),
            0xe => self.step_last(1),
            _ => self.read_index()?,
        };
        // A vertex that came from the list is in it already and is not pushed again.
        if !(1..0xd).contains(&source) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A triangle that shares no recent edge, with a code from `0xf0` to `0xff`.
    fn free_triangle(&mut self, code: u8) -> Result<[u32; 3], &'static str> {
        let explicit = code >= 0xfe;
        let sources = if explicit {
            let Some((&sources, after)) = self.extra.split_first() else {
                return Err("the stream ends inside its triangles, expected more bytes");
            };
            self.extra = after;
            // A triangle of three new vertices is written this way only to restart the numbering, which is
            // how independent meshes are joined.
            if sources == 0 {
                self.next = 0;
            }
            sources
        } else {
            self.table[usize::from(code & 0xf)]
        };
        let (b_source, c_source) = (sources >> 4, sources & 0xf);
        let a = if code == 0xff { self.read_index()? } else { self.take_next() };
        // Both sources count back from before this triangle, so nothing is pushed until all are read.
        let b = self.corner(b_source)?;
        let c = self.corner(c_source)?;

        self.vertices.push(a);
        for (source, corner) in [(b_source, b), (c_source, c)] {
            if source == 0 || source == 0xf {
                self.vertices.push(corner);
            }
        }
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// The second or third corner of a free triangle.
    fn corner(&mut self, source: u8) -> Result<u32, &'static str> {
        match source {
            0 => Ok(self.take_next()),
            1..0xf => self.vertices.get(source - 1),
            _ => self.read_index(),
        }
    }

    /// The next vertex that has not been used.
    fn take_next(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    /// An index that is stored in the extra data.
    fn read_index(&mut self) -> Result<u32, &'static str> {
        let code = read_varint(&mut self.extra)?;
        Ok(self.step_last(signed_delta(code)))
    }

    /// Moves the last explicit index by a difference modulo 2^32.
    fn step_last(&mut self, delta: u32) -> u32 {
        self.last = self.last.wrapping_add(delta);
        self.last
    }
}

/// The 16 most recent of the values that were pushed.
struct Recent<T> {
    ring: [T; 16],
    /// How many values were pushed so far, which is also the place of the next one modulo 16.
    pushed: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Self {
        Self { ring: [T::default(); 16], pushed: 0 }
    }

    #[inline]
    fn push(&mut self, value: T) {
        self.ring[self.pushed % 16] = value;
        self.pushed += 1;
    }

    /// The value that was pushed `back` values before the last one, for `back` below 16.
    #[inline]
    fn get(&self, back: u8) -> Result<T, &'static str> {
        match self.pushed.checked_sub(usize::from(back) + 1) {
            Some(place) => Ok(self.ring[place % 16]),
            None => Err("a triangle names an edge or vertex before the first, expected an earlier one"),
        }
    }
}
