//! With inertialised fades, velocities do not jump either.

use nebula_animation::{Fade, JointPose, mixer::FadeCurve, sample_pose};

use super::cast::{Cast, FRAME, Pace, distance, humanoid, spinner, ten_moves, velocity_change};
use crate::characters::Random;

/// The largest change of a velocity from frame to frame in terms of what is allowed.
///
/// A fade of the length `T` from a difference `x` with the velocity `v` accelerates by no more than
/// `16 x / T^2 + 8 v / T`. Clips have kinks of their own, at their keys: one of the clip before and one of the clip after.
fn worst(cast: &Cast, pace: &Pace, curve: FadeCurve, plays: usize, longest_pause: usize) -> f64 {
    let mut random = Random::new(7);
    let mut mixer = cast.mixer();
    let joints = cast.skeleton.joints.len();
    let mut frames: Vec<Vec<JointPose>> = Vec::new();
    let mut by_fade = vec![[0.0_f64; 2]; joints];
    // Two steps may belong to two fades.
    let mut by_last_fade = by_fade.clone();
    let mut worst = 0.0_f64;
    for play in 0..plays {
        let clip = random.below(cast.clips.len());
        let seconds = random.between(0.1, 0.5);
        mixer.restart(clip, Fade { seconds, curve }).expect("the clip is there").looping = cast.loops(clip);
        // Joints that the clip leaves alone are at rest.
        let mut target = cast.skeleton.bind_pose();
        sample_pose(&cast.clips[clip], &cast.skeleton, 0.0, &mut target);
        if let [.., a, b] = &frames[..] {
            for joint in 0..joints {
                let (x, moved) = (distance(&b[joint], &target[joint]), distance(&a[joint], &b[joint]));
                for part in 0..2 {
                    let velocity = (moved[part] + pace.fastest[joint][part]) / FRAME;
                    let seconds = f64::from(seconds);
                    // The angle follows tan(angle / 4), which is up to 4 / pi steeper. Velocities are those of whole frames.
                    let bent = 1.3;
                    by_last_fade[joint][part] = by_fade[joint][part];
                    by_fade[joint][part] = bent * (16.0 * x[part] / seconds + 8.0 * velocity) / seconds * FRAME;
                }
            }
        }
        // The first action is shown at once, and has no velocity before that.
        let pause = if play == 0 { 5 } else { random.below(longest_pause + 1) };
        for _ in 0..=pause {
            mixer.update(FRAME);
            let mut pose = cast.skeleton.bind_pose();
            mixer.write_pose(&mut pose);
            frames.push(pose);
            if frames.len() > 3 {
                frames.remove(0);
            }
            let [a, b, c] = &frames[..] else { continue };
            for joint in 0..joints {
                let change = velocity_change(&a[joint], &b[joint], &c[joint]);
                for part in 0..2 {
                    // A millionth of the pose, in a frame.
                    let rounding = 4e-6 * (1.0 + pace.reach[joint][part]) / FRAME;
                    let by_fades = by_fade[joint][part] + by_last_fade[joint][part];
                    let allowed = 2.0 * pace.jolt[joint][part] + by_fades + rounding;
                    worst = worst.max(change[part] / allowed);
                }
            }
        }
    }
    worst
}

fn assert_smooth(cast: &Cast, plays: usize) {
    let pace = Pace::of(cast, 1.0);
    for longest_pause in [0, 5, 40] {
        let worst = worst(cast, &pace, FadeCurve::Inertialised, plays, longest_pause);
        println!("{plays} plays, pauses to {longest_pause}: {worst:.3} of what is allowed");
        assert!(worst <= 1.0, "pauses up to {longest_pause} frames: {worst}");
    }
}

/// Half of the plays are one character's, half the other's.
#[test]
fn velocities_do_not_jump_in_100_000_plays() {
    assert_smooth(&ten_moves(), 17_000);
    assert_smooth(&spinner(), 17_000);
}

/// The check can fail: a linear fade keeps the pose, and not the velocity.
#[test]
fn a_linear_fade_is_caught() {
    let cast = humanoid();
    let pace = Pace::of(&cast, 1.0);
    assert!(worst(&cast, &pace, FadeCurve::Linear, 200, 40) > 1.5);
}
