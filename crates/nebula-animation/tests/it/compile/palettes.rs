//! Skinning matrices: rows and matrices, of clips compiled for poses and for palettes.

use glam::Mat4;
use nebula_animation::{
    JointPose, Rig, Skeleton,
    compile::CompiledClip,
    palette::{Evaluator, PaletteRows, model_matrices, skinning_matrices},
    sample_pose,
};
use proptest::prelude::*;

use super::recipes::{any_binds, any_scales, cases, clips, rigs};
use super::{difference, interesting_times, reference};
use crate::characters::{Binds, RestScales};

proptest! {
    #![proptest_config(cases(300))]

    /// Any rig: within what rounding explains (see `reference`).
    #[test]
    fn palettes_of_any_rig_are_as_close_as_rounding_allows(
        rig_recipe in rigs(any_binds(), any_scales()),
        clip_recipe in clips(),
    ) {
        let skeleton = rig_recipe.skeleton();
        let clip = clip_recipe.clip(skeleton.joints.len());
        let rig = Rig::new(&skeleton);
        for (way, compiled) in both_ways(&rig, &clip) {
            for time in interesting_times(&clip, clip_recipe.seed) {
                let plain = reference::pose(&clip, &skeleton, time);
                let rows = rows_and_matrices(&rig, &compiled, time);
                for (joint, (rows, expected)) in rows.iter().zip(reference::palette(&skeleton, &plain)).enumerate() {
                    let (linear, translation) = reference::differences(rows, &expected.palette);
                    prop_assert!(
                        linear <= expected.linear_tolerance && translation <= expected.translation_tolerance,
                        "{way}, joint {joint} at {time} s: off by {linear:e} and {translation:e}, allowed are {:e} and {:e}",
                        expected.linear_tolerance,
                        expected.translation_tolerance,
                    );
                }
            }
        }
    }

    /// Rigid rigs: within 1e-5, translations relative to the size of the character. Each level adds a unit or two in the
    /// last place, so that hierarchies of more than 48 levels, which no character has, are allowed more in proportion.
    #[test]
    fn palettes_of_rigid_rigs_are_close(
        rig_recipe in rigs(prop_oneof![Just(Binds::OfRest), Just(Binds::Rigid)], Just(RestScales::One)),
        clip_recipe in clips(),
    ) {
        prop_assert!(rig_recipe.is_rigid());
        let skeleton = rig_recipe.skeleton();
        let mut clip = clip_recipe.clip(skeleton.joints.len());
        clip.scale_channels.clear();
        let rig = Rig::new(&skeleton);
        for (way, compiled) in both_ways(&rig, &clip) {
            for time in interesting_times(&clip, clip_recipe.seed) {
                let plain = reference::pose(&clip, &skeleton, time);
                let expected = reference::palette(&skeleton, &plain);
                let size = reference::size(&skeleton, &expected);
                let rows = rows_and_matrices(&rig, &compiled, time);
                for (joint, (rows, expected)) in rows.iter().zip(&expected).enumerate() {
                    let (linear, translation) = reference::differences(rows, &expected.palette);
                    let tolerance = 1e-5 * (expected.depth as f64 / 48.0).max(1.0);
                    prop_assert!(
                        linear <= tolerance && translation <= tolerance * size,
                        "{way}, joint {joint} at {time} s: off by {linear:e} and {translation:e} of {size}",
                    );
                }
            }
        }
    }

    /// Local poses of clips that were compiled for palettes take a detour through bind space: they are as close, relative
    /// to the size of the character.
    #[test]
    fn poses_of_clips_for_palettes_are_close(
        rig_recipe in rigs(any_binds(), any_scales()),
        clip_recipe in clips(),
    ) {
        let skeleton = rig_recipe.skeleton();
        let clip = clip_recipe.clip(skeleton.joints.len());
        let rig = Rig::new(&skeleton);
        let compiled = CompiledClip::for_palettes(&rig, &clip);
        let binds = skeleton.joints.iter().map(|joint| joint.inverse_bind_matrix.w_axis.truncate().length());
        let size = binds.fold(1.0, f32::max);
        let (mut fast, mut plain) = (skeleton.bind_pose(), skeleton.bind_pose());
        for time in interesting_times(&clip, clip_recipe.seed) {
            Evaluator::new().pose(&rig, &compiled, time, &mut fast);
            sample_pose(&clip, &skeleton, time, &mut plain);
            for (joint, (fast, plain)) in fast.iter().zip(&plain).enumerate() {
                let turned = difference(&(plain.0, fast.1, fast.2), plain);
                let moved = difference(&(fast.0, plain.1, plain.2), plain);
                prop_assert!(turned <= 1e-5, "joint {joint} at {time} s is turned or scaled by {turned:e}");
                prop_assert!(moved <= 1e-5 * size, "joint {joint} at {time} s is moved by {moved:e} of {size}");
                prop_assert!((fast.1.length() - 1.0).abs() <= 1e-4);
            }
        }
    }
}

