//! glTF 2.0 files: loaded, checked and ready to use. Nothing after this stage can fail.
//!
//! [`Asset::load`] reads a whole file. [`load_skeleton_and_clips`] is a shortcut for one skeleton and its clips.
//!
//! Untrusted files are safe to load: sizes are checked before memory is allocated, indices before they are used, and no
//! file outside the asset's own folder is opened. What cannot be understood is an [`AnimationLoadError`] that names the
//! object. What can be repaired is repaired, with an entry in [`Asset::warnings`].

mod accessor;
mod animation;
mod bounds;
mod buffer;
mod container;
mod document;
mod error;
mod extensions;
mod humanoid;
mod image;
mod khr_clip;
mod load;
mod material;
mod mesh;
mod meshopt;
mod morphs;
mod names;
mod nodes;
mod options;
mod report;
mod rig;
mod seen;
mod skin;
mod soles;
mod source;
mod texture;
mod transform;
mod vrm;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::clip::{AnimationClip, ClipEntry, MorphLayout};
use crate::rig::avatar::Avatar;
use crate::rig::{Rig, RigOptions};
use crate::skeleton::{HumanoidMap, Skeleton};

pub use animation::{Animation, MorphTrack, Property, Track};
pub use error::AnimationLoadError;
pub use image::ImageBytes;
pub use material::{Alpha, Material, MaterialTexture, OutlineWidth, Toon, ToonOutline};
pub use mesh::{Mesh, MorphTarget, Primitive, Topology};
pub use options::{Limits, LoadOptions, MeshSelection, Strictness};
pub use report::LoadWarning;
pub use skin::Skin;
pub use texture::{TextureFilter, TextureSampler, TextureWrap, UvTransform};

/// Everything in a glTF file that animates or deforms.
///
/// All skins share one [`Skeleton`], so that one pose and one palette serve every mesh of the file: vertices refer to
/// joints of that skeleton, whatever the order in their skin. Nodes that are not joints but move or place joints become
/// joints too (helper joints). If two skins give one joint different inverse bind matrices, the second one gets a joint
/// of its own below the first.
///
/// ```
/// use nebula_animation::Asset;
///
/// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
/// let asset = Asset::load("test_assets/simple_humanoid.glb")?;
/// let walk = asset.animation_by_name("walk").expect("the file has a walk");
/// let mut pose = asset.skeleton.bind_pose();
/// asset.animations[walk].sample_pose(&asset.skeleton, 0.5, &mut pose);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Asset {
    /// Every joint, parents before children.
    pub skeleton: Skeleton,
    /// The glTF node of each joint. If two joints stand for one node, the last one, which [`Asset::joint_of_node`]
    /// returns, has the node's own transform.
    pub joint_nodes: Vec<usize>,
    /// For each node of the file, the joint that has its transform; `None` if the node is not a joint.
    pub node_joints: Vec<Option<u16>>,
    /// The skins, in file order.
    pub skins: Vec<Skin>,
    /// The animations, in file order.
    pub animations: Vec<Animation>,
    /// The meshes selected by [`LoadOptions::meshes`], one per node that shows one, in node order.
    pub meshes: Vec<Mesh>,
    /// The morph weights of all nodes in the file that show a mesh with morph targets, whichever meshes are loaded.
    pub morphs: MorphLayout,
    /// The images used by the meshes' materials, encoded as in the file.
    pub images: Vec<ImageBytes>,
    /// The valid entries of `KHR_animation_clip`, in file order.
    pub clip_entries: Vec<ClipEntry>,
    /// Which joints are the hips, the head, the feet, if the file declares them, as VRM files do.
    pub humanoid: Option<HumanoidMap>,
    /// Expressions, gaze, springs and constraints, if the file has them, as VRM files do.
    pub avatar: Option<Avatar>,
    /// Everything that was repaired, skipped or is worth knowing; at most 100 entries.
    pub warnings: Vec<LoadWarning>,
}

