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

/// Which node of the shipped character is which bone, in VRM's words.
fn bones() -> Value {
    let bones = [
        ("hips", 1),
        ("spine", 2),
        ("chest", 3),
        ("upperChest", 4),
        ("neck", 5),
        ("head", 6),
        ("leftShoulder", 7),
        ("leftUpperArm", 8),
        ("leftLowerArm", 9),
        ("leftHand", 10),
        ("rightShoulder", 12),
        ("rightUpperArm", 13),
        ("rightLowerArm", 14),
        ("rightHand", 15),
        ("leftUpperLeg", 17),
        ("leftLowerLeg", 18),
        ("leftFoot", 19),
        ("leftToes", 20),
        ("rightUpperLeg", 21),
        ("rightLowerLeg", 22),
        ("rightFoot", 23),
        ("rightToes", 24),
    ];
    bones
        .iter()
        .map(|(bone, node)| ((*bone).to_owned(), json!({ "node": node })))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Adds floats to a file: the index of their accessor.
fn add_floats(document: &mut Value, buffer: &mut Vec<u8>, kind: &str, floats: &[f32]) -> usize {
    let (offset, bytes) = (buffer.len(), 4 * floats.len());
    buffer.extend(floats.iter().flat_map(|number| number.to_le_bytes()));
    let views = document["bufferViews"].as_array_mut().expect("views");
    views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes }));
    let (view, width) = (views.len() - 1, if kind == "VEC3" { 3 } else { 1 });
    let rows = floats.chunks(width);
    let bound = |pick: fn(f32, f32) -> f32| {
        let fold = |a: Vec<f32>, b: &[f32]| a.iter().zip(b).map(|(a, b)| pick(*a, *b)).collect();
        rows.clone().skip(1).fold(floats[..width].to_vec(), fold)
    };
    let accessor = json!({
        "bufferView": view, "componentType": 5126, "count": floats.len() / width, "type": kind,
        "min": bound(f32::min), "max": bound(f32::max),
    });
    let accessors = document["accessors"].as_array_mut().expect("accessors");
    accessors.push(accessor);
    accessors.len() - 1
}

fn push(document: &mut Value, list: &str, value: Value) {
    document[list].as_array_mut().expect("a list").push(value);
}

/// The shipped character as an avatar: `avatar.gltf` has hair of three joints that swings, and a face that opens its mouth; `plain.gltf` is the same without
/// a word of springs; `talk.gltf` is a VRM animation whose mouth opens within a second.
pub fn write_avatar(folder: &Path) {
    let (mut document, mut buffer) = humanoid();
    let triangle = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let positions = add_floats(&mut document, &mut buffer, "VEC3", &triangle);
    let target = add_floats(&mut document, &mut buffer, "VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    push(&mut document, "nodes", json!({ "name": "hair1", "translation": [0, 0.1, -0.1], "children": [27] }));
    push(&mut document, "nodes", json!({ "name": "hair2", "translation": [0, -0.15, 0], "children": [28] }));
    push(&mut document, "nodes", json!({ "name": "hair3", "translation": [0, -0.15, 0] }));
    push(&mut document, "nodes", json!({ "name": "face", "mesh": 1 }));
    document["nodes"][6]["children"] = json!([26]);
    document["scenes"][0]["nodes"] = json!([0, 25, 29]);
    let face = json!({ "attributes": { "POSITION": positions }, "targets": [{ "POSITION": target }] });
    push(&mut document, "meshes", json!({ "name": "face", "weights": [0.0], "primitives": [face] }));
    document["extensionsUsed"] = json!(["VRMC_vrm"]);
    let aa = json!({ "morphTargetBinds": [{ "node": 29, "index": 0, "weight": 1.0 }] });
    document["extensions"] = json!({ "VRMC_vrm": {
        "specVersion": "1.0",
        "humanoid": { "humanBones": bones() },
        "expressions": { "preset": { "aa": aa } },
    } });
    write(folder, "plain", document.clone(), &buffer);
    document["extensionsUsed"] = json!(["VRMC_vrm", "VRMC_springBone"]);
    let joint = |node: usize| json!({ "node": node, "hitRadius": 0.01, "stiffness": 1.0, "dragForce": 0.3 });
    document["extensions"]["VRMC_springBone"] = json!({
        "specVersion": "1.0",
        "springs": [{ "name": "hair", "joints": [joint(26), joint(27), joint(28)] }],
    });
    write(folder, "avatar", document, &buffer);

    let (mut document, mut buffer) = humanoid();
    let times = add_floats(&mut document, &mut buffer, "SCALAR", &[0.0, 1.0]);
    let ways = add_floats(&mut document, &mut buffer, "VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    push(&mut document, "nodes", json!({ "name": "mouth" }));
    document["scenes"][0]["nodes"] = json!([0, 26]);
    // As such files are: nodes, and nothing that is drawn.
    document["nodes"][25] = json!({ "name": "nothing" });
    for list in ["meshes", "skins", "materials"] {
        document.as_object_mut().expect("an object").remove(list);
    }
    document["animations"] = json!([{
        "name": "talk",
        "samplers": [{ "input": times, "output": ways }],
        "channels": [{ "sampler": 0, "target": { "node": 26, "path": "translation" } }],
    }]);
    document["extensionsUsed"] = json!(["VRMC_vrm_animation"]);
    document["extensions"] = json!({ "VRMC_vrm_animation": {
        "specVersion": "1.0",
        "humanoid": { "humanBones": bones() },
        "expressions": { "preset": { "aa": { "node": 26 } } },
    } });
    write(folder, "talk", document, &buffer);
}
