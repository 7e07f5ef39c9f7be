//! The shape of the workspace: its crates, what they depend on, how long their files are, how things are called.

use std::path::{Path, PathBuf};

use super::{STAGES, code, folder, read, sources};

/// All Rust files below a folder of the repository.
fn rust_files(root: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_file_of_either_crate_is_long() {
    let mut files = Vec::new();
    rust_files(&folder("crates"), &mut files);
    assert!(files.len() > 200, "{} files", files.len());
    for path in files {
        let lines = std::fs::read_to_string(&path).expect("the source is UTF-8").lines().count();
        assert!(lines <= 400, "{} has {lines} lines", path.display());
    }
}

#[test]
fn there_are_three_crates() {
    let mut crates: Vec<_> = std::fs::read_dir(folder("crates"))
        .expect("the crates")
        .map(|entry| entry.expect("the crates are readable").file_name().to_string_lossy().into_owned())
        .collect();
    crates.sort();
    assert_eq!(crates, ["nebula-animation", "nebula-demo", "nebula-import"]);
}

/// The lines of a section of a manifest, without comments.
fn section<'a>(manifest: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let header = format!("[{name}]");
    let lines = manifest.lines().skip_while(move |line| *line != header).skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[test]
fn the_core_stands_on_three_crates() {
    let manifest = read("crates/nebula-animation/Cargo.toml");
    let needed: Vec<_> = section(&manifest, "dependencies")
        .filter(|line| !line.contains("optional = true"))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(needed, ["glam", "log", "thiserror"]);
    let default = section(&manifest, "features").find(|line| line.starts_with("default")).expect("defaults");
    assert_eq!(
        default, r#"default = ["gltf", "documents", "ecs"]"#,
        "others, like threads and a renderer, are chosen, not given"
    );
}

#[test]
fn the_application_picks_backends_and_threads() {
    let manifest = read("Cargo.toml");
    for name in ["wgpu", "bevy_ecs"] {
        let line = section(&manifest, "workspace.dependencies").find(|line| line.starts_with(&format!("{name} =")));
        assert!(line.is_some_and(|line| line.contains("default-features = false")), "{name}: {line:?}");
    }
    let library = read("crates/nebula-animation/Cargo.toml");
    let wgpu = section(&library, "dependencies").find(|line| line.starts_with("wgpu =")).expect("wgpu");
    assert!(!wgpu.contains("features"), "{wgpu}");
}

#[test]
fn what_is_included_is_published_too() {
    let mut count = 0;
    for source in sources() {
        let folders = source.path.matches('/').count() + 1;
        for line in code(&source.text).filter(|line| line.contains("include_str!") || line.contains("include_bytes!")) {
            // The README is compiled with the tests alone, which have the whole repository.
            let is_inside = line.matches("../").count() <= folders || line.contains("README.md");
            assert!(is_inside, "{} includes a file that is not in the crate: {line}", source.path);
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

#[test]
fn the_crate_root_is_an_index() {
    let root = read("crates/nebula-animation/src/lib.rs");
    let lines: Vec<&str> = root.lines().collect();
    for word in ["fn ", "impl ", "enum ", "const ", "static ", "macro_rules"] {
        let found = code(&root).find(|line| line.split("pub ").any(|part| part.starts_with(word)));
        assert_eq!(found, None, "there is no logic in lib.rs");
    }
    let mut stages = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = line.trim_start_matches("pub ").strip_prefix("mod ").and_then(|name| name.strip_suffix(';'))
        else {
            continue;
        };
        let above = lines[..at].iter().rev().find(|line| !line.starts_with("#[")).expect("a line above");
        assert!(above.starts_with("/// "), "{name} has no line of documentation");
        stages.push(name);
    }
    assert_eq!(stages, STAGES, "the modules are in the order of data flow");
}

#[test]
fn public_names_say_joint() {
    // The contract's own name, and the usual name of an algorithm. (A bone is what lies between two joints.)
    const KNOWN: [&str; 3] = ["BoneAttachment", "TwoBone", "two_bone"];
    for source in sources() {
        for line in code(&source.text) {
            let item = ["pub fn ", "pub struct ", "pub enum ", "pub trait ", "pub type ", "pub const "]
                .iter()
                .find_map(|kind| line.strip_prefix(kind));
            let end = |name: &str| name.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            let name = item.map_or("", |name| &name[..end(name).unwrap_or(name.len())]);
            let is_known = KNOWN.iter().any(|known| name.contains(known));
            assert!(is_known || !name.to_lowercase().contains("bone"), "{}: {line}", source.path);
        }
    }
}

#[test]
fn booleans_are_positive() {
    for source in sources() {
        for line in code(&source.text) {
            for (at, _) in line.match_indices(": bool") {
                let name = line[..at].rsplit(|letter: char| !(letter.is_alphanumeric() || letter == '_')).next();
                let name = name.unwrap_or_default();
                let is_negative = ["no_", "not_", "is_not_", "is_no_", "dont_", "disable", "without_"]
                    .iter()
                    .any(|negation| name.starts_with(negation));
                assert!(!is_negative, "{}: {line}", source.path);
            }
        }
    }
}

#[test]
fn poses_are_found_without_maps() {
    // What runs every frame. The loader, and what is worked out once, may use them.
    const EVERY_FRAME: [&str; 9] =
        ["math", "sample", "palette", "frame", "player", "crowd", "mixer", "procedural", "character"];
    for source in sources().iter().filter(|source| EVERY_FRAME.contains(&source.stage())) {
        let found = code(&source.text).find(|line| line.contains("HashMap") || line.contains("BTreeMap"));
        assert_eq!(found, None, "{} looks things up by key", source.path);
    }
}

#[test]
fn every_public_stage_has_tests_of_its_own() {
    let root = read("crates/nebula-animation/src/lib.rs");
    for stage in STAGES.iter().filter(|stage| root.contains(&format!("pub mod {stage};"))) {
        let places = [format!("it/{stage}/mod.rs"), format!("it/{stage}.rs"), format!("{stage}/main.rs")];
        let has_tests = places.iter().any(|place| folder("crates/nebula-animation/tests").join(place).is_file());
        assert!(has_tests, "no tests of {stage}");
    }
}
