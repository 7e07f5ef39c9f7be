//! Poses of files do not overflow, whichever moment is looked at.

use serde_json::json;

use crate::support::{Gltf, Kind, finite_problem, load, rigs, try_load};

/// Each joint of a chain of three is scaled to 1e13 for a fiftieth of a second, in an animation of its own or all in one.
fn spikes(is_one_animation: bool) -> Gltf {
    let mut g = rigs::bare_chain(3, 1.0);
    let size = |size: f64| [size; 3];
    let values = [size(1.0), size(1.0), size(1e13), size(1.0), size(1.0)].concat();
    for joint in 0..3 {
        let animation = if is_one_animation { 0 } else { joint };
        g.animate(animation, joint, "scale", "LINEAR", &[0.0, 0.3, 0.31, 0.32, 2.0], &values);
    }
    g
}

/// Symptom: a file was accepted, and a pose of it was infinite. Cause: where the numbers of a file looked too large, nine poses of
/// each animation were looked at, and a spike between two of them was not seen. Three joints, because one number of a file cannot be
/// infinite by itself.
#[test]
fn a_spike_between_two_moments_is_seen() {
    let error = try_load(&spikes(true).glb()).expect_err("the last joint is 1e39 times as large");
    assert_eq!(Kind::of(&error), Kind::Malformed, "{error}");
    assert!(
        error.to_string().contains("animation 0: translations or scales are so large that a pose overflows"),
        "{error}"
    );
}

/// Numbers that are never multiplied with each other are not taken together.
#[test]
fn spikes_of_different_animations_are_not_added_up() {
    let asset = load(&spikes(false));
    assert_eq!(asset.animations.len(), 3);
    assert_eq!(finite_problem(&asset), None);
}

/// A long chain of turned joints is far from overflow, although the sum of all numbers in its matrices is not.
#[test]
fn a_long_chain_is_not_mistaken_for_an_overflow() {
    let mut g = rigs::bare_chain(2_000, 1.0);
    for node in 0..2_000 {
        g.set(&format!("/nodes/{node}/rotation"), json!([0.5, 0.5, 0.5, 0.5]));
    }
    assert_eq!(finite_problem(&load(&g)), None);
}
