//! The builder: glTF JSON as it is, with helpers for what is tedious by hand.

use serde_json::{Value, json};

use super::array::{Array, Component, width};

/// A glTF file in the making: its JSON and its buffers. [`Gltf::glb`], [`Gltf::embedded`] and [`Gltf::files`] pack it.
#[derive(Debug, Clone)]
pub struct Gltf {
    pub json: Value,
    pub buffers: Vec<Vec<u8>>,
}

impl Gltf {
    /// A file with one empty scene and one empty buffer.
    pub fn new() -> Self {
        let json = json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "buffers": [{}]});
        Self { json, buffers: vec![Vec::new()] }
    }

    // Any JSON at all.

    /// Appends to a root array, which need not exist yet; gives the index.
    pub fn push(&mut self, kind: &str, object: Value) -> usize {
        append(&mut self.json[kind], object)
    }

    /// Sets the value at a JSON pointer; its last part may be new.
    pub fn set(&mut self, pointer: &str, value: impl Into<Value>) {
        let (parent, member) = self.parent_of(pointer);
        match parent {
            Value::Array(items) => items[member.parse::<usize>().expect("an index")] = value.into(),
            object => object[member] = value.into(),
        }
    }

    /// Removes the member at a JSON pointer.
    pub fn remove(&mut self, pointer: &str) {
        let (parent, member) = self.parent_of(pointer);
        let object = parent.as_object_mut().expect("an object");
        assert!(object.remove(&member).is_some(), "nothing at {pointer}");
    }

    fn parent_of(&mut self, pointer: &str) -> (&mut Value, String) {
        let (parent, member) = pointer.rsplit_once('/').expect("a JSON pointer");
        let member = member.replace("~1", "/");
        (self.json.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}")), member)
    }

    // Buffers, views and accessors.

    /// What is added from now on goes into a new buffer.
    pub fn next_buffer(&mut self) {
        self.buffers.push(Vec::new());
        self.push("buffers", json!({}));
    }

    /// A buffer view of these bytes, aligned to 4.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        let buffer = self.buffers.last_mut().expect("a buffer");
        buffer.resize(buffer.len().next_multiple_of(4), 0);
        let offset = buffer.len();
        buffer.extend_from_slice(bytes);
        let buffer = self.buffers.len() - 1;
        self.push("bufferViews", json!({"buffer": buffer, "byteOffset": offset, "byteLength": bytes.len()}))
    }

    /// An accessor with a view of its own.
    pub fn add(&mut self, array: &Array) -> usize {
        let view = self.view(&array.bytes());
        let mut accessor = described(array);
        accessor["bufferView"] = json!(view);
        self.push("accessors", accessor)
    }

    /// Accessors of equal count in one view, element by element, each part aligned to 4.
    pub fn interleave<const N: usize>(&mut self, arrays: [&Array; N]) -> [usize; N] {
        let padded = |array: &Array, element: usize| {
            let mut bytes = array.element(element);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        };
        let elements = 0..arrays[0].count();
        let bytes: Vec<u8> = elements.flat_map(|element| arrays.map(|array| padded(array, element)).concat()).collect();
        let view = self.view(&bytes);
        let mut offset = 0;
        let accessors = arrays.map(|array| {
            let mut accessor = described(array);
            accessor["bufferView"] = json!(view);
            accessor["byteOffset"] = json!(offset);
            offset += padded(array, 0).len();
            self.push("accessors", accessor)
        });
        self.json["bufferViews"][view]["byteStride"] = json!(offset);
        accessors
    }

    /// An accessor without a view, whose elements are all zeros.
    pub fn zeros(&mut self, component: Component, shape: &'static str, count: usize) -> usize {
        self.push("accessors", json!({"componentType": component as u32, "type": shape, "count": count}))
    }

    /// Makes an accessor sparse: the elements at these places are replaced.
    pub fn replace(&mut self, accessor: usize, index_type: Component, places: &[usize], values: &Array) {
        let indices = self.view(&Array::new(index_type, "SCALAR", places.iter().map(|&place| place as f64)).bytes());
        let values = self.view(&values.bytes());
        let accessor = &mut self.json["accessors"][accessor];
        for bound in ["min", "max"] {
            accessor.as_object_mut().expect("an object").remove(bound);
        }
        accessor["sparse"] = json!({
            "count": places.len(),
            "indices": {"bufferView": indices, "componentType": index_type as u32},
            "values": {"bufferView": values},
        });
    }

    /// Overwrites one stored number of an accessor that [`Gltf::add`] made.
    pub fn poke(&mut self, accessor: usize, element: usize, part: usize, value: f64) {
        let accessor = &self.json["accessors"][accessor];
        let component = Component::of(accessor["componentType"].as_u64().expect("a component type"));
        let width = width(accessor["type"].as_str().expect("a type"));
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
        let start = view["byteOffset"].as_u64().expect("an offset") as usize;
        let buffer = view["buffer"].as_u64().expect("a buffer") as usize;
        let offset = start + (element * width + part) * component.size();
        self.buffers[buffer][offset..offset + component.size()].copy_from_slice(&component.bytes(value));
    }

    // Nodes, skins and animations.

    /// A node at the root of the scene.
    pub fn node(&mut self, node: Value) -> usize {
        let index = self.push("nodes", node);
        append(&mut self.json["scenes"][0]["nodes"], json!(index));
        index
    }

    /// A node below another.
    pub fn child(&mut self, parent: usize, node: Value) -> usize {
        let index = self.push("nodes", node);
        append(&mut self.json["nodes"][parent]["children"], json!(index));
        index
    }

    /// A skin; without inverse bind matrices if there are none.
    pub fn skin(&mut self, joints: &[usize], inverse_binds: &[[f64; 16]]) -> usize {
        let mut skin = json!({"joints": joints});
        if !inverse_binds.is_empty() {
            skin["inverseBindMatrices"] = json!(self.add(&Array::new(Component::F32, "MAT4", inverse_binds.concat())));
        }
        self.push("skins", skin)
    }

    /// A channel with float keys of its own; the animation need not exist yet.
    pub fn animate(&mut self, animation: usize, node: usize, path: &str, how: &str, times: &[f64], values: &[f64]) {
        let shape = match path {
            "rotation" => "VEC4",
            "weights" => "SCALAR",
            _ => "VEC3",
        };
        let times = self.add(&Array::new(Component::F32, "SCALAR", times.iter().copied()));
        let values = self.add(&Array::new(Component::F32, shape, values.iter().copied()));
        self.channel(animation, json!({"node": node, "path": path}), how, times, values);
    }

    /// A channel of existing accessors.
    pub fn channel(&mut self, animation: usize, target: Value, how: &str, times: usize, values: usize) {
        if self.json["animations"].as_array().map_or(0, Vec::len) <= animation {
            self.push("animations", json!({}));
        }
        let animation = &mut self.json["animations"][animation];
        let sampler = json!({"input": times, "output": values, "interpolation": how});
        let sampler = append(&mut animation["samplers"], sampler);
        append(&mut animation["channels"], json!({"sampler": sampler, "target": target}));
    }
}

/// Appends to an array that need not exist yet.
fn append(array: &mut Value, item: Value) -> usize {
    if array.is_null() {
        *array = json!([]);
    }
    let array = array.as_array_mut().expect("an array");
    array.push(item);
    array.len() - 1
}

/// The accessor of an array, without its data.
fn described(array: &Array) -> Value {
    let mut accessor = json!({"componentType": array.component as u32, "type": array.shape, "count": array.count()});
    if array.is_normalized {
        accessor["normalized"] = json!(true);
    }
    if let Some((lowest, highest)) = array.bounds() {
        accessor["min"] = json!(lowest);
        accessor["max"] = json!(highest);
    }
    accessor
}
