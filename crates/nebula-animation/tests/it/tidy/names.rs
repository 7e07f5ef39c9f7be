//! The names of the crate: how many at its root, which ones in its prelude, and which ones nowhere any more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{code, folder, read};

/// Every name that `bevy::prelude` 0.19.1 has with all of its features.
const BEVY_PRELUDE: &str = include_str!("bevy_prelude.txt");

/// The names that a text brings in by `pub use`.
fn used(text: &str) -> BTreeSet<String> {
    let text: String = code(text).collect::<Vec<_>>().join(" ");
    let mut names = BTreeSet::new();
    for line in text.split("pub use ").skip(1) {
        let path = line.split(';').next().unwrap_or_default();
        let list = path.split_once('{').map_or(path, |(_, list)| list.trim_end_matches([' ', '}']));
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            assert!(!name.contains(['{', '}', '*']), "one list of names at a time: {path}");
            let name = name.rsplit(" as ").next().unwrap_or_default();
            names.extend(name.rsplit("::").next().map(str::to_owned));
        }
    }
    names
}

/// The names at the root, and those of the prelude.
fn names() -> [BTreeSet<String>; 2] {
    let root = read("crates/nebula-animation/src/lib.rs");
    let (before, prelude) = root.split_once("pub mod prelude {").expect("there is a prelude");
    [before, prelude.split("\n}").next().expect("it ends")].map(used)
}

#[test]
fn the_root_has_the_most_common_names_and_no_more() {
    let [root, _] = names();
    assert!((40..=60).contains(&root.len()), "{} names: {root:?}", root.len());
    for name in ["Character", "AnimationPlayer", "AnimationMixer", "Skeleton", "Rig", "Surroundings", "Frame"] {
        assert!(root.contains(name), "{name}");
    }
}

#[test]
fn the_prelude_goes_with_that_of_bevy() {
    let [root, prelude] = names();
    let theirs: BTreeSet<String> = BEVY_PRELUDE.split_whitespace().map(str::to_owned).collect();
    assert!(theirs.len() > 800 && ["Transform", "AnimationClip", "Asset"].iter().all(|name| theirs.contains(*name)));
    let both: Vec<_> = prelude.intersection(&theirs).collect();
    assert!(both.is_empty(), "`use bevy::prelude::*` brings these too: {both:?}");
    assert!(prelude.len() > 25 && prelude.is_subset(&root), "{:?}", prelude.difference(&root).collect::<Vec<_>>());
}

/// All files of the repository that people read or write, below a folder.
fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            if name != "target" && name != "node_modules" && !name.starts_with('.') {
                texts(&path, found);
            }
        } else if [".rs", ".md", ".sh", ".toml", ".wgsl", ".py"].iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}

#[test]
fn nothing_is_told_apart_by_its_address_and_what_is_gone_is_gone() {
    // In two halves each, so that they are not found here.
    const GONE: [&str; 6] = [
        concat!("ptr::", "eq"),
        concat!("ptr_", "eq"),
        concat!("addr_", "eq"),
        concat!("mark_sources", "_changed"),
        concat!("forget_", "skeleton"),
        concat!("Mixed", "Character"),
    ];
    let mut files = Vec::new();
    texts(&folder("."), &mut files);
    assert!(files.len() > 300, "{} files", files.len());
    for path in files {
        // What has changed may be told by its old name.
        if path.ends_with("CHANGELOG.md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (number, line) in text.lines().enumerate() {
            let found = GONE.iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}:{}: {line}", path.display(), number + 1);
            // A pointer is for loading and storing vectors, not for comparing.
            let is_compared = [".as_ptr() ==", ".as_ptr() !=", "as *const"].iter().any(|form| line.contains(form));
            assert!(!is_compared || path.ends_with("tidy/names.rs"), "{}:{}: {line}", path.display(), number + 1);
        }
    }
}
