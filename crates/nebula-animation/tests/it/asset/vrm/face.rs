//! Faces of VRM animations: what steps, bends, switches and overrides is between keys as the rules have it, not a straight line.

use glam::Vec3;
use nebula_animation::rig::avatar::Avatar;
use nebula_animation::sample::sample_morph_weights;
use nebula_animation::{AnimationClip, Channel, Interpolation, Keyframe, sample_channel};

use super::{avatar, one};

type Key = (f32, f32);

fn channel(joint_index: u16, interpolation: Interpolation, keys: &[Key]) -> Channel<Vec3> {
    let tangents = (interpolation == Interpolation::CubicSpline).then_some((Vec3::X * 3.0, Vec3::X * 3.0));
    let key = |(time, value): &Key| Keyframe { time: *time, value: Vec3::X * *value, tangents };
    Channel { joint_index, interpolation, keyframes: keys.iter().map(key).collect() }
}

/// Weights of the three morph targets at a time, of an animation with these faces.
fn weights(faces: &[(&str, Interpolation, &[Key])], times: &[f32]) -> Vec<[f32; 3]> {
    let (asset, avatar) = avatar(&one());
    let joints = (0..).zip(faces).map(|(joint, face)| (face.0.to_owned(), joint)).collect();
    let source = Avatar { expression_joints: joints, ..Avatar::default() };
    let played = AnimationClip {
        name: "face".into(),
        duration: 2.0,
        translation_channels: (0..).zip(faces).map(|(joint, face)| channel(joint, face.1, face.2)).collect(),
        ..AnimationClip::default()
    };
    let mut clip = AnimationClip { duration: 2.0, ..AnimationClip::default() };
    assert_eq!(avatar.add_expression_tracks(&source, &played, &asset.morphs, &mut clip), faces.len());
    let sample = |time: &f32| {
        let mut weights = [0.0; 3];
        sample_morph_weights(&clip, &asset.morphs.defaults(), *time, &mut weights);
        weights
    };
    times.iter().map(sample).collect()
}

fn slot(faces: &[(&str, Interpolation, &[Key])], slot: usize, times: &[f32]) -> Vec<f32> {
    weights(faces, times).into_iter().map(|all| all[slot]).collect()
}

#[test]
fn steps_stay_steps() {
    let keys: &[Key] = &[(0.0, 0.0), (1.0, 1.0), (1.5, 0.2)];
    let found = slot(&[("wink", Interpolation::Step, keys)], 1, &[0.5, 0.999, 1.0, 1.25, 1.499, 1.5, 2.0]);
    for (found, wanted) in found.iter().zip([0.0, 0.0, 0.5, 0.5, 0.5, 0.1, 0.1]) {
        assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
    }
}

#[test]
fn curves_stay_curves() {
    let keys: &[Key] = &[(0.0, 0.1), (1.0, 0.3), (2.0, 0.2)];
    let times: Vec<f32> = (0..=100_u8).map(|step| f32::from(step) / 50.0).collect();
    let found = slot(&[("wink", Interpolation::CubicSpline, keys)], 1, &times);
    let curve = channel(0, Interpolation::CubicSpline, keys);
    let mut bent = 0.0_f32;
    for (found, time) in found.iter().zip(&times) {
        let value = sample_channel(&curve, *time).x;
        let wanted = 0.5 * value.clamp(0.0, 1.0);
        assert!((found - wanted).abs() < 2e-3, "at {time}: {found}, expected {wanted}");
        bent = bent.max((value - (0.1 + 0.2 * time)).abs());
    }
    assert!(bent > 0.2, "the curve is one: {bent}");
}

#[test]
fn what_knows_nothing_between_switches_at_a_half() {
    let keys: &[Key] = &[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)];
    let found = slot(&[("aa", Interpolation::Linear, keys)], 2, &[0.1, 0.49, 0.51, 1.0, 1.49, 1.51, 1.9]);
    assert_eq!(found, [0.0, 0.0, 0.5, 0.5, 0.5, 0.0, 0.0]);
}

