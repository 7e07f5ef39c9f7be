//! NEON, which every aarch64 has.

use std::arch::aarch64::*;

use super::{Affine, Lanes, PaletteRows, SIGN_BIT, TurnedTarget};

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct Neon(float32x4_t);

impl Lanes for Neon {
    instructions! {
        width: 4; splat = vdupq_n_f32, load = vld1q_f32, store = vst1q_f32, sqrt = vsqrtq_f32;
        add = vaddq_f32, sub = vsubq_f32, mul = vmulq_f32, div = vdivq_f32
    }
    #[inline(always)]
    fn select_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: part of every aarch64.
        unsafe { Self(vbslq_f32(vcgtq_f32(self.0, limit.0), then.0, otherwise.0)) }
    }
    #[inline(always)]
    fn copy_sign_flip(self, sign: Self) -> Self {
        // SAFETY: part of every aarch64.
        unsafe {
            let bit = vandq_u32(vreinterpretq_u32_f32(sign.0), vdupq_n_u32(SIGN_BIT));
            Self(vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(self.0), bit)))
        }
    }
    #[inline(always)]
    fn store_whole(self, values: &mut [u32]) {
        let values = &mut values[..4];
        // SAFETY: part of every aarch64; four numbers are writable, and no alignment is needed.
        unsafe { vst1q_u32(values.as_mut_ptr(), vcvtq_u32_f32(self.0)) }
    }
    #[inline(always)]
    fn load_turned<const FROM: usize, const N: usize>(quats: &[&[f32; N]]) -> [Self; 4] {
        let mut turned = [[0.0; 4]; 4];
        for (lane, quat) in quats[..4].iter().enumerate() {
            for (component, &value) in turned.iter_mut().zip(&quat[FROM..FROM + 4]) {
                component[lane] = value;
            }
        }
        [Self::load(&turned[0]), Self::load(&turned[1]), Self::load(&turned[2]), Self::load(&turned[3])]
    }
    #[inline(always)]
    fn store_turned(values: [Self; 4], target: &mut impl TurnedTarget) {
        let mut turned = [[0.0; 4]; 4];
        for (value, turned) in values.iter().zip(&mut turned) {
            value.store(turned);
        }
        for lane in 0..4 {
            *target.of_lane(lane) = [turned[0][lane], turned[1][lane], turned[2][lane], turned[3][lane]];
        }
    }
    type Matrix = Affine;
    #[inline(always)]
    fn load_matrix(matrix: &Affine) -> Affine {
        *matrix
    }
    #[inline(always)]
    fn matrix_product(left: Affine, right: &Affine) -> Affine {
        let [a, b, c] = [Self::load(&right.0[0]), Self::load(&right.0[1]), Self::load(&right.0[2])];
        let mut product = Affine::IDENTITY;
        for (left, product) in left.0.iter().zip(&mut product.0) {
            let last = Self::load(&[-0.0, -0.0, -0.0, left[3]]);
            let sum = Self::splat(left[0]).mul(a).add(Self::splat(left[1]).mul(b)).add(Self::splat(left[2]).mul(c));
            sum.add(last).store(product);
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
