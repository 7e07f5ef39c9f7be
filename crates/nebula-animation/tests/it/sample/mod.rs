//! Poses at a time, from clips written by hand.

use glam::{Quat, Vec3};
use nebula_animation::{
    AnimationClip, Channel, Interpolation, Joint, JointPose, Keyframe, Skeleton, sample::Interpolatable,
    sample_channel, sample_pose,
};

fn key<T: Clone>(time: f32, value: T) -> Keyframe<T> {
    Keyframe { time, value, tangents: None }
}

fn channel<T: Clone>(interpolation: Interpolation, keyframes: Vec<Keyframe<T>>) -> Channel<T> {
    Channel { joint_index: 0, interpolation, keyframes }
}

/// Keys at 1, 2 and 4 s with the values 10, 20 and 0.
fn three_keys(interpolation: Interpolation) -> Channel<f32> {
    channel(interpolation, vec![key(1.0, 10.0), key(2.0, 20.0), key(4.0, 0.0)])
}

#[test]
fn linear_is_a_straight_line_and_clamps() {
    let line = three_keys(Interpolation::Linear);
    for (time, value) in
        [(-5.0, 10.0), (0.0, 10.0), (1.0, 10.0), (1.25, 12.5), (2.0, 20.0), (3.0, 10.0), (4.0, 0.0), (1e9, 0.0)]
    {
        assert_eq!(sample_channel(&line, time), value, "at {time} s");
    }
}

#[test]
fn step_keeps_the_earlier_key_until_the_next_one() {
    let steps = three_keys(Interpolation::Step);
    for (time, value) in [(0.0, 10.0), (1.0, 10.0), (1.999, 10.0), (2.0, 20.0), (3.999, 20.0), (4.0, 0.0), (9.0, 0.0)] {
        assert_eq!(sample_channel(&steps, time), value, "at {time} s");
    }
}

#[test]
fn cubic_spline_follows_its_tangents() {
    let key = |time, value, slope| Keyframe { time, value, tangents: Some((slope, slope)) };
    // The tangents of x³ from 1 to 3 s: a Hermite spline reproduces any cubic exactly.
    let cubic = channel(Interpolation::CubicSpline, vec![key(1.0, 1.0, 3.0), key(3.0, 27.0, 27.0)]);
    for time in [1.0_f32, 1.5, 2.0, 2.75, 3.0] {
        assert!((sample_channel(&cubic, time) - time.powi(3)).abs() < 1e-5, "at {time} s");
    }
    // Only the inner tangents count: the first key's out-tangent and the last key's in-tangent.
    let mut other = cubic.clone();
    other.keyframes[0].tangents = Some((99.0, 3.0));
    other.keyframes[1].tangents = Some((27.0, -99.0));
    assert_eq!(sample_channel(&other, 2.0), sample_channel(&cubic, 2.0));
}

#[test]
fn a_cubic_spline_without_tangents_is_a_line() {
    let bare = three_keys(Interpolation::CubicSpline);
    assert_eq!(sample_channel(&bare, 1.5), 15.0);
}

#[test]
fn rotations_take_the_shorter_arc_at_constant_speed() {
    let quarter = Quat::from_rotation_y(1.5);
    let there = channel(Interpolation::Linear, vec![key(0.0, Quat::IDENTITY), key(1.0, quarter)]);
    // The same rotation with the other sign must not go the long way round.
    let negated = channel(Interpolation::Linear, vec![key(0.0, Quat::IDENTITY), key(1.0, -quarter)]);
    for part in [0.1_f32, 0.25, 0.5, 0.9] {
        let expected = Quat::from_rotation_y(1.5 * part);
        assert!(sample_channel(&there, part).angle_between(expected) < 1e-3, "{part}");
        assert!(sample_channel(&negated, part).angle_between(expected) < 1e-3, "{part}, negated");
    }
}

#[test]
fn opposite_quaternions_are_one_rotation() {
    let flip = channel(Interpolation::Linear, vec![key(0.0, Quat::IDENTITY), key(1.0, -Quat::IDENTITY)]);
    for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let rotation = sample_channel(&flip, part);
        assert!((rotation.length() - 1.0).abs() < 1e-5 && rotation.w.abs() > 0.9999, "{rotation} at {part}");
    }
}

#[test]
fn cubic_rotations_have_unit_length() {
    let wild = Quat::from_xyzw(3.0, -2.0, 1.0, 0.5);
    let key = |time, value| Keyframe { time, value, tangents: Some((wild, wild)) };
    let spline =
        channel(Interpolation::CubicSpline, vec![key(0.0, Quat::IDENTITY), key(1.0, Quat::from_rotation_x(1.0))]);
    for step in 0..=20 {
        let rotation = sample_channel(&spline, step as f32 / 20.0);
        assert!((rotation.length() - 1.0).abs() < 1e-5, "{rotation} at step {step}");
    }
}

#[test]
fn a_cubic_rotation_through_zero_stays_finite() {
    let still = |time, value| Keyframe {
        time,
        value,
        tangents: Some((Quat::from_array([0.0; 4]), Quat::from_array([0.0; 4]))),
    };
    let spline = channel(Interpolation::CubicSpline, vec![still(0.0, Quat::IDENTITY), still(1.0, -Quat::IDENTITY)]);
    let middle = sample_channel(&spline, 0.5);
    assert!(middle.is_finite() && (middle.length() - 1.0).abs() < 1e-5, "{middle}");
}

