//! Samples the pose of a clip at a time, by glTF's own formulas. This path is the specification: short, obvious, exact.

mod additive;
mod interpolate;
mod morphs;

use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::math::partition;
use crate::skeleton::{JointPose, Skeleton};

pub use additive::{additive_clip, additive_clip_from_frame, additive_clip_with_morphs};
pub use interpolate::Interpolatable;
pub use morphs::sample_morph_weights;

/// The value of a channel at `time` seconds; clamped to the first and the last keyframe.
///
/// NaN counts as the start. An empty channel has no value: the result is `T::default()`.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{Channel, Interpolation, Keyframe, sample_channel};
///
/// let key = |time, x| Keyframe { time, value: Vec3::new(x, 0.0, 0.0), tangents: None };
/// let channel =
///     Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes: vec![key(0.0, 0.0), key(1.0, 4.0)] };
/// assert_eq!(sample_channel(&channel, 0.5).x, 2.0);
/// assert_eq!(sample_channel(&channel, 9.0).x, 4.0);
/// ```
#[must_use]
pub fn sample_channel<T: Interpolatable>(channel: &Channel<T>, time: f32) -> T {
    sample_keys(&channel.keyframes, channel.interpolation, time)
}

/// Samples the pose of a clip at `time` seconds: every joint, relative to its parent.
///
/// Joints without a channel are in their rest pose. Ignored are channels without keyframes, and those for a joint that
/// the skeleton or `pose` does not have (including morph weights: see [`sample_morph_weights`]). `pose` has one entry
/// per joint; entries beyond the skeleton's joints are left unchanged.
///
/// ```
/// use nebula_animation::{AnimationClip, Skeleton, sample_pose};
///
/// let skeleton = Skeleton::default();
/// let mut pose = skeleton.bind_pose();
/// sample_pose(&AnimationClip::default(), &skeleton, 0.5, &mut pose);
/// ```
pub fn sample_pose(clip: &AnimationClip, skeleton: &Skeleton, time: f32, pose: &mut [JointPose]) {
    bind_pose_into(skeleton, pose);
    let joint_count = skeleton.joints.len().min(pose.len());
    let pose = &mut pose[..joint_count];
    for channel in clip.translation_channels.iter().filter(|channel| !channel.keyframes.is_empty()) {
        if let Some(joint) = pose.get_mut(usize::from(channel.joint_index)) {
            joint.0 = sample_channel(channel, time);
        }
    }
    for channel in clip.rotation_channels.iter().filter(|channel| !channel.keyframes.is_empty()) {
        if let Some(joint) = pose.get_mut(usize::from(channel.joint_index)) {
            joint.1 = sample_channel(channel, time);
        }
    }
    for channel in clip.scale_channels.iter().filter(|channel| !channel.keyframes.is_empty()) {
        if let Some(joint) = pose.get_mut(usize::from(channel.joint_index)) {
            joint.2 = sample_channel(channel, time);
        }
    }
}

/// Writes the skeleton's bind pose into `pose`.
pub(crate) fn bind_pose_into(skeleton: &Skeleton, pose: &mut [JointPose]) {
    for (entry, joint) in pose.iter_mut().zip(&skeleton.joints) {
        *entry = joint.bind_pose();
    }
}

/// Keyframes, however they are stored: the authored array of structs, or arrays shared with a file.
pub(crate) trait Keys<T> {
    fn count(&self) -> usize;
    fn time(&self, key: usize) -> f32;
    fn value(&self, key: usize) -> T;
    /// In-tangent and out-tangent.
    fn tangents(&self, key: usize) -> Option<(T, T)>;
}

impl<T: Clone> Keys<T> for Vec<Keyframe<T>> {
    fn count(&self) -> usize {
        self.len()
    }
    fn time(&self, key: usize) -> f32 {
        self[key].time
    }
    fn value(&self, key: usize) -> T {
        self[key].value.clone()
    }
    fn tangents(&self, key: usize) -> Option<(T, T)> {
        self[key].tangents.clone()
    }
}

/// The value of sorted keys at a time.
pub(crate) fn sample_keys<T: Interpolatable>(keys: &impl Keys<T>, interpolation: Interpolation, time: f32) -> T {
    let Some(last) = keys.count().checked_sub(1) else { return T::default() };
    // Written so that a time which is not a number counts as the start.
    if !(time > keys.time(0)) {
        return keys.value(0);
    }
    if time >= keys.time(last) {
        return keys.value(last);
    }
    // The last key whose time is not after `time`. Equal times make the value step, and the interval that is
    // found always has a length above zero.
    let key = partition(0..keys.count() as i64, |key| keys.time(key as usize) <= time) as usize - 1;
    let (start, end) = (keys.time(key), keys.time(key + 1));
    let seconds = end - start;
    let fraction = (time - start) / seconds;
    match interpolation {
        Interpolation::Step => keys.value(key),
        Interpolation::Linear => T::lerp(&keys.value(key), &keys.value(key + 1), fraction),
        Interpolation::CubicSpline => match (keys.tangents(key), keys.tangents(key + 1)) {
            (Some((_, out_tangent)), Some((in_tangent, _))) => {
                T::cubic_spline(&keys.value(key), &out_tangent, &in_tangent, &keys.value(key + 1), fraction, seconds)
            }
            _ => T::lerp(&keys.value(key), &keys.value(key + 1), fraction),
        },
    }
}
