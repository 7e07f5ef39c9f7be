//! SSE2, which every x86-64 has, and AVX2.
//!
//! The methods are inlined into functions that enable the instruction set; see `dispatch`.

use std::arch::x86_64::*;

use super::{Affine, Lanes, PaletteRows, SIGN_BIT};

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

/// One row of an affine product.
#[inline(always)]
fn product_row(left: __m128, right: [__m128; 3]) -> __m128 {
    // SAFETY: SSE2 instructions, part of every x86-64.
    unsafe {
        let last = _mm_and_ps(left, _mm_castsi128_ps(_mm_set_epi32(-1, 0, 0, 0)));
        let first = _mm_mul_ps(_mm_shuffle_ps::<0x00>(left, left), right[0]);
        let second = _mm_mul_ps(_mm_shuffle_ps::<0x55>(left, left), right[1]);
        let third = _mm_mul_ps(_mm_shuffle_ps::<0xaa>(left, left), right[2]);
        _mm_add_ps(_mm_add_ps(_mm_add_ps(first, second), third), last)
    }
}

/// Streams matrices past the caches.
#[inline(always)]
fn stream_rows(matrices: &[Affine], order: &[u16], out: &mut [PaletteRows]) {
    for (out, &place) in out.iter_mut().zip(order) {
        let [a, b, c] = rows(&matrices[usize::from(place) + 1]);
        // SAFETY: `PaletteRows` are twelve floats, aligned to 16 bytes.
        unsafe {
            let start = out.0.as_mut_ptr().cast::<f32>();
            _mm_stream_ps(start, a);
            _mm_stream_ps(start.add(4), b);
            _mm_stream_ps(start.add(8), c);
        }
    }
}

/// The three rows of an affine matrix.
#[inline(always)]
fn rows(matrix: &Affine) -> [__m128; 3] {
    // SAFETY: twelve floats are readable, and the loads need no alignment.
    unsafe {
        let start = matrix.0.as_ptr();
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
    fn store_columns(columns: [Self; 4], rows: &mut [Affine], at: usize) {
        assert!(at <= 8);
        let [a, b, c, d] = columns;
        let columns = transpose([a.0, b.0, c.0, d.0]);
        for (row, column) in rows[..4].iter_mut().zip(columns) {
            // SAFETY: `at` is at most 8, so that four floats are writable; no alignment is needed.
            unsafe { _mm_storeu_ps(row.0.as_mut_ptr().add(at), column) }
        }
    }
    #[inline(always)]
    fn stream(matrices: &[Affine], order: &[u16], out: &mut [PaletteRows]) {
        stream_rows(matrices, order, out);
    }
    #[inline(always)]
    fn affine_product(left: &Affine, right: &Affine) -> Affine {
        let right = rows(right);
        let mut product = Affine([0.0; 12]);
        for (index, row) in rows(left).into_iter().enumerate() {
            // SAFETY: `index` is at most 2, so that four floats are writable; no alignment is needed.
            unsafe { _mm_storeu_ps(product.0.as_mut_ptr().add(4 * index), product_row(row, right)) }
        }
        product
    }
}

/// The same four floats in both halves.
#[inline(always)]
fn twice(row: __m128) -> __m256 {
    // SAFETY: AVX was detected before any `Avx2` is made.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(row), row) }
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
    fn store_columns(columns: [Self; 4], rows: &mut [Affine], at: usize) {
        assert!(at <= 8);
        let (low, high) = rows[..8].split_at_mut(4);
        // SAFETY: AVX was detected. `at` is at most 8, so that four floats of each row are writable; no alignment
        // is needed.
        unsafe {
            let [Self(a), Self(b), Self(c), Self(d)] = columns;
            for (index, pair) in quarters(a, b, c, d).into_iter().enumerate() {
                _mm_storeu_ps(low[index].0.as_mut_ptr().add(at), _mm256_castps256_ps128(pair));
                _mm_storeu_ps(high[index].0.as_mut_ptr().add(at), _mm256_extractf128_ps::<1>(pair));
            }
        }
    }
    #[inline(always)]
    fn stream(matrices: &[Affine], order: &[u16], out: &mut [PaletteRows]) {
        stream_rows(matrices, order, out);
    }
    #[inline(always)]
    fn affine_product(left: &Affine, right: &Affine) -> Affine {
        let right = rows(right);
        let mut product = Affine([0.0; 12]);
        // SAFETY: AVX was detected; all twelve floats of both arrays are accessed, without need for alignment.
        unsafe {
            // Two rows at once, then the third.
            let two = _mm256_loadu_ps(left.0.as_ptr());
            let wide = [twice(right[0]), twice(right[1]), twice(right[2])];
            let last = _mm256_and_ps(two, _mm256_castsi256_ps(_mm256_set_epi32(-1, 0, 0, 0, -1, 0, 0, 0)));
            let first = _mm256_mul_ps(_mm256_permute_ps::<0x00>(two), wide[0]);
            let second = _mm256_mul_ps(_mm256_permute_ps::<0x55>(two), wide[1]);
            let third = _mm256_mul_ps(_mm256_permute_ps::<0xaa>(two), wide[2]);
            let sum = _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(first, second), third), last);
            _mm256_storeu_ps(product.0.as_mut_ptr(), sum);
            let row = product_row(_mm_loadu_ps(left.0.as_ptr().add(8)), right);
            _mm_storeu_ps(product.0.as_mut_ptr().add(8), row);
        }
        product
    }
}
