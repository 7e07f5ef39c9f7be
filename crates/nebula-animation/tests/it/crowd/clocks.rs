//! The clocks of characters: within their clip, whatever happens.

use nebula_animation::crowd::SecondClip;
use nebula_animation::{AnimationClip, Channel, Crowd, Interpolation, Keyframe, crowd::CrowdCharacter};

use super::crowd_of_one;

/// A crowd of one character whose clip takes so long.
fn crowd(duration: f32) -> Crowd {
    let key = |time| Keyframe { time, value: glam::Vec3::splat(time), tangents: None };
    let channel =
        Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes: vec![key(0.0), key(duration)] };
    crowd_of_one(AnimationClip { duration, translation_channels: vec![channel], ..AnimationClip::default() })
}

/// The character's time after a step, after changes to the character.
fn time_after(duration: f32, step: f64, change: impl Fn(&mut CrowdCharacter)) -> f64 {
    let mut crowd = crowd(duration);
    change(&mut crowd.characters_mut()[0]);
    crowd.update(step);
    let rows = crowd.palettes();
    assert!(rows.iter().all(|rows| rows.0.as_flattened().iter().all(|number| number.is_finite())), "{rows:?}");
    crowd.characters()[0].time
}

fn assert_near(time: f64, expected: f64) {
    assert!((time - expected).abs() < 1e-6, "{time} instead of {expected}");
}

#[test]
fn a_new_character_loops_at_its_own_speed() {
    assert_eq!(time_after(2.0, 0.0, |_| {}), 0.0);
    assert_eq!(time_after(2.0, 0.5, |_| {}), 0.5);
    assert_near(time_after(2.0, 2.5, |_| {}), 0.5);
    assert_near(time_after(2.0, 20.25, |_| {}), 0.25);
}

#[test]
fn speed_scales_and_turns_the_clock() {
    assert_eq!(time_after(2.0, 0.5, |character| character.speed = 2.0), 1.0);
    assert_eq!(time_after(2.0, 0.5, |character| character.speed = 0.0), 0.0);
    assert_near(time_after(2.0, 0.5, |character| character.speed = -1.0), 1.5);
    assert_near(time_after(2.0, -4.5, |_| {}), 1.5);
}

#[test]
fn clips_that_do_not_loop_stop_at_both_ends() {
    let once = |speed| {
        move |character: &mut CrowdCharacter| {
            *character = CrowdCharacter { looping: false, speed, time: 1.0, ..*character };
        }
    };
    assert_eq!(time_after(2.0, 0.5, once(1.0)), 1.5);
    assert_eq!(time_after(2.0, 50.0, once(1.0)), 2.0);
    assert_eq!(time_after(2.0, 50.0, once(-1.0)), 0.0);
}

#[test]
fn steps_and_speeds_that_are_no_numbers_are_ignored() {
    for nonsense in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(time_after(2.0, nonsense, |character| character.time = 0.75), 0.75);
        let change = |character: &mut CrowdCharacter| {
            character.time = 0.75;
            character.speed = nonsense as f32;
        };
        assert_eq!(time_after(2.0, 0.5, change), 0.75);
    }
}

#[test]
fn times_that_are_no_numbers_start_over() {
    for nonsense in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(time_after(2.0, 0.5, |character| character.time = nonsense), 0.0);
    }
}

/// Thirty years in one step, and the largest floats there are.
#[test]
fn enormous_steps_stay_within_the_clip() {
    for step in [1e9, -1e9, f64::MAX, f64::MIN] {
        for speed in [1.0, 0.1, -7.3, f32::MAX, f32::MIN] {
            for looping in [true, false] {
                let change = |character: &mut CrowdCharacter| {
                    *character = CrowdCharacter { looping, speed, time: 1.0, ..*character };
                };
                let time = time_after(1.7, step, change);
                assert!((0.0..=f64::from(1.7_f32)).contains(&time), "{time} after {step} s at speed {speed}");
            }
        }
    }
    assert_near(time_after(2.0, 1e9 + 0.5, |_| {}), 0.5);
    assert_near(time_after(2.0, -1e9 - 0.5, |_| {}), 1.5);
}

/// A tiny step back from the start must not end beyond the clip, as the remainder of a tiny negative number does.
#[test]
fn tiny_steps_back_stay_within_the_clip() {
    let time = time_after(1.7, -1e-30, |_| {});
    assert!((0.0..=f64::from(1.7_f32)).contains(&time), "{time}");
}

/// A day at 60 frames a second does not wear the clock out: time is counted in `f64`.
#[test]
fn clocks_do_not_drift() {
    let mut crowd = crowd(2.0);
    for _ in 0..60 * 60 * 24 {
        crowd.advance(1.0 / 60.0);
    }
    let time = crowd.characters()[0].time;
    assert!(!(1e-6..=2.0 - 1e-6).contains(&time), "{time} instead of a whole number of rounds");
}

#[test]
fn clips_without_length_stay_at_their_start() {
    for looping in [true, false] {
        for step in [0.5, -0.5, 1e9] {
            assert_eq!(time_after(0.0, step, |character| character.looping = looping), 0.0);
        }
    }
}

#[test]
fn second_clips_keep_their_own_time() {
    let mut crowd = crowd(2.0);
    let character = &mut crowd.characters_mut()[0];
    character.speed = -0.5;
    character.second = Some(SecondClip { clip: character.clip, time: 0.25, weight: 0.5 });
    crowd.update(1.0);
    let character = crowd.characters()[0];
    assert_near(character.time, 1.5);
    assert_near(character.second.expect("a second clip").time, 1.75);
}
