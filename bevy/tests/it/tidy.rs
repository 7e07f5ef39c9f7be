//! The shape of this crate.

use std::path::{Path, PathBuf};

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir().expect("a folder").flatten().map(|entry| entry.path()) {
            match path.extension().and_then(|end| end.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("rs") => files.push(path),
                _ => {}
            }
        }
    }
    files
}

#[test]
fn files_are_short_and_the_first_example_very_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    let readme = std::fs::read_to_string(root.join("README.md")).expect("text");
    for folder in ["src", "tests", "examples"] {
        for file in rust_files(&root.join(folder)) {
            let lines = std::fs::read_to_string(&file).expect("text").lines().count();
            let most = if file.ends_with("examples/play.rs") { 20 } else { 400 };
            assert!(lines <= most, "{} has {lines} lines", file.display());
            if file.ends_with("examples/play.rs") {
                let told = format!("--example play          # {lines} lines");
                assert!(readme.contains(&told), "README.md does not say {told:?}");
            }
            count += 1;
        }
    }
    assert!(count > 20);
}
