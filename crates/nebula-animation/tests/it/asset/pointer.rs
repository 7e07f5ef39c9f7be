//! `KHR_animation_pointer`: channels that name their target by a JSON pointer.

use serde_json::{Value, json};

use crate::support::rigs::{self, ROTATIONS, TIMES, TRANSLATIONS};
use crate::support::{Gltf, agree, load, spin, strict, try_load_with, warning_of};

fn target(pointer: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})
}

/// `chain` with one more channel.
fn with_pointer(pointer: &str, values: usize) -> Gltf {
    let mut g = rigs::chain();
    g.set("/extensionsUsed", json!(["KHR_animation_pointer"]));
    g.channel(1, target(pointer), "LINEAR", TIMES, values);
    g
}

#[test]
fn pointers_to_a_node_s_transform_are_ordinary_channels() {
    for (pointer, values) in
        [("/nodes/2/translation", TRANSLATIONS), ("/nodes/1/rotation", ROTATIONS), ("/nodes/0/scale", TRANSLATIONS)]
    {
        let asset = agree(&with_pointer(pointer, values));
        assert!(asset.warnings.is_empty(), "{pointer}: {:?}", asset.warnings);
        assert_eq!(asset.animations[1].tracks.len(), 1, "{pointer}");
        assert_eq!(asset.animations[1].duration, 2.0);
    }
}

#[test]
fn a_pointer_gives_the_same_track_as_the_plain_channel() {
    let mut plain = rigs::chain();
    plain.channel(1, json!({"node": 1, "path": "rotation"}), "LINEAR", TIMES, ROTATIONS);
    let pointed = with_pointer("/nodes/1/rotation", ROTATIONS);
    assert_eq!(load(&plain).animations, load(&pointed).animations);
}

#[test]
fn pointers_to_morph_weights() {
    for make in [|node: usize| format!("/nodes/{node}/weights"), |_: usize| "/meshes/0/weights".to_owned()] {
        let mut g = Gltf::new();
        let face = rigs::add_morph(&mut g, 2);
        g.animate(0, face, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.5]);
        let pointer = make(face);
        g.set("/animations/0/channels/0/target", target(&pointer));
        if pointer.starts_with("/nodes") {
            assert_eq!(agree(&g).animations[0].morph_tracks.len(), 1);
        } else {
            // A mesh may be shown by many nodes: either all of them follow, or the channel is reported.
            let asset = load(&g);
            let is_reported = asset.warnings.iter().any(|warning| warning.object.contains("animation 0"));
            assert!(asset.animations[0].morph_tracks.len() == 1 || is_reported, "{:?}", asset.warnings);
        }
    }
}

#[test]
fn an_animated_ancestor_by_pointer_is_a_helper_joint() {
    let mut g = Gltf::new();
    let armature = g.node(json!({"name": "armature"}));
    let joint = g.child(armature, json!({"name": "joint", "translation": [0, 1, 0]}));
    g.skin(&[joint], &[crate::support::at([0.0, -1.0, 0.0])]);
    g.animate(0, armature, "rotation", "LINEAR", &[0.0, 1.0], &spin(2, &[0.0, 90.0]));
    g.set("/animations/0/channels/0/target", target("/nodes/0/rotation"));
    assert_eq!(agree(&g).skeleton.joints.len(), 2);
}

#[test]
fn other_pointers_are_skipped_with_a_warning() {
    for pointer in [
        "/materials/0/pbrMetallicRoughness/baseColorFactor",
        "/cameras/0/perspective/yfov",
        "/nodes/0/extensions/KHR_node_visibility/visible",
        "/nodes/0/matrix",
        "/nodes//translation",
        "/nodes/x/translation",
        "/nodes/1e0/translation",
        "/nodes/-1/translation",
        "nodes/0/translation",
        "",
    ] {
        let asset = load(&with_pointer(pointer, TRANSLATIONS));
        let warning = warning_of(&asset, "channel 0");
        assert!(warning.object.contains("animation 1"), "{warning}");
        assert!(asset.animations[1].tracks.is_empty(), "{pointer}");
        assert_eq!(asset.animations[0].tracks.len(), 4, "{pointer}: the rest of the file is untouched");
    }
}

#[test]
fn pointers_to_something_else_are_no_fault() {
    let g = with_pointer("/materials/0/alphaCutoff", TRANSLATIONS);
    assert!(try_load_with(&g.glb(), &strict()).is_ok(), "strict loading refuses faults, not features");
}

#[test]
fn the_extension_may_be_required() {
    let mut g = with_pointer("/nodes/2/translation", TRANSLATIONS);
    g.set("/extensionsRequired", json!(["KHR_animation_pointer"]));
    agree(&g);
}