/// Happy lets eyes blink by so much less, and blocks the mouth as soon as it is there.
#[test]
fn overriding_happens_when_it_happens() {
    let on: &[Key] = &[(0.0, 1.0), (2.0, 1.0)];
    let happy: &[Key] = &[(0.0, 0.0), (1.0, 0.0), (2.0, 1.0)];
    let faces: &[(&str, Interpolation, &[Key])] = &[
        ("blink", Interpolation::Linear, on),
        ("aa", Interpolation::Linear, on),
        ("happy", Interpolation::Linear, happy),
    ];
    assert_eq!(slot(faces, 2, &[0.0, 0.9, 1.0, 1.01, 1.5, 2.0]), [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]);
    for (found, wanted) in slot(faces, 1, &[0.5, 1.25, 1.5, 1.9]).iter().zip([1.0, 0.75, 0.5, 0.1]) {
        assert!((found - wanted).abs() < 2e-3, "{found}, expected {wanted}");
    }
}

/// Eyes that look 60 degrees to the left and 15 down, as joints and as expressions.
#[test]
fn eyes_look_where_the_animation_looks() {
    let (asset, joints) = avatar(&one());
    let (left, down) = (60.0_f64.to_radians(), 15.0_f64.to_radians());
    let look = glam::DQuat::from_rotation_y(left) * glam::DQuat::from_rotation_x(down);
    let key = |time: f32, value: glam::DQuat| Keyframe { time, value: value.as_quat(), tangents: None };
    let played = AnimationClip {
        duration: 1.0,
        rotation_channels: vec![Channel {
            joint_index: 7,
            interpolation: Interpolation::Linear,
            keyframes: vec![key(0.0, glam::DQuat::IDENTITY), key(1.0, look)],
        }],
        ..AnimationClip::default()
    };
    let source = Avatar { gaze_joint: Some(7), ..Avatar::default() };
    let mut clip = AnimationClip { duration: 1.0, ..AnimationClip::default() };
    assert!(joints.add_gaze_tracks(&source, &played, &asset.rig(), &mut clip));
    let gaze = joints.gaze.expect("a gaze");
    // As the file has it: 12 degrees outwards at 60, 8 inwards at 90, 10 down at 45.
    for (eye, yaw) in gaze.eyes.into_iter().zip([12.0_f64, 8.0 * 60.0 / 90.0]) {
        let eye = eye.expect("a joint");
        let channel = clip.rotation_channels.iter().find(|channel| channel.joint_index == eye).expect("it turns");
        let rest = |joint: u16| asset.rig().model_from_joint(joint).to_scale_rotation_translation().1.as_dquat();
        let turn = glam::DQuat::from_rotation_y(yaw.to_radians())
            * glam::DQuat::from_rotation_x((15.0_f64 / 45.0 * 10.0).to_radians());
        let expected = rest(gaze.head).inverse() * turn * rest(eye);
        let found = sample_channel(channel, 1.0).as_dquat();
        assert!(found.dot(expected).abs() > 1.0 - 1e-6, "eye {eye}: {found}, expected {expected}");
    }
    let mut file = one();
    file["extensions"]["VRMC_vrm"]["lookAt"]["type"] = serde_json::json!("expression");
    file["extensions"]["VRMC_vrm"]["lookAt"]["rangeMapHorizontalOuter"]["outputScale"] = serde_json::json!(0.5);
    file["extensions"]["VRMC_vrm"]["expressions"]["preset"]["lookLeft"] =
        serde_json::json!({ "morphTargetBinds": [{ "node": 11, "index": 0, "weight": 1.0 }] });
    let (asset, faces) = avatar(&file);
    let mut clip = AnimationClip { duration: 1.0, ..AnimationClip::default() };
    assert!(!faces.add_gaze_tracks(&source, &played, &asset.rig(), &mut clip), "its eyes are no joints");
    assert_eq!(faces.add_expression_tracks(&source, &played, &asset.morphs, &mut clip), 1);
    let mut weights = [0.0; 3];
    sample_morph_weights(&clip, &asset.morphs.defaults(), 1.0, &mut weights);
    assert!((weights[0] - 0.5).abs() < 1e-5, "{weights:?}");
}
