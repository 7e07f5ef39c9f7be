//! Who comes behind whom, and files that name a few things very many times.

use glam::Vec3;
use nebula_animation::asset::Strictness;
use nebula_animation::rig::avatar::JointColliderShape;
use serde_json::{Value, json};

use super::{avatar, joint, load, load_as, one, zero};

fn follow(file: &mut Value, node: usize, constraint: Value) {
    file["nodes"][node]["extensions"] = json!({ "VRMC_node_constraint": { "constraint": constraint } });
}

/// An aimer whose source hangs from one that is turned, and one that points at what hangs from itself.
#[test]
fn what_is_needed_comes_first() {
    let mut file = one();
    // The hand hangs from the arm, which follows the spine: who points at the hand has to wait for the arm.
    follow(&mut file, 6, json!({ "rotation": { "source": 1 } }));
    // Who points at what hangs from itself would have to be done before itself.
    follow(&mut file, 2, json!({ "aim": { "source": 13, "aimAxis": "PositiveZ" } }));
    follow(&mut file, 13, json!({ "roll": { "source": 10, "rollAxis": "X" } }));
    let (asset, avatar) = avatar(&file);
    let order = |name: &str| {
        let at = joint(&asset, name);
        avatar.constraints.iter().position(|it| it.joint == at).unwrap_or_else(|| panic!("{name} follows"))
    };
    assert!(order("arm") < order("aimer"), "its target hangs from the arm: {:?}", avatar.constraints);
    assert!(order("twist") < order("follower"));
    let head = joint(&asset, "head");
    assert!(avatar.constraints.iter().all(|it| it.joint != head), "{:?}", avatar.constraints);
    assert!(asset.warnings.iter().any(|warning| warning.message.contains("1 joints")), "{:?}", asset.warnings);
    assert_eq!(avatar.constraints.len(), 4);
}

/// Nine thousand joints, each behind the next one of the file: no circle, whatever the order.
#[test]
fn long_chains_are_no_circles() {
    let mut file = one();
    let first = 14;
    for index in 0..9000_usize {
        let mut node = json!({ "name": format!("n{index}"), "translation": [0, 0.01, 0] });
        if index < 8999 {
            node["extensions"] =
                json!({ "VRMC_node_constraint": { "constraint": { "rotation": { "source": first + index + 1 } } } });
        }
        file["nodes"].as_array_mut().expect("nodes").push(node);
        file["nodes"][0]["children"].as_array_mut().expect("children").push(json!(first + index));
    }
    let (asset, avatar) = avatar(&file);
    assert_eq!(avatar.constraints.len(), 3 + 8999, "{:?}", asset.warnings);
}

#[test]
fn who_follows_nobody_is_told_of() {
    for (rule, why) in [(json!({ "source": 10 }), "follows itself"), (json!({}), "has no source")] {
        let mut file = one();
        follow(&mut file, 10, json!({ "rotation": rule }));
        assert!(load_as(&file, Strictness::Strict).is_err(), "{why}");
        let asset = load(&file);
        assert!(asset.warnings.iter().any(|warning| warning.message.contains(why)), "{:?}", asset.warnings);
    }
}

#[test]
fn springs_that_hang_from_others_come_behind_them() {
    let mut file = one();
    let lower = json!({ "name": "lower", "joints": [{ "node": 7 }, { "node": 8 }] });
    let upper = json!({ "name": "upper", "joints": [{ "node": 5 }, { "node": 7 }] });
    file["extensions"]["VRMC_springBone"]["springs"] = json!([lower, upper]);
    let names: Vec<String> = avatar(&file).1.springs.into_iter().map(|chain| chain.name).collect();
    assert_eq!(names, ["upper", "lower"]);
}

/// Both ends of a spring's world are of the other hand in VRM 0.x: colliders, and where things fall.
#[test]
fn gravity_is_of_the_other_hand_too() {
    let spring = &avatar(&zero()).1.springs[0];
    assert_eq!(spring.bones[0].gravity, Vec3::new(0.0, -1.0, -0.5));
    let JointColliderShape::Capsule { ends, .. } = spring.colliders[0].shape else { panic!("a ball") };
    assert_eq!(ends[0].z, -0.3);
}

/// A file of a few hundred kilobytes took ten gigabytes: groups of colliders that springs name over and over, unfolded for each.
#[test]
fn colliders_are_counted_over_the_whole_file() {
    let mut file = zero();
    let balls = vec![json!({ "radius": 0.1 }); 2000];
    let springs = &mut file["extensions"]["VRM"]["secondaryAnimation"];
    springs["colliderGroups"] = json!([{ "node": 2, "colliders": balls }]);
    let named = vec![0; 10_000];
    springs["boneGroups"] = json!([{ "bones": [5], "colliderGroups": named }, { "bones": [5], "colliderGroups": [0] }]);
    let asset = load(&file);
    let springs = &asset.avatar.as_ref().expect("an avatar").springs;
    let count: usize = springs.iter().map(|chain| chain.colliders.len()).sum();
    assert!(count <= 1 << 16, "{count} colliders");
    assert!(asset.warnings.iter().any(|warning| warning.message.contains("colliders")), "{:?}", asset.warnings);
}

/// Each annotation and each bind names a mesh, and each node may show it.
#[test]
fn meshes_are_looked_up_once() {
    let mut file = zero();
    for _ in 0..8000 {
        file["nodes"].as_array_mut().expect("nodes").push(json!({ "mesh": 0 }));
    }
    let seen = vec![json!({ "mesh": 0, "firstPersonFlag": "Both" }); 8000];
    file["extensions"]["VRM"]["firstPerson"]["meshAnnotations"] = json!(seen);
    let binds = vec![json!({ "mesh": 0, "index": 0, "weight": 100 }); 8000];
    file["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"][0]["binds"] = json!(binds);
    let asset = load(&file);
    let avatar = asset.avatar.as_ref().expect("an avatar");
    assert!(avatar.first_person.len() <= 1 << 16 && !avatar.first_person.is_empty());
    let morphs: usize = avatar.expressions.iter().map(|face| face.morphs.len()).sum();
    assert!(morphs <= 1 << 16, "{morphs}");
    for what in ["firstPerson", "expressions"] {
        assert!(asset.warnings.iter().any(|warning| warning.message.contains(what)), "{what}: {:?}", asset.warnings);
    }
}

/// Nodes whose transform is the identity were no joints: springs, colliders, centres and constraints on them were left out.
#[test]
fn nodes_that_lie_where_their_parent_does_are_joints_too() {
    for mut file in [one(), zero()] {
        for node in [0, 2, 5, 10] {
            let node = file["nodes"][node].as_object_mut().expect("a node");
            node.remove("translation");
            node.remove("rotation");
        }
        let is_one = file["extensions"]["VRMC_vrm"].is_object();
        let (asset, avatar) = avatar(&file);
        assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
        let hair = &avatar.springs[0];
        assert_eq!(hair.bones[0].joint, joint(&asset, "hair1"));
        let head = joint(&asset, "head");
        assert!(hair.colliders.iter().any(|collider| collider.joint == head));
        if is_one {
            assert_eq!(hair.center, Some(joint(&asset, "hips")));
            assert!(avatar.constraints.iter().any(|it| it.joint == joint(&asset, "twist")));
        }
    }
}
