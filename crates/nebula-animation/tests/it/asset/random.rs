//! Characters made at random agree with the reference.

use nebula_animation::asset::LoadWarning;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Array, Component, F32, Gltf, I16, U8, agree, agree_with, every_node, noise};

/// One node: its parent (an earlier node, or none), its transform, whether it is a joint.
#[derive(Debug, Clone)]
struct Part {
    parent: usize,
    is_root: bool,
    is_joint: bool,
    kind: u8,
    seed: u64,
}

/// One channel: its node, its property, its interpolation, its keys.
#[derive(Debug, Clone)]
struct Motion {
    animation: usize,
    node: usize,
    path: usize,
    how: usize,
    keys: usize,
    is_small: bool,
    seed: u64,
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let part = (0..1_000_usize, prop::bool::weighted(0.15), prop::bool::weighted(0.7), 0..5_u8, any::<u64>());
    vec(part.prop_map(|(parent, is_root, is_joint, kind, seed)| Part { parent, is_root, is_joint, kind, seed }), 1..16)
}

fn motions() -> impl Strategy<Value = Vec<Motion>> {
    let motion = (0..3_usize, 0..1_000_usize, 0..3_usize, 0..3_usize, 1..6_usize, any::<bool>(), any::<u64>());
    let make = |(animation, node, path, how, keys, is_small, seed)| Motion {
        animation,
        node,
        path,
        how,
        keys,
        is_small,
        seed,
    };
    vec(motion.prop_map(make), 0..12)
}

fn unit(random: &mut impl FnMut() -> f64) -> Vec<f64> {
    let parts: Vec<f64> = (0..4).map(|_| random()).collect();
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length < 0.1 { vec![0.0, 0.0, 0.0, 1.0] } else { parts.iter().map(|part| part / length).collect() }
}

fn build(parts: &[Part], motions: &[Motion], shuffle: u64) -> Gltf {
    let mut g = Gltf::new();
    for (index, part) in parts.iter().enumerate() {
        let mut random = noise(part.seed);
        let mut three = |scale: f64| json!([random() * scale, random() * scale, random() * scale]);
        let node = match part.kind {
            0 => json!({}),
            1 => json!({"translation": three(2.0)}),
            2 => json!({"translation": three(2.0), "scale": three(2.0)}),
            _ => {
                let mut random = noise(part.seed);
                json!({"translation": three(2.0), "rotation": unit(&mut random)})
            }
        };
        if part.is_root || index == 0 {
            g.node(node)
        } else {
            g.child(part.parent % index, node)
        };
    }
    let mut joints: Vec<usize> = (0..parts.len()).filter(|&node| parts[node].is_joint).collect();
    let mut random = noise(shuffle);
    if shuffle.is_multiple_of(2) {
        joints.sort_by_cached_key(|_| (random() * 1e9) as i64);
    }
    for skin in 0..shuffle % 3 {
        let some: Vec<usize> = joints.iter().copied().filter(|joint| skin == 0 || joint % 2 == 0).collect();
        if !some.is_empty() {
            let bind = |random: &mut dyn FnMut() -> f64| crate::support::at([random(), random(), random()]);
            let binds: Vec<[f64; 16]> = some.iter().map(|_| bind(&mut random)).collect();
            g.skin(&some, &binds);
        }
    }
    let mut driven = Vec::new();
    for motion in motions {
        let node = motion.node % parts.len();
        let path = ["translation", "rotation", "scale"][motion.path];
        // Animations are numbered without gaps, and no two channels drive one property.
        let animation = motion.animation.min(g.json["animations"].as_array().map_or(0, Vec::len));
        if driven.contains(&(animation, node, path)) {
            continue;
        }
        driven.push((animation, node, path));
        channel(&mut g, motion, animation, node, path);
    }
    g
}

fn channel(g: &mut Gltf, motion: &Motion, animation: usize, node: usize, path: &str) {
    let how = ["STEP", "LINEAR", "CUBICSPLINE"][motion.how];
    let keys = if how == "CUBICSPLINE" { motion.keys + 1 } else { motion.keys };
    let mut random = noise(motion.seed);
    let mut time = random().abs();
    let mut times = Vec::new();
    for _ in 0..keys {
        times.push(time);
        time += 0.05 + random().abs();
    }
    let is_rotation = path == "rotation";
    let width = if is_rotation { 4 } else { 3 };
    let mut values = Vec::new();
    for _ in 0..keys {
        let mut tangent = |values: &mut Vec<f64>| {
            if how == "CUBICSPLINE" {
                values.extend((0..width).map(|_| 0.3 * random()));
            }
        };
        tangent(&mut values);
        let mut key = noise(motion.seed ^ values.len() as u64);
        values.extend(if is_rotation { unit(&mut key) } else { vec![key(), key(), key()] });
        tangent(&mut values);
    }
    let component: Component = if is_rotation && motion.is_small { I16 } else { F32 };
    let times = g.add(&Array::new(F32, "SCALAR", times));
    let values = g.add(&Array::normalized(component, if is_rotation { "VEC4" } else { "VEC3" }, &values));
    g.channel(animation, json!({"node": node, "path": path}), how, times, values);
}

/// A mesh on the first skin, if there is one.
fn add_mesh(g: &mut Gltf, seed: u64) {
    let Some(count) = g.json["skins"][0]["joints"].as_array().map(Vec::len) else { return };
    let mut random = noise(seed);
    let positions: Vec<f64> = (0..15).map(|_| random()).collect();
    let joints: Vec<f64> = (0..20).map(|_| (random().abs() * count as f64).floor().min(count as f64 - 1.0)).collect();
    let weights: Vec<f64> = (0..20).map(|_| 0.01 + random().abs()).collect();
    let attributes = json!({
        "POSITION": g.add(&Array::new(F32, "VEC3", positions)),
        "JOINTS_0": g.add(&Array::new(U8, "VEC4", joints)),
        "WEIGHTS_0": g.add(&Array::new(F32, "VEC4", weights)),
    });
    g.push("meshes", json!({"primitives": [{"attributes": attributes}]}));
    g.node(json!({"mesh": 0, "skin": 0}));
}

proptest! {
    // Few, so that a debug run takes seconds; PROPTEST_CASES asks for more.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn random_characters_agree_with_the_reference(parts in parts(), motions in motions(), shuffle in any::<u64>()) {
        let mut g = build(&parts, &motions, shuffle);
        add_mesh(&mut g, shuffle);
        let asset = agree(&g);
        // A random channel may well move a node that carries nothing, and a random skin may reach over several trees; nothing
        // else is odd about these files.
        let is_expected = |warning: &LoadWarning| {
            warning.message.contains("not joints") || warning.message.contains("no common root")
        };
        prop_assert!(asset.warnings.iter().all(is_expected), "{:?}", asset.warnings);
    }

    #[test]
    fn random_hierarchies_agree_node_by_node(parts in parts()) {
        let asset = agree_with(&build(&parts, &[], 0), &every_node());
        prop_assert_eq!(asset.skeleton.joints.len(), parts.len());
    }
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(48)
}
