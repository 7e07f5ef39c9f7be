//! Where soles are in a pose.

use glam::Mat4;
use nebula_animation::{AnimationClip, Rig, palette::model_matrices, sample_pose};

fn models(rig: &Rig, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = rig.bind_pose();
    sample_pose(clip, rig.skeleton(), time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(rig.skeleton(), &pose, &mut models);
    models
}

/// The lowest point of the soles of both feet.
pub fn lowest_sole(rig: &Rig, clip: &AnimationClip, time: f32) -> f32 {
    let models = models(rig, clip, time);
    let soles = rig.soles().iter().map(|sole| models[usize::from(sole.joint)].transform_point3(sole.point).y);
    soles.fold(f32::INFINITY, f32::min)
}
