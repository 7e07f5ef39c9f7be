//! The clips of files, glTF or BVH.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::{AnimationClip, Asset, Rig};
use nebula_import::bvh::{Bvh, BvhOptions};
use nebula_import::edit;

use super::Options;

/// A file with clips.
pub struct Input {
    pub file: PathBuf,
    pub rig: Arc<Rig>,
    pub clips: Vec<AnimationClip>,
    /// What was loaded, where it is glTF.
    pub asset: Option<Asset>,
}

/// Reads a file by its ending.
pub fn read(file: &Path, options: &Options) -> Result<Input, String> {
    let is_bvh = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
    if is_bvh {
        return read_bvh(file, options);
    }
    let all = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    let asset = Asset::load_with(file, &all).map_err(|error| error.in_file(file))?;
    let clips = asset.clips();
    let clips = match options.rate {
        Some(rate) => clips.iter().map(|clip| edit::resampled(clip, rate)).collect(),
        None => clips,
    };
    Ok(Input { file: file.to_owned(), rig: asset.rig(), clips, asset: Some(asset) })
}

fn read_bvh(file: &Path, options: &Options) -> Result<Input, String> {
    let told = |problem: String| format!("{}: {problem}", file.display());
    let bytes = std::fs::read(file).map_err(|error| told(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut how = BvhOptions { drops_first_frame: options.drops_first, name, ..BvhOptions::default() };
    let mut bvh = Bvh::read(&text, &how).map_err(|error| told(error.to_string()))?;
    if let Some(rate) = options.rate {
        let every = bvh.rate / rate;
        // Recordings say 0.0083333 s and mean 120 Hz.
        if (every - every.round()).abs() < 0.01 && every >= 1.0 {
            how.every = every.round() as usize;
            bvh = Bvh::read(&text, &how).map_err(|error| told(error.to_string()))?;
        } else {
            bvh.clip = edit::resampled(&bvh.clip, rate);
        }
    }
    Ok(Input { file: file.to_owned(), rig: Rig::new(bvh.skeleton), clips: vec![bvh.clip], asset: None })
}
