//! Whether numbers that are finite one by one stay finite when poses multiply and add them.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Mat4;

use super::animation::{Animation, Property};
use super::error::AnimationLoadError;
use super::report::Report;
use crate::clip::Interpolation;
use crate::palette::{model_matrices, skinning_matrices};
use crate::skeleton::Skeleton;

/// What a number may grow to with room to spare; real files are far below it.
const SAFE: f64 = f32::MAX as f64 / 16.0;
/// Times at which a suspicious animation is looked at.
const TIMES: u16 = 9;
/// Joints that are evaluated at most to find out about suspicious numbers.
const MOST_WORK: usize = 20_000_000;

/// Refuses a file whose poses overflow.
pub(super) fn check(skeleton: &Skeleton, animations: &[Animation], report: &Report) -> Result<(), AnimationLoadError> {
    let mut largest = Largest::default();
    for (index, animation) in animations.iter().enumerate() {
        for track in &animation.morph_tracks {
            if largest.of(&track.values, track.interpolation, animation.duration) > SAFE {
                let problem = "the morph weights are too large to stay finite between keys";
                return Err(report.malformed(format!("animation {index}"), problem));
            }
        }
    }
    if is_safe(skeleton, animations, &mut largest) {
        return Ok(());
    }
    // The bounds are rough: only the poses themselves tell.
    if skeleton.joints.len().saturating_mul(animations.len() + 1).saturating_mul(TIMES.into()) > MOST_WORK {
        return Err(report.malformed("file", "translations or scales are too large to stay finite in a pose"));
    }
    let mut pose = skeleton.bind_pose();
    let mut matrices = vec![Mat4::IDENTITY; skeleton.joints.len()];
    let mut check_pose = |pose: &[_], object: &str| {
        model_matrices(skeleton, pose, &mut matrices);
        let is_finite = matrices.iter().all(Mat4::is_finite);
        skinning_matrices(skeleton, &mut matrices);
        if is_finite && matrices.iter().all(Mat4::is_finite) {
            return Ok(());
        }
        Err(report.malformed(object, "translations or scales are so large that a pose overflows"))
    };
    check_pose(&pose, "bind pose")?;
    for (index, animation) in animations.iter().enumerate() {
        for step in 0..TIMES {
            let time = animation.duration * (f32::from(step) / f32::from(TIMES - 1));
            animation.sample_pose(skeleton, time, &mut pose);
            check_pose(&pose, &format!("animation {index} at {time} s"))?;
        }
    }
    Ok(())
}

/// Whether rough bounds of all matrices are far from overflow.
fn is_safe(skeleton: &Skeleton, animations: &[Animation], largest: &mut Largest) -> bool {
    let bind = |vector: glam::Vec3| f64::from(vector.abs().max_element());
    let mut translations: Vec<f64> = skeleton.joints.iter().map(|joint| bind(joint.bind_translation)).collect();
    let mut scales: Vec<f64> = skeleton.joints.iter().map(|joint| bind(joint.bind_scale)).collect();
    for animation in animations {
        for track in &animation.tracks {
            let bounds = match track.property {
                Property::Translation => &mut translations,
                Property::Scale => &mut scales,
                Property::Rotation => continue,
            };
            let bound = &mut bounds[usize::from(track.joint)];
            *bound = bound.max(largest.of(&track.values, track.interpolation, animation.duration));
        }
    }
    // Of each joint's model matrix, the largest that a number of its linear part and of its translation can be.
    let mut models: Vec<(f64, f64)> = Vec::with_capacity(skeleton.joints.len());
    for (index, joint) in skeleton.joints.iter().enumerate() {
        let (linear, offset) = joint.parent.map_or((1.0, 0.0), |parent| models[usize::from(parent)]);
        let model = (linear * scales[index] * 3.0, offset + linear * translations[index] * 3.0);
        let bind =
            joint.inverse_bind_matrix.to_cols_array().into_iter().fold(1.0_f64, |m, v| m.max(f64::from(v).abs()));
        if !((model.0 * bind + model.1) * 4.0 < SAFE) {
            return false;
        }
        models.push(model);
    }
    true
}

/// The largest number that the keys of a track can give, each array looked at once.
#[derive(Default)]
struct Largest(HashMap<*const f32, f64>);

impl Largest {
    fn of(&mut self, values: &Arc<[f32]>, interpolation: Interpolation, duration: f32) -> f64 {
        let largest = *self.0.entry(values.as_ptr()).or_insert_with(|| {
            f64::from(
                values.iter().fold(0.0_f32, |largest, value| if value.abs() > largest { value.abs() } else { largest }),
            )
        });
        match interpolation {
            // A tangent weighs at most 4/27 of the distance between its keys.
            Interpolation::CubicSpline => largest * (1.0 + 0.3 * f64::from(duration)),
            Interpolation::Linear | Interpolation::Step => largest,
        }
    }
}
