//! Skinning matrices from the space of a character to that of the world.

use glam::{Affine3A, Mat4};

use crate::math::affine::PaletteRows;
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch};

/// Writes the whole matrices `world_from_model * palette[joint]` of some joints, one after the other: what renderers want whose skins list the
/// joints that they use, and whose vertices go straight to the world.
///
/// What the shorter of `joints` and `matrices` lacks is left out, and the matrices of joints that the palette lacks stay as they are. Nothing is
/// allocated.
///
/// ```
/// use glam::{Affine3A, Mat4, Vec3};
/// use nebula_animation::palette::{PaletteRows, matrices_in_world};
///
/// let palette = [PaletteRows::IDENTITY, PaletteRows::from_matrix(&Mat4::from_translation(Vec3::X))];
/// let mut matrices = [Mat4::IDENTITY; 1];
/// matrices_in_world(&Affine3A::from_translation(Vec3::Y), &palette, &[1], &mut matrices);
/// assert_eq!(matrices[0], Mat4::from_translation(Vec3::new(1.0, 1.0, 0.0)));
/// ```
pub fn matrices_in_world(world_from_model: &Affine3A, palette: &[PaletteRows], joints: &[u16], matrices: &mut [Mat4]) {
    let world = Mat4::from(*world_from_model);
    dispatch(Isa::best(), InWorld { world: world.as_ref(), palette, joints, matrices });
}

struct InWorld<'a> {
    world: &'a [f32; 16],
    palette: &'a [PaletteRows],
    joints: &'a [u16],
    matrices: &'a mut [Mat4],
}

impl Kernel for InWorld<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (matrix, joint) in self.matrices.iter_mut().zip(self.joints) {
            if let Some(rows) = self.palette.get(usize::from(*joint)) {
                L::store_whole_matrix(L::product_with_rows(self.world, rows), matrix.as_mut());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The instruction sets are not told apart from outside.
    #[test]
    fn every_instruction_set_has_the_same_bits() {
        let some = |seed: usize| std::array::from_fn(|index| ((seed * 31 + index * 17) % 23) as f32 * 0.137 - 1.3);
        let palette: Vec<_> =
            (0..9).map(|joint| PaletteRows([some(joint), some(joint + 40), some(joint + 80)])).collect();
        let place = Mat4::from_cols_array_2d(&[some(1), some(2), some(3), some(4)]);
        let world = Mat4::from(Affine3A::from_mat4(place));
        let joints = [3, 0, 8, 200, 5];
        let of = |isa| {
            let mut matrices = [Mat4::ZERO; 6];
            let kernel = InWorld { world: world.as_ref(), palette: &palette, joints: &joints, matrices: &mut matrices };
            dispatch(isa, kernel);
            matrices
        };
        let plain = of(Isa::Scalar);
        for (matrix, joint) in plain.iter().zip([3, 0, 8]) {
            assert!(matrix.abs_diff_eq(world * palette[joint].to_matrix(), 1e-5), "{matrix}");
        }
        assert_eq!([plain[3], plain[5]], [Mat4::ZERO; 2], "there is no such joint");
        assert_eq!(of(Isa::best()), plain);
    }
}
