//! Vertices in a pose, on the CPU: what the shaders of [`shader`](crate::shader) do, with the same formulas, for picking, tests and
//! machines without a GPU, and the [`bounds`](crate::skinning::bounds) that follow a pose.
//!
//! Everything here works on plain slices, so that it serves meshes of any origin; `asset::Primitive::geometry` lends those
//! of a loaded file.
//!
//! # What happens to a vertex
//! 1. The morph targets are added, each times its weight.
//! 2. The matrices of its joints become one, by [`Blending`](crate::skinning::Blending).
//! 3. That matrix moves the position; its cofactors turn the normal, so that it stays at right angles to the surface
//!    under any scale; its linear part turns the tangent. A matrix that mirrors keeps normals on the outer side and
//!    changes the sign of the tangent's `w`.

mod blend;
pub mod bounds;
mod geometry;
mod vertices;

use glam::Mat4;

use crate::palette::PaletteRows;

pub use bounds::{Bounds, PoseBounds};
pub(crate) use geometry::Influences;
pub use geometry::{Geometry, GeometryError, MorphDeltas};
pub use vertices::{SkinnedVertices, transform_vertex};

/// How the matrices of a vertex's joints become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Blending {
    /// The mean of the matrices by their weights: what glTF asks for. Twisted joints lose volume.
    #[default]
    Linear,
    /// Dual quaternions: rigid parts are blended as rotations, so that twisted joints keep their volume; scale and shear
    /// are blended linearly before them. For vertices of one joint it is the same as [`Blending::Linear`].
    DualQuaternion,
}

/// Skinning matrices in either form, one per joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Palette<'a> {
    /// Three rows each.
    Rows(&'a [PaletteRows]),
    /// Whole matrices, whose bottom row is taken as `0, 0, 0, 1`.
    Matrices(&'a [Mat4]),
}

impl Palette<'_> {
    /// How many joints there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Matrices(matrices) => matrices.len(),
        }
    }

    /// Whether there are no joints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The matrix of a joint; `None` beyond the end.
    #[must_use]
    pub fn get(&self, joint: usize) -> Option<PaletteRows> {
        match self {
            Self::Rows(rows) => rows.get(joint).copied(),
            Self::Matrices(matrices) => matrices.get(joint).map(PaletteRows::from_matrix),
        }
    }
}

impl<'a> From<&'a [PaletteRows]> for Palette<'a> {
    fn from(rows: &'a [PaletteRows]) -> Self {
        Self::Rows(rows)
    }
}

impl<'a> From<&'a [Mat4]> for Palette<'a> {
    fn from(matrices: &'a [Mat4]) -> Self {
        Self::Matrices(matrices)
    }
}

impl<'a> From<&'a Vec<PaletteRows>> for Palette<'a> {
    fn from(rows: &'a Vec<PaletteRows>) -> Self {
        Self::Rows(rows)
    }
}

impl<'a> From<&'a Vec<Mat4>> for Palette<'a> {
    fn from(matrices: &'a Vec<Mat4>) -> Self {
        Self::Matrices(matrices)
    }
}
