//! The shipped humanoid, and the markers that its file holds beside the clips.

use std::path::Path;

use nebula_animation::{AnimationClip, ClipMarkers, Marker, Skeleton, load_skeleton_and_clips};

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb")
}

pub fn humanoid() -> (Skeleton, Vec<AnimationClip>) {
    load_skeleton_and_clips(&path()).expect("the shipped humanoid loads")
}

/// The markers in the `extras` of the file's animations.
pub fn humanoid_markers() -> ClipMarkers {
    let bytes = std::fs::read(path()).expect("the file is there");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let mut table = ClipMarkers::new();
    for (clip, animation) in json["animations"].as_array().expect("animations").iter().enumerate() {
        for marker in animation["extras"]["markers"].as_array().into_iter().flatten() {
            let name = marker["name"].as_str().expect("a name").into();
            table.add(clip, Marker { name, time: marker["time"].as_f64().expect("a time") });
        }
    }
    table
}
