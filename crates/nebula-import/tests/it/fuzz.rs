//! The bodies of the fuzz targets (`fuzz/`, a workspace of its own) on the inputs that are kept of them. A finding becomes an input here.

use std::path::Path;

#[path = "../../../../fuzz/src/import.rs"]
mod import;

fn replay(target: &str, least: usize, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the corpus is readable").path())
        .collect();
    files.sort();
    assert!(files.len() >= least, "{} inputs in {}, expected at least {least}", files.len(), folder.display());
    for file in &files {
        body(&std::fs::read(file).expect("the corpus is readable"));
    }
}

#[test]
fn kept_recordings_are_read_or_refused() {
    replay("bvh", 2, import::bvh);
}

#[test]
fn kept_fbx_files_are_read_or_refused() {
    replay("fbx", 2, import::fbx);
}

#[test]
fn kept_streams_are_decoded_or_refused() {
    replay("draco", 1, import::draco);
}

#[test]
fn kept_pictures_are_decoded_or_refused() {
    replay("ktx2", 2, import::ktx2);
}

#[test]
fn kept_extensions_are_read_or_left_out() {
    replay("vrm", 2, import::vrm);
}
