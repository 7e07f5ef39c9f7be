//! Morph weights in clips, their layout, and what is made of such clips.

use glam::Vec3;
use nebula_animation::clip::{FIRST_MORPH_JOINT, MOST_MORPH_SLOTS, MorphKeysError, is_morph_joint, morph_joint};
use nebula_animation::{
    AnimationClip, Channel, Interpolation, Keyframe, Retarget, Rig,
    clip::{ClipEntry, MorphLayout, MorphMesh},
    compile::{RootMotionOptions, extract_root_motion},
    retarget::Mirror,
    sample::{additive_clip, additive_clip_from_frame, additive_clip_with_morphs, sample_morph_weights},
    sample_pose,
};

use crate::player::rig::{chain, slide};

fn weights_at(clip: &AnimationClip, defaults: &[f32], time: f32) -> [f32; 6] {
    let mut weights = [9.0; 6];
    sample_morph_weights(clip, defaults, time, &mut weights);
    weights
}

/// Joint 0 slides; the four weights from slot 0 go from 0 to 1, 2, 3 and 4 within a second.
fn talk() -> AnimationClip {
    let mut clip = slide(0, 1.0);
    let values = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0];
    clip.set_morph_weights(0, Interpolation::Linear, &[0.0, 1.0], &values, 4).expect("good keys");
    clip
}

#[test]
fn slots_count_joints_down() {
    assert_eq!(morph_joint(0), Some((u16::MAX, 0)));
    assert_eq!(morph_joint(7), Some((u16::MAX - 2, 1)));
    assert_eq!(morph_joint(MOST_MORPH_SLOTS - 1), Some((FIRST_MORPH_JOINT, 2)));
    assert_eq!(morph_joint(MOST_MORPH_SLOTS), None);
    assert!(is_morph_joint(FIRST_MORPH_JOINT, 20) && !is_morph_joint(FIRST_MORPH_JOINT - 1, 20));
    assert!(!is_morph_joint(FIRST_MORPH_JOINT, 40_000), "a skeleton that large has this joint");
}

#[test]
fn weights_are_channels_of_three() {
    let clip = talk();
    assert_eq!(clip.morph_count(), 6);
    let groups: Vec<_> = clip.morph_channels().map(|(group, channel)| (group, channel.joint_index)).collect();
    assert_eq!(groups, [(0, u16::MAX), (1, u16::MAX - 1)]);
    assert_eq!(weights_at(&clip, &[], 0.5), [0.5, 1.0, 1.5, 2.0, 0.0, 0.0]);
    assert_eq!(slide(0, 1.0).morph_count(), 0);
}

#[test]
fn new_keys_replace_the_old_ones_of_these_slots_only() {
    let mut clip = talk();
    clip.set_morph_weights(3, Interpolation::Step, &[0.0, 3.0], &[0.25, 0.75], 1).expect("good keys");
    assert_eq!(clip.morph_channels().count(), 2);
    assert_eq!(weights_at(&clip, &[], 1.0), [1.0, 2.0, 3.0, 0.25, 0.0, 0.0]);
    assert_eq!(clip.duration, 3.0, "the clip gets longer");
    assert_eq!(clip.translation_channels[0], slide(0, 1.0).translation_channels[0]);
}

#[test]
fn splines_have_their_tangents_around_the_weights() {
    let mut clip = AnimationClip::default();
    // Of t³ and of a straight line.
    let values = [9.0, 9.0, 0.0, 0.0, 0.0, 1.0, 3.0, 1.0, 1.0, 1.0, 9.0, 9.0];
    clip.set_morph_weights(0, Interpolation::CubicSpline, &[0.0, 1.0], &values, 2).expect("good keys");
    for time in [0.0, 0.25, 0.5, 0.9, 1.0_f32] {
        let [cubic, line, ..] = weights_at(&clip, &[], time);
        assert!((cubic - time.powi(3)).abs() < 1e-6 && (line - time).abs() < 1e-6, "{cubic} and {line} at {time}");
    }
}

