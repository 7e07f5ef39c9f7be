//! Joints and weights of vertices.

use nebula_animation::asset::Primitive;

use crate::support::{Array, F32, Gltf, U8, U16, agree, at, load, noise, rigs};

const ATTRIBUTES: &str = "/meshes/0/primitives/0/attributes";

fn with_weights(weights: &Array) -> Gltf {
    let mut g = rigs::chain();
    let weights = g.add(weights);
    g.set(&format!("{ATTRIBUTES}/WEIGHTS_0"), weights);
    g
}

fn sums(primitive: &Primitive) -> Vec<f32> {
    let sum = |vertex: usize| {
        let more = primitive.more_weights.get(vertex).map_or(0.0, |weights| weights.iter().sum());
        primitive.weights[vertex].iter().sum::<f32>() + more
    };
    (0..primitive.positions.len()).map(sum).collect()
}

#[test]
fn weights_are_made_to_sum_to_one() {
    for weights in [[0.2, 0.2, 0.0, 0.0], [2.0, 6.0, 0.0, 0.0], [1e-20, 3e-20, 0.0, 0.0], [0.4999, 0.4999, 0.0, 0.0]] {
        let g = with_weights(&Array::new(F32, "VEC4", weights.repeat(6)));
        let asset = agree(&g);
        let primitive = &asset.meshes[0].primitives[0];
        assert!(sums(primitive).iter().all(|sum| (sum - 1.0).abs() < 1e-6), "{weights:?}: {:?}", primitive.weights);
    }
}

#[test]
fn rounded_integer_weights_sum_to_one() {
    let g = with_weights(&Array::new(U8, "VEC4", [85, 85, 84, 0].repeat(6)));
    let mut normalized = g.clone();
    let accessor = g.json["accessors"].as_array().expect("accessors").len() - 1;
    normalized.set(&format!("/accessors/{accessor}/normalized"), true);
    let asset = agree(&normalized);
    assert!(sums(&asset.meshes[0].primitives[0]).iter().all(|sum| (sum - 1.0).abs() < 1e-6));
    assert!(asset.warnings.is_empty(), "rounding is no fault: {:?}", asset.warnings);
}

#[test]
fn eight_influences() {
    let mut g = rigs::bare_chain(12, 0.4);
    let mut random = noise(8);
    let mut numbers =
        |count: usize, scale: f64| (0..count).map(|_| (random().abs() * scale).floor()).collect::<Vec<_>>();
    let vertices = 20;
    let positions = numbers(vertices * 3, 5.0);
    let indices = [numbers(vertices * 4, 12.0), numbers(vertices * 4, 12.0)];
    let weights = [numbers(vertices * 4, 1000.0), numbers(vertices * 4, 1000.0)];
    let attributes = serde_json::json!({
        "POSITION": g.add(&Array::new(F32, "VEC3", positions)),
        "JOINTS_0": g.add(&Array::new(U8, "VEC4", indices[0].clone())),
        "WEIGHTS_0": g.add(&Array::normalized(F32, "VEC4", &weights[0])),
        "JOINTS_1": g.add(&Array::new(U16, "VEC4", indices[1].clone())),
        "WEIGHTS_1": g.add(&Array::new(F32, "VEC4", weights[1].clone())),
    });
    g.push("meshes", serde_json::json!({"primitives": [{"attributes": attributes}]}));
    g.node(serde_json::json!({"mesh": 0, "skin": 0}));
    g.animate(0, 5, "rotation", "LINEAR", &[0.0, 1.0], &crate::support::spin(0, &[0.0, 70.0]));
    let asset = agree(&g);
    let primitive = &asset.meshes[0].primitives[0];
    assert_eq!((primitive.more_joints.len(), primitive.more_weights.len()), (vertices, vertices));
    assert!(sums(primitive).iter().all(|sum| (sum - 1.0).abs() < 1e-6));
}

#[test]
fn a_second_set_without_weight_is_left_out() {
    let mut g = rigs::chain();
    let joints = g.add(&Array::new(U8, "VEC4", [0; 24]));
    let weights = g.zeros(F32, "VEC4", 6);
    g.set(&format!("{ATTRIBUTES}/JOINTS_1"), joints);
    g.set(&format!("{ATTRIBUTES}/WEIGHTS_1"), weights);
    let asset = agree(&g);
    assert!(asset.meshes[0].primitives[0].more_joints.is_empty());
}

#[test]
fn more_than_eight_influences_are_reported() {
    let mut g = rigs::chain();
    for set in 1..3 {
        let joints = g.add(&Array::new(U8, "VEC4", [set; 24]));
        let weights = g.add(&Array::new(F32, "VEC4", [0.1; 24]));
        g.set(&format!("{ATTRIBUTES}/JOINTS_{set}"), joints);
        g.set(&format!("{ATTRIBUTES}/WEIGHTS_{set}"), weights);
    }
    let asset = load(&g);
    assert!(asset.warnings.iter().any(|warning| warning.object.contains("mesh 0")), "{:?}", asset.warnings);
    assert!(sums(&asset.meshes[0].primitives[0]).iter().all(|sum| (sum - 1.0).abs() < 1e-6));
}

/// The order of a skin is not that of the skeleton: vertices must follow.
#[test]
fn joints_are_remapped_to_the_skeleton() {
    let mut g = rigs::chain();
    g.set("/skins/0/joints", serde_json::json!([2, 0, 1]));
    let binds = g.add(&Array::new(F32, "MAT4", [at([0.0, -2.0, 0.0]), at([0.0; 3]), at([0.0, -1.0, 0.0])].concat()));
    g.set("/skins/0/inverseBindMatrices", binds);
    let joints = g.add(&Array::new(U8, "VEC4", [0, 1, 2, 0].repeat(6)));
    g.set(&format!("{ATTRIBUTES}/JOINTS_0"), joints);
    let asset = agree(&g);
    assert_eq!(asset.meshes[0].primitives[0].joints[0][..3], [2, 0, 1]);
}

#[test]
fn helper_joints_move_the_indices_of_vertices() {
    let mut g = rigs::chain();
    // Wrap the skeleton into an armature that turns it.
    let armature = g.push("nodes", serde_json::json!({"rotation": crate::support::turn(0, -90.0), "children": [0]}));
    g.set("/scenes/0/nodes", serde_json::json!([armature, rigs::BODY]));
    let asset = agree(&g);
    assert_eq!(asset.skins[0].joints, [1, 2, 3]);
    assert_eq!(asset.meshes[0].primitives[0].joints[4][..2], [3, 2]);
}

#[test]
fn joints_beside_a_weight_of_zero_need_not_exist() {
    let mut g = rigs::chain();
    g.poke(rigs::JOINTS, 0, 3, 255.0);
    let asset = load(&g);
    let primitive = &asset.meshes[0].primitives[0];
    let count = asset.skeleton.joints.len();
    assert!(primitive.joints.iter().flatten().all(|joint| usize::from(*joint) < count), "{:?}", primitive.joints);
}

#[test]
fn a_vertex_without_weight_stays_with_its_first_joint() {
    let mut g = rigs::chain();
    for part in 0..4 {
        g.poke(rigs::WEIGHTS, 4, part, 0.0);
    }
    let asset = load(&g);
    let primitive = &asset.meshes[0].primitives[0];
    assert_eq!((primitive.joints[4][0], primitive.weights[4]), (2, [1.0, 0.0, 0.0, 0.0]));
    assert!(asset.warnings.iter().any(|warning| warning.object.contains("mesh 0 \"strip\"")), "{:?}", asset.warnings);
}
