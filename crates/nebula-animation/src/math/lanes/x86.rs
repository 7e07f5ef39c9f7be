//! SSE2, which every x86-64 has, and AVX2.
//!
//! The methods are inlined into functions that enable the instruction set; see `dispatch`.

use std::arch::x86_64::*;

use super::{Affine, Lanes, PaletteRows, SIGN_BIT, TurnedTarget, WINDOW};

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(__m128);

/// Eight floats. Only used where AVX2 was detected.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256);

/// Turns four registers of four floats over: rows become columns.
#[inline(always)]
fn transpose([a, b, c, d]: [__m128; 4]) -> [__m128; 4] {
    // SAFETY: SSE instructions, part of every x86-64.
    unsafe {
        let (ab_low, ab_high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        [
            _mm_movelh_ps(ab_low, cd_low),
            _mm_movehl_ps(cd_low, ab_low),
            _mm_movelh_ps(ab_high, cd_high),
            _mm_movehl_ps(cd_high, ab_high),
        ]
    }
}

/// The four columns of an affine matrix.
#[inline(always)]
fn columns(matrix: &Affine) -> [[f32; 4]; 4] {
    let [a, b, c] = rows(matrix);
    let mut columns = [[0.0; 4]; 4];
    // SAFETY: SSE instructions, part of every x86-64.
    let last = unsafe { _mm_set_ps(1.0, 0.0, 0.0, 0.0) };
    for (out, column) in columns.iter_mut().zip(transpose([a, b, c, last])) {
        // SAFETY: part of every x86-64; four floats are writable, and no alignment is needed.
        unsafe { _mm_storeu_ps(out.as_mut_ptr(), column) }
    }
    columns
}

/// One row of an affine product.
#[inline(always)]
fn product_row(left: __m128, right: [__m128; 3]) -> __m128 {
    // SAFETY: SSE2 instructions, part of every x86-64.
    unsafe {
        let last = _mm_and_ps(left, _mm_castsi128_ps(_mm_set_epi32(-1, 0, 0, 0)));
        let last = _mm_or_ps(last, _mm_set_ps(0.0, -0.0, -0.0, -0.0));
        let first = _mm_mul_ps(_mm_shuffle_ps::<0x00>(left, left), right[0]);
        let second = _mm_mul_ps(_mm_shuffle_ps::<0x55>(left, left), right[1]);
        let third = _mm_mul_ps(_mm_shuffle_ps::<0xaa>(left, left), right[2]);
        _mm_add_ps(_mm_add_ps(_mm_add_ps(first, second), third), last)
    }
}

/// Streams matrices past the caches.
#[inline(always)]
fn stream_rows(matrices: &[PaletteRows], out: &mut [PaletteRows]) {
    for (out, matrix) in out.iter_mut().zip(matrices) {
        for (out, row) in out.0.iter_mut().zip(&matrix.0) {
            // SAFETY: rows are four floats; those of `PaletteRows` are aligned to 16 bytes.
            unsafe { _mm_stream_ps(out.as_mut_ptr(), _mm_load_ps(row.as_ptr())) }
        }
    }
}

/// The first four of some floats.
#[inline(always)]
fn four(values: &[f32]) -> __m128 {
    let values = &values[..4];
    // SAFETY: part of every x86-64; four floats are readable, and no alignment is needed.
    unsafe { _mm_loadu_ps(values.as_ptr()) }
}

/// The three rows of an affine matrix.
#[inline(always)]
fn rows(matrix: &Affine) -> [__m128; 3] {
    // SAFETY: twelve floats are readable, and the loads need no alignment.
    unsafe {
        let start = matrix.0.as_ptr().cast::<f32>();
        [_mm_loadu_ps(start), _mm_loadu_ps(start.add(4)), _mm_loadu_ps(start.add(8))]
    }
}

impl Lanes for Sse2 {
    instructions! {
        width: 4; splat = _mm_set1_ps, load = _mm_loadu_ps, store = _mm_storeu_ps, sqrt = _mm_sqrt_ps;
        add = _mm_add_ps, sub = _mm_sub_ps, mul = _mm_mul_ps, div = _mm_div_ps
    }
    #[inline(always)]
    fn select_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: part of every x86-64.
        unsafe {
            let is_above = _mm_cmpgt_ps(self.0, limit.0);
            Self(_mm_or_ps(_mm_and_ps(is_above, then.0), _mm_andnot_ps(is_above, otherwise.0)))
        }
    }
    #[inline(always)]
    fn copy_sign_flip(self, sign: Self) -> Self {
        // SAFETY: part of every x86-64.
        unsafe {
            let bit = _mm_and_ps(sign.0, _mm_castsi128_ps(_mm_set1_epi32(SIGN_BIT as i32)));
            Self(_mm_xor_ps(self.0, bit))
        }
    }
    #[inline(always)]
    fn store_whole(self, values: &mut [u32]) {
        let values = &mut values[..4];
        // SAFETY: part of every x86-64; four numbers are writable, and no alignment is needed.
        unsafe { _mm_storeu_si128(values.as_mut_ptr().cast(), _mm_cvttps_epi32(self.0)) }
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
        let mut is_not_above = 0;
        for (index, four) in values.as_chunks::<4>().0.iter().enumerate() {
            // SAFETY: part of every x86-64; four floats are readable.
            let mask = unsafe { _mm_movemask_ps(_mm_cmple_ps(_mm_loadu_ps(four.as_ptr()), _mm_set1_ps(limit))) };
            is_not_above |= mask << (4 * index);
        }
        is_not_above.trailing_ones() as usize
    }
    #[inline(always)]
    fn store_turned(values: [Self; 4], target: &mut impl TurnedTarget) {
        let [a, b, c, d] = values;
        for (lane, column) in transpose([a.0, b.0, c.0, d.0]).into_iter().enumerate() {
            // SAFETY: part of every x86-64; four floats are writable, and no alignment is needed.
            unsafe { _mm_storeu_ps(target.of_lane(lane).as_mut_ptr(), column) }
        }
    }
    #[inline(always)]
    fn stream(matrices: &[PaletteRows], out: &mut [PaletteRows]) {
        stream_rows(matrices, out);
    }
    #[inline(always)]
    fn columns(matrix: &Affine) -> [[f32; 4]; 4] {
        columns(matrix)
    }
    #[inline(always)]
    fn affine_product(left: &Affine, right: &Affine) -> Affine {
        let right = rows(right);
        let mut product = Affine([[0.0; 4]; 3]);
        for (out, row) in product.0.iter_mut().zip(rows(left)) {
            // SAFETY: a row has four floats; no alignment is needed.
            unsafe { _mm_storeu_ps(out.as_mut_ptr(), product_row(row, right)) }
        }
        product
    }
}

