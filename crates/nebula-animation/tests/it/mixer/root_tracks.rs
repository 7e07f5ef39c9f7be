use std::collections::HashMap;

use glam::{DMat4, DVec3, Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, Channel, Clock, Interpolation, Keyframe, Skeleton,
    compile::{RootDelta, RootMotionOptions, RootTrack, extract_root_motion},
    palette::model_matrices,
    sample_pose,
};

use crate::characters::Random;
use crate::support::humanoid::humanoid;

fn matrix(delta: RootDelta) -> DMat4 {
    DMat4::from_translation(delta.translation) * DMat4::from_rotation_y(delta.yaw)
}

fn models(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(skeleton, &pose, &mut models);
    models
}

/// The humanoid's clips with a root that moves, and a winding way made of splines.
fn travelling() -> (Skeleton, Vec<AnimationClip>) {
    let (skeleton, clips) = humanoid();
    let mut clips: Vec<AnimationClip> = clips.into_iter().filter(|clip| clip.name.ends_with("root_motion")).collect();
    assert_eq!(clips.len(), 5);
    let key = |time: f32, value: Vec3, slope: Vec3| Keyframe { time, value, tangents: Some((slope, slope)) };
    let turn = |time: f32, angle: f32| Keyframe { time, value: Quat::from_rotation_y(angle), tangents: None };
    clips.push(AnimationClip {
        name: "winding".into(),
        duration: 3.0,
        translation_channels: vec![Channel {
            joint_index: 0,
            interpolation: Interpolation::CubicSpline,
            keyframes: vec![
                key(0.0, Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0)),
                key(1.3, Vec3::new(0.4, 0.1, 1.0), Vec3::new(1.0, 0.0, -1.0)),
                key(3.0, Vec3::new(-0.2, 0.0, 0.7), Vec3::new(0.0, 0.2, 1.0)),
            ],
        }],
        rotation_channels: vec![Channel {
            joint_index: 0,
            interpolation: Interpolation::Linear,
            keyframes: vec![turn(0.0, 0.0), turn(1.0, 1.9), turn(2.0, 4.2), turn(3.0, 5.1)],
        }],
        scale_channels: vec![],
    });
    (skeleton, clips)
}

/// The motion of one pass as the clip itself has it, with the turn about Y.
fn own_motion(skeleton: &Skeleton, clip: &AnimationClip) -> DMat4 {
    let [start, end] = [0.0, clip.duration].map(|time| models(skeleton, clip, time)[0].as_dmat4());
    start.inverse() * end
}

#[test]
fn a_thousand_loops_at_random_steps_are_a_thousand_times_the_clip() {
    let (skeleton, clips) = travelling();
    let mut random = Random::new(7);
    let options = RootMotionOptions { y: true, ..RootMotionOptions::default() };
    for clip in &clips {
        let (_, track) = extract_root_motion(clip, &skeleton, &options);
        let duration = f64::from(clip.duration);
        let clock = Clock::looping(duration);
        let (mut at, end) = (0.0, 1000.0 * duration);
        let mut sum = RootDelta::ZERO;
        let mut steps = 0;
        while at < end {
            // Mostly frames, now and then a hitch of several loops.
            let step = if random.chance(0.01) { random.between(0.0, 9.0) } else { random.between(0.0, 0.2) };
            let next = (at + f64::from(step)).min(end);
            sum = sum.then(track.motion(&clock, at, next));
            at = next;
            steps += 1;
        }
        let own = own_motion(&skeleton, clip);
        let expected = (0..1000).fold(DMat4::IDENTITY, |way, _| way * own);
        let error = (matrix(sum).w_axis - expected.w_axis).length();
        println!("{}: {steps} steps, off by {error:.1e} m after 1,000 loops", clip.name);
        assert!(error < 1e-4, "{}: {error}", clip.name);
        let whole = track.motion(&clock, 0.0, duration).repeated(1000);
        assert!(matrix(sum).abs_diff_eq(matrix(whole), 1e-8), "{}", clip.name);
    }
}

