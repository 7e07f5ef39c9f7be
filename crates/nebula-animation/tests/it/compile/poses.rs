//! Local poses: at most 1e-5 from the plain path, whatever the rig, the clip and the time.

use nebula_animation::{Interpolation, JointPose, Rig, compile::CompiledClip, palette::Evaluator, sample_pose};
use proptest::prelude::*;

use super::recipes::{any_binds, any_scales, cases, clips, rigs};
use super::{assert_close, interesting_times};
use crate::characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn compiled_poses_are_those_of_the_plain_path(rig in rigs(any_binds(), any_scales()), clip in clips()) {
        check(&rig, &clip);
    }
}

fn check(rig_recipe: &RigRecipe, clip_recipe: &ClipRecipe) {
    let skeleton = rig_recipe.skeleton();
    let clip = clip_recipe.clip(skeleton.joints.len());
    let rig = Rig::new(&skeleton);
    let compiled = CompiledClip::new(&rig, &clip);
    let mut evaluator = Evaluator::new();
    let (mut fast, mut plain) = (skeleton.bind_pose(), skeleton.bind_pose());
    for time in interesting_times(&clip, clip_recipe.seed) {
        evaluator.pose(&rig, &compiled, time, &mut fast);
        sample_pose(&clip, &skeleton, time, &mut plain);
        assert_close(&fast, &plain, &format!("at {time} s"));
    }
    let worst = compiled.worst_error(&skeleton, &rig, &clip, 20);
    assert!(worst <= super::CLOSE, "the clip itself says {worst:e}");
}

fn rig_of(joints: usize, seed: u64) -> RigRecipe {
    RigRecipe { joints, shape: Shape::Tree, binds: Binds::OfRest, rest_scales: RestScales::One, extent: 0.3, seed }
}

fn clip_of(curves: Interpolation, timing: Timing, seed: u64) -> ClipRecipe {
    let curves = Curves::One(curves);
    ClipRecipe { keys: 20, curves, timing, shares: [1.0; 3], is_odd: true, extent: 0.3, seed }
}

/// Each interpolation on each kind of timeline, with every number of joints in the last block.
#[test]
fn every_path_in_every_width_agrees_with_the_plain_path() {
    for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
        for timing in [Timing::Uniform, Timing::Irregular, Timing::Own, Timing::Mixed] {
            for joints in 1..=17 {
                check(&rig_of(joints, joints as u64), &clip_of(interpolation, timing, joints as u64));
            }
        }
    }
}

/// Calls back with every joint of ten clips at times that matter, fast and plain, and with where that is.
fn compare(interpolation: Interpolation, check: impl Fn(&JointPose, &JointPose, &str)) {
    for timing in [Timing::Uniform, Timing::Irregular, Timing::Own, Timing::Mixed] {
        for seed in 0..10 {
            let skeleton = rig_of(19, seed).skeleton();
            let recipe = ClipRecipe { is_odd: false, ..clip_of(interpolation, timing, seed) };
            let clip = recipe.clip(skeleton.joints.len());
            let rig = Rig::new(&skeleton);
            let compiled = CompiledClip::new(&rig, &clip);
            let (mut fast, mut plain) = (skeleton.bind_pose(), skeleton.bind_pose());
            for time in interesting_times(&clip, seed) {
                Evaluator::new().pose(&rig, &compiled, time, &mut fast);
                sample_pose(&clip, &skeleton, time, &mut plain);
                for (joint, (fast, plain)) in fast.iter().zip(&plain).enumerate() {
                    check(fast, plain, &format!("{timing:?}, joint {joint} at {time} s"));
                }
            }
        }
    }
}

/// Steps copy keys: the very same bits, on all paths.
#[test]
fn steps_are_exact() {
    compare(Interpolation::Step, |fast, plain, place| {
        assert_eq!((fast.0, fast.2), (plain.0, plain.2), "{place}");
        // Keys may be stored with the other sign.
        assert!(fast.1 == plain.1 || fast.1 == -plain.1, "{place}: {} for {}", fast.1, plain.1);
    });
}

/// Splines are the same sums in the same order: translations and scales have the bits of the plain path, rotations those
/// of a normalisation in another precision.
#[test]
fn splines_are_exact() {
    compare(Interpolation::CubicSpline, |fast, plain, place| {
        assert_eq!((fast.0, fast.2), (plain.0, plain.2), "{place}");
        let difference = super::largest((fast.1 - plain.1).to_array());
        assert!(difference <= 2.0 * f32::EPSILON, "{place}: {difference:e}");
    });
}
