//! WebAssembly SIMD, in modules that are compiled for it.

use std::arch::wasm32::*;

use super::{Affine, Lanes, PaletteRows, SIGN_BIT, TurnedTarget, WINDOW};

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(v128);

/// Turns four registers of four floats over: rows become columns.
#[inline(always)]
fn transpose([a, b, c, d]: [v128; 4]) -> [v128; 4] {
    let (ab_low, ab_high) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
    let (cd_low, cd_high) = (i32x4_shuffle::<0, 4, 1, 5>(c, d), i32x4_shuffle::<2, 6, 3, 7>(c, d));
    [
        i64x2_shuffle::<0, 2>(ab_low, cd_low),
        i64x2_shuffle::<1, 3>(ab_low, cd_low),
        i64x2_shuffle::<0, 2>(ab_high, cd_high),
        i64x2_shuffle::<1, 3>(ab_high, cd_high),
    ]
}

/// The first four of some floats.
#[inline(always)]
fn four(values: &[f32]) -> v128 {
    let values = &values[..4];
    // SAFETY: four floats are readable, and no alignment is needed.
    unsafe { v128_load(values.as_ptr().cast()) }
}

/// Overwrites the first four of some floats.
#[inline(always)]
fn store_four(values: &mut [f32], register: v128) {
    let values = &mut values[..4];
    // SAFETY: four floats are writable, and no alignment is needed.
    unsafe { v128_store(values.as_mut_ptr().cast(), register) }
}

/// One row of an affine product.
#[inline(always)]
fn product_row(left: v128, right: [v128; 3]) -> v128 {
    let last = i32x4_shuffle::<0, 1, 2, 7>(f32x4_splat(-0.0), left);
    let first = f32x4_mul(i32x4_shuffle::<0, 0, 0, 0>(left, left), right[0]);
    let second = f32x4_mul(i32x4_shuffle::<1, 1, 1, 1>(left, left), right[1]);
    let third = f32x4_mul(i32x4_shuffle::<2, 2, 2, 2>(left, left), right[2]);
    f32x4_add(f32x4_add(f32x4_add(first, second), third), last)
}

impl Lanes for Simd128 {
    const WIDTH: usize = 4;
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }
    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        Self(four(values))
    }
    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        store_four(values, self.0);
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(f32x4_div(self.0, other.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f32x4_sqrt(self.0))
    }
    #[inline(always)]
    fn select_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        Self(v128_bitselect(then.0, otherwise.0, f32x4_gt(self.0, limit.0)))
    }
    #[inline(always)]
    fn copy_sign_flip(self, sign: Self) -> Self {
        Self(v128_xor(self.0, v128_and(sign.0, u32x4_splat(SIGN_BIT))))
    }
    #[inline(always)]
    fn store_whole(self, values: &mut [u32]) {
        let values = &mut values[..4];
        // SAFETY: four numbers are writable, and no alignment is needed.
        unsafe { v128_store(values.as_mut_ptr().cast(), u32x4_trunc_sat_f32x4(self.0)) }
    }
    #[inline(always)]
    fn load_turned<const FROM: usize, const N: usize>(quats: &[&[f32; N]]) -> [Self; 4] {
        let [a, b, c, d] = transpose([
            four(&quats[0][FROM..]),
            four(&quats[1][FROM..]),
            four(&quats[2][FROM..]),
            four(&quats[3][FROM..]),
        ]);
        [Self(a), Self(b), Self(c), Self(d)]
    }
    #[inline(always)]
    fn leading_not_above(values: &[f32], limit: f32) -> usize {
        let values = &values[..WINDOW];
        let limit = f32x4_splat(limit);
        let mask = |values: &[f32]| u32::from(u32x4_bitmask(f32x4_le(four(values), limit)));
        (mask(values) | mask(&values[4..]) << 4).trailing_ones() as usize
    }
    #[inline(always)]
    fn store_turned(values: [Self; 4], target: &mut impl TurnedTarget) {
        let [a, b, c, d] = values;
        for (lane, column) in transpose([a.0, b.0, c.0, d.0]).into_iter().enumerate() {
            store_four(target.of_lane(lane), column);
        }
    }
    type Matrix = [v128; 3];
    #[inline(always)]
    fn load_matrix(matrix: &Affine) -> [v128; 3] {
        [four(&matrix.0[0]), four(&matrix.0[1]), four(&matrix.0[2])]
    }
    #[inline(always)]
    fn matrix_product(left: [v128; 3], right: &Affine) -> [v128; 3] {
        let right = Self::load_matrix(right);
        [product_row(left[0], right), product_row(left[1], right), product_row(left[2], right)]
    }
    #[inline(always)]
    fn store_matrix(matrix: [v128; 3], out: &mut Affine) {
        for (out, row) in out.0.iter_mut().zip(matrix) {
            store_four(out, row);
        }
    }
    #[inline(always)]
    fn store_rows(matrix: [v128; 3], out: &mut PaletteRows) {
        for (out, row) in out.0.iter_mut().zip(matrix) {
            store_four(out, row);
        }
    }
    #[inline(always)]
    fn store_columns([a, b, c]: [v128; 3], out: &mut [[f32; 4]; 4]) {
        for (out, column) in out.iter_mut().zip(transpose([a, b, c, f32x4(0.0, 0.0, 0.0, 1.0)])) {
            store_four(out, column);
        }
    }
    plain_whole!();
}
