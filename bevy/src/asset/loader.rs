use std::collections::HashMap;
use std::io;

use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::reflect::TypePath;
use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::compile::RootMotionOptions;
use nebula_animation::{AnimationClip, AnimationLoadError, Asset as File, ClipMarkers, LibraryOptions, Marker, Rig};
use serde::{Deserialize, Serialize};

use super::CharacterAsset;

/// Settings for loading a [`CharacterAsset`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterSettings {
    /// Whether root motion is extracted from the clips, for [`RootMotion`](crate::RootMotion); default false.
    pub root_motion: bool,
    /// Name of the joint whose motion that is; by default the first joint of the skeleton.
    pub root_joint: Option<String>,
    /// Name of a marker to add to every clip wherever a foot lands, for footsteps; default none.
    pub step_marker: Option<String>,
    /// Moments to report as [`AnimationEvent`](crate::AnimationEvent)s: name of the clip, name of the marker, seconds.
    pub markers: Vec<(String, String, f64)>,
    /// Whether to compile a second copy of each clip for [crowds](crate::CrowdMember), which plays a third faster at
    /// twice the memory; default false.
    pub for_crowds: bool,
    /// Whether every node of the file is animated, including lights and cameras; default false: joints, and nodes that
    /// carry a mesh.
    pub all_nodes: bool,
}

impl CharacterSettings {
    /// What the library is compiled with. Joints and clips that are not there are left out with a line in the log.
    pub(super) fn library_options(&self, rig: &Rig, clips: &[AnimationClip]) -> LibraryOptions {
        let root_motion = self.root_motion.then(|| {
            let joint = self.root_joint.as_deref().map(|name| rig.require_joint(name));
            let joint = joint.transpose().unwrap_or_else(|error| {
                bevy::log::error!("root motion is that of the first joint: {error}");
                None
            });
            joint.map_or_else(RootMotionOptions::default, RootMotionOptions::of_joint)
        });
        LibraryOptions {
            markers: self.markers(clips),
            root_motion,
            for_palettes: self.for_crowds,
            step_marker: self.step_marker.clone(),
            ..LibraryOptions::default()
        }
    }

    /// The markers by the index of their clip.
    fn markers(&self, clips: &[AnimationClip]) -> ClipMarkers {
        let mut markers = ClipMarkers::new();
        for (clip, name, time) in &self.markers {
            match clips.iter().position(|known| known.name == *clip) {
                Some(index) => markers.add(index, Marker { name: name.clone(), time: *time }),
                None => bevy::log::error!("marker {name:?} is of a clip {clip:?} that the file does not have"),
            }
        }
        markers
    }
}

/// Loads `.glb` and `.gltf` files as [`CharacterAsset`]s, from any asset source. External buffers become dependencies.
///
/// It claims no file extension: loads of a [`CharacterAsset`] use it, and Bevy's own loader keeps all other loads of
/// such files.
#[derive(Debug, Default, TypePath)]
pub struct CharacterLoader;

/// Why a file could not be loaded as a character.
#[derive(Debug, thiserror::Error)]
pub enum CharacterLoaderError {
    /// The file could not be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// The file is invalid.
    #[error("{0}")]
    File(#[from] AnimationLoadError),
    /// The file refers to an implausible number of files.
    #[error("refers to more than {MOST_FILES} files")]
    TooManyFiles,
}

/// Files that one file may refer to.
const MOST_FILES: usize = 4096;

impl AssetLoader for CharacterLoader {
    type Asset = CharacterAsset;
    type Settings = CharacterSettings;
    type Error = CharacterLoaderError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &CharacterSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<CharacterAsset, CharacterLoaderError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let name = context.path().to_string();
        let options = LoadOptions {
            // Soles may be meshes of their own, and what is rigid moves too.
            meshes: MeshSelection::All,
            all_nodes_as_joints: settings.all_nodes,
            ..LoadOptions::default()
        };
        let file = read(&name, &bytes, &options, context).await?;
        for warning in &file.warnings {
            bevy::log::warn!("{name}: {warning}");
        }
        Ok(CharacterAsset::new(&file, settings))
    }
}

/// Reads a file and those that it refers to. Bevy's sources are asynchronous and the loader is not, so that it is run again whenever it has
/// asked for something that is still to be fetched.
async fn read(
    name: &str,
    bytes: &[u8],
    options: &LoadOptions,
    context: &mut LoadContext<'_>,
) -> Result<File, CharacterLoaderError> {
    let mut fetched: HashMap<String, Result<Vec<u8>, String>> = HashMap::new();
    loop {
        let mut missing = Vec::new();
        let result = File::from_bytes(name, bytes, options, &mut |uri| match fetched.get(uri) {
            Some(Ok(bytes)) => Ok(bytes.clone()),
            Some(Err(reason)) => Err(io::Error::other(reason.clone())),
            None => {
                missing.push(uri.to_owned());
                Err(io::Error::other("is still to be read"))
            }
        });
        if missing.is_empty() {
            return Ok(result?);
        }
        if fetched.len() + missing.len() > MOST_FILES {
            return Err(CharacterLoaderError::TooManyFiles);
        }
        for uri in missing {
            let bytes = match context.path().resolve_embed_str(&uri) {
                Ok(path) => context.read_asset_bytes(path).await.map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            fetched.insert(uri, bytes);
        }
    }
}
