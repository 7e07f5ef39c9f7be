//! The compiled path against the plain path, which is the specification.
//!
//! Out of scope: channels that break the rules of [`Channel`](nebula_animation::Channel) (times that fall or are not
//! numbers), for which only the absence of panics is promised, and rotations that are not of unit length, which the
//! compiled path normalises and the plain path passes on.

mod blends;
mod compressed;
mod edges;
mod file;
mod large;
mod library;
mod other_rigs;
mod palettes;
mod poses;
mod recipes;
mod reference;
mod report;
mod size;
mod timelines;
mod weights;

use glam::{Quat, Vec3};
use nebula_animation::{AnimationClip, JointPose};

use crate::characters::Random;

/// The figure that the library promises: components of rotations, and those of vectors relative to max(1, |value|).
pub const CLOSE: f32 = 1e-5;

/// The largest difference of two poses' components; rotations up to their sign. NaN counts as infinite.
pub fn difference(a: &JointPose, b: &JointPose) -> f32 {
    let relative = |a: Vec3, b: Vec3| largest((a - b).to_array()) / a.abs().max_element().max(1.0);
    let rotation = |a: Quat, b: Quat| largest((a - b).to_array()).min(largest((a + b).to_array()));
    largest([relative(a.0, b.0), rotation(a.1, b.1), relative(a.2, b.2)])
}

/// The largest absolute value; infinite where one is not a number, which `f32::max` would hide.
pub fn largest<const N: usize>(numbers: [f32; N]) -> f32 {
    numbers.into_iter().map(|number| if number.is_nan() { f32::INFINITY } else { number.abs() }).fold(0.0, f32::max)
}

/// Asserts that two poses agree, joint by joint.
pub fn assert_close(fast: &[JointPose], plain: &[JointPose], what: &str) {
    assert_eq!(fast.len(), plain.len(), "{what}");
    for (joint, (fast, plain)) in fast.iter().zip(plain).enumerate() {
        let difference = difference(plain, fast);
        assert!(difference <= CLOSE, "{what}: joint {joint} is off by {difference:e}: {fast:?} instead of {plain:?}");
        let length = fast.1.length();
        assert!((length - 1.0).abs() <= 1e-4, "{what}: the rotation of joint {joint} has length {length}");
    }
}

/// Times worth a look: some keys and what is between them, both ends and beyond, and what is no time at all.
pub fn interesting_times(clip: &AnimationClip, seed: u64) -> Vec<f32> {
    let mut keys: Vec<f32> = Vec::new();
    let vectors = clip.translation_channels.iter().chain(&clip.scale_channels);
    keys.extend(vectors.flat_map(|channel| channel.keyframes.iter().map(|key| key.time)));
    keys.extend(clip.rotation_channels.iter().flat_map(|channel| channel.keyframes.iter().map(|key| key.time)));
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let mut random = Random::new(seed);
    let mut times = vec![f32::NAN, f32::NEG_INFINITY, -1.0, -0.0, 0.0, f32::INFINITY, 1e30];
    times.extend([clip.duration, clip.duration + 1.0, clip.duration.next_down(), clip.duration.next_up()]);
    for _ in 0..6 {
        times.push(random.between(0.0, clip.duration));
        if !keys.is_empty() {
            let key = random.below(keys.len());
            let next = keys[(key + 1).min(keys.len() - 1)];
            times.extend([keys[key], keys[key].next_down(), keys[key].next_up(), (keys[key] + next) / 2.0]);
        }
    }
    times
}
