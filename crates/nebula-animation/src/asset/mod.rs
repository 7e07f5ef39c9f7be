//! glTF 2.0 files: what is in them, checked and ready to use. Nothing after this stage can fail.
//!
//! [`Asset::load`] reads a whole file; [`load_skeleton_and_clips`] is the short way to one skeleton and its clips.
//!
//! A file from a stranger is safe to load: sizes are checked before memory is taken, indices before they are used, the
//! loader opens no file outside the asset's own folder, and what cannot be understood is an [`AnimationLoadError`] that
//! names the object. What can be repaired is repaired, with an entry in [`Asset::warnings`].

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

/// Everything of a glTF file that animates or deforms.
///
/// All skins share one [`Skeleton`], so that one pose and one palette serve every mesh of the file: vertices refer to
/// joints of that skeleton, whatever the order in their skin. Nodes that are no joints but move or place some are
/// joints too (helper joints); where two skins give one joint different inverse bind matrices, the second one gets a
/// joint of its own below the first.
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
    /// For each joint, the glTF node that it stands for. Two joints may stand for one node: the last one of them that
    /// [`Asset::joint_of_node`] names has the node's own transform.
    pub joint_nodes: Vec<usize>,
    /// For each node of the file, the joint that has its transform; `None` where the node is no joint.
    pub node_joints: Vec<Option<u16>>,
    /// The skins, in file order.
    pub skins: Vec<Skin>,
    /// The animations, in file order.
    pub animations: Vec<Animation>,
    /// The meshes that [`LoadOptions::meshes`] selects, one per node that shows one, in node order.
    pub meshes: Vec<Mesh>,
    /// The morph weights of all nodes of the file that show a mesh with morph targets, whichever meshes are loaded.
    pub morphs: MorphLayout,
    /// The images that the meshes' materials name, encoded as in the file.
    pub images: Vec<ImageBytes>,
    /// The valid entries of `KHR_animation_clip`, in file order.
    pub clip_entries: Vec<ClipEntry>,
    /// Which joints are the hips, the head, the feet, where the file itself says so: VRM's do.
    pub humanoid: Option<HumanoidMap>,
    /// Expressions, the gaze, springs and constraints, where the file has them: VRM's do.
    pub avatar: Option<Avatar>,
    /// What was repaired, skipped or is worth knowing; at most 100.
    pub warnings: Vec<LoadWarning>,
}

impl Asset {
    /// Loads a `.glb` or `.gltf` file with default options. Files that it refers to are read from its folder only.
    ///
    /// # Errors
    /// See [`AnimationLoadError`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, AnimationLoadError> {
        Self::load_with(path, &LoadOptions::default())
    }

    /// Loads a file with options of your own.
    ///
    /// # Errors
    /// See [`AnimationLoadError`].
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, AnimationLoadError> {
        load::from_path(path.as_ref(), options)
    }

    /// Loads a file that is already in memory. `file_name` is used in messages. `resolve` is given the relative,
    /// percent-decoded path of each external buffer or image and returns its bytes; it is never asked for a path that
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

    /// The file at `path` and all files that it refers to, buffers and images, whether they exist or not: what to watch in order to
    /// load an asset again when it changes, or to pack with it. Just the file itself where it cannot be read or understood.
    ///
    /// Paths are those of the loader: below the folder of the file, without repetition.
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

    /// The bytes of a regular file of at most `limit` bytes, as safely as the loader reads it: devices, pipes and folders are refused
    /// without waiting for them.
    ///
    /// # Errors
    /// Where it cannot be read, is no regular file, or is larger.
    pub fn read_file(path: impl AsRef<Path>, limit: u64) -> std::io::Result<Vec<u8>> {
        source::read_file(path.as_ref(), limit)
    }

    /// What a URI in the file at `path` stands for, as safely as the loader reads it: data within the URI itself, or a file of at most
    /// `limit` bytes below the folder of that file.
    ///
    /// ```
    /// let bytes = nebula_animation::Asset::read_reference("hero.gltf", "data:text/plain;base64,aGk=", 100)?;
    /// assert_eq!(bytes, b"hi");
    /// assert!(nebula_animation::Asset::read_reference("hero.gltf", "../secret", 100).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where the URI is not acceptable, or the file cannot be read.
    pub fn read_reference(path: impl AsRef<Path>, uri: &str, limit: u64) -> std::io::Result<Vec<u8>> {
        match source::parse_uri(uri) {
            Ok(source::Reference::Data { bytes, .. }) => Ok(bytes),
            Ok(source::Reference::Path(relative)) => {
                source::read_below(&source::folder_of(path.as_ref()), &relative, limit)
            }
            Err(problem) => Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, problem)),
        }
    }

    /// The rig of the file: its skeleton, its morph targets, and where the soles of its meshes are. Make it once, and share it.
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

    /// The animations as clips, in file order, morph weights included.
    #[must_use]
    pub fn clips(&self) -> Vec<AnimationClip> {
        self.animations.iter().map(Animation::to_clip).collect()
    }

    /// The joint with the transform of glTF node `node`; `None` where that node is no joint.
    #[must_use]
    pub fn joint_of_node(&self, node: usize) -> Option<u16> {
        self.node_joints.get(node).copied().flatten()
    }

    /// Index in [`Asset::animations`] of the first animation of this name.
    #[must_use]
    pub fn animation_by_name(&self, name: &str) -> Option<usize> {
        self.animations.iter().position(|animation| animation.name == name)
    }

    /// Index in [`Asset::skins`] of the first skin of this name.
    #[must_use]
    pub fn skin_by_name(&self, name: &str) -> Option<usize> {
        self.skins.iter().position(|skin| skin.name == name)
    }

    /// Index in [`Asset::meshes`] of the first mesh of this name.
    #[must_use]
    pub fn mesh_by_name(&self, name: &str) -> Option<usize> {
        self.meshes.iter().position(|mesh| mesh.name == name)
    }

    /// Index in [`Asset::clip_entries`] of the first `KHR_animation_clip` entry of this name.
    #[must_use]
    pub fn clip_entry_by_name(&self, name: &str) -> Option<usize> {
        self.clip_entries.iter().position(|entry| entry.name == name)
    }
}

/// Loads the skeleton and the clips of a glTF file.
///
/// The skeleton holds the joints of every skin, parents before children, and one clip per animation of the file, in
/// its order, which carries the morph weights too. A file with morph targets and no skin is a character as well: its skeleton
/// holds what moves or places its meshes, and may be empty. [`Asset::load`] gives more, names and default weights of morph
/// targets among it ([`Asset::morphs`]), and takes less memory for long animations.
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
/// [`AnimationLoadError::NoSkin`] for a file with neither a skin nor a mesh with morph targets that a node shows, and whatever [`Asset::load`] refuses.
pub fn load_skeleton_and_clips(path: &Path) -> Result<(Skeleton, Vec<AnimationClip>), AnimationLoadError> {
    let options = LoadOptions { meshes: MeshSelection::None, ..LoadOptions::default() };
    let asset = Asset::load_with(path, &options)?;
    if asset.skins.is_empty() && asset.morphs.meshes.is_empty() {
        return Err(AnimationLoadError::NoSkin);
    }
    let clips = animation::clips(&asset.animations, path, &options.limits)?;
    Ok((asset.skeleton, clips))
}
