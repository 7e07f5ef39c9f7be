//! The memory layout of an accessor's elements, with all arithmetic checked.

use gltf::json::accessor::{ComponentType, Type};

use super::view::View;
use crate::asset::document::{Accessor, Document, Sparse, Uint};
use crate::asset::error::{AnimationLoadError, escaped};
use crate::asset::report::Report;

/// A checked accessor: every element lies within its view.
pub(super) struct Layout {
    /// `None`: all zeros.
    pub view: Option<usize>,
    pub offset: usize,
    /// Distance between elements in bytes, at least the size of one.
    pub stride: usize,
    pub component: ComponentType,
    pub shape: Type,
    pub is_normalized: bool,
    /// Above zero.
    pub count: usize,
    pub sparse: Option<SparseLayout>,
}

/// Elements that replace others. Indices and values are tightly packed.
pub(super) struct SparseLayout {
    pub count: usize,
    pub index_view: usize,
    pub index_offset: usize,
    pub index_component: ComponentType,
    pub value_view: usize,
    pub value_offset: usize,
}

impl Layout {
    /// Numbers in all elements.
    pub fn number_count(&self) -> u64 {
        (self.count as u64).saturating_mul(self.shape.multiplicity() as u64)
    }
}

/// Checks every accessor of the file.
pub(super) fn check(
    document: &Document,
    views: &[View],
    report: &mut Report,
) -> Result<Vec<Layout>, AnimationLoadError> {
    let mut layouts = Vec::with_capacity(document.accessors.len());
    for (index, accessor) in document.accessors.iter().enumerate() {
        let object = format!("accessor {index}");
        let layout = checked_layout(accessor, views).map_err(|problem| report.malformed(&object, problem))?;
        let start = layout.offset + layout.view.map_or(0, |view| views[view].offset);
        if start % layout.component.size() != 0 || layout.stride % layout.component.size() != 0 {
            report.repair(&object, format!("is not aligned to {} bytes: read anyway", layout.component.size()))?;
        }
        layouts.push(layout);
    }
    Ok(layouts)
}

fn checked_layout(accessor: &Accessor, views: &[View]) -> Result<Layout, String> {
    let component = component_type(accessor.component_type)?;
    let shape = shape(&accessor.shape)?;
    let count = accessor.count.index();
    if count == 0 {
        return Err("count is 0, expected at least 1".into());
    }
    let element_bytes = element_bytes(component, shape);
    let view = accessor.buffer_view.map(Uint::index);
    let stride = view.and_then(|view| views[view].stride).unwrap_or(element_bytes);
    if stride < element_bytes {
        return Err(format!("byteStride {stride} is smaller than its elements of {element_bytes} bytes"));
    }
    let offset = accessor.byte_offset.index();
    if let Some(view) = view {
        check_range(offset, stride, count, element_bytes, views, view)?;
    }
    let sparse = match &accessor.sparse {
        Some(sparse) => Some(checked_sparse(sparse, count, element_bytes, views)?),
        None => None,
    };
    Ok(Layout {
        view,
        offset: if view.is_some() { offset } else { 0 },
        stride,
        component,
        shape,
        is_normalized: accessor.normalized,
        count,
        sparse,
    })
}

fn checked_sparse(
    sparse: &Sparse,
    element_count: usize,
    element_bytes: usize,
    views: &[View],
) -> Result<SparseLayout, String> {
    let count = sparse.count.index();
    if count == 0 || count > element_count {
        return Err(format!("sparse.count is {}, expected 1 to {element_count}", sparse.count.0));
    }
    let index_component = component_type(sparse.indices.component_type)?;
    if !matches!(index_component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32) {
        return Err(format!("sparse indices are {index_component:?}, expected an unsigned type"));
    }
    let layout = SparseLayout {
        count,
        index_view: sparse.indices.buffer_view.index(),
        index_offset: sparse.indices.byte_offset.index(),
        index_component,
        value_view: sparse.values.buffer_view.index(),
        value_offset: sparse.values.byte_offset.index(),
    };
    let index_bytes = index_component.size();
    check_range(layout.index_offset, index_bytes, count, index_bytes, views, layout.index_view)
        .map_err(|problem| format!("sparse indices: {problem}"))?;
    check_range(layout.value_offset, element_bytes, count, element_bytes, views, layout.value_view)
        .map_err(|problem| format!("sparse values: {problem}"))?;
    Ok(layout)
}

/// Fails unless the last element ends within the view.
fn check_range(
    offset: usize,
    stride: usize,
    count: usize,
    element_bytes: usize,
    views: &[View],
    view: usize,
) -> Result<(), String> {
    let available = views[view].length;
    let end = (count - 1)
        .checked_mul(stride)
        .and_then(|last| last.checked_add(offset))
        .and_then(|last| last.checked_add(element_bytes));
    match end {
        Some(end) if end <= available => Ok(()),
        _ => Err(format!(
            "{count} elements of {element_bytes} bytes from byte {offset} on do not fit buffer view {view} of {available} bytes"
        )),
    }
}

fn component_type(number: Uint) -> Result<ComponentType, String> {
    Ok(match number.0 {
        5120 => ComponentType::I8,
        5121 => ComponentType::U8,
        5122 => ComponentType::I16,
        5123 => ComponentType::U16,
        5125 => ComponentType::U32,
        5126 => ComponentType::F32,
        other => return Err(format!("componentType is {other}, expected 5120 to 5123, 5125 or 5126")),
    })
}

fn shape(name: &str) -> Result<Type, String> {
    Ok(match name {
        "SCALAR" => Type::Scalar,
        "VEC2" => Type::Vec2,
        "VEC3" => Type::Vec3,
        "VEC4" => Type::Vec4,
        "MAT2" => Type::Mat2,
        "MAT3" => Type::Mat3,
        "MAT4" => Type::Mat4,
        other => return Err(format!("type is \"{}\", expected SCALAR, VEC2 to VEC4 or MAT2 to MAT4", escaped(other))),
    })
}

/// Bytes of one element. The columns of matrices of small integers start at multiples of four bytes.
fn element_bytes(component: ComponentType, shape: Type) -> usize {
    let columns = match shape {
        Type::Mat2 => 2,
        Type::Mat3 => 3,
        Type::Mat4 => 4,
        _ => return component.size() * shape.multiplicity(),
    };
    columns * (component.size() * columns).next_multiple_of(4)
}
