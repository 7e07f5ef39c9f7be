//! Reading and writing state machines as JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_path_to_error::Segment;

use super::document::{MachineDocument, ParameterValue};
use super::error::MachineError;

impl MachineDocument {
    /// Reads a document from JSON.
    ///
    /// # Errors
    /// The text is not JSON, or has unknown fields. The error names the state or transition and the field.
    pub fn from_json(text: &str) -> Result<Self, MachineError> {
        // Lists of fields without their names would pass for objects.
        if !text.trim_start().starts_with('{') {
            return Err(MachineError::new("", "document", "expected an object: { \"start\": ..., \"states\": [...] }"));
        }
        let mut reader = serde_json::Deserializer::from_str(text);
        let document = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let (place, field) = place(text, error.path());
            MachineError { place, field, problem: error.inner().to_string() }
        })?;
        reader.end().map_err(|error| MachineError::new("", "document", error.to_string()))?;
        Ok(document)
    }

    /// Writes the document as JSON that [`from_json`](MachineDocument::from_json) can read.
    ///
    /// # Errors
    /// A number is not finite, which JSON cannot express.
    pub fn to_json(&self) -> Result<String, MachineError> {
        let text =
            serde_json::to_string_pretty(self).map_err(|error| MachineError::new("", "document", error.to_string()))?;
        // What is not finite has become `null`.
        Self::from_json(&text).map(|_| text)
    }
}

/// The state or transition that a path points into, by name if it has one, and the rest of the path.
fn place(text: &str, path: &serde_path_to_error::Path) -> (String, String) {
    let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let (mut at, mut places, mut field) = (&json, Vec::new(), String::new());
    let mut list = "";
    for segment in path {
        match segment {
            Segment::Seq { index } => {
                at = &at[*index];
                let named = match list {
                    "states" => at["name"].as_str().map(|name| format!("state {name:?}")),
                    "transitions" => at["from"]
                        .as_str()
                        .zip(at["to"].as_str())
                        .map(|(from, to)| format!("transition {from:?} -> {to:?}")),
                    _ => None,
                };
                match named {
                    Some(name) => {
                        places.push(name);
                        field.clear();
                    }
                    None => field += &format!("[{index}]"),
                }
                list = "";
            }
            Segment::Map { key } => {
                at = &at[key];
                list = key;
                // The field `machine` of a state is told by the states in it.
                if key != "machine" || !field.is_empty() {
                    field += if field.is_empty() { "" } else { "." };
                    field += key;
                }
            }
            Segment::Enum { variant } => field += variant,
            Segment::Unknown => {}
        }
    }
    let field = if field.is_empty() { "document".into() } else { field };
    (places.join(", "), field)
}

impl Serialize for ParameterValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Bool(value) => serializer.serialize_bool(value),
            Self::Float(value) => serializer.serialize_f32(value),
            Self::Trigger(_) => serializer.serialize_str("trigger"),
        }
    }
}

impl<'de> Deserialize<'de> for ParameterValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyValue;

        impl Visitor<'_> for AnyValue {
            type Value = ParameterValue;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a number, true, false or \"trigger\"")
            }
            fn visit_bool<E: Error>(self, value: bool) -> Result<ParameterValue, E> {
                Ok(ParameterValue::Bool(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<ParameterValue, E> {
                Ok(ParameterValue::Float(value as f32))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<ParameterValue, E> {
                Ok(ParameterValue::Float(value as f32))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<ParameterValue, E> {
                Ok(ParameterValue::Float(value as f32))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<ParameterValue, E> {
                match value {
                    "trigger" => Ok(ParameterValue::Trigger(false)),
                    other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
                }
            }
        }
        deserializer.deserialize_any(AnyValue)
    }
}

/// Parameters as an object, in its order, in which names that occur twice are not lost.
pub(super) mod parameters {
    use super::*;

    pub fn serialize<S: Serializer>(list: &[(String, ParameterValue)], serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(list.len()))?;
        for (name, value) in list {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, ParameterValue)>, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Vec<(String, ParameterValue)>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object of parameters")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    list.push(entry);
                }
                Ok(list)
            }
        }
        deserializer.deserialize_map(Entries)
    }
}
