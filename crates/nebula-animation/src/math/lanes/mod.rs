//! Vectors of floats, as wide as the machine supports: the only folder with intrinsics, and so with unsafe code.
//!
//! Every operation is a single IEEE operation on each element (no fused multiply-add, no estimates), and no operation
//! mixes elements. A kernel written with [`Lanes`] therefore gives the same bits on every instruction set.
#![allow(unsafe_code, reason = "vector instructions are chosen at run time")]

/// Methods that are one instruction each. The instruction set of the `impl` must be available when they run: values of
/// the type only exist where it is.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! instructions {
    (width: $width:literal; splat = $splat:path, load = $load:path, store = $store:path, sqrt = $sqrt:path;
        $($binary:ident = $instruction:path),+) => {
        const WIDTH: usize = $width;
        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: the instruction set is there.
            Self(unsafe { $splat(value) })
        }
        #[inline(always)]
        fn load(values: &[f32]) -> Self {
            let values = &values[..$width];
            // SAFETY: the instruction set is there; that many floats are readable, and no alignment is needed.
            Self(unsafe { $load(values.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, values: &mut [f32]) {
            let values = &mut values[..$width];
            // SAFETY: the instruction set is there; that many floats are writable, and no alignment is needed.
            unsafe { $store(values.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: the instruction set is there.
            Self(unsafe { $sqrt(self.0) })
        }
        $(#[inline(always)]
        fn $binary(self, other: Self) -> Self {
            // SAFETY: the instruction set is there.
            Self(unsafe { $instruction(self.0, other.0) })
        })+
    };
}

/// Whole matrices one float at a time, or as compilers have it.
macro_rules! plain_whole {
    () => {
        type Whole = [f32; 16];
        #[inline(always)]
        fn whole_product(left: &[f32; 16], right: &[f32; 16]) -> [f32; 16] {
            $crate::math::lanes::whole_product(left, right)
        }
        #[inline(always)]
        fn store_whole_matrix(matrix: [f32; 16], out: &mut [f32; 16]) {
            *out = matrix;
        }
    };
}

mod matrices;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use matrices::Matrices;
pub(crate) use scalar::Scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::cache_sizes;

use super::affine::{Affine, PaletteRows};
use super::isa::Isa;

/// Numbers that the widest vectors hold.
pub(crate) const LANES: usize = 8;
/// Bytes that are read for eight packed numbers.
pub(crate) const PACKED: usize = 32;

/// How many values are searched at once.
pub(crate) const WINDOW: usize = 8;

/// Where the values of lanes go.
pub(crate) trait TurnedTarget {
    /// The place of one lane. Must be `#[inline(always)]`.
    fn of_lane(&mut self, lane: usize) -> &mut [f32; 4];
}

/// One after the other.
impl TurnedTarget for &mut [[f32; 4]] {
    #[inline(always)]
    fn of_lane(&mut self, lane: usize) -> &mut [f32; 4] {
        &mut self[lane]
    }
}

/// Where eight components go that are turned over.
pub(crate) trait ComponentTarget {
    /// The place of one. Must be `#[inline(always)]`.
    fn of_component(&mut self, index: usize) -> &mut [f32; 8];
}

impl ComponentTarget for [&mut [f32; 8]; 8] {
    #[inline(always)]
    fn of_component(&mut self, index: usize) -> &mut [f32; 8] {
        self[index]
    }
}

/// Where the whole matrices of lanes go.
pub(crate) trait WholeTarget {
    /// The place of one lane, as columns. Must be `#[inline(always)]`.
    fn of_lane(&mut self, lane: usize) -> &mut [f32; 16];
}

/// One SIMD register of floats.
pub(crate) trait Lanes: Copy {
    /// How many floats it holds: 1, 4 or 8.
    const WIDTH: usize;
    fn splat(value: f32) -> Self;
    /// The first [`Lanes::WIDTH`] floats of a slice.
    fn load(values: &[f32]) -> Self;
    /// Overwrites the first [`Lanes::WIDTH`] floats of a slice.
    fn store(self, values: &mut [f32]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    /// Where `self > limit`, `then`; elsewhere, also where a number is not one, `otherwise`.
    fn select_above(self, limit: Self, then: Self, otherwise: Self) -> Self;
    /// Flips the sign where `sign` is negative (its sign bit is set).
    fn copy_sign_flip(self, sign: Self) -> Self;

    /// Overwrites the first [`Lanes::WIDTH`] entries of a slice with the whole parts of numbers from 0 to 65,535.
    fn store_whole(self, values: &mut [u32]);

    /// The components of quaternions that are from `FROM` on in the first [`Lanes::WIDTH`] arrays.
    fn load_turned<const FROM: usize, const N: usize>(quats: &[&[f32; N]]) -> [Self; 4];

    /// How many of the first [`WINDOW`] values, up to the first that is above it, are not above a limit. None where a
    /// number is not one.
    #[inline(always)]
    fn leading_not_above(values: &[f32], limit: f32) -> usize {
        values[..WINDOW].iter().position(|&value| !(value <= limit)).unwrap_or(WINDOW)
    }

    /// Writes the four values of each lane to where they belong.
    fn store_turned(values: [Self; 4], target: &mut impl TurnedTarget);

    /// Writes the rows of a matrix for each lane: of the first lane's to matrix `first`, of each other lane's to the one
    /// `stride` further on.
    #[inline(always)]
    fn store_turned_matrices(rows: [[Self; 4]; 3], matrices: &mut [PaletteRows], first: usize, stride: usize) {
        struct Apart<'a> {
            matrices: &'a mut [PaletteRows],
            stride: usize,
            row: usize,
        }
        impl TurnedTarget for Apart<'_> {
            #[inline(always)]
            fn of_lane(&mut self, lane: usize) -> &mut [f32; 4] {
                &mut self.matrices[lane * self.stride].0[self.row]
            }
        }
        for (row, values) in rows.into_iter().enumerate() {
            Self::store_turned(values, &mut Apart { matrices: &mut matrices[first..], stride, row });
        }
    }

    /// Writes the whole matrix of each lane to where it belongs.
    #[inline(always)]
    fn store_turned_wholes(rows: [[Self; 4]; 3], target: &mut impl WholeTarget) {
        struct OneColumn<'a, T>(&'a mut T, usize);
        impl<T: WholeTarget> TurnedTarget for OneColumn<'_, T> {
            #[inline(always)]
            fn of_lane(&mut self, lane: usize) -> &mut [f32; 4] {
                &mut self.0.of_lane(lane).as_chunks_mut::<4>().0[self.1]
            }
        }
        let ([a, b, c], zero, one) = (rows, Self::splat(0.0), Self::splat(1.0));
        for (column, last) in [zero, zero, zero, one].into_iter().enumerate() {
            Self::store_turned([a[column], b[column], c[column], last], &mut OneColumn(&mut *target, column));
        }
    }

    /// Turns eight components over: `target[i][j] = source[j][i]`.
    #[inline(always)]
    fn transpose(source: [&[f32; 8]; 8], target: &mut impl ComponentTarget) {
        for index in 0..8 {
            for (value, source) in target.of_component(index).iter_mut().zip(source) {
                *value = source[index];
            }
        }
    }

    /// The numbers from `lane` on of eight that are packed one after the other from a place on, each with a sign and `width` bits, the lowest
    /// first; zero where they have none. At most 24 bits, and 32 bytes are there.
    #[inline(always)]
    fn unpack(bytes: &[u8], place: usize, width: usize, lane: usize) -> Self {
        let bytes = &bytes[place..place + PACKED];
        let mut numbers = [0.0; 8];
        for (index, number) in numbers.iter_mut().enumerate().take(Self::WIDTH) {
            let bit = (lane + index) * width.min(24);
            let four = &bytes[bit / 8..bit / 8 + 4];
            let bits = u32::from_le_bytes([four[0], four[1], four[2], four[3]]) >> (bit % 8);
            // Half of the shift at a time: no number has 32 bits to be shifted by.
            let rest = 32 - width.min(24) as u32;
            *number = ((bits << (rest / 2) << (rest - rest / 2)) as i32 >> (rest / 2) >> (rest - rest / 2)) as f32;
        }
        Self::load(&numbers)
    }

    /// As [`Lanes::unpack`] with 16 bits.
    #[inline(always)]
    fn unpack_wide(bytes: &[u8], lane: usize) -> Self {
        Self::unpack(bytes, 0, 16, lane)
    }

    /// Copies matrices to memory that is not read again soon, past the caches where the machine can.
    #[inline(always)]
    fn stream(matrices: &[PaletteRows], out: &mut [PaletteRows]) {
        for (out, matrix) in out.iter_mut().zip(matrices) {
            *out = *matrix;
        }
    }

    /// An affine matrix in registers.
    type Matrix: Copy;
    fn load_matrix(matrix: &Affine) -> Self::Matrix;

    /// The product of two affine matrices of three rows each, `left * right`.
    ///
    /// Element by element `(l0 * r0 + l1 * r1) + l2 * r2`, and in the fourth column `+ l3`. (Where that is one vector with the
    /// others, they add -0, which changes no number.)
    fn matrix_product(left: Self::Matrix, right: &Affine) -> Self::Matrix;
    fn store_matrix(matrix: Self::Matrix, out: &mut Affine);
    fn store_rows(matrix: Self::Matrix, out: &mut PaletteRows);
    /// Writes the four columns of the whole matrix.
    fn store_columns(matrix: Self::Matrix, out: &mut [[f32; 4]; 4]);

    /// A whole matrix in registers, as columns.
    type Whole: Copy;
    /// The product of two affine matrices in columns, with the bits of [`Lanes::matrix_product`]. The last row of `right` is not looked at.
    fn whole_product(left: &[f32; 16], right: &[f32; 16]) -> Self::Whole;
    fn store_whole_matrix(matrix: Self::Whole, out: &mut [f32; 16]);
    /// As [`Lanes::whole_product`] with a matrix in rows.
    #[inline(always)]
    fn product_with_rows(left: &[f32; 16], right: &PaletteRows) -> Self::Whole {
        let [x, y, z] = &right.0;
        let columns =
            [[x[0], y[0], z[0], 0.0], [x[1], y[1], z[1], 0.0], [x[2], y[2], z[2], 0.0], [x[3], y[3], z[3], 1.0]];
        let mut flat = [0.0; 16];
        flat.copy_from_slice(columns.as_flattened());
        Self::whole_product(left, &flat)
    }
}