#[test]
fn equal_times_step_to_the_later_key() {
    let jump =
        channel(Interpolation::Linear, vec![key(0.0, 0.0), key(1.0, 1.0), key(1.0, 5.0), key(1.0, 7.0), key(2.0, 8.0)]);
    assert_eq!(sample_channel(&jump, 0.5), 0.5);
    assert_eq!(sample_channel(&jump, 1.0), 7.0, "the last of the equal keys");
    assert_eq!(sample_channel(&jump, 1.5), 7.5);
    let all_equal = channel(Interpolation::Linear, vec![key(1.0, 3.0), key(1.0, 4.0)]);
    assert!([0.0, 1.0, 2.0].iter().all(|&time| sample_channel(&all_equal, time).is_finite()));
}

#[test]
fn a_single_key_holds_for_all_times() {
    let one = channel(Interpolation::Linear, vec![key(1.5, Vec3::X)]);
    for time in [f32::NEG_INFINITY, -1.0, 0.0, 1.5, 9.0, f32::INFINITY] {
        assert_eq!(sample_channel(&one, time), Vec3::X, "at {time} s");
    }
}

#[test]
fn no_time_counts_as_the_start() {
    for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
        assert_eq!(sample_channel(&three_keys(interpolation), f32::NAN), 10.0);
    }
}

#[test]
fn an_empty_channel_gives_the_default() {
    assert_eq!(sample_channel(&channel::<f32>(Interpolation::Linear, vec![]), 1.0), 0.0);
    assert_eq!(sample_channel(&channel::<Vec3>(Interpolation::Step, vec![]), 1.0), Vec3::ZERO);
    assert_eq!(sample_channel(&channel::<Quat>(Interpolation::CubicSpline, vec![]), f32::NAN), Quat::IDENTITY);
}

#[test]
fn interpolation_reaches_both_ends() {
    let (a, b) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(-4.0, 5.0, 1e6));
    assert_eq!((Interpolatable::lerp(&a, &b, 0.0), Interpolatable::lerp(&a, &b, 1.0)), (a, b));
    let spline = |t| Interpolatable::cubic_spline(&a, &Vec3::splat(9.0), &Vec3::splat(-9.0), &b, t, 2.0);
    assert_eq!((spline(0.0), spline(1.0)), (a, b));
}

/// Two joints, and a clip that moves, turns and scales the second one.
fn character() -> (Skeleton, AnimationClip) {
    let joint = |index: u16, parent| Joint {
        index,
        parent,
        inverse_bind_matrix: glam::Mat4::IDENTITY,
        name: format!("joint {index}"),
        bind_translation: Vec3::Y,
        bind_rotation: Quat::from_rotation_x(0.5),
        bind_scale: Vec3::splat(2.0),
    };
    let skeleton = Skeleton { joints: vec![joint(0, None), joint(1, Some(0))] };
    let of_second = |channel: Channel<Vec3>| Channel { joint_index: 1, ..channel };
    let clip = AnimationClip {
        name: "wave".into(),
        duration: 2.0,
        translation_channels: vec![of_second(channel(
            Interpolation::Linear,
            vec![key(0.0, Vec3::ZERO), key(2.0, Vec3::X)],
        ))],
        rotation_channels: vec![Channel {
            joint_index: 1,
            ..channel(Interpolation::Step, vec![key(0.0, Quat::IDENTITY)])
        }],
        scale_channels: vec![of_second(channel(Interpolation::Step, vec![key(0.0, Vec3::ONE)]))],
    };
    (skeleton, clip)
}

const ELSEWHERE: JointPose = (Vec3::MAX, Quat::IDENTITY, Vec3::NEG_ONE);

#[test]
fn a_pose_starts_from_the_bind_pose() {
    let (skeleton, clip) = character();
    // What the buffer held before, for instance another clip's pose, must not shine through.
    let mut pose = vec![ELSEWHERE; 2];
    sample_pose(&clip, &skeleton, 1.0, &mut pose);
    assert_eq!(pose[0], skeleton.joints[0].bind_pose());
    assert_eq!(pose[1], (Vec3::new(0.5, 0.0, 0.0), Quat::IDENTITY, Vec3::ONE));
    sample_pose(&AnimationClip::default(), &skeleton, 1.0, &mut pose);
    assert_eq!(pose, skeleton.bind_pose());
}

#[test]
fn channels_that_fit_no_joint_are_ignored() {
    let (skeleton, mut clip) = character();
    clip.translation_channels[0].joint_index = 2;
    clip.rotation_channels[0].joint_index = u16::MAX;
    clip.scale_channels[0].keyframes.clear();
    let mut pose = vec![ELSEWHERE; 2];
    sample_pose(&clip, &skeleton, 1.0, &mut pose);
    assert_eq!(pose, skeleton.bind_pose());
}

#[test]
fn slices_of_another_length_are_no_error() {
    let (skeleton, clip) = character();
    let mut short = [ELSEWHERE];
    sample_pose(&clip, &skeleton, 1.0, &mut short);
    assert_eq!(short[0], skeleton.joints[0].bind_pose());
    sample_pose(&clip, &skeleton, 1.0, &mut []);

    let mut long = [ELSEWHERE; 4];
    sample_pose(&clip, &skeleton, 1.0, &mut long);
    assert_eq!(long[1].2, Vec3::ONE);
    assert_eq!(long[2..], [ELSEWHERE; 2], "entries beyond the skeleton are left as they are");
}

#[test]
fn an_empty_skeleton_has_an_empty_pose() {
    let (_, clip) = character();
    sample_pose(&clip, &Skeleton::default(), f32::NAN, &mut Skeleton::default().bind_pose());
}
