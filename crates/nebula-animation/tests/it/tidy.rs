//! The shape of the source: lengths, layers, and where unsafe code may be.

mod examples;
mod names;
mod workspace;

use std::path::{Path, PathBuf};

/// The stages of the pipeline, in order: each may use the ones before it.
///
/// `asset` comes after `palette`, because it makes sure that no pose of a file overflows, but no later stage uses it: what a
/// file holds is handed on as skeletons and clips. The one exception puts a whole file onto the GPU.
const STAGES: [&str; 23] = [
    "math",
    "state",
    "skeleton",
    "clip",
    "sample",
    "rig",
    "retarget",
    "compile",
    "palette",
    "frame",
    "skinning",
    "shader",
    "asset",
    "crowd",
    "player",
    "explain",
    "mixer",
    "procedural",
    "character",
    "troupe",
    "recorder",
    "ecs",
    "gpu",
];

/// The one folder with unsafe code and intrinsics: a file for each family of instruction sets.
const UNSAFE: &str = "math/lanes/";

struct Source {
    /// From `src/`, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// The first folder, or `lib.rs`.
    fn stage(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the source is readable") {
            let path: PathBuf = entry.expect("the source is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
                let text = std::fs::read_to_string(&path).expect("the source is UTF-8");
                sources.push(Source { path: relative, text });
            }
        }
    }
    assert!(sources.len() > 20, "this is not the source: {}", root.display());
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// A place in the repository.
fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The text of a file of the repository.
fn read(path: &str) -> String {
    std::fs::read_to_string(folder(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Lines of code: comments, documentation and its examples left out.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"))
}

#[test]
fn files_are_short() {
    let sources = sources();
    let mut lengths: Vec<(usize, &str)> =
        sources.iter().map(|source| (source.text.lines().count(), &*source.path)).collect();
    lengths.sort_unstable();
    let (median, _) = lengths[lengths.len() / 2];
    assert!(median <= 200, "the median file has {median} lines");
    let long: Vec<_> = lengths.iter().filter(|(length, _)| *length > 400).collect();
    assert!(long.is_empty(), "files of more than 400 lines: {long:?}");
}

/// The stages that a line of code names through `crate::`.
fn stages_named(line: &str) -> impl Iterator<Item = &'static str> {
    line.match_indices("crate::").filter_map(|(at, prefix)| {
        let rest = &line[at + prefix.len()..];
        let end = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(rest.len());
        STAGES.into_iter().find(|stage| *stage == &rest[..end])
    })
}

#[test]
fn stages_use_earlier_stages_only() {
    let order = |stage: &str| STAGES.iter().position(|known| *known == stage);
    let mut faults = Vec::new();
    for source in sources() {
        if source.path == "lib.rs" {
            continue;
        }
        let Some(own) = order(source.stage()) else {
            faults.push(format!("{}: not below a known stage", source.path));
            continue;
        };
        for line in code(&source.text) {
            let is_wrong = |stage: &&str| {
                let used = order(stage).unwrap_or(usize::MAX);
                used > own
                    || (*stage == "asset" && source.stage() != "asset" && source.path != "gpu/model.rs")
                    || (*stage == "ecs" && source.stage() == "gpu")
            };
            faults.extend(stages_named(line).filter(is_wrong).map(|_| format!("{}: {line}", source.path)));
            // Names at the root come from anywhere, so they would hide a stage.
            let is_root = |at: usize| line[at + 7..].starts_with(|letter: char| letter.is_uppercase() || letter == '{');
            if line.match_indices("crate::").any(|(at, _)| is_root(at)) {
                faults.push(format!("{}: name the stage: {line}", source.path));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn unsafe_code_is_in_one_file() {
    for source in sources() {
        let is_unsafe = |line: &str| {
            line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).any(|word| word == "unsafe")
                || line.contains("allow(unsafe_code")
        };
        let unsafe_line = code(&source.text).find(|line| is_unsafe(line));
        assert!(unsafe_line.is_none() || source.path.starts_with(UNSAFE), "{}: {unsafe_line:?}", source.path);
        // Intrinsics are where unsafe code is.
        let has_intrinsics =
            code(&source.text).any(|line| line.contains("std::arch::") || line.contains("core::arch::"));
        assert!(!has_intrinsics || source.path.starts_with(UNSAFE), "{} has intrinsics", source.path);
    }
}

#[test]
fn there_are_no_drawers_for_odds_and_ends() {
    for source in sources() {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        let names = ["utils.rs", "util.rs", "helpers.rs", "helper.rs", "misc.rs", "common.rs"];
        assert!(!names.contains(&name), "{}: say what it is for", source.path);
    }
}

#[test]
fn the_readme_is_short_and_shows_the_example_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = std::fs::read_to_string(folder.join("examples/skin.rs")).expect("the example");
    let readme = std::fs::read_to_string(folder.join("../../README.md")).expect("the README");
    assert!(
        readme.contains(&format!("```rust,no_run\n{example}```\n")),
        "README.md shows another text than examples/skin.rs"
    );
    assert!(example.lines().count() <= 30, "{} lines", example.lines().count());
    assert!(readme.lines().count() <= 150, "{} lines", readme.lines().count());
}
