//! Skins: joints, inverse bind matrices, and several skins in one file.

use glam::Mat4;
use serde_json::json;

use crate::support::rigs::{self, BINDS};
use crate::support::{
    Array, F32, Gltf, Kind, U8, agree, at, load, spin, strict, try_load_with, turn, turned, warning_of,
};

#[test]
fn missing_inverse_binds_are_identities() {
    let mut g = rigs::chain();
    g.remove("/skins/0/inverseBindMatrices");
    let asset = agree(&g);
    assert_eq!(asset.skins[0].inverse_bind_matrices, [Mat4::IDENTITY; 3]);
    assert!(asset.warnings.is_empty(), "the standard allows it: {:?}", asset.warnings);
    let error = try_load_with(&g.glb(), &strict()).expect_err("strict loading asks for them");
    assert_eq!(Kind::of(&error), Kind::MissingInverseBindMatrices);
}

#[test]
fn surplus_inverse_binds_are_ignored() {
    let mut g = rigs::chain();
    let many: Vec<f64> = (0..7).flat_map(|joint| at([f64::from(joint), 0.0, 0.0])).collect();
    let many = g.add(&Array::new(F32, "MAT4", many));
    g.set("/skins/0/inverseBindMatrices", many);
    assert_eq!(agree(&g).skins[0].inverse_bind_matrices.len(), 3);
}

#[test]
fn inverse_binds_of_any_affine_shape() {
    let mut g = rigs::chain();
    let mut slanted = at([0.3, 0.0, 0.0]);
    slanted[4] = 0.5;
    let odd = [
        turned(turn(0, 170.0), [-1.0, 2.0, 0.01], [5.0, 6.0, 7.0]),
        slanted,
        turned(turn(2, 9.0), [1e-3; 3], [1e3; 3]),
    ];
    let odd = g.add(&Array::new(F32, "MAT4", odd.concat()));
    g.set("/skins/0/inverseBindMatrices", odd);
    assert!(agree(&g).warnings.is_empty());
}

#[test]
fn skins_that_share_joints_and_inverse_binds_share_everything() {
    let mut g = rigs::chain();
    g.push("skins", json!({"joints": [0, 1, 2], "inverseBindMatrices": BINDS}));
    let asset = agree(&g);
    assert_eq!(asset.skeleton.joints.len(), 3);
    assert_eq!(asset.skins[0].joints, asset.skins[1].joints);
}

/// A second mesh that is bound to the same joints in another pose and another order.
fn two_skins() -> Gltf {
    let mut g = rigs::chain();
    g.skin(&[2, 0], &[at([5.0, -2.0, 0.0]), at([0.0, 0.0, 0.0])]);
    let joints = g.add(&Array::new(U8, "VEC4", [0, 1, 0, 0].repeat(6)));
    let mut primitive = g.json["meshes"][0]["primitives"][0].clone();
    primitive["attributes"]["JOINTS_0"] = json!(joints);
    let mesh = g.push("meshes", json!({"name": "sleeve", "primitives": [primitive]}));
    g.node(json!({"name": "second", "mesh": mesh, "skin": 1}));
    g
}

#[test]
fn skins_that_share_joints_but_not_inverse_binds() {
    let asset = agree(&two_skins());
    assert_eq!(asset.skeleton.joints.len(), 4, "one joint more, for the one matrix that differs");
    let [body, sleeve] = &asset.skins[..] else { panic!("two skins") };
    assert_eq!(body.joints, [0, 1, 2]);
    assert_eq!(sleeve.joints, [3, 0], "the equal matrix shares its joint");
    assert_eq!(asset.skeleton.joints[3].parent, Some(2));
    assert_eq!(asset.joint_nodes, [0, 1, 2, 2]);
    assert_eq!(asset.joint_of_node(2), Some(2), "the one with the node's own transform");
}

#[test]
fn vertices_name_the_palette_entry_of_their_own_skin() {
    let asset = load(&two_skins());
    let sleeve = &asset.meshes[asset.mesh_by_name("sleeve").expect("it is loaded")];
    assert_eq!(sleeve.primitives[0].joints[0][..2], [3, 0]);
    let body = &asset.meshes[asset.mesh_by_name("strip").expect("it is loaded")];
    assert_eq!(body.primitives[0].joints[5][..2], [2, 1]);
}

#[test]
fn one_mesh_with_two_skins_is_loaded_for_each() {
    let mut g = rigs::chain();
    g.skin(&[2, 1, 0], &[at([0.0, -2.0, 0.0]), at([0.0, -1.0, 0.0]), at([0.0, 0.0, 0.0])]);
    g.node(json!({"name": "twin", "mesh": 0, "skin": 1}));
    let asset = agree(&g);
    assert_eq!(asset.meshes[0].primitives[0].joints[4][..2], [2, 1]);
    assert_eq!(asset.meshes[1].primitives[0].joints[4][..2], [0, 1]);
}

