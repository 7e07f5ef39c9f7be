use glam::{DVec3, Vec2};
use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, BlendSpace, Fade, LibraryOptions, Rig,
    compile::{RootDelta, RootMotionOptions},
};

use crate::characters::Random;
use crate::support::humanoid::humanoid;

const WALK: f64 = 1.4;
const RUN: f64 = 1.7 / 0.7;

fn library() -> AnimationClipLibrary {
    let (skeleton, clips) = humanoid();
    let options = LibraryOptions { root_motion: Some(RootMotionOptions::default()), ..LibraryOptions::default() };
    AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips, options)
}

fn moving() -> AnimationMixer {
    AnimationMixer::new(library())
}

/// Lets time pass in steps of any length, and adds up the way.
fn travel(mixer: &mut AnimationMixer, seconds: f64, mut step: impl FnMut() -> f64) -> RootDelta {
    let (mut way, mut at) = (RootDelta::ZERO, 0.0);
    while at < seconds {
        let dt = step().min(seconds - at);
        at += dt;
        mixer.update(dt);
        way = way.then(mixer.root_motion());
    }
    way
}

#[test]
fn a_thousand_loops_of_a_mixer_are_a_thousand_times_the_clip() {
    for (name, distance) in [("walk_root_motion", 1.4), ("run_root_motion", 1.7), ("jump_root_motion", 1.0)] {
        let mut mixer = moving();
        mixer.play(name, 0.3).expect("a clip");
        let duration = f64::from(mixer.current_action.as_ref().expect("just played").duration());
        let mut random = Random::new(2);
        let way = travel(&mut mixer, 1000.0 * duration, || f64::from(random.between(0.0, 0.4)));
        // The clip's own distance is an `f32`.
        let own = f64::from(distance as f32);
        let error = (way.translation - DVec3::Z * 1000.0 * own).length();
        println!("{name}: off by {error:.1e} m after 1,000 loops of a mixer");
        assert!(error < 1e-4, "{name}: {:?}", way.translation);
    }
}

#[test]
fn forward_then_backward_returns_to_the_start() {
    let mut mixer = moving();
    for name in ["walk_root_motion", "turn_left_root_motion"] {
        mixer.play(name, 0.0).expect("a clip");
        let mut random = Random::new(8);
        let mut way = RootDelta::ZERO;
        for direction in [1.0, -1.0] {
            mixer.current_action.as_mut().expect("playing").speed = direction;
            way = way.then(travel(&mut mixer, 77.7, || f64::from(random.between(0.001, 0.5))));
        }
        assert!(way.translation.length() < 1e-9 && way.yaw.abs() < 1e-9, "{name}: {way:?}");
        // By the length of the frames, too.
        mixer.current_action.as_mut().expect("playing").speed = 1.3;
        let there = travel(&mut mixer, 5.0, || 0.01);
        mixer.update(-5.0);
        let back = there.then(mixer.root_motion());
        assert!(back.translation.length() < 1e-9 && back.yaw.abs() < 1e-9, "{name}: {back:?}");
    }
}

#[test]
fn a_cross_fade_goes_as_far_whatever_the_steps() {
    for (fade, shape) in [(Fade::linear(0.8), "linear"), (Fade::smooth(0.8), "smooth")] {
        let expected = WALK * 0.5 + 0.8 * 0.5 * (WALK + RUN) + RUN * 0.7;
        for seed in 0..20 {
            let mut mixer = moving();
            let mut random = Random::new(seed);
            let longest = if seed < 10 { 0.05 } else { 1.5 };
            let mut step = || f64::from(random.between(0.0, longest));
            mixer.play("walk_root_motion", 0.0).expect("a clip");
            let way = travel(&mut mixer, 0.5, &mut step);
            mixer.play("run_root_motion", fade).expect("a clip");
            let way = way.then(travel(&mut mixer, 1.5, &mut step));
            assert!((way.translation.z - expected).abs() < 1e-5, "{shape}: {} against {expected}", way.translation.z);
        }
    }
}

#[test]
fn fades_that_are_interrupted_go_as_far_whatever_the_steps() {
    let travel_all = |steps: f64| {
        let mut mixer = moving();
        let mut way = RootDelta::ZERO;
        for (name, seconds) in
            [("walk_root_motion", 0.5), ("run_root_motion", 0.2), ("idle", 0.3), ("walk_root_motion", 1.0)]
        {
            mixer.restart(name, Fade::smooth(0.6)).expect("a clip");
            way = way.then(travel(&mut mixer, seconds, || steps));
        }
        way.translation.z
    };
    let expected = travel_all(1.0 / 1000.0);
    for steps in [1.0 / 240.0, 1.0 / 60.0, 0.1, 0.5, 2.0] {
        assert!((travel_all(steps) - expected).abs() < 1e-5, "{} against {expected}", travel_all(steps));
    }
}

#[test]
fn a_blend_goes_as_far_as_its_share_of_each_clip() {
    let clips = library();
    let index = |name: &str| clips.find(name).expect("a clip").index();
    let samples = [(0.0, index("walk_root_motion")), (1.0, index("run_root_motion"))];
    let space = BlendSpace::line(&clips, &samples).expect("a line");
    for x in [0.0, 0.25, 0.5, 0.9, 1.0] {
        let mut mixer = AnimationMixer::new(clips.clone());
        let motion = mixer.add_blend_space(space.clone());
        mixer.set_blend_position(motion, Vec2::new(x, 0.0)).expect("a space");
        mixer.play(motion, 0.0).expect("it is there");
        let x = f64::from(x);
        let (duration, distance) =
            (1.0 * (1.0 - x) + f64::from(0.7_f32) * x, f64::from(1.4_f32) * (1.0 - x) + f64::from(1.7_f32) * x);
        let mut random = Random::new(4);
        let way = travel(&mut mixer, 1000.0 * duration, || f64::from(random.between(0.0, 0.4)));
        let error = (way.translation.z - 1000.0 * distance).abs();
        println!("blend at {x}: off by {error:.1e} m after 1,000 loops");
        assert!(error < 1e-4, "at {x}: {} against {}", way.translation.z, 1000.0 * distance);
    }
}

#[test]
fn what_is_sought_is_not_walked_and_what_is_scrubbed_is() {
    let mut mixer = moving();
    mixer.play("walk_root_motion", 0.0).expect("a clip");
    mixer.update(0.0);
    let action = |mixer: &mut AnimationMixer| mixer.current_action.as_mut().expect("playing").time = 0.5;
    action(&mut mixer);
    mixer.update(0.0);
    assert!((mixer.root_motion().translation.z - 0.7).abs() < 1e-5);
    mixer.current_action.as_mut().expect("playing").seek(0.2);
    mixer.update(0.0);
    assert_eq!(mixer.root_motion(), RootDelta::ZERO);
    // Half of the weight goes half as far: the rest pose stands still.
    mixer.current_action.as_mut().expect("playing").weight = 0.5;
    mixer.update(1.0);
    assert!((mixer.root_motion().translation.z - 0.7).abs() < 1e-5);
}
