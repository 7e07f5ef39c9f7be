//! Playing, stopping, and what the fields of actions do.

use glam::{Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationMixer, Channel, Character, Clock, Fade, Interpolation, Joint, JointPose, Keyframe,
    PlayError, Skeleton, Surroundings,
    mixer::{FadeCurve, blend_poses},
    sample_pose,
};

use super::cast::{distance, humanoid, mixer_of};

/// One joint, which clips lift from 0 to their height.
fn lift() -> (Skeleton, Vec<AnimationClip>) {
    let joint = Joint {
        index: 0,
        parent: None,
        inverse_bind_matrix: glam::Mat4::IDENTITY,
        name: "root".into(),
        bind_translation: Vec3::ZERO,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    let clip = |name: &str, base: f32| {
        let key = |time, y| Keyframe { time, value: Vec3::new(0.0, y, 0.0), tangents: None };
        let keyframes = vec![key(0.0, base), key(1.0, base + 1.0)];
        let channel = Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes };
        AnimationClip {
            name: name.into(),
            duration: 1.0,
            translation_channels: vec![channel],
            ..AnimationClip::default()
        }
    };
    (Skeleton { joints: vec![joint] }, vec![clip("low", 0.0), clip("high", 10.0), clip("top", 100.0)])
}

struct Stage {
    skeleton: Skeleton,
    mixer: AnimationMixer,
}

impl Stage {
    fn new() -> Self {
        let (skeleton, clips) = lift();
        Self { mixer: mixer_of(&skeleton, &clips), skeleton }
    }

    /// The height after a frame.
    fn after(&mut self, dt: f64) -> f32 {
        self.mixer.update(dt);
        let mut pose = self.skeleton.bind_pose();
        self.mixer.write_pose(&mut pose);
        pose[0].0.y
    }
}

#[track_caller]
fn assert_near(value: f32, expected: f32) {
    assert!((value - expected).abs() < 1e-4 * expected.abs().max(1.0), "{value}, not {expected}");
}

#[test]
fn the_first_action_is_shown_at_once_with_the_defaults() {
    let mut stage = Stage::new();
    let action = stage.mixer.play("low", Fade::default()).expect("it is there");
    assert_eq!((action.time, action.speed, action.looping, action.playing), (0.0, 1.0, true, true));
    assert_eq!((action.weight, action.clip()), (1.0, Some(0)));
    assert_near(stage.after(0.25), 0.25);
    assert!(stage.mixer.fading_action.is_none());
    assert_eq!(Fade::default(), Fade { seconds: 0.3, curve: FadeCurve::Linear });
}

#[test]
fn a_linear_fade_blends_both_clips() {
    let mut stage = Stage::new();
    stage.mixer.play("low", 0.0).expect("it is there");
    stage.after(0.5);
    stage.mixer.play("high", 0.4).expect("it is there");
    assert_eq!((stage.mixer.fade_progress, stage.mixer.fade_duration), (0.0, 0.4));
    assert_eq!(stage.mixer.fading_action.as_ref().and_then(|action| action.clip()), Some(0));
    // Low is at 0.6, high at 10.1; a quarter has passed.
    assert_near(stage.after(0.1), 0.75 * 0.6 + 0.25 * 10.1);
    assert_near(stage.mixer.fade_progress, 0.25);
    stage.after(0.2);
    assert_near(stage.after(0.1), 10.4);
    assert!(stage.mixer.fading_action.is_none());
}

#[test]
fn a_smooth_fade_follows_its_curve() {
    let mut stage = Stage::new();
    stage.mixer.play("low", 0.0).expect("it is there");
    stage.after(0.5);
    stage.mixer.play("high", Fade::smooth(0.4)).expect("it is there");
    let weight = 0.25 * 0.25 * (3.0 - 0.5);
    assert_near(stage.after(0.1), (1.0 - weight) * 0.6 + weight * 10.1);
}

/// The difference of 9.5 - 10 = -10 + ... dies away along its polynomial, and the clip alone is left at the end.
#[test]
fn an_inertialised_fade_carries_pose_and_velocity_on() {
    let mut stage = Stage::new();
    stage.mixer.play("low", 0.0).expect("it is there").speed = 1.0;
    stage.after(0.5);
    stage.mixer.play("high", Fade::inertialised(0.4)).expect("it is there").speed = 0.5;
    // At the switch: 0.5 is shown and rises by 1 a second, the new clip is at 10 and rises by 0.5.
    let (x, v, t) = (0.5 - 10.0, 1.0 - 0.5, 0.4);
    for frame in 1..=8_u8 {
        let s = f32::from(frame) * 0.05 / t;
        let left = 1.0 - s;
        let difference = x * left.powi(3) * (1.0 + 3.0 * s - 2.0 * s * s) + v * t * s * left.powi(4);
        let height = stage.after(0.05);
        let expected = 10.0 + f32::from(frame) * 0.025 + difference;
        assert!((height - expected).abs() < 2e-3, "{height}, not {expected}");
    }
    assert_near(stage.after(0.05), 10.225);
}

