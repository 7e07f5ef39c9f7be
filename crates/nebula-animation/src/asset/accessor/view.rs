//! Buffer views: slices of buffers, plain or compressed.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::Budget;
use crate::asset::document::{BufferView, Document, MeshoptView, Uint};
use crate::asset::error::{AnimationLoadError, escaped};
use crate::asset::meshopt::{self, Filter, Mode};
use crate::asset::report::Report;

/// A checked buffer view.
pub(super) struct View<'d> {
    /// Bytes of the (decompressed) view.
    pub length: usize,
    /// Where the view starts in its buffer, for alignment.
    pub offset: usize,
    /// Distance between elements, where the view states one; above zero.
    pub stride: Option<usize>,
    data: Data<'d>,
}

enum Data<'d> {
    Plain(&'d [u8]),
    Meshopt { bytes: &'d [u8], mode: Mode, filter: Filter, count: usize, stride: usize, decoded: OnceCell<Vec<u8>> },
}

impl View<'_> {
    /// The bytes of the view; decompressed when they are first asked for.
    pub fn bytes(&self, index: usize, budget: &Budget, report: &Report) -> Result<&[u8], AnimationLoadError> {
        match &self.data {
            Data::Plain(bytes) => Ok(bytes),
            Data::Meshopt { bytes, mode, filter, count, stride, decoded } => {
                if let Some(decoded) = decoded.get() {
                    return Ok(decoded);
                }
                budget.charge(self.length as u64, report)?;
                let bytes = meshopt::decode(bytes, *mode, *filter, *count, *stride)
                    .map_err(|problem| report.malformed(view_name(index), format!("meshopt: {problem}")))?;
                Ok(decoded.get_or_init(|| bytes))
            }
        }
    }
}

/// Checks every view against its buffer.
pub(super) fn check<'d>(
    document: &'d Document<'d>,
    buffers: &'d [Cow<'d, [u8]>],
    report: &mut Report,
) -> Result<Vec<View<'d>>, AnimationLoadError> {
    let mut views = Vec::with_capacity(document.buffer_views.len());
    for (index, view) in document.buffer_views.iter().enumerate() {
        let view = checked_view(view, index, buffers, report)?;
        if let Some(stride) = view.stride
            && !(4..=252).contains(&stride)
        {
            report.repair(view_name(index), format!("byteStride is {stride}, expected 4 to 252: used as it is"))?;
        }
        views.push(view);
    }
    Ok(views)
}

fn checked_view<'d>(
    view: &'d BufferView<'d>,
    index: usize,
    buffers: &'d [Cow<'d, [u8]>],
    report: &Report,
) -> Result<View<'d>, AnimationLoadError> {
    let malformed = |problem: String| report.malformed(view_name(index), problem);
    let stride = match view.byte_stride {
        Some(Uint(0)) => return Err(malformed("byteStride is 0, expected 4 to 252".into())),
        stride => stride.map(Uint::index),
    };
    let data = match view.extensions.meshopt() {
        Some(compressed) => meshopt_data(compressed, view, buffers).map_err(malformed)?,
        None => Data::Plain(slice(buffers, view.buffer, view.byte_offset, view.byte_length).map_err(malformed)?),
    };
    Ok(View { length: view.byte_length.index(), offset: view.byte_offset.index(), stride, data })
}

/// The bytes from `offset` on, `length` of them.
fn slice<'d>(buffers: &'d [Cow<'d, [u8]>], buffer: Uint, offset: Uint, length: Uint) -> Result<&'d [u8], String> {
    let bytes = &buffers[buffer.index()];
    let range = offset.index().checked_add(length.index()).and_then(|end| bytes.get(offset.index()..end));
    range.ok_or_else(|| format!("bytes {} + {} lie outside buffer {} of {}", offset.0, length.0, buffer.0, bytes.len()))
}

fn meshopt_data<'d>(
    compressed: &MeshoptView,
    view: &BufferView,
    buffers: &'d [Cow<'d, [u8]>],
) -> Result<Data<'d>, String> {
    let mode = match &*compressed.mode {
        "ATTRIBUTES" => Mode::Attributes,
        "TRIANGLES" => Mode::Triangles,
        "INDICES" => Mode::Indices,
        other => return Err(format!("meshopt mode \"{}\", expected ATTRIBUTES, TRIANGLES or INDICES", escaped(other))),
    };
    let filter = match compressed.filter.as_deref() {
        None | Some("NONE") => Filter::None,
        Some("OCTAHEDRAL") => Filter::Octahedral,
        Some("QUATERNION") => Filter::Quaternion,
        Some("EXPONENTIAL") => Filter::Exponential,
        Some("COLOR") => Filter::Color,
        Some(other) => return Err(format!("unknown meshopt filter \"{}\"", escaped(other))),
    };
    let (count, stride) = (compressed.count.index(), compressed.byte_stride.index());
    if count.checked_mul(stride) != Some(view.byte_length.index()) {
        return Err(format!(
            "meshopt count {} times byteStride {} is not the view's byteLength {}",
            compressed.count.0, compressed.byte_stride.0, view.byte_length.0
        ));
    }
    let bytes = slice(buffers, compressed.buffer, compressed.byte_offset, compressed.byte_length)?;
    Ok(Data::Meshopt { bytes, mode, filter, count, stride, decoded: OnceCell::new() })
}

fn view_name(index: usize) -> String {
    format!("buffer view {index}")
}
