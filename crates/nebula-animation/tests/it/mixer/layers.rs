//! Layers on top of each other.

use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, Fade, JointMask, JointPose, LayerId, mixer::BlendMode,
    sample::additive_clip_from_frame, sample_pose,
};

use super::cast::{Cast, FRAME, Pace, distance, humanoid, mixer_of};
use crate::characters::Random;

fn plain(cast: &Cast, clip: &str, time: f32) -> Vec<JointPose> {
    let mut pose = cast.skeleton.bind_pose();
    sample_pose(cast.clip(clip), &cast.skeleton, time, &mut pose);
    pose
}

fn pose_of(cast: &Cast, mixer: &mut AnimationMixer, dt: f64) -> Vec<JointPose> {
    mixer.update(dt);
    let mut pose = cast.skeleton.bind_pose();
    mixer.write_pose(&mut pose);
    pose
}

#[track_caller]
fn assert_joint(a: &JointPose, b: &JointPose) {
    let [angle, length] = distance(a, b);
    assert!(angle < 1e-4 && length < 1e-5, "{angle} {length}");
}

#[test]
fn a_masked_layer_takes_its_joints_only() {
    let cast = humanoid();
    let mut mixer = cast.mixer();
    mixer.play("walk", 0.0).expect("it is there");
    let index = mixer.add_layer("arm");
    let mask = JointMask::none(&cast.skeleton).with_subtree(&cast.skeleton, "Spine", 1.0).expect("a joint");
    let layer = mixer.layer_mut(index).expect("just added");
    layer.set_mask(mask.clone());
    // Nothing plays in it: what is below is seen.
    let pose = pose_of(&cast, &mut mixer, 0.2);
    for (a, b) in pose.iter().zip(&plain(&cast, "walk", 0.2)) {
        assert_joint(a, b);
    }
    mixer.layer_mut(index).expect("still there").play("run", 0.0).expect("it is there");
    let pose = pose_of(&cast, &mut mixer, 0.2);
    let (walk, run) = (plain(&cast, "walk", 0.4), plain(&cast, "run", 0.2));
    for joint in 0..pose.len() {
        assert_joint(&pose[joint], if mask.weight(joint) > 0.0 { &run[joint] } else { &walk[joint] });
    }
    // A weight of a half is halfway.
    mixer.layer_mut(index).expect("still there").weight = 0.5;
    let pose = pose_of(&cast, &mut mixer, 0.0);
    let mut half = walk.clone();
    nebula_animation::mixer::blend_poses(&walk, &run, 0.5, &mut half);
    for joint in 0..pose.len() {
        assert_joint(&pose[joint], if mask.weight(joint) > 0.0 { &half[joint] } else { &walk[joint] });
    }
}

#[test]
fn an_additive_layer_adds_and_fades() {
    let cast = humanoid();
    let mut clips = cast.clips.clone();
    let mut additive = additive_clip_from_frame(cast.clip("run"), &cast.skeleton, 0.0);
    additive.name = "run on top".into();
    clips.push(additive);
    let mut mixer = mixer_of(&cast.skeleton, &clips);
    let base = mixer.play("run", 0.0).expect("it is there");
    base.speed = 0.0;
    let index = mixer.add_layer("on top");
    let layer = mixer.layer_mut(index).expect("just added");
    layer.mode = BlendMode::Additive;
    layer.play("run on top", 0.0).expect("it is there");
    let pose = pose_of(&cast, &mut mixer, 0.3);
    for (a, b) in pose.iter().zip(&plain(&cast, "run", 0.3)) {
        let [angle, length] = distance(a, b);
        assert!(angle < 5e-4 && length < 1e-4, "{angle} {length}");
    }
    // Stopped, nothing of it is left; the way there has no jump.
    mixer.layer_mut(index).expect("still there").stop(0.2);
    let mut before = pose;
    for _ in 0..60 {
        let pose = pose_of(&cast, &mut mixer, FRAME);
        for (a, b) in before.iter().zip(&pose) {
            assert!(distance(a, b)[0] < 0.2, "{}", distance(a, b)[0]);
        }
        before = pose;
    }
    for (a, b) in before.iter().zip(&plain(&cast, "run", 0.0)) {
        assert_joint(a, b);
    }
}

