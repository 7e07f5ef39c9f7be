//! Geometry: attributes, topology, materials, and what carries a rigid mesh.

use nebula_animation::asset::{Alpha, Primitive, Topology};
use serde_json::{Value, json};

use crate::support::{
    Array, F32, Gltf, I8, I16, U8, U16, agree, agree_with, every_node, load, load_with, rigs, spin, turn,
};

const ATTRIBUTES: &str = "/meshes/0/primitives/0/attributes";

fn primitive(g: &Gltf) -> Primitive {
    load(g).meshes[0].primitives[0].clone()
}

/// `chain` with another mode, with these indices or with none.
fn with_mode(mode: Option<u32>, indices: Option<&[u32]>) -> Primitive {
    let mut g = rigs::chain();
    match indices {
        Some(indices) => {
            let indices = g.add(&Array::new(U16, "SCALAR", indices.iter().copied()));
            g.set("/meshes/0/primitives/0/indices", indices);
        }
        None => g.remove("/meshes/0/primitives/0/indices"),
    }
    if let Some(mode) = mode {
        g.set("/meshes/0/primitives/0/mode", mode);
    }
    primitive(&g)
}

#[test]
fn every_mode_becomes_a_plain_list() {
    let indices = Some(&[0, 1, 2, 3, 4][..]);
    for (mode, topology, expected) in [
        (Some(0), Topology::Points, vec![0, 1, 2, 3, 4]),
        (Some(1), Topology::Lines, vec![0, 1, 2, 3]),
        (Some(2), Topology::Lines, vec![0, 1, 1, 2, 2, 3, 3, 4, 4, 0]),
        (Some(3), Topology::Lines, vec![0, 1, 1, 2, 2, 3, 3, 4]),
        (Some(4), Topology::Triangles, vec![0, 1, 2]),
        (None, Topology::Triangles, vec![0, 1, 2]),
    ] {
        let primitive = with_mode(mode, indices);
        assert_eq!((primitive.topology, primitive.indices), (topology, expected), "mode {mode:?}");
    }
}

/// Triangles may start at any of their corners, but must keep their direction.
fn canonical(indices: &[u32]) -> Vec<[u32; 3]> {
    let triangle = |corners: &[u32]| {
        let first = (0..3).min_by_key(|&corner| corners[corner]).unwrap_or(0);
        std::array::from_fn(|corner| corners[(first + corner) % 3])
    };
    indices.chunks(3).map(triangle).collect()
}

#[test]
fn strips_and_fans_keep_the_direction_of_their_triangles() {
    let strip = with_mode(Some(5), Some(&[5, 4, 3, 2, 1, 0]));
    assert_eq!(canonical(&strip.indices), [[3, 5, 4], [2, 3, 4], [1, 3, 2], [0, 1, 2]]);
    let fan = with_mode(Some(6), Some(&[0, 1, 2, 3, 5]));
    assert_eq!(canonical(&fan.indices), [[0, 1, 2], [0, 2, 3], [0, 3, 5]]);
    assert_eq!((strip.topology, fan.topology), (Topology::Triangles, Topology::Triangles));
}