fn both_ways(rig: &Rig, clip: &nebula_animation::AnimationClip) -> [(&'static str, CompiledClip); 2] {
    [("compiled for poses", CompiledClip::new(rig, clip)), ("for palettes", CompiledClip::for_palettes(rig, clip))]
}

/// The palette as rows; asserts that the other outputs have the same bits.
fn rows_and_matrices(rig: &Rig, clip: &CompiledClip, time: f32) -> Vec<PaletteRows> {
    let mut evaluator = Evaluator::new();
    let mut rows = vec![PaletteRows([[f32::NAN; 4]; 3]); rig.joint_count()];
    evaluator.palette_rows(rig, clip, time, &mut rows);
    let mut matrices = vec![Mat4::NAN; rig.joint_count()];
    evaluator.palette(rig, clip, time, &mut matrices);
    for (rows, matrix) in rows.iter().zip(&matrices) {
        assert_eq!(rows.to_matrix(), *matrix, "rows and matrices differ at {time} s");
    }
    rows
}

/// Palettes of poses that come from anywhere, not from a clip.
#[test]
fn palettes_of_poses_are_those_of_the_plain_path() {
    let mut runner = proptest::test_runner::TestRunner::new(cases(60));
    let check = |rig_recipe: crate::characters::RigRecipe| {
        let skeleton = rig_recipe.skeleton();
        let rig = Rig::new(&skeleton);
        let pose = skeleton.bind_pose();
        let mut matrices = vec![Mat4::NAN; pose.len()];
        let mut rows = vec![PaletteRows([[f32::NAN; 4]; 3]); pose.len()];
        // The evaluator has seen another rig before.
        let mut evaluator = Evaluator::new();
        evaluator.palette_of_pose(&Rig::new(&Skeleton { joints: skeleton.joints[..1].to_vec() }), &[], &mut matrices);
        evaluator.palette_of_pose(&rig, &pose, &mut matrices);
        // Joints that the pose lacks are at rest, which is what all of them are here.
        evaluator.palette_rows_of_pose(&rig, &pose[..pose.len() / 2], &mut rows);
        for (joint, expected) in reference::palette(&skeleton, &pose).iter().enumerate() {
            assert_eq!(rows[joint].to_matrix(), matrices[joint]);
            let (linear, translation) = reference::differences(&rows[joint], &expected.palette);
            prop_assert!(linear <= expected.linear_tolerance, "joint {joint}: {linear:e}");
            prop_assert!(translation <= expected.translation_tolerance, "joint {joint}: {translation:e}");
        }
        Ok(())
    };
    if let Err(failure) = runner.run(&rigs(any_binds(), any_scales()), check) {
        panic!("{failure}");
    }
}

/// The reference of this file and the plain path of the library agree: neither is the measure of itself.
#[test]
fn the_reference_is_that_of_the_plain_path() {
    let recipe = crate::characters::RigRecipe {
        joints: 40,
        shape: crate::characters::Shape::Limbs,
        binds: Binds::Sheared,
        rest_scales: RestScales::Uneven,
        extent: 0.3,
        seed: 7,
    };
    let skeleton = recipe.skeleton();
    let pose: Vec<JointPose> = skeleton.bind_pose();
    let mut matrices = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(&skeleton, &pose, &mut matrices);
    skinning_matrices(&skeleton, &mut matrices);
    for (matrix, expected) in matrices.iter().zip(reference::palette(&skeleton, &pose)) {
        let (linear, translation) = reference::differences(&PaletteRows::from_matrix(matrix), &expected.palette);
        assert!(linear < 1e-5 && translation < 1e-5, "{linear:e} and {translation:e}");
        assert!(expected.linear_tolerance < 1e-2 && expected.translation_tolerance < 1e-2, "the tolerance is one");
    }
}

/// Symptom: a palette of a loaded file was infinite, for clips compiled for palettes only. Cause: where a skin binds a joint at a
/// hundred-millionth of its size, its child's translation is a hundred million times larger in bind space, beyond `f32`.
#[test]
fn numbers_that_only_bind_space_cannot_hold_stay_out_of_it() {
    let tiny = Mat4::from_scale(glam::Vec3::splat(1e-8));
    let mut skeleton = crate::player::rig::chain(2);
    skeleton.joints.iter_mut().for_each(|joint| joint.inverse_bind_matrix = tiny);
    let mut clip = crate::player::rig::slide(1, 1.0);
    for is_at_rest in [true, false] {
        let far = glam::Vec3::splat(1e31);
        if is_at_rest {
            skeleton.joints[1].bind_translation = far;
        } else {
            skeleton.joints[1].bind_translation = glam::Vec3::Y;
            clip.translation_channels[0].keyframes[1].value = far;
        }
        let rig = Rig::new(&skeleton);
        let compiled = CompiledClip::for_palettes(&rig, &clip);
        for time in [0.0, 0.5, 1.0] {
            let mut rows = [PaletteRows::IDENTITY; 2];
            Evaluator::new().palette_rows(&rig, &compiled, time, &mut rows);
            assert!(rows.iter().all(|rows| rows.to_matrix().is_finite()), "{rows:?} at {time} s");
        }
    }
}
