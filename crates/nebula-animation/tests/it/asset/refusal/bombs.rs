//! Small files that ask for much, and names that are too long.

use std::time::{Duration, Instant};

use nebula_animation::asset::Mesh;
use serde_json::json;

use crate::support::rigs::{self, ROTATIONS, TIMES};
use crate::support::{Array, F32, Gltf, Kind, load, spin, try_load};

/// Loads, or refuses, within a few seconds.
fn within_seconds(g: &Gltf, seconds: u64) -> Result<nebula_animation::Asset, nebula_animation::AnimationLoadError> {
    let bytes = g.glb();
    let start = Instant::now();
    let result = try_load(&bytes);
    assert!(start.elapsed() < Duration::from_secs(seconds), "took {:?}", start.elapsed());
    result
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes() {
    let mut g = rigs::chain();
    let nodes = (4..100_004).map(|node| json!({"children": [node + 1]}));
    let nodes: Vec<_> = nodes.chain([json!({})]).collect();
    g.json["nodes"].as_array_mut().expect("nodes").extend(nodes);
    let asset = within_seconds(&g, 8).expect("nothing is wrong with it");
    assert_eq!(asset.skeleton.joints.len(), 3);
}

#[test]
fn a_skin_below_a_hundred_thousand_moved_nodes_has_too_many_helpers() {
    let mut g = Gltf::new();
    let nodes: Vec<_> = (0..100_000).map(|node| json!({"translation": [0, 1, 0], "children": [node + 1]})).collect();
    g.set("/nodes", json!([nodes, vec![json!({})]].concat()));
    g.push("skins", json!({"joints": [100_000]}));
    let error = within_seconds(&g, 8).expect_err("more joints than an index can name");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
}

#[test]
fn four_thousand_channels_that_share_fifty_thousand_keys() {
    let mut g = rigs::bare_chain(3, 1.0);
    let keys = 50_000;
    let times = g.add(&Array::new(F32, "SCALAR", (0..keys).map(|key| f64::from(key) * 0.01)));
    let values = g.add(&Array::new(F32, "VEC4", spin(0, &[1.0, 2.0]).repeat(keys as usize / 2)));
    for animation in 0..4_000 {
        g.channel(animation, json!({"node": animation % 3, "path": "rotation"}), "LINEAR", times, values);
    }
    let asset = within_seconds(&g, 8).expect("the arrays are shared");
    assert_eq!(asset.animations.len(), 4_000);
    let first = &asset.animations[0].tracks[0];
    let holders = [std::sync::Arc::strong_count(&first.times), std::sync::Arc::strong_count(&first.values)];
    assert_eq!(holders, [4_000; 2]);
}

#[test]
fn a_million_nodes_in_three_megabytes() {
    let mut g = rigs::chain();
    let empty = vec![json!({}); 1_000_000];
    g.json["nodes"].as_array_mut().expect("nodes").extend(empty);
    let error = within_seconds(&g, 8).expect_err("beyond the limit");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
    assert!(error.to_string().contains("nodes"), "{error}");
}

#[test]
fn more_channels_than_allowed() {
    let mut g = rigs::chain();
    let channel = json!({"sampler": 0, "target": {"node": 0, "path": "rotation"}});
    g.set("/animations/0/channels", json!(vec![channel; 500_001]));
    let error = within_seconds(&g, 8).expect_err("beyond the limit");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
}

#[test]
fn brackets_a_hundred_thousand_deep() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = String::from_utf8(rigs::chain().embedded()).expect("UTF-8");
        let deep = format!("\"scene\":0,\"extras\":{}1{}", open.repeat(100_000), close.repeat(100_000));
        let result = try_load(text.replacen("\"scene\":0", &deep, 1).as_bytes());
        // Either is fine, as long as the stack survives.
        if let Err(error) = result {
            assert_eq!(Kind::of(&error), Kind::Gltf, "{error}");
        }
    }
}

#[test]
fn a_deep_entry_of_clips_costs_the_entry_only() {
    let mut g = rigs::chain();
    g.set("/extensions", json!({"KHR_animation_clip": {"clips": [{"animations": [0], "extras": 7}]}}));
    let text = String::from_utf8(g.embedded()).expect("UTF-8");
    let deep = format!("\"extras\":{}{}", "[".repeat(100_000), "]".repeat(100_000));
    if let Err(error) = try_load(text.replacen("\"extras\":7", &deep, 1).as_bytes()) {
        assert_eq!(Kind::of(&error), Kind::Gltf, "{error}");
    }
}

#[test]
fn ten_thousand_animations_that_each_need_sorting() {
    // Sorting copies: ten thousand copies of one array must not add up beyond the budget.
    let mut g = rigs::bare_chain(1, 1.0);
    let keys = 20_000;
    let values = g.add(&Array::new(F32, "VEC4", spin(0, &[1.0]).repeat(keys)));
    let view = {
        let times = g.add(&Array::new(F32, "SCALAR", (0..keys).rev().map(|key| key as f64)));
        g.json["accessors"][times]["bufferView"].clone()
    };
    for animation in 0..1_000 {
        let times = json!({"bufferView": view, "componentType": 5126, "type": "SCALAR", "count": keys});
        let times = g.push("accessors", times);
        g.channel(animation, json!({"node": 0, "path": "rotation"}), "LINEAR", times, values);
    }
    let error = within_seconds(&g, 8).expect_err("400 MB of sorted keys");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
}

