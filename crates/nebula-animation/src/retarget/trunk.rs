//! Makes the trunk lean like the source's, even if the back has other joints or bends elsewhere.
//!
//! Limbs point where the source's do in the axes of the whole body. They do so in those of the trunk only if the line
//! from hips to shoulders matches the source's too, and that line depends on where a back bends.

use glam::{DQuat, DVec3, Quat};

use super::bake::{Figure, key_times};
use super::rest::Rest;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{HumanoidMap, Side};

/// How far, in radians, trunks may lean apart before the target's is corrected: 4 degrees.
const FREE: f64 = 0.07;
/// The most by which they may exceed that: 2 degrees. In between, the correction sets in smoothly.
const SOFT: f64 = 0.035;

/// The trunks of two humans.
#[derive(Debug, Clone)]
pub(super) struct Trunk {
    /// Of source and target, the thighs and the upper arms, each left and right.
    ends: [[[usize; 2]; 2]; 2],
    /// The lowest joint of the target's back.
    bend: usize,
    /// Joints on the target's back whose rotation is kept.
    kept: Vec<usize>,
}

impl Trunk {
    /// `None` where a body has no two arms and legs, or no back between them that takes part.
    pub fn new(maps: [&HumanoidMap; 2], to: &Rest, sources: &[Option<usize>]) -> Option<Self> {
        let pair = |map: &HumanoidMap, joint: fn(Side) -> J| {
            let [left, right] = Side::BOTH.map(|side| map.get(joint(side)).map(usize::from));
            Some([left?, right?])
        };
        let ends = |map: &HumanoidMap| Some([pair(map, J::UpperLeg)?, pair(map, J::UpperArm)?]);
        let [source, target] = maps;
        let ends = [ends(source)?, ends(target)?];
        let [legs, arms] = ends[1];
        let backs = [J::Spine, J::Chest, J::UpperChest].into_iter().filter_map(|joint| target.get(joint));
        let bend = backs.map(usize::from).find(|joint| sources.get(*joint).is_some_and(Option::is_some))?;
        let carries = |joint: &usize| *joint != bend && to.is_within(*joint, bend);
        if !arms.iter().all(carries) || legs.iter().any(carries) {
            return None;
        }
        let neck = target.get(J::Neck).or_else(|| target.get(J::Head)).map(usize::from);
        let kept = arms.into_iter().chain(neck).filter(carries).collect();
        Some(Self { ends, bend, kept })
    }

    /// Turns the back of a clip that was made where its trunk leans away from the source's.
    pub fn straighten(
        &self,
        clip: &AnimationClip,
        made: &mut AnimationClip,
        [source, target]: [&Figure; 2],
        facing: DQuat,
    ) {
        let times = self.times([clip, made], [source, target]);
        let mut poses = [source.skeleton.bind_pose(), target.skeleton.bind_pose()];
        let mut leans = Vec::with_capacity(times.len());
        for &time in &times {
            let from = source.models_at(clip, time, &mut poses[0]);
            let to = target.models_at(made, time, &mut poses[1]);
            let models = [&from, &to];
            let middle = |body: usize, end: usize| {
                let [left, right] = self.ends[body][end].map(|joint| models[body][joint].w_axis.truncate());
                left.midpoint(right)
            };
            let bend = to[self.bend].w_axis.truncate();
            let wanted = facing * (middle(0, 1) - middle(0, 0));
            let beyond = |angle: f64| {
                let more = (angle - FREE).max(0.0);
                more * more / (more + SOFT)
            };
            leans.push(lean([bend - middle(1, 0), middle(1, 1) - bend], wanted, beyond));
        }
        if leans.iter().all(|lean| *lean == DQuat::IDENTITY) {
            return;
        }
        let joints: Vec<usize> = self.kept.iter().copied().chain([self.bend]).collect();
        let mut keys: Vec<Vec<Keyframe<Quat>>> = vec![Vec::with_capacity(times.len()); joints.len()];
        for (&time, lean) in times.iter().zip(leans) {
            let turned = target.turns_at(made, time, &mut poses[1]);
            let rotation = |joint: usize| turned[joint] * target.rest.rotations[joint];
            for (&joint, keys) in joints.iter().zip(&mut keys) {
                let outer = target.rest.parent(joint).map_or(DQuat::IDENTITY, rotation);
                let value = if joint == self.bend { outer.inverse() * lean } else { outer.inverse() * lean.inverse() };
                let mut value = (value * rotation(joint)).as_quat();
                if keys.last().is_some_and(|last| last.value.dot(value) < 0.0) {
                    value = -value;
                }
                keys.push(Keyframe { time, value, tangents: None });
            }
        }
        for (joint, keyframes) in joints.into_iter().zip(keys) {
            let joint_index = joint as u16;
            made.rotation_channels.retain(|channel| channel.joint_index != joint_index);
            made.rotation_channels.push(Channel { joint_index, interpolation: Interpolation::Linear, keyframes });
        }
    }

    /// The times of all keyframes that rotate or move the ends or bends of a trunk, in either body.
    fn times(&self, clips: [&AnimationClip; 2], figures: [&Figure; 2]) -> Vec<f32> {
        let mut keys: Vec<f32> = vec![0.0];
        for (body, (clip, figure)) in clips.into_iter().zip(figures).enumerate() {
            let ends = || self.ends[body].iter().flatten().chain(if body == 1 { &self.kept[..] } else { &[] });
            let is_meant = |joint: u16| {
                let joint = usize::from(joint);
                joint < figure.skeleton.joints.len() && ends().any(|end| figure.rest.is_within(*end, joint))
            };
            for channel in clip.translation_channels.iter().filter(|channel| is_meant(channel.joint_index)) {
                keys.extend(channel.keyframes.iter().map(|key| key.time));
            }
            for channel in clip.rotation_channels.iter().filter(|channel| is_meant(channel.joint_index)) {
                keys.extend(channel.keyframes.iter().map(|key| key.time));
            }
        }
        key_times(keys.into_iter())
    }
}

/// The rotation above a bend that brings the whole line (to the bend, and on from it) closer to the wanted one: by a
/// fraction `share` of the angle between them.
pub(super) fn lean([below, above]: [DVec3; 2], wanted: DVec3, share: impl Fn(f64) -> f64) -> DQuat {
    let (Some(way), Some(wanted)) = ((below + above).try_normalize(), wanted.try_normalize()) else {
        return DQuat::IDENTITY;
    };
    let part = share(way.angle_between(wanted));
    let Some(axis) = way.cross(wanted).try_normalize().filter(|_| part > 0.0) else { return DQuat::IDENTITY };
    let goal = DQuat::from_axis_angle(axis, part) * way;
    let mut lean = DQuat::IDENTITY;
    // The bend is some way above or below the hips, so the same turn of it is not yet that of the whole way.
    for _ in 0..6 {
        let Some(way) = (below + lean * above).try_normalize() else { return DQuat::IDENTITY };
        lean = DQuat::from_rotation_arc(way, goal) * lean;
    }
    if lean.is_finite() { lean.normalize() } else { DQuat::IDENTITY }
}
