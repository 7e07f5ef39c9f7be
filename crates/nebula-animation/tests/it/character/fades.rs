//! A face and a body fade together, by every curve.

use nebula_animation::{AnimationPlayer, Fade, player::advance_and_sample};

use super::picture::{Local, Picture, dot, inverse, lerp, product};
use super::stage::{CLOSE, FRAME, Stage, actor, frame};

/// Seconds since the start, after so many frames.
fn after(frames: i32) -> f64 {
    f64::from(frames) * FRAME
}

/// Of two seconds, which is how long the animations are.
fn looped(time: f64) -> f64 {
    time.rem_euclid(2.0)
}

/// The share of the new at a part of the fade.
type Curve = fn(f64) -> f64;

#[test]
fn players_play_faces_too() {
    let stage = Stage::new(&actor());
    for clip in 0..5 {
        let [mut compiled, mut authored] = [0, 1].map(|_| AnimationPlayer::new(clip, 2.0, 3));
        for number in 1..200 {
            let expected = stage.picture(clip, looped(after(number)));
            advance_and_sample(&mut compiled, &stage.rig, &stage.library, FRAME);
            advance_and_sample(&mut authored, &stage.rig, &stage.clips, FRAME);
            for (player, what) in [(&compiled, "a library"), (&authored, "a slice")] {
                let joint = |(t, r, s): &(glam::Vec3, glam::Quat, glam::Vec3)| {
                    let [t, s] = [t, s].map(|part| part.to_array().map(f64::from));
                    Some(Local { t, r: r.to_array().map(f64::from), s })
                };
                let mut weights: Vec<f64> = player.morph_weights().iter().copied().map(f64::from).collect();
                // A slice of clips knows neither how many weights there are nor where they rest.
                if what == "a slice" {
                    for (slot, rest) in stage.picture(None, 0.0).weights.into_iter().enumerate() {
                        let is_moved = stage.clips[clip].morph_channels().any(|(group, _)| group == slot / 3);
                        if slot >= weights.len() {
                            weights.push(rest);
                        } else if !is_moved {
                            weights[slot] = rest;
                        }
                    }
                }
                let shown = Picture { joints: player.local_poses.iter().map(joint).collect(), weights };
                expected.assert_shown(&shown, CLOSE, &format!("clip {clip} of {what}, frame {number}"));
            }
        }
    }
}

#[test]
fn a_face_and_a_body_play_together() {
    let stage = Stage::new(&actor());
    for clip in 0..5 {
        let mut character = stage.character();
        character.mixer.play(clip, 0.0).expect("a clip");
        for number in 1..200 {
            let shown = frame(&mut character);
            stage.picture(clip, looped(after(number))).assert_shown(&shown, CLOSE, &format!("clip {clip}, {number}"));
        }
    }
}

#[test]
fn a_face_and_a_body_fade_together() {
    let stage = Stage::new(&actor());
    let curves: [(Fade, Curve); 2] = [(Fade::linear(0.5), |t| t), (Fade::smooth(0.5), |t| t * t * (3.0 - 2.0 * t))];
    for (fade, curve) in curves {
        for (from, to) in [(0, 1), (1, 2), (2, 0), (3, 1), (0, 4)] {
            let mut character = stage.character();
            character.mixer.play(from, 0.0).expect("a clip");
            (0..40).for_each(|_| drop(frame(&mut character)));
            character.mixer.play(to, fade).expect("a clip");
            let mut moved = 0.0_f64;
            for number in 1..=48 {
                let share = curve((after(number) / 0.5).min(1.0));
                let old = stage.picture(from, looped(after(40 + number)));
                let new = stage.picture(to, looped(after(number)));
                let shown = frame(&mut character);
                old.mixed(&new, share).assert_shown(&shown, CLOSE, &format!("{from} to {to}, {fade:?}, {number}"));
                moved = moved.max((shown.weights[0] - new.weights[0]).abs());
            }
            assert!(moved > 0.01, "the face does fade: {moved}");
        }
    }
}

#[test]
fn an_interrupted_fade_goes_on_below() {
    let stage = Stage::new(&actor());
    let mut character = stage.character();
    character.mixer.play("walk", 0.0).expect("a clip");
    (0..16).for_each(|_| drop(frame(&mut character)));
    character.mixer.play("talk", 0.5).expect("a clip");
    (0..10).for_each(|_| drop(frame(&mut character)));
    character.mixer.play("hold", Fade::smooth(0.5)).expect("a clip");
    for number in 1..=40 {
        let first = (after(10 + number) / 0.5).min(1.0);
        let second = (after(number) / 0.5).min(1.0);
        let below = stage.picture(0, after(26 + number)).mixed(&stage.picture(1, after(10 + number)), first);
        let expected = below.mixed(&stage.picture(3, after(number)), second * second * (3.0 - 2.0 * second));
        expected.assert_shown(&frame(&mut character), CLOSE, &format!("frame {number}"));
    }
}