#[test]
fn indices_are_counted_up_where_there_are_none() {
    assert_eq!(with_mode(None, None).indices, [0, 1, 2, 3, 4, 5]);
    assert_eq!(canonical(&with_mode(Some(6), None).indices), [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
    assert_eq!(with_mode(Some(2), None).indices.len(), 12);
}

#[test]
fn lists_too_short_for_a_shape_are_empty() {
    for mode in [1, 3, 4, 5, 6] {
        assert!(with_mode(Some(mode), Some(&[0])).indices.is_empty(), "mode {mode}");
    }
}

#[test]
fn every_attribute_arrives() {
    let mut g = rigs::chain();
    let values = |width: usize| (0..6 * width).map(|number| number as f64 / 64.0).collect::<Vec<_>>();
    let mut add = |shape: &'static str, width: usize| g.add(&Array::new(F32, shape, values(width)));
    let (tangents, uv, other_uv, colors) = (add("VEC4", 4), add("VEC2", 2), add("VEC2", 2), add("VEC4", 4));
    let normals = g.add(&Array::new(F32, "VEC3", [0.0, 0.6, 0.8].repeat(6)));
    for (name, accessor) in
        [("NORMAL", normals), ("TANGENT", tangents), ("TEXCOORD_0", uv), ("TEXCOORD_1", other_uv), ("COLOR_0", colors)]
    {
        g.set(&format!("{ATTRIBUTES}/{name}"), accessor);
    }
    g.set(&format!("{ATTRIBUTES}/_CUSTOM"), 0);
    g.set(&format!("{ATTRIBUTES}/TEXCOORD_7"), uv);
    agree(&g);
    let primitive = primitive(&g);
    assert_eq!(primitive.normals, [[0.0, 0.6, 0.8]; 6]);
    assert_eq!(primitive.tangents[5], [20.0, 21.0, 22.0, 23.0].map(|number| number / 64.0));
    assert_eq!(primitive.uvs[0][5], [10.0 / 64.0, 11.0 / 64.0]);
    assert_eq!(primitive.uvs[0], primitive.uvs[1]);
    assert_eq!(primitive.colors[1], [4.0, 5.0, 6.0, 7.0].map(|number| number / 64.0));
}

#[test]
fn texture_coordinates_and_colours_as_integers() {
    let mut g = rigs::chain();
    let uv = g.add(&Array::normalized(U8, "VEC2", &[1.0, 0.2].repeat(6)));
    let other_uv = g.add(&Array::normalized(U16, "VEC2", &[0.5, 0.0].repeat(6)));
    let colors = g.add(&Array::normalized(U16, "VEC3", &[0.2, 0.4, 1.0].repeat(6)));
    g.set(&format!("{ATTRIBUTES}/TEXCOORD_0"), uv);
    g.set(&format!("{ATTRIBUTES}/TEXCOORD_1"), other_uv);
    g.set(&format!("{ATTRIBUTES}/COLOR_0"), colors);
    let primitive = primitive(&g);
    assert_eq!(primitive.uvs[0][0], [1.0, 0.2]);
    assert!((primitive.uvs[1][0][0] - 0.5).abs() < 1e-4);
    assert_eq!(primitive.colors[3], [0.2, 0.4, 1.0, 1.0], "opaque where no alpha is given");
}

#[test]
fn quantised_geometry() {
    for (component, is_normalized) in [(I8, true), (U8, false), (I16, true), (U16, false), (U16, true), (I16, false)] {
        let mut g = rigs::chain();
        g.set("/extensionsUsed", json!(["KHR_mesh_quantization"]));
        g.set("/extensionsRequired", json!(["KHR_mesh_quantization"]));
        let numbers: Vec<f64> = (0..18).map(f64::from).collect();
        let positions = if is_normalized {
            Array::normalized(component, "VEC3", &numbers.iter().map(|number| number / 20.0).collect::<Vec<_>>())
        } else {
            Array::new(component, "VEC3", numbers)
        };
        let normals = Array::normalized(I8, "VEC3", &[0.0, -1.0, 0.0].repeat(6));
        let tangents = Array::normalized(I16, "VEC4", &[1.0, 0.0, 0.0, -1.0].repeat(6));
        let [positions, normals, tangents] = g.interleave([&positions, &normals, &tangents]);
        for (name, accessor) in [("POSITION", positions), ("NORMAL", normals), ("TANGENT", tangents)] {
            g.set(&format!("{ATTRIBUTES}/{name}"), accessor);
        }
        let asset = agree(&g);
        assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
        assert_eq!(asset.meshes[0].primitives[0].normals, [[0.0, -1.0, 0.0]; 6]);
        assert_eq!(asset.meshes[0].primitives[0].tangents, [[1.0, 0.0, 0.0, -1.0]; 6]);
    }
}

#[test]
fn materials() {
    let mut g = rigs::chain();
    let material = json!({
        "name": "skin",
        "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 0.125, 1], "metallicFactor": 0},
        "doubleSided": true,
    });
    g.push("materials", material);
    g.set("/meshes/0/primitives/0/material", 0);
    let material = primitive(&g).material;
    assert_eq!((material.name.as_str(), material.is_double_sided), ("skin", true));
    assert_eq!(material.base_color_factor, [0.5, 0.25, 0.125, 1.0]);
    assert_eq!(material.base_color_texture, None);
    let plain = primitive(&rigs::chain()).material;
    assert_eq!((plain.base_color_factor, plain.is_double_sided), ([1.0; 4], false), "white where the file states none");
    assert_eq!((material.alpha, plain.alpha), (Alpha::Opaque, Alpha::Opaque));
}

#[test]
fn alpha_modes() {
    let modes = [
        (json!({"alphaMode": "OPAQUE"}), Alpha::Opaque),
        (json!({"alphaMode": "MASK"}), Alpha::Mask(0.5)),
        (json!({"alphaMode": "MASK", "alphaCutoff": 0.25}), Alpha::Mask(0.25)),
        (json!({"alphaMode": "MASK", "alphaCutoff": -3}), Alpha::Mask(0.0)),
        (json!({"alphaMode": "BLEND", "alphaCutoff": 0.25}), Alpha::Blend),
        (json!({"alphaMode": "a mode of the future"}), Alpha::Opaque),
    ];
    for (material, expected) in modes {
        let mut g = rigs::chain();
        g.push("materials", material.clone());
        g.set("/meshes/0/primitives/0/material", 0);
        assert_eq!(primitive(&g).material.alpha, expected, "{material}");
    }
}

#[test]
fn several_primitives_keep_their_order() {
    let mut g = rigs::chain();
    let first: Value = g.json["meshes"][0]["primitives"][0].clone();
    let mut second = first.clone();
    second["mode"] = json!(0);
    g.set("/meshes/0/primitives", json!([first, second]));
    let topologies: Vec<_> = agree(&g).meshes[0].primitives.iter().map(|primitive| primitive.topology).collect();
    assert_eq!(topologies, [Topology::Triangles, Topology::Points]);
}

#[test]
fn a_primitive_without_positions_draws_nothing() {
    let mut g = rigs::chain();
    let bare = json!({"attributes": {"_ID": 0}});
    let full = g.json["meshes"][0]["primitives"][0].clone();
    g.set("/meshes/0/primitives", json!([bare, full]));
    let asset = load(&g);
    assert_eq!(asset.meshes[0].primitives.len(), 1);
    assert_eq!(asset.animations[0].tracks.len(), 4);
}

/// A rigid triangle, below a moving joint, at the root, and with a transform of its own.
fn with_rigid_meshes() -> Gltf {
    let mut g = rigs::chain();
    let positions = g.add(&Array::new(F32, "VEC3", [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    let mesh = g.push("meshes", json!({"name": "hat", "primitives": [{"attributes": {"POSITION": positions}}]}));
    g.child(2, json!({"name": "on the head", "mesh": mesh, "translation": [0, 0.3, 0], "rotation": turn(0, 15.0)}));
    g.node(json!({"name": "on the floor", "mesh": mesh}));
    g.node(json!({"name": "on the table", "mesh": mesh, "translation": [3, 1, 0]}));
    g
}

#[test]
fn rigid_meshes_are_loaded_when_asked_for() {
    let g = with_rigid_meshes();
    let moving = load(&g).meshes.iter().map(|mesh| mesh.node).collect::<Vec<_>>();
    assert_eq!(moving, [3, 4], "by default what a clip can move: the body, and the hat on the head");
    let options = nebula_animation::asset::LoadOptions { all_nodes_as_joints: false, ..every_node() };
    let asset = agree_with(&g, &options);
    let carriers: Vec<_> = asset.meshes.iter().map(|mesh| (mesh.node, mesh.joint)).collect();
    let joint = |node: usize| asset.joint_of_node(node);
    assert_eq!(carriers, [(3, None), (4, joint(4)), (5, None), (6, joint(6))]);
    assert!(joint(4).is_some() && joint(6).is_some() && joint(5).is_none());
    assert!(asset.meshes[1].primitives[0].joints.is_empty(), "no vertex of a rigid mesh names a joint");
}

#[test]
fn a_rigid_mesh_follows_its_joint() {
    let mut g = with_rigid_meshes();
    g.animate(1, 2, "rotation", "LINEAR", &[0.0, 1.0], &spin(0, &[0.0, 90.0]));
    agree_with(&g, &every_node());
    assert_eq!(load_with(&g, &every_node()).meshes.len(), 4);
}
