//! Blends of two clips against a plain blend of their plain poses.

use nebula_animation::palette::ClipAt;
use nebula_animation::{
    JointPose, Rig, Skeleton,
    compile::CompiledClip,
    palette::{Evaluator, PaletteRows},
};
use proptest::prelude::*;

use super::recipes::{any_binds, any_scales, cases, clips, rigs};
use super::{CLOSE, difference, reference};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn blends_are_those_of_the_plain_path(
        rig_recipe in rigs(any_binds(), any_scales()),
        recipes in (clips(), clips()),
        weight in prop_oneof![0.0..=1.0_f32, Just(0.0), Just(1.0), Just(-3.0), Just(2.0), Just(f32::NAN)],
        // Whether each of the two was compiled for palettes.
        ways in any::<(bool, bool)>(),
        times in (0.0..4.0_f32, 0.0..4.0_f32),
    ) {
        let skeleton = rig_recipe.skeleton();
        let joints = skeleton.joints.len();
        let rig = Rig::new(&skeleton);
        let clips = [recipes.0.clip(joints), recipes.1.clip(joints)];
        let compile = |clip, for_palettes| {
            if for_palettes { CompiledClip::for_palettes(&rig, clip) } else { CompiledClip::new(&rig, clip) }
        };
        let compiled = [compile(&clips[0], ways.0), compile(&clips[1], ways.1)];
        let from = ClipAt { clip: &compiled[0], time: times.0 };
        let to = ClipAt { clip: &compiled[1], time: times.1 };
        let poses =
            [reference::pose(&clips[0], &skeleton, times.0), reference::pose(&clips[1], &skeleton, times.1)];
        let plain = blended(&poses[0], &poses[1], weight);
        let is_ambiguous = ambiguous(&skeleton, &poses[0], &poses[1]);

        let mut evaluator = Evaluator::new();
        let mut fast = skeleton.bind_pose();
        evaluator.blended_pose(&rig, from, to, weight, &mut fast);
        let binds = skeleton.joints.iter().map(|joint| joint.inverse_bind_matrix.w_axis.truncate().length());
        // Clips for palettes leave bind space again; see `palettes`.
        let size = if ways == (false, false) { 1.0 } else { binds.fold(1.0, f32::max) };
        for (joint, (fast, plain)) in fast.iter().zip(&plain).enumerate() {
            if !is_ambiguous[joint] {
                let moved = difference(&(fast.0, plain.1, plain.2), plain);
                let turned = difference(&(plain.0, fast.1, fast.2), plain);
                prop_assert!(moved <= CLOSE * size, "joint {joint} is moved by {moved:e}");
                prop_assert!(turned <= CLOSE, "joint {joint} is turned or scaled by {turned:e}");
            }
            prop_assert!((fast.1.length() - 1.0).abs() <= 1e-4, "joint {joint} has length {}", fast.1.length());
        }

        let mut rows = vec![PaletteRows([[f32::NAN; 4]; 3]); joints];
        evaluator.blended_palette_rows(&rig, from, to, weight, &mut rows);
        for (joint, (rows, expected)) in rows.iter().zip(reference::palette(&skeleton, &plain)).enumerate() {
            let (linear, translation) = reference::differences(rows, &expected.palette);
            prop_assert!(
                is_ambiguous[joint]
                    || (linear <= expected.linear_tolerance && translation <= expected.translation_tolerance),
                "joint {joint}: off by {linear:e} and {translation:e}, allowed are {:e} and {:e}",
                expected.linear_tolerance,
                expected.translation_tolerance,
            );
        }
    }
}

/// The documented blend: straight lines and shorter arcs, the weight clamped, one that is not a number counts as 0.
fn blended(from: &[JointPose], to: &[JointPose], weight: f32) -> Vec<JointPose> {
    let weight = if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) };
    let mixed = |(a, b): (&JointPose, &JointPose)| {
        let to = if a.1.dot(b.1) < 0.0 { -b.1 } else { b.1 };
        let rotation = reference::arc(a.1.as_dquat(), to.as_dquat(), f64::from(weight)).as_quat();
        (a.0.lerp(b.0, weight), rotation, a.2.lerp(b.2, weight))
    };
    from.iter().zip(to).map(mixed).collect()
}

/// Joints of which it is a matter of rounding which way round is the shorter one, and all that hangs on them.
fn ambiguous(skeleton: &Skeleton, from: &[JointPose], to: &[JointPose]) -> Vec<bool> {
    let mut ambiguous: Vec<bool> = Vec::new();
    for (joint, (a, b)) in skeleton.joints.iter().zip(from.iter().zip(to)) {
        let is_parent = joint.parent.is_some_and(|parent| ambiguous[usize::from(parent)]);
        ambiguous.push(is_parent || a.1.dot(b.1).abs() < 1e-5);
    }
    ambiguous
}
