//! AVX-512: eight floats with twice as many registers, and whole matrices in one of them.

use std::arch::x86_64::*;

use super::{Avx2, stream_lines};
use crate::math::affine::{Affine, PaletteRows};
use crate::math::lanes::{ComponentTarget, Lanes, TurnedTarget, WholeTarget};

/// Eight floats. Only used where AVX-512 F and VL were detected, which include AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(Avx2);

/// Every fourth element, from the last of the first four on.
const LAST_OF_FOUR: __mmask16 = 0x8888;

/// The same four floats four times.
#[inline(always)]
fn four_times(values: &[f32; 4]) -> __m512 {
    // SAFETY: AVX-512 F was detected before any `Avx512` is made; four floats are readable, and no alignment is needed.
    unsafe { _mm512_broadcast_f32x4(_mm_loadu_ps(values.as_ptr())) }
}

/// `(a x + b y) + c z`, where the elements of `by` are what every four of the others are multiplied with.
#[inline(always)]
fn sum_of_products([a, b, c]: [__m512; 3], by: __m512) -> __m512 {
    // SAFETY: AVX-512 F was detected before any `Avx512` is made.
    unsafe {
        let a = _mm512_mul_ps(a, _mm512_permute_ps::<0x00>(by));
        let b = _mm512_mul_ps(b, _mm512_permute_ps::<0x55>(by));
        let c = _mm512_mul_ps(c, _mm512_permute_ps::<0xaa>(by));
        _mm512_add_ps(_mm512_add_ps(a, b), c)
    }
}

/// The methods that are those of AVX2.
macro_rules! as_avx2 {
    ($($binary:ident),+) => {
        $(#[inline(always)]
        fn $binary(self, other: Self) -> Self {
            Self(self.0.$binary(other.0))
        })+
    };
}

