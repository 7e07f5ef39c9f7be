//! The hierarchy that skins share: its order, and the helper joints that no skin names.

use nebula_animation::Asset;
use serde_json::json;

use crate::support::{Gltf, agree, at, noise, rigs, spin, turn};

fn names(asset: &Asset) -> Vec<&str> {
    asset.skeleton.joints.iter().map(|joint| joint.name.as_str()).collect()
}

/// Identity binds for so many joints.
fn binds(count: usize) -> Vec<[f64; 16]> {
    (0..count).map(|joint| at([0.1 * joint as f64, -1.0, 0.0])).collect()
}

#[test]
fn a_clean_file_keeps_its_joints_in_the_skin_s_order() {
    // hips -> (left -> foot left), (right -> foot right); listed level by level, which is parents first.
    let mut g = Gltf::new();
    let hips = g.node(json!({"name": "hips"}));
    let left = g.child(hips, json!({"name": "left", "translation": [1, 0, 0]}));
    let foot_left = g.child(left, json!({"name": "foot left", "translation": [0, -1, 0]}));
    let right = g.child(hips, json!({"name": "right", "translation": [-1, 0, 0]}));
    let foot_right = g.child(right, json!({"name": "foot right", "translation": [0, -1, 0]}));
    for order in [
        [hips, right, left, foot_left, foot_right],
        [hips, left, foot_left, right, foot_right],
        [hips, right, foot_right, left, foot_left],
    ] {
        let mut g = g.clone();
        g.skin(&order, &binds(5));
        let asset = agree(&g);
        assert_eq!(asset.skins[0].joints, [0, 1, 2, 3, 4]);
        assert_eq!(asset.joint_nodes, order);
        assert!(asset.warnings.is_empty());
    }
}

#[test]
fn joints_out_of_order_are_sorted_and_mapped() {
    for order in [[2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1]] {
        let mut g = rigs::chain();
        g.set("/skins/0/joints", json!(order));
        let asset = agree(&g);
        assert_eq!(names(&asset), ["j0", "j1", "j2"]);
        assert_eq!(asset.skins[0].joints, order, "node i is joint i here");
    }
}

#[test]
fn an_armature_that_turns_and_scales_is_a_helper_joint() {
    // As exporters write characters that were modelled Z up, in centimetres.
    let mut g = Gltf::new();
    let armature = g.node(json!({"name": "Armature", "rotation": turn(0, -90.0), "scale": [0.01, 0.01, 0.01]}));
    let hips = g.child(armature, json!({"name": "Hips", "translation": [0, 0, 100]}));
    let head = g.child(hips, json!({"name": "Head", "translation": [0, 0, 60], "rotation": turn(1, 10.0)}));
    g.skin(&[hips, head], &[at([0.0, 0.0, -100.0]), at([0.0, 0.0, -160.0])]);
    g.animate(0, hips, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 100.0, 0.0, 0.0, 90.0]);
    let asset = agree(&g);
    assert_eq!(names(&asset), ["Armature", "Hips", "Head"]);
    assert_eq!(asset.skins[0].joints, [1, 2]);
    assert_eq!(asset.skeleton.joints[0].inverse_bind_matrix, glam::Mat4::IDENTITY);
}

#[test]
fn ancestors_that_do_nothing_are_no_joints() {
    let mut g = Gltf::new();
    let scene = g.node(json!({"name": "scene"}));
    let group = g.child(scene, json!({"name": "group", "translation": [0, 0, 0], "scale": [1, 1, 1]}));
    let hips = g.child(group, json!({"name": "hips", "translation": [0, 1, 0]}));
    g.skin(&[hips], &binds(1));
    let asset = agree(&g);
    assert_eq!(names(&asset), ["hips"]);
    assert_eq!(asset.skeleton.joints[0].parent, None);
    assert_eq!((asset.joint_of_node(scene), asset.joint_of_node(group)), (None, None));
}

#[test]
fn animated_ancestors_are_joints_even_where_they_rest_at_the_identity() {
    for path in ["translation", "rotation", "scale"] {
        let mut g = Gltf::new();
        let world = g.node(json!({"name": "world"}));
        let mover = g.child(world, json!({"name": "mover"}));
        let hips = g.child(mover, json!({"name": "hips", "translation": [0, 1, 0]}));
        g.skin(&[hips], &binds(1));
        let values = if path == "rotation" { spin(0, &[0.0, 60.0]) } else { vec![1.0, 1.0, 1.0, 2.0, 3.0, 4.0] };
        g.animate(0, mover, path, "LINEAR", &[0.0, 1.0], &values);
        assert_eq!(names(&agree(&g)), ["mover", "hips"], "{path}");
    }
}

