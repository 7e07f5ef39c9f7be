//! Reads and writes the binary container.

use serde_json::json;

use super::GltfDocument;
use super::error::GltfError;

/// The bytes of a document.
pub(super) fn write(mut document: GltfDocument) -> Result<Vec<u8>, GltfError> {
    let length = document.binary.len();
    if length > 0 {
        if document.json.count("buffers") == 0 {
            document.json.push("buffers", &json!({}))?;
        }
        document.json.set("buffers", 0, &json!({ "byteLength": length }))?;
    } else if document.json.count("buffers") == 1 {
        // All that was in it has been left out.
        document.json.clear("buffers");
    }
    let mut text = document.json.into_bytes()?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = document.binary;
    binary.resize(length.next_multiple_of(4), 0);
    let total = 12 + 8 + text.len() + if binary.is_empty() { 0 } else { 8 + binary.len() };
    let size = |bytes: usize| u32::try_from(bytes).map_err(|_| GltfError::TooLarge(total));
    let mut bytes = Vec::with_capacity(total);
    bytes.extend(b"glTF");
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend(size(total)?.to_le_bytes());
    bytes.extend(size(text.len())?.to_le_bytes());
    bytes.extend(b"JSON");
    bytes.append(&mut text);
    if !binary.is_empty() {
        bytes.extend(size(binary.len())?.to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.append(&mut binary);
    }
    Ok(bytes)
}

/// The JSON and the binary chunk of a file; a file without the magic number is JSON.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), GltfError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let (mut json, mut binary, mut at) = (None, None, 12_usize);
    let word = |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|word| u32::from_le_bytes(*word) as usize);
    while let (Some(length), Some(kind)) = (word(at), bytes.get(at + 4..).and_then(|kind| kind.first_chunk::<4>())) {
        let rest = &bytes[at + 8..];
        let data = rest.get(..length).ok_or_else(|| GltfError::malformed("GLB", "the file ends within a chunk"))?;
        match kind {
            b"JSON" if json.is_none() => json = Some(data),
            b"BIN\0" if binary.is_none() => binary = Some(data),
            _ => {}
        }
        at += 8 + length;
    }
    let json = json.ok_or_else(|| GltfError::malformed("GLB", "there is no JSON chunk"))?;
    let end = json.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    Ok((&json[..end], binary))
}

impl GltfDocument {
    /// Appends bytes to the binary data, where numbers of any kind may begin, and makes a view of them. `target` is what WebGL calls
    /// the kind of buffer, for vertices and indices.
    pub(crate) fn view(&mut self, bytes: &[u8], target: Option<u32>) -> Result<usize, GltfError> {
        let offset = self.append(bytes);
        if self.json.count("buffers") == 0 {
            self.json.push("buffers", &json!({ "byteLength": 0 }))?;
        }
        let mut view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.json.push("bufferViews", &view)
    }

    /// The bytes of a view, which is not compressed itself.
    #[cfg(any(feature = "draco", feature = "ktx2"))]
    pub(super) fn view_bytes(&self, index: usize) -> Result<&[u8], String> {
        let view = self.json.get("bufferViews", index).map_err(|error| error.to_string())?;
        let [buffer, offset, length] =
            ["buffer", "byteOffset", "byteLength"].map(|member| super::read::number(view.get(member)));
        let end = offset.checked_add(length).filter(|_| buffer == 0);
        end.and_then(|end| self.binary.get(offset..end)).ok_or_else(|| format!("buffer view {index} is out of range"))
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> usize {
        let offset = aligned(self.binary.len());
        self.binary.resize(offset, 0);
        self.binary.extend_from_slice(bytes);
        offset
    }

    /// Adds numbers as an accessor, and returns its index.
    pub(crate) fn floats(&mut self, numbers: &[f32], shape: &str) -> Result<usize, GltfError> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes, None)?;
        let count = numbers.len() / width(shape);
        self.json
            .push("accessors", &json!({ "bufferView": view, "componentType": 5126, "count": count, "type": shape }))
    }

    /// Adds times, or finds those that are there already.
    pub(crate) fn times(&mut self, times: &[f32]) -> Result<usize, GltfError> {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(known) = self.times.get(&bits) {
            return Ok(*known);
        }
        let index = self.floats(times, "SCALAR")?;
        let mut accessor = self.json.get("accessors", index)?;
        accessor["min"] = json!([times.first()]);
        accessor["max"] = json!([times.last()]);
        self.json.set("accessors", index, &accessor)?;
        self.times.insert(bits, index);
        Ok(index)
    }
}

/// Where numbers of any kind may begin.
pub(super) fn aligned(length: usize) -> usize {
    length.next_multiple_of(8)
}

/// Numbers of an element.
pub(super) fn width(shape: &str) -> usize {
    match shape {
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => 1,
    }
}
