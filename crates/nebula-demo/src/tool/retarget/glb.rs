//! A glTF document with all that it refers to in one binary chunk.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path};

use nebula_animation::Asset;
use serde_json::{Map, Value, json};

/// The extensions of buffer views that name a buffer of their own.
const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// A document and its binary chunk.
#[derive(Debug)]
pub struct Glb {
    json: Value,
    binary: Vec<u8>,
    /// Accessors of times, by their bits: channels share them.
    times: HashMap<Vec<u32>, usize>,
    nothing: Vec<Value>,
}

impl Glb {
    /// A document that refers to nothing outside of it.
    pub fn new(json: Value) -> Self {
        Self { json, binary: Vec::new(), times: HashMap::new(), nothing: Vec::new() }
    }

    /// Reads a `.glb` or `.gltf` file and embeds its buffers and images. The file has been loaded before, so it is sound.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        let (json, chunk) = split(&bytes)?;
        let json: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        if !json.is_object() {
            return Err("the JSON is no object".into());
        }
        let mut glb = Self { json, binary: Vec::new(), times: HashMap::new(), nothing: Vec::new() };
        let folder = path.parent().unwrap_or(Path::new(""));
        glb.embed_buffers(chunk, folder)?;
        glb.embed_images(folder)?;
        Ok(glb)
    }

    /// An array of the document, made where there is none.
    pub fn list(&mut self, member: &str) -> &mut Vec<Value> {
        if !self.json.get(member).is_some_and(Value::is_array) {
            self.json[member] = json!([]);
        }
        match &mut self.json[member] {
            Value::Array(list) => list,
            // It has just been made an array.
            _ => &mut self.nothing,
        }
    }

    /// Whether a node's transform is a matrix.
    pub fn has_matrix(&self, node: usize) -> bool {
        self.json["nodes"][node].get("matrix").is_some()
    }

    /// Nodes that are animated have no matrix.
    pub fn unpack_matrix(&mut self, node: usize, asset: &Asset, joint: u16) {
        let Some(Value::Object(own)) = self.list("nodes").get_mut(node) else { return };
        if own.remove("matrix").is_some() {
            let (translation, rotation, scale) = asset.skeleton.joints[usize::from(joint)].bind_pose();
            own.insert("translation".into(), json!(translation.to_array()));
            own.insert("rotation".into(), json!(rotation.to_array()));
            own.insert("scale".into(), json!(scale.to_array()));
        }
    }

    /// Adds numbers as an accessor, and returns its index.
    pub fn accessor(&mut self, numbers: &[f32], shape: &str, are_times: bool) -> Result<usize, String> {
        let bits: Vec<u32> =
            if are_times { numbers.iter().map(|number| number.to_bits()).collect() } else { Vec::new() };
        if let Some(known) = self.times.get(&bits).filter(|_| are_times) {
            return Ok(*known);
        }
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes)?;
        let width = match shape {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        let mut accessor = json!({
            "bufferView": view, "componentType": 5126, "count": numbers.len() / width, "type": shape,
        });
        if are_times {
            accessor["min"] = json!([numbers.first()]);
            accessor["max"] = json!([numbers.last()]);
        }
        let accessors = self.list("accessors");
        accessors.push(accessor);
        let index = accessors.len() - 1;
        if are_times {
            self.times.insert(bits, index);
        }
        Ok(index)
    }

    /// The file.
    pub fn into_bytes(mut self) -> Result<Vec<u8>, String> {
        let length = self.binary.len();
        if length > 0 {
            let buffers = self.list("buffers");
            if buffers.is_empty() {
                buffers.push(json!({}));
            }
            buffers[0]["byteLength"] = json!(length);
        }
        let mut json = serde_json::to_vec(&self.json).map_err(|error| error.to_string())?;
        json.resize(json.len().next_multiple_of(4), b' ');
        self.binary.resize(length.next_multiple_of(4), 0);
        let has_binary = !self.binary.is_empty();
        let total = 12 + 8 + json.len() + if has_binary { 8 + self.binary.len() } else { 0 };
        let size = |bytes: usize| u32::try_from(bytes).map_err(|_| "the file would be larger than 4 GB".to_owned());
        let mut bytes = Vec::with_capacity(total);
        bytes.extend(b"glTF");
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend(size(total)?.to_le_bytes());
        bytes.extend(size(json.len())?.to_le_bytes());
        bytes.extend(b"JSON");
        bytes.append(&mut json);
        if has_binary {
            bytes.extend(size(self.binary.len())?.to_le_bytes());
            bytes.extend(b"BIN\0");
            bytes.append(&mut self.binary);
        }
        Ok(bytes)
    }

    /// Appends bytes to the chunk, where floats may begin, and makes a view of them.
    fn view(&mut self, bytes: &[u8]) -> Result<usize, String> {
        let offset = self.append(bytes);
        let buffers = self.list("buffers");
        if buffers.is_empty() {
            buffers.push(json!({ "byteLength": 0 }));
        }
        let views = self.list("bufferViews");
        views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }));
        Ok(views.len() - 1)
    }

    fn append(&mut self, bytes: &[u8]) -> usize {
        let offset = self.binary.len().next_multiple_of(8);
        self.binary.resize(offset, 0);
        self.binary.extend_from_slice(bytes);
        offset
    }

    /// Puts all buffers one behind the other. Those that only stand for what is compressed have no data, and stay as they are.
    fn embed_buffers(&mut self, chunk: Option<&[u8]>, folder: &Path) -> Result<(), String> {
        let buffers = std::mem::take(self.list("buffers"));
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(buffers.len());
        let mut kept = vec![json!({ "byteLength": 0 })];
        for (index, buffer) in buffers.iter().enumerate() {
            let length = buffer.get("byteLength").and_then(Value::as_f64).unwrap_or(0.0) as usize;
            let uri = buffer.get("uri").and_then(Value::as_str);
            let data = match (uri, chunk) {
                (Some(uri), _) => Some(fetch(uri, folder)?),
                (None, Some(chunk)) if index == 0 => Some(chunk.to_vec()),
                (None, _) => None,
            };
            match data {
                Some(data) if data.len() >= length => {
                    let offset = self.append(&data[..length]);
                    places.push((0, offset));
                }
                Some(data) => return Err(format!("buffer {index} has {} bytes, expected {length}", data.len())),
                None => {
                    kept.push(buffer.clone());
                    places.push((kept.len() - 1, 0));
                }
            }
        }
        let has_buffers = !buffers.is_empty();
        *self.list("buffers") = if has_buffers { kept } else { Vec::new() };
        if !has_buffers {
            self.remove("buffers");
        }
        let had_views = self.json.get("bufferViews").is_some();
        for view in self.list("bufferViews").iter_mut().filter_map(Value::as_object_mut) {
            move_view(view, &places);
            for extension in MESHOPT {
                let compressed = view.get_mut("extensions").and_then(|all| all.get_mut(extension));
                if let Some(compressed) = compressed.and_then(Value::as_object_mut) {
                    move_view(compressed, &places);
                }
            }
        }
        if !had_views {
            self.remove("bufferViews");
        }
        Ok(())
    }

    fn embed_images(&mut self, folder: &Path) -> Result<(), String> {
        if self.json.get("images").is_none() {
            return Ok(());
        }
        for index in 0..self.list("images").len() {
            let uri = self.list("images")[index].get("uri").and_then(Value::as_str).map(str::to_owned);
            let Some(uri) = uri.filter(|uri| !uri.starts_with("data:")) else { continue };
            // A picture that is not there was none before either.
            let Ok(bytes) = fetch(&uri, folder) else { continue };
            let kind = match bytes.as_slice() {
                [0x89, b'P', b'N', b'G', ..] => "image/png",
                [0xff, 0xd8, ..] => "image/jpeg",
                [b'R', b'I', b'F', b'F', ..] => "image/webp",
                _ => "image/ktx2",
            };
            let view = self.view(&bytes)?;
            let image = &mut self.list("images")[index];
            if let Some(image) = image.as_object_mut() {
                image.remove("uri");
                image.insert("bufferView".into(), json!(view));
                image.insert("mimeType".into(), json!(kind));
            }
        }
        Ok(())
    }

    fn remove(&mut self, member: &str) {
        if let Some(json) = self.json.as_object_mut() {
            json.remove(member);
        }
    }
}

