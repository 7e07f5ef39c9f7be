//! Files of others, which may not be there.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A folder of the corpora; `None`, said aloud, where there is none.
pub fn folder(name: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("NEBULA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
    assert!(!is_required, "no {}, and NEBULA_REQUIRE_CORPORA=1", folder.display());
    skipped(&format!("no {name} (set NEBULA_CORPORA to the folder of the corpora)"));
    None
}

pub fn skipped(why: &str) {
    said(&format!("SKIPPED {why}"));
}

/// A line for whoever runs the tests, which is not kept back.
pub fn said(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// All files below a folder with one of these endings, in order.
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The project's own characters.
pub fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets").join(name)
}

/// A container of both.
pub fn glb(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(json).expect("JSON");
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + text.len() as u32 + binary.len() as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}
