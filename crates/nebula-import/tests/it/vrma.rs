//! Animations of VRM on avatars of VRM: every bone of a humanoid against the formula of the specification, in double precision.

use std::collections::HashMap;

use glam::{DQuat, DVec3};
use nebula_animation::palette::model_matrices;
use nebula_animation::{AnimationClip, Asset, Retarget, sample_pose};
use serde_json::{Map, Value, json};

use crate::corpus;

/// Name, the bone above, and where it is in a T-pose, in metres.
fn bones() -> Vec<(String, Option<String>, DVec3)> {
    let mut all: Vec<(String, Option<String>, DVec3)> = Vec::new();
    let mut add = |name: &str, above: &str, at: [f64; 3]| {
        let above = Some(above.to_owned()).filter(|above| !above.is_empty());
        all.push((name.to_owned(), above, DVec3::from_array(at)));
    };
    add("hips", "", [0.0, 0.95, 0.0]);
    add("spine", "hips", [0.0, 1.05, 0.0]);
    add("chest", "spine", [0.0, 1.2, 0.0]);
    add("upperChest", "chest", [0.0, 1.32, 0.0]);
    add("neck", "upperChest", [0.0, 1.45, 0.0]);
    add("head", "neck", [0.0, 1.53, 0.0]);
    add("jaw", "head", [0.0, 1.55, 0.03]);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let mut limb = |name: &str, above: &str, [x, y, z]: [f64; 3]| {
            let above = match above {
                "upperChest" | "head" | "hips" => above.to_owned(),
                other => format!("{side}{other}"),
            };
            add(&format!("{side}{name}"), &above, [sign * x, y, z]);
        };
        limb("Eye", "head", [0.03, 1.6, 0.07]);
        limb("Shoulder", "upperChest", [0.04, 1.42, 0.0]);
        limb("UpperArm", "Shoulder", [0.15, 1.42, 0.0]);
        limb("LowerArm", "UpperArm", [0.42, 1.42, 0.0]);
        limb("Hand", "LowerArm", [0.67, 1.42, 0.0]);
        limb("ThumbMetacarpal", "Hand", [0.7, 1.42, 0.03]);
        limb("ThumbProximal", "ThumbMetacarpal", [0.73, 1.42, 0.05]);
        limb("ThumbDistal", "ThumbProximal", [0.75, 1.42, 0.06]);
        for (finger, z) in [("Index", 0.03), ("Middle", 0.01), ("Ring", -0.01), ("Little", -0.03)] {
            let [first, second] = ["Proximal", "Intermediate"].map(|part| format!("{finger}{part}"));
            limb(&first, "Hand", [0.76, 1.42, z]);
            limb(&second, &first, [0.8, 1.42, z]);
            limb(&format!("{finger}Distal"), &second, [0.82, 1.42, z]);
        }
        limb("UpperLeg", "hips", [0.09, 0.9, 0.0]);
        limb("LowerLeg", "UpperLeg", [0.09, 0.5, 0.0]);
        limb("Foot", "LowerLeg", [0.09, 0.08, 0.0]);
        limb("Toes", "Foot", [0.09, 0.02, 0.12]);
    }
    all
}

/// A turn of a bone that depends on its name's place, a seed and a moment.
fn turn(index: usize, seed: f64, degrees: f64) -> DQuat {
    let at = index as f64 + seed;
    let axis = DVec3::new((1.7 * at).sin(), (2.3 * at).cos(), (0.9 * at + seed).sin()).normalize();
    DQuat::from_axis_angle(axis, degrees.to_radians() * (1.3 * at).sin())
}

const KEYS: usize = 9;

