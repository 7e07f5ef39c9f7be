use std::io;

use nebula_animation::AnimationLoadError;
use thiserror::Error;

/// Why a document could not be read, or a `.glb` not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The file itself, or one that it refers to, cannot be read.
    #[error("{what}: {source}")]
    Io {
        /// Which file.
        what: String,
        /// Why.
        source: io::Error,
    },
    /// The JSON is not valid glTF.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The loader refuses the file.
    #[error("{0}")]
    Load(#[from] AnimationLoadError),
    /// An object of the document is invalid.
    #[error("{object}: {problem}")]
    Malformed {
        /// Which object.
        object: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The length field of a `.glb` has 32 bits.
    #[error("the file would have {0} bytes, more than the 4 GB that a .glb can have")]
    TooLarge(usize),
}

impl GltfError {
    pub(crate) fn malformed(object: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Malformed { object: object.into(), problem: problem.into() }
    }
}
