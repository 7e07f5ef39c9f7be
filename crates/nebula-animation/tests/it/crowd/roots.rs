//! How far the roots of characters go: as mixers tell it, by the shares of both clips.

use glam::{DVec3, Quat, Vec3};
use nebula_animation::compile::{RootDelta, RootMotionOptions};
use nebula_animation::crowd::SecondClip;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, Channel, Crowd, Interpolation, Keyframe, LibraryOptions, Rig,
};

use super::events::crowd_of;
use super::skeletons;
use crate::characters::Random;

/// Joint 0 goes so far along Z within so many seconds, and turns by so many radians.
fn walk(duration: f32, far: f32, turn: f32) -> AnimationClip {
    let key = |time, share: f32| {
        let value = Vec3::new(0.0, 0.0, far * share);
        (
            Keyframe { time, value, tangents: None },
            Keyframe { time, value: Quat::from_rotation_y(turn * share), tangents: None },
        )
    };
    let keys = [key(0.0, 0.0), key(0.5 * duration, 0.4), key(duration, 1.0)];
    let (ways, turns) = keys.into_iter().unzip();
    AnimationClip {
        name: "walk".into(),
        duration,
        translation_channels: vec![Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes: ways }],
        rotation_channels: vec![Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes: turns }],
        scale_channels: Vec::new(),
    }
}

fn library(clips: &[AnimationClip]) -> AnimationClipLibrary {
    let root_motion = Some(RootMotionOptions::default());
    let mut skeleton = skeletons().remove(3);
    // A root that stands as the model does.
    (skeleton.joints[0].bind_translation, skeleton.joints[0].bind_rotation) = (Vec3::ZERO, Quat::IDENTITY);
    skeleton.joints[0].bind_scale = Vec3::ONE;
    let options = LibraryOptions { root_motion, ..LibraryOptions::default() };
    AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips.to_vec(), options)
}

fn apart(a: RootDelta, b: RootDelta) -> f64 {
    (a.translation - b.translation).abs().max_element().max((a.yaw - b.yaw).abs())
}

#[test]
fn one_clip_goes_as_far_as_in_a_mixer() {
    for (far, turn) in [(1.5, 0.0), (0.7, 1.0)] {
        let library = library(&[walk(1.3, far, turn)]);
        let (mut crowd, _, id) = crowd_of(&library);
        let mut mixer = AnimationMixer::new(library.clone());
        mixer.play(0, 0.0).expect("the clip is there");
        let mut random = Random::new(4);
        let mut moved = 0.0;
        for frame in 0..2000 {
            let step = if random.chance(0.1) { f64::from(random.between(-7.0, 9.0)) } else { 1.0 / 60.0 };
            crowd.advance(step);
            mixer.update(step);
            let told = crowd.root_step(id).expect("it is there");
            assert!(apart(told, mixer.root_motion()) < 1e-9, "frame {frame}: {told:?} {:?}", mixer.root_motion());
            moved += told.translation.length();
        }
        assert!(moved > 20.0, "{moved}");
    }
}

/// The same way in whatever steps, and the way of whole passes.
#[test]
fn no_step_changes_the_way() {
    let library = library(&[walk(1.25, 2.0, 0.0)]);
    for step in [1.0 / 64.0, 0.25, 1.0, 12.5] {
        let (mut crowd, _, id) = crowd_of(&library);
        let mut way = RootDelta::ZERO;
        let mut total = 0.0;
        while total < 25.0 {
            crowd.advance(step);
            way = way.then(crowd.root_step(id).expect("it is there"));
            total += step;
        }
        assert!((way.translation - DVec3::Z * 40.0).length() < 1e-5 && way.yaw == 0.0, "{step}: {way:?}");
    }
}

#[test]
fn two_clips_go_by_their_shares() {
    let library =
        library(&[walk(1.0, 1.0, 0.0), walk(0.5, 3.0, 0.8), AnimationClip { duration: 1.0, ..Default::default() }]);
    let (mut crowd, clips, id) = crowd_of(&library);
    let alone = |clip: usize, from: f64, to: f64| {
        let clock = nebula_animation::Clock::looping(library[clip].duration().into());
        library[clip].root().expect("there are roots").motion(&clock, from, to)
    };
    for (second, weight) in [(1, 0.25_f32), (1, 0.5), (2, 0.75), (1, 1.0), (1, 0.0), (1, f32::NAN)] {
        let character = crowd.character_mut(id).expect("it is there");
        (character.time, character.second) = (0.0, Some(SecondClip { clip: clips[second], time: 0.0, weight }));
        crowd.advance(0.0);
        crowd.advance(0.3);
        let share = if weight > 0.0 { f64::from(weight) } else { 0.0 };
        let motions = [(1.0 - share, alone(0, 0.0, 0.3)), (share, alone(second, 0.0, 0.3))];
        let told = crowd.root_step(id).expect("it is there");
        assert!(apart(told, RootDelta::mean(motions)) < 1e-12, "{weight}: {told:?}");
        // Nothing moves in a frame that does not pass.
        crowd.advance(0.0);
        assert_eq!(crowd.root_step(id), Some(RootDelta::ZERO));
    }
}

/// Libraries that leave the root in the poses have no steps to tell.
#[test]
fn clips_without_root_tracks_stay() {
    let clip = walk(1.0, 1.0, 0.0);
    let still = AnimationClipLibrary::new(&Rig::new(&skeletons()[3]), &[clip]);
    let (mut crowd, _, id) = crowd_of(&still);
    crowd.update(0.5);
    assert_eq!(crowd.root_step(id), Some(RootDelta::ZERO));
    assert_eq!(Crowd::new().root_step(id), None);
}
