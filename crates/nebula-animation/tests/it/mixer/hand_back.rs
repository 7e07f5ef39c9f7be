//! Actions that are played once, and leave their layer by themselves.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationMixer, Channel, ClipMarkers, Fade, Interpolation, Joint, Keyframe, LayerId, Marker,
    Skeleton,
};

use super::cast::{humanoid, mixer_with_markers};
use crate::characters::Random;

/// One joint at rest at 0; `one` holds it at 1, `ramp` moves it from 0 to 10 in a second, `blip` holds it for 0.125 s.
fn stage() -> (Skeleton, AnimationMixer) {
    let joint = Joint {
        index: 0,
        parent: None,
        inverse_bind_matrix: Mat4::IDENTITY,
        name: "root".into(),
        bind_translation: Vec3::ZERO,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    let clip = |name: &str, duration: f32, ends: [f32; 2]| {
        let key = |time, x| Keyframe { time, value: Vec3::new(x, 0.0, 0.0), tangents: None };
        let keyframes = vec![key(0.0, ends[0]), key(duration, ends[1])];
        let channel = Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes };
        AnimationClip { name: name.into(), duration, translation_channels: vec![channel], ..Default::default() }
    };
    let clips = vec![
        clip("one", 1.0, [1.0, 1.0]),
        clip("ramp", 1.0, [0.0, 10.0]),
        clip("blip", 0.125, [1.0, 1.0]),
        clip("walk", 3.0, [5.0, 5.0]),
    ];
    let mut markers = ClipMarkers::new();
    for (index, clip) in clips[..3].iter().enumerate() {
        let end = f64::from(clip.duration);
        markers.add(index, Marker { name: "start".into(), time: 0.0 });
        markers.add(index, Marker { name: "end".into(), time: end });
    }
    let skeleton = Skeleton { joints: vec![joint] };
    let mixer = mixer_with_markers(&skeleton, &clips, markers);
    (skeleton, mixer)
}

fn x(mixer: &AnimationMixer, skeleton: &Skeleton) -> f32 {
    let mut pose = skeleton.bind_pose();
    mixer.write_pose(&mut pose);
    pose[0].0.x
}

#[track_caller]
fn assert_empty(mixer: &AnimationMixer, layer: LayerId) {
    let layer = mixer.layer(layer).expect("it is there");
    assert!(layer.current_action.is_none() && layer.fading_action.is_none() && !layer.is_fading());
    assert_eq!(layer.actions().count(), 0);
}

/// The weight of a clip that stands at 1 above a rest of 0 is what is seen of it.
#[test]
fn the_fade_out_ends_with_the_clip_whatever_the_steps_and_the_speed() {
    let mut random = Random::new(7);
    for case in 0..400 {
        let (skeleton, mut mixer) = stage();
        let speed = [1.0, -1.0, 0.5, 2.0, -3.0][case % 5];
        let smooth = case % 2 == 1;
        let fade = if smooth { Fade::smooth(0.2) } else { Fade::linear(0.2) };
        let layer = if case % 3 == 0 { LayerId::BASE } else { mixer.add_layer("above") };
        let longest = [0.01, 0.1, 0.7, 4.0][random.below(4)];
        mixer.layer_mut(layer).expect("there").play_once("one", 0.0, fade).expect("a clip").speed = speed;
        let end = 1.0 / f64::from(speed.abs());
        let mut time = 0.0;
        let mut met = Vec::new();
        let mut finished = Vec::new();
        while time < end + 0.5 {
            let dt = f64::from(random.between(0.0, longest));
            time += dt;
            mixer.update(dt);
            met.extend(mixer.events().map(|event| event.marker.name.clone()));
            finished.extend(mixer.layer(layer).expect("there").has_just_finished().then_some(time));
            let left = ((end - time) / 0.2).clamp(0.0, 1.0) as f32;
            let gone = 1.0 - left;
            let weight = if smooth { 1.0 - gone * gone * (3.0 - 2.0 * gone) } else { left };
            let shown = x(&mixer, &skeleton);
            assert!((shown - weight).abs() < 1e-4, "case {case} at {time} of {end}: {shown} instead of {weight}");
        }
        assert_empty(&mixer, layer);
        let order = if speed > 0.0 { ["start", "end"] } else { ["end", "start"] };
        assert_eq!(met, order, "case {case}: it was played to its end");
        assert!(finished.len() == 1 && finished[0] > end - 1e-6, "case {case}: told once, {finished:?} of {end}");
    }
}

