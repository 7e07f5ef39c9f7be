//! Every way to store numbers.

use serde_json::json;

use crate::support::rigs::{self, BINDS, JOINTS, POSITIONS, ROTATIONS, TIMES, TRANSLATIONS, WEIGHTS};
use crate::support::{Array, Component, F32, Gltf, I8, I16, U8, U16, U32, agree, at, load, spin};

/// `chain` with other rotations of its second joint. Angles are positive, so that unsigned types can hold them.
fn with_rotations(how: &str, component: Component, values: &[f64]) -> Gltf {
    let mut g = rigs::chain();
    let values = g.add(&Array::normalized(component, "VEC4", values));
    g.set("/animations/0/samplers/1/output", values);
    g.set("/animations/0/samplers/1/interpolation", how);
    g
}

#[test]
fn rotations_of_every_component_type() {
    for component in [F32, I8, U8, I16, U16] {
        for how in ["LINEAR", "STEP"] {
            let asset = agree(&with_rotations(how, component, &spin(1, &[0.0, 30.0, 90.0, 150.0, 20.0])));
            assert!(asset.warnings.is_empty(), "{component:?}: rounding is no fault: {:?}", asset.warnings);
        }
    }
}

#[test]
fn negative_rotations_of_signed_types() {
    for component in [I8, I16] {
        agree(&with_rotations("LINEAR", component, &spin(0, &[-170.0, -30.0, 40.0, -5.0, 170.0])));
    }
}

#[test]
fn cubic_rotations_of_signed_types() {
    let [a, b, c] = [10.0, 60.0, -20.0].map(|degrees| spin(2, &[degrees]));
    let (still, push) = ([0.0; 4], [0.1, -0.2, 0.3, 0.05]);
    let keys = [&still[..], &a, &push, &push, &b, &still, &push, &c, &push].concat();
    for component in [F32, I16, I8] {
        let mut g = rigs::chain();
        let times = g.add(&Array::new(F32, "SCALAR", [0.25, 1.0, 1.5]));
        let values = g.add(&Array::normalized(component, "VEC4", &keys));
        g.set("/animations/0/samplers/2", json!({"input": times, "output": values, "interpolation": "CUBICSPLINE"}));
        agree(&g);
    }
}

#[test]
fn morph_weights_of_every_component_type() {
    for component in [F32, I8, U8, I16, U16] {
        let mut g = Gltf::new();
        let face = rigs::add_morph(&mut g, 2);
        let times = g.add(&Array::new(F32, "SCALAR", [0.0, 1.0, 2.0]));
        let values = g.add(&Array::normalized(component, "SCALAR", &[0.0, 1.0, 0.25, 0.5, 1.0, 0.0]));
        g.channel(0, json!({"node": face, "path": "weights"}), "LINEAR", times, values);
        assert_eq!(agree(&g).animations[0].morph_tracks.len(), 1);
    }
}

/// Signed integers have one value more below zero than above.
#[test]
fn the_most_negative_integer_means_minus_one() {
    for (component, lowest) in [(I8, -128.0), (I16, -32_768.0)] {
        let mut g = Gltf::new();
        let face = rigs::add_morph(&mut g, 1);
        let times = g.add(&Array::new(F32, "SCALAR", [0.0, 1.0]));
        let values = g.add(&Array { is_normalized: true, ..Array::new(component, "SCALAR", [lowest, 0.0]) });
        g.channel(0, json!({"node": face, "path": "weights"}), "STEP", times, values);
        assert_eq!(agree(&g).animations[0].morph_tracks[0].values[0], -1.0);
    }
}

#[test]
fn joints_and_weights_of_every_component_type() {
    for joints in [U8, U16] {
        for weights in [F32, U8, U16] {
            let mut g = rigs::chain();
            let values = [0, 1, 2, 0, 1, 0, 0, 0, 2, 1, 0, 0, 2, 0, 0, 0, 1, 2, 0, 0, 0, 2, 0, 0];
            let joints = g.add(&Array::new(joints, "VEC4", values));
            let shares = [[0.5, 0.25, 0.25, 0.0], [1.0, 0.0, 0.0, 0.0], [0.2, 0.8, 0.0, 0.0]];
            let weights = g.add(&Array::normalized(weights, "VEC4", &shares.repeat(2).concat()));
            g.set("/meshes/0/primitives/0/attributes/JOINTS_0", joints);
            g.set("/meshes/0/primitives/0/attributes/WEIGHTS_0", weights);
            agree(&g);
        }
    }
}

#[test]
fn indices_of_every_component_type() {
    for component in [U8, U16, U32] {
        let mut g = rigs::chain();
        let indices = g.add(&Array::new(component, "SCALAR", [5, 0, 3]));
        g.set("/meshes/0/primitives/0/indices", indices);
        assert_eq!(load(&g).meshes[0].primitives[0].indices, [5, 0, 3]);
    }
}

