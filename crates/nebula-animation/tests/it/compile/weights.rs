//! Compiled morph weights have the bits of the plain sampler.

use nebula_animation::compile::CompiledWeights;
use nebula_animation::{Channel, Interpolation, Keyframe, sample_channel};

use crate::characters::Random;

fn slots(interpolation: Interpolation) -> usize {
    if interpolation == Interpolation::CubicSpline { 3 } else { 1 }
}

/// The plain path: a channel for each target.
fn plain(interpolation: Interpolation, times: &[f32], values: &[f32], targets: usize, time: f32) -> Vec<f32> {
    let slots = slots(interpolation);
    let number = |slot: usize, target: usize| values[slot * targets + target];
    let channel = |target: usize| {
        let key = |(key, &time): (usize, &f32)| Keyframe {
            time,
            value: number(key * slots + slots / 2, target),
            tangents: (slots == 3).then(|| (number(3 * key, target), number(3 * key + 2, target))),
        };
        Channel { joint_index: 0, interpolation, keyframes: times.iter().enumerate().map(key).collect() }
    };
    (0..targets).map(|target| sample_channel(&channel(target), time)).collect()
}

#[test]
fn weights_are_those_of_the_plain_path() {
    let mut random = Random::new(11);
    for round in 0..400 {
        let interpolation = [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline][random.below(3)];
        let (keys, targets) = (1 + random.below(9), 1 + random.below(21));
        let mut times: Vec<f32> = (0..keys).map(|_| random.between(0.0, 4.0)).collect();
        times.sort_by(f32::total_cmp);
        if random.chance(0.3) {
            times = (0..keys).map(|key| key as f32 / 30.0).collect();
        }
        let values: Vec<f32> = (0..keys * slots(interpolation) * targets).map(|_| random.between(-1.0, 2.0)).collect();
        let compiled = CompiledWeights::new(interpolation, &times, values.clone(), targets);
        let mut asked: Vec<f32> = (0..20).map(|_| random.between(-0.5, 4.5)).collect();
        asked.extend(&times);
        asked.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        for time in asked {
            let mut weights = vec![9.0; targets];
            compiled.sample(time, &mut weights);
            let plain = plain(interpolation, &times, &values, targets, time);
            assert_eq!(weights, plain, "round {round}, {interpolation:?} at {time} s of {times:?}");
        }
    }
}

#[test]
fn slices_of_any_length_are_fine() {
    let compiled = CompiledWeights::new(Interpolation::Linear, &[0.0, 1.0], vec![0.0, 2.0, 1.0, 4.0], 2);
    let mut longer = [7.0; 3];
    compiled.sample(0.5, &mut longer);
    assert_eq!(longer, [0.5, 3.0, 7.0]);
    let mut shorter = [7.0];
    compiled.sample(1.0, &mut shorter);
    assert_eq!(shorter, [1.0]);
    compiled.sample(0.5, &mut []);
}

#[test]
fn values_that_are_missing_count_as_zero() {
    for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
        for times in [&[][..], &[0.0], &[0.0, 1.0]] {
            let compiled = CompiledWeights::new(interpolation, times, vec![], 3);
            let mut weights = [5.0; 3];
            compiled.sample(0.5, &mut weights);
            assert_eq!(weights, [0.0; 3]);
        }
    }
}