/// What is left of a difference and of its velocity at a share of the time, by the formula of [`FadeCurve::Inertialised`].
///
/// [`FadeCurve::Inertialised`]: nebula_animation::mixer::FadeCurve::Inertialised
fn left_of(difference: f64, velocity: f64, seconds: f64, share: f64) -> f64 {
    let rest = 1.0 - share;
    difference * rest.powi(3) * (1.0 + 3.0 * share - 2.0 * share * share) + velocity * seconds * share * rest.powi(4)
}

/// The quarter tangent of the angle between two rotations about one axis, along z.
fn turn_between(old: [f64; 4], new: [f64; 4]) -> f64 {
    let turn = product(old, inverse(new));
    let turn = if dot(turn, [0.0, 0.0, 0.0, 1.0]) < 0.0 { turn.map(|part| -part) } else { turn };
    turn[2] / (1.0 + turn[3])
}

/// Two pictures that stand still: the difference dies away by a closed form.
#[test]
fn inertialised_fades_between_still_poses_follow_their_formula() {
    let stage = Stage::new(&actor());
    let seconds = 0.5;
    for (from, to) in [(3, 4), (4, 3)] {
        let mut character = stage.character();
        character.mixer.play(from, 0.0).expect("a clip");
        (0..8).for_each(|_| drop(frame(&mut character)));
        character.mixer.play(to, Fade::inertialised(seconds as f32)).expect("a clip");
        let (old, new) = (stage.picture(from, 0.5), stage.picture(to, 0.5));
        for number in 1..=40 {
            let share = (after(number) / seconds).min(1.0);
            let number_at = |old: f64, new: f64| new + left_of(old - new, 0.0, seconds, share);
            let turn_at = |old: [f64; 4], new: [f64; 4]| {
                let half = 2.0 * left_of(turn_between(old, new), 0.0, seconds, share).atan();
                product([0.0, 0.0, half.sin(), half.cos()], new)
            };
            let expected = old.with(&new, number_at, turn_at);
            expected.assert_shown(&frame(&mut character), CLOSE, &format!("{from} to {to}, frame {number}"));
        }
    }
}

/// A face and a joint that move evenly into ones that stand: their velocity is carried on. Short, because velocities are measured
/// within a millisecond, in `f32`.
#[test]
fn inertialised_fades_carry_the_velocity_of_a_face_on() {
    let mut g = actor();
    let face =
        g.json["nodes"].as_array().expect("nodes").iter().position(|node| node["name"] == "face").expect("a face");
    g.animate(5, face, "weights", "LINEAR", &[0.0, 2.0], &[0.0, 0.0, 0.0, 0.0, 1.0, 0.5, -0.5, 0.25]);
    g.animate(5, 0, "translation", "LINEAR", &[0.0, 2.0], &[0.0, 0.0, 0.0, 0.5, -1.0, 0.25]);
    let (stage, seconds) = (Stage::new(&g), 0.125);
    let mut character = stage.character();
    character.mixer.play(5, 0.0).expect("a clip");
    (0..4).for_each(|_| drop(frame(&mut character)));
    character.mixer.play("rest", Fade::inertialised(seconds as f32)).expect("a clip");
    // Even movement: a difference of two pictures is as good as any.
    let (old, later, new) = (stage.picture(5, after(4)), stage.picture(5, after(8)), stage.picture(4, 0.5));
    let velocity = old.with(&later, |a, b| (b - a) / after(4), |a, _| a);
    for number in 1..=16 {
        let share = (after(number) / seconds).min(1.0);
        let mut expected = old.with(
            &new,
            |old, new| new + left_of(old - new, 0.0, seconds, share),
            |old, new| {
                let half = 2.0 * left_of(turn_between(old, new), 0.0, seconds, share).atan();
                product([0.0, 0.0, half.sin(), half.cos()], new)
            },
        );
        let drift = left_of(0.0, 1.0, seconds, share);
        for (weight, velocity) in expected.weights.iter_mut().zip(&velocity.weights) {
            *weight += velocity * drift;
        }
        for (joint, velocity) in expected.joints.iter_mut().flatten().zip(velocity.joints.iter().flatten()) {
            joint.t = std::array::from_fn(|axis| joint.t[axis] + velocity.t[axis] * drift);
        }
        expected.assert_shown(&frame(&mut character), CLOSE, &format!("frame {number}"));
    }
    assert!(lerp(velocity.weights[0], 0.0, 0.0) > 0.4, "it moves");
}
