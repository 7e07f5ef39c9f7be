//! Clips resampled, trimmed, looped and reduced.

use glam::{Quat, Vec3};
use nebula_animation::{AnimationClip, Asset, Channel, Interpolation, Keyframe, sample_channel, sample_pose};
use nebula_import::edit::{cut, looped, reduced, resampled, trimmed};

use crate::corpus;

fn walk() -> (Asset, AnimationClip) {
    let asset = Asset::load(corpus::own("simple_humanoid.glb")).expect("our own");
    let walk = asset.animation_by_name("walk").expect("a walk");
    let clip = asset.animations[walk].to_clip();
    (asset, clip)
}

fn line(joint_index: u16, keys: &[(f32, Vec3)]) -> Channel<Vec3> {
    let key = |(time, value): &(f32, Vec3)| Keyframe { time: *time, value: *value, tangents: None };
    Channel { joint_index, interpolation: Interpolation::Linear, keyframes: keys.iter().map(key).collect() }
}

#[test]
fn resampling_keeps_what_samples_show() {
    let (asset, clip) = walk();
    let made = resampled(&clip, 30.0);
    for sample in 0..=((made.duration * 30.0).round() as usize) {
        let time = sample as f32 / 30.0;
        let (mut a, mut b) = (asset.skeleton.bind_pose(), asset.skeleton.bind_pose());
        sample_pose(&clip, &asset.skeleton, time, &mut a);
        sample_pose(&made, &asset.skeleton, time, &mut b);
        for (a, b) in a.iter().zip(&b) {
            assert!(a.0.abs_diff_eq(b.0, 1e-5) && a.1.dot(b.1).abs() > 1.0 - 1e-6, "at {time}");
        }
    }
    assert!(
        made.rotation_channels
            .iter()
            .all(|channel| channel.keyframes.len() <= 1 + (made.duration * 30.0).round() as usize)
    );
}

