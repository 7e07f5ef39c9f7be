//! The rules of `KHR_animation_clip` entries.

mod morphs;

use nebula_animation::clip::ClipEntry;

/// A valid entry in which every field says something, for a file with two animations.
fn entry() -> ClipEntry {
    ClipEntry {
        name: "stroll".into(),
        animations: vec![1, 0],
        start: 0.5,
        end: Some(2.5),
        offset: 1.0,
        speed: -2.0,
        repetitions: 3,
        reverse: true,
    }
}

/// A wrong value, the field that the message must name, and the right value beside it.
fn rule<V>(field: &str, set: impl Fn(&mut ClipEntry, V), wrong: V, right: V) {
    let (mut bad, mut good) = (entry(), entry());
    set(&mut bad, wrong);
    set(&mut good, right);
    let error = bad.check(2).expect_err(field);
    assert_eq!(error.field, field, "{error}");
    assert!(error.to_string().starts_with(field) && !error.problem.is_empty(), "{error}");
    good.check(2).unwrap_or_else(|error| panic!("{good:?}: {error}"));
}

#[test]
fn animations_exist_and_appear_once() {
    let set = |entry: &mut ClipEntry, animations| entry.animations = animations;
    rule("animations", set, vec![], vec![0]);
    rule("animations", set, vec![0, 2], vec![0, 1]);
    rule("animations", set, vec![usize::MAX], vec![1]);
    rule("animations", set, vec![1, 0, 1], vec![1, 0]);
    assert!(entry().check(0).is_err() && entry().check(1).is_err(), "the count decides");
}

#[test]
fn start_is_finite_and_not_negative() {
    let set = |entry: &mut ClipEntry, start| entry.start = start;
    rule("start", set, -0.001, 0.0);
    rule("start", set, f64::NAN, 1.5);
    rule("start", |entry, start| (entry.start, entry.end) = (start, None), f64::INFINITY, 1e300);
}

#[test]
fn end_is_not_before_start() {
    let set = |entry: &mut ClipEntry, end| (entry.end, entry.offset) = (end, 0.0);
    rule("end", set, Some(0.499), Some(0.5));
    rule("end", set, Some(f64::NAN), None);
    rule("end", set, Some(f64::INFINITY), Some(1e300));
    rule("end", set, Some(-1.0), Some(9.0));
}

#[test]
fn offset_lies_inside_the_range() {
    let set = |entry: &mut ClipEntry, offset| entry.offset = offset;
    rule("offset", set, -0.001, 0.0);
    rule("offset", set, 2.001, 2.0);
    rule("offset", set, f64::NAN, 0.1);
    rule("offset", set, f64::INFINITY, 1.9);
    let endless = ClipEntry { end: None, offset: 1e6, ..entry() };
    assert!(endless.check(2).is_ok(), "without an end, any offset is inside");
}

#[test]
fn speed_is_finite_as_f32() {
    let set = |entry: &mut ClipEntry, speed| entry.speed = speed;
    rule("speed", set, f64::NAN, 0.0);
    rule("speed", set, f64::INFINITY, 1e38);
    rule("speed", set, 1e39, -1e38);
}

#[test]
fn repetitions_are_endless_or_counted() {
    let set = |entry: &mut ClipEntry, repetitions| entry.repetitions = repetitions;
    rule("repetitions", set, -2, -1);
    rule("repetitions", set, i32::MIN, 0);
}

#[test]
fn the_default_plays_once_it_names_an_animation() {
    let plain = ClipEntry::default();
    assert_eq!(plain.check(1).expect_err("it names none").field, "animations");
    assert_eq!((plain.start, plain.end, plain.offset), (0.0, None, 0.0));
    assert_eq!((plain.speed, plain.repetitions, plain.reverse), (1.0, -1, false));
    assert!(ClipEntry { animations: vec![0], ..plain }.check(1).is_ok());
}

#[test]
fn a_range_without_length_is_legal() {
    assert!(ClipEntry { start: 1.0, end: Some(1.0), offset: 0.0, ..entry() }.check(2).is_ok());
}
