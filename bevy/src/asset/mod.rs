//! Assets: characters and state machines.

mod loader;
mod machine;
mod vrm;

use std::sync::Arc;

use bevy::asset::Asset;
use bevy::reflect::TypePath;
use nebula_animation::asset::{Asset as File, Skin};
use nebula_animation::rig::avatar::Avatar;
use nebula_animation::{AnimationClip, AnimationClipLibrary, Rig};

use crate::library::Library;
use crate::reach::Outlines;
pub use loader::{CharacterLoader, CharacterLoaderError, CharacterSettings};
pub use machine::{MachineAsset, MachineLoader, MachineLoaderError};
pub(crate) use vrm::register_vrm;

/// A `.glb`, `.gltf` or `.vrm` file for this plugin: its rig and its compiled clips. `asset_server.load("knight.glb")`
/// returns a handle. Bevy's own `Gltf` of the same file provides what is drawn.
///
/// Everything in it is shared, so cloning is cheap. [`CharacterSettings`] control what is compiled: pass them to
/// `AssetServer::load_builder` or put them in a `.meta` file.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct CharacterAsset {
    /// The authored clips of the file, for characters that [use them](crate::NebulaCharacter::clips_from).
    pub clips: Arc<[AnimationClip]>,
    /// The skins of the file, in order: which joints of the rig the vertices of a mesh refer to.
    pub skins: Arc<[Skin]>,
    /// For each node of the file, the joint that has its transform; `None` if it is not a joint.
    pub node_joints: Arc<[Option<u16>]>,
    /// Avatar settings of the file, such as VRM's.
    pub avatar: Option<Arc<Avatar>>,
    settings: CharacterSettings,
    own: Library,
}

impl CharacterAsset {
    /// Creates a character asset from a loaded file.
    #[must_use]
    pub fn new(file: &File, settings: &CharacterSettings) -> Self {
        let (rig, clips) = (file.rig(), file.clips());
        let options = settings.library_options(&rig, &clips);
        let library = AnimationClipLibrary::with_options(&rig, &clips, options);
        Self {
            own: Library::new(library, Arc::new(Outlines::new(file))),
            clips: clips.into(),
            skins: file.skins.as_slice().into(),
            node_joints: file.node_joints.as_slice().into(),
            avatar: file.avatar.clone().map(Arc::new),
            settings: settings.clone(),
        }
    }

    /// The clips, compiled for the rig.
    #[must_use]
    pub fn library(&self) -> &AnimationClipLibrary {
        &self.own.clips
    }

    /// The rig.
    #[must_use]
    pub fn rig(&self) -> &Arc<Rig> {
        self.own.clips.rig()
    }

    /// The settings it was loaded with.
    #[must_use]
    pub fn settings(&self) -> &CharacterSettings {
        &self.settings
    }

    /// The library of the file's own clips.
    pub(crate) fn own_library(&self) -> Library {
        self.own.clone()
    }

    /// A library of the file's own clips and others, compiled as the file's own.
    pub(crate) fn library_with(&self, more: Vec<AnimationClip>) -> AnimationClipLibrary {
        let mut clips = self.clips.to_vec();
        clips.extend(more);
        AnimationClipLibrary::with_options(self.rig(), &clips, self.settings.library_options(self.rig(), &clips))
    }
}