impl Asset {
    /// Loads a `.glb` or `.gltf` file with default options. Files that it refers to are read only from its own folder.
    ///
    /// # Errors
    /// See [`AnimationLoadError`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, AnimationLoadError> {
        Self::load_with(path, &LoadOptions::default())
    }

    /// Loads a file with options.
    ///
    /// # Errors
    /// See [`AnimationLoadError`].
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, AnimationLoadError> {
        load::from_path(path.as_ref(), options)
    }

    /// Loads a file that is already in memory. `file_name` is used in messages. `resolve` receives the relative,
    /// percent-decoded path of each external buffer or image and returns its bytes; it is never called with a path that
    /// leaves the asset's folder.
    ///
    /// ```
    /// use nebula_animation::{Asset, asset::LoadOptions};
    ///
    /// let bytes = std::fs::read("test_assets/simple_humanoid.glb")?;
    /// let asset = Asset::from_bytes("humanoid", &bytes, &LoadOptions::default(), &mut |uri| {
    ///     Err(std::io::Error::other(format!("no file {uri} here")))
    /// })?;
    /// assert_eq!(asset.skins.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`AnimationLoadError`].
    pub fn from_bytes(
        file_name: &str,
        bytes: &[u8],
        options: &LoadOptions,
        resolve: &mut dyn FnMut(&str) -> std::io::Result<Vec<u8>>,
    ) -> Result<Self, AnimationLoadError> {
        load::from_bytes(file_name, bytes, options, resolve)
    }

    /// The file at `path` and all buffers and images that it refers to, whether or not they exist: what to watch for
    /// hot reload, or to pack together. Just the file itself if it cannot be read or understood.
    ///
    /// The paths are those that the loader uses: below the folder of the file, without duplicates.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// let path = Path::new("test_assets/simple_humanoid.glb");
    /// assert_eq!(nebula_animation::Asset::files(path), [path], "a .glb usually holds everything itself");
    /// ```
    #[must_use]
    pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
        load::files(path.as_ref())
    }

    /// Reads a regular file of at most `limit` bytes, as safely as the loader does: devices, pipes and folders are
    /// refused without waiting for them.
    ///
    /// # Errors
    /// The file cannot be read, is not a regular file, or is larger.
    pub fn read_file(path: impl AsRef<Path>, limit: u64) -> std::io::Result<Vec<u8>> {
        source::read_file(path.as_ref(), limit)
    }

    /// Reads what a URI in the file at `path` refers to, as safely as the loader does: data within the URI itself, or a
    /// file of at most `limit` bytes below the folder of that file.
    ///
    /// ```
    /// let bytes = nebula_animation::Asset::read_reference("hero.gltf", "data:text/plain;base64,aGk=", 100)?;
    /// assert_eq!(bytes, b"hi");
    /// assert!(nebula_animation::Asset::read_reference("hero.gltf", "../secret", 100).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The URI is not acceptable, or the file cannot be read.
    pub fn read_reference(path: impl AsRef<Path>, uri: &str, limit: u64) -> std::io::Result<Vec<u8>> {
        match source::parse_uri(uri) {
            Ok(source::Reference::Data { bytes, .. }) => Ok(bytes),
            Ok(source::Reference::Path(relative)) => {
                source::read_below(&source::folder_of(path.as_ref()), &relative, limit)
            }
            Err(problem) => Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, problem)),
        }
    }

    /// Creates the rig of the file: its skeleton, its morph targets, and the soles of its meshes. Create it once, and
    /// share it.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Asset, Character};
    ///
    /// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
    /// let asset = Asset::load("test_assets/simple_humanoid.glb")?;
    /// let library = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
    /// let twins = [Character::of(library.clone()), Character::of(library)];
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn rig(&self) -> Arc<Rig> {
        let options =
            RigOptions { morphs: self.morphs.clone(), humanoid: self.humanoid.clone(), ..RigOptions::default() };
        let rig = Rig::build(self.skeleton.clone(), options);
        let soles = soles::find(self, &rig);
        Arc::new(rig.with_soles(soles))
    }

    /// The animations as clips, in file order, including morph weights.
    #[must_use]
    pub fn clips(&self) -> Vec<AnimationClip> {
        self.animations.iter().map(Animation::to_clip).collect()
    }

    /// The joint with the transform of glTF node `node`; `None` if that node is not a joint.
    #[must_use]
    pub fn joint_of_node(&self, node: usize) -> Option<u16> {
        self.node_joints.get(node).copied().flatten()
    }

    /// Index in [`Asset::animations`] of the first animation with this name.
    #[must_use]
    pub fn animation_by_name(&self, name: &str) -> Option<usize> {
        self.animations.iter().position(|animation| animation.name == name)
    }

    /// Index in [`Asset::skins`] of the first skin with this name.
    #[must_use]
    pub fn skin_by_name(&self, name: &str) -> Option<usize> {
        self.skins.iter().position(|skin| skin.name == name)
    }

    /// Index in [`Asset::meshes`] of the first mesh with this name.
    #[must_use]
    pub fn mesh_by_name(&self, name: &str) -> Option<usize> {
        self.meshes.iter().position(|mesh| mesh.name == name)
    }

    /// Index in [`Asset::clip_entries`] of the first `KHR_animation_clip` entry with this name.
    #[must_use]
    pub fn clip_entry_by_name(&self, name: &str) -> Option<usize> {
        self.clip_entries.iter().position(|entry| entry.name == name)
    }
}

/// Loads the skeleton and the clips of a glTF file.
///
/// The skeleton has the joints of every skin, parents before children. There is one clip per animation, in file order,
/// including morph weights. A file with morph targets and no skin is a character too: its skeleton has the joints that
/// move or place its meshes, and may be empty. [`Asset::load`] gives more, such as names and default weights of morph
/// targets ([`Asset::morphs`]), and takes less memory for long animations.
///
/// ```
/// use std::path::Path;
///
/// let (skeleton, clips) =
///     nebula_animation::load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))?;
/// assert_eq!(skeleton.joints.len(), 25);
/// assert_eq!(clips[0].name, "stroll");
/// # Ok::<(), nebula_animation::AnimationLoadError>(())
/// ```
///
/// # Errors
/// [`AnimationLoadError::NoSkin`] for a file with neither a skin nor a mesh with morph targets that a node shows, and
/// every error of [`Asset::load`].
pub fn load_skeleton_and_clips(path: &Path) -> Result<(Skeleton, Vec<AnimationClip>), AnimationLoadError> {
    let options = LoadOptions { meshes: MeshSelection::None, ..LoadOptions::default() };
    let asset = Asset::load_with(path, &options)?;
    if asset.skins.is_empty() && asset.morphs.meshes.is_empty() {
        return Err(AnimationLoadError::NoSkin);
    }
    let clips = animation::clips(&asset.animations, path, &options.limits)?;
    Ok((asset.skeleton, clips))
}
