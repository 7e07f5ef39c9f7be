//! Nothing, next to nothing, and what callers get wrong.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, Channel, Interpolation, Keyframe, Rig, Skeleton,
    compile::CompiledClip,
    palette::{Evaluator, PaletteRows},
    sample_pose,
};

use super::assert_close;
use crate::characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};

fn skeleton(joints: usize) -> Skeleton {
    let (shape, binds) = (Shape::Limbs, Binds::OfRest);
    RigRecipe { joints, shape, binds, rest_scales: RestScales::One, extent: 0.3, seed: 11 }.skeleton()
}

fn walk(joints: usize) -> AnimationClip {
    let (curves, timing) = (Curves::Mixed, Timing::Mixed);
    ClipRecipe { keys: 10, curves, timing, shares: [0.5, 1.0, 0.0], is_odd: false, extent: 0.3, seed: 2 }.clip(joints)
}

/// The compiled pose at some times is the plain one.
fn check(skeleton: &Skeleton, clip: &AnimationClip, times: &[f32]) {
    let rig = Rig::new(skeleton);
    let compiled = CompiledClip::new(&rig, clip);
    let (mut fast, mut plain) = (skeleton.bind_pose(), skeleton.bind_pose());
    for &time in times {
        Evaluator::new().pose(&rig, &compiled, time, &mut fast);
        sample_pose(clip, skeleton, time, &mut plain);
        assert_close(&fast, &plain, &format!("at {time} s"));
    }
}

fn channel<T: Clone>(interpolation: Interpolation, keys: &[(f32, T)]) -> Channel<T> {
    let key = |(time, value): &(f32, T)| Keyframe { time: *time, value: value.clone(), tangents: None };
    Channel { joint_index: 0, interpolation, keyframes: keys.iter().map(key).collect() }
}

#[test]
fn an_empty_skeleton_has_an_empty_pose() {
    let rig = Rig::new(Skeleton::default());
    for clip in [CompiledClip::new(&rig, &walk(5)), CompiledClip::for_palettes(&rig, &walk(5))] {
        assert_eq!(clip.report().groups, []);
        let mut evaluator = Evaluator::new();
        let mut rows = [PaletteRows([[7.0; 4]; 3])];
        evaluator.palette_rows(&rig, &clip, 0.5, &mut rows);
        evaluator.palette_rows(&rig, &clip, 0.5, &mut []);
        assert_eq!(rows, [PaletteRows([[7.0; 4]; 3])], "entries beyond the joints are left alone");
    }
}

#[test]
fn an_empty_clip_is_the_rest_pose() {
    let skeleton = skeleton(13);
    let rig = Rig::new(&skeleton);
    let clip = CompiledClip::new(&rig, &AnimationClip::default());
    let mut pose = vec![(Vec3::NAN, Quat::NAN, Vec3::NAN); 13];
    Evaluator::new().pose(&rig, &clip, 0.5, &mut pose);
    assert_eq!(pose, skeleton.bind_pose());
    // Bind space must lead back to it, but for rounding.
    let clip = CompiledClip::for_palettes(&rig, &AnimationClip::default());
    Evaluator::new().pose(&rig, &clip, 0.5, &mut pose);
    assert_close(&pose, &skeleton.bind_pose(), "for palettes");
    let mut rows = vec![PaletteRows([[f32::NAN; 4]; 3]); 13];
    Evaluator::new().palette_rows(&rig, &clip, 0.5, &mut rows);
    for rows in rows {
        assert!(rows.to_matrix().abs_diff_eq(Mat4::IDENTITY, 1e-5), "at rest, skinning moves nothing: {rows:?}");
    }
}

#[test]
fn a_clip_without_length_is_a_pose() {
    let mut clip = walk(9);
    clip.rotation_channels.iter_mut().for_each(|channel| channel.keyframes.truncate(1));
    clip.translation_channels.iter_mut().for_each(|channel| channel.keyframes.truncate(1));
    clip.duration = 0.0;
    check(&skeleton(9), &clip, &[0.0, -1.0, 0.3, f32::NAN]);
}

/// All keys of a channel at one time: the first one holds until then, the last one after it.
#[test]
fn keys_at_one_time_are_a_step() {
    for time in [0.0, 0.5] {
        for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
            let clip = AnimationClip {
                duration: time,
                translation_channels: vec![channel(interpolation, &[(time, Vec3::X), (time, Vec3::Y)])],
                ..AnimationClip::default()
            };
            check(&skeleton(1), &clip, &[-1.0, 0.0, time, time.next_up(), 1.0, f32::NAN]);
        }
    }
}

/// Splines without tangents are straight lines, as on the plain path.
#[test]
fn splines_without_tangents_are_straight() {
    let clip = AnimationClip {
        duration: 1.0,
        translation_channels: vec![channel(Interpolation::CubicSpline, &[(0.0, Vec3::ZERO), (1.0, Vec3::X)])],
        rotation_channels: vec![channel(
            Interpolation::CubicSpline,
            &[(0.0, Quat::IDENTITY), (1.0, Quat::from_xyzw(0.6, 0.0, 0.0, 0.8))],
        )],
        ..AnimationClip::default()
    };
    check(&skeleton(1), &clip, &[0.0, 0.1, 0.25, 0.5, 0.9, 1.0]);
}

