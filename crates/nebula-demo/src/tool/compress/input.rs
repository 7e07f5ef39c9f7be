//! Reads the clips of files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::{AnimationClip, Rig};
use nebula_import::Opened;
use nebula_import::bvh::{Bvh, BvhOptions};
use nebula_import::edit;

use super::Options;
use crate::tool::open;

/// A file with clips.
pub struct Input {
    pub file: PathBuf,
    pub rig: Arc<Rig>,
    pub clips: Vec<AnimationClip>,
    /// What was opened, where it is no BVH.
    pub opened: Option<Opened>,
}

/// Reads a file by its ending.
pub fn read(file: &Path, options: &Options) -> Result<Input, String> {
    let is_bvh = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
    if is_bvh {
        return read_bvh(file, options);
    }
    let all = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    let opened = open(file, all)?;
    let clips = opened.clips();
    let clips = match options.rate {
        Some(rate) => clips.iter().map(|clip| edit::resampled(clip, rate)).collect(),
        None => clips,
    };
    Ok(Input { file: file.to_owned(), rig: opened.asset.rig(), clips, opened: Some(opened) })
}

fn read_bvh(file: &Path, options: &Options) -> Result<Input, String> {
    let told = |problem: String| format!("{}: {problem}", file.display());
    let bytes = std::fs::read(file).map_err(|error| told(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut how = BvhOptions { name, ..BvhOptions::default() };
    let mut bvh = Bvh::read(&text, &how).map_err(|error| told(error.to_string()))?;
    // As wherever files are opened: a first frame that is none of the recording is left out.
    if options.drops_first && bvh.begins_with_rest() {
        how.drops_first_frame = true;
        bvh = Bvh::read(&text, &how).map_err(|error| told(error.to_string()))?;
    }
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
    Ok(Input { file: file.to_owned(), rig: Rig::new(bvh.skeleton), clips: vec![bvh.clip], opened: None })
}
