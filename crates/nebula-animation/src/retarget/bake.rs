//! Bakes poses of both bodies in model space, time by time, for joints with a different place in the hierarchy than
//! their counterparts.

use glam::{DMat4, DQuat, DVec3};

use super::rest::{Rest, model_matrices, unit};
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::sample::sample_pose;
use crate::skeleton::{JointPose, Skeleton};

/// Keyframes that are made lie at most this many seconds apart.
const LONGEST_GAP: f32 = 1.0 / 60.0;
/// More keyframes than this are not made of one gap.
const MOST_PARTS: f32 = 4096.0;

/// A skeleton and its rest pose.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub skeleton: Skeleton,
    pub rest: Rest,
}

/// Which joints of the source a clip moves.
pub(super) struct Moved {
    pub rotated: Vec<bool>,
    pub shifted: Vec<bool>,
}

impl Moved {
    pub(super) fn of(clip: &AnimationClip, joint_count: usize) -> Self {
        fn mark<T: Clone>(channels: &[Channel<T>], joint_count: usize) -> Vec<bool> {
            let mut moved = vec![false; joint_count];
            for channel in channels.iter().filter(|channel| !channel.keyframes.is_empty()) {
                if let Some(moved) = moved.get_mut(usize::from(channel.joint_index)) {
                    *moved = true;
                }
            }
            moved
        }
        Self {
            rotated: mark(&clip.rotation_channels, joint_count),
            shifted: mark(&clip.translation_channels, joint_count),
        }
    }

    /// The times of all keyframes that move or rotate some joints, and more between them.
    pub(super) fn times(&self, clip: &AnimationClip, is_meant: impl Fn(usize) -> bool) -> Vec<f32> {
        let is_meant = |joint: u16| is_meant(joint.into());
        let shifts = clip.translation_channels.iter().filter(|channel| is_meant(channel.joint_index));
        let turns = clip.rotation_channels.iter().filter(|channel| is_meant(channel.joint_index));
        let shifts = shifts.flat_map(|channel| &channel.keyframes).map(|key| key.time);
        key_times(shifts.chain(turns.flat_map(|channel| &channel.keyframes).map(|key| key.time)))
    }
}

/// The times of keyframes, and more between them.
pub(super) fn key_times(keys: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut keys: Vec<f32> = keys.filter(|time| time.is_finite()).collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let mut times: Vec<f32> = Vec::with_capacity(keys.len());
    for end in keys {
        if let Some(&start) = times.last() {
            let parts = ((end - start) / LONGEST_GAP - 1e-3).ceil().clamp(1.0, MOST_PARTS) as u32;
            times.extend((1..parts).map(|part| start + (end - start) * (part as f32 / parts as f32)));
        }
        times.push(end);
    }
    times
}

impl Figure {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        Self { skeleton: skeleton.clone(), rest: Rest::of(skeleton) }
    }

    /// `model_from_joint` of every joint.
    pub(super) fn models_at(&self, clip: &AnimationClip, time: f32, pose: &mut [JointPose]) -> Vec<DMat4> {
        sample_pose(clip, &self.skeleton, time, pose);
        model_matrices(self.rest.parents(), pose.iter().copied())
    }

    /// The rotation of every joint relative to its rest pose, in model space.
    pub(super) fn turns_at(&self, clip: &AnimationClip, time: f32, pose: &mut [JointPose]) -> Vec<DQuat> {
        sample_pose(clip, &self.skeleton, time, pose);
        let mut rotations: Vec<DQuat> = Vec::with_capacity(pose.len());
        for (joint, (_, rotation, _)) in pose.iter().enumerate() {
            let outer = self.rest.parent(joint).map_or(DQuat::IDENTITY, |parent| rotations[parent]);
            rotations.push(outer * unit(rotation.as_dquat()));
        }
        rotations.iter().zip(&self.rest.rotations).map(|(turned, rest)| *turned * rest.inverse()).collect()
    }

    /// Puts a joint at places in model space.
    pub(super) fn put(&self, joint: usize, places: &[(f32, DVec3)], made: &mut AnimationClip) {
        let mut pose = self.skeleton.bind_pose();
        let mut keyframes = Vec::with_capacity(places.len());
        for &(time, place) in places {
            let models = self.models_at(made, time, &mut pose);
            let outer = self.rest.parent(joint).map_or(DMat4::IDENTITY, |parent| models[parent]);
            let value = outer.inverse().transform_point3(place);
            if !value.is_finite() {
                return;
            }
            keyframes.push(Keyframe { time, value: value.as_vec3(), tangents: None });
        }
        let joint_index = joint as u16;
        made.translation_channels.retain(|channel| channel.joint_index != joint_index);
        made.translation_channels.push(Channel { joint_index, interpolation: Interpolation::Linear, keyframes });
    }

    /// Makes joints follow the end of a bone that is not their parent.
    pub(super) fn fasten(&self, loose: &[(usize, usize)], made: &mut AnimationClip) {
        for &(joint, bone) in loose {
            let rest = model_matrices(self.rest.parents(), self.skeleton.bind_pose());
            let end = rest[bone].inverse().transform_point3(self.rest.positions[joint]);
            let moved = Moved::of(made, self.skeleton.joints.len());
            let times =
                moved.times(made, |above| self.rest.is_within(bone, above) || self.rest.is_within(joint, above));
            let mut pose = self.skeleton.bind_pose();
            let place = |time: f32| (time, self.models_at(made, time, &mut pose)[bone].transform_point3(end));
            let places: Vec<(f32, DVec3)> = times.into_iter().map(place).collect();
            if places.iter().all(|(_, place)| place.is_finite()) && !places.is_empty() {
                self.put(joint, &places, made);
            }
        }
    }
}
