//! AVX2.

use std::arch::x86_64::*;

use super::{four, product_row, rows, store_columns, stream_rows};
use crate::math::affine::{Affine, PaletteRows};
use crate::math::lanes::{ComponentTarget, Lanes, PACKED, SIGN_BIT, TurnedTarget, WINDOW, WholeTarget};

/// Eight floats. Only used where AVX2 was detected.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256);

/// The first two rows of an affine matrix, and the third.
#[derive(Clone, Copy)]
pub(crate) struct Rows(__m256, __m128);

impl Rows {
    #[inline(always)]
    fn store(self, out: &mut [[f32; 4]; 3]) {
        // SAFETY: AVX was detected; twelve floats are writable, and no alignment is needed.
        unsafe {
            let start = out.as_mut_ptr().cast::<f32>();
            _mm256_storeu_ps(start, self.0);
            _mm_storeu_ps(start.add(8), self.1);
        }
    }
}

/// Two halves.
#[inline(always)]
fn pair(low: __m128, high: __m128) -> __m256 {
    // SAFETY: AVX was detected before any `Avx2` is made.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high) }
}

/// The same in both halves.
#[inline(always)]
fn twice(half: __m128) -> __m256 {
    pair(half, half)
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

/// Two columns of a product of matrices: `left` are the first three columns of the left one, each twice, `right` two of the right one.
#[inline(always)]
fn two_columns([a, b, c]: [__m256; 3], right: __m256) -> __m256 {
    // SAFETY: AVX was detected before any `Avx2` is made.
    unsafe {
        let a = _mm256_mul_ps(a, _mm256_permute_ps::<0x00>(right));
        let b = _mm256_mul_ps(b, _mm256_permute_ps::<0x55>(right));
        let c = _mm256_mul_ps(c, _mm256_permute_ps::<0xaa>(right));
        _mm256_add_ps(_mm256_add_ps(a, b), c)
    }
}

/// As [`two_columns`], with the rows of the right matrix, each twice; `which` are the columns.
#[inline(always)]
fn two_columns_of_rows([a, b, c]: [__m256; 3], [x, y, z]: [__m256; 3], which: __m256i) -> __m256 {
    // SAFETY: AVX was detected before any `Avx2` is made.
    unsafe {
        let a = _mm256_mul_ps(a, _mm256_permutevar_ps(x, which));
        let b = _mm256_mul_ps(b, _mm256_permutevar_ps(y, which));
        let c = _mm256_mul_ps(c, _mm256_permutevar_ps(z, which));
        _mm256_add_ps(_mm256_add_ps(a, b), c)
    }
}

/// Where numbers of a certain number of bits are among packed bytes.
#[repr(align(32))]
struct Order {
    /// For each byte of eight numbers, which byte it is of the half that it comes from.
    bytes: [u8; 32],
    /// How far each number is from the top.
    shifts: [u32; 8],
    /// Bits that a number lacks of 32; a shift by all of them leaves nothing but its sign, which no bits have. Eight times: a shift by one
    /// number for all, which compilers would make of it, takes more instructions.
    rests: [u32; 8],
}

/// Eight packed numbers of so many bits, which five say.
///
/// # Safety
/// AVX2 was detected, and 32 bytes are readable.
#[inline(always)]
unsafe fn unpack_at(bytes: *const u8, width: usize) -> Avx2 {
    let width = width % ORDERS.len();
    let order = &ORDERS[width];
    // SAFETY: lanes from the fifth on begin after half as many bytes as there are bits, at most 15, from where 16 are read; no load
    // needs an alignment.
    unsafe {
        let low = _mm_loadu_si128(bytes.cast());
        let high = _mm_loadu_si128(bytes.add(width / 2).cast());
        let both = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
        let numbers = _mm256_shuffle_epi8(both, _mm256_loadu_si256(order.bytes.as_ptr().cast()));
        let at_top = _mm256_sllv_epi32(numbers, _mm256_loadu_si256(order.shifts.as_ptr().cast()));
        let numbers = _mm256_srav_epi32(at_top, _mm256_loadu_si256(order.rests.as_ptr().cast()));
        Avx2(_mm256_cvtepi32_ps(numbers))
    }
}

/// For each number of bits, of which five say how many: beyond 24 there are as many.
static ORDERS: [Order; 32] = {
    let mut orders = [const { Order { bytes: [0; 32], shifts: [32; 8], rests: [0; 8] } }; 32];
    let mut width = 1;
    while width < orders.len() {
        let bits = if width < 24 { width } else { 24 };
        let mut lane = 0;
        while lane < 8 {
            let bit = if lane < 4 { lane * bits } else { (lane - 4) * bits + 4 * bits % 8 };
            let mut byte = 0;
            while byte < 4 {
                orders[width].bytes[4 * lane + byte] = (bit / 8 + byte) as u8;
                byte += 1;
            }
            orders[width].shifts[lane] = (32 - bit % 8 - bits) as u32;
            orders[width].rests[lane] = 32 - bits as u32;
            lane += 1;
        }
        width += 1;
    }
    orders
};

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
    fn store_turned_matrices(rows: [[Self; 4]; 3], matrices: &mut [PaletteRows], first: usize, stride: usize) {
        assert!(first + 7 * stride < matrices.len());
        let [[a0, b0, c0, d0], [a1, b1, c1, d1], [a2, b2, c2, d2]] = rows;
        let (top, middle) = (quarters(a0.0, b0.0, c0.0, d0.0), quarters(a1.0, b1.0, c1.0, d1.0));
        let bottom = quarters(a2.0, b2.0, c2.0, d2.0);
        for lane in 0..4 {
            // SAFETY: AVX was detected; that there are so many matrices was made sure of, and the rows of each are aligned.
            unsafe {
                let start = matrices.as_mut_ptr().add(first + lane * stride).cast::<f32>();
                let other = start.add(4 * 12 * stride);
                // Two rows at once: it is stores that this takes the longest for.
                _mm256_storeu_ps(start, _mm256_permute2f128_ps::<0x20>(top[lane], middle[lane]));
                _mm_store_ps(start.add(8), _mm256_castps256_ps128(bottom[lane]));
                _mm256_storeu_ps(other, _mm256_permute2f128_ps::<0x31>(top[lane], middle[lane]));
                _mm_store_ps(other.add(8), _mm256_extractf128_ps::<1>(bottom[lane]));
            }
        }
    }
    #[inline(always)]
    fn store_turned_wholes([a, b, c]: [[Self; 4]; 3], target: &mut impl WholeTarget) {
        let (zero, one) = (Self::splat(0.0), Self::splat(1.0));
        let (first, second) = (quarters(a[0].0, b[0].0, c[0].0, zero.0), quarters(a[1].0, b[1].0, c[1].0, zero.0));
        let (third, fourth) = (quarters(a[2].0, b[2].0, c[2].0, zero.0), quarters(a[3].0, b[3].0, c[3].0, one.0));
        for lane in 0..4 {
            // SAFETY: AVX was detected; sixteen floats are writable, and no alignment is needed.
            unsafe {
                let start = target.of_lane(lane).as_mut_ptr();
                _mm256_storeu_ps(start, _mm256_permute2f128_ps::<0x20>(first[lane], second[lane]));
                _mm256_storeu_ps(start.add(8), _mm256_permute2f128_ps::<0x20>(third[lane], fourth[lane]));
                let start = target.of_lane(lane + 4).as_mut_ptr();
                _mm256_storeu_ps(start, _mm256_permute2f128_ps::<0x31>(first[lane], second[lane]));
                _mm256_storeu_ps(start.add(8), _mm256_permute2f128_ps::<0x31>(third[lane], fourth[lane]));
            }
        }
    }
    #[inline(always)]
    fn transpose(source: [&[f32; 8]; 8], target: &mut impl ComponentTarget) {
        let [a, b, c, d, e, f, g, h] = source;
        let (Self(a), Self(b), Self(c), Self(d)) = (Self::load(a), Self::load(b), Self::load(c), Self::load(d));
        let (Self(e), Self(f), Self(g), Self(h)) = (Self::load(e), Self::load(f), Self::load(g), Self::load(h));
        let (upper, lower) = (quarters(a, b, c, d), quarters(e, f, g, h));
        // SAFETY: AVX was detected.
        unsafe {
            Self(_mm256_permute2f128_ps::<0x20>(upper[0], lower[0])).store(target.of_component(0));
            Self(_mm256_permute2f128_ps::<0x20>(upper[1], lower[1])).store(target.of_component(1));
            Self(_mm256_permute2f128_ps::<0x20>(upper[2], lower[2])).store(target.of_component(2));
            Self(_mm256_permute2f128_ps::<0x20>(upper[3], lower[3])).store(target.of_component(3));
            Self(_mm256_permute2f128_ps::<0x31>(upper[0], lower[0])).store(target.of_component(4));
            Self(_mm256_permute2f128_ps::<0x31>(upper[1], lower[1])).store(target.of_component(5));
            Self(_mm256_permute2f128_ps::<0x31>(upper[2], lower[2])).store(target.of_component(6));
            Self(_mm256_permute2f128_ps::<0x31>(upper[3], lower[3])).store(target.of_component(7));
        }
    }
    #[inline(always)]
    fn unpack(bytes: &[u8], place: usize, width: usize, _: usize) -> Self {
        // One comparison for each number, the other one for all of them.
        assert!(bytes.len() >= PACKED && place <= bytes.len() - PACKED);
        // SAFETY: AVX2 was detected, and 32 bytes are there.
        unsafe { unpack_at(bytes.as_ptr().add(place), width) }
    }
    #[inline(always)]
    fn unpack_wide(bytes: &[u8], _: usize) -> Self {
        let bytes = &bytes[..16];
        // SAFETY: AVX2 was detected; 16 bytes are there, and the load needs no alignment.
        unsafe { Self(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(bytes.as_ptr().cast())))) }
    }
    #[inline(always)]
    fn stream(matrices: &[PaletteRows], out: &mut [PaletteRows]) {
        stream_rows(matrices, out);
    }
    type Matrix = Rows;
    #[inline(always)]
    fn load_matrix(matrix: &Affine) -> Rows {
        // SAFETY: AVX was detected; twelve floats are readable, and no alignment is needed.
        unsafe {
            let start = matrix.0.as_ptr().cast::<f32>();
            Rows(_mm256_loadu_ps(start), _mm_loadu_ps(start.add(8)))
        }
    }
    #[inline(always)]
    fn matrix_product(Rows(two, third): Rows, right: &Affine) -> Rows {
        let right = rows(right);
        // SAFETY: AVX was detected.
        let two = unsafe {
            let wide = [pair(right[0], right[0]), pair(right[1], right[1]), pair(right[2], right[2])];
            let last = _mm256_blend_ps::<0x88>(_mm256_set1_ps(-0.0), two);
            let a = _mm256_mul_ps(_mm256_permute_ps::<0x00>(two), wide[0]);
            let b = _mm256_mul_ps(_mm256_permute_ps::<0x55>(two), wide[1]);
            let c = _mm256_mul_ps(_mm256_permute_ps::<0xaa>(two), wide[2]);
            _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(a, b), c), last)
        };
        Rows(two, product_row(third, right))
    }
    #[inline(always)]
    fn store_matrix(matrix: Rows, out: &mut Affine) {
        matrix.store(&mut out.0);
    }
    #[inline(always)]
    fn store_rows(matrix: Rows, out: &mut PaletteRows) {
        matrix.store(&mut out.0);
    }
    #[inline(always)]
    fn store_columns(Rows(two, third): Rows, out: &mut [[f32; 4]; 4]) {
        // SAFETY: AVX was detected.
        let (first, second) = unsafe { (_mm256_castps256_ps128(two), _mm256_extractf128_ps::<1>(two)) };
        store_columns([first, second, third], out);
    }
    type Whole = [__m256; 2];
    #[inline(always)]
    fn whole_product(left: &[f32; 16], right: &[f32; 16]) -> [__m256; 2] {
        // SAFETY: AVX was detected; sixteen floats are readable, and no alignment is needed.
        unsafe {
            let start = left.as_ptr();
            let (a, b) = (twice(_mm_loadu_ps(start)), twice(_mm_loadu_ps(start.add(4))));
            let (c, d) = (twice(_mm_loadu_ps(start.add(8))), twice(_mm_loadu_ps(start.add(12))));
            let first = two_columns([a, b, c], _mm256_loadu_ps(right.as_ptr()));
            let second = two_columns([a, b, c], _mm256_loadu_ps(right.as_ptr().add(8)));
            // The fourth column is moved; adding -0 to the third changes no number.
            let second = _mm256_add_ps(second, _mm256_blend_ps::<0xf0>(_mm256_set1_ps(-0.0), d));
            let last = _mm256_set_ps(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
            [_mm256_blend_ps::<0x88>(first, _mm256_setzero_ps()), _mm256_blend_ps::<0x88>(second, last)]
        }
    }
    #[inline(always)]
    fn product_with_rows(left: &[f32; 16], right: &PaletteRows) -> [__m256; 2] {
        // SAFETY: AVX was detected; sixteen and twelve floats are readable, and no alignment is needed.
        unsafe {
            let start = left.as_ptr();
            let (a, b) = (twice(_mm_loadu_ps(start)), twice(_mm_loadu_ps(start.add(4))));
            let (c, d) = (twice(_mm_loadu_ps(start.add(8))), twice(_mm_loadu_ps(start.add(12))));
            let rows = right.0.as_ptr().cast::<f32>();
            let (x, y) = (twice(_mm_loadu_ps(rows)), twice(_mm_loadu_ps(rows.add(4))));
            let right = [x, y, twice(_mm_loadu_ps(rows.add(8)))];
            let first = two_columns_of_rows([a, b, c], right, _mm256_set_epi32(1, 1, 1, 1, 0, 0, 0, 0));
            let second = two_columns_of_rows([a, b, c], right, _mm256_set_epi32(3, 3, 3, 3, 2, 2, 2, 2));
            // The fourth column is moved; adding -0 to the third changes no number.
            let second = _mm256_add_ps(second, _mm256_blend_ps::<0xf0>(_mm256_set1_ps(-0.0), d));
            let last = _mm256_set_ps(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
            [_mm256_blend_ps::<0x88>(first, _mm256_setzero_ps()), _mm256_blend_ps::<0x88>(second, last)]
        }
    }
    #[inline(always)]
    fn store_whole_matrix([first, second]: [__m256; 2], out: &mut [f32; 16]) {
        // SAFETY: AVX was detected; sixteen floats are writable, and no alignment is needed.
        unsafe {
            _mm256_storeu_ps(out.as_mut_ptr(), first);
            _mm256_storeu_ps(out.as_mut_ptr().add(8), second);
        }
    }
}
