//! Opens files of any supported format.

use std::path::{Path, PathBuf};

use nebula_animation::asset::{AnimationLoadError, LoadOptions, MeshSelection};
use nebula_animation::{AnimationClip, Asset};
use thiserror::Error;

use crate::bvh::{Bvh, BvhError, BvhOptions, BvhRest, UpAxis};
use crate::gltf::{GltfDocument, GltfError};

/// An opened file of any format: its contents, and a document that can be written as `.glb`.
///
/// ```
/// let opened = nebula_import::open("../nebula-animation/test_assets/robot.glb")?;
/// let glb = opened.document()?.into_glb()?;
/// assert!(!opened.asset.clips().is_empty() && glb.starts_with(b"glTF"));
/// # Ok::<(), nebula_import::ImportError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Opened {
    /// Skeleton, skins, meshes, animations. All meshes are loaded.
    pub asset: Asset,
    /// What was left out or repaired before loading; the loader's own warnings are in the asset.
    pub notes: Vec<String>,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    /// A glTF file, which is read again for a document: nothing of it may be lost.
    Gltf(PathBuf),
    /// A document that was made from another format.
    Made(Box<GltfDocument>),
}

/// How to open files.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenOptions {
    /// Options for the loader; all meshes by default.
    pub load: LoadOptions,
    /// For BVH: metres per unit; detected by default.
    pub bvh_unit: Option<f32>,
    /// For BVH: whether to drop the first frame; `None`, the default, drops it if it is a T-pose and the next one is
    /// not.
    pub bvh_drops_first: Option<bool>,
    /// For BVH: the up axis; detected by default.
    pub bvh_up: Option<UpAxis>,
    /// For BVH: the rest pose of the skeleton.
    pub bvh_rest: BvhRest,
}

impl Default for OpenOptions {
    fn default() -> Self {
        let load = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
        Self { load, bvh_unit: None, bvh_drops_first: None, bvh_up: None, bvh_rest: BvhRest::Automatic }
    }
}