/// Plays and stops in two layers at any moment, by any fade: no joint moves further in a frame than the clips and the fades
/// of both layers do.
#[test]
fn layers_do_not_jump() {
    let cast = humanoid();
    let pace = Pace::of(&cast, 1.0);
    let mut random = Random::new(3);
    let mut mixer = cast.mixer();
    let upper = mixer.add_layer("upper");
    let mask = JointMask::none(&cast.skeleton).with_subtree(&cast.skeleton, "Spine", 0.8).expect("a joint");
    mixer.layer_mut(upper).expect("just added").set_mask(mask);
    mixer.play("idle", 0.0).expect("it is there");
    let mut before = pose_of(&cast, &mut mixer, FRAME);
    for _ in 0..1500 {
        let layer = mixer.layer_mut([LayerId::BASE, upper][random.below(2)]).expect("there are two");
        let seconds = random.between(0.3, 0.6);
        let fade = [Fade::linear(seconds), Fade::smooth(seconds), Fade::inertialised(seconds)][random.below(3)];
        if random.chance(0.3) {
            layer.stop(fade);
        } else {
            let clip = random.below(cast.clips.len());
            layer.play(clip, fade).expect("it is there").looping = cast.loops(clip);
        }
        for _ in 0..random.below(15) {
            let pose = pose_of(&cast, &mut mixer, FRAME);
            for joint in 0..pose.len() {
                let moved = distance(&before[joint], &pose[joint]);
                for (part, moved) in moved.into_iter().enumerate() {
                    // Four fades in each of two layers, each as steep as they come.
                    let by_fades = 2.0 * 4.0 * 2.5 * FRAME / 0.3 * pace.reach[joint][part];
                    let allowed = 2.0 * pace.fastest[joint][part] + by_fades + 1e-4;
                    assert!(moved <= allowed, "joint {joint}: {moved} of {allowed}");
                }
            }
            before = pose;
        }
    }
}

#[test]
fn layers_that_are_not_there_are_none() {
    let mut mixer = AnimationMixer::new(AnimationClipLibrary::default());
    assert!(mixer.layer(LayerId::new(1)).is_none() && mixer.layer_mut(LayerId::new(7)).is_none());
    assert_eq!(mixer.layers().count(), 1);
}

/// Symptom: a rotation that is not a number. Cause: mixers of clips whose poses are all finite spare themselves the repair, but a rest pose
/// with a rotation that is far from unit length, as a skeleton made in code may have it, is finite and its blends are not. A
/// base layer of half a weight, because that is blended with the rest pose.
#[test]
fn rest_rotations_of_any_length_leave_the_blend_finite() {
    for length in [0.0, 1e-30, 1e-3, 3.0, 1e10, 1e19, 1e30] {
        let mut skeleton = crate::player::rig::chain(3);
        skeleton.joints[1].bind_rotation = glam::Quat::from_xyzw(0.6, 0.0, 0.0, 0.8) * length;
        let clips = vec![crate::player::rig::slide(1, 1.0), crate::player::rig::turn(1, 5, 0.4)];
        let mut mixer = mixer_of(&skeleton, &clips);
        mixer.weight = 0.5;
        for (clip, fade) in
            [(0, Fade::NONE), (1, Fade::linear(0.2)), (0, Fade::inertialised(0.2)), (1, Fade::smooth(0.2))]
        {
            assert!(mixer.play(clip, fade).is_ok());
            for _ in 0..4 {
                mixer.update(0.03);
                let mut pose = skeleton.bind_pose();
                mixer.write_pose(&mut pose);
                let is_finite = |pose: &JointPose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite();
                assert!(pose.iter().all(is_finite), "a rotation of length {length}: {pose:?}");
            }
        }
    }
}