#[test]
fn nodes_between_joints() {
    let mut g = Gltf::new();
    let root = g.node(json!({"name": "root"}));
    let idle = g.child(root, json!({"name": "idle"}));
    let twist = g.child(idle, json!({"name": "twist", "rotation": turn(1, 45.0)}));
    let moved = g.child(twist, json!({"name": "moved"}));
    let tip = g.child(moved, json!({"name": "tip", "translation": [0, 1, 0]}));
    g.skin(&[root, tip], &binds(2));
    g.animate(0, moved, "scale", "LINEAR", &[0.0, 1.0], &[1.0, 1.0, 1.0, 2.0, 1.0, 1.0]);
    g.animate(0, root, "rotation", "LINEAR", &[0.0, 2.0], &spin(2, &[0.0, 30.0]));
    let asset = agree(&g);
    assert_eq!(names(&asset), ["root", "twist", "moved", "tip"], "all that matter, and only those");
    assert_eq!(asset.skins[0].joints, [0, 3]);
    assert_eq!(asset.joint_of_node(idle), None);
}

#[test]
fn several_roots() {
    let mut g = Gltf::new();
    let left = g.node(json!({"name": "left", "translation": [1, 0, 0]}));
    let shift = g.node(json!({"name": "shift", "translation": [0, 0, 9]}));
    let right = g.child(shift, json!({"name": "right", "translation": [-1, 0, 0]}));
    let finger = g.child(left, json!({"name": "finger", "translation": [0.2, 0, 0]}));
    g.skin(&[left, right, finger], &binds(3));
    let asset = agree(&g);
    let roots = asset.skeleton.joints.iter().filter(|joint| joint.parent.is_none()).count();
    assert_eq!((roots, asset.skeleton.joints.len()), (2, 4));
}

#[test]
fn three_hundred_joints() {
    let mut g = Gltf::new();
    let mut random = noise(300);
    let mut nodes = vec![g.node(json!({"name": "0"}))];
    for joint in 1..300 {
        // Some long limbs, some forks.
        let parent = nodes[if joint % 7 == 0 { joint / 2 } else { joint - 1 }];
        let lean = turn(joint % 3, 6.0 * random());
        nodes.push(
            g.child(parent, json!({"name": joint.to_string(), "translation": [0.0, 0.1, 0.0], "rotation": lean})),
        );
    }
    // Every fifth one comes too late in the skin.
    let mut order = nodes.clone();
    order.sort_by_key(|node| node % 5 == 0);
    g.skin(&order, &(0..300).map(|_| at([random(), random(), random()])).collect::<Vec<_>>());
    for joint in (0..300).step_by(10) {
        g.animate(0, nodes[joint], "rotation", "LINEAR", &[0.0, 1.0], &spin(joint % 3, &[0.0, 20.0 * random()]));
    }
    let asset = agree(&g);
    assert_eq!(asset.skeleton.joints.len(), 300);
    assert_eq!(asset.skins[0].nodes, order);
}

#[test]
fn as_many_joints_as_an_index_can_name() {
    let mut g = rigs::bare_chain(1, 1.0);
    for _ in 1..65_535 {
        g.child(0, json!({}));
    }
    g.set("/skins/0", json!({"joints": (0..65_535).collect::<Vec<_>>()}));
    let asset = crate::support::load(&g);
    assert_eq!(asset.skeleton.joints.len(), 65_535);
    assert_eq!(asset.skins[0].joints.last(), Some(&65_534));
}

#[test]
fn where_a_skinned_mesh_hangs_does_not_matter() {
    let mut g = rigs::chain();
    g.set("/nodes/3/translation", json!([100, 0, 0]));
    g.set("/nodes/3/scale", json!([5, 5, 5]));
    let asset = agree(&g);
    assert_eq!(asset.skeleton.joints.len(), 3, "the node of a skinned mesh places nothing");
    assert_eq!(asset.meshes[0].joint, None);
}

#[test]
fn a_mesh_node_below_a_joint_does_not_disturb() {
    let mut g = rigs::chain();
    g.set("/scenes/0/nodes", json!([0]));
    g.set("/nodes/1/children", json!([rigs::BODY, 2]));
    assert_eq!(agree(&g).skeleton.joints.len(), 3);
}

#[test]
fn a_file_without_skins_has_its_animated_nodes_as_joints() {
    let mut g = Gltf::new();
    let hub = g.node(json!({"name": "hub", "translation": [0, 2, 0]}));
    let blade = g.child(hub, json!({"name": "blade"}));
    g.child(blade, json!({"name": "tip", "translation": [1, 0, 0]}));
    g.animate(0, blade, "rotation", "LINEAR", &[0.0, 1.0], &spin(0, &[0.0, 90.0]));
    let asset = agree(&g);
    assert_eq!(names(&asset), ["hub", "blade"]);
    assert_eq!(asset.animations[0].tracks.len(), 1);
}
