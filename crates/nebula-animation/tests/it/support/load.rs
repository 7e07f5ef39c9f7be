//! The library, called as a user would.

use nebula_animation::asset::{LoadWarning, MeshSelection, Strictness};
use nebula_animation::{AnimationLoadError, Asset, asset::LoadOptions};

use super::Gltf;

/// Loads a file that must load.
pub fn load(g: &Gltf) -> Asset {
    load_with(g, &LoadOptions::default())
}

/// Loads a file that must load, with options.
pub fn load_with(g: &Gltf, options: &LoadOptions) -> Asset {
    try_load_with(&g.glb(), options).unwrap_or_else(|error| panic!("the file should load: {error}"))
}

/// Loads bytes that stand alone.
pub fn try_load(bytes: &[u8]) -> Result<Asset, AnimationLoadError> {
    try_load_with(bytes, &LoadOptions::default())
}

/// Loads bytes that stand alone, with options.
pub fn try_load_with(bytes: &[u8], options: &LoadOptions) -> Result<Asset, AnimationLoadError> {
    keep_as_seed(bytes);
    Asset::from_bytes("test.glb", bytes, options, &mut |uri| panic!("the file has no reason to ask for {uri}"))
}

/// Keeps the small files that tests load in the folder that NEBULA_SEEDS names, if it names one: good seeds for fuzzing, since
/// they hold something of everything.
pub fn keep_as_seed(bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("NEBULA_SEEDS").filter(|_| bytes.len() < 8_000) {
        let name = format!("{:08x}.glb", crc32fast::hash(bytes));
        std::fs::write(std::path::Path::new(&folder).join(name), bytes).expect("the folder of seeds is writable");
    }
}

/// Loads bytes that may ask for any file, and get one of four bytes.
pub fn try_load_resolved(bytes: &[u8]) -> Result<Asset, AnimationLoadError> {
    Asset::from_bytes("test.glb", bytes, &LoadOptions::default(), &mut |_| Ok(vec![1, 2, 3, 4]))
}

/// Options that refuse what could be repaired.
pub fn strict() -> LoadOptions {
    LoadOptions { strictness: Strictness::Strict, ..LoadOptions::default() }
}

/// Options that make a joint of every node and load every mesh.
pub fn every_node() -> LoadOptions {
    LoadOptions { all_nodes_as_joints: true, meshes: MeshSelection::All, ..LoadOptions::default() }
}

/// The only warning that holds these words.
pub fn warning_of<'a>(asset: &'a Asset, words: &str) -> &'a LoadWarning {
    let mut found = asset.warnings.iter().filter(|warning| warning.to_string().contains(words));
    match (found.next(), found.next()) {
        (Some(only), None) => only,
        _ => panic!("expected one warning with {words:?}, found {:?}", asset.warnings),
    }
}
