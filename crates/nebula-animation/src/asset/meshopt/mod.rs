//! Buffer views compressed with `EXT_meshopt_compression` or `KHR_meshopt_compression`.
//!
//! A compressed view is a stream of one of three codecs, followed for attributes by an optional filter that
//! turns compact values back into the ones that the accessors describe:
//!
//! | `mode` | file | what it holds |
//! |---|---|---|
//! | `ATTRIBUTES` | [`attributes`] | elements of any layout: vertices, key times, key values |
//! | `TRIANGLES` | [`triangles`] | the indices of a triangle list |
//! | `INDICES` | [`indices`] | any other sequence of indices |
//!
//! The two extensions differ in what an encoder may write, not in how it is read: the Khronos one adds version 1
//! of the attribute codec and the colour filter. Both are accepted whichever extension names the view, because the
//! stream itself says which version it is and to refuse it would help nobody.
//!
//! The bytes are hostile until proven otherwise. Every decoder checks that the stream is long enough for its
//! element count before it allocates, reads only through bounds checks, and does work that is proportional to
//! the size of its output. A stream that ends early or has bytes left over is an error, as the extensions ask.

mod attributes;
mod channels;
mod filters;
mod indices;
#[cfg(test)]
mod tests;
mod triangles;

/// How the bytes of a compressed view are packed (`mode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Elements of any layout, stored as differences from one element to the next.
    Attributes,
    /// The indices of a triangle list.
    Triangles,
    /// Indices that form no triangle list.
    Indices,
}

/// What is done to the elements after they are unpacked (`filter`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// The elements are used as they are.
    None,
    /// Unit vectors in octahedral encoding become three signed normalised components.
    Octahedral,
    /// Quaternions without their largest component become four signed normalised components.
    Quaternion,
    /// Pairs of exponent and mantissa become `f32` values.
    Exponential,
    /// YCoCg colours become RGBA (only in `KHR_meshopt_compression`).
    Color,
}

/// Decodes one view: `count` elements of `stride` bytes. The result has exactly `count * stride` bytes.
///
/// # Errors
///
/// The message says what was found and what was expected, without naming the view, which the caller knows.
pub(crate) fn decode(data: &[u8], mode: Mode, filter: Filter, count: usize, stride: usize) -> Result<Vec<u8>, String> {
    check_parameters(mode, filter, count, stride)?;
    let mut decoded = match mode {
        Mode::Attributes => attributes::decode(data, count, stride)?,
        Mode::Triangles => triangles::decode(data, count, stride)?,
        Mode::Indices => indices::decode(data, count, stride)?,
    };
    filters::apply(filter, &mut decoded, stride);
    Ok(decoded)
}

/// Enforces the rules that the extensions give for the properties of a compressed view.
fn check_parameters(mode: Mode, filter: Filter, count: usize, stride: usize) -> Result<(), String> {
    if count == 0 {
        return Err("count is 0, expected at least 1".to_owned());
    }
    match mode {
        Mode::Attributes => {
            if !(4..=256).contains(&stride) || !stride.is_multiple_of(4) {
                return Err(format!("byteStride of attributes is {stride}, expected a multiple of 4 from 4 to 256"));
            }
        }
        Mode::Triangles | Mode::Indices => {
            if stride != 2 && stride != 4 {
                return Err(format!("byteStride of indices is {stride}, expected 2 or 4"));
            }
            if mode == Mode::Triangles && !count.is_multiple_of(3) {
                return Err(format!("count of triangle indices is {count}, expected a multiple of 3"));
            }
            if filter != Filter::None {
                return Err(format!("filter of indices is {filter:?}, expected none"));
            }
        }
    }
    match filter {
        Filter::Octahedral | Filter::Color if stride != 4 && stride != 8 => {
            Err(format!("byteStride under filter {filter:?} is {stride}, expected 4 or 8"))
        }
        Filter::Quaternion if stride != 8 => Err(format!("byteStride under filter {filter:?} is {stride}, expected 8")),
        // The exponential filter asks for a multiple of 4, which attributes always have.
        _ => Ok(()),
    }
}

/// Allocates the output of a decoder, and reports a size that the machine cannot give instead of aborting.
fn allocate(count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let too_large = || format!("{count} elements of {stride} bytes do not fit in memory");
    let length = count.checked_mul(stride).ok_or_else(too_large)?;
    let mut output = Vec::new();
    output.try_reserve_exact(length).map_err(|_| too_large())?;
    output.resize(length, 0);
    Ok(output)
}