/// As [`Lanes::whole_product`], four floats at a time as compilers find it.
#[inline(always)]
fn whole_product(left: &[f32; 16], right: &[f32; 16]) -> [f32; 16] {
    let mut product = [0.0; 16];
    for column in 0..4 {
        let [a, b, c] = [right[4 * column], right[4 * column + 1], right[4 * column + 2]];
        for row in 0..3 {
            product[4 * column + row] = (left[row] * a + left[4 + row] * b) + left[8 + row] * c;
        }
    }
    for row in 0..3 {
        product[12 + row] += left[12 + row];
    }
    product[15] = 1.0;
    product
}

/// The lanes from `lane` on of four components. (Not `array::map`: its closure would not be inlined into the kernel.)
#[inline(always)]
pub(crate) fn load4<L: Lanes>(components: &[[f32; 8]], lane: usize) -> [L; 4] {
    let [x, y, z, w] = [&components[0], &components[1], &components[2], &components[3]];
    [L::load(&x[lane..]), L::load(&y[lane..]), L::load(&z[lane..]), L::load(&w[lane..])]
}

/// The lanes from `lane` on of three components.
#[inline(always)]
pub(crate) fn load3<L: Lanes>(components: &[[f32; 8]], lane: usize) -> [L; 3] {
    let [x, y, z] = [&components[0], &components[1], &components[2]];
    [L::load(&x[lane..]), L::load(&y[lane..]), L::load(&z[lane..])]
}

