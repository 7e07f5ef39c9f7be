//! FBX, as exported by Mixamo and most content tools. Feature `fbx`.
//!
//! A file is converted to a glTF document: right-handed, Y up, metres; nodes, skins, blend shapes, materials with
//! embedded images, and each take as a clip, baked from the file's own curves. Cameras, lights, constraints and
//! geometry other than polygons are dropped.

mod material;
mod mesh;
mod take;

use fbx_rs::{Limits, Matrix, Scene, Transform};
use serde_json::json;
use thiserror::Error;

use crate::gltf::{GltfDocument, GltfError};

/// Why an FBX file could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FbxError {
    /// The reader refuses it, or it exceeds the limits.
    #[error("cannot read the FBX file: {0}")]
    Read(String),
    /// It cannot be expressed as glTF.
    #[error("{0}")]
    Gltf(#[from] GltfError),
    /// glTF and this library count joints with 16 bits.
    #[error("{0} nodes, more than 65535")]
    TooManyNodes(usize),
}

/// How to read a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FbxOptions {
    /// Samples per second for curves that are not linear; default 60.
    pub rate: f64,
    /// Name for the only take of a file if its own name says nothing ("mixamo.com", "Take 001"), such as the file's
    /// name; empty, the default, keeps the take's name.
    pub name: String,
}

impl Default for FbxOptions {
    fn default() -> Self {
        Self { rate: 60.0, name: String::new() }
    }
}

/// What a file from a stranger may cost: a hundredth of what the reader allows by default.
fn limits() -> Limits {
    Limits {
        max_input_bytes: 512 << 20,
        max_nodes: 4 << 20,
        max_properties: 8 << 20,
        max_array_elements: 64 << 20,
        max_decompressed_bytes: 512 << 20,
        max_objects: 1 << 20,
        max_animation_keys: 4 << 20,
        max_connections: 2 << 20,
        max_allocation: 1 << 30,
        max_deformer_work: 64 << 20,
        max_animation_work: 64 << 20,
        max_face_vertices: 1 << 16,
        max_triangulation_work: 16 << 20,
        ..Limits::default()
    }
}

/// Reads the bytes of a file as a glTF document. Also returns what was left out.
///
/// # Errors
/// The bytes are not FBX, or exceed the limits.
pub fn read(bytes: &[u8], options: &FbxOptions) -> Result<(GltfDocument, Vec<String>), FbxError> {
    let told = |error: fbx_rs::Error| FbxError::Read(error.to_string());
    let scene = fbx_rs::load_with_limits(bytes, &fbx_rs::LoadOptions::default(), &limits()).map_err(told)?;
    let count = scene.nodes().len();
    if count > usize::from(u16::MAX) {
        return Err(FbxError::TooManyNodes(count));
    }
    let mut notes: Vec<String> = scene.warnings().iter().map(|warning| warning.chars().take(200).collect()).collect();
    let mut document = GltfDocument::empty("Nebula, from FBX")?;
    let mut nodes: Vec<serde_json::Value> = scene.nodes().iter().map(node).collect();
    let morphs = mesh::write(&mut document, &scene, &mut nodes, &mut notes)?;
    for node in &nodes {
        document.push("nodes", node)?;
    }
    document.push("scenes", &json!({ "nodes": [0] }))?;
    document.set_scene(0)?;
    take::write(&mut document, &scene, &morphs, options, &mut notes)?;
    Ok((document, notes))
}

/// A node as glTF has it.
fn node(node: &fbx_rs::Node) -> serde_json::Value {
    let Transform { translation, rotation, scale } = finite(node.local_transform());
    let mut made = json!({ "translation": translation, "rotation": rotation, "scale": scale });
    if !node.name().is_empty() {
        made["name"] = json!(node.name());
    }
    if !node.children().is_empty() {
        made["children"] = json!(node.children());
    }
    made
}

/// A transform that a float can hold, with a rotation of unit length.
fn finite(transform: &Transform) -> Transform {
    let number = |value: f64| if value.is_finite() && value.abs() < 1e30 { f64::from(value as f32) } else { 0.0 };
    Transform {
        translation: transform.translation.map(number),
        rotation: unit(transform.rotation),
        scale: transform.scale.map(number),
    }
}

fn unit(rotation: [f64; 4]) -> [f64; 4] {
    let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 1e-9 && length.is_finite() {
        rotation.map(|part| f64::from((part / length) as f32))
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// The sixteen numbers of a matrix.
fn columns(matrix: &Matrix) -> [f32; 16] {
    let m = matrix.0.map(|value| value as f32);
    [m[0], m[1], m[2], 0.0, m[3], m[4], m[5], 0.0, m[6], m[7], m[8], 0.0, m[9], m[10], m[11], 1.0]
}

/// A name for a note: the whole of a long one helps nobody.
fn shown(name: &str) -> String {
    format!("{:?}", name.chars().take(80).collect::<String>())
}

/// The mesh nodes with blend shapes: node, and the channel of each morph target.
type Morphs = Vec<(usize, Vec<usize>)>;

/// The place of a scene's object that has this id.
fn channel_by_id(scene: &Scene, id: i64) -> Option<usize> {
    scene.blend_channels().iter().position(|channel| channel.source_id == Some(id))
}
