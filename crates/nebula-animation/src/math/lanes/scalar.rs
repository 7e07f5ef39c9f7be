//! One float at a time.

use super::{Lanes, SIGN_BIT, TurnedTarget};
use crate::math::affine::{Affine, PaletteRows};

/// One float at a time: any machine, and the yardstick for the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar(f32);

impl Scalar {
    #[inline(always)]
    pub fn get(self) -> f32 {
        self.0
    }
}

impl Lanes for Scalar {
    const WIDTH: usize = 1;
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(value)
    }
    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        Self(values[0])
    }
    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        values[0] = self.0;
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn select_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        if self.0 > limit.0 { then } else { otherwise }
    }
    #[inline(always)]
    fn copy_sign_flip(self, sign: Self) -> Self {
        Self(f32::from_bits(self.0.to_bits() ^ (sign.0.to_bits() & SIGN_BIT)))
    }
    #[inline(always)]
    fn store_whole(self, values: &mut [u32]) {
        values[0] = self.0 as u32;
    }
    #[inline(always)]
    fn load_turned<const FROM: usize, const N: usize>(quats: &[&[f32; N]]) -> [Self; 4] {
        let quat = quats[0];
        [Self(quat[FROM]), Self(quat[FROM + 1]), Self(quat[FROM + 2]), Self(quat[FROM + 3])]
    }
    #[inline(always)]
    fn store_turned(values: [Self; 4], target: &mut impl TurnedTarget) {
        let [Self(a), Self(b), Self(c), Self(d)] = values;
        *target.of_lane(0) = [a, b, c, d];
    }
    type Matrix = Affine;
    #[inline(always)]
    fn load_matrix(matrix: &Affine) -> Affine {
        *matrix
    }
    #[inline(always)]
    fn matrix_product(left: Affine, right: &Affine) -> Affine {
        let mut product = Affine::IDENTITY;
        let [a, b, c] = &right.0;
        for (left, product) in left.0.iter().zip(&mut product.0) {
            for column in 0..4 {
                product[column] = (left[0] * a[column] + left[1] * b[column]) + left[2] * c[column];
            }
            product[3] += left[3];
        }
        product
    }
    #[inline(always)]
    fn store_matrix(matrix: Affine, out: &mut Affine) {
        *out = matrix;
    }
    #[inline(always)]
    fn store_rows(matrix: Affine, out: &mut PaletteRows) {
        out.0 = matrix.0;
    }
    #[inline(always)]
    fn store_columns(matrix: Affine, out: &mut [[f32; 4]; 4]) {
        *out = matrix.columns();
    }
    plain_whole!();
}
