//! Warnings and errors as a person reads them.

use std::path::Path;

use serde_json::json;

use crate::support::rigs::{self, ROTATIONS};
use crate::support::{Gltf, Kind, load, spin, try_load};

#[test]
fn a_warning_names_its_object_once() {
    let mut g = rigs::chain();
    g.poke(ROTATIONS + 1, 2, 3, 1000.0);
    let asset = load(&g);
    let [warning] = &asset.warnings[..] else { panic!("{:?}", asset.warnings) };
    assert_eq!(warning.object, "animation 0 \"walk\", channel 1");
    assert!(warning.message.contains("key 2"), "{warning}");
    assert_eq!(warning.to_string(), format!("{}: {}", warning.object, warning.message));
}

#[test]
fn a_fault_of_many_channels_that_share_it_is_named() {
    let mut g = rigs::chain();
    g.poke(rigs::TIMES, 1, 0, 1.2);
    g.poke(rigs::TIMES, 2, 0, 0.7);
    let asset = load(&g);
    assert!(!asset.warnings.is_empty() && asset.warnings.len() <= 4, "{:?}", asset.warnings);
}

/// Two hundred animations, each with a key of length 2.
fn many_faults(count: usize) -> Gltf {
    let mut g = rigs::bare_chain(1, 1.0);
    for animation in 0..count {
        g.animate(
            animation,
            0,
            "rotation",
            "LINEAR",
            &[0.0, 1.0],
            &[spin(0, &[1.0]), vec![0.0, 0.0, 0.0, 2.0]].concat(),
        );
    }
    g
}

#[test]
fn at_most_a_hundred_warnings() {
    let asset = load(&many_faults(200));
    assert_eq!(asset.warnings.len(), 100);
    let last = asset.warnings.last().expect("a hundred warnings");
    assert!(last.message.contains("101 further"), "{last}");
    assert_eq!(load(&many_faults(99)).warnings.len(), 99);
}

#[test]
fn names_in_messages_are_escaped_and_cut() {
    let mut g = many_faults(1);
    g.set("/animations/0/name", format!("a\u{0}b\n\u{1b}[31m\u{202e}{}", "x".repeat(10_000)));
    let asset = load(&g);
    let line = asset.warnings[0].to_string();
    assert!(line.len() < 600, "{} bytes", line.len());
    assert!(!line.contains(['\0', '\n', '\u{1b}', '\u{202e}']), "{line:?}");
    assert!(asset.animations[0].name.starts_with("a\0b\n"), "the name itself is the file's own");
}

#[test]
fn errors_are_escaped_too() {
    let mut g = rigs::chain();
    g.set("/animations/0/name", "line one\nline two");
    g.set("/animations/0/channels/0/sampler", 99);
    let message = try_load(&g.glb()).expect_err("no such sampler").to_string();
    assert!(!message.contains('\n') && message.contains("line one"), "{message:?}");
    assert!(message.contains("test.glb") && message.contains("channel 0") && message.contains("99"), "{message}");
}

#[test]
fn json_errors_name_the_place() {
    let mut g = rigs::chain();
    g.set("/accessors/3/count", "many");
    let error = try_load(&g.glb()).expect_err("a count of letters");
    assert_eq!(Kind::of(&error), Kind::Gltf);
    let message = error.to_string();
    assert!(message.contains("accessors[3].count") && message.contains("test.glb"), "{message}");
}

#[test]
fn a_message_names_its_file_exactly_once() {
    let cyclic = {
        let mut g = rigs::chain();
        g.set("/nodes/2/children", json!([0]));
        g.set("/scenes/0/nodes", json!([]));
        g
    };
    let refused = {
        let mut g = rigs::chain();
        g.set("/skins/0/joints", json!([]));
        g
    };
    let required = {
        let mut g = rigs::chain();
        g.set("/extensionsRequired", json!(["ACME_bones"]));
        g
    };
    for g in [cyclic, refused, required] {
        let error = try_load(&g.glb()).expect_err("a broken file");
        let message = error.in_file(Path::new("test.glb"));
        assert_eq!(message.matches("test.glb").count(), 1, "{message}");
        assert!(!message.contains('\n'));
    }
}

#[test]
fn a_clean_file_has_no_warnings() {
    assert!(load(&rigs::chain()).warnings.is_empty());
    assert!(load(&rigs::bare_chain(5, 0.3)).warnings.is_empty());
}
