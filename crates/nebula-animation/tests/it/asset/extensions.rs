//! Extensions that a file uses or requires.

use serde_json::{Value, json};

use crate::support::{Gltf, Kind, agree, every_node, load, load_with, rigs, try_load, warning_of};

fn with_extensions(used: Value, required: Value) -> Gltf {
    let mut g = rigs::chain();
    g.set("/extensionsUsed", used);
    g.set("/extensionsRequired", required);
    g
}

#[test]
fn extensions_about_looks_never_matter() {
    for extension in [
        "KHR_texture_transform",
        "KHR_texture_basisu",
        "EXT_texture_webp",
        "EXT_texture_avif",
        "KHR_materials_unlit",
        "KHR_materials_transmission",
        "KHR_materials_variants",
        "KHR_lights_punctual",
        "KHR_node_visibility",
        "KHR_xmp_json_ld",
        "MSFT_texture_dds",
        "VRMC_materials_mtoon",
    ] {
        let g = with_extensions(json!([extension]), json!([extension]));
        let asset = agree(&g);
        assert!(asset.warnings.is_empty(), "{extension}: {:?}", asset.warnings);
    }
}

#[test]
fn an_unknown_optional_extension_is_ignored() {
    let mut g = rigs::chain();
    g.set("/extensionsUsed", json!(["ACME_wobble"]));
    g.set("/extensions", json!({"ACME_wobble": {"x": [1, {"y": null}]}}));
    g.set("/nodes/0/extensions", json!({"ACME_wobble": 3}));
    assert!(agree(&g).warnings.is_empty());
}

#[test]
fn an_unknown_required_extension_is_refused_by_name() {
    let g = with_extensions(json!(["ACME_wobble"]), json!(["KHR_texture_transform", "ACME_wobble"]));
    let error = try_load(&g.glb()).expect_err("nobody knows ACME_wobble");
    assert_eq!(Kind::of(&error), Kind::Extension);
    assert!(error.to_string().contains("ACME_wobble"), "{error}");
}

/// `chain` with its geometry in Draco: accessors without data, and a compressed view.
fn with_draco() -> Gltf {
    let mut g = with_extensions(json!(["KHR_draco_mesh_compression"]), json!(["KHR_draco_mesh_compression"]));
    let view = g.view(b"DRACO and so on");
    for accessor in [rigs::POSITIONS, rigs::JOINTS, rigs::WEIGHTS, rigs::INDICES] {
        g.remove(&format!("/accessors/{accessor}/bufferView"));
    }
    let draco = json!({"bufferView": view, "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}});
    g.set("/meshes/0/primitives/0/extensions", json!({"KHR_draco_mesh_compression": draco}));
    g
}

#[test]
fn a_draco_mesh_loses_its_geometry_only() {
    let asset = agree(&with_draco());
    assert_eq!(asset.skeleton.joints.len(), 3);
    assert_eq!(asset.animations[0].tracks.len(), 4);
    let mesh = &asset.meshes[0];
    assert!(mesh.is_geometry_missing);
    assert!(mesh.primitives.is_empty());
    assert_eq!(mesh.skin, Some(0));
    let warning = warning_of(&asset, "Draco");
    assert!(warning.object.contains("mesh 0 \"strip\""), "{warning}");
    assert!(!load(&rigs::chain()).meshes[0].is_geometry_missing);
}

#[test]
fn a_mesh_may_be_draco_in_part() {
    let mut g = with_draco();
    let mut plain = g.json["meshes"][0]["primitives"][0].clone();
    plain.as_object_mut().expect("an object").remove("extensions");
    let positions = g.add(&crate::support::Array::new(crate::support::F32, "VEC3", [0.5; 9]));
    plain["attributes"] = json!({"POSITION": positions});
    plain.as_object_mut().expect("an object").remove("indices");
    let draco = g.json["meshes"][0]["primitives"][0].clone();
    g.set("/meshes/0/primitives", json!([draco, plain]));
    g.remove("/nodes/3/skin");
    let mesh = &load_with(&g, &every_node()).meshes[0];
    assert!(mesh.is_geometry_missing);
    assert_eq!(mesh.primitives.len(), 1);
    assert_eq!(mesh.primitives[0].positions.len(), 3);
}

/// Where Draco is not required, the plain data stands beside it for loaders like this one.
#[test]
fn optional_draco_has_plain_geometry_beside_it() {
    let mut g = rigs::chain();
    let view = g.view(b"DRACO and so on");
    let draco = json!({"bufferView": view, "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}});
    g.set("/meshes/0/primitives/0/extensions", json!({"KHR_draco_mesh_compression": draco}));
    g.set("/extensionsUsed", json!(["KHR_draco_mesh_compression"]));
    let asset = agree(&g);
    assert!(!asset.meshes[0].is_geometry_missing, "{:?}", asset.warnings);
    assert_eq!(asset.meshes[0].primitives, load(&rigs::chain()).meshes[0].primitives);
}

#[test]
fn draco_that_is_required_but_nowhere_to_be_found_is_refused() {
    let mut g = with_draco();
    let error = {
        g.remove("/meshes/0/primitives/0/extensions");
        try_load(&g.glb()).expect_err("it hides something")
    };
    assert!(error.to_string().contains("KHR_draco_mesh_compression"), "{error}");
}

#[test]
fn known_extensions_may_be_required() {
    let all = json!([
        "KHR_mesh_quantization",
        "KHR_animation_pointer",
        "KHR_animation_clip",
        "EXT_meshopt_compression",
        "KHR_meshopt_compression"
    ]);
    assert!(agree(&with_extensions(all.clone(), all)).warnings.is_empty());
}

#[test]
fn instancing_is_reported() {
    let g = with_extensions(json!(["EXT_mesh_gpu_instancing"]), json!(["EXT_mesh_gpu_instancing"]));
    assert!(warning_of(&load(&g), "EXT_mesh_gpu_instancing").message.contains("not supported"));
}
