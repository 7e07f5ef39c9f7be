//! Finding the right key: timelines that are hard on a table or on a multiplication.

use glam::{Quat, Vec3};
use nebula_animation::{
    AnimationClip, Channel, Interpolation, Keyframe, Rig, Skeleton, compile::CompiledClip, palette::Evaluator,
    sample_pose,
};

use super::assert_close;
use crate::characters::{Binds, Random, RestScales, RigRecipe, Shape};

fn skeleton() -> Skeleton {
    let (shape, binds) = (Shape::Star, Binds::OfRest);
    RigRecipe { joints: 4, shape, binds, rest_scales: RestScales::One, extent: 0.3, seed: 1 }.skeleton()
}

/// Compares at every key, just before and after it, and halfway to the next, with steps (which tell keys apart to the
/// bit) and straight lines, for channels on their own and for four that share the timeline.
fn check(times: &[f32], what: &str) {
    let skeleton = skeleton();
    let rig = Rig::new(&skeleton);
    let mut evaluator = Evaluator::new();
    let (mut fast, mut plain) = (skeleton.bind_pose(), skeleton.bind_pose());
    for interpolation in [Interpolation::Step, Interpolation::Linear] {
        for joints in [1, 4] {
            let key = |(key, &time): (usize, &f32)| Keyframe { time, value: Vec3::splat(key as f32), tangents: None };
            let channel = |joint_index| Channel {
                joint_index,
                interpolation,
                keyframes: times.iter().enumerate().map(key).collect(),
            };
            let clip = AnimationClip {
                duration: times.last().copied().unwrap_or(0.0),
                translation_channels: (0..joints).map(channel).collect(),
                ..AnimationClip::default()
            };
            let compiled = CompiledClip::new(&rig, &clip);
            let beyond = [-1.0, f32::NAN, f32::INFINITY];
            let around = times.windows(2).flat_map(|pair| {
                [pair[0], pair[0].next_down(), pair[0].next_up(), pair[0] + (pair[1] - pair[0]) / 2.0, pair[1]]
            });
            for time in around.chain(beyond) {
                evaluator.pose(&rig, &compiled, time, &mut fast);
                sample_pose(&clip, &skeleton, time, &mut plain);
                assert_close(&fast, &plain, &format!("{what}, {interpolation:?}, {joints} channels, at {time} s"));
            }
        }
    }
}

#[test]
fn every_key_of_hard_timelines_is_found() {
    let numbers = |count: u16| (0..count).map(f32::from);
    check(&numbers(500).map(|key| key / 30.0).collect::<Vec<_>>(), "30 keys a second");
    check(&numbers(500).map(|key| 100.0 + key / 30.0).collect::<Vec<_>>(), "30 keys a second, late");
    check(&numbers(500).map(|key| key / 24.0 + 0.0003 * (key % 2.0)).collect::<Vec<_>>(), "almost uniform");
    check(&numbers(500).map(|key| key / 24.0 + 0.01 * (key % 2.0)).collect::<Vec<_>>(), "not quite uniform");
    check(&numbers(300).map(|key| key * key / 1000.0).collect::<Vec<_>>(), "ever slower");
    check(
        &numbers(300).map(|key| (key * 0.001).min(0.2) + (key - 200.0).max(0.0)).collect::<Vec<_>>(),
        "a crowd first",
    );
    check(
        &numbers(300).map(|key| if key < 299.0 { key * 1e-6 } else { 1e6 }).collect::<Vec<_>>(),
        "a crowd, then a day",
    );
    check(&numbers(60).map(|key| 1e-40 * key).collect::<Vec<_>>(), "no time at all");
    check(&numbers(60).map(|key| (key / 3.0).floor()).collect::<Vec<_>>(), "three keys at a time");
    check(&numbers(60).map(|key| 16_777_216.0 + (2.0 * key)).collect::<Vec<_>>(), "as fine as floats get");
    check(&[0.0, 3.0e38], "as long as floats get");
    check(&[0.0, 1.0, 1.0], "a step at the end");
    check(&[0.5, 0.5, 1.0], "a step at the start");
    check(&[0.0, 0.0, 1.0, 1.0], "steps at both ends");
    check(&[0.0, 0.0, -0.0], "zero with a sign at the end");
}

#[test]
fn every_key_of_random_timelines_is_found() {
    let mut random = Random::new(5);
    for round in 0..150 {
        let count = 2 + random.below(60);
        let power = random.below(6);
        let mut time = random.unit();
        let mut times = vec![time];
        while times.len() < count {
            let unit = random.unit();
            time += (0..power).fold(unit, |step, _| step * unit);
            times.push(if random.chance(0.1) { times[times.len() - 1] } else { time });
        }
        check(&times, &format!("round {round}"));
    }
}

/// Keys of rotations may be kept without w: also beside tracks that turn too far for that.
#[test]
fn rotations_with_times_of_their_own_are_exact_and_take_no_more_than_their_keys() {
    let (shape, binds) = (Shape::Limbs, Binds::OfRest);
    let skeleton =
        RigRecipe { joints: 40, shape, binds, rest_scales: RestScales::One, extent: 0.3, seed: 3 }.skeleton();
    let rig = Rig::new(&skeleton);
    let mut random = Random::new(9);
    // How far the joints of each eight turn.
    for farthest in [[0.3; 5], [0.3, 3.0, 0.3, 3.0, 0.3], [3.0; 5]] {
        let channel = |joint_index: u16| {
            let mut key = |key: u16| {
                let time = (f32::from(key) + 0.4 * random.unit()) / 30.0;
                let axis =
                    Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5).normalize_or(Vec3::X);
                let angle = farthest[usize::from(joint_index) / 8] * random.unit();
                Keyframe { time, value: Quat::from_axis_angle(axis, angle), tangents: None }
            };
            let keyframes = (0..50).map(&mut key).collect();
            Channel { joint_index, interpolation: Interpolation::Linear, keyframes }
        };
        let rotation_channels = (0..40).map(channel).collect();
        let clip = AnimationClip { duration: 1.7, rotation_channels, ..AnimationClip::default() };
        let compiled = CompiledClip::new(&rig, &clip);
        if farthest[0] < 1.0 {
            let report = compiled.report();
            assert!(report.bytes <= report.authored_bytes, "{} of {}", report.bytes, report.authored_bytes);
        }
        let (mut fast, mut plain) = (skeleton.bind_pose(), skeleton.bind_pose());
        for frame in 0..400_u16 {
            let time = f32::from(frame) / 230.0;
            Evaluator::new().pose(&rig, &compiled, time, &mut fast);
            sample_pose(&clip, &skeleton, time, &mut plain);
            assert_close(&fast, &plain, &format!("{farthest:?}, at {time} s"));
        }
    }
}