/// Why a file could not be opened or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It cannot be read, or the glTF loader refuses it.
    #[error("{0}")]
    Load(#[from] AnimationLoadError),
    /// It cannot be read or written as glTF.
    #[error("{0}")]
    Gltf(#[from] GltfError),
    /// It is not valid BVH.
    #[error("{0}")]
    Bvh(#[from] BvhError),
    /// It is not valid FBX.
    #[cfg(feature = "fbx")]
    #[error("{0}")]
    Fbx(#[from] crate::fbx::FbxError),
    /// It is FBX, and this program was built without FBX support.
    #[error("this is an FBX file, which this program was built without: build it with the feature `fbx`")]
    NoFbx,
}

impl ImportError {
    /// The message with the file in front of it, unless the loader has already named it.
    #[must_use]
    pub fn in_file(&self, path: &Path) -> String {
        match self {
            Self::Load(error) => error.in_file(path),
            other => format!("{}: {other}", path.display()),
        }
    }
}

/// Opens a `.glb`, `.gltf`, `.vrm`, `.vrma`, `.bvh` or, with the feature `fbx`, `.fbx` file. The format is detected
/// from its first bytes.
///
/// With the features `draco` and `ktx2`, which are on by default, compressed geometry and images are decoded.
///
/// # Errors
/// See [`ImportError`].
pub fn open(path: impl AsRef<Path>) -> Result<Opened, ImportError> {
    open_with(path, &OpenOptions::default())
}

/// Like [`open`], with options.
///
/// # Errors
/// See [`ImportError`].
pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Opened, ImportError> {
    let path = path.as_ref();
    // What cannot be read is the loader's to explain.
    let Ok(bytes) = Asset::read_file(path, options.load.limits.file_bytes) else { return open_gltf(path, options) };
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match kind(&bytes) {
        Kind::Gltf => open_gltf(path, options),
        Kind::Bvh => {
            let told = BvhOptions {
                unit: options.bvh_unit,
                up: options.bvh_up,
                rest: options.bvh_rest,
                drops_first_frame: options.bvh_drops_first.unwrap_or(false),
                name,
                ..BvhOptions::default()
            };
            let text = String::from_utf8_lossy(&bytes);
            let mut bvh = Bvh::read(&text, &told)?;
            let is_rest_first = options.bvh_drops_first.is_none() && bvh.begins_with_rest();
            if is_rest_first {
                bvh = Bvh::read(&text, &BvhOptions { drops_first_frame: true, ..told })?;
            }
            let mut notes = bvh.notes.clone();
            if is_rest_first {
                notes.push("the first frame is the rest pose: left out".into());
            }
            notes.push(format!("one unit is {} m", bvh.unit));
            made(path, bvh.document()?, notes, options)
        }
        #[cfg(feature = "fbx")]
        Kind::Fbx => {
            let (document, notes) = crate::fbx::read(&bytes, &crate::fbx::FbxOptions { name, ..Default::default() })?;
            made(path, document, notes, options)
        }
        #[cfg(not(feature = "fbx"))]
        Kind::Fbx => Err(ImportError::NoFbx),
    }
}

enum Kind {
    Gltf,
    Bvh,
    Fbx,
}

fn kind(bytes: &[u8]) -> Kind {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let begins = |word: &[u8]| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if begins(b"HIERARCHY") {
        Kind::Bvh
    } else if begins(b"Kaydara FBX") || begins(b"; FBX") || begins(b"FBXHeaderExtension") {
        Kind::Fbx
    } else {
        Kind::Gltf
    }
}

/// A document of another format, through the loader that checks everything.
fn made(path: &Path, document: GltfDocument, notes: Vec<String>, options: &OpenOptions) -> Result<Opened, ImportError> {
    let bytes = document.clone().into_glb()?;
    let mut document = document;
    let asset = from_bytes(path, &bytes, options)?;
    document.set_targets(&asset)?;
    Ok(Opened { asset, notes, source: Source::Made(Box::new(document)) })
}

fn from_bytes(path: &Path, bytes: &[u8], options: &OpenOptions) -> Result<Asset, AnimationLoadError> {
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("{uri} was not embedded")));
    Asset::from_bytes(&path.to_string_lossy(), bytes, &options.load, &mut nothing)
}

fn open_gltf(path: &Path, options: &OpenOptions) -> Result<Opened, ImportError> {
    let asset = Asset::load_with(path, &options.load)?;
    let source = Source::Gltf(path.to_owned());
    #[cfg(any(feature = "draco", feature = "ktx2"))]
    if let Some((asset, notes)) = decoded(path, &asset, options)? {
        return Ok(Opened { asset, notes, source });
    }
    Ok(Opened { asset, notes: Vec::new(), source })
}

/// The file with what is compressed decoded, if anything is.
#[cfg(any(feature = "draco", feature = "ktx2"))]
fn decoded(path: &Path, asset: &Asset, options: &OpenOptions) -> Result<Option<(Asset, Vec<String>)>, ImportError> {
    let lacks_geometry = asset.meshes.iter().any(|mesh| mesh.is_geometry_missing);
    let has_ktx2 = asset.images.iter().any(|image| image.mime_type.as_deref() == Some("image/ktx2"));
    if !lacks_geometry && !has_ktx2 {
        return Ok(None);
    }
    let mut document = GltfDocument::of_file(path, asset)?;
    let mut notes = Vec::new();
    #[cfg(feature = "draco")]
    if document.has_draco() {
        notes.append(&mut document.decode_draco()?);
    }
    #[cfg(feature = "ktx2")]
    if document.has_ktx2() {
        notes.append(&mut document.decode_ktx2()?);
    }
    // What was decoded may be none that the loader takes: then the file is what it was without it.
    match from_bytes(path, &document.into_glb()?, options) {
        Ok(asset) => Ok(Some((asset, notes))),
        Err(error) => {
            notes.push(format!("what is compressed is left as it is: {error}"));
            Ok(Some((asset.clone(), notes)))
        }
    }
}

impl Opened {
    /// A document with everything in the file, to modify and write as `.glb`. What was glTF stays as it was, including
    /// Draco and KTX2 data.
    ///
    /// # Errors
    /// The file, or one that it refers to, no longer exists.
    pub fn document(&self) -> Result<GltfDocument, ImportError> {
        Ok(match &self.source {
            Source::Gltf(path) => GltfDocument::of_file(path, &self.asset)?,
            Source::Made(document) => (**document).clone(),
        })
    }

    /// The clips of the file.
    #[must_use]
    pub fn clips(&self) -> Vec<AnimationClip> {
        self.asset.clips()
    }
}
