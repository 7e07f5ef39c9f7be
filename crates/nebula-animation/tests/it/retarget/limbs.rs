//! Where limbs point, of a source and of whoever plays its clips, each in the axes of its own body.

use glam::{Mat3, Mat4, Vec3};
use nebula_animation::{AnimationClip, HumanoidJoint as J, Rig, palette::model_matrices, sample_pose, skeleton::Side};

type OfSide = fn(Side) -> J;

/// Arms and legs, from joint to joint.
const LIMBS: [[OfSide; 2]; 4] =
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

/// To the left, up, ahead, as a character stands in its file.
fn axes(rig: &Rig) -> Mat3 {
    // Whoever rests bent faces along an axis of the file all the same.
    let front = rig.front().filter(|front| front.y.abs() < 0.6).unwrap_or(Vec3::Z);
    let axes = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z];
    let front = axes.into_iter().max_by(|a, b| a.dot(front).total_cmp(&b.dot(front))).unwrap_or(Vec3::Z);
    Mat3::from_cols(Vec3::Y.cross(front), Vec3::Y, front)
}

/// The lowest point of the soles of both feet.
pub fn lowest_sole(rig: &Rig, clip: &AnimationClip, time: f32) -> f32 {
    let models = models(rig, clip, time);
    let soles = rig.soles().iter().map(|sole| models[usize::from(sole.joint)].transform_point3(sole.point).y);
    soles.fold(f32::INFINITY, f32::min)
}

/// To the left, up, ahead, as the pelvis and the shoulders are in a pose.
fn trunk_axes(rig: &Rig, models: &[Mat4]) -> Mat3 {
    let middle = |joint: OfSide| {
        let [left, right] = Side::BOTH.map(|side| at(rig, models, joint(side)).expect("a human"));
        (left.midpoint(right), left - right)
    };
    let ((hips, left), (shoulders, _)) = (middle(J::UpperLeg), middle(J::UpperArm));
    let up = (shoulders - hips).try_normalize().expect("a back");
    let left = left.reject_from_normalized(up).try_normalize().expect("a pelvis");
    Mat3::from_cols(left, up, left.cross(up))
}

/// How far limbs point away from the source's over a clip, in degrees.
#[derive(Debug, Default, Clone)]
pub struct Apart {
    pub sum: f32,
    pub count: usize,
    pub worst: f32,
    pub worst_limb: String,
    pub worst_in_trunk: f32,
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
        let trunks = [trunk_axes(source, &from), trunk_axes(target, &to)];
        for [start, end] in LIMBS {
            for side in Side::BOTH {
                let bone = |rig: &Rig, models: &[Mat4]| {
                    at(rig, models, end(side)).expect("a human") - at(rig, models, start(side)).expect("a human")
                };
                let (own, others) = (bone(source, &from), bone(target, &to));
                let between = |axes: [Mat3; 2]| {
                    (axes[0].transpose() * own).angle_between(axes[1].transpose() * others).to_degrees()
                };
                let degrees = between([axes(source), axes(target)]);
                apart.worst_in_trunk = apart.worst_in_trunk.max(between(trunks));
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
