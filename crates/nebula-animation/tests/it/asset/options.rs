//! What to load, how strictly, and at what cost.

use nebula_animation::asset::{Limits, MeshSelection, Strictness};
use nebula_animation::{AnimationLoadError, asset::LoadOptions};
use serde_json::json;

use crate::support::{
    Array, F32, Folder, Gltf, Kind, agree_with, every_node, load, load_with, rigs, spin, strict, try_load_with,
};

fn with_limits(limits: Limits) -> LoadOptions {
    LoadOptions { limits, ..LoadOptions::default() }
}

/// The limit fits exactly, and not with one less.
fn exact_limit(g: &Gltf, least: u64, limits: impl Fn(u64) -> Limits, what: &str) {
    let bytes = g.glb();
    if let Err(error) = try_load_with(&bytes, &with_limits(limits(least))) {
        panic!("{what} fit {least}: {error}");
    }
    match try_load_with(&bytes, &with_limits(limits(least - 1))).expect_err(what) {
        AnimationLoadError::LimitExceeded { what: named, found, limit, .. } => {
            assert!(named.contains(what), "{named}");
            assert!(found > limit && limit == least - 1, "{found} and {limit}");
        }
        other => panic!("{what}: {other}"),
    }
}

#[test]
fn defaults() {
    let options = LoadOptions::default();
    assert_eq!((options.strictness, options.meshes), (Strictness::Lenient, MeshSelection::Moving));
    assert!(!options.all_nodes_as_joints);
    assert_eq!(options.limits, Limits::default());
    assert_eq!(options.limits.decoded_bytes, 256 << 20);
}

#[test]
fn all_nodes_as_joints() {
    let mut g = rigs::chain();
    let group = g.node(json!({"name": "group"}));
    g.child(group, json!({"name": "hand prop", "translation": [1, 0, 0]}));
    assert_eq!(load(&g).skeleton.joints.len(), 3);
    let asset = agree_with(&g, &every_node());
    assert_eq!(asset.skeleton.joints.len(), 6);
    assert!((0..6).all(|node| asset.joint_of_node(node).is_some()));
    assert_eq!(asset.joint_of_node(6), None);
    assert!(asset.skeleton.joint_by_name("hand prop").is_some());
}

#[test]
fn all_nodes_as_joints_without_a_skin() {
    let mut g = Gltf::new();
    let top = g.node(json!({"name": "top"}));
    g.child(top, json!({"name": "bottom"}));
    assert!(load(&g).skeleton.joints.is_empty());
    assert_eq!(agree_with(&g, &every_node()).skeleton.joints.len(), 2);
}

#[test]
fn mesh_selection() {
    let mut g = rigs::chain();
    let positions = g.add(&Array::new(F32, "VEC3", [0.0; 9]));
    let rigid = g.push("meshes", json!({"name": "rigid", "primitives": [{"attributes": {"POSITION": positions}}]}));
    let scenery = g.node(json!({"mesh": rigid}));
    let morphed = rigs::add_morph(&mut g, 1);
    // Below a joint, below something below a joint, and below a node that only an animation moves.
    let eye = g.child(2, json!({"mesh": rigid}));
    let socket = g.child(1, json!({"translation": [0, 0, 1]}));
    let gem = g.child(socket, json!({"mesh": rigid}));
    let door = g.node(json!({"mesh": rigid}));
    g.animate(0, door, "rotation", "LINEAR", &[0.0, 1.0], &spin(1, &[0.0, 90.0]));
    let nodes = |meshes| -> Vec<usize> {
        let asset = agree_with(&g, &LoadOptions { meshes, ..LoadOptions::default() });
        asset.meshes.iter().map(|mesh| mesh.node).collect()
    };
    assert!(nodes(MeshSelection::None).is_empty());
    assert_eq!(nodes(MeshSelection::Deforming), [rigs::BODY, morphed]);
    assert_eq!(nodes(MeshSelection::Moving), [rigs::BODY, morphed, eye, gem, door]);
    assert_eq!(nodes(MeshSelection::All), [rigs::BODY, scenery, morphed, eye, gem, door]);
}

#[test]
fn broken_geometry_matters_only_to_those_who_ask_for_it() {
    let mut g = rigs::chain();
    g.poke(rigs::POSITIONS, 0, 0, f64::NAN);
    assert!(try_load_with(&g.glb(), &LoadOptions::default()).is_err());
    let skeleton_only = LoadOptions { meshes: MeshSelection::None, ..LoadOptions::default() };
    assert_eq!(load_with(&g, &skeleton_only).skeleton.joints.len(), 3);
}

