//! Checks that finite numbers stay finite when poses multiply and add them.

use glam::Vec3;

use super::animation::{Amounts, Animation, Property};
use super::error::AnimationLoadError;
use super::report::Report;
use crate::clip::Interpolation;
use crate::skeleton::Skeleton;

/// What a number may grow to; the bounds below leave rounding out.
const SAFE: f64 = f32::MAX as f64 / 2.0;
/// How much rounding can lengthen a vector that a unit quaternion rotates.
const ROUNDED: f64 = 1.0 + 1e-4;
/// Joints that are looked at most to find out about suspicious numbers.
const MOST_WORK: usize = 20_000_000;

/// Refuses a file whose poses overflow.
pub(super) fn check(
    skeleton: &Skeleton,
    animations: &[Animation],
    amounts: &[Amounts],
    report: &Report,
) -> Result<(), AnimationLoadError> {
    for (index, (animation, amounts)) in animations.iter().zip(amounts).enumerate() {
        for (track, &amount) in animation.morph_tracks.iter().zip(&amounts.morph_tracks) {
            if largest(amount, track.interpolation, animation.duration) > SAFE {
                let problem = "the morph weights are too large to stay finite between keys";
                return Err(report.malformed(format!("animation {index}"), problem));
            }
        }
    }
    // Almost every file passes at once.
    if is_safe(skeleton, animations, amounts) {
        return Ok(());
    }
    let problem = "translations or scales are so large that a pose overflows";
    if !is_safe(skeleton, &[], &[]) {
        return Err(report.malformed("bind pose", problem));
    }
    if skeleton.joints.len().saturating_mul(animations.len()) > MOST_WORK {
        return Err(report.malformed("file", problem));
    }
    for (index, (animation, amounts)) in animations.iter().zip(amounts).enumerate() {
        if !is_safe(skeleton, std::slice::from_ref(animation), std::slice::from_ref(amounts)) {
            return Err(report.malformed(format!("animation {index}"), problem));
        }
    }
    Ok(())
}

/// Whether no pose of these animations overflows, at any time, each joint moved by any of them: by bounds of all matrices, since
/// looks at some poses would miss what happens between them.
///
/// Rotations keep lengths, so a product of matrices stretches a vector at most by the product of their largest scales,
/// and no number in it, nor any intermediate sum, exceeds that.
fn is_safe(skeleton: &Skeleton, animations: &[Animation], amounts: &[Amounts]) -> bool {
    let bind = |vector: Vec3| f64::from(vector.abs().max_element());
    let mut translations: Vec<f64> = skeleton.joints.iter().map(|joint| bind(joint.bind_translation)).collect();
    let mut scales: Vec<f64> = skeleton.joints.iter().map(|joint| bind(joint.bind_scale)).collect();
    for (animation, amounts) in animations.iter().zip(amounts) {
        for (track, &amount) in animation.tracks.iter().zip(&amounts.tracks) {
            let bounds = match track.property {
                Property::Translation => &mut translations,
                Property::Scale => &mut scales,
                Property::Rotation => continue,
            };
            let bound = &mut bounds[usize::from(track.joint)];
            *bound = bound.max(largest(amount, track.interpolation, animation.duration));
        }
    }
    // Of each joint's model matrix, how much it stretches a vector, and how far it moves the origin.
    let mut models: Vec<(f64, f64)> = Vec::with_capacity(skeleton.joints.len());
    for (index, joint) in skeleton.joints.iter().enumerate() {
        let (stretch, offset) = joint.parent.map_or((1.0, 0.0), |parent| models[usize::from(parent)]);
        // The length of a vector is at most the root of three times its largest number.
        let way = 3.0_f64.sqrt() * translations[index];
        let model = (stretch * scales[index] * ROUNDED, (offset + stretch * way) * ROUNDED);
        let bind =
            joint.inverse_bind_matrix.to_cols_array().into_iter().fold(1.0_f64, |m, v| m.max(f64::from(v).abs()));
        let skinning = model.0 * 2.0 * bind + model.1 * f64::from(joint.inverse_bind_matrix.row(3).abs().max_element());
        if !(model.0 < SAFE && model.1 < SAFE && skinning < SAFE) {
            return false;
        }
        models.push(model);
    }
    true
}

/// The largest number that keys of this amount at most can give.
fn largest(amount: f32, interpolation: Interpolation, duration: f32) -> f64 {
    match interpolation {
        // A tangent weighs at most 4/27 of the distance between its keys.
        Interpolation::CubicSpline => f64::from(amount) * (1.0 + 0.3 * f64::from(duration)),
        Interpolation::Linear | Interpolation::Step => f64::from(amount),
    }
}