/// Tangents so steep that the square of the spline is no longer a number in `f32`; alone, and in a block.
#[test]
fn steep_splines_turn_by_unit_rotations() {
    for steepness in [1e10, 1e20, 1e30] {
        for joints in [1, 4] {
            let tangents = Some((Quat::from_xyzw(steepness, 1.0, 0.0, 0.5), Quat::from_xyzw(0.5, steepness, 0.0, 0.0)));
            let key = |time, value| Keyframe { time, value, tangents };
            let turn = |joint_index| Channel {
                joint_index,
                interpolation: Interpolation::CubicSpline,
                keyframes: vec![key(0.0, Quat::IDENTITY), key(1.0, Quat::from_xyzw(0.6, 0.0, 0.0, 0.8))],
            };
            let rotation_channels = (0..joints).map(turn).collect();
            let clip = AnimationClip { duration: 1.0, rotation_channels, ..AnimationClip::default() };
            check(&skeleton(usize::from(joints)), &clip, &[0.0, 0.1, 0.5, 0.9, 1.0]);
        }
    }
}

/// Half a turn can be made two ways round: both paths take the same one, also after a key of opposite sign.
#[test]
fn half_turns_go_the_same_way_round() {
    let (still, turned) = (Quat::IDENTITY, Quat::from_xyzw(0.0, 1.0, 0.0, 0.0));
    let opposite = -Quat::from_xyzw(0.6, 0.0, 0.0, 0.8);
    let after = Quat::from_xyzw(-0.8, 0.0, 0.0, 0.6);
    for keys in [
        vec![(0.0, still), (1.0, turned), (2.0, still)],
        vec![(0.0, still), (1.0, -turned), (2.0, still)],
        vec![(0.0, still), (1.0, opposite), (2.0, after)],
        vec![(0.0, still), (1.0, opposite), (2.0, -after), (3.0, opposite)],
        vec![(0.0, still), (1.0, Quat::from_xyzw(0.0, 1.0, 0.0, -4.371_139e-8)), (2.0, still)],
    ] {
        let clip = AnimationClip {
            duration: 3.0,
            rotation_channels: vec![channel(Interpolation::Linear, &keys)],
            ..AnimationClip::default()
        };
        check(&skeleton(1), &clip, &[0.25, 0.5, 0.75, 1.25, 1.5, 1.75, 2.5]);
    }
}

#[test]
fn rotations_that_are_not_of_unit_length_are_normalised() {
    let quarter = Quat::from_xyzw(0.0, 3.0, 0.0, 3.0);
    let clip = AnimationClip {
        duration: 1.0,
        rotation_channels: vec![channel(Interpolation::Linear, &[(0.0, quarter), (1.0, quarter * 1e-20)])],
        ..AnimationClip::default()
    };
    let rig = Rig::new(skeleton(1));
    let mut pose = skeleton(1).bind_pose();
    for time in [0.0, 0.5, 1.0] {
        Evaluator::new().pose(&rig, &CompiledClip::new(&rig, &clip), time, &mut pose);
        let half = 0.5_f32.sqrt();
        assert!(pose[0].1.abs_diff_eq(Quat::from_xyzw(0.0, half, 0.0, half), 1e-6), "{} at {time} s", pose[0].1);
    }
}

/// A shorter slice gets the first joints, a longer one keeps what is beyond.
#[test]
fn slices_of_any_length_are_fine() {
    let skeleton = skeleton(21);
    let rig = Rig::new(&skeleton);
    for clip in [CompiledClip::new(&rig, &walk(21)), CompiledClip::for_palettes(&rig, &walk(21))] {
        let mut evaluator = Evaluator::new();
        let mut whole = (skeleton.bind_pose(), vec![Mat4::NAN; 21], vec![PaletteRows::IDENTITY; 21]);
        evaluator.pose_and_palette(&rig, &clip, 0.2, &mut whole.0, &mut whole.1);
        evaluator.palette_rows(&rig, &clip, 0.2, &mut whole.2);
        for length in [0, 1, 7, 8, 20, 21, 25] {
            let untouched = (Vec3::splat(9.0), Quat::from_xyzw(9.0, 9.0, 9.0, 9.0), Vec3::splat(9.0));
            let mut pose = vec![untouched; length];
            let mut matrices = vec![Mat4::ZERO; length];
            let mut rows = vec![PaletteRows([[9.0; 4]; 3]); length];
            evaluator.pose(&rig, &clip, 0.2, &mut pose);
            evaluator.palette_rows(&rig, &clip, 0.2, &mut rows);
            let mut half_pose = vec![untouched; length / 2];
            evaluator.pose_and_palette(&rig, &clip, 0.2, &mut half_pose, &mut matrices);
            let shared = length.min(21);
            assert_eq!(pose[..shared], whole.0[..shared]);
            assert_eq!(matrices[..shared], whole.1[..shared]);
            assert_eq!(rows[..shared], whole.2[..shared]);
            assert_eq!(half_pose, whole.0[..length / 2]);
            assert!(pose[shared..].iter().all(|entry| *entry == untouched));
            assert!(rows[shared..].iter().all(|entry| *entry == PaletteRows([[9.0; 4]; 3])));
        }
    }
}
