//! Where limbs point, of a source and of whoever plays its clips, each in the axes of its own body.

use glam::{Mat3, Mat4, Vec3};
use nebula_animation::{
    AnimationClip, HumanoidJoint as J, Rig, palette::model_matrices, sample_pose, skeleton::Side,
};

/// Arms and legs, from joint to joint.
pub const LIMBS: [[fn(Side) -> J; 2]; 4] =
    [[J::UpperArm, J::LowerArm], [J::LowerArm, J::Hand], [J::UpperLeg, J::LowerLeg], [J::LowerLeg, J::Foot]];

pub fn models(rig: &Rig, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = rig.bind_pose();
    sample_pose(clip, rig.skeleton(), time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(rig.skeleton(), &pose, &mut models);
    models
}

/// Where a joint of a humanoid is.
pub fn at(rig: &Rig, models: &[Mat4], joint: J) -> Option<Vec3> {
    Some(models[usize::from(rig.humanoid().get(joint)?)].w_axis.truncate())
}

/// To the left, up, ahead, as the pelvis and the shoulders are in a pose.
pub fn body_axes(rig: &Rig, models: &[Mat4]) -> Mat3 {
    let middle = |joint: fn(Side) -> J| {
        let [left, right] = Side::BOTH.map(|side| at(rig, models, joint(side)).expect("a human"));
        (left.midpoint(right), left - right)
    };
    let ((hips, left), (shoulders, _)) = (middle(J::UpperLeg), middle(J::UpperArm));
    let up = (shoulders - hips).normalize();
    let left = left.reject_from_normalized(up).normalize();
    Mat3::from_cols(left, up, left.cross(up))
}

/// How far limbs point away from the source's over a clip, in degrees.
#[derive(Debug, Default, Clone)]
pub struct Apart {
    pub sum: f32,
    pub count: usize,
    pub worst: f32,
    pub worst_limb: String,
}

impl Apart {
    pub fn mean(&self) -> f32 {
        self.sum / self.count.max(1) as f32
    }
}

pub fn compare([source, target]: [&Rig; 2], [clip, made]: [&AnimationClip; 2]) -> Apart {
    let mut apart = Apart::default();
    for step in 0..=24_u8 {
        let time = clip.duration * f32::from(step) / 24.0;
        let (from, to) = (models(source, clip, time), models(target, made, time));
        let axes = [body_axes(source, &from), body_axes(target, &to)];
        for [start, end] in LIMBS {
            for side in Side::BOTH {
                let bone = |rig: &Rig, models: &[Mat4]| {
                    at(rig, models, end(side)).expect("a human") - at(rig, models, start(side)).expect("a human")
                };
                let own = axes[0].transpose() * bone(source, &from);
                let others = axes[1].transpose() * bone(target, &to);
                let degrees = own.angle_between(others).to_degrees();
                apart.sum += degrees;
                apart.count += 1;
                if degrees > apart.worst {
                    (apart.worst, apart.worst_limb) = (degrees, format!("{} at {time}", start(side)));
                }
            }
        }
    }
    apart
}
