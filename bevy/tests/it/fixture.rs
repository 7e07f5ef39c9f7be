//! Files that tests write themselves.

use std::path::Path;

use serde_json::{Value, json};

use crate::stage::own;

/// The JSON and the bytes of the shipped character.
pub fn humanoid() -> (Value, Vec<u8>) {
    let bytes = std::fs::read(own().join("simple_humanoid.glb")).expect("it is shipped");
    let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
    let json = length(12);
    let document = serde_json::from_slice(&bytes[20..20 + json]).expect("JSON");
    (document, bytes[28 + json..28 + json + length(20 + json)].to_vec())
}

/// Writes a `.gltf` with its buffer beside it.
pub fn write(folder: &Path, name: &str, mut document: Value, buffer: &[u8]) {
    document["buffers"] = json!([{ "uri": format!("{name}.bin"), "byteLength": buffer.len() }]);
    std::fs::write(folder.join(format!("{name}.bin")), buffer).expect("written");
    std::fs::write(folder.join(format!("{name}.gltf")), document.to_string()).expect("written");
}

/// The shipped character with a second scene, and its buffer in a file of its own.
pub fn write_two_scenes(folder: &Path) {
    let (mut document, buffer) = humanoid();
    let scene = document["scenes"][0].clone();
    document["scenes"].as_array_mut().expect("scenes").push(scene);
    write(folder, "twice", document, &buffer);
}

/// A triangle with a morph target whose weight goes from 0 to 1 in a second.
pub fn write_face(folder: &Path) {
    let floats: [f32; 22] = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // positions
        0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, // how the target differs
        0.0, 1.0, // times
        0.0, 1.0, // weights
    ];
    let buffer: Vec<u8> = floats.iter().flat_map(|number| number.to_le_bytes()).collect();
    let view = |offset: usize, length: usize| json!({ "buffer": 0, "byteOffset": offset, "byteLength": length });
    let points = |view: usize| json!({ "bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1] });
    let numbers = |view: usize| json!({ "bufferView": view, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] });
    let document = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "face", "mesh": 0 }],
        "meshes": [{ "name": "face", "weights": [0.0], "primitives": [{ "attributes": { "POSITION": 0 }, "targets": [{ "POSITION": 1 }] }] }],
        "animations": [{
            "name": "smile",
            "samplers": [{ "input": 2, "output": 3 }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
        }],
        "accessors": [points(0), points(1), numbers(2), numbers(3)],
        "bufferViews": [view(0, 36), view(36, 36), view(72, 8), view(80, 8)],
    });
    write(folder, "face", document, &buffer);
}
