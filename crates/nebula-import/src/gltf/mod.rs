//! Writing glTF: a document with everything that it refers to in one binary chunk.
//!
//! A document is created from a file, in which case it keeps everything that is not changed
//! ([`GltfDocument::of_file`]), or from data in memory ([`GltfDocument::of_asset`]). Add clips to it, and write it as a
//! `.glb`.

mod avatar;
mod clips;
mod compact;
#[cfg(feature = "draco")]
mod draco;
mod error;
mod glb;
mod json;
#[cfg(feature = "ktx2")]
pub mod ktx2;
mod material;
pub(crate) mod mesh;
mod model;
mod read;

use std::collections::HashMap;
use std::path::Path;

use nebula_animation::clip::MorphMesh;
use nebula_animation::{AnimationClip, Asset};
#[cfg(feature = "fbx")]
use serde::Serialize;
use serde_json::{Value, json};

pub use error::GltfError;
use json::Json;

/// A glTF document and its binary data, to modify and write as a `.glb`.
///
/// ```
/// use nebula_animation::{Asset, asset::{LoadOptions, MeshSelection}};
/// use nebula_import::gltf::GltfDocument;
///
/// let path = "../nebula-animation/test_assets/robot.glb";
/// let all = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
/// let asset = Asset::load_with(path, &all)?;
///
/// let mut document = GltfDocument::of_file(path, &asset)?;
/// let mut slow = asset.clips().swap_remove(0);
/// slow.name = "slow".into();
/// document.add_clips(&[slow])?;
/// let bytes = document.into_glb()?;
///
/// let mut nothing = |uri: &str| Err(std::io::Error::other(format!("{uri} is embedded")));
/// let read = Asset::from_bytes("robot", &bytes, &all, &mut nothing)?;
/// assert_eq!(read.animations.len(), asset.animations.len() + 1);
/// assert_eq!(read.skeleton, asset.skeleton);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GltfDocument {
    json: Json,
    binary: Vec<u8>,
    /// Accessors of times, by their bits: channels share them.
    times: HashMap<Vec<u32>, usize>,
    targets: Targets,
    /// Whether animations were replaced or removed, whose keys nobody needs any more.
    has_leftovers: bool,
}

/// What clips can move.
#[derive(Debug, Clone, Default)]
struct Targets {
    joints: Vec<Target>,
    /// With the nodes of this document.
    morphs: Vec<MorphMesh>,
}

/// The node of a joint, and what to do before it can be animated.
#[derive(Debug, Clone)]
struct Target {
    name: String,
    /// `None` where the node has a matrix that no rotation stands for.
    node: Option<usize>,
    bind: nebula_animation::JointPose,
}

impl GltfDocument {
    /// The document of a `.glb`, `.gltf`, `.vrm` or `.vrma` file, with its buffers and images embedded. Everything that
    /// is not changed is written as it was read: unknown extensions and extras, and numbers to the last digit.
    ///
    /// `asset` is the same file, loaded: clips refer to its joints and morph slots.
    ///
    /// # Errors
    /// The file, or a buffer that it refers to, cannot be read. An image that cannot be read stays a reference.
    pub fn of_file(path: impl AsRef<Path>, asset: &Asset) -> Result<Self, GltfError> {
        let mut document = read::file(path.as_ref())?;
        document.set_targets(asset)?;
        Ok(document)
    }

    /// Like [`GltfDocument::of_file`], for a file in memory. `resolve` is called with each URI that is not a data URI.
    ///
    /// # Errors
    /// The file, or a buffer that it refers to, cannot be read.
    pub fn of_bytes(
        bytes: &[u8],
        asset: &Asset,
        resolve: &mut dyn FnMut(&str) -> std::io::Result<Vec<u8>>,
    ) -> Result<Self, GltfError> {
        let mut document = read::memory(bytes, resolve)?;
        document.set_targets(asset)?;
        Ok(document)
    }

    /// A new document from data in memory: skeleton, skins, meshes with morph targets, materials as far as
    /// [`Material`](nebula_animation::asset::Material) covers them, images, `KHR_animation_clip` entries, and the VRM
    /// extensions for humanoid and avatar: 0.x if the avatar has that version, otherwise 1.0. The images of an avatar's
    /// `meta` are left out. It has no clips: add them with [`GltfDocument::add_clips`].
    ///
    /// Load with [`MeshSelection::All`](nebula_animation::asset::MeshSelection::All) to keep all meshes. Each joint
    /// becomes a node with the same index.
    ///
    /// # Errors
    /// A mesh refers to something that the asset does not have, or a constraint rotates about an axis for which VRM has
    /// no name.
    pub fn of_asset(asset: &Asset) -> Result<Self, GltfError> {
        let mut document = Self::empty("Nebula")?;
        model::write(&mut document, asset)?;
        Ok(document)
    }

    /// Adds clips as animations; one with the same name is replaced in place. If several have the same name, each clip
    /// replaces one. Whatever a replaced animation moved that a clip cannot express (nodes that are not joints, and
    /// pointers) stays as it was. Returns what could not be written as intended, and what stayed.
    ///
    /// # Errors
    /// The document is invalid.
    pub fn add_clips(&mut self, clips: &[AnimationClip]) -> Result<Vec<String>, GltfError> {
        clips::append(self, clips)
    }

    /// Removes all animations, and the `KHR_animation_clip` entries that play them.
    ///
    /// # Errors
    /// The document is invalid.
    pub fn clear_clips(&mut self) -> Result<(), GltfError> {
        self.json.clear("animations");
        self.has_leftovers = true;
        let mut extensions = self.json.member("extensions")?;
        if let Some(all) = extensions.as_object_mut()
            && all.remove("KHR_animation_clip").is_some()
        {
            let rest = if all.is_empty() { Value::Null } else { extensions };
            self.json.set_member("extensions", &rest)?;
            self.json.drop_extension("KHR_animation_clip")?;
        }
        Ok(())
    }

    /// `true` if the root object has an extension, such as `VRMC_vrm`.
    #[must_use]
    pub fn has_extension(&self, name: &str) -> bool {
        self.json.member("extensions").is_ok_and(|all| all.get(name).is_some())
    }

    /// A document with nothing in it.
    pub(crate) fn empty(generator: &str) -> Result<Self, GltfError> {
        let mut document = Self::default();
        document.json.set_member("asset", &json!({ "version": "2.0", "generator": generator }))?;
        Ok(document)
    }

    /// Appends an object to a list of the document, and returns its index.
    #[cfg(feature = "fbx")]
    pub(crate) fn push(&mut self, list: &str, value: &impl Serialize) -> Result<usize, GltfError> {
        self.json.push(list, value)
    }

    #[cfg(feature = "fbx")]
    pub(crate) fn count(&self, list: &str) -> usize {
        self.json.count(list)
    }

    #[cfg(feature = "fbx")]
    pub(crate) fn set_scene(&mut self, scene: usize) -> Result<(), GltfError> {
        self.json.set_member("scene", &json!(scene))
    }

    /// The bytes of a `.glb`.
    ///
    /// # Errors
    /// The file would be larger than 4 GB.
    pub fn into_glb(mut self) -> Result<Vec<u8>, GltfError> {
        if self.has_leftovers {
            compact::compact(&mut self)?;
        }
        glb::write(self)
    }
}
