//! How far the clocks of characters have come: passes, total times, and the spans between two frames.

use nebula_animation::{AnimationClip, Clock, Crowd, Marker, crowd::CrowdCharacter};

use super::crowd_of_one;

/// A crowd of one character whose clip takes two seconds.
fn crowd() -> Crowd {
    crowd_of_one(AnimationClip { duration: 2.0, ..AnimationClip::default() })
}

fn after(crowd: &mut Crowd, step: f64) -> CrowdCharacter {
    crowd.advance(step);
    crowd.characters()[0]
}

#[test]
fn passes_and_total_times_grow_and_shrink_with_the_clock() {
    let mut crowd = crowd();
    let mut total = 0.0;
    for step in [0.5, 1.0, 0.5, 7.25, 0.0, -3.5, -8.0, 0.25] {
        total += step;
        let character = after(&mut crowd, step);
        assert_eq!(character.total_time(), total);
        let state = Clock::looping(2.0).at(total);
        assert_eq!((character.time, character.pass()), (state.time, state.pass), "at {total}");
    }
}

#[test]
fn spans_join_and_the_first_takes_in_its_beginning() {
    let mut crowd = crowd();
    // Nothing has been gone through yet.
    let (from, to) = after(&mut crowd, 0.0).travelled();
    assert_eq!((from, to), (0.0, 0.0));
    let (from, mut last) = after(&mut crowd, 0.75).travelled();
    assert!(from < 0.0 && from > -1e-300 && last == 0.75, "{from} to {last}");
    for step in [0.75, 1.5, 0.0, -0.5, f64::NAN, 9.0, -20.0] {
        let (from, to) = after(&mut crowd, step).travelled();
        assert_eq!(from, last);
        assert_eq!(to, if step.is_nan() { last } else { last + step });
        last = to;
    }
}

#[test]
fn every_marker_is_met_once_whatever_the_steps() {
    let markers: Vec<Marker> =
        [0.0, 0.5, 1.25, 1.5].iter().map(|&time| Marker { name: time.to_string(), time }).collect();
    for step in [0.0625, 0.25, 0.375, 1.0, 2.0, 3.5] {
        let mut crowd = crowd();
        let mut met = 0;
        let mut total = 0.0;
        while total < 42.0 {
            let (from, to) = after(&mut crowd, step).travelled();
            met += Clock::looping(2.0).markers_between(&markers, from, to).count();
            total += step;
        }
        let expected = Clock::looping(2.0).markers_between(&markers, -1e-9, total).count();
        assert_eq!(met, expected, "in steps of {step} s");
    }
}

#[test]
fn a_written_time_begins_a_new_span() {
    let mut crowd = crowd();
    after(&mut crowd, 2.5);
    crowd.characters_mut()[0].time = 1.0;
    let character = after(&mut crowd, 0.25);
    let (from, to) = character.travelled();
    // A marker at the place itself is met.
    assert!(from < 3.0 && from > 2.999_999, "{from}");
    assert_eq!((to, character.pass(), character.time), (3.25, 1, 1.25));
    // A time of another pass, and beyond the end of a clip that is played once.
    crowd.characters_mut()[0].time = 5.0;
    assert_eq!(after(&mut crowd, 0.0).time, 1.0);
    (crowd.characters_mut()[0].time, crowd.characters_mut()[0].looping) = (50.0, false);
    assert_eq!(after(&mut crowd, -0.5).time, 1.5);
}

#[test]
fn what_ceases_to_loop_has_one_pass() {
    let mut crowd = crowd();
    assert_eq!(after(&mut crowd, 7.0).pass(), 3);
    crowd.characters_mut()[0].looping = false;
    let character = after(&mut crowd, 0.5);
    assert_eq!((character.pass(), character.travelled()), (0, (1.0, 1.5)));
    assert_eq!(after(&mut crowd, 9.0).travelled(), (1.5, 2.0));
    assert_eq!(after(&mut crowd, 9.0).travelled(), (2.0, 2.0));
}

/// Turned back, the first moment of all is met on arrival, and again when it sets out anew.
#[test]
fn the_beginning_of_a_single_pass_is_met_in_both_directions() {
    let mut crowd = crowd();
    crowd.characters_mut()[0].looping = false;
    let marker = [Marker { name: "start".into(), time: 0.0 }];
    let mut met = |step| {
        let (from, to) = after(&mut crowd, step).travelled();
        if from == to { 0 } else { Clock::once(2.0).markers_between(&marker, from, to).count() }
    };
    assert_eq!([1.0, 0.5, -3.0, -3.0, 0.0, 0.5, 0.5].map(&mut met), [1, 0, 1, 0, 0, 1, 0]);
}

/// Counting ends at the largest number, and the clock stays within its clip.
#[test]
fn enormous_steps_stop_the_count() {
    let mut crowd = crowd();
    let character = after(&mut crowd, 1e30);
    assert_eq!(character.pass(), i64::from(i32::MAX));
    assert!(character.total_time().is_finite() && (0.0..=2.0).contains(&character.time));
    let character = after(&mut crowd, f64::MIN);
    assert_eq!(character.pass(), i64::from(i32::MIN));
    assert!(character.total_time().is_finite() && (0.0..=2.0).contains(&character.time));
}
