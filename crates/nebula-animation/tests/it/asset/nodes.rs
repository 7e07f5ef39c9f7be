//! Transforms of nodes, above all those given as matrices.

use serde_json::json;

use crate::support::{Gltf, agree, at, load, rigs, spin, strict, try_load_with, turn, turned, warning_of};

/// A node with this matrix above two joints, of which the first is animated.
fn below_matrix(matrix: [f64; 16]) -> Gltf {
    let mut g = Gltf::new();
    let top = g.node(json!({"name": "top", "matrix": matrix}));
    let joint = g.child(top, json!({"name": "joint", "translation": [0.5, 1.0, 0.0], "rotation": turn(0, 20.0)}));
    let tip = g.child(joint, json!({"name": "tip", "translation": [0.0, 1.0, 0.0]}));
    g.skin(&[joint, tip], &[at([0.0, -1.0, 0.0]), at([0.2, -2.0, 0.1])]);
    g.animate(0, joint, "rotation", "LINEAR", &[0.0, 1.0], &spin(2, &[0.0, 80.0]));
    g
}

/// Two skins, bound in different poses, that share a joint with this matrix.
fn joint_matrix(matrix: [f64; 16]) -> Gltf {
    let mut g = Gltf::new();
    let joint = g.node(json!({"name": "joint", "matrix": matrix}));
    let tip = g.child(joint, json!({"name": "tip", "translation": [0.0, 1.0, 0.0]}));
    g.skin(&[joint, tip], &[at([1.0, -1.0, 0.0]), at([0.2, -2.0, 0.1])]);
    g.skin(&[tip, joint], &[at([0.2, -2.0, 0.1]), at([0.0, 0.0, 4.0])]);
    g.animate(0, tip, "rotation", "LINEAR", &[0.0, 1.0], &spin(1, &[0.0, 80.0]));
    g
}

/// Two matrices after another: `a` is applied last.
fn product(a: [f64; 16], b: [f64; 16]) -> [f64; 16] {
    std::array::from_fn(|at| (0..4).map(|k| a[4 * k + at % 4] * b[at / 4 * 4 + k]).sum())
}

#[test]
fn matrices_of_translation_rotation_and_scale() {
    let skewed_axis = {
        let length = (1.0_f64 + 4.0 + 9.0).sqrt();
        [1.0 / length * 0.6, 2.0 / length * 0.6, 3.0 / length * 0.6, 0.8]
    };
    for (rotation, scale) in [
        (turn(1, 30.0), [1.0, 1.0, 1.0]),
        (skewed_axis, [2.0, 0.5, 3.0]),
        (turn(0, 180.0), [1.0, 1.0, 1.0]),
        (turn(2, -135.0), [0.01, 0.01, 0.01]),
        (skewed_axis, [100.0, 200.0, 1.0]),
    ] {
        let matrix = turned(rotation, scale, [1.0, -2.0, 3.0]);
        for g in [below_matrix(matrix), joint_matrix(matrix)] {
            let asset = agree(&g);
            assert!(asset.warnings.is_empty(), "{scale:?}: {:?}", asset.warnings);
        }
    }
}

#[test]
fn matrices_that_mirror() {
    for scale in [[-1.0, 1.0, 1.0], [1.0, -2.0, 1.0], [1.0, 1.0, -0.5], [-1.0, -1.0, -1.0], [-1.0, -2.0, 3.0]] {
        let matrix = turned(turn(1, 75.0), scale, [0.0, 1.0, 0.0]);
        for g in [below_matrix(matrix), joint_matrix(matrix)] {
            let asset = agree(&g);
            assert!(asset.warnings.is_empty(), "{scale:?}: {:?}", asset.warnings);
        }
    }
}

#[test]
fn negative_scales_without_a_matrix() {
    let mut g = Gltf::new();
    let top = g.node(json!({"scale": [-1, 1, 1], "rotation": turn(2, 30.0)}));
    let joint = g.child(top, json!({"scale": [1, -2, 1], "rotation": turn(0, 50.0)}));
    let tip = g.child(joint, json!({"scale": [-1, -1, -1], "translation": [1, 2, 3]}));
    g.skin(&[joint, tip], &[at([0.0; 3]), at([1.0; 3])]);
    agree(&g);
}

