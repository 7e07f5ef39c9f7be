//! The guides show messages of the loader: those that it gives.

use nebula_animation::{Asset, asset::LoadOptions, load_skeleton_and_clips};
use serde_json::json;

use crate::support::{Folder, Gltf, rigs};

fn guide(name: &str) -> String {
    let path = format!("{}/guides/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the loader says of a file called `hero.glb`: its error, or its first warning.
fn said(bytes: &[u8]) -> String {
    let missing = &mut |_: &str| Err(std::io::Error::new(std::io::ErrorKind::NotFound, "No such file or directory"));
    match Asset::from_bytes("hero.glb", bytes, &LoadOptions::default(), missing) {
        Err(error) => error.to_string(),
        Ok(asset) => asset.warnings.first().expect("an error or a warning").to_string(),
    }
}

/// `chain`, with its mesh named after a hero.
fn hero() -> Gltf {
    let mut g = rigs::chain();
    g.set("/meshes/0/name", "hero");
    g
}

#[test]
fn messages_of_the_way_from_blender_are_those_of_the_loader() {
    let guide = guide("from_blender_and_mixamo.md");
    let mut found = vec![
        said(b"Kaydara FBX Binary  \0\x1a\0 and much more \xff"),
        said(b"BLENDER-v402"),
        said(b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 670372\n"),
    ];
    let mut external = hero();
    external.set("/buffers/0/uri", "hero.bin");
    found.push(said(&external.files().0));
    external.set("/buffers/0/uri", "../hero.bin");
    external.set("/buffers/0/byteLength", external.buffers[0].len());
    found.push(said(external.json.to_string().as_bytes()));

    let mut draco = hero();
    draco.set("/extensionsUsed", json!(["KHR_draco_mesh_compression"]));
    draco.set("/extensionsRequired", json!(["KHR_draco_mesh_compression"]));
    let compressed = json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}});
    draco.set("/meshes/0/primitives/0/extensions", compressed);
    found.push(said(&draco.glb()));

    let mut unskinned = hero();
    unskinned.remove("/meshes/0/primitives/0/attributes/JOINTS_0");
    unskinned.remove("/meshes/0/primitives/0/attributes/WEIGHTS_0");
    found.push(said(&unskinned.glb()));

    let mut twelve = hero();
    for set in ["1", "2"] {
        for attribute in ["JOINTS", "WEIGHTS"] {
            let first = twelve.json["meshes"][0]["primitives"][0]["attributes"][format!("{attribute}_0")].clone();
            twelve.set(&format!("/meshes/0/primitives/0/attributes/{attribute}_{set}"), first);
        }
    }
    found.push(said(&twelve.glb()));

    let mut no_skin = hero();
    no_skin.remove("/skins");
    no_skin.remove("/nodes/3/skin");
    let folder = Folder::new().file("hero.glb", &no_skin.glb());
    let error = load_skeleton_and_clips(&folder.path("hero.glb")).expect_err("there is no skin");
    found.push(error.in_file("hero.glb".as_ref()));

    for message in &found {
        assert!(guide.contains(&format!("`{message}`")), "the guide does not show: {message}");
    }
    // And no others: every row of its table is one of these.
    let rows = guide.lines().filter(|line| line.starts_with("| `hero.glb") || line.starts_with("| `glTF parse error"));
    assert_eq!(rows.count() + guide.lines().filter(|line| line.starts_with("| `mesh 0")).count(), found.len());
}
