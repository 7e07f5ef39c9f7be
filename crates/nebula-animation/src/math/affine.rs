//! Affine matrices as their upper three rows.

use glam::Mat4;

/// A skinning matrix as its upper three rows, for upload: a vertex `v` becomes `(dot(rows[0], v), dot(rows[1], v), dot(rows[2], v))` with
/// `v.w = 1`. 48 bytes, 16-byte aligned; with the feature `bytemuck`, a slice of them is a slice of bytes.
///
/// ```
/// use glam::{Mat4, Vec3};
/// use nebula_animation::palette::PaletteRows;
///
/// let rows = PaletteRows::from_matrix(&Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)));
/// assert_eq!(rows.0[1], [0.0, 1.0, 0.0, 2.0]);
/// assert_eq!(rows.to_matrix().w_axis.z, 3.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C, align(16))]
pub struct PaletteRows(pub [[f32; 4]; 3]);

impl PaletteRows {
    /// Moves nothing.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// The upper three rows of a matrix.
    #[must_use]
    pub fn from_matrix(matrix: &Mat4) -> Self {
        let rows = matrix.transpose().to_cols_array_2d();
        Self([rows[0], rows[1], rows[2]])
    }

    /// The whole matrix, with the bottom row `0, 0, 0, 1`.
    #[must_use]
    pub fn to_matrix(&self) -> Mat4 {
        let [a, b, c] = self.0;
        Mat4::from_cols_array_2d(&[a, b, c, [0.0, 0.0, 0.0, 1.0]]).transpose()
    }
}

impl Default for PaletteRows {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Three rows of an affine matrix, aligned to a cache line so that no load or store crosses one.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Affine(pub [[f32; 4]; 3], [f32; 4]);

impl Affine {
    pub const IDENTITY: Self = Self::of(PaletteRows::IDENTITY.0);

    /// Of three rows. What fills up the line is there to be read with them, and of no meaning.
    #[inline(always)]
    pub const fn of(rows: [[f32; 4]; 3]) -> Self {
        Self(rows, [0.0; 4])
    }

    /// The four columns of the whole matrix.
    #[inline(always)]
    pub fn columns(&self) -> [[f32; 4]; 4] {
        let [a, b, c] = self.0;
        [[a[0], b[0], c[0], 0.0], [a[1], b[1], c[1], 0.0], [a[2], b[2], c[2], 0.0], [a[3], b[3], c[3], 1.0]]
    }
}