#[test]
fn interleaved_vertices() {
    let mut g = rigs::chain();
    let positions = Array::new(F32, "VEC3", (0..18).map(|number| 0.3 * f64::from(number)));
    let joints = Array::new(U8, "VEC4", [0, 1, 2, 0].repeat(6));
    let weights = Array::normalized(U16, "VEC4", &[0.5, 0.3, 0.2, 0.0].repeat(6));
    let colors = Array::normalized(U8, "VEC3", &[1.0, 0.0, 0.2].repeat(6));
    let [positions, joints, weights, colors] = g.interleave([&positions, &joints, &weights, &colors]);
    let attributes = json!({"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights, "COLOR_0": colors});
    g.set("/meshes/0/primitives/0/attributes", attributes);
    let asset = agree(&g);
    let primitive = &asset.meshes[0].primitives[0];
    assert_eq!(primitive.positions[5][2], (0.3 * 17.0) as f32);
    assert_eq!(primitive.colors, [[1.0, 0.0, 0.2, 1.0]; 6]);
}

#[test]
fn interleaved_keys() {
    let mut g = rigs::chain();
    let times = Array::new(F32, "SCALAR", [0.0, 0.5, 1.0]);
    let turns = Array::new(F32, "VEC4", spin(0, &[0.0, 80.0, -10.0]));
    let [times, turns] = g.interleave([&times, &turns]);
    g.set("/animations/0/samplers/0", json!({"input": times, "output": turns}));
    agree(&g);
}

#[test]
fn accessors_that_share_a_view() {
    let mut g = rigs::chain();
    // The first joint's rotations are keys 0 to 4 of one long view, the second joint's keys 2 to 6.
    let all = g.add(&Array::new(F32, "VEC4", spin(2, &[0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0])));
    let view = g.json["accessors"][all]["bufferView"].clone();
    for (sampler, offset) in [(0, 0), (1, 32)] {
        let part = json!({"bufferView": view, "byteOffset": offset, "componentType": 5126, "type": "VEC4", "count": 5});
        let part = g.push("accessors", part);
        g.set(&format!("/animations/0/samplers/{sampler}/output"), part);
    }
    let asset = agree(&g);
    assert_ne!(asset.animations[0].tracks[0].values, asset.animations[0].tracks[1].values);
}

#[test]
fn sparse_accessors_with_a_base() {
    for index_type in [U8, U16, U32] {
        let mut g = rigs::chain();
        g.replace(TRANSLATIONS, index_type, &[1, 4], &Array::new(F32, "VEC3", [0.0, 2.0, 0.0, -1.0, 0.5, 3.0]));
        g.replace(ROTATIONS, index_type, &[3], &Array::new(F32, "VEC4", spin(0, &[77.0])));
        g.replace(BINDS, index_type, &[0, 2], &Array::new(F32, "MAT4", [at([1.0; 3]), at([2.0; 3])].concat()));
        g.replace(POSITIONS, index_type, &[5], &Array::new(F32, "VEC3", [9.0, 8.0, 7.0]));
        g.replace(JOINTS, index_type, &[0], &Array::new(U8, "VEC4", [2, 0, 0, 0]));
        g.replace(WEIGHTS, index_type, &[1, 2], &Array::new(F32, "VEC4", [0.5, 0.5, 0.0, 0.0].repeat(2)));
        g.replace(TIMES, index_type, &[4], &Array::new(F32, "SCALAR", [2.5]));
        let asset = agree(&g);
        assert_eq!(asset.animations[0].duration, 2.5);
        assert_eq!(asset.meshes[0].primitives[0].positions[5], [9.0, 8.0, 7.0]);
    }
}

#[test]
fn sparse_accessors_without_a_base_start_at_zero() {
    let mut g = rigs::chain();
    let moves = g.zeros(F32, "VEC3", 5);
    g.replace(moves, U16, &[2, 3], &Array::new(F32, "VEC3", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    g.set("/animations/0/samplers/3/output", moves);
    // A matrix of zeros would be degenerate: every element is replaced.
    let binds = g.zeros(F32, "MAT4", 3);
    g.replace(binds, U8, &[0, 1, 2], &Array::new(F32, "MAT4", [at([0.0, -0.5, 0.0]); 3].concat()));
    g.set("/skins/0/inverseBindMatrices", binds);
    let asset = agree(&g);
    assert_eq!(asset.animations[0].tracks[3].values[..9], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn accessors_without_a_view_are_zeros() {
    let mut g = rigs::chain();
    let moves = g.zeros(F32, "VEC3", 5);
    g.set("/animations/0/samplers/3/output", moves);
    let positions = g.zeros(F32, "VEC3", 6);
    g.set("/meshes/0/primitives/0/attributes/POSITION", positions);
    let asset = agree(&g);
    assert_eq!(asset.meshes[0].primitives[0].positions, [[0.0; 3]; 6]);
    assert!(asset.animations[0].tracks[3].values.iter().all(|&value| value == 0.0));
}

#[test]
fn each_accessor_is_decoded_once_and_shared() {
    let asset = load(&rigs::chain());
    let tracks = &asset.animations[0].tracks;
    assert_eq!(std::sync::Arc::strong_count(&tracks[0].times), tracks.len());
}
