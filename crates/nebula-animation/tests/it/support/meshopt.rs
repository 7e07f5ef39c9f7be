//! Meshopt compression without the compression: streams that any decoder must read, written in their plainest form.

use serde_json::json;

use super::Gltf;

/// How many elements of `stride` bytes a block of the stream holds.
fn block_elements(stride: usize) -> usize {
    ((8192 / stride) & !15).min(256)
}

/// Mode ATTRIBUTES: differences to the element before, each byte of the element by itself, in groups of sixteen raw
/// bytes.
pub fn attributes(data: &[u8], stride: usize) -> Vec<u8> {
    let elements: Vec<&[u8]> = data.chunks(stride).collect();
    let mut stream = vec![0xa0];
    let first = elements[0];
    let mut before = first;
    for block in elements.chunks(block_elements(stride)) {
        for part in 0..stride {
            let groups = block.len().div_ceil(16);
            // Two bits a group; 3 says that its bytes follow as they are.
            stream.extend(vec![0xff; groups.div_ceil(4)]);
            let mut last = before[part];
            let mut deltas: Vec<u8> = block
                .iter()
                .map(|element| {
                    let delta = element[part].wrapping_sub(last) as i8;
                    last = element[part];
                    ((delta << 1) ^ (delta >> 7)) as u8
                })
                .collect();
            deltas.resize(groups * 16, 0);
            stream.extend(deltas);
        }
        before = block[block.len() - 1];
    }
    // The tail: the element that the first one is the difference to, at the end of at least 32 bytes.
    stream.extend(vec![0; 32_usize.saturating_sub(stride)]);
    stream.extend(first);
    stream
}

/// Mode TRIANGLES: every corner spelled out.
pub fn triangles(indices: &[u32]) -> Vec<u8> {
    let count = indices.len() / 3;
    let mut stream = vec![0xe1];
    stream.extend(vec![0xff; count]);
    let mut last = 0;
    for triangle in indices.chunks(3) {
        stream.push(0xff);
        for &index in triangle {
            extend_varint(&mut stream, zigzag(index.wrapping_sub(last) as i32));
            last = index;
        }
    }
    stream.extend([0; 16]);
    stream
}

/// Mode INDICES: differences to the index before.
pub fn indices(indices: &[u32]) -> Vec<u8> {
    let mut stream = vec![0xd1];
    let mut last = 0;
    for &index in indices {
        // The lowest bit says which of two earlier indices the difference is to: always the first.
        extend_varint(&mut stream, zigzag(index.wrapping_sub(last) as i32) << 1);
        last = index;
    }
    stream.extend([0; 4]);
    stream
}

/// Filter QUATERNION: the three smaller parts, and which one is missing.
pub fn quaternion([x, y, z, w]: [f64; 4]) -> [i16; 4] {
    let parts = [x, y, z, w];
    let largest = (0..4).max_by(|&a, &b| parts[a].abs().total_cmp(&parts[b].abs())).unwrap_or(3);
    let sign = if parts[largest] < 0.0 { -1.0 } else { 1.0 };
    let stored = |step: usize| (parts[(largest + step) % 4] * sign * 2.0_f64.sqrt() * 32_767.0).round() as i16;
    [stored(1), stored(2), stored(3), (32_767 & !3) | largest as i16]
}

/// Filter EXPONENTIAL: a mantissa of 24 bits and an exponent of 8.
pub fn exponential(value: f32) -> u32 {
    let exponent = (value.abs().max(1e-30).log2().ceil() as i32 - 22).clamp(-128, 127);
    let mantissa = (f64::from(value) * 2.0_f64.powi(-exponent)).round() as i32;
    (exponent as u32) << 24 | (mantissa as u32 & 0x00ff_ffff)
}

fn zigzag(delta: i32) -> u32 {
    ((delta << 1) ^ (delta >> 31)) as u32
}

fn extend_varint(stream: &mut Vec<u8>, mut value: u32) {
    while value > 127 {
        stream.push(value as u8 | 128);
        value >>= 7;
    }
    stream.push(value as u8);
}

impl Gltf {
    /// Replaces the data of a view by a compressed stream in a buffer of its own. `stride` is the size of an element.
    pub fn compress(&mut self, view: usize, extension: &str, mode: &str, stride: usize, stream: &[u8]) {
        let source = self.view(stream);
        let source = self.json["bufferViews"][source].clone();
        let length = self.json["bufferViews"][view]["byteLength"].as_u64().expect("a length") as usize;
        let compression = json!({
            "buffer": source["buffer"], "byteOffset": source["byteOffset"], "byteLength": stream.len(),
            "byteStride": stride, "count": length / stride, "mode": mode,
        });
        self.json["bufferViews"][view]["extensions"] = json!({extension: compression});
        // What a loader without the extension would read must not matter.
        let number = |name: &str| self.json["bufferViews"][view][name].as_u64().expect("a number") as usize;
        let (buffer, start) = (number("buffer"), number("byteOffset"));
        self.buffers[buffer][start..start + length].fill(0xaa);
    }

    /// The bytes of a view.
    pub fn view_bytes(&self, view: usize) -> Vec<u8> {
        let number = |name: &str| self.json["bufferViews"][view][name].as_u64().expect("a number") as usize;
        self.buffers[number("buffer")][number("byteOffset")..][..number("byteLength")].to_vec()
    }
}
