//! What files say themselves about the joints of a humanoid: VRM 1.0, VRM 0.x, VRM animations, and Khronos's draft.

use nebula_animation::asset::LoadOptions;
use nebula_animation::skeleton::{Evidence, Finger, Side};
use nebula_animation::{HumanoidJoint as J, HumanoidMap};
use serde_json::{Value, json};

use crate::support::{Gltf, load, load_with};

/// VRM's names of the joints that a human must have, with the joint each hangs from.
const BONES: [(&str, &str); 17] = [
    ("hips", ""),
    ("spine", "hips"),
    ("chest", "spine"),
    ("neck", "chest"),
    ("head", "neck"),
    ("leftUpperArm", "chest"),
    ("leftLowerArm", "leftUpperArm"),
    ("leftHand", "leftLowerArm"),
    ("rightUpperArm", "chest"),
    ("rightLowerArm", "rightUpperArm"),
    ("rightHand", "rightLowerArm"),
    ("leftUpperLeg", "hips"),
    ("leftLowerLeg", "leftUpperLeg"),
    ("leftFoot", "leftLowerLeg"),
    ("rightUpperLeg", "hips"),
    ("rightLowerLeg", "rightUpperLeg"),
    ("rightFoot", "rightLowerLeg"),
];

/// Nodes with names that mean other joints than the file says, three of a thumb, and a skin.
fn misnamed() -> Gltf {
    let mut g = Gltf::new();
    for (index, (_, above)) in BONES.iter().enumerate() {
        // What the file says counts more than these.
        let node = json!({"name": if index == 4 { "Hips" } else { "Head" }, "translation": [0.0, 0.1, 0.0]});
        match BONES.iter().position(|(name, _)| name == above) {
            Some(parent) => g.child(parent, node),
            None => g.node(node),
        };
    }
    let hand = 7;
    let mut above = hand;
    for place in 0..3 {
        above = g.child(above, json!({"name": format!("digit{place}")}));
    }
    let joints: Vec<usize> = (0..20).collect();
    g.skin(&joints, &[]);
    g
}

fn check(g: &Gltf, thumb: [Option<u16>; 3]) {
    let asset = load(g);
    let map = asset.humanoid.clone().expect("the file says it");
    for (node, (name, _)) in BONES.iter().enumerate() {
        let joint = J::ALL.into_iter().find(|joint| {
            let words = joint.to_string().replace(' ', "");
            words == name.to_lowercase()
        });
        let joint = joint.unwrap_or_else(|| panic!("{name}"));
        assert_eq!(map.get(joint), asset.joint_of_node(node), "{name}");
        assert_eq!(map.evidence(joint), Some(Evidence::File), "{name}");
    }
    assert_eq!(map.finger(Side::Left, Finger::Thumb), thumb);
    assert_eq!(map.certainty(), 1.0);
    assert_eq!(asset.rig().humanoid(), &map);
    assert!(HumanoidMap::find(&asset.skeleton).is_err(), "names alone say something else");
}

#[test]
fn vrm_1() {
    let mut g = misnamed();
    let mut bones: Value =
        BONES.iter().enumerate().map(|(node, (name, _))| ((*name).to_owned(), json!({"node": node}))).collect();
    bones["leftThumbMetacarpal"] = json!({"node": 17});
    bones["leftThumbProximal"] = json!({"node": 18.0});
    bones["leftThumbDistal"] = json!({"node": 19});
    bones["leftWing"] = json!({"node": 3});
    for extension in ["VRMC_vrm", "VRMC_vrm_animation"] {
        g.set("/extensions", json!({extension: {"specVersion": "1.0", "humanoid": {"humanBones": bones.clone()}}}));
        check(&g, [Some(17), Some(18), Some(19)]);
    }
}

#[test]
fn vrm_0() {
    let mut g = misnamed();
    let mut bones: Vec<Value> = BONES
        .iter()
        .enumerate()
        .map(|(node, (name, _))| json!({"bone": name, "node": node, "useDefaultValues": true}))
        .collect();
    bones.extend([
        json!({"bone": "leftThumbProximal", "node": 17}),
        json!({"bone": "leftThumbIntermediate", "node": 18}),
        json!({"bone": "leftThumbDistal", "node": 19}),
        json!({"bone": "jaw", "node": -1}),
    ]);
    g.set("/extensions", json!({"VRM": {"humanoid": {"humanBones": bones}}}));
    check(&g, [Some(17), Some(18), Some(19)]);
}

#[test]
fn the_draft_of_khronos() {
    let mut g = misnamed();
    for (node, (name, _)) in BONES.iter().enumerate() {
        g.set(&format!("/nodes/{node}/name"), format!("joint {name}"));
    }
    let pairs: Value = BONES.iter().map(|(name, _)| (format!("joint {name}"), json!(name))).collect();
    g.set("/extensions", json!({"KHR_character_skeleton_mapping": {"skeletalRigMappings": {"vrmHumanoid": pairs}}}));
    let map = load(&g).humanoid.expect("the file says it");
    assert_eq!((map.get(J::Hips), map.get(J::Foot(Side::Right))), (Some(0), Some(16)));
}

/// What is wrong with the extension costs an entry or the extension, never the file.
#[test]
fn faults_cost_entries() {
    let bones: Value =
        BONES.iter().enumerate().map(|(node, (name, _))| ((*name).to_owned(), json!({"node": node}))).collect();
    for (humanoid, warnings, is_known) in [
        (json!({"humanBones": bones}), 0, true),
        (json!({"humanBones": {"hips": {"node": 99}, "head": {"node": 4}}}), 1, true),
        (json!({"humanBones": {"hips": {"node": "x"}}}), 1, false),
        (json!({"humanBones": 7}), 1, false),
        (json!({"humanBones": {}}), 0, false),
        (json!([]), 1, false),
    ] {
        let mut g = misnamed();
        g.set("/extensions", json!({"VRMC_vrm": {"humanoid": humanoid.clone()}}));
        let asset = load(&g);
        assert_eq!(
            (asset.warnings.len(), asset.humanoid.is_some()),
            (warnings, is_known),
            "{humanoid}: {:?}",
            asset.warnings
        );
    }
}

/// A file of motion alone has no skin; what it calls a joint is one, also where nothing moves it.
#[test]
fn a_clip_without_a_body_keeps_the_joints_that_it_names() {
    let mut g = misnamed();
    g.remove("/skins");
    g.animate(0, 0, "rotation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    let bones: Value =
        BONES.iter().enumerate().map(|(node, (name, _))| ((*name).to_owned(), json!({"node": node}))).collect();
    g.set("/extensions", json!({"VRMC_vrm_animation": {"humanoid": {"humanBones": bones}}}));
    let asset = load_with(&g, &LoadOptions::default());
    let map = asset.humanoid.expect("the file says it");
    assert_eq!(map.iter().filter(|(joint, _)| joint.is_required()).count(), 15);
    assert_eq!(asset.animations.len(), 1);
}
