//! A file, ready to draw.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use nebula_animation::asset::{Mesh, Primitive};
use nebula_animation::{Asset, Rig};

use super::looks::{self, Use, decoded, maps};
use super::outline;
use crate::picture::{Looks, Texture};

/// The most vertices that are drawn, those of every place that shows a mesh counted. A file of a few kilobytes can ask
/// for billions.
const MOST_VERTICES: usize = 8_000_000;

/// A file that is ready for drawing.
#[derive(Debug)]
pub struct Model {
    /// A number of its own: renderers keep what they made of a model by it.
    pub id: u64,
    /// What the file holds, with the outlines of its toons as further primitives of their meshes.
    pub asset: Asset,
    /// Every primitive of every mesh.
    pub parts: Vec<Part>,
    /// What is not shown as the file means it, one line each.
    pub notes: Vec<String>,
    /// The images of the asset, as far as they are shown.
    images: Vec<Image>,
    /// Bind from joint, for each joint.
    bind_matrices: Vec<Mat4>,
    /// Turns +Z to the way that it faces.
    facing: Quat,
    /// Its rig.
    pub rig: Arc<Rig>,
}

/// What does not change about a primitive.
#[derive(Debug)]
pub struct Part {
    /// Index of its mesh in the asset.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Linear colours of the vertices; may be empty.
    pub colors: Vec<Vec4>,
    /// Two sets of texture coordinates, each as far as an image uses it.
    pub uvs: [Vec<Vec2>; 2],
    /// Whether it is the line around a toon, which casts no shadow: all would lie in its own.
    pub is_outline: bool,
}

/// An image as colours and as data, as materials use it.
#[derive(Debug, Default)]
pub(super) struct Image {
    pub(super) color: Option<Texture>,
    pub(super) data: Option<Texture>,
}

impl Model {
    /// Loads a file with everything that can be drawn.
    ///
    /// # Errors
    /// The loader's message, or that there is more than can be drawn.
    pub fn load(file: &Path) -> Result<Self, String> {
        let asset = nebula_import::open(file).map_err(|error| error.in_file(file))?.asset;
        Self::new(asset).map_err(|problem| format!("{}: {problem}", file.display()))
    }

    /// The same for a file in memory that refers to no other.
    ///
    /// # Errors
    /// As for [`Model::load`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, String> {
        Self::from_files(name, bytes, &mut |uri| Err(std::io::Error::other(format!("no file {uri} here"))))
    }

    /// The same for a file in memory, with a function that brings those that it refers to by their relative paths.
    ///
    /// # Errors
    /// As for [`Model::load`].
    pub fn from_files(
        name: &str,
        bytes: &[u8],
        resolve: &mut dyn FnMut(&str) -> std::io::Result<Vec<u8>>,
    ) -> Result<Self, String> {
        let opened = nebula_import::open_bytes(name, bytes, &nebula_import::OpenOptions::default(), resolve);
        let (asset, _) = opened.map_err(|error| error.in_file(name.as_ref()))?;
        Self::new(asset).map_err(|problem| format!("{name}: {problem}"))
    }

    /// The same for what is in memory already.
    ///
    /// # Errors
    /// There is more than can be drawn.
    pub fn new(mut asset: Asset) -> Result<Self, String> {
        let primitives = || asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter());
        let vertices =
            primitives().map(|primitive| primitive.positions.len()).sum::<usize>() + outline::vertices(&asset);
        if vertices > MOST_VERTICES {
            return Err(format!("has {vertices} vertices, at most {MOST_VERTICES} are drawn"));
        }
        let mut notes = Vec::new();
        let images = decoded(&asset, &mut notes);
        let surfaces =
            outline::add(&mut asset, |index| images.get(index).and_then(|image: &Image| image.data.as_ref()));
        let missing = asset.meshes.iter().filter(|mesh| mesh.is_geometry_missing).count();
        if missing > 0 {
            notes.push(format!("{missing} meshes are compressed in a way that is not supported (Draco)"));
        }
        let mut parts = Vec::new();
        for (mesh, Mesh { primitives, .. }) in asset.meshes.iter().enumerate() {
            for (primitive, source) in primitives.iter().enumerate() {
                let is_used = |set: usize| maps(&source.material).iter().any(|(map, _)| map.uv == set);
                let uvs = [0, 1].map(|set| {
                    let uvs = source.uvs[set].iter().filter(|_| is_used(set));
                    uvs.map(|&uv| Vec2::from(uv)).collect()
                });
                let colors = source.colors.iter().copied().map(Vec4::from).collect();
                let is_outline = primitive >= surfaces[mesh];
                parts.push(Part { mesh, primitive, colors, uvs, is_outline });
            }
        }
        let bind_matrices = asset.skeleton.joints.iter().map(|joint| {
            let matrix = joint.inverse_bind_matrix.inverse();
            // A matrix that flattens everything has no inverse, and nothing is seen of what it carries.
            if matrix.is_finite() { matrix } else { Mat4::IDENTITY }
        });
        let rig = asset.rig();
        let front = rig.front().unwrap_or(Vec3::Z);
        let facing = Quat::from_rotation_y(front.x.atan2(front.z));
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Ok(Self { id, bind_matrices: bind_matrices.collect(), facing, rig, asset, parts, notes, images })
    }

    /// The direction of model space that shows a side, which is told for one who faces +Z.
    #[must_use]
    pub fn side(&self, side: Vec3) -> Vec3 {
        self.facing * side
    }

    /// The geometry of a part.
    #[must_use]
    pub fn primitive(&self, part: &Part) -> &Primitive {
        &self.asset.meshes[part.mesh].primitives[part.primitive]
    }

    /// Takes points from a joint's space to that of the bind pose: the inverse of its inverse bind matrix, the identity for a
    /// joint that does not exist.
    #[must_use]
    pub fn bind_matrix(&self, joint: usize) -> Mat4 {
        self.bind_matrices.get(joint).copied().unwrap_or(Mat4::IDENTITY)
    }

    /// How a primitive answers to light, with those of its images that could be decoded.
    #[must_use]
    pub fn looks(&self, primitive: &Primitive) -> Looks<'_> {
        looks::of(&primitive.material, |texture, use_| self.image(texture.image, use_))
    }

    /// An image of the asset for a use of it, where it could be decoded.
    #[must_use]
    pub fn image(&self, index: usize, use_: Use) -> Option<&Texture> {
        let image = self.images.get(index)?;
        if use_ == Use::Color { image.color.as_ref() } else { image.data.as_ref() }
    }

    /// The clip of this name, or else of this number.
    ///
    /// # Errors
    /// One line with the clips that there are.
    pub fn clip(&self, name: &str) -> Result<usize, String> {
        let animations = &self.asset.animations;
        let numbered = || name.parse().ok().filter(|&index| index < animations.len());
        self.asset.animation_by_name(name).or_else(numbered).ok_or_else(|| {
            let mut names: Vec<&str> = animations.iter().take(12).map(|animation| animation.name.as_str()).collect();
            if animations.len() > names.len() {
                names.push("...");
            }
            match names.as_slice() {
                [] => format!("there is no clip {name:?}: the file has none"),
                _ => format!("there is no clip {name:?}, but: {}", names.join(", ")),
            }
        })
    }
}