#[test]
fn matrices_that_shear_are_kept_exactly_and_reported() {
    let stretch = turned([0.0, 0.0, 0.0, 1.0], [1.0, 3.0, 0.5], [1.0, 2.0, 3.0]);
    let sheared = product(stretch, turned(turn(2, 40.0), [1.0; 3], [0.0; 3]));
    let slanted = {
        let mut matrix = at([0.0, 1.0, 0.0]);
        matrix[4] = 0.7;
        matrix
    };
    let mirrored = product(sheared, turned(turn(0, 25.0), [-1.0, 2.0, 1.0], [0.0; 3]));
    for matrix in [sheared, slanted, mirrored] {
        for (g, node) in [(below_matrix(matrix), "top"), (joint_matrix(matrix), "joint")] {
            let asset = agree(&g);
            assert_eq!(asset.warnings.len(), 1, "{:?}", asset.warnings);
            assert!(asset.warnings[0].object.contains(node), "{}", asset.warnings[0]);
            assert!(asset.warnings[0].message.contains("shear"), "{}", asset.warnings[0]);
        }
    }
}

#[test]
fn shear_that_comes_from_the_hierarchy_needs_no_warning() {
    let mut g = Gltf::new();
    let top = g.node(json!({"scale": [1, 4, 1]}));
    let joint = g.child(top, json!({"rotation": turn(2, 45.0)}));
    let tip = g.child(joint, json!({"translation": [1, 0, 0]}));
    g.skin(&[joint, tip], &[at([0.0; 3]), at([1.0; 3])]);
    assert!(agree(&g).warnings.is_empty());
}

#[test]
fn matrices_that_flatten() {
    for scale in [[0.0, 1.0, 1.0], [1.0, 0.0, 2.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]] {
        let matrix = turned(turn(2, 33.0), scale, [1.0, 2.0, 3.0]);
        agree(&below_matrix(matrix));
        agree(&joint_matrix(matrix));
    }
}

#[test]
fn a_scale_of_zero_hides_and_an_animated_one_shows_again() {
    let mut g = Gltf::new();
    let joint = g.node(json!({"scale": [0, 0, 0]}));
    g.skin(&[joint], &[at([0.0; 3])]);
    g.animate(0, joint, "scale", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    agree(&g);
}

#[test]
fn a_matrix_of_rounded_digits_is_not_sheared() {
    let exact = turned(turn(1, 33.3), [1.0; 3], [0.0; 3]);
    let rounded = exact.map(|number| (number * 1e6).round() / 1e6);
    let asset = agree(&below_matrix(rounded));
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
}

#[test]
fn an_identity_matrix_is_no_transform() {
    let asset = agree(&below_matrix(at([0.0; 3])));
    assert_eq!(asset.skeleton.joints.len(), 2, "no helper joint for a node that does nothing");
}

#[test]
fn rest_rotations_are_normalised() {
    let mut g = below_matrix(at([0.0; 3]));
    let rotation = turn(0, 50.0).map(|part| part * 1.3);
    g.set("/nodes/2/rotation", json!(rotation));
    let asset = agree(&g);
    assert!(asset.warnings.iter().any(|warning| warning.object.contains("tip")), "{:?}", asset.warnings);
}

/// The fault is a warning that says this, and an error in strict loading; the character is as without it.
fn tolerated(g: &Gltf, words: &str) {
    let asset = load(g);
    warning_of(&asset, words);
    assert_eq!(asset.skeleton, load(&rigs::chain()).skeleton);
    let error = try_load_with(&g.glb(), &strict()).expect_err(words);
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_scene_that_lists_a_root_twice() {
    let mut g = rigs::chain();
    g.push("scenes", json!({"nodes": [0, 3, 0]}));
    tolerated(&g, "lists node 0 twice");
}

#[test]
fn a_skin_on_a_node_without_a_mesh() {
    let mut g = rigs::chain();
    g.node(json!({"name": "nobody", "skin": 0}));
    tolerated(&g, "node 4 \"nobody\": has skin 0, but no mesh");
}