#[test]
fn three_actions_in_a_row_are_all_still_there() {
    let mut stage = Stage::new();
    stage.mixer.play("low", 0.0).expect("it is there");
    stage.after(0.1);
    stage.mixer.play("high", 1.0).expect("it is there");
    stage.after(0.1);
    stage.mixer.play("top", 1.0).expect("it is there");
    // Low at 0.3, high at 10.2, two tenths over it; top at 100.1, a tenth over both.
    let below = 0.8 * 0.3 + 0.2 * 10.2;
    assert_near(stage.after(0.1), 0.9 * below + 0.1 * 100.1);
    let shares: Vec<f32> = stage.mixer.actions().map(|(_, share)| share).collect();
    for (share, expected) in shares.into_iter().zip([0.72, 0.18, 0.1]) {
        assert_near(share, expected);
    }
}

#[test]
fn no_fade_switches_at_once() {
    for fade in [0.0, -1.0, f32::NAN] {
        let mut stage = Stage::new();
        stage.mixer.play("low", 0.0).expect("it is there");
        stage.after(0.5);
        stage.mixer.play("high", fade).expect("it is there");
        assert_near(stage.after(0.1), 10.1);
    }
}

#[test]
fn an_unknown_clip_is_an_error_and_nothing_changes() {
    let mut stage = Stage::new();
    stage.mixer.play("low", 0.0).expect("it is there");
    stage.after(0.5);
    let error = stage.mixer.play("hihg", 0.3).expect_err("misspelt");
    assert_eq!(error.to_string(), r#"there is no clip "hihg": did you mean "high"?"#);
    let error = stage.mixer.play("swim", 0.3).expect_err("there is none");
    assert_eq!(error.to_string(), r#"there is no clip "swim": there is "low" or "high" or "top""#);
    let error = stage.mixer.play(3, 0.3).expect_err("there are three");
    assert_eq!(error, PlayError::NoSuchClip { index: 3, count: 3 });
    assert_near(stage.after(0.1), 0.6);
}

#[test]
fn the_current_clip_is_restarted_only_when_asked() {
    let mut stage = Stage::new();
    stage.mixer.play("low", 0.0).expect("it is there");
    stage.after(0.5);
    stage.mixer.play("low", 0.3).expect("it is there");
    assert_near(stage.after(0.1), 0.6);
    stage.mixer.restart("low", 0.2).expect("it is there");
    // Half of the one that goes on, half of the one that begins.
    assert_near(stage.after(0.1), 0.5 * 0.7 + 0.5 * 0.1);
    assert_near(stage.after(0.2), 0.3);
}

#[test]
fn stopping_fades_to_the_rest_pose_and_playing_from_there() {
    let mut stage = Stage::new();
    stage.mixer.play("high", 0.0).expect("it is there").speed = 0.0;
    stage.after(0.1);
    stage.mixer.stop(0.4);
    assert_near(stage.after(0.1), 7.5);
    assert_near(stage.after(0.3), 0.0);
    assert_near(stage.after(0.1), 0.0);
    stage.mixer.play("high", 0.4).expect("it is there").speed = 0.0;
    assert_near(stage.after(0.1), 2.5);
}

/// Without an end there is one pass, whatever number of them the clock gives.
#[test]
fn a_clock_without_an_end_plays_on() {
    for repetitions in [-1, 1, 7, i32::MIN] {
        let mut stage = Stage::new();
        let action = stage.mixer.play("low", 0.0).expect("it is there");
        action.play_by(Clock { start: 0.25, repetitions, ..Clock::default() });
        assert_near(stage.after(0.5), 0.75);
        assert_near(stage.after(9.0), 1.0);
    }
}

#[test]
fn fields_of_an_action_do_what_they_say() {
    let mut stage = Stage::new();
    let action = stage.mixer.play("low", 0.0).expect("it is there");
    action.back_and_forth = true;
    assert_near(stage.after(1.25), 0.75);
    stage.mixer.pause();
    assert_near(stage.after(1.0), 0.75);
    stage.mixer.resume();
    assert_near(stage.after(0.25), 0.5);

    let action = stage.mixer.restart("low", 0.0).expect("it is there");
    (action.looping, action.repetitions) = (false, 2);
    assert_near(stage.after(1.5), 0.5);
    assert_near(stage.after(1.5), 1.0);
    let action = stage.mixer.current_action.as_ref().expect("it stays");
    assert!(!action.playing && action.has_just_finished());

    let action = stage.mixer.restart("high", 0.0).expect("it is there");
    action.weight = 0.5;
    assert_near(stage.after(0.5), 5.25);

    let action = stage.mixer.restart("low", 0.0).expect("it is there");
    action.play_by(Clock { start: 0.25, end: Some(0.5), ..Clock::default() });
    assert_near(stage.after(0.1), 0.35);
    assert_near(stage.after(0.2), 0.3);

    let action = stage.mixer.restart("low", 0.0).expect("it is there");
    action.speed = -2.0;
    assert_near(stage.after(0.25), 0.5);

    stage.mixer.time_scale = 0.5;
    stage.mixer.restart("low", 0.0).expect("it is there");
    assert_near(stage.after(0.5), 0.25);
}

#[test]
fn nothing_breaks_on_numbers_that_are_none() {
    let mut stage = Stage::new();
    stage.mixer.play("low", 0.0).expect("it is there");
    stage.after(0.25);
    assert_near(stage.after(f64::NAN), 0.25);
    assert_near(stage.after(f64::INFINITY), 0.25);
    let action = stage.mixer.current_action.as_mut().expect("it plays");
    (action.speed, action.weight, action.time) = (f32::NAN, f32::NAN, f32::NAN);
    action.seek(f64::NAN);
    assert_near(stage.after(0.1), 0.0);
    let action = stage.mixer.current_action.as_mut().expect("it plays");
    (action.speed, action.weight) = (1.0, 1.0);
    assert_near(stage.after(0.1), 0.35);
    stage.mixer.time_scale = f32::INFINITY;
    assert_near(stage.after(0.1), 0.35);
    stage.mixer.time_scale = 1.0;
    stage.mixer.play("high", f32::INFINITY).expect("it is there");
    assert!(stage.after(1e30).is_finite());
    stage.mixer.fade_progress = f32::NAN;
    assert!(stage.after(0.1).is_finite());
    stage.mixer.weight = f32::NAN;
    assert_near(stage.after(0.1), 0.0);
}

/// A clip whose keys are not numbers shows the rest pose, and leaves nothing behind in those after it.
#[test]
fn broken_clips_do_not_infect_others() {
    let (skeleton, mut clips) = lift();
    clips[1].translation_channels[0].keyframes[0].value.y = f32::NAN;
    let mut mixer = mixer_of(&skeleton, &clips);
    let mut pose = skeleton.bind_pose();
    let mut frame = |mixer: &mut AnimationMixer| {
        mixer.update(0.05);
        mixer.write_pose(&mut pose);
        assert!(pose[0].0.is_finite() && pose[0].1.is_finite());
        pose[0].0.y
    };
    mixer.play("low", 0.0).expect("it is there");
    frame(&mut mixer);
    for fade in [Fade::linear(0.2), Fade::inertialised(0.2)] {
        mixer.play("high", fade).expect("it is there");
        frame(&mut mixer);
        mixer.restart("low", fade).expect("it is there");
        (0..6).for_each(|_| assert!(frame(&mut mixer) < 2.0));
    }
}

/// On a real character, the cross-fade is what the formulas say, by the plain path.
#[test]
fn a_cross_fade_is_slerp_and_lerp_of_the_two_poses() {
    let cast = humanoid();
    let mut character = Character::of(cast.mixer().clips().clone());
    character.mixer.play("walk", 0.3).expect("it is there");
    character.update(0.4, &Surroundings::default());
    character.mixer.play("run", 0.3).expect("it is there");
    let (mut from, mut to, mut expected) = (cast.skeleton.bind_pose(), cast.skeleton.bind_pose(), Vec::new());
    for frame in 1..=5_u8 {
        character.update(0.05, &Surroundings::default());
        let passed = f32::from(frame) * 0.05;
        sample_pose(cast.clip("walk"), &cast.skeleton, 0.4 + passed, &mut from);
        sample_pose(cast.clip("run"), &cast.skeleton, passed, &mut to);
        expected.clone_from(&from);
        blend_poses(&from, &to, passed / 0.3, &mut expected);
        let worst = |poses: &[JointPose]| {
            poses
                .iter()
                .zip(&expected)
                .map(|(a, b)| distance(a, b))
                .fold([0.0_f64; 2], |worst, [angle, length]| [worst[0].max(angle), worst[1].max(length)])
        };
        let mut shown = cast.skeleton.bind_pose();
        character.frame().write_pose(&mut shown);
        let [angle, length] = worst(&shown);
        assert!(angle < 1e-4 && length < 1e-5, "{angle} {length}");
    }
    assert!(character.palette().iter().all(|matrix| matrix.is_finite()));
}
