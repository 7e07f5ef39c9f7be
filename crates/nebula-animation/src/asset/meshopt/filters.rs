//! The filters: what turns the compact values of an attribute stream into the ones that accessors describe.
//!
//! The extensions allow a difference of one unit in the last place. The order of the operations here is the one of
//! the portable build of the reference decoder, so that the results are the same to the bit. Input outside of the
//! range that an encoder may write has no specified result; conversions from float to integer saturate, so that it
//! gives some number and never a panic.

use super::Filter;

/// Filters elements of `stride` bytes in place. The caller has checked that the filter allows the stride.
pub(super) fn apply(filter: Filter, elements: &mut [u8], stride: usize) {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => octahedral_8(elements),
        (Filter::Octahedral, _) => octahedral_16(elements),
        (Filter::Quaternion, _) => quaternion(elements),
        (Filter::Exponential, _) => exponential(elements),
        (Filter::Color, 4) => color_8(elements),
        (Filter::Color, _) => color_16(elements),
    }
}

fn octahedral_8(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<4>().0 {
        let [x, y, one, passed] = *element;
        let input = [x, y, one].map(|byte| f32::from(byte.cast_signed()));
        let [x, y, z] = octahedral(input, 127.0).map(|value| (value as i8).cast_unsigned());
        *element = [x, y, z, passed];
    }
}

fn octahedral_16(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<8>().0 {
        let [x, y, one, passed] = words(element);
        let input = [x, y, one].map(|word| f32::from(word.cast_signed()));
        let [x, y, z] = octahedral(input, 32767.0).map(|value| (value as i16).cast_unsigned());
        *element = bytes([x, y, z, passed]);
    }
}

/// A unit vector from its two octahedral coordinates and the integer that stands for 1, scaled to `max` and ready
/// for truncation to an integer.
#[inline]
fn octahedral([x, y, one]: [f32; 3], max: f32) -> [f32; 3] {
    let z = one - x.abs() - y.abs();
    // The lower half of the octahedron is stored folded outwards over the edges of the upper half.
    let fold = z.min(0.0);
    let x = x + fold.copysign(-x);
    let y = y + fold.copysign(-y);
    let scale = max / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|value| away_from_zero(value * scale))
}

fn quaternion(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<8>().0 {
        let [x, y, z, tag] = words(element);
        let one = f32::from((tag | 3).cast_signed());
        let [x, y, z] = [x, y, z].map(|word| f32::from(word.cast_signed()));
        // The three stored components are scaled by the root of 2, the bound of what is not the largest; the
        // fourth makes the sum of the squares whole, and is zero where hostile input leaves nothing for it.
        let w = (one * one * 2.0 - x * x - y * y - z * z).max(0.0).sqrt();
        let scale = 32767.0 / std::f32::consts::SQRT_2 / one;
        let mut rotated = [w, x, y, z].map(|value| (away_from_zero(value * scale) as i16).cast_unsigned());
        // The lowest two bits of the tag are the place of the largest component, and the others follow it.
        rotated.rotate_right(usize::from(tag & 3));
        *element = bytes(rotated);
    }
}

fn exponential(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<4>().0 {
        let input = i32::from_le_bytes(*element);
        let exponent = i64::from(input >> 24);
        let mantissa = f64::from((input << 8) >> 8);
        // All powers of two with an 8-bit exponent are normal numbers in double precision, where the product is
        // exact; the one rounding is the conversion, which only values outside of the normal range of f32 need.
        let power = f64::from_bits(((exponent + 1023) as u64) << 52);
        *element = ((mantissa * power) as f32).to_le_bytes();
    }
}

fn color_8(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<4>().0 {
        let [y, orange, green, alpha] = *element;
        let chroma = [orange, green].map(|byte| i32::from(byte.cast_signed()));
        let rgba = color(i32::from(y), chroma, u32::from(alpha), 255.0);
        *element = rgba.map(|value| value as u8);
    }
}

fn color_16(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<8>().0 {
        let [y, orange, green, alpha] = words(element);
        let chroma = [orange, green].map(|word| i32::from(word.cast_signed()));
        let rgba = color(i32::from(y), chroma, u32::from(alpha), 65535.0);
        *element = bytes(rgba.map(|value| value as u16));
    }
}

/// RGBA scaled to `max` and ready for truncation, from luma, the two chroma components and alpha. Alpha has a bit
/// less than the others, and a bit above it that says how many bits the components of this element have.
#[inline]
fn color(luma: i32, [orange, green]: [i32; 2], alpha: u32, max: f32) -> [f32; 4] {
    let component_max = (1_u32 << (u32::BITS - alpha.leading_zeros())) - 1;
    let alpha = alpha & (component_max >> 1);
    // Repeating the lowest bit widens alpha so that none stays none and all stays all.
    let alpha = (alpha << 1) | (alpha & 1);
    let rgba = [luma + orange - green, luma + green, luma - orange - green, alpha.cast_signed()];
    let scale = max / component_max as f32;
    rgba.map(|value| away_from_zero(value as f32 * scale))
}

/// Moves a number so that truncation gives the nearest integer, with halves away from zero. `f32::round` is a call
/// into the maths library on targets whose baseline lacks the instruction, and keeps the loops from being vectorised.
#[inline]
fn away_from_zero(value: f32) -> f32 {
    value + 0.5_f32.copysign(value)
}

#[inline]
fn words(element: &[u8; 8]) -> [u16; 4] {
    let [a, b, c, d, e, f, g, h] = *element;
    [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes)
}

#[inline]
fn bytes(words: [u16; 4]) -> [u8; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = words.map(u16::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}
