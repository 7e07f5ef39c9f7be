//! The JSON of a document: everything that is not changed is kept verbatim, numbers to the last digit.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::error::GltfError;

/// The members of the root object that are lists of objects.
const LISTS: [&str; 12] = [
    "accessors",
    "animations",
    "bufferViews",
    "buffers",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
];

/// The root object.
#[derive(Debug, Default, Clone)]
pub(super) struct Json {
    members: BTreeMap<String, Box<RawValue>>,
    lists: BTreeMap<String, Vec<Box<RawValue>>>,
}

impl Json {
    pub fn parse(text: &[u8]) -> Result<Self, GltfError> {
        let mut members: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(text)?;
        let mut lists = BTreeMap::new();
        for name in LISTS {
            if let Some(list) = members.remove(name) {
                lists.insert(name.to_owned(), serde_json::from_str(list.get())?);
            }
        }
        Ok(Self { members, lists })
    }

    pub fn into_bytes(self) -> Result<Vec<u8>, GltfError> {
        let mut members = self.members;
        for (name, list) in self.lists {
            // glTF has no empty lists.
            if !list.is_empty() {
                members.insert(name, to_raw_value(&list)?);
            }
        }
        Ok(serde_json::to_vec(&members)?)
    }

    /// A member of the root object that is no list; null where there is none.
    pub fn member(&self, name: &str) -> Result<Value, GltfError> {
        self.members.get(name).map_or(Ok(Value::Null), |raw| Ok(serde_json::from_str(raw.get())?))
    }

    pub fn set_member(&mut self, name: &str, value: &Value) -> Result<(), GltfError> {
        if value.is_null() {
            self.members.remove(name);
        } else {
            self.members.insert(name.to_owned(), to_raw_value(value)?);
        }
        Ok(())
    }

    pub fn count(&self, list: &str) -> usize {
        self.lists.get(list).map_or(0, Vec::len)
    }

    pub fn get(&self, list: &str, index: usize) -> Result<Value, GltfError> {
        let missing = || GltfError::malformed(format!("{list}[{index}]"), "does not exist");
        let raw = self.lists.get(list).and_then(|list| list.get(index)).ok_or_else(missing)?;
        Ok(serde_json::from_str(raw.get())?)
    }

    pub fn set(&mut self, list: &str, index: usize, value: &Value) -> Result<(), GltfError> {
        if let Some(place) = self.lists.get_mut(list).and_then(|list| list.get_mut(index)) {
            *place = to_raw_value(value)?;
        }
        Ok(())
    }

    /// Appends an object to a list, and returns its index.
    pub fn push(&mut self, list: &str, value: &impl Serialize) -> Result<usize, GltfError> {
        let list = self.lists.entry(list.to_owned()).or_default();
        list.push(to_raw_value(value)?);
        Ok(list.len() - 1)
    }

    pub fn clear(&mut self, list: &str) {
        self.lists.remove(list);
    }

    /// Lists an extension as used, and as required where a reader cannot do without it.
    pub fn use_extension(&mut self, name: &str, is_required: bool) -> Result<(), GltfError> {
        for list in if is_required { &["extensionsUsed", "extensionsRequired"][..] } else { &["extensionsUsed"] } {
            let mut used = self.member(list)?;
            let names = used.as_array().cloned().unwrap_or_default();
            if !names.iter().any(|other| other == name) {
                used = Value::Array(names.into_iter().chain([json!(name)]).collect());
                self.set_member(list, &used)?;
            }
        }
        Ok(())
    }

    /// Takes an extension off the lists of those that are used and required.
    pub fn drop_extension(&mut self, name: &str) -> Result<(), GltfError> {
        for list in ["extensionsUsed", "extensionsRequired"] {
            if let Value::Array(mut names) = self.member(list)? {
                names.retain(|other| other != name);
                self.set_member(list, &if names.is_empty() { Value::Null } else { Value::Array(names) })?;
            }
        }
        Ok(())
    }
}