#[test]
fn the_distance_of_a_walk_is_what_its_file_says() {
    let (skeleton, clips) = travelling();
    for (name, distance, turn) in
        [("walk", 1.4, 0.0), ("run", 1.7, 0.0), ("jump", 1.0, 0.0), ("turn_left", 0.0, std::f64::consts::FRAC_PI_2)]
    {
        let clip = clips.iter().find(|clip| clip.name == format!("{name}_root_motion")).expect("a clip");
        let (_, track) = extract_root_motion(clip, &skeleton, &RootMotionOptions::default());
        let pass = track.between(0.0, clip.duration.into());
        assert!((pass.translation - DVec3::Z * distance).length() < 1e-5, "{name}: {pass:?}");
        assert!((pass.yaw - turn).abs() < 1e-5, "{name}: {pass:?}");
    }
}

#[test]
fn the_way_and_the_clip_on_the_spot_are_the_clip() {
    let (skeleton, clips) = travelling();
    let hips = skeleton.joint_by_name("Hips").expect("hips");
    let both = [false, true];
    for clip in &clips {
        for (y, yaw, joint) in both.iter().flat_map(|y| both.iter().flat_map(|yaw| [(*y, *yaw, 0), (*y, *yaw, hips)])) {
            let options = RootMotionOptions { y, yaw, ..RootMotionOptions::of_joint(joint) };
            let (on_the_spot, track) = extract_root_motion(clip, &skeleton, &options);
            let rest = models(&skeleton, &AnimationClip::default(), 0.0)[usize::from(joint)].w_axis;
            for step in 0..=977_u16 {
                let time = clip.duration * f32::from(step) / 977.0;
                let place = matrix(track.place(time.into())).as_mat4();
                let (whole, left) = (models(&skeleton, clip, time), models(&skeleton, &on_the_spot, time));
                // What hangs on the joint goes with it.
                for index in usize::from(joint)..whole.len() {
                    let made = place * left[index];
                    assert!(made.abs_diff_eq(whole[index], 1e-4), "{} at {time}, {options:?}", clip.name);
                }
                let stays = left[usize::from(joint)].w_axis - rest;
                assert!(stays.x.abs().max(stays.z.abs()) < 1e-4, "{} at {time}: {stays}", clip.name);
                assert!(!y || stays.y.abs() < 1e-4);
            }
        }
    }
}

#[test]
fn there_and_back_is_nowhere_and_steps_do_not_matter() {
    let (skeleton, clips) = travelling();
    let mut random = Random::new(21);
    for clip in &clips {
        let (_, track) = extract_root_motion(clip, &skeleton, &RootMotionOptions::default());
        let duration = f64::from(clip.duration);
        let clocks = [
            Clock::looping(duration),
            Clock::once(duration),
            Clock { speed: -1.7, ..Clock::looping(duration) },
            Clock { reverse: true, ..Clock::looping(duration) },
            Clock { reverse: true, repetitions: 5, end: Some(duration), ..Clock::default() },
            Clock {
                start: 0.2,
                offset: 0.3,
                end: Some(duration * 0.8),
                speed: 0.6,
                repetitions: 7,
                ..Clock::default()
            },
            Clock::looping(duration).with_hold(0.4),
            Clock { speed: -2.0, repetitions: 3, end: Some(duration), ..Clock::default() },
            Clock { speed: 0.0, ..Clock::looping(duration) },
            Clock::default(),
        ];
        for clock in clocks {
            let mut at = 0.0;
            let mut sum = RootDelta::ZERO;
            for _ in 0..300 {
                let next = at + f64::from(random.between(-1.0, 1.2));
                sum = sum.then(track.motion(&clock, at, next));
                at = next;
            }
            let direct = track.motion(&clock, 0.0, at);
            assert!(matrix(sum).abs_diff_eq(matrix(direct), 1e-9), "{} by {clock:?}", clip.name);
            let back = sum.then(track.motion(&clock, at, 0.0));
            assert!(matrix(back).abs_diff_eq(DMat4::IDENTITY, 1e-9), "{} by {clock:?}", clip.name);
        }
    }
}

