use std::collections::BTreeMap;

use serde::Serialize;

use super::schema::{Accessor, BufferView, Document};

/// A glTF document that grows together with its binary chunk.
#[derive(Default)]
pub(super) struct GlbWriter {
    pub document: Document,
    bytes: Vec<u8>,
    /// Accessors by their content and shape. A clip with root motion shares most of its tracks with its twin on the spot.
    stored: BTreeMap<(Vec<u8>, &'static str, u32), u32>,
}

/// What a buffer view is for, as WebGL numbers it. Animation data and matrices name no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Vertices,
    Indices,
    Other,
}

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const FLOAT: u32 = 5126;

impl GlbWriter {
    /// Stores vectors of `N` floats and returns the accessor's index. `bounds` adds the smallest and largest
    /// components, which glTF asks for on positions and key times.
    pub fn floats<const N: usize>(
        &mut self,
        target: Target,
        kind: &'static str,
        bounds: bool,
        rows: &[[f32; N]],
    ) -> u32 {
        let extreme = |pick: fn(f32, f32) -> f32, start: f32| -> Option<Vec<f64>> {
            let column = |i: usize| f64::from(rows.iter().map(|row| row[i]).fold(start, pick));
            bounds.then(|| (0..kind_width(kind)).map(column).collect())
        };
        let (min, max) = (extreme(f32::min, f32::INFINITY), extreme(f32::max, f32::NEG_INFINITY));
        let bytes = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let accessor = Accessor { component_type: FLOAT, count: rows.len(), kind, min, max, ..Accessor::default() };
        self.store(target, bytes, accessor)
    }

    /// Stores four small numbers a vertex; `normalized` means that 255 stands for one.
    pub fn bytes4(&mut self, normalized: bool, rows: &[[u8; 4]]) -> u32 {
        let bytes = rows.as_flattened().to_vec();
        let accessor = Accessor {
            component_type: UNSIGNED_BYTE,
            count: rows.len(),
            kind: "VEC4",
            normalized,
            ..Accessor::default()
        };
        self.store(Target::Vertices, bytes, accessor)
    }

    /// Stores four fractions a vertex, for which 65535 stands for one.
    pub fn fractions4(&mut self, rows: &[[u16; 4]]) -> u32 {
        let bytes = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let accessor = Accessor {
            component_type: UNSIGNED_SHORT,
            count: rows.len(),
            kind: "VEC4",
            normalized: true,
            ..Accessor::default()
        };
        self.store(Target::Vertices, bytes, accessor)
    }

    /// Stores the corners of triangles.
    pub fn indices(&mut self, triangles: &[[u16; 3]]) -> u32 {
        let bytes = triangles.iter().flatten().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let accessor = Accessor {
            component_type: UNSIGNED_SHORT,
            count: triangles.len() * 3,
            kind: "SCALAR",
            ..Accessor::default()
        };
        self.store(Target::Indices, bytes, accessor)
    }

    /// The finished file: a 12-byte header, the JSON chunk padded with spaces, the binary chunk padded with zeros.
    pub fn finish(mut self) -> std::io::Result<Vec<u8>> {
        pad(&mut self.bytes, 0);
        self.document.buffers.push(super::schema::Buffer { byte_length: self.bytes.len() });
        let mut json = to_json(&self.document)?;
        pad(&mut json, b' ');
        let total = 12 + 8 + json.len() + 8 + self.bytes.len();
        let mut file = Vec::with_capacity(total);
        for word in [0x4654_6C67, 2, total as u32, json.len() as u32, 0x4E4F_534A] {
            file.extend(u32::to_le_bytes(word));
        }
        file.extend(json);
        for word in [self.bytes.len() as u32, 0x004E_4942] {
            file.extend(u32::to_le_bytes(word));
        }
        file.extend(self.bytes);
        Ok(file)
    }

    /// Appends bytes with a view and an accessor of their own, or finds those that are already there.
    fn store(&mut self, target: Target, bytes: Vec<u8>, accessor: Accessor) -> u32 {
        let key = (bytes, accessor.kind, accessor.component_type);
        if let Some(&index) = self.stored.get(&key) {
            return index;
        }
        pad(&mut self.bytes, 0);
        let target = match target {
            Target::Vertices => Some(34962),
            Target::Indices => Some(34963),
            Target::Other => None,
        };
        let views = &mut self.document.buffer_views;
        views.push(BufferView { buffer: 0, byte_offset: self.bytes.len(), byte_length: key.0.len(), target });
        let accessor = Accessor { buffer_view: views.len() as u32 - 1, ..accessor };
        self.bytes.extend_from_slice(&key.0);
        self.document.accessors.push(accessor);
        let index = self.document.accessors.len() as u32 - 1;
        self.stored.insert(key, index);
        index
    }
}

/// The nearest multiple of a millionth, as the file stores it. Mathematical libraries differ between platforms in the
/// last bits of a sine; after rounding the bytes agree.
pub(super) fn on_grid(value: f64) -> f32 {
    // Adding zero turns -0.0 into 0.0.
    ((value * 1e6).round() / 1e6 + 0.0) as f32
}

fn kind_width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

fn pad(bytes: &mut Vec<u8>, filler: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), filler);
}

fn to_json(document: &impl Serialize) -> std::io::Result<Vec<u8>> {
    serde_json::to_vec(document).map_err(std::io::Error::other)
}