#[test]
fn strict_loading_accepts_a_clean_file() {
    let asset = load_with(&rigs::chain(), &strict());
    assert!(asset.warnings.is_empty());
    assert_eq!(format!("{asset:?}"), format!("{:?}", load(&rigs::chain())), "and loads the same");
}

#[test]
fn limit_of_nodes() {
    exact_limit(&rigs::chain(), 4, |nodes| Limits { nodes: nodes as usize, ..Limits::default() }, "nodes");
}

#[test]
fn limit_of_channels_counts_all_animations() {
    let mut g = rigs::chain();
    g.animate(1, 0, "rotation", "LINEAR", &[0.0], &spin(0, &[1.0]));
    exact_limit(&g, 5, |channels| Limits { channels: channels as usize, ..Limits::default() }, "channels");
}

#[test]
fn limit_of_file_bytes() {
    let g = rigs::chain();
    let length = g.glb().len() as u64;
    let bytes = |file_bytes| Limits { file_bytes, ..Limits::default() };
    assert!(try_load_with(&g.glb(), &with_limits(bytes(length))).is_ok());
    let folder = Folder::new().file("a.glb", &g.glb());
    let load = |limit| nebula_animation::Asset::load_with(folder.path("a.glb"), &with_limits(bytes(limit)));
    assert!(load(length).is_ok());
    let error = load(length - 1).expect_err("one byte too many");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
}

#[test]
fn limit_of_decoded_bytes() {
    let g = rigs::chain();
    let load = |decoded_bytes| try_load_with(&g.glb(), &with_limits(Limits { decoded_bytes, ..Limits::default() }));
    // 5 times, 3 × 20 rotations, 15 translations, 48 of the inverse binds, 18 + 24 + 24 + 12 of the vertices.
    let error = load(4 * (5 + 60 + 15 + 48)).expect_err("not even without the mesh");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
    assert!(load(4096).is_ok(), "a small character fits into 4 KB");
}

#[test]
fn what_is_shared_is_paid_for_once() {
    let mut g = rigs::bare_chain(3, 1.0);
    let keys = 2_000;
    let times = g.add(&Array::new(F32, "SCALAR", (0..keys).map(f64::from)));
    let values = g.add(&Array::new(F32, "VEC4", [0.0, 0.0, 0.0, 1.0].repeat(keys as usize)));
    for animation in 0..200 {
        g.channel(animation, json!({"node": animation % 3, "path": "rotation"}), "LINEAR", times, values);
    }
    let limits = Limits { decoded_bytes: 20 * keys as u64 + 4_096, ..Limits::default() };
    let asset = load_with(&g, &with_limits(limits));
    assert_eq!(asset.animations.len(), 200);
}

#[test]
fn limit_of_names_cuts_with_a_warning() {
    let mut g = rigs::chain();
    g.set("/nodes/1/name", "ä".repeat(100));
    let options = with_limits(Limits { name_bytes: 11, ..Limits::default() });
    let asset = load_with(&g, &options);
    assert_eq!(asset.skeleton.joints[1].name, "ä".repeat(5), "cut between characters");
    let warning = asset.warnings.first().expect("a warning");
    assert!(warning.object.contains("node 1"), "{warning}");
    assert_eq!(load(&g).skeleton.joints[1].name.len(), 200);
}

#[test]
fn limits_of_nothing_refuse_without_panic() {
    let none = Limits { file_bytes: 0, decoded_bytes: 0, nodes: 0, channels: 0, name_bytes: 0 };
    assert!(try_load_with(&rigs::chain().glb(), &with_limits(none)).is_err());
    let names = Limits { name_bytes: 0, ..Limits::default() };
    assert_eq!(load_with(&rigs::chain(), &with_limits(names)).skeleton.joints[0].name, "");
}

#[test]
fn limits_beyond_all_bounds_do_no_harm() {
    let endless = Limits {
        file_bytes: u64::MAX,
        decoded_bytes: u64::MAX,
        nodes: usize::MAX,
        channels: usize::MAX,
        name_bytes: usize::MAX,
    };
    assert_eq!(load_with(&rigs::chain(), &with_limits(endless.clone())).skeleton.joints.len(), 3);
    let mut g = rigs::chain();
    g.set("/accessors/6/count", u64::MAX);
    assert!(try_load_with(&g.glb(), &with_limits(endless)).is_err());
}