/// Bytes that the meshes of an asset hold besides their vertices.
fn held_bytes(asset: &nebula_animation::Asset) -> usize {
    let of_mesh = |mesh: &Mesh| {
        let names: usize = mesh.morph_target_names.iter().map(|name| size_of::<String>() + name.len()).sum();
        mesh.name.len() + names + 4 * mesh.morph_weights.len()
    };
    let primitives = asset.meshes.first().map_or(&[][..], |mesh| &mesh.primitives);
    let materials: usize = primitives.iter().map(|primitive| primitive.material.name.len()).sum();
    asset.meshes.iter().map(of_mesh).sum::<usize>() + materials
}

/// What stands once in a file must not be held once for each node that refers to it.
#[test]
fn small_files_that_many_nodes_share() {
    const LONG: usize = 1 << 20;
    let nodes = |g: &mut Gltf, count: usize| g.set("/nodes", json!(vec![json!({"mesh": 0}); count]));
    let with_face = |targets: usize| {
        let mut g = Gltf::new();
        rigs::add_morph(&mut g, 1);
        g.set("/scenes/0/nodes", json!([]));
        g.set("/meshes/0/primitives/0/targets", json!(vec![json!({}); targets]));
        g
    };
    let mesh_name = {
        let mut g = with_face(1);
        nodes(&mut g, 300);
        g.set("/meshes/0/name", "N".repeat(LONG));
        g
    };
    let target_name = {
        let mut g = with_face(1);
        nodes(&mut g, 300);
        g.set("/meshes/0/extras", json!({"targetNames": ["N".repeat(LONG)]}));
        g
    };
    let material_name = {
        let mut g = with_face(1);
        g.push("materials", json!({"name": "N".repeat(LONG)}));
        g.set("/meshes/0/primitives/0/material", 0);
        let primitive = g.json["meshes"][0]["primitives"][0].clone();
        g.set("/meshes/0/primitives", json!(vec![primitive; 300]));
        g
    };
    let targets = {
        let mut g = with_face(3_000);
        nodes(&mut g, 4_000);
        g
    };
    let mut failures = Vec::new();
    for (title, g) in [
        ("a mesh's name of 1 MB at 300 nodes", mesh_name),
        ("a target's name of 1 MB at 300 nodes", target_name),
        ("a material's name of 1 MB at 300 primitives", material_name),
        ("3,000 morph targets at 4,000 nodes", targets),
    ] {
        let held = within_seconds(&g, 8).map_or(0, |asset| held_bytes(&asset));
        let allowed = (256 << 20) + 16 * g.glb().len();
        if held > allowed {
            failures.push(format!("{title}: holds {} MB, {} allowed", held >> 20, allowed >> 20));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Recursion and copies along the way up would both show here.
#[test]
fn a_joint_below_a_hundred_thousand_nodes_that_do_nothing() {
    let mut g = Gltf::new();
    let nodes: Vec<_> = (0..100_000).map(|node| json!({"children": [node + 1]})).collect();
    g.set("/nodes", json!([nodes, vec![json!({"name": "deep"})]].concat()));
    g.push("skins", json!({"joints": [100_000]}));
    let asset = within_seconds(&g, 8).expect("nothing is wrong with it");
    assert_eq!(asset.skeleton.joints.len(), 1);
    assert_eq!(asset.skeleton.joint_by_name("deep"), Some(0));
}

#[test]
fn names_of_ten_megabytes() {
    let mut g = rigs::chain();
    for object in ["/nodes/0", "/skins/0", "/animations/0", "/meshes/0"] {
        g.set(&format!("{object}/name"), "N".repeat(10_000_000));
    }
    let asset = within_seconds(&g, 8).expect("names are cut");
    assert_eq!(asset.skeleton.joints[0].name.len(), 4_096);
    assert_eq!(asset.animations[0].name.len(), 4_096);
    assert_eq!(asset.skins[0].name.len(), 4_096, "also of skins");
    assert_eq!(asset.meshes[0].name.len(), 4_096, "and of meshes");
    for warning in &asset.warnings {
        assert!(warning.to_string().len() < 1_000);
    }
}

#[test]
fn names_with_control_characters() {
    let mut g = rigs::chain();
    g.set("/nodes/0/name", "a\u{0}b\n\u{202e}c");
    assert_eq!(load(&g).skeleton.joints[0].name, "a\u{0}b\n\u{202e}c");
}

#[test]
fn a_keyframe_for_every_byte_of_budget() {
    // Clips of the short way take more memory than arrays: they have a limit too.
    let mut g = rigs::chain();
    for animation in 1..2_000 {
        g.channel(animation, json!({"node": 0, "path": "rotation"}), "LINEAR", TIMES, ROTATIONS);
    }
    assert_eq!(within_seconds(&g, 8).expect("small arrays").animations.len(), 2_000);
}

/// Symptom: a panic on the multiplication, in builds that check for overflow. Cause: a mesh without indices has them counted up, and their
/// memory was worked out from the number of vertices before that number was compared with anything. The accessor has no
/// buffer view, so that no data limits its count.
#[test]
fn more_vertices_than_their_indices_can_have_bytes() {
    for count in [u64::MAX, u64::MAX / 4 + 1, 1 << 40] {
        let mut g = Gltf::new();
        g.push("accessors", json!({"type": "VEC3", "componentType": 5126, "count": count}));
        g.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]}]}));
        g.node(json!({"mesh": 0}));
        let error = within_seconds(&g, 2).expect_err("no machine has that much memory");
        assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
    }
}
