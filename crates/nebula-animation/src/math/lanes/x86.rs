//! SSE2, which every x86-64 has. AVX2 and AVX-512 have their own files.
//!
//! The methods are inlined into functions that enable the instruction set; see `dispatch`.

mod avx2;
mod avx512;

use std::arch::x86_64::*;

use super::{Affine, Lanes, PaletteRows, SIGN_BIT, TurnedTarget, WINDOW};

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;

/// Four floats.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(__m128);

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

/// Writes the four columns of an affine matrix.
#[inline(always)]
fn store_columns([a, b, c]: [__m128; 3], out: &mut [[f32; 4]; 4]) {
    // SAFETY: SSE instructions, part of every x86-64.
    let last = unsafe { _mm_set_ps(1.0, 0.0, 0.0, 0.0) };
    for (out, column) in out.iter_mut().zip(transpose([a, b, c, last])) {
        // SAFETY: part of every x86-64; four floats are writable, and no alignment is needed.
        unsafe { _mm_storeu_ps(out.as_mut_ptr(), column) }
    }
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

/// As [`stream_rows`], a whole line of the caches at a time: its parts need not wait for each other.
///
/// # Safety
/// AVX-512 F was detected.
#[target_feature(enable = "avx512f")]
unsafe fn stream_lines(matrices: &[PaletteRows], out: &mut [PaletteRows]) {
    const LINE: usize = 64;
    let mut rows = 3 * matrices.len().min(out.len());
    let (mut from, mut to) = (matrices.as_ptr().cast::<f32>(), out.as_mut_ptr().cast::<f32>());
    while rows > 0 {
        let is_line = rows >= 4 && to.addr().is_multiple_of(LINE);
        let step = if is_line { 4 } else { 1 };
        // SAFETY: so many rows of four floats are left; rows are aligned to 16 bytes, and lines begin where they should.
        unsafe {
            if is_line {
                _mm512_stream_ps(to, _mm512_loadu_ps(from));
            } else {
                _mm_stream_ps(to, _mm_load_ps(from));
            }
            (from, to) = (from.add(4 * step), to.add(4 * step));
        }
        rows -= step;
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
    type Matrix = [__m128; 3];
    #[inline(always)]
    fn load_matrix(matrix: &Affine) -> [__m128; 3] {
        rows(matrix)
    }
    #[inline(always)]
    fn matrix_product(left: [__m128; 3], right: &Affine) -> [__m128; 3] {
        let right = rows(right);
        [product_row(left[0], right), product_row(left[1], right), product_row(left[2], right)]
    }
    #[inline(always)]
    fn store_matrix(matrix: [__m128; 3], out: &mut Affine) {
        store_rows(matrix, &mut out.0);
    }
    #[inline(always)]
    fn store_rows(matrix: [__m128; 3], out: &mut PaletteRows) {
        store_rows(matrix, &mut out.0);
    }
    #[inline(always)]
    fn store_columns(matrix: [__m128; 3], out: &mut [[f32; 4]; 4]) {
        store_columns(matrix, out);
    }
    plain_whole!();
}

/// Writes three rows.
#[inline(always)]
fn store_rows(rows: [__m128; 3], out: &mut [[f32; 4]; 3]) {
    for (out, row) in out.iter_mut().zip(rows) {
        // SAFETY: part of every x86-64; four floats are writable, and no alignment is needed.
        unsafe { _mm_storeu_ps(out.as_mut_ptr(), row) }
    }
}

/// The sizes of the processor's caches in bytes, as reported: by Intel through one leaf, by AMD through another, in the
/// same format.
pub(crate) fn cache_sizes() -> impl Iterator<Item = usize> {
    const INTEL: u32 = 4;
    const AMD: u32 = 0x8000_001d;
    /// More levels than any processor has.
    const MOST: u32 = 16;
    let is_told = |leaf: u32| __get_cpuid_max(leaf & 0x8000_0000).0 >= leaf;
    let caches = [INTEL, AMD].into_iter().filter(move |leaf| is_told(*leaf)).flat_map(|leaf| {
        let cache = move |level: u32| __cpuid_count(leaf, level);
        (0..MOST).map(cache).take_while(|told| told.eax & 0x1f != 0)
    });
    caches.map(|told| {
        let part = |shift: u32, bits: u32| ((told.ebx >> shift) & ((1 << bits) - 1)) as usize + 1;
        let (ways, partitions, line) = (part(22, 10), part(12, 10), part(0, 12));
        ways * partitions * line * (told.ecx as usize + 1)
    })
}
