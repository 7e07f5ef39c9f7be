//! Morph targets and what drives them.

use nebula_animation::asset::LoadOptions;
use nebula_animation::asset::MeshSelection;
use serde_json::json;

use crate::support::{Array, F32, Gltf, I8, agree, load, load_with, noise, rigs};

#[test]
fn weights_of_every_interpolation() {
    for targets in [1, 2, 5] {
        for (how, values_per_key) in [("STEP", 1), ("LINEAR", 1), ("CUBICSPLINE", 3)] {
            let mut g = Gltf::new();
            let face = rigs::add_morph(&mut g, targets);
            let mut random = noise(targets as u64);
            let values: Vec<f64> = (0..4 * targets * values_per_key).map(|_| random()).collect();
            g.animate(0, face, "weights", how, &[0.5, 1.0, 2.0, 4.0], &values);
            let asset = agree(&g);
            let track = &asset.animations[0].morph_tracks[0];
            assert_eq!((track.mesh, track.target_count, track.times.len()), (0, targets, 4));
            assert_eq!(asset.animations[0].duration, 4.0);
            assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
        }
    }
}

#[test]
fn sampling_into_slices_of_another_length() {
    let mut g = Gltf::new();
    let face = rigs::add_morph(&mut g, 2);
    g.animate(0, face, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.0]);
    let track = &load(&g).animations[0].morph_tracks[0];
    let mut long = [9.0; 4];
    track.sample(0.25, &mut long);
    assert_eq!(long, [0.25, 0.75, 9.0, 9.0]);
    let mut short = [9.0];
    track.sample(f32::NAN, &mut short);
    assert_eq!(short, [0.0], "no time counts as the start");
    track.sample(0.5, &mut []);
}

#[test]
fn rest_weights_come_from_node_mesh_or_nowhere() {
    let mut g = Gltf::new();
    let nothing = rigs::add_morph(&mut g, 3);
    let of_mesh = rigs::add_morph(&mut g, 3);
    g.set("/meshes/1/weights", json!([0.1, 0.2, 0.3]));
    let of_node = rigs::add_morph(&mut g, 3);
    g.set("/meshes/2/weights", json!([0.1, 0.2, 0.3]));
    g.set(&format!("/nodes/{of_node}/weights"), json!([0.9, 0.8, 0.7]));
    let asset = agree(&g);
    assert_eq!([nothing, of_mesh, of_node], [0, 1, 2]);
    let weights: Vec<_> = asset.meshes.iter().map(|mesh| mesh.morph_weights.clone()).collect();
    assert_eq!(weights, [[0.0; 3], [0.1, 0.2, 0.3], [0.9, 0.8, 0.7]]);
}

#[test]
fn two_nodes_that_show_one_mesh_are_driven_apart() {
    let mut g = Gltf::new();
    rigs::add_morph(&mut g, 1);
    let other = g.node(json!({"name": "twin", "mesh": 0, "translation": [3, 0, 0]}));
    g.animate(0, other, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0]);
    let asset = agree(&g);
    assert_eq!(asset.animations[0].morph_tracks.iter().map(|track| track.mesh).collect::<Vec<_>>(), [1]);
    assert_eq!(std::sync::Arc::strong_count(&asset.meshes[0].primitives), 2, "both show the same vertices");
}

#[test]
fn a_mesh_that_is_skinned_and_morphed() {
    let mut g = rigs::chain();
    let deltas = g.add(&Array::new(F32, "VEC3", (0..18).map(|number| 0.05 * f64::from(number))));
    g.set("/meshes/0/primitives/0/targets", json!([{"POSITION": deltas}]));
    g.animate(0, rigs::BODY, "weights", "LINEAR", &[0.0, 3.0], &[0.0, 1.0]);
    let asset = agree(&g);
    assert_eq!(asset.meshes[0].primitives[0].morph_targets[0].positions.len(), 6);
    assert_eq!(asset.animations[0].duration, 3.0);
}