/// Overwrites the lanes from `lane` on of as many components as there are values.
#[inline(always)]
pub(crate) fn store_all<L: Lanes, const N: usize>(values: [L; N], components: &mut [[f32; 8]], lane: usize) {
    for (component, value) in components.iter_mut().zip(values) {
        value.store(&mut component[lane..]);
    }
}

const SIGN_BIT: u32 = 0x8000_0000;

/// Asks for memory that will be used soon, so that it is there when it is needed.
#[inline]
pub(crate) fn prefetch<T: ?Sized>(memory: &T) {
    #[cfg(target_arch = "x86_64")]
    for offset in (0..size_of_val(memory)).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: part of every x86-64; what is asked for lies inside.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(memory).cast::<i8>().add(offset)) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}

/// Makes what was streamed visible to other threads and devices.
#[inline]
pub(crate) fn finish_streaming() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: part of every x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// A computation that can run on any instruction set.
pub(crate) trait Kernel {
    type Output;
    /// Whether it has more numbers at hand than sixteen registers hold, or multiplies matrices: it then runs with the thirty-two registers of
    /// AVX-512, each of which holds a matrix, where the machine has them. Most kernels lose by their longer instructions.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "others have no choice"))]
    const NEEDS_REGISTERS: bool = false;
    /// Must be `#[inline(always)]`, and so must what it calls with `L`, to be compiled for the instruction set.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs a kernel on an instruction set; on the best one below it where the machine lacks it.
#[inline]
pub(crate) fn dispatch<K: Kernel>(isa: Isa, kernel: K) -> K::Output {
    match isa.available() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `available` never answers with an instruction set that was not detected.
        Isa::Avx512 if K::NEEDS_REGISTERS => unsafe { run_avx512(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the same, and AVX-512 includes AVX2.
        Isa::Avx512 | Isa::Avx2 => unsafe { run_avx2(kernel) },
        #[cfg(target_arch = "x86_64")]
        Isa::Sse2 => run_apart::<x86::Sse2, K>(kernel),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => run_apart::<neon::Neon, K>(kernel),
        // What has vectors has nothing else, in a browser: kernels of both kinds would make pages larger.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        _ => run_apart::<simd128::Simd128, K>(kernel),
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        _ => run_apart::<Scalar, K>(kernel),
    }
}

/// Never part of the caller, as a kernel for other instructions never is: compilers move the preparations of loops to before
/// the choice of the instruction set, where everyone pays for them.
#[inline(never)]
fn run_apart<L: Lanes, K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<L>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<x86::Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<x86::Avx512>()
}
