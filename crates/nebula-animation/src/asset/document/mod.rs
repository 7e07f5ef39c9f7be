//! The JSON of a glTF file, as far as animation and geometry need it.
//!
//! The types accept what real exporters write: integers may be written `2.0`, and unknown members are skipped without
//! being stored. Long strings are borrowed from the text, and every array has an upper bound, so that a small file
//! cannot expand into a large document. Rules between objects (such as indices in range) are checked afterwards.

mod check;
mod looks;
mod scalars;
mod schema;

pub(super) use check::check;
pub(super) use looks::{Material, Mtoon, TextureInfo, TextureSampler};
pub(super) use scalars::{Capped, Lenient, Loose, Text, Uint};
pub(super) use schema::*;

/// How files begin that are often mistaken for glTF, and what to do about them.
const MISTAKEN: [(&[u8], &str); 4] = [
    (b"Kaydara FBX Binary", "this is an FBX file: import it into Blender and export it as glTF"),
    (b"; FBX", "this is an FBX file: import it into Blender and export it as glTF"),
    (b"BLENDER", "this is a Blender file: export it as glTF"),
    (b"version https://git-lfs", "this is a pointer of Git LFS, not the file itself: run git lfs pull"),
];

/// Parses the JSON of a file. The error names the place, as in `accessors[3].count: ...`.
pub(super) fn parse(json: &[u8]) -> Result<Document<'_>, String> {
    if let Some((_, advice)) = MISTAKEN.iter().find(|(beginning, _)| json.starts_with(beginning)) {
        return Err((*advice).into());
    }
    let text =
        std::str::from_utf8(json).map_err(|error| format!("the JSON is not UTF-8 at byte {}", error.valid_up_to()))?;
    if text.starts_with('\u{feff}') {
        return Err("the JSON starts with a byte order mark, expected `{`".into());
    }
    // Only the root object as a whole may be wrong in a way that a path cannot show.
    if !text.trim_start().starts_with('{') {
        return Err("neither a GLB (magic number glTF) nor a JSON object".into());
    }
    serde_json::from_str(text).map_err(|plain| {
        // Following the path costs time, so it is only done to explain a failure.
        let deserializer = &mut serde_json::Deserializer::from_str(text);
        match serde_path_to_error::deserialize::<_, Document>(deserializer) {
            Err(error) if error.path().iter().next().is_some() => super::error::escaped(&error.to_string()),
            _ => super::error::escaped(&plain.to_string()),
        }
    })
}