#[test]
fn a_morphed_face_below_an_animated_joint() {
    let mut g = rigs::chain();
    let face = rigs::add_morph(&mut g, 2);
    // Below the last joint instead of at the root.
    g.set("/scenes/0/nodes", json!([0, rigs::BODY]));
    g.set("/nodes/2/children", json!([face]));
    g.animate(0, face, "weights", "LINEAR", &[0.0, 2.0], &[0.0, 1.0, 1.0, 0.0]);
    let asset = agree(&g);
    let mesh = &asset.meshes[1];
    assert_eq!((mesh.node, mesh.skin, mesh.joint), (face, None, asset.joint_of_node(2)), "its own transform is none");
}

#[test]
fn targets_with_normals_and_tangents() {
    let mut g = rigs::chain();
    let three = |seed: u64| {
        let mut random = noise(seed);
        (0..18).map(|_| random()).collect::<Vec<_>>()
    };
    let normals = g.add(&Array::new(F32, "VEC3", three(1)));
    let tangents = g.add(&Array::new(F32, "VEC3", three(2)));
    let positions = g.add(&Array::new(F32, "VEC3", three(3)));
    g.set(
        "/meshes/0/primitives/0/targets",
        json!([{"POSITION": positions, "NORMAL": normals, "TANGENT": tangents}, {}]),
    );
    g.set("/meshes/0/extras", json!({"targetNames": ["smile", "blink"]}));
    let asset = agree(&g);
    let targets = &asset.meshes[0].primitives[0].morph_targets;
    assert_eq!((targets[0].normals.len(), targets[0].tangents.len()), (6, 6));
    assert_eq!(targets[0].normals[5][2], three(1)[17] as f32);
    assert!(targets[1].positions.is_empty() && targets[1].normals.is_empty(), "an empty target changes nothing");
    assert_eq!(asset.meshes[0].morph_target_names, ["smile", "blink"]);
}

#[test]
fn unnamed_targets_have_empty_names() {
    for extras in [json!(null), json!(5), json!({"targetNames": "x"}), json!({"targetNames": ["one"]})] {
        let mut g = Gltf::new();
        rigs::add_morph(&mut g, 2);
        g.set("/meshes/0/extras", extras.clone());
        let names = load(&g).meshes[0].morph_target_names.clone();
        assert_eq!(names.len(), 2, "{extras}: {names:?}");
    }
}

#[test]
fn sparse_and_quantised_deltas() {
    let mut g = rigs::chain();
    let sparse = g.zeros(F32, "VEC3", 6);
    g.replace(sparse, crate::support::U8, &[1, 4], &Array::new(F32, "VEC3", [0.0, 0.5, 0.0, 0.0, 0.0, 0.7]));
    let bytes: Vec<f64> = (0..18).map(|number| f64::from(number) / 18.0 - 0.5).collect();
    let quantised = g.add(&Array::normalized(I8, "VEC3", &bytes));
    g.set("/meshes/0/primitives/0/targets", json!([{"POSITION": sparse}, {"POSITION": quantised}]));
    g.set("/meshes/0/weights", json!([1.0, 0.5]));
    g.set("/extensionsUsed", json!(["KHR_mesh_quantization"]));
    agree(&g);
}

#[test]
fn without_meshes_there_are_morph_tracks_all_the_same() {
    let mut g = rigs::chain();
    let face = rigs::add_morph(&mut g, 1);
    g.animate(0, face, "weights", "LINEAR", &[0.0, 9.0], &[0.0, 1.0]);
    let options = LoadOptions { meshes: MeshSelection::None, ..LoadOptions::default() };
    let asset = load_with(&g, &options);
    assert!(asset.meshes.is_empty());
    assert_eq!(asset.animations, load(&g).animations);
    assert_eq!(asset.animations[0].morph_tracks[0].mesh, 1, "as by default");
    assert_eq!(asset.animations[0].duration, 9.0);
    assert!(asset.warnings.is_empty(), "what was not asked for is no news: {:?}", asset.warnings);
}
