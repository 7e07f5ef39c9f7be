//! Meshes as plain arrays, ready for any renderer.

mod attributes;
mod load;
mod topology;

use std::sync::Arc;

use crate::asset::material::Material;
use crate::skinning::{Geometry, MorphDeltas};

pub(super) use load::{Selected, Shown, load, selected};

/// A mesh as one node of the file shows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Name of the mesh, or of its node if the mesh has none; may be empty.
    pub name: String,
    /// The glTF node that shows the mesh.
    pub node: usize,
    /// Index in [`Asset::skins`](crate::Asset::skins); `None` for a rigid mesh.
    pub skin: Option<usize>,
    /// The joint that a rigid mesh is attached to: multiply its vertices by that joint's *model matrix* (not its
    /// skinning matrix). `None` for a skinned mesh, and for a rigid one that is already in model space.
    pub joint: Option<u16>,
    /// Names of the morph targets; empty strings if the file has none.
    pub morph_target_names: Vec<String>,
    /// Default morph weights, one per morph target.
    pub morph_weights: Vec<f32>,
    /// The slot of the first morph weight in [`Asset::morphs`](crate::Asset::morphs); `None` without morph targets.
    pub morph_slot: Option<usize>,
    /// The geometry; shared by meshes that show the same geometry with the same skin.
    pub primitives: Arc<[Primitive]>,
    /// `true` if some geometry is missing because its compression is not supported (Draco).
    pub is_geometry_missing: bool,
}

/// How vertices form shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Topology {
    /// Three indices per triangle (the default).
    #[default]
    Triangles,
    /// Two indices per line.
    Lines,
    /// One index per point.
    Points,
}

/// Geometry with one material. Every non-empty array has one entry per vertex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Primitive {
    /// How `indices` form shapes. Strips, fans and loops of the file are converted to these.
    pub topology: Topology,
    /// Positions in the mesh's bind pose, in mesh space.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals in mesh space; empty if the file has none (glTF then asks for flat shading).
    pub normals: Vec<[f32; 3]>,
    /// Unit tangents in mesh space, and in `w` the sign (1 or -1) of the bitangent `cross(normal, tangent.xyz) * w`; may be empty.
    pub tangents: Vec<[f32; 4]>,
    /// Two sets of texture coordinates, each of which may be empty; (0, 0) is the upper left of the image.
    pub uvs: [Vec<[f32; 2]>; 2],
    /// Linear vertex colours that multiply the base colour, RGBA from 0 to 1; may be empty.
    pub colors: Vec<[f32; 4]>,
    /// The first four joints of each vertex, as indices into the asset's skeleton; empty for a rigid mesh.
    pub joints: Vec<[u16; 4]>,
    /// Their weights. All weights of a vertex, including `more_weights`, sum to 1.
    pub weights: Vec<[f32; 4]>,
    /// Joints five to eight of each vertex; empty if no vertex has more than four.
    pub more_joints: Vec<[u16; 4]>,
    /// Weights five to eight; empty if `more_joints` is.
    pub more_weights: Vec<[f32; 4]>,
    /// Vertex indices, each below the number of vertices. Generated if the file has none.
    pub indices: Vec<u32>,
    /// Offsets that morph weights scale and add, before skinning.
    pub morph_targets: Vec<MorphTarget>,
    /// The material.
    pub material: Material,
}

impl Primitive {
    /// The vertices, for skinning on the CPU or upload to the GPU. Borrows everything; allocates a list of morph
    /// targets.
    ///
    /// ```
    /// use nebula_animation::Asset;
    /// use nebula_animation::skinning::{Blending, SkinnedVertices};
    ///
    /// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
    /// let asset = Asset::load("test_assets/simple_humanoid.glb")?;
    /// let palette = vec![glam::Mat4::IDENTITY; asset.skeleton.joints.len()];
    /// let geometry = asset.meshes[0].primitives[0].geometry();
    /// let mut skinned = SkinnedVertices::default();
    /// skinned.skin(&geometry, &asset.meshes[0].morph_weights, &palette, Blending::Linear);
    /// assert_eq!(skinned.positions.len(), geometry.positions.len());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn geometry(&self) -> Geometry<'_> {
        Geometry {
            positions: &self.positions,
            normals: &self.normals,
            tangents: &self.tangents,
            joints: &self.joints,
            weights: &self.weights,
            more_joints: &self.more_joints,
            more_weights: &self.more_weights,
            morph_targets: self.morph_targets.iter().map(MorphTarget::deltas).collect(),
        }
    }
}

impl MorphTarget {
    fn deltas(&self) -> MorphDeltas<'_> {
        MorphDeltas { positions: &self.positions, normals: &self.normals, tangents: &self.tangents }
    }
}

/// Offsets of one morph target at weight 1, in mesh space. Each array is empty or has one entry per vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to positions.
    pub positions: Vec<[f32; 3]>,
    /// Added to normals.
    pub normals: Vec<[f32; 3]>,
    /// Added to the `xyz` of tangents.
    pub tangents: Vec<[f32; 3]>,
}