/// A body whose bones have axes of their own, and where an animation is wanted one that moves all bones.
fn file(scale: f64, seed: f64, is_animation: bool) -> Vec<u8> {
    let bones = bones();
    let place: HashMap<&str, usize> = bones.iter().enumerate().map(|(at, bone)| (bone.0.as_str(), at)).collect();
    // A node above the hips is turned too, as exporters leave it.
    let top = turn(90, seed, 30.0);
    let world = |index: usize| turn(index, seed, 70.0);
    let mut nodes: Vec<Value> = Vec::new();
    for (index, (name, above, at)) in bones.iter().enumerate() {
        let (above, from) = match above {
            Some(above) => (world(place[above.as_str()]), bones[place[above.as_str()]].2),
            None => (top, DVec3::ZERO),
        };
        let translation = above.inverse() * ((*at - from) * scale);
        let rotation = above.inverse() * world(index);
        let children: Vec<usize> =
            (0..bones.len()).filter(|child| bones[*child].1.as_deref() == Some(name.as_str())).collect();
        let mut node = json!({ "name": format!("bone {index}"), "translation": translation.to_array(), "rotation": rotation.to_array() });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        nodes.push(node);
    }
    nodes.push(json!({ "name": "top", "rotation": top.to_array(), "children": [0] }));
    let human: Map<String, Value> =
        bones.iter().enumerate().map(|(index, bone)| (bone.0.clone(), json!({ "node": index }))).collect();
    let humanoid = json!({ "humanBones": human });
    let mut json = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [bones.len()] }], "nodes": nodes,
    });
    let mut binary: Vec<u8> = Vec::new();
    if is_animation {
        json["extensionsUsed"] = json!(["VRMC_vrm_animation"]);
        json["extensions"] = json!({ "VRMC_vrm_animation": { "specVersion": "1.0", "humanoid": humanoid } });
        let (mut views, mut accessors, mut channels, mut samplers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut put = |numbers: &[f64], kind: &str| {
            let width = ["SCALAR", "", "VEC3", "VEC4"].iter().position(|it| *it == kind).expect("a kind") + 1;
            views.push(json!({ "buffer": 0, "byteOffset": binary.len(), "byteLength": 4 * numbers.len() }));
            let mut accessor = json!({ "bufferView": views.len() - 1, "componentType": 5126, "count": numbers.len() / width, "type": kind });
            if kind == "SCALAR" {
                (accessor["min"], accessor["max"]) = (json!([0.0]), json!([numbers[numbers.len() - 1]]));
            }
            accessors.push(accessor);
            numbers.iter().for_each(|number| binary.extend((*number as f32).to_le_bytes()));
            accessors.len() - 1
        };
        let times: Vec<f64> = (0..KEYS).map(|key| 0.25 * key as f64).collect();
        let input = put(&times, "SCALAR");
        for (index, node) in nodes.iter().enumerate().take(bones.len()) {
            let rest: Vec<f64> = node["rotation"].as_array().expect("four").iter().filter_map(Value::as_f64).collect();
            let rest = DQuat::from_slice(&rest);
            let keys: Vec<f64> =
                (0..KEYS).flat_map(|key| (rest * turn(index, 5.0 + key as f64, 40.0)).to_array()).collect();
            let output = put(&keys, "VEC4");
            samplers.push(json!({ "input": input, "output": output }));
            channels.push(json!({ "sampler": samplers.len() - 1, "target": { "node": index, "path": "rotation" } }));
        }
        let hips = bones[0].2 * scale;
        let keys: Vec<f64> = (0..KEYS)
            .flat_map(|key| {
                let at = key as f64;
                (top.inverse() * (hips + DVec3::new(0.1 * at, 0.05 * at.sin(), -0.2 * at) * scale)).to_array()
            })
            .collect();
        let output = put(&keys, "VEC3");
        samplers.push(json!({ "input": input, "output": output }));
        channels.push(json!({ "sampler": samplers.len() - 1, "target": { "node": 0, "path": "translation" } }));
        json["animations"] = json!([{ "name": "all", "channels": channels, "samplers": samplers }]);
        (json["bufferViews"], json["accessors"]) = (json!(views), json!(accessors));
        json["buffers"] = json!([{ "byteLength": binary.len() }]);
    } else {
        json["extensionsUsed"] = json!(["VRMC_vrm"]);
        let meta = json!({ "name": "a", "authors": ["a"], "licenseUrl": "https://vrm.dev/licenses/1.0/" });
        json["extensions"] = json!({ "VRMC_vrm": { "specVersion": "1.0", "meta": meta, "humanoid": humanoid } });
        json["buffers"] = json!([{ "byteLength": 4 }]);
        binary.extend([0; 4]);
    }
    corpus::glb(&json, &binary)
}

