//! Skinning on the CPU: the same formulas as the shaders in [`shader`](crate::shader), for picking, tests and machines
//! without a GPU; and [`bounds`](crate::skinning::bounds) that follow a pose.
//!
//! Everything here works on plain slices, so it can be used with meshes of any origin; `asset::Primitive::geometry`
//! borrows those of a loaded file.
//!
//! # What happens to a vertex
//! 1. The morph targets are added, scaled by their weights.
//! 2. The matrices of its joints are combined, according to [`Blending`](crate::skinning::Blending).
//! 3. That matrix transforms the position; its cofactors transform the normal, which keeps it perpendicular to the
//!    surface under any scale; its linear part transforms the tangent. A matrix that mirrors keeps normals on the outer
//!    side and flips the sign of the tangent's `w`.

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

/// How the matrices of a vertex's joints are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Blending {
    /// The weighted mean of the matrices, as glTF specifies. Twisted joints lose volume.
    #[default]
    Linear,
    /// Dual quaternions: rigid parts are blended as rotations, so that twisted joints keep their volume; scale and
    /// shear are blended linearly before that. The same as [`Blending::Linear`] for vertices with one joint.
    DualQuaternion,
}

/// Skinning matrices in either format, one per joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Palette<'a> {
    /// Three rows each.
    Rows(&'a [PaletteRows]),
    /// Whole matrices, whose bottom row is taken as `0, 0, 0, 1`.
    Matrices(&'a [Mat4]),
}

impl Palette<'_> {
    /// The number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Matrices(matrices) => matrices.len(),
        }
    }

    /// `true` if there are no joints.
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