/// A clock that walks through the clip in tiny steps, each of which is within one pass or over one seam.
#[test]
fn motions_agree_with_a_walk_in_tiny_steps() {
    let (skeleton, clips) = travelling();
    let clip = clips.iter().find(|clip| clip.name == "winding").expect("the spline");
    let (_, track) = extract_root_motion(clip, &skeleton, &RootMotionOptions::default());
    let clock = Clock { speed: -1.0, start: 0.5, end: Some(2.5), ..Clock::default() };
    let mut expected = DMat4::IDENTITY;
    let place = |time: f64| matrix(track.place(time));
    let mut time = 2.5;
    for _ in 0..7000 {
        let next = time - 0.001;
        if next < 0.5 {
            expected = expected * place(time).inverse() * place(0.5) * place(2.5).inverse() * place(next + 2.0);
            time = next + 2.0;
        } else {
            expected = expected * place(time).inverse() * place(next);
            time = next;
        }
    }
    let clock = Clock { offset: 2.0, ..clock };
    assert!(matrix(track.motion(&clock, 0.0, 7.0)).abs_diff_eq(expected, 1e-6));
}

#[test]
fn a_root_below_a_scaled_and_turned_armature_moves_in_metres() {
    // What many exporters write: centimetres, Z up, put right by the node above.
    let (mut skeleton, mut clips) = travelling();
    let upright = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    for joint in &mut skeleton.joints {
        joint.index += 1;
        joint.parent = Some(joint.parent.map_or(0, |parent| parent + 1));
        joint.bind_translation *= 100.0;
    }
    let mut armature = skeleton.joints[0].clone();
    (armature.index, armature.parent, armature.name) = (0, None, "Armature".into());
    (armature.bind_rotation, armature.bind_scale) = (upright, Vec3::splat(0.01));
    skeleton.joints[0].bind_rotation = upright.inverse() * skeleton.joints[0].bind_rotation;
    skeleton.joints.insert(0, armature);
    let walk = &mut clips[0];
    for channel in &mut walk.translation_channels {
        channel.joint_index += 1;
        let is_root = channel.joint_index == 1;
        for key in &mut channel.keyframes {
            key.value = if is_root { upright.inverse() * key.value * 100.0 } else { key.value * 100.0 };
        }
    }
    walk.rotation_channels.clear();
    let (on_the_spot, track) = extract_root_motion(walk, &skeleton, &RootMotionOptions::of_joint(1));
    let pass = track.between(0.0, walk.duration.into());
    assert!((pass.translation - DVec3::Z * 1.4).length() < 1e-4, "{pass:?}");
    let root = models(&skeleton, &on_the_spot, 1.3)[1].w_axis.truncate();
    assert!(root.length() < 1e-4, "{root}");
}

#[test]
fn clips_without_a_moving_root_stay_as_they_are() {
    let (skeleton, clips) = humanoid();
    let by_name: HashMap<&str, &AnimationClip> = clips.iter().map(|clip| (&*clip.name, clip)).collect();
    let (same, track) = extract_root_motion(by_name["wave"], &skeleton, &RootMotionOptions::default());
    assert_eq!(&same, by_name["wave"]);
    assert!(track.is_still());
    let (same, track) = extract_root_motion(by_name["walk"], &skeleton, &RootMotionOptions::of_joint(999));
    assert_eq!(&same, by_name["walk"]);
    assert_eq!(track.motion(&Clock::looping(1.0), 0.0, 5.0), RootDelta::ZERO);
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let step = |z: f64| RootDelta { translation: DVec3::Z * z, yaw: 0.0 };
    let keys = [(0.0, step(0.0)), (f64::NAN, step(1.0)), (0.5, step(f64::NAN)), (1.0, step(2.0)), (0.7, step(9.0))];
    let track = RootTrack::from_keys(keys);
    assert_eq!(track.place(0.5), step(1.0));
    for (from, to) in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (f64::NEG_INFINITY, f64::NAN), (-1e300, 1e300)] {
        for clock in [Clock::looping(1.0), Clock::looping(0.0), Clock::looping(f64::NAN), Clock::once(1.0)] {
            let motion = track.motion(&clock, from, to);
            assert!(motion.translation.is_finite() && motion.yaw.is_finite(), "{clock:?}: {motion:?}");
        }
    }
    let (skeleton, clips) = travelling();
    let mut broken = clips[3].clone();
    broken.duration = f32::NAN;
    broken.translation_channels[0].keyframes[3].value.x = f32::NAN;
    broken.rotation_channels[0].keyframes[5].value = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (_, track) = extract_root_motion(&broken, &skeleton, &RootMotionOptions::default());
    assert!(track.between(0.0, 1.0).translation.is_finite());
}
