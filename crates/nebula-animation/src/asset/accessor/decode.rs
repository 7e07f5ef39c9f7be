//! Bytes to numbers.

use std::sync::Arc;

use gltf::json::accessor::ComponentType;

use super::layout::{Layout, SparseLayout};

/// The views that an accessor reads from; empty where it has none.
pub(super) struct ElementBytes<'a> {
    pub base: &'a [u8],
    pub sparse_indices: &'a [u8],
    pub sparse_values: &'a [u8],
}

/// All numbers of an accessor as floats, integers converted as glTF says.
///
/// Fails only where sparse indices are wrong: every range has been checked.
pub(super) fn decode_floats(layout: &Layout, bytes: &ElementBytes) -> Result<Arc<[f32]>, String> {
    let width = layout.shape.multiplicity();
    let mut values: Arc<[f32]> = match layout.view {
        None => std::iter::repeat_n(0.0, layout.count * width).collect(),
        Some(_) => read_floats(layout, &bytes.base[layout.offset..], layout.stride, layout.count),
    };
    if let Some(sparse) = &layout.sparse {
        let indices = sparse_indices(sparse, bytes.sparse_indices, layout.count)?;
        let element_bytes = layout.component.size() * width;
        let replacing = read_floats(layout, &bytes.sparse_values[sparse.value_offset..], element_bytes, sparse.count);
        if let Some(values) = Arc::get_mut(&mut values) {
            for (&index, element) in indices.iter().zip(replacing.chunks_exact(width)) {
                values[index * width..][..width].copy_from_slice(element);
            }
        }
    }
    Ok(values)
}

/// All numbers of an accessor of unsigned integers.
pub(super) fn decode_integers(layout: &Layout, bytes: &ElementBytes) -> Result<Vec<u32>, String> {
    let width = layout.shape.multiplicity();
    let mut values = match layout.view {
        None => vec![0; layout.count * width],
        Some(_) => read_integers(layout.component, &bytes.base[layout.offset..], layout.stride, layout.count, width),
    };
    if let Some(sparse) = &layout.sparse {
        let indices = sparse_indices(sparse, bytes.sparse_indices, layout.count)?;
        let element_bytes = layout.component.size() * width;
        let bytes = &bytes.sparse_values[sparse.value_offset..];
        let replacing = read_integers(layout.component, bytes, element_bytes, sparse.count, width);
        for (&index, element) in indices.iter().zip(replacing.chunks_exact(width)) {
            values[index * width..][..width].copy_from_slice(element);
        }
    }
    Ok(values)
}

/// The indices of a sparse accessor: strictly increasing, each below `count`.
fn sparse_indices(sparse: &SparseLayout, bytes: &[u8], count: usize) -> Result<Vec<usize>, String> {
    let size = sparse.index_component.size();
    let indices = read_integers(sparse.index_component, &bytes[sparse.index_offset..], size, sparse.count, 1);
    let indices: Vec<usize> = indices.into_iter().map(|index| index as usize).collect();
    if let Some(pair) = indices.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(format!("sparse indices {} and {} are not increasing", pair[0], pair[1]));
    }
    match indices.last() {
        Some(&last) if last >= count => Err(format!("sparse index {last} is not below the count {count}")),
        _ => Ok(indices),
    }
}

fn read_floats(layout: &Layout, bytes: &[u8], stride: usize, count: usize) -> Arc<[f32]> {
    let width = layout.shape.multiplicity();
    let float = |bytes: [u8; 4]| f32::from_le_bytes(bytes);
    match (layout.component, layout.is_normalized) {
        // By far the most data is this; one pass, no index arithmetic.
        (ComponentType::F32, _) if stride == 4 * width => {
            bytes[..4 * width * count].as_chunks::<4>().0.iter().map(|&bytes| float(bytes)).collect()
        }
        (ComponentType::F32, _) => gather(bytes, stride, count, width, float),
        (ComponentType::U32, _) => gather(bytes, stride, count, width, |bytes| u32::from_le_bytes(bytes) as f32),
        (ComponentType::I8, true) => {
            gather(bytes, stride, count, width, |bytes| (f32::from(i8::from_le_bytes(bytes)) / 127.0).max(-1.0))
        }
        (ComponentType::U8, true) => gather(bytes, stride, count, width, |[byte]| f32::from(byte) / 255.0),
        (ComponentType::I16, true) => {
            gather(bytes, stride, count, width, |bytes| (f32::from(i16::from_le_bytes(bytes)) / 32767.0).max(-1.0))
        }
        (ComponentType::U16, true) => {
            gather(bytes, stride, count, width, |bytes| f32::from(u16::from_le_bytes(bytes)) / 65535.0)
        }
        (ComponentType::I8, false) => gather(bytes, stride, count, width, |bytes| f32::from(i8::from_le_bytes(bytes))),
        (ComponentType::U8, false) => gather(bytes, stride, count, width, |[byte]| f32::from(byte)),
        (ComponentType::I16, false) => {
            gather(bytes, stride, count, width, |bytes| f32::from(i16::from_le_bytes(bytes)))
        }
        (ComponentType::U16, false) => {
            gather(bytes, stride, count, width, |bytes| f32::from(u16::from_le_bytes(bytes)))
        }
    }
}

fn read_integers(component: ComponentType, bytes: &[u8], stride: usize, count: usize, width: usize) -> Vec<u32> {
    match component {
        ComponentType::U8 => gather(bytes, stride, count, width, |[byte]| u32::from(byte)),
        ComponentType::U16 => gather(bytes, stride, count, width, |bytes| u32::from(u16::from_le_bytes(bytes))),
        // Other types do not pass the check of the form.
        _ => gather(bytes, stride, count, width, u32::from_le_bytes),
    }
}

/// Reads `count` elements of `width` numbers of `SIZE` bytes, `stride` bytes apart.
fn gather<const SIZE: usize, T, C: FromIterator<T>>(
    bytes: &[u8],
    stride: usize,
    count: usize,
    width: usize,
    convert: impl Fn([u8; SIZE]) -> T,
) -> C {
    let number = |index: usize| {
        let start = (index / width) * stride + (index % width) * SIZE;
        let mut number = [0; SIZE];
        number.copy_from_slice(&bytes[start..start + SIZE]);
        convert(number)
    };
    (0..count * width).map(number).collect()
}
