//! Warnings and errors while a file is loaded.

use std::fmt::{self, Display};

use super::error::{AnimationLoadError, escaped};
use super::options::Strictness;

/// Something in a file that was repaired, skipped, or is worth knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadWarning {
    /// The object in the file, for instance `animation 2 "Walk", channel 5`.
    pub object: String,
    /// What was found, and what was done about it.
    pub message: String,
}

impl Display for LoadWarning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.object, self.message)
    }
}

/// Collects warnings and makes errors, for one file.
#[derive(Debug)]
pub(super) struct Report {
    file: String,
    strictness: Strictness,
    warnings: Vec<LoadWarning>,
    left_out: usize,
}

/// A file of a million faults is not worth a million lines.
const MOST_WARNINGS: usize = 100;

impl Report {
    pub fn new(file: &str, strictness: Strictness) -> Self {
        Self { file: escaped(file), strictness, warnings: Vec::new(), left_out: 0 }
    }

    pub fn is_strict(&self) -> bool {
        self.strictness == Strictness::Strict
    }

    /// Something worth knowing that breaks no rule.
    pub fn note(&mut self, object: impl Display, message: impl Display) {
        // One place is kept for the line that counts the rest.
        if self.warnings.len() + 1 >= MOST_WARNINGS {
            self.left_out += 1;
            return;
        }
        let warning = LoadWarning { object: object.to_string(), message: message.to_string() };
        log::warn!("{}: {warning}", self.file);
        self.warnings.push(warning);
    }

    /// A breach of the standard that the caller repairs: a warning, or an error in strict loading.
    pub fn repair(&mut self, object: impl Display, message: impl Display) -> Result<(), AnimationLoadError> {
        if self.is_strict() {
            return Err(self.malformed(object, message));
        }
        self.note(object, message);
        Ok(())
    }

    /// A breach of the standard that cannot be repaired.
    pub fn malformed(&self, object: impl Display, problem: impl Display) -> AnimationLoadError {
        AnimationLoadError::Malformed {
            file: self.file.clone(),
            object: object.to_string(),
            problem: problem.to_string(),
        }
    }

    pub fn limit(&self, what: impl Display, found: u64, limit: u64) -> AnimationLoadError {
        AnimationLoadError::LimitExceeded { file: self.file.clone(), what: what.to_string(), found, limit }
    }

    pub fn resource(&self, object: impl Display, uri: &str, problem: impl Display) -> AnimationLoadError {
        AnimationLoadError::Resource {
            file: self.file.clone(),
            object: object.to_string(),
            uri: escaped(uri),
            problem: problem.to_string(),
        }
    }

    pub fn unsupported_extension(&self, extension: &str) -> AnimationLoadError {
        AnimationLoadError::UnsupportedExtension { file: self.file.clone(), extension: escaped(extension) }
    }

    pub fn unsupported_version(&self, version: &str) -> AnimationLoadError {
        AnimationLoadError::UnsupportedVersion { file: self.file.clone(), version: escaped(version) }
    }

    /// The file is not glTF at all.
    pub fn unparsable_json(&self, problem: impl Display) -> AnimationLoadError {
        use serde::de::Error;
        gltf::Error::Deserialize(serde_json::Error::custom(format_args!("{}: {problem}", self.file))).into()
    }

    /// The binary container is broken.
    pub fn unparsable_container(&self, problem: impl Display) -> AnimationLoadError {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidData, format!("{}: {problem}", self.file));
        gltf::Error::Binary(gltf::binary::Error::Io(error)).into()
    }

    pub fn into_warnings(mut self) -> Vec<LoadWarning> {
        if self.left_out > 0 {
            let message = format!("{} further warnings are left out", self.left_out);
            self.warnings.push(LoadWarning { object: "file".into(), message });
        }
        self.warnings
    }
}

/// The name of an object for a message: `node 3 "Hips"`.
pub(super) fn named(kind: &str, index: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} {index} \"{}\"", escaped(name)),
        _ => format!("{kind} {index}"),
    }
}