fn load(bytes: &[u8]) -> Asset {
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    Asset::from_bytes("made", bytes, &Default::default(), &mut nothing).unwrap_or_else(|error| panic!("{error}"))
}

/// World rotations and the place of the hips, at rest or at a time.
fn worlds(asset: &Asset, at: Option<(&AnimationClip, f32)>) -> (Vec<DQuat>, Vec<DQuat>, DVec3) {
    let mut pose = asset.skeleton.bind_pose();
    if let Some((clip, time)) = at {
        sample_pose(clip, &asset.skeleton, time, &mut pose);
    }
    let mut models = vec![glam::Mat4::IDENTITY; pose.len()];
    model_matrices(&asset.skeleton, &pose, &mut models);
    let mut world: Vec<DQuat> = Vec::new();
    let mut above: Vec<DQuat> = Vec::new();
    for (joint, (_, turn, _)) in asset.skeleton.joints.iter().zip(&pose) {
        let parent = joint.parent.map_or(DQuat::IDENTITY, |parent| world[usize::from(parent)]);
        above.push(parent);
        world.push(parent * turn.as_dquat().normalize());
    }
    let hips = asset.joint_of_node(0).expect("hips");
    (world, above, models[usize::from(hips)].w_axis.truncate().as_dvec3())
}

/// `local = inverse(parentRest) * (sourceParentRest * sourceLocal * inverse(sourceRest)) * rest`, and the way of the hips in heights of the hips.
#[test]
fn every_bone_is_as_the_specification_has_it() {
    let (animation, avatar) = (load(&file(1.0, 1.0, true)), load(&file(1.3, 2.0, false)));
    let count = bones().len();
    assert_eq!(count, 55, "all bones of a humanoid");
    let retarget = Retarget::new(&animation.rig(), &avatar.rig()).unwrap_or_else(|error| panic!("{error}"));
    let (clip, made) = (&animation.clips()[0], retarget.clip(&animation.clips()[0]));
    let (source_rest, source_above, source_hips) = worlds(&animation, None);
    let (rest, above, hips) = worlds(&avatar, None);
    let (mut most, mut turned) = (0.0_f64, 0.0_f64);
    for key in 0..KEYS {
        let time = 0.25 * key as f32;
        let mut pose = animation.skeleton.bind_pose();
        sample_pose(clip, &animation.skeleton, time, &mut pose);
        let mut found = avatar.skeleton.bind_pose();
        sample_pose(&made, &avatar.skeleton, time, &mut found);
        for node in 0..count {
            let [from, to] =
                [&animation, &avatar].map(|asset| usize::from(asset.joint_of_node(node).expect("a joint")));
            let normalised = source_above[from] * pose[from].1.as_dquat().normalize() * source_rest[from].inverse();
            let expected = above[to].inverse() * normalised * rest[to];
            let off = 2.0 * (expected.inverse() * found[to].1.as_dquat()).xyz().length().min(1.0).asin();
            assert!(off < 1e-4, "{} at {time}: {off} rad", bones()[node].0);
            (most, turned) = (most.max(off), turned.max(normalised.angle_between(DQuat::IDENTITY)));
        }
        let [was, is] = [worlds(&animation, Some((clip, time))).2, worlds(&avatar, Some((&made, time))).2];
        let expected = was * (hips.y / source_hips.y);
        assert!(is.distance(expected) < 1e-4, "hips at {time}: {is} instead of {expected}");
    }
    assert!(turned > 0.5, "it moves: {turned} rad, off by {most} at most");
}