#[test]
fn slots_without_a_channel_have_their_default() {
    let mut clip = AnimationClip::default();
    clip.set_morph_weights(3, Interpolation::Linear, &[0.0], &[0.7], 1).expect("good keys");
    assert_eq!(weights_at(&clip, &[0.1, 0.2], 0.0), [0.1, 0.2, 0.0, 0.7, 0.0, 0.0]);
    let mut short = [9.0; 4];
    sample_morph_weights(&talk(), &[], 1.0, &mut short);
    assert_eq!(short, [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn keys_that_do_not_fit_say_why() {
    let set = |slot, times: &[f32], values: &[f32], count| {
        AnimationClip::default().set_morph_weights(slot, Interpolation::Linear, times, values, count)
    };
    assert_eq!(set(1, &[0.0], &[0.0], 1), Err(MorphKeysError::Slots { first_slot: 1, target_count: 1 }));
    assert!(set(MOST_MORPH_SLOTS - 3, &[0.0], &[0.0; 3], 3).is_ok());
    assert!(matches!(set(MOST_MORPH_SLOTS - 3, &[0.0], &[0.0; 4], 4), Err(MorphKeysError::Slots { .. })));
    assert_eq!(set(0, &[1.0, 0.5], &[0.0; 2], 1), Err(MorphKeysError::Times));
    assert_eq!(set(0, &[0.5, 0.5], &[0.0; 3], 2), Err(MorphKeysError::Values { found: 3, expected: 4 }));
}

#[test]
fn names_lead_to_slots() {
    let mesh = |first_slot, names: &[&str]| MorphMesh {
        first_slot,
        target_names: names.iter().map(|name| (*name).into()).collect(),
        weights: vec![0.5; names.len()],
        ..MorphMesh::default()
    };
    let layout = MorphLayout { meshes: vec![mesh(0, &["Smile", "", "BlinkLeft", "Jaw"]), mesh(6, &["Smile"])] };
    assert_eq!(layout.slot_count(), 9);
    assert_eq!(layout.defaults(), [0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0]);
    assert_eq!(layout.find("Smile"), Some(vec![0, 6]), "a face of two meshes");
    assert_eq!(layout.require("Jaw"), Ok(vec![3]));
    assert_eq!(layout.find(""), None, "no name is no name");
    let error = layout.require("smile").expect_err("capitals count");
    assert_eq!((error.near, error.target_count), (vec!["Smile".to_owned()], 5));
    assert_eq!(layout.require("blink_left").expect_err("another spelling").near[0], "BlinkLeft");
}

#[test]
fn poses_know_nothing_of_weights() {
    let (skeleton, clip) = (chain(3), talk());
    let (mut with, mut without) = (skeleton.bind_pose(), skeleton.bind_pose());
    sample_pose(&clip, &skeleton, 0.5, &mut with);
    sample_pose(&slide(0, 1.0), &skeleton, 0.5, &mut without);
    assert_eq!(with, without);
}

#[test]
fn additive_weights_are_differences() {
    let (skeleton, clip) = (chain(3), talk());
    let bind = skeleton.bind_pose();
    assert_eq!(weights_at(&additive_clip(&clip, &skeleton, &bind), &[], 1.0), [1.0, 2.0, 3.0, 4.0, 0.0, 0.0]);
    let from_frame = additive_clip_from_frame(&clip, &skeleton, 0.5);
    assert_eq!(weights_at(&from_frame, &[], 0.5), [0.0; 6]);
    assert_eq!(weights_at(&from_frame, &[], 1.0), [0.5, 1.0, 1.5, 2.0, 0.0, 0.0]);

    // Five slots of which the clip moves four, and a mesh that it does not move.
    let reference = [0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 0.3, 0.4];
    let with = additive_clip_with_morphs(&clip, &skeleton, &bind, &reference);
    let mut added = [9.0; 9];
    sample_morph_weights(&with, &reference, 1.0, &mut added);
    assert_eq!(
        added,
        [0.5, 1.5, 2.5, 3.5, 0.0, 0.0, 0.0, 0.0, 0.0],
        "what is still adds nothing, whatever the default"
    );
    // The joints are as without.
    let joints = |clip: &AnimationClip| -> Vec<Channel<Vec3>> {
        clip.translation_channels.iter().filter(|channel| channel.joint_index < 3).cloned().collect()
    };
    assert_eq!(joints(&with), joints(&additive_clip(&slide(0, 1.0), &skeleton, &bind)));
}

#[test]
fn additive_splines_keep_their_tangents() {
    let mut clip = AnimationClip::default();
    let key = |value| Keyframe { time: 0.0, value, tangents: Some((Vec3::X, Vec3::Y)) };
    clip.translation_channels.push(Channel {
        joint_index: u16::MAX,
        interpolation: Interpolation::CubicSpline,
        keyframes: vec![key(Vec3::ONE)],
    });
    let made = additive_clip_with_morphs(&clip, &chain(0), &[], &[0.25; 3]);
    assert_eq!(made.translation_channels[0].keyframes, [key(Vec3::splat(0.75))]);
}

#[test]
fn mirrors_root_motion_and_merged_entries_keep_weights() {
    let (skeleton, clip) = (chain(3), talk());
    let expected = [0.25, 0.5, 0.75, 1.0, 0.0, 0.0];
    assert_eq!(weights_at(&Mirror::new(&skeleton).clip(&clip), &[], 0.25), expected);
    let (on_the_spot, way) = extract_root_motion(&clip, &skeleton, &RootMotionOptions::default());
    assert_eq!(weights_at(&on_the_spot, &[], 0.25), expected);
    assert_ne!(way, Default::default(), "it does slide");
    let entry = ClipEntry { animations: vec![1, 0], ..ClipEntry::default() };
    let mut other = AnimationClip::default();
    other.set_morph_weights(3, Interpolation::Step, &[0.0], &[5.0, 6.0], 2).expect("good keys");
    assert_eq!(
        weights_at(&entry.merged_clip(&[other.clone(), clip.clone()]), &[], 1.0),
        [1.0, 2.0, 3.0, 5.0, 6.0, 0.0]
    );
    assert_eq!(weights_at(&entry.merged_clip(&[clip, other]), &[], 1.0), [1.0, 2.0, 3.0, 4.0, 0.0, 0.0]);
}

#[test]
fn another_body_has_another_face() {
    let rig = Rig::new(chain(3));
    let made = Retarget::new(&rig, &rig).expect("it is itself").clip(&talk());
    assert_eq!(made.morph_count(), 0);
    assert_eq!(made.translation_channels.len(), 1, "the joints are carried over");
}
