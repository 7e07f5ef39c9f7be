//! Examples: short, run by the check, and checks themselves.

use std::collections::BTreeMap;

use super::{folder, read};

/// Names and texts.
fn examples() -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder("crates/nebula-animation/examples")).expect("the examples");
    let examples: BTreeMap<_, _> = files
        .map(|entry| entry.expect("the examples are readable").path())
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("the example is UTF-8"))
        })
        .collect();
    assert!(examples.len() >= 12, "{} examples", examples.len());
    examples
}

#[test]
fn examples_are_short() {
    for (name, text) in examples() {
        let lines = text.lines().count();
        assert!(lines < 80, "{name} has {lines} lines");
    }
}

#[test]
fn examples_say_what_they_show_and_check_it() {
    for (name, text) in examples() {
        assert!(text.starts_with("//! "), "{name} does not say what it shows");
        // The README shows `skin` whole, command and all; its check is that there is something to see.
        if name == "skin" {
            continue;
        }
        assert!(text.contains(&format!("--example {name}")), "{name} does not say how it is run");
        assert!(text.contains("assert"), "{name} asserts nothing, so that running it is no check");
        assert!(text.contains("env::args()"), "{name} does not take a file");
    }
}

#[test]
fn examples_say_which_features_they_need() {
    let manifest = read("crates/nebula-animation/Cargo.toml");
    for (name, text) in examples() {
        let entry = format!("[[example]]\nname = \"{name}\"\nrequired-features = [");
        let at = manifest.find(&entry).unwrap_or_else(|| panic!("{name} is not in Cargo.toml"));
        let features = manifest[at + entry.len()..].lines().next().expect("a line");
        for (used, feature) in [("bevy_ecs::", "ecs"), ("::gpu::", "gpu"), ("load", "gltf"), ("from_json", "documents")]
        {
            let is_needed = text.contains(used);
            assert!(!is_needed || features.contains(&format!("\"{feature}\"")), "{name} needs {feature}");
        }
    }
}

#[test]
fn the_check_runs_every_example() {
    let check = read("scripts/check.sh");
    assert!(check.contains("for file in crates/nebula-animation/examples/*.rs; do"));
    assert!(check.contains("cargo build --workspace --all-features --examples"));
    assert!(check.contains("\"${CARGO_TARGET_DIR:-target}/debug/examples/$(basename \"$file\" .rs)\""));
}