#[test]
fn a_joint_that_a_skin_lists_twice() {
    for second in [at([0.0, -1.0, 0.0]), at([3.0, 0.0, 0.0])] {
        let mut g = rigs::chain();
        g.set("/skins/0/joints", json!([0, 1, 2, 1]));
        let binds = [at([0.0; 3]), at([0.0, -1.0, 0.0]), at([0.0, -2.0, 0.0]), second];
        let binds = g.add(&Array::new(F32, "MAT4", binds.concat()));
        g.set("/skins/0/inverseBindMatrices", binds);
        let joints = g.add(&Array::new(U8, "VEC4", [3, 1, 2, 0].repeat(6)));
        g.set("/meshes/0/primitives/0/attributes/JOINTS_0", joints);
        let asset = agree(&g);
        assert_eq!(asset.warnings.len(), 1, "{:?}", asset.warnings);
    }
}

#[test]
fn a_joint_of_two_characters() {
    // Two riders on one horse: each skin has joints of its own and the horse's back.
    let mut g = Gltf::new();
    let back = g.node(json!({"name": "back", "translation": [0, 1, 0]}));
    for rider in 0..2 {
        let hips =
            g.child(back, json!({"name": format!("hips {rider}"), "translation": [0.3 * f64::from(rider), 0.5, 0]}));
        let chest = g.child(hips, json!({"name": format!("chest {rider}"), "translation": [0, 0.4, 0]}));
        let lean = f64::from(rider) - 0.5;
        g.skin(&[chest, back, hips], &[at([0.0, -1.9, 0.0]), at([lean, -1.0, 0.0]), at([0.0, -1.5, 0.0])]);
        g.animate(0, chest, "rotation", "LINEAR", &[0.0, 1.0], &spin(0, &[0.0, 40.0 * lean]));
    }
    g.animate(0, back, "translation", "LINEAR", &[0.0, 2.0], &[0.0, 1.0, 0.0, 0.0, 1.0, 3.0]);
    assert_eq!(agree(&g).skins.len(), 2);
}

#[test]
fn eighty_four_skins_in_one_file() {
    let mut g = Gltf::new();
    let root = g.node(json!({"name": "root", "rotation": turn(0, -90.0), "scale": [0.01, 0.01, 0.01]}));
    let spine = g.child(root, json!({"name": "spine", "translation": [0, 0, 50]}));
    for skin in 0..84 {
        let offset = f64::from(skin);
        let first = g.child(spine, json!({"name": format!("first {skin}"), "translation": [offset, 0, 0]}));
        let second = g.child(first, json!({"name": format!("second {skin}"), "translation": [0, 10, 0]}));
        // The shared joint has its own inverse bind in every third skin.
        let shared = if skin % 3 == 0 { at([offset, 0.0, 0.0]) } else { at([0.0; 3]) };
        g.skin(&[second, spine, first], &[at([0.0, -10.0, 0.0]), shared, at([-offset, 0.0, 0.0])]);
        g.animate(0, first, "rotation", "LINEAR", &[0.0, 1.0], &spin(1, &[0.0, offset]));
    }
    let asset = agree(&g);
    assert_eq!(asset.skins.len(), 84);
    // root, spine, two joints a skin; spine once for the plain skins and once for each of the 28 with an offset, of
    // which the first has the offset 0 and so the plain matrix.
    assert_eq!(asset.skeleton.joints.len(), 2 + 2 * 84 + 27);
}

#[test]
fn skins_of_other_scenes_and_of_none() {
    let mut g = rigs::chain();
    let second = g.push("nodes", json!({"name": "in the second scene", "rotation": turn(1, 40.0)}));
    let loose = g.push("nodes", json!({"name": "in no scene", "translation": [1, 2, 3]}));
    g.push("scenes", json!({"nodes": [second]}));
    g.skin(&[second], &[at([1.0, 0.0, 0.0])]);
    g.skin(&[loose], &[at([0.0, 1.0, 0.0])]);
    g.animate(1, second, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let asset = agree(&g);
    assert_eq!(asset.skins.len(), 3);
    assert_eq!(asset.skeleton.joints.len(), 5);
}

#[test]
fn a_skin_that_no_mesh_uses_is_loaded() {
    let mut g = rigs::chain();
    g.remove("/nodes/3/skin");
    g.remove("/nodes/3/mesh");
    let asset = agree(&g);
    assert_eq!((asset.skins.len(), asset.meshes.len(), asset.skeleton.joints.len()), (1, 0, 3));
}

#[test]
fn the_skeleton_property_names_a_joint_and_changes_nothing() {
    let mut g = rigs::chain();
    let plain = load(&g);
    g.set("/skins/0/skeleton", 1);
    let asset = agree(&g);
    assert_eq!(asset.skins[0].skeleton_root, Some(1));
    assert_eq!((asset.skeleton, plain.skins[0].skeleton_root), (plain.skeleton, None));
}

#[test]
fn joints_without_a_common_root() {
    let mut g = rigs::bare_chain(2, 1.0);
    let alone = g.node(json!({"name": "alone", "translation": [1, 0, 0]}));
    g.skin(&[0, 1, alone], &[at([0.0; 3]), at([0.0, -1.0, 0.0]), at([-1.0, 0.0, 0.0])]);
    let asset = agree(&g);
    assert_eq!(asset.skins[1].joints.len(), 3);
    warning_of(&asset, "skin 1: its joints have no common root: nodes 1 and 2 are in different trees");
    assert!(try_load_with(&g.glb(), &strict()).is_err());
}
