//! Clips on rigs that they were not compiled for: the rest pose, as documented, and never a panic.

use glam::Vec3;
use nebula_animation::palette::ClipAt;
use nebula_animation::{
    AnimationClip, Interpolation, JointPose, Rig, Skeleton,
    compile::CompiledClip,
    palette::{Evaluator, PaletteRows},
};

use super::assert_close;
use crate::characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};

fn skeleton(joints: usize, rest_scales: RestScales, seed: u64) -> Skeleton {
    RigRecipe { joints, shape: Shape::Limbs, binds: Binds::OfRest, rest_scales, extent: 0.3, seed }.skeleton()
}

fn both_ways(skeleton: &Skeleton, shares: [f32; 3]) -> [CompiledClip; 2] {
    let (curves, timing) = (Curves::Mixed, Timing::Mixed);
    let recipe = ClipRecipe { keys: 10, curves, timing, shares, is_odd: false, extent: 0.3, seed: 2 };
    let clip = recipe.clip(skeleton.joints.len());
    let rig = Rig::new(skeleton);
    [CompiledClip::new(&rig, &clip), CompiledClip::for_palettes(&rig, &clip)]
}

/// The palette of the rest pose.
fn rest_rows(skeleton: &Skeleton) -> Vec<PaletteRows> {
    let mut rows = vec![PaletteRows::IDENTITY; skeleton.joints.len()];
    Evaluator::new().palette_rows_of_pose(&Rig::new(skeleton), &[], &mut rows);
    rows
}

fn assert_at_rest(skeleton: &Skeleton, clip: &CompiledClip, what: &str) {
    let rig = Rig::new(skeleton);
    let mut pose = skeleton.bind_pose();
    pose.iter_mut().for_each(|joint| *joint = JointPose::default());
    Evaluator::new().pose(&rig, clip, 0.2, &mut pose);
    assert_eq!(pose, skeleton.bind_pose(), "{what}");
    let mut rows = vec![PaletteRows([[f32::NAN; 4]; 3]); skeleton.joints.len()];
    Evaluator::new().palette_rows(&rig, clip, 0.2, &mut rows);
    for (rows, rest) in rows.iter().zip(rest_rows(skeleton)) {
        assert!(rows.to_matrix().abs_diff_eq(rest.to_matrix(), 1e-5), "{what}: {rows:?} instead of {rest:?}");
    }
}

#[test]
fn a_clip_of_a_rig_of_another_size_is_the_rest_pose() {
    for rest_scales in [RestScales::One, RestScales::Uneven] {
        let target = skeleton(12, rest_scales, 1);
        for joints in [1, 5, 11, 13, 40] {
            for clip in both_ways(&skeleton(joints, RestScales::One, 2), [0.5, 1.0, 0.5]) {
                assert_at_rest(&target, &clip, &format!("{joints} joints on 12"));
            }
        }
    }
}

/// As many joints, but not the same ones.
#[test]
fn a_clip_of_another_rig_of_equal_size_is_the_rest_pose() {
    let target = skeleton(12, RestScales::One, 1);
    for clip in both_ways(&skeleton(12, RestScales::One, 2), [0.5, 1.0, 0.0]) {
        assert_at_rest(&target, &clip, "12 joints on 12 others");
    }
}

/// A clip that takes the scales of the rest pose away, blended with one in bind space, which has them built in.
#[test]
fn scales_of_the_rest_pose_are_blended_away() {
    let target = skeleton(12, RestScales::Uniform, 1);
    let rig = Rig::new(&target);
    let clip = unscaled(12);
    let (unscaled, rest) = (CompiledClip::new(&rig, &clip), AnimationClip::default());
    let (still, in_bind_space) = (CompiledClip::new(&rig, &rest), CompiledClip::for_palettes(&rig, &rest));
    let (mut rows, mut expected) = (rest_rows(&target), rest_rows(&target));
    for is_first in [true, false] {
        let blend = |other, rows: &mut [PaletteRows]| {
            let (mine, other) = (ClipAt { clip: &unscaled, time: 0.0 }, ClipAt { clip: other, time: 0.0 });
            let (from, to) = if is_first { (mine, other) } else { (other, mine) };
            Evaluator::new().blended_palette_rows(&rig, from, to, 0.3, rows);
        };
        blend(&in_bind_space, &mut rows);
        blend(&still, &mut expected);
        for (rows, expected) in rows.iter().zip(&expected) {
            assert!(rows.to_matrix().abs_diff_eq(expected.to_matrix(), 1e-5), "{rows:?} instead of {expected:?}");
        }
    }
}

/// A clip in which no joint is scaled, whatever the rest pose says.
fn unscaled(joints: usize) -> AnimationClip {
    let recipe = ClipRecipe {
        keys: 1,
        curves: Curves::One(Interpolation::Linear),
        timing: Timing::Uniform,
        shares: [0.0, 1.0, 1.0],
        is_odd: false,
        extent: 0.3,
        seed: 2,
    };
    let mut clip = recipe.clip(joints);
    clip.scale_channels.iter_mut().for_each(|channel| channel.keyframes[0].value = Vec3::ONE);
    clip
}

/// A blend with a clip of another rig is a blend with the rest pose, scales included.
#[test]
fn blends_with_clips_of_other_rigs_are_blends_with_the_rest_pose() {
    let target = skeleton(12, RestScales::Uneven, 1);
    let rig = Rig::new(&target);
    let [foreign, foreign_palettes] = both_ways(&skeleton(5, RestScales::One, 2), [0.5, 1.0, 0.0]);
    let [own, own_palettes] = both_ways(&target, [0.5, 1.0, 0.0]);
    let unscaled = CompiledClip::new(&rig, &unscaled(12));
    let still = CompiledClip::new(&rig, &AnimationClip::default());
    let mut evaluator = Evaluator::new();
    for (number, mine) in [&own, &own_palettes, &unscaled].into_iter().enumerate() {
        for theirs in [&foreign, &foreign_palettes] {
            let (mut pose, mut expected) = (target.bind_pose(), target.bind_pose());
            let (mut rows, mut expected_rows) = (rest_rows(&target), rest_rows(&target));
            for is_first in [true, false] {
                let layers = |other| {
                    let (mine, other) = (ClipAt { clip: mine, time: 0.2 }, ClipAt { clip: other, time: 0.2 });
                    if is_first { (mine, other) } else { (other, mine) }
                };
                let (from, to) = layers(theirs);
                evaluator.blended_pose(&rig, from, to, 0.3, &mut pose);
                evaluator.blended_palette_rows(&rig, from, to, 0.3, &mut rows);
                let (from, to) = layers(&still);
                evaluator.blended_pose(&rig, from, to, 0.3, &mut expected);
                evaluator.blended_palette_rows(&rig, from, to, 0.3, &mut expected_rows);
                assert_close(&pose, &expected, &format!("clip {number}, first: {is_first}"));
                for (rows, expected) in rows.iter().zip(&expected_rows) {
                    assert!(
                        rows.to_matrix().abs_diff_eq(expected.to_matrix(), 1e-5),
                        "clip {number}, first: {is_first}: {rows:?} instead of {expected:?}"
                    );
                }
            }
        }
    }
}
