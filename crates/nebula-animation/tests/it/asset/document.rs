//! The JSON as exporters write it.

use serde_json::{Value, json};

use crate::support::{Gltf, agree, load, rigs, spin, try_load};

/// Writes every integer as `2.0`.
fn with_fractions(value: &mut Value) {
    match value {
        Value::Number(number) => *value = json!(number.as_f64().expect("a number")),
        Value::Array(items) => items.iter_mut().for_each(with_fractions),
        Value::Object(members) => members.values_mut().for_each(with_fractions),
        _ => {}
    }
}

#[test]
fn integers_written_with_a_fraction() {
    let mut g = rigs::chain();
    g.set("/buffers/0/byteLength", g.buffers[0].len());
    with_fractions(&mut g.json);
    assert!(String::from_utf8_lossy(&g.embedded()).contains("\"componentType\":5126.0"));
    assert!(agree(&g).warnings.is_empty());
}

#[test]
fn integers_written_with_an_exponent() {
    let text = String::from_utf8(rigs::chain().embedded()).expect("UTF-8");
    let with_exponent = text.replace("\"componentType\":5126", "\"componentType\":5.126e3");
    assert_ne!(text, with_exponent);
    assert_eq!(try_load(with_exponent.as_bytes()).expect("the same file").skeleton.joints.len(), 3);
}

#[test]
fn unknown_members_and_extras_are_skipped() {
    let mut g = rigs::chain();
    let anything = json!({"a": [1, {"b": null}, "text", true], "c": -1.5e300});
    g.set("/extras", anything.clone());
    g.set("/futureMember", anything.clone());
    for object in ["/asset", "/nodes/0", "/skins/0", "/animations/0", "/meshes/0/primitives/0", "/accessors/0"] {
        g.set(&format!("{object}/extras"), anything.clone());
        g.set(&format!("{object}/unknown"), anything.clone());
        g.set(&format!("{object}/extensions"), json!({"ACME_unknown": anything}));
    }
    g.set("/extensionsUsed", json!(["ACME_unknown"]));
    assert!(agree(&g).warnings.is_empty());
}

#[test]
fn objects_that_do_not_animate_are_skipped() {
    let mut g = rigs::chain();
    g.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}));
    g.node(json!({"camera": 0, "name": "camera"}));
    g.push("samplers", json!({"wrapS": 33071}));
    assert!(agree(&g).warnings.is_empty());
}

#[test]
fn every_version_that_starts_with_two() {
    for (version, least) in [("2.0", None), ("2.1", None), ("2.7", Some("2.0"))] {
        let mut g = rigs::chain();
        g.set("/asset/version", version);
        if let Some(least) = least {
            g.set("/asset/minVersion", least);
        }
        agree(&g);
    }
}

#[test]
fn names_in_any_script_and_with_escapes() {
    let mut g = rigs::chain();
    let names = ["足", "Кость", "\"quoted\"\\"];
    for (node, name) in names.iter().enumerate() {
        g.set(&format!("/nodes/{node}/name"), *name);
    }
    g.set("/animations/0/name", "Lauf – schnell 🏃");
    let asset = agree(&g);
    let loaded: Vec<&str> = asset.skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(loaded, names);
    assert_eq!(asset.animation_by_name("Lauf – schnell 🏃"), Some(0));
}

#[test]
fn look_ups_by_name_find_the_first() {
    let mut g = rigs::chain();
    for node in 0..3 {
        g.set(&format!("/nodes/{node}/name"), "same");
    }
    g.animate(1, 0, "rotation", "LINEAR", &[0.0], &spin(0, &[5.0]));
    g.set("/animations/1/name", "walk");
    let asset = load(&g);
    assert_eq!(asset.skeleton.joint_by_name("same"), Some(0));
    assert_eq!(asset.animation_by_name("walk"), Some(0));
    assert_eq!(asset.skin_by_name("body skin"), Some(0));
    assert_eq!(asset.mesh_by_name("strip"), Some(0));
    assert_eq!(
        (
            asset.animation_by_name("run"),
            asset.skin_by_name(""),
            asset.mesh_by_name("x"),
            asset.clip_entry_by_name("x")
        ),
        (None, None, None, None)
    );
}

#[test]
fn a_file_without_nodes_or_scenes_loads() {
    let mut g = Gltf::new();
    g.json = json!({"asset": {"version": "2.0", "generator": "by hand"}});
    assert!(agree(&g).skeleton.joints.is_empty());

    let mut g = rigs::chain();
    g.remove("/scenes");
    g.remove("/scene");
    assert_eq!(agree(&g).skeleton.joints.len(), 3, "a library of assets need not have a scene");
}

#[test]
fn unnamed_objects_load() {
    let mut g = rigs::chain();
    for object in ["/nodes/0", "/nodes/1", "/nodes/2", "/nodes/3", "/skins/0", "/animations/0", "/meshes/0"] {
        g.remove(&format!("{object}/name"));
    }
    let asset = agree(&g);
    assert_eq!((asset.skins[0].name.as_str(), asset.meshes[0].name.as_str()), ("", ""));
}

#[test]
fn a_mesh_without_a_name_has_its_node_s_name() {
    let mut g = rigs::chain();
    g.remove("/meshes/0/name");
    assert_eq!(load(&g).meshes[0].name, "body");
}