#[test]
fn one_step_over_everything_plays_it_and_leaves_the_layer_empty() {
    for fade in [Fade::linear(0.3), Fade::smooth(0.3)] {
        let (skeleton, mut mixer) = stage();
        mixer.play("walk", 0.0).expect("a clip");
        let layer = mixer.add_layer("above");
        mixer.update(0.1);
        mixer.layer_mut(layer).expect("there").play_once("one", 0.2, fade).expect("a clip");
        mixer.update(60.0);
        assert_eq!(mixer.events().map(|event| event.marker.name.as_str()).collect::<Vec<_>>(), ["start", "end"]);
        assert_empty(&mixer, layer);
        assert_eq!(x(&mixer, &skeleton), 5.0, "what is below");
    }
    // One that goes at once, or dies away, is seen at its end first.
    for fade in [Fade::NONE, Fade::inertialised(0.3)] {
        let (skeleton, mut mixer) = stage();
        let layer = mixer.add_layer("above");
        mixer.update(0.1);
        mixer.layer_mut(layer).expect("there").play_once("one", 0.2, fade).expect("a clip");
        mixer.update(60.0);
        assert_eq!(mixer.events().count(), 2);
        mixer.update(60.0);
        assert_empty(&mixer, layer);
        assert_eq!(x(&mixer, &skeleton), 0.0);
    }
}

#[test]
fn a_clip_that_is_shorter_than_its_fade_is_played_to_its_end_first() {
    // At a half of its time, a difference without a velocity is (1/2)^3 (1 + 3/2 - 1/2) of itself.
    for (fade, half) in [(Fade::linear(0.4), 0.5), (Fade::inertialised(0.4), 0.25)] {
        let (skeleton, mut mixer) = stage();
        mixer.play_once("blip", 0.0, fade).expect("a clip");
        mixer.update(0.0625);
        assert_eq!(x(&mixer, &skeleton), 1.0);
        mixer.update(0.0625);
        assert_eq!(x(&mixer, &skeleton), 1.0, "its end");
        mixer.update(0.2);
        let shown = x(&mixer, &skeleton);
        assert!((shown - half).abs() < 1e-4, "half way out: {shown}");
        mixer.update(0.2001);
        assert!(x(&mixer, &skeleton).abs() < 1e-6);
        mixer.update(0.01);
        assert_empty(&mixer, LayerId::BASE);
    }
}

/// Inertialised in and out, from walking to walking: no jump, and gone with the end of the clip.
#[test]
fn inertialised_fades_hand_back_too() {
    for (layered, speed) in [(false, 1.0), (true, 1.0), (true, -0.5)] {
        let (skeleton, mut mixer) = stage();
        let layer = if layered { mixer.add_layer("above") } else { LayerId::BASE };
        if layered {
            mixer.play("walk", 0.0).expect("a clip");
        }
        mixer.update(0.01);
        let below = x(&mixer, &skeleton);
        let above = mixer.layer_mut(layer).expect("there");
        above.play_once("ramp", Fade::inertialised(0.2), Fade::inertialised(0.2)).expect("a clip").speed = speed;
        let mut before = below;
        let end = 1.0 / f64::from(speed.abs());
        let frames = (end * 100.0) as usize;
        for frame in 0..frames + 1 {
            mixer.update(0.01);
            let now = x(&mixer, &skeleton);
            // The ramp makes 0.1 a frame; a difference of 10 that dies away in 0.2 s makes up to 1.2.
            assert!((now - before).abs() < 1.6, "frame {frame}: from {before} to {now}");
            before = now;
        }
        assert!((before - below).abs() < 1e-3, "{before}");
        assert_empty(&mixer, layer);
    }
}

#[test]
fn it_can_be_interrupted_and_played_again() {
    let (skeleton, mut mixer) = stage();
    mixer.play_once("one", 0.0, 0.2).expect("a clip");
    mixer.update(0.9);
    assert!((x(&mixer, &skeleton) - 0.5).abs() < 1e-5);
    // Taken over in the middle of its fade out.
    mixer.play("walk", 0.5).expect("a clip");
    mixer.update(0.0);
    assert!((x(&mixer, &skeleton) - 0.5).abs() < 1e-5);
    mixer.update(5.0);
    assert_eq!(x(&mixer, &skeleton), 5.0, "and that goes on");

    // Again, before the first is over: it begins anew, and its end counts.
    mixer.play_once("one", 0.0, 0.2).expect("a clip");
    mixer.update(0.7);
    mixer.play_once("one", 0.1, 0.2).expect("a clip");
    mixer.update(0.7);
    assert_eq!(x(&mixer, &skeleton), 1.0);
    // The same motion in earnest stays.
    mixer.play("one", 0.1).expect("a clip");
    mixer.update(20.0);
    assert_eq!(x(&mixer, &skeleton), 1.0);
    assert!(mixer.current_action.as_ref().is_some_and(|action| action.looping));
}

