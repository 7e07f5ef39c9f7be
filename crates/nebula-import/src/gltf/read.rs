//! Reads a file with everything that it refers to.

use std::path::Path;

use nebula_animation::Asset;
use serde_json::{Map, Value, json};

use super::error::GltfError;
use super::json::Json;
use super::{GltfDocument, Target, Targets, glb};

/// The extensions of buffer views that name a buffer of their own.
pub(super) const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
/// The most that one file may have.
const MOST_BYTES: u64 = 2 << 30;

/// Reads a file and embeds its buffers and images.
pub(super) fn file(path: &Path) -> Result<GltfDocument, GltfError> {
    let failed = |source| GltfError::Io { what: path.display().to_string(), source };
    let bytes = Asset::read_file(path, MOST_BYTES).map_err(failed)?;
    bytes_of(&bytes, &mut |uri| {
        Asset::read_reference(path, uri, MOST_BYTES).map_err(|source| GltfError::Io { what: shown(uri), source })
    })
}

/// Reads a file in memory, and embeds what `resolve` finds.
pub(super) fn memory(
    bytes: &[u8],
    resolve: &mut dyn FnMut(&str) -> std::io::Result<Vec<u8>>,
) -> Result<GltfDocument, GltfError> {
    bytes_of(bytes, &mut |uri| {
        let found = if uri.starts_with("data:") { Asset::read_reference("", uri, MOST_BYTES) } else { resolve(uri) };
        found.map_err(|source| GltfError::Io { what: shown(uri), source })
    })
}

/// A URI for a message: the whole text of an embedded file helps nobody.
fn shown(uri: &str) -> String {
    uri.chars().take(80).flat_map(char::escape_debug).collect()
}

/// Embeds what `fetch` finds.
pub(super) fn bytes_of(
    bytes: &[u8],
    fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>, GltfError>,
) -> Result<GltfDocument, GltfError> {
    let (json, chunk) = glb::split(bytes)?;
    let mut document = GltfDocument { json: Json::parse(json)?, ..GltfDocument::default() };
    document.embed_buffers(chunk, fetch)?;
    document.embed_images(fetch)?;
    Ok(document)
}

impl GltfDocument {
    /// Puts all buffers one behind the other. Those that only stand for what is compressed have no data, and stay as they are.
    fn embed_buffers(
        &mut self,
        chunk: Option<&[u8]>,
        fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>, GltfError>,
    ) -> Result<(), GltfError> {
        let count = self.json.count("buffers");
        let buffers = (0..count).map(|index| self.json.get("buffers", index)).collect::<Result<Vec<_>, _>>()?;
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(count);
        let mut kept = vec![json!({ "byteLength": 0 })];
        for (index, buffer) in buffers.iter().enumerate() {
            let length = number(buffer.get("byteLength"));
            let data = match (buffer.get("uri").and_then(Value::as_str), chunk) {
                (Some(uri), _) => Some(fetch(uri)?),
                (None, Some(chunk)) if index == 0 => Some(chunk.to_vec()),
                (None, _) => None,
            };
            match data.as_ref().map(|data| data.get(..length).ok_or(data.len())) {
                Some(Ok(data)) => {
                    let offset = self.append(data);
                    places.push((0, offset));
                }
                Some(Err(found)) => {
                    let problem = format!("has {found} bytes, expected {length}");
                    return Err(GltfError::malformed(format!("buffer {index}"), problem));
                }
                None => {
                    kept.push(buffer.clone());
                    places.push((kept.len() - 1, 0));
                }
            }
        }
        self.json.clear("buffers");
        if count == 0 {
            return Ok(());
        }
        for buffer in kept {
            self.json.push("buffers", &buffer)?;
        }
        for index in 0..self.json.count("bufferViews") {
            let mut view = self.json.get("bufferViews", index)?;
            let Some(members) = view.as_object_mut() else { continue };
            move_view(members, &places);
            for extension in MESHOPT {
                let compressed = members.get_mut("extensions").and_then(|all| all.get_mut(extension));
                if let Some(compressed) = compressed.and_then(Value::as_object_mut) {
                    move_view(compressed, &places);
                }
            }
            self.json.set("bufferViews", index, &view)?;
        }
        Ok(())
    }

    fn embed_images(&mut self, fetch: &mut dyn FnMut(&str) -> Result<Vec<u8>, GltfError>) -> Result<(), GltfError> {
        for index in 0..self.json.count("images") {
            let mut image = self.json.get("images", index)?;
            let uri = image.get("uri").and_then(Value::as_str).map(str::to_owned);
            // A picture that is not there was none before either.
            let Some(Ok(bytes)) = uri.filter(|uri| !uri.starts_with("data:")).map(|uri| fetch(&uri)) else { continue };
            let kind = match bytes.as_slice() {
                [0x89, b'P', b'N', b'G', ..] => "image/png",
                [0xff, 0xd8, ..] => "image/jpeg",
                [b'R', b'I', b'F', b'F', ..] => "image/webp",
                [0xab, b'K', b'T', b'X', ..] => "image/ktx2",
                // A kind that nobody could name, as glTF asks for.
                _ => continue,
            };
            let view = self.view(&bytes, None)?;
            if let Some(image) = image.as_object_mut() {
                image.remove("uri");
                image.insert("bufferView".into(), json!(view));
                image.insert("mimeType".into(), json!(kind));
            }
            self.json.set("images", index, &image)?;
        }
        Ok(())
    }

    /// Lets clips for the joints and morph slots of the loaded file be added.
    pub(crate) fn set_targets(&mut self, asset: &Asset) -> Result<(), GltfError> {
        let mut targets = Targets { joints: Vec::new(), morphs: asset.morphs.meshes.clone() };
        for (joint, &node) in asset.skeleton.joints.iter().zip(&asset.joint_nodes) {
            let is_whole = asset.joint_of_node(node) == Some(joint.index);
            let is_twofold = asset.joint_nodes.iter().filter(|other| **other == node).count() > 1;
            let is_sheared = is_twofold && self.json.get("nodes", node)?.get("matrix").is_some();
            targets.joints.push(Target {
                name: joint.name.clone(),
                node: (is_whole && !is_sheared).then_some(node),
                bind: joint.bind_pose(),
            });
        }
        self.targets = targets;
        Ok(())
    }
}

/// Lets a view refer to where its buffer has gone.
fn move_view(view: &mut Map<String, Value>, places: &[(usize, usize)]) {
    if let Some(&(buffer, offset)) = places.get(number(view.get("buffer"))) {
        let at = number(view.get("byteOffset")).saturating_add(offset);
        view.insert("buffer".into(), json!(buffer));
        view.insert("byteOffset".into(), json!(at));
    }
}

/// A count, also when it is written `2.0`; 0 where there is none.
pub(super) fn number(value: Option<&Value>) -> usize {
    value.and_then(Value::as_f64).unwrap_or(0.0) as usize
}
