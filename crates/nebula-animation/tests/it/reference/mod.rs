//! What glTF 2.0 says a file means, worked out slowly and obviously in `f64`.
//!
//! It shares no code with the library: JSON through `serde_json::Value`, every formula written out. It expects a valid
//! file and panics on any other; compressed buffer views have no data here.

mod accessor;
mod file;
pub mod matrix;
mod pose;
mod sampler;
mod skin;
mod vertices;

use serde_json::Value;

pub use matrix::Matrix;
pub use pose::Pose;
pub use skin::{Blend, Vertex};

/// A glTF file with all its buffers and accessors.
pub struct Reference {
    pub json: Value,
    buffers: Vec<Option<Vec<u8>>>,
    accessors: Vec<Option<Vec<Vec<f64>>>>,
}

impl Reference {
    /// Opens a `.glb` or `.gltf`. `read` gives the bytes of an external buffer by its percent-decoded name.
    pub fn open(bytes: &[u8], read: &dyn Fn(&str) -> Vec<u8>) -> Self {
        let (json, binary) = file::split(bytes);
        let json: Value = serde_json::from_slice(json).expect("valid JSON");
        let buffers = file::buffers(&json, binary, read);
        let mut reference = Self { json, buffers, accessors: Vec::new() };
        reference.accessors = (0..reference.count("accessors")).map(|index| reference.decode(index)).collect();
        reference
    }

    /// How many objects the root array `kind` has.
    pub fn count(&self, kind: &str) -> usize {
        self.json[kind].as_array().map_or(0, Vec::len)
    }

    /// The elements of an accessor, each a list of its components.
    pub fn elements(&self, accessor: usize) -> &[Vec<f64>] {
        self.accessors[accessor].as_deref().expect("an accessor with readable data")
    }

    /// All sampler input times of an animation, over all channels.
    pub fn key_times(&self, animation: usize) -> Vec<f64> {
        let animation = &self.json["animations"][animation];
        let samplers =
            list(&animation["channels"]).iter().map(|channel| &animation["samplers"][index(&channel["sampler"])]);
        samplers.flat_map(|sampler| self.elements(index(&sampler["input"])).iter().map(|time| time[0])).collect()
    }
}

/// The items of an optional array.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// An integer, which JSON may write as `2.0`.
pub fn index(value: &Value) -> usize {
    value.as_f64().expect("a number") as usize
}

/// An optional integer.
pub fn index_or(value: &Value, default: usize) -> usize {
    if value.is_null() { default } else { index(value) }
}

/// The numbers of an optional array.
pub fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array().map(|items| items.iter().map(|item| item.as_f64().expect("a number")).collect())
}