#[test]
fn what_stands_still_at_both_ends_is_left_out() {
    let (asset, _) = walk();
    let [up, down] = [Vec3::new(0.0, 1.5, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    let hips = asset.rig().humanoid().get(nebula_animation::HumanoidJoint::Hips).expect("hips");
    let clip = AnimationClip {
        name: "jump".into(),
        duration: 5.0,
        translation_channels: vec![line(hips, &[(0.0, down), (2.0, down), (2.5, up), (3.0, down), (5.0, down)])],
        ..AnimationClip::default()
    };
    let made = trimmed(&clip, &asset.skeleton);
    assert!((0.9..1.2).contains(&made.duration), "{}", made.duration);
    let top = made.translation_channels[0].keyframes.iter().map(|key| key.value.y).fold(f32::MIN, f32::max);
    assert_eq!(top, 1.5);
    assert_eq!(cut(&clip, 0.0, 9.0), clip);
    let still = AnimationClip { translation_channels: vec![line(hips, &[(0.0, down), (5.0, down)])], ..clip };
    assert_eq!(trimmed(&still, &asset.skeleton).duration, 0.0);
}

#[test]
fn a_loop_ends_where_it_begins_and_keeps_its_way() {
    let (asset, clip) = walk();
    let half = cut(&clip, 0.0, clip.duration * 0.4);
    let hips = asset.rig().humanoid().get(nebula_animation::HumanoidJoint::Hips).expect("hips");
    let mut half = half;
    half.translation_channels.retain(|channel| channel.joint_index != hips);
    let end = Vec3::new(0.1, 1.2, 3.0);
    half.translation_channels.push(line(hips, &[(0.0, Vec3::Y), (half.duration, end)]));
    let made = looped(&half, &asset.skeleton, &[hips]);
    for channel in &made.rotation_channels {
        let (first, last) = (sample_channel(channel, 0.0), sample_channel(channel, made.duration));
        assert!(first.dot(last).abs() > 1.0 - 1e-6, "joint {}", channel.joint_index);
    }
    let channel = made.translation_channels.iter().find(|channel| channel.joint_index == hips).expect("hips");
    let last = sample_channel(channel, made.duration);
    assert!(last.abs_diff_eq(Vec3::new(0.1, 1.0, 3.0), 1e-4), "{last}");
    // The first half is as it was.
    let time = made.duration * 0.5;
    for (a, b) in half.rotation_channels.iter().zip(&made.rotation_channels) {
        let dot: f32 = Quat::dot(sample_channel(a, time), sample_channel(b, time));
        assert!(dot.abs() > 1.0 - 1e-4, "joint {}", a.joint_index);
    }
}

#[test]
fn fewer_keys_stay_within_the_bound() {
    let (asset, clip) = walk();
    let dense = resampled(&clip, 120.0);
    let count =
        |clip: &AnimationClip| clip.rotation_channels.iter().map(|channel| channel.keyframes.len()).sum::<usize>();
    let made = reduced(&dense, &asset.skeleton, 1e-3);
    assert!(count(&made) * 2 < count(&dense), "{} of {}", count(&made), count(&dense));
    let place = |clip: &AnimationClip, time: f32| {
        let mut pose = asset.skeleton.bind_pose();
        sample_pose(clip, &asset.skeleton, time, &mut pose);
        let mut models = vec![glam::Mat4::IDENTITY; pose.len()];
        nebula_animation::palette::model_matrices(&asset.skeleton, &pose, &mut models);
        models
    };
    for sample in 0..=((clip.duration * 120.0) as usize) {
        let time = sample as f32 / 120.0;
        for (a, b) in place(&dense, time).iter().zip(place(&made, time)) {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let off = a.transform_point3(0.03 * axis).distance(b.transform_point3(0.03 * axis));
                assert!(off < 1.05e-3, "at {time}: {off} m");
            }
        }
    }
}

fn turn(joint_index: u16, keys: &[(f32, Quat)]) -> Channel<Quat> {
    let key = |(time, value): &(f32, Quat)| Keyframe { time: *time, value: *value, tangents: None };
    Channel { joint_index, interpolation: Interpolation::Linear, keyframes: keys.iter().map(key).collect() }
}

/// Neither moves a joint from its place: a nod of the last joint of a chain, and a face.
#[test]
fn nods_and_faces_are_motion() {
    let (asset, _) = walk();
    let is_leaf = |joint: &u16| !asset.skeleton.joints.iter().any(|other| other.parent == Some(*joint));
    let leaf = (0..asset.skeleton.joints.len() as u16).find(is_leaf).expect("a last joint");
    let [still, nod] = [Quat::IDENTITY, Quat::from_rotation_x(0.6)];
    let clip = AnimationClip {
        name: "nod".into(),
        duration: 5.0,
        rotation_channels: vec![turn(leaf, &[(0.0, still), (2.0, still), (2.5, nod), (3.0, still), (5.0, still)])],
        ..AnimationClip::default()
    };
    let made = trimmed(&clip, &asset.skeleton);
    assert!((0.7..1.2).contains(&made.duration), "{}", made.duration);
    let mut smile = AnimationClip::of_morph_weight("smile", 1, &[(0.0, 0.0), (2.0, 0.0), (2.5, 1.0), (3.0, 0.0)]);
    smile.duration = 5.0;
    let made = trimmed(&smile, &asset.skeleton);
    assert!((0.9..1.2).contains(&made.duration), "{}", made.duration);
    let (_, channel) = made.morph_channels().next().expect("a face");
    assert_eq!(sample_channel(channel, made.duration * 0.5).max_element(), 1.0);
}

/// Joints as exporters leave them: in centimetres below a node that scales them, with Z up below one that turns them.
fn exported() -> nebula_animation::Skeleton {
    let joint = |index: u16, parent, bind_translation, bind_rotation, scale: f32| nebula_animation::Joint {
        index,
        parent,
        inverse_bind_matrix: glam::Mat4::IDENTITY,
        name: format!("joint {index}"),
        bind_translation,
        bind_rotation,
        bind_scale: Vec3::splat(scale),
    };
    let lying = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    nebula_animation::Skeleton {
        joints: vec![
            joint(0, None, Vec3::ZERO, lying, 0.01),
            joint(1, Some(0), Vec3::Z * 90.0, Quat::IDENTITY, 1.0),
            joint(2, Some(1), Vec3::Z * 60.0, Quat::IDENTITY, 1.0),
        ],
    }
}

#[test]
fn the_ground_is_where_the_body_stands() {
    let skeleton = exported();
    let (from, to) = (Vec3::new(0.0, 0.0, 90.0), Vec3::new(10.0, -300.0, 95.0));
    let clip = AnimationClip {
        name: "walk".into(),
        duration: 1.0,
        translation_channels: vec![line(1, &[(0.0, from), (1.0, to)])],
        ..AnimationClip::default()
    };
    let made = looped(&clip, &skeleton, &[1]);
    let last = sample_channel(&made.translation_channels[0], 1.0);
    assert!(last.abs_diff_eq(Vec3::new(10.0, -300.0, 90.0), 1e-3), "{last}: Z is up there");
}

/// Below a scale of 0.01, three centimetres are three units: a turn of the last joint is seen from there.
#[test]
fn the_bound_is_in_model_space() {
    let skeleton = exported();
    let key = |step: u8| (f32::from(step) / 60.0, Quat::from_rotation_y(0.4 * (f32::from(step) * 0.2).sin()));
    let clip = AnimationClip {
        name: "nod".into(),
        duration: 2.0,
        rotation_channels: vec![turn(2, &(0..=120).map(key).collect::<Vec<_>>())],
        ..AnimationClip::default()
    };
    let made = reduced(&clip, &skeleton, 1e-3);
    let place = |clip: &AnimationClip, time: f32| {
        let mut pose = skeleton.bind_pose();
        sample_pose(clip, &skeleton, time, &mut pose);
        let mut models = vec![glam::Mat4::IDENTITY; pose.len()];
        nebula_animation::palette::model_matrices(&skeleton, &pose, &mut models);
        models[2].transform_point3(Vec3::X * 3.0)
    };
    for step in 0..=120_u8 {
        let time = f32::from(step) / 60.0;
        let off = place(&clip, time).distance(place(&made, time));
        assert!(off < 1.05e-3, "at {time}: {off} m");
    }
    assert!(made.rotation_channels[0].keyframes.len() < 100);
}
