//! NEON, which every aarch64 has.

use std::arch::aarch64::*;

use super::{Affine, Lanes, PaletteRows, SIGN_BIT};

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
    fn store_columns(columns: [Self; 4], rows: &mut [Affine], at: usize) {
        let mut turned = [[0.0; 4]; 4];
        for (column, values) in columns.iter().zip(&mut turned) {
            column.store(values);
        }
        for (lane, row) in rows[..4].iter_mut().enumerate() {
            row.0[at..at + 4].copy_from_slice(&[turned[0][lane], turned[1][lane], turned[2][lane], turned[3][lane]]);
        }
    }
    #[inline(always)]
    fn stream(matrices: &[Affine], order: &[u16], out: &mut [PaletteRows]) {
        super::copy_rows(matrices, order, out);
    }
    #[inline(always)]
    fn affine_product(left: &Affine, right: &Affine) -> Affine {
        let (left, right) = (&left.0, &right.0);
        let rows = [Self::load(right), Self::load(&right[4..]), Self::load(&right[8..])];
        let mut product = Affine([0.0; 12]);
        for row in 0..3 {
            let last = Self::load(&[0.0, 0.0, 0.0, left[4 * row + 3]]);
            let term = |column: usize| Self::splat(left[4 * row + column]).mul(rows[column]);
            term(0).add(term(1)).add(term(2)).add(last).store(&mut product.0[4 * row..]);
        }
        product
    }
}
