//! Whatever a command looks at, it opens files of all formats.

use std::path::Path;

use serde_json::{Value, json};

use crate::convert::recording;
use crate::corpus::run;

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a written file");
    file.to_string_lossy().into_owned()
}

#[test]
fn recordings_are_validated_posed_acted_and_compressed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "kick.bvh", &recording());
    assert!(stdout(&["validate", &file]).starts_with("OK "), "{}", stdout(&["validate", &file]));
    let times = write(folder.path(), "times.json", r#"{"animations":[{"index":0,"times":[0.0,0.5]}]}"#);
    let poses: Value = serde_json::from_str(&stdout(&["pose", &file, "--times", &times])).expect("JSON");
    assert_eq!(poses["animations"][0]["samples"].as_array().map(Vec::len), Some(2));
    assert!(stdout(&["clock", &file]).contains("no entry of KHR_animation_clip"));
    let script = json!({ "character": file, "hz": 30, "seconds": 0.5, "play": [{ "at": 0, "clip": "kick" }] });
    let script = write(folder.path(), "script.json", &script.to_string());
    let acted: Value = serde_json::from_str(&stdout(&["act", &script])).expect("JSON");
    assert!(acted.to_string().contains("LeftLeg"), "its joints are where they are");
    let told = stdout(&["explain", &script, "--joint", "LeftArm"]);
    assert!(told.contains("kick"), "{told}");
}

/// A T-pose in front of a recording is left out, and a first frame that belongs to it is not.
#[test]
fn only_first_frames_that_are_none_of_the_recording_are_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = write(folder.path(), "with.bvh", &recording());
    let text = recording();
    let (head, frames) = text.split_once("0.0333333\n").expect("frames");
    let (_, rest) = frames.split_once('\n').expect("a frame");
    let without =
        write(folder.path(), "without.bvh", &format!("{}0.0333333\n{rest}", head.replace("Frames: 40", "Frames: 39")));
    let samples = |arguments: &[&str]| {
        let out = folder.path().join("out.glb").to_string_lossy().into_owned();
        let mut all = vec!["compress", "--out", &out];
        all.extend(arguments);
        stdout(&all);
        let asset = nebula_animation::Asset::load(&out).expect("what was written");
        (asset.animations[0].duration * 30.0).round() as u32
    };
    assert_eq!(samples(&[&with]), 38, "39 frames");
    assert_eq!(samples(&[&without]), 38, "the same 39 frames");
    assert_eq!(samples(&[&with, "--keep-first"]), 39);
}

/// A picture that nobody can decode is a warning, not a silence.
#[test]
fn pictures_that_cannot_be_shown_are_warnings() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "extensionsUsed": ["KHR_texture_basisu"],
        "images": [{ "uri": "data:image/ktx2;base64,q0tUWCAyMLsNChoKAAAAAA==", "mimeType": "image/ktx2" }],
        "textures": [{ "extensions": { "KHR_texture_basisu": { "source": 0 } } }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "material": 0 }] }],
        "accessors": [
            { "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] },
            { "componentType": 5126, "count": 3, "type": "VEC2" }
        ]
    });
    let file = write(folder.path(), "picture.gltf", &file.to_string());
    let said = stdout(&["validate", &file]);
    assert!(said.starts_with("WARN ") && said.contains("image 0"), "{said}");
}
