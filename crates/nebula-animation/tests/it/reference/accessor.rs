//! Accessors to numbers: section 3.6.2 of glTF 2.0.

use serde_json::Value;

use super::{Reference, index, index_or};

impl Reference {
    /// The elements of an accessor; `None` where its data is compressed.
    pub(super) fn decode(&self, accessor: usize) -> Option<Vec<Vec<f64>>> {
        let accessor = &self.json["accessors"][accessor];
        let layout = Layout::of(accessor);
        let count = index(&accessor["count"]);
        let mut elements = match &accessor["bufferView"] {
            Value::Null => vec![vec![0.0; layout.components]; count],
            view => self.read(index(view), index_or(&accessor["byteOffset"], 0), count, &layout)?,
        };
        let sparse = &accessor["sparse"];
        if !sparse.is_null() {
            let count = index(&sparse["count"]);
            let part = |part: &Value, layout: &Layout| {
                self.read(index(&part["bufferView"]), index_or(&part["byteOffset"], 0), count, layout)
            };
            let index_type = index(&sparse["indices"]["componentType"]);
            let places =
                part(&sparse["indices"], &Layout { component_type: index_type, components: 1, normalized: false })?;
            let values = part(&sparse["values"], &layout)?;
            for (place, value) in places.into_iter().zip(values) {
                elements[place[0] as usize] = value;
            }
        }
        Some(elements)
    }

    fn read(&self, view: usize, offset: usize, count: usize, layout: &Layout) -> Option<Vec<Vec<f64>>> {
        let view = &self.json["bufferViews"][view];
        let is_compressed = ["EXT_meshopt_compression", "KHR_meshopt_compression"]
            .iter()
            .any(|extension| !view["extensions"][extension].is_null());
        if is_compressed {
            return None;
        }
        let buffer = self.buffers[index(&view["buffer"])].as_ref().expect("a buffer with data");
        let start = index_or(&view["byteOffset"], 0) + offset;
        let size = layout.component_size();
        let stride = index_or(&view["byteStride"], layout.components * size);
        let component = |element: usize, component: usize| {
            let at = start + element * stride + component * size;
            layout.number(&buffer[at..at + size])
        };
        Some((0..count).map(|element| (0..layout.components).map(|part| component(element, part)).collect()).collect())
    }
}

struct Layout {
    component_type: usize,
    components: usize,
    normalized: bool,
}

impl Layout {
    fn of(accessor: &Value) -> Self {
        let components = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            Some("MAT4") => 16,
            other => panic!("accessor type {other:?}"),
        };
        let normalized = accessor["normalized"].as_bool().unwrap_or(false);
        Self { component_type: index(&accessor["componentType"]), components, normalized }
    }

    fn component_size(&self) -> usize {
        match self.component_type {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            other => panic!("component type {other}"),
        }
    }

    fn number(&self, bytes: &[u8]) -> f64 {
        let (stored, largest) = match (self.component_type, bytes) {
            (5120, &[a]) => (f64::from(a as i8), 127.0),
            (5121, &[a]) => (f64::from(a), 255.0),
            (5122, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32_767.0),
            (5123, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65_535.0),
            (5125, &[a, b, c, d]) => (f64::from(u32::from_le_bytes([a, b, c, d])), f64::NAN),
            (5126, &[a, b, c, d]) => (f64::from(f32::from_le_bytes([a, b, c, d])), f64::NAN),
            other => panic!("component {other:?}"),
        };
        if self.normalized { (stored / largest).max(-1.0) } else { stored }
    }
}
