//! A description of one picture, for either renderer.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::asset::Mesh;

use super::model::Model;
use crate::picture::{Camera, Ground, Light, Line};

/// What is seen from where. The caller owns everything; the shot only points to it.
#[derive(Debug, Clone, Copy)]
pub struct Shot<'a> {
    /// Where the picture is taken from.
    pub camera: Camera,
    /// The light.
    pub light: Light,
    /// What the bodies stand on.
    pub floor: Floor<'a>,
    /// The characters and what they carry. Bodies of one model come one after the other.
    pub bodies: &'a [Body<'a>],
    /// An overlay, drawn on top of everything, for instance a skeleton.
    pub lines: &'a [Line],
}

/// What the bodies of a shot stand on.
#[derive(Debug, Clone, Copy)]
pub enum Floor<'a> {
    /// Nothing: they float in the sky.
    None,
    /// An endless plane with a grid.
    Grid(Ground),
    /// Hills.
    Terrain(&'a Terrain),
}

/// A model in a pose, somewhere in the world.
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    /// What it is.
    pub model: &'a Model,
    /// World from bind, for each joint of the model's skeleton: the pose and the place in one. Rigid meshes are carried by
    /// their joint's matrix too, times the inverse of its inverse bind matrix ([`Model::bind_matrix`]).
    pub palette: &'a [Mat4],
    /// World from model, for meshes that no joint carries: those of a sword, say. All others find it in the palette.
    pub place: Mat4,
    /// Weights of the morph targets, slot by slot as [`Asset::morphs`](nebula_animation::Asset::morphs) numbers them; missing ones count
    /// as zero.
    pub morph_weights: &'a [f32],
}

impl<'a> Body<'a> {
    /// The weights of the morph targets of a mesh, as many as there are.
    #[must_use]
    pub fn weights_of(&self, mesh: &Mesh) -> &'a [f32] {
        let weights = mesh.morph_slot.and_then(|slot| self.morph_weights.get(slot..)).unwrap_or_default();
        &weights[..weights.len().min(mesh.morph_weights.len())]
    }
}

/// A surface of triangles that does not move. It is matt and casts no shadow; the bodies cast theirs on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Terrain {
    /// Positions of the vertices in world space.
    pub positions: Vec<Vec3>,
    /// Unit normals, one per vertex.
    pub normals: Vec<Vec3>,
    /// Linear colours, one per vertex.
    pub colors: Vec<Vec4>,
    /// Three vertices for each triangle, counter-clockwise as seen from above.
    pub indices: Vec<u32>,
    /// Distance from the camera, in metres, at which it has faded into the sky, and the bodies with it: along
    /// `3t^2 - 2t^3`, where `t` is the part of this distance.
    pub fog: f32,
}
