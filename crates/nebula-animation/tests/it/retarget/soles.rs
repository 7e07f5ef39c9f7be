//! Where soles are in a pose.

use glam::{Mat4, Vec3};
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
    let height = |joint: u16, point: Vec3| models[usize::from(joint)].transform_point3(point).y;
    let soles = rig.soles().iter().map(|sole| {
        let own = height(sole.joint, sole.point);
        sole.blend.map_or(own, |blend| own + blend.share * (height(blend.joint, blend.point) - own))
    });
    soles.fold(f32::INFINITY, f32::min)
}
