//! `KHR_animation_clip`: how a file wants its animations to be played.

use nebula_animation::clip::ClipEntry;
use serde_json::{Value, json};

use crate::support::{Gltf, Kind, load, rigs, spin, strict, try_load_with};

/// `chain` with a second animation and these entries.
fn with_clips(clips: Value) -> Gltf {
    let mut g = rigs::chain();
    g.animate(1, 1, "rotation", "LINEAR", &[0.0, 1.0], &spin(0, &[0.0, 30.0]));
    g.set("/extensionsUsed", json!(["KHR_animation_clip"]));
    g.set("/extensions", json!({"KHR_animation_clip": {"clips": clips}}));
    g
}

fn full() -> Value {
    json!({
        "name": "stroll", "animations": [1, 0], "start": 0.5, "end": 1.5, "offset": 0.25, "speed": -2.0,
        "repetitions": 3, "reverse": true,
    })
}

#[test]
fn every_member_arrives() {
    let asset = load(&with_clips(json!([full()])));
    let expected = ClipEntry {
        name: "stroll".into(),
        animations: vec![1, 0],
        start: 0.5,
        end: Some(1.5),
        offset: 0.25,
        speed: -2.0,
        repetitions: 3,
        reverse: true,
    };
    assert_eq!(asset.clip_entries, [expected]);
    assert_eq!(asset.clip_entry_by_name("stroll"), Some(0));
    assert!(asset.warnings.is_empty());
}

#[test]
fn absent_members_have_their_defaults() {
    let asset = load(&with_clips(json!([{"animations": [0]}])));
    assert_eq!(asset.clip_entries, [ClipEntry { animations: vec![0], ..ClipEntry::default() }]);
}

#[test]
fn integers_may_be_written_with_a_fraction() {
    let asset = load(&with_clips(json!([{"animations": [1.0], "repetitions": 2.0, "start": 1, "end": 2}])));
    assert_eq!((asset.clip_entries[0].animations[0], asset.clip_entries[0].repetitions), (1, 2));
}

#[test]
fn members_of_older_drafts() {
    let old = json!({"animations": [0], "end": 2.0, "counter": 4, "bounce": true, "direction": -1.0, "timestamp": 0.5});
    let entry = &load(&with_clips(json!([old]))).clip_entries[0];
    assert_eq!((entry.repetitions, entry.reverse, entry.speed, entry.offset), (4, true, -1.0, 0.5));
}

#[test]
fn a_bad_entry_is_dropped_and_the_rest_loads() {
    for (member, wrong) in [
        ("animations", json!([2])),
        ("animations", json!([])),
        ("animations", json!([0, 0])),
        ("animations", json!([-1])),
        ("animations", json!([0.5])),
        ("animations", json!([4_294_967_296_u64])),
        ("animations", json!(0)),
        ("animations", json!("walk")),
        ("animations", json!(null)),
        ("start", json!(-0.1)),
        ("start", json!(3.0)),
        ("start", json!("0")),
        ("end", json!(0.4)),
        ("end", json!("late")),
        ("offset", json!(-1.0)),
        ("offset", json!(1.1)),
        ("speed", json!("fast")),
        ("speed", json!(1e308)),
        ("repetitions", json!(-2)),
        ("repetitions", json!(1.5)),
        ("repetitions", json!(1e10)),
        ("reverse", json!(1)),
        ("name", json!(7)),
    ] {
        let mut bad = full();
        bad[member] = wrong.clone();
        let g = with_clips(json!([{"name": "before", "animations": [0]}, bad, {"name": "after", "animations": [1]}]));
        let asset = load(&g);
        let names: Vec<_> = asset.clip_entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["before", "after"], "{member}: {wrong}");
        assert_eq!(asset.animations.len(), 2);
        let [warning] = &asset.warnings[..] else { panic!("{member}: {wrong}: {:?}", asset.warnings) };
        assert!(warning.object.contains("KHR_animation_clip") && warning.object.contains('1'), "{warning}");
        let error = try_load_with(&g.glb(), &strict()).expect_err("strict loading drops nothing");
        assert_eq!(Kind::of(&error), Kind::Malformed, "{member}: {wrong}");
    }
}

#[test]
fn an_entry_that_is_no_object_is_dropped() {
    for wrong in [json!(null), json!(3), json!([]), json!("x"), json!({})] {
        let asset = load(&with_clips(json!([wrong, full()])));
        assert_eq!((asset.clip_entries.len(), asset.warnings.len()), (1, 1), "{wrong}");
    }
}

#[test]
fn an_extension_of_another_shape_is_ignored() {
    for extension in [json!({"clips": {"animations": [0]}}), json!({"clips": 5}), json!({}), json!([]), json!("clips")]
    {
        let mut g = with_clips(json!([]));
        g.set("/extensions/KHR_animation_clip", extension.clone());
        let asset = load(&g);
        assert!(asset.clip_entries.is_empty());
        assert_eq!(asset.warnings.len(), 1, "{extension}: {:?}", asset.warnings);
        assert!(asset.warnings[0].object.contains("KHR_animation_clip"));
    }
}

#[test]
fn a_range_without_length_and_no_repetition_are_legal() {
    let still = json!({"animations": [0], "start": 1.0, "end": 1.0, "repetitions": -1});
    let never = json!({"animations": [0], "repetitions": 0, "speed": 0});
    let asset = load(&with_clips(json!([still, never])));
    assert_eq!((asset.clip_entries.len(), asset.warnings.len()), (2, 0));
}

#[test]
fn unknown_members_of_an_entry_are_skipped() {
    let mut entry = full();
    entry["extras"] = json!({"a": [1, 2]});
    entry["extensions"] = json!({"ACME_x": {}});
    entry["colour"] = json!("red");
    assert_eq!(load(&with_clips(json!([entry]))).clip_entries.len(), 1);
}

#[test]
fn no_entries_are_no_news() {
    let asset = load(&with_clips(json!([])));
    assert!(asset.clip_entries.is_empty() && asset.warnings.is_empty());
}
