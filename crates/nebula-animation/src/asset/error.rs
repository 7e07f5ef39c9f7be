use std::path::Path;

use thiserror::Error;

/// Why a glTF file was refused. Nothing of a refused file is kept.
///
/// Messages name the file, the object in it and what was expected. [`AnimationLoadError::in_file`] adds the file for
/// variants that do not contain it. Text from the file is truncated to 256 bytes and escaped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnimationLoadError {
    /// The file could not be opened or read.
    #[error("failed to open glTF file: {0}")]
    Io(#[from] std::io::Error),
    /// The file is not glTF: its container or its JSON cannot be parsed.
    #[error("glTF parse error: {0}")]
    Gltf(#[from] gltf::Error),
    /// The file has neither a skin nor morph targets. [`Asset::load`](crate::Asset::load) loads such files too.
    #[error("no skin found in glTF file")]
    NoSkin,
    /// A skin has no inverse bind matrices. Only in [strict](crate::asset::Strictness::Strict) loading: otherwise they
    /// are identities, as glTF specifies.
    #[error("inverse bind matrix accessor missing")]
    MissingInverseBindMatrices,
    /// A node is its own ancestor.
    #[error("joint hierarchy contains a cycle")]
    CyclicHierarchy,
    /// An inverse bind matrix is singular. Contains the joint's position in its skin, and the determinant.
    #[error("inverse bind matrix for joint {0} is degenerate (det = {1})")]
    DegenerateMatrix(u16, f32),

    /// The file is valid JSON but breaks a rule of glTF in a way that cannot be repaired.
    #[error("{file}: {object}: {problem}")]
    Malformed {
        /// The file.
        file: String,
        /// The object in the file, for instance `animation 2 "Walk", channel 5`.
        object: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// The file requires an extension that this library does not support. Export it without that extension.
    #[error("{file}: required extension {extension} is not supported")]
    UnsupportedExtension {
        /// The file.
        file: String,
        /// The extension's name.
        extension: String,
    },
    /// The file is written for another version of glTF.
    #[error("{file}: asset version {version} is not supported, expected 2.x")]
    UnsupportedVersion {
        /// The file.
        file: String,
        /// The version (or minimal version) that the file names.
        version: String,
    },
    /// Loading would exceed [`Limits`](crate::asset::Limits). Raise the limit if you trust the file.
    #[error("{file}: {what}: {found} exceeds the limit of {limit}")]
    LimitExceeded {
        /// The file.
        file: String,
        /// What is limited.
        what: String,
        /// How much the file asks for.
        found: u64,
        /// How much is allowed.
        limit: u64,
    },
    /// A file that this one refers to is missing, unreadable, too short, or outside the asset's folder.
    #[error("{file}: {object}: cannot read \"{uri}\": {problem}")]
    Resource {
        /// The file that refers to it.
        file: String,
        /// The buffer or image that refers to it.
        object: String,
        /// The reference.
        uri: String,
        /// Why it was not read.
        problem: String,
    },
}

impl AnimationLoadError {
    /// The message for people, with the file named exactly once.
    ///
    /// ```
    /// use nebula_animation::AnimationLoadError;
    ///
    /// let message = AnimationLoadError::NoSkin.in_file("house.glb".as_ref());
    /// assert_eq!(message, "house.glb: no skin found in glTF file");
    /// ```
    #[must_use]
    pub fn in_file(&self, path: &Path) -> String {
        match self {
            Self::NoSkin | Self::MissingInverseBindMatrices | Self::CyclicHierarchy | Self::DegenerateMatrix(..) => {
                format!("{}: {self}", escaped(&path.to_string_lossy()))
            }
            _ => self.to_string(),
        }
    }
}

/// Text of a stranger, fit for a line of a terminal: control characters escaped, cut to 256 bytes.
pub(crate) fn escaped(text: &str) -> String {
    const LONGEST: usize = 256;
    let mut shown = String::new();
    for character in text.chars() {
        let before = shown.len();
        // Marks that turn the direction of writing can make a line read as another one.
        let is_bidi = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || is_bidi || matches!(character, '\u{2028}' | '\u{2029}') {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
        if shown.len() > LONGEST {
            shown.truncate(before);
            shown.push('…');
            break;
        }
    }
    shown
}