#[test]
fn a_pause_keeps_it_and_passes_are_waited_for() {
    let (skeleton, mut mixer) = stage();
    mixer.play_once("one", 0.0, 0.2).expect("a clip");
    mixer.update(0.7);
    mixer.pause();
    mixer.update(20.0);
    assert_eq!(x(&mixer, &skeleton), 1.0);
    mixer.resume();
    let action = mixer.current_action.as_mut().expect("it plays");
    (action.repetitions, action.back_and_forth) = (3, true);
    mixer.update(2.0);
    assert_eq!(x(&mixer, &skeleton), 1.0);
    mixer.update(0.2);
    assert!((x(&mixer, &skeleton) - 0.5).abs() < 1e-4);
    mixer.update(0.2);
    assert_empty(&mixer, LayerId::BASE);
}

/// The end of what a layer plays is told in the update in which it comes, once, whatever comes after it; of others it is not.
#[test]
fn the_end_is_told_once() {
    let ends = |mixer: &mut AnimationMixer, layer: LayerId, steps: usize| -> Vec<usize> {
        let ended = |step: &usize| {
            mixer.update(0.125);
            assert!(mixer.layers().filter(|layer| layer.has_just_finished()).count() <= 1);
            mixer.layer(layer).expect("there").has_just_finished().then_some(*step)
        };
        (1..=steps).collect::<Vec<_>>().iter().filter_map(ended).collect()
    };
    // A second of eight steps. What dies away is gone when that begins; what is cut, and what is shorter than its fade, is not.
    for (clip, fade, expected) in [
        ("one", Fade::NONE, 8),
        ("one", Fade::linear(0.25), 8),
        ("one", Fade::smooth(0.25), 8),
        ("one", Fade::inertialised(0.25), 7),
        ("blip", Fade::linear(0.5), 1),
        ("blip", Fade::inertialised(0.5), 1),
    ] {
        let (_, mut mixer) = stage();
        mixer.play("walk", 0.0).expect("a clip");
        let above = mixer.add_layer("above");
        mixer.update(0.0);
        mixer.play_once_on(above, clip, 0.0, fade).expect("a clip");
        assert_eq!(ends(&mut mixer, above, 30), [expected], "{clip}, {fade:?}");
        assert_empty(&mixer, above);
    }
    // One that stays at its end is told of too; one that loops never ends, and one that is taken over from does not come to it.
    let (_, mut mixer) = stage();
    mixer.play("one", 0.0).expect("a clip").looping = false;
    assert_eq!(ends(&mut mixer, LayerId::BASE, 30), [8]);
    mixer.restart("one", 0.0).expect("a clip");
    assert_eq!(ends(&mut mixer, LayerId::BASE, 30), [0; 0]);
    mixer.play_once("ramp", 0.0, 0.25).expect("a clip");
    assert_eq!(ends(&mut mixer, LayerId::BASE, 4), [0; 0]);
    mixer.play("walk", 2.0).expect("a clip");
    assert_eq!(ends(&mut mixer, LayerId::BASE, 30), [0; 0]);
}

/// A layer above, for part of a character, after each of its one-shots: exactly what is below, and none of it while it plays.
#[test]
fn a_masked_layer_hands_its_joints_back() {
    let cast = humanoid();
    let mut mixer = cast.mixer();
    let mut alone = cast.mixer();
    let upper = mixer.rig().upper_body().expect("a humanoid");
    let arms = mixer.add_masked_layer("arms", upper.clone());
    for mixer in [&mut mixer, &mut alone] {
        mixer.play("walk", 0.0).expect("a clip");
        mixer.update(0.1);
    }
    let pose = |mixer: &AnimationMixer| {
        let mut pose = cast.skeleton.bind_pose();
        mixer.write_pose(&mut pose);
        pose
    };
    for fade in [Fade::linear(0.25), Fade::smooth(0.25), Fade::inertialised(0.25)] {
        mixer.play_once_on(arms, "wave", fade, fade).expect("a clip");
        let (mut frames, mut differed) = (0, 0);
        while mixer.layer(arms).expect("there").actions().count() > 0 || frames < 10 {
            mixer.update(1.0 / 60.0);
            alone.update(1.0 / 60.0);
            frames += 1;
            assert!(frames < 600, "it never ends");
            let (pose, alone) = (pose(&mixer), pose(&alone));
            differed += usize::from(pose != alone);
            for joint in (0..pose.len()).filter(|joint| upper.weight(*joint) == 0.0) {
                assert_eq!(pose[joint], alone[joint], "legs walk on, joint {joint}");
            }
        }
        assert!(differed > 60, "it waved");
        // What is left of an inertialised fade dies away after the layer is empty.
        for _ in 0..30 {
            mixer.update(1.0 / 60.0);
            alone.update(1.0 / 60.0);
        }
        assert_eq!(pose(&mixer), pose(&alone), "to the bit, {fade:?}");
        assert!(mixer.layer(arms).expect("there").current_action.is_none());
    }
}