/// Lets a view refer to where its buffer has gone.
fn move_view(view: &mut Map<String, Value>, places: &[(usize, usize)]) {
    let number = |member: Option<&Value>| member.and_then(Value::as_f64).unwrap_or(0.0) as usize;
    if let Some(&(buffer, offset)) = places.get(number(view.get("buffer"))) {
        let at = number(view.get("byteOffset")) + offset;
        view.insert("buffer".into(), json!(buffer));
        view.insert("byteOffset".into(), json!(at));
    }
}

/// The JSON and the binary chunk of a file.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let (mut json, mut binary, mut at) = (None, None, 12);
    let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    while let (Some(length), Some(kind)) = (word(at), bytes.get(at + 4..at + 8)) {
        let data = bytes.get(at + 8..at + 8 + length as usize).ok_or("the file ends within a chunk")?;
        match kind {
            b"JSON" if json.is_none() => json = Some(data),
            b"BIN\0" if binary.is_none() => binary = Some(data),
            _ => {}
        }
        at += 8 + length as usize;
    }
    let json = json.ok_or("there is no JSON chunk")?;
    let end = json.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    Ok((&json[..end], binary))
}

/// The bytes of a URI: data, or a file in the folder.
fn fetch(uri: &str, folder: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("a data URI of another encoding than base64")?;
        return base64(text);
    }
    let path = decoded(uri);
    let path = Path::new(&path);
    if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(format!("{uri:?} is not below the folder of the file"));
    }
    fs::read(folder.join(path)).map_err(|error| format!("{uri}: {error}"))
}

/// Without percent signs.
fn decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let hex =
            uri.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(hex.unwrap_or(bytes[at]));
        at += if hex.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn base64(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err("a data URI with letters that are not base64".into()),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Ok(bytes)
}