/// Two halves.
#[inline(always)]
fn pair(low: __m128, high: __m128) -> __m256 {
    // SAFETY: AVX was detected before any `Avx2` is made.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high) }
}

/// Column `i` of four rows of eight floats in the low half of result `i`, column `i + 4` in the high half.
#[inline(always)]
fn quarters(a: __m256, b: __m256, c: __m256, d: __m256) -> [__m256; 4] {
    // SAFETY: AVX was detected before any `Avx2` is made.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0x44>(ab_low, cd_low),
            _mm256_shuffle_ps::<0xee>(ab_low, cd_low),
            _mm256_shuffle_ps::<0x44>(ab_high, cd_high),
            _mm256_shuffle_ps::<0xee>(ab_high, cd_high),
        ]
    }
}

impl Lanes for Avx2 {
    instructions! {
        width: 8; splat = _mm256_set1_ps, load = _mm256_loadu_ps, store = _mm256_storeu_ps, sqrt = _mm256_sqrt_ps;
        add = _mm256_add_ps, sub = _mm256_sub_ps, mul = _mm256_mul_ps, div = _mm256_div_ps
    }
    #[inline(always)]
    fn select_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: AVX was detected.
        unsafe {
            let is_above = _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, limit.0);
            Self(_mm256_blendv_ps(otherwise.0, then.0, is_above))
        }
    }
    #[inline(always)]
    fn copy_sign_flip(self, sign: Self) -> Self {
        // SAFETY: AVX was detected.
        unsafe {
            let bit = _mm256_and_ps(sign.0, _mm256_castsi256_ps(_mm256_set1_epi32(SIGN_BIT as i32)));
            Self(_mm256_xor_ps(self.0, bit))
        }
    }
    #[inline(always)]
    fn store_whole(self, values: &mut [u32]) {
        let values = &mut values[..8];
        // SAFETY: AVX was detected; eight numbers are writable, and no alignment is needed.
        unsafe { _mm256_storeu_si256(values.as_mut_ptr().cast(), _mm256_cvttps_epi32(self.0)) }
    }
    #[inline(always)]
    fn load_turned<const FROM: usize, const N: usize>(quats: &[&[f32; N]]) -> [Self; 4] {
        let quats = &quats[..8];
        let [a, b, c, d] = quarters(
            pair(four(&quats[0][FROM..]), four(&quats[4][FROM..])),
            pair(four(&quats[1][FROM..]), four(&quats[5][FROM..])),
            pair(four(&quats[2][FROM..]), four(&quats[6][FROM..])),
            pair(four(&quats[3][FROM..]), four(&quats[7][FROM..])),
        );
        [Self(a), Self(b), Self(c), Self(d)]
    }
    #[inline(always)]
    fn leading_not_above(values: &[f32], limit: f32) -> usize {
        let values = &values[..WINDOW];
        // SAFETY: AVX was detected; eight floats are readable.
        let is_not_above = unsafe {
            let values = _mm256_loadu_ps(values.as_ptr());
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(values, _mm256_set1_ps(limit)))
        };
        is_not_above.trailing_ones() as usize
    }
    #[inline(always)]
    fn store_turned(values: [Self; 4], target: &mut impl TurnedTarget) {
        let [Self(a), Self(b), Self(c), Self(d)] = values;
        for (lane, pair) in quarters(a, b, c, d).into_iter().enumerate() {
            // SAFETY: AVX was detected; four floats are writable, and no alignment is needed.
            unsafe {
                _mm_storeu_ps(target.of_lane(lane).as_mut_ptr(), _mm256_castps256_ps128(pair));
                _mm_storeu_ps(target.of_lane(lane + 4).as_mut_ptr(), _mm256_extractf128_ps::<1>(pair));
            }
        }
    }
    #[inline(always)]
    fn transpose(source: [&[f32; 8]; 8], target: [&mut [f32; 8]; 8]) {
        let [a, b, c, d, e, f, g, h] = source;
        let (Self(a), Self(b), Self(c), Self(d)) = (Self::load(a), Self::load(b), Self::load(c), Self::load(d));
        let (Self(e), Self(f), Self(g), Self(h)) = (Self::load(e), Self::load(f), Self::load(g), Self::load(h));
        let (upper, lower) = (quarters(a, b, c, d), quarters(e, f, g, h));
        let [t0, t1, t2, t3, t4, t5, t6, t7] = target;
        // SAFETY: AVX was detected.
        unsafe {
            Self(_mm256_permute2f128_ps::<0x20>(upper[0], lower[0])).store(t0);
            Self(_mm256_permute2f128_ps::<0x20>(upper[1], lower[1])).store(t1);
            Self(_mm256_permute2f128_ps::<0x20>(upper[2], lower[2])).store(t2);
            Self(_mm256_permute2f128_ps::<0x20>(upper[3], lower[3])).store(t3);
            Self(_mm256_permute2f128_ps::<0x31>(upper[0], lower[0])).store(t4);
            Self(_mm256_permute2f128_ps::<0x31>(upper[1], lower[1])).store(t5);
            Self(_mm256_permute2f128_ps::<0x31>(upper[2], lower[2])).store(t6);
            Self(_mm256_permute2f128_ps::<0x31>(upper[3], lower[3])).store(t7);
        }
    }
    #[inline(always)]
    fn stream(matrices: &[PaletteRows], out: &mut [PaletteRows]) {
        stream_rows(matrices, out);
    }
    #[inline(always)]
    fn columns(matrix: &Affine) -> [[f32; 4]; 4] {
        columns(matrix)
    }
    #[inline(always)]
    fn affine_product(left: &Affine, right: &Affine) -> Affine {
        let right = rows(right);
        let mut product = Affine([[0.0; 4]; 3]);
        // SAFETY: AVX was detected; all twelve floats of both arrays are accessed, without need for alignment.
        unsafe {
            // Two rows at once, then the third.
            let two = _mm256_loadu_ps(left.0.as_ptr().cast());
            let wide = [pair(right[0], right[0]), pair(right[1], right[1]), pair(right[2], right[2])];
            let last = _mm256_blend_ps::<0x88>(_mm256_set1_ps(-0.0), two);
            let first = _mm256_mul_ps(_mm256_permute_ps::<0x00>(two), wide[0]);
            let second = _mm256_mul_ps(_mm256_permute_ps::<0x55>(two), wide[1]);
            let third = _mm256_mul_ps(_mm256_permute_ps::<0xaa>(two), wide[2]);
            let sum = _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(first, second), third), last);
            _mm256_storeu_ps(product.0.as_mut_ptr().cast(), sum);
            let row = product_row(_mm_loadu_ps(left.0[2].as_ptr()), right);
            _mm_storeu_ps(product.0[2].as_mut_ptr(), row);
        }
        product
    }
}
