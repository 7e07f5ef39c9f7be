//! From a builder to bytes: the container formats of glTF.

use serde_json::{Value, json};

use super::Gltf;

impl Gltf {
    /// A `.glb`: the first buffer in its binary chunk, further ones as data URIs.
    pub fn glb(&self) -> Vec<u8> {
        let json = self.completed(|buffer| (buffer > 0).then(|| data_uri(&self.buffers[buffer])));
        glb_of(&[(b"JSON", &json), (b"BIN\0", &self.buffers[0])])
    }

    /// A `.gltf` whose buffers are data URIs.
    pub fn embedded(&self) -> Vec<u8> {
        self.completed(|buffer| Some(data_uri(&self.buffers[buffer])))
    }

    /// A `.gltf` and its files `buffer0.bin`, `buffer1.bin` and so on.
    pub fn files(&self) -> (Vec<u8>, Vec<(String, Vec<u8>)>) {
        let name = |buffer: usize| format!("buffer{buffer}.bin");
        let json = self.completed(|buffer| Some(name(buffer)));
        (json, self.buffers.iter().enumerate().map(|(buffer, bytes)| (name(buffer), bytes.clone())).collect())
    }

    /// The JSON, with the members of buffers that the test has not written itself.
    pub fn completed(&self, uri: impl Fn(usize) -> Option<String>) -> Vec<u8> {
        let mut json = self.json.clone();
        for (index, bytes) in self.buffers.iter().enumerate() {
            if let Some(Value::Object(buffer)) = json.pointer_mut(&format!("/buffers/{index}")) {
                buffer.entry("byteLength").or_insert(json!(bytes.len()));
                if let Some(uri) = uri(index) {
                    buffer.entry("uri").or_insert(json!(uri));
                }
            }
        }
        json.to_string().into_bytes()
    }
}

/// A `.glb` of any chunks, padded as the standard asks.
pub fn glb_of(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let chunks: Vec<u8> = chunks.iter().flat_map(|(kind, data)| chunk(kind, data)).collect();
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    file.extend(chunks);
    let length = file.len() as u32;
    with_length(file, length)
}

/// A `.glb` whose header says another length.
pub fn with_length(mut file: Vec<u8>, length: u32) -> Vec<u8> {
    file[8..12].copy_from_slice(&length.to_le_bytes());
    file
}

/// One chunk of a `.glb`.
pub fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = data.len().next_multiple_of(4);
    let mut chunk = (length as u32).to_le_bytes().to_vec();
    chunk.extend_from_slice(kind);
    chunk.extend_from_slice(data);
    chunk.resize(8 + length, if kind == b"JSON" { b' ' } else { 0 });
    chunk
}

fn data_uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", base64(bytes))
}

/// Base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let is_padding = digit > group.len();
            text.push(if is_padding { '=' } else { char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]) });
        }
    }
    text
}