impl Lanes for Avx512 {
    const WIDTH: usize = Avx2::WIDTH;
    as_avx2!(add, sub, mul, div, copy_sign_flip);
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(Avx2::splat(value))
    }
    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        Self(Avx2::load(values))
    }
    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        self.0.store(values);
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn select_above(self, limit: Self, then: Self, otherwise: Self) -> Self {
        Self(self.0.select_above(limit.0, then.0, otherwise.0))
    }
    #[inline(always)]
    fn store_whole(self, values: &mut [u32]) {
        self.0.store_whole(values);
    }
    #[inline(always)]
    fn load_turned<const FROM: usize, const N: usize>(quats: &[&[f32; N]]) -> [Self; 4] {
        let [a, b, c, d] = Avx2::load_turned::<FROM, N>(quats);
        [Self(a), Self(b), Self(c), Self(d)]
    }
    #[inline(always)]
    fn leading_not_above(values: &[f32], limit: f32) -> usize {
        Avx2::leading_not_above(values, limit)
    }
    #[inline(always)]
    fn store_turned([a, b, c, d]: [Self; 4], target: &mut impl TurnedTarget) {
        Avx2::store_turned([a.0, b.0, c.0, d.0], target);
    }
    #[inline(always)]
    fn store_turned_matrices(rows: [[Self; 4]; 3], matrices: &mut [PaletteRows], first: usize, stride: usize) {
        Avx2::store_turned_matrices(plain(rows), matrices, first, stride);
    }
    #[inline(always)]
    fn store_turned_wholes(rows: [[Self; 4]; 3], target: &mut impl WholeTarget) {
        Avx2::store_turned_wholes(plain(rows), target);
    }
    #[inline(always)]
    fn transpose(source: [&[f32; 8]; 8], target: &mut impl ComponentTarget) {
        Avx2::transpose(source, target);
    }
    #[inline(always)]
    fn unpack(bytes: &[u8], place: usize, width: usize, lane: usize) -> Self {
        Self(Avx2::unpack(bytes, place, width, lane))
    }
    #[inline(always)]
    fn unpack_wide(bytes: &[u8], lane: usize) -> Self {
        Self(Avx2::unpack_wide(bytes, lane))
    }
    #[inline(always)]
    fn stream(matrices: &[PaletteRows], out: &mut [PaletteRows]) {
        // SAFETY: AVX-512 F was detected.
        unsafe { stream_lines(matrices, out) }
    }
    /// Its rows, one after the other.
    type Matrix = __m512;
    #[inline(always)]
    fn load_matrix(matrix: &Affine) -> __m512 {
        // SAFETY: AVX-512 F was detected; sixteen floats are readable, from a boundary of 64 bytes on.
        unsafe { _mm512_load_ps(std::ptr::from_ref(matrix).cast()) }
    }
    #[inline(always)]
    fn matrix_product(left: __m512, right: &Affine) -> __m512 {
        let [x, y, z] = &right.0;
        let sum = sum_of_products([four_times(x), four_times(y), four_times(z)], left);
        // SAFETY: AVX-512 F was detected.
        unsafe { _mm512_add_ps(sum, _mm512_mask_mov_ps(_mm512_set1_ps(-0.0), LAST_OF_FOUR, left)) }
    }
    #[inline(always)]
    fn store_matrix(matrix: __m512, out: &mut Affine) {
        // SAFETY: AVX-512 F was detected; sixteen floats are writable, from a boundary of 64 bytes on.
        unsafe { _mm512_store_ps(std::ptr::from_mut(out).cast(), matrix) }
    }
    #[inline(always)]
    fn store_rows(matrix: __m512, out: &mut PaletteRows) {
        // SAFETY: AVX-512 F was detected; twelve floats are writable, and no alignment is needed.
        unsafe {
            let start = out.0.as_mut_ptr().cast::<f32>();
            _mm256_storeu_ps(start, _mm512_castps512_ps256(matrix));
            _mm_storeu_ps(start.add(8), _mm512_extractf32x4_ps::<2>(matrix));
        }
    }
    #[inline(always)]
    fn store_columns(matrix: __m512, out: &mut [[f32; 4]; 4]) {
        // SAFETY: AVX-512 F was detected.
        let rows = unsafe {
            [_mm512_castps512_ps128(matrix), _mm512_extractf32x4_ps::<1>(matrix), _mm512_extractf32x4_ps::<2>(matrix)]
        };
        super::store_columns(rows, out);
    }
    /// Its columns, one after the other.
    type Whole = __m512;
    #[inline(always)]
    fn whole_product(left: &[f32; 16], right: &[f32; 16]) -> __m512 {
        // SAFETY: AVX-512 F was detected; sixteen floats are readable, and no alignment is needed.
        let right = unsafe { _mm512_loadu_ps(right.as_ptr()) };
        let [a, b, c, d] = columns(left);
        whole(sum_of_products([a, b, c], right), d)
    }
    #[inline(always)]
    fn product_with_rows(left: &[f32; 16], right: &PaletteRows) -> __m512 {
        let ([a, b, c, d], [x, y, z]) = (columns(left), &right.0);
        // SAFETY: AVX-512 F was detected.
        unsafe {
            // Each number of a row, four times.
            let which = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
            let a = _mm512_mul_ps(a, _mm512_permutevar_ps(four_times(x), which));
            let b = _mm512_mul_ps(b, _mm512_permutevar_ps(four_times(y), which));
            let c = _mm512_mul_ps(c, _mm512_permutevar_ps(four_times(z), which));
            whole(_mm512_add_ps(_mm512_add_ps(a, b), c), d)
        }
    }
    #[inline(always)]
    fn store_whole_matrix(matrix: __m512, out: &mut [f32; 16]) {
        // SAFETY: AVX-512 F was detected; sixteen floats are writable, and no alignment is needed.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr(), matrix) }
    }
}

/// The columns of a matrix, each four times.
#[inline(always)]
fn columns(matrix: &[f32; 16]) -> [__m512; 4] {
    let [a, b, c, d] = matrix.as_chunks::<4>().0 else { return [four_times(&[0.0; 4]); 4] };
    [four_times(a), four_times(b), four_times(c), four_times(d)]
}

/// A product of which the fourth column is still to be moved, and the last row to be written.
#[inline(always)]
fn whole(sum: __m512, moved: __m512) -> __m512 {
    // SAFETY: AVX-512 F was detected before any `Avx512` is made.
    unsafe {
        // Adding -0 to the other columns changes no number.
        let sum = _mm512_add_ps(sum, _mm512_mask_mov_ps(_mm512_set1_ps(-0.0), 0xf000, moved));
        let last = _mm512_maskz_mov_ps(0x8000, _mm512_set1_ps(1.0));
        _mm512_mask_mov_ps(sum, LAST_OF_FOUR, last)
    }
}

/// The same rows as AVX2 has them. (Not `array::map`: its closure would not be inlined into the kernel.)
#[inline(always)]
fn plain([[a, b, c, d], [e, f, g, h], [i, j, k, l]]: [[Avx512; 4]; 3]) -> [[Avx2; 4]; 3] {
    [[a.0, b.0, c.0, d.0], [e.0, f.0, g.0, h.0], [i.0, j.0, k.0, l.0]]
}
