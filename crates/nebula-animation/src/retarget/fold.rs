use glam::{DQuat, Quat};

use super::rest::Rest;
use super::transfer::JointTransfer;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::sample::sample_channel;

/// Keyframes of turns that are put together from several joints lie at most this many seconds apart.
const LONGEST_GAP: f32 = 1.0 / 60.0;
/// More keyframes than this are not made of one gap.
const MOST_PARTS: f32 = 4096.0;

/// Joints of the source that the target lacks, and the joint below them that takes their turns over: a spine of three joints
/// that becomes one of two.
#[derive(Debug, Clone)]
pub(super) struct Lost {
    /// The lost joints from above, and at last the joint that the target has.
    chain: Vec<Turning>,
    /// Turns the axes of that joint's parent into the model's.
    outer: DQuat,
    transfer: JointTransfer,
}

#[derive(Debug, Clone, Copy)]
struct Turning {
    joint: u16,
    /// `before * r * after` is the turn away from rest in model space, as seen by the joint above.
    before: DQuat,
    after: DQuat,
    rest: Quat,
}

impl Lost {
    /// Every joint that has lost ones above it. `joints` are those of the source.
    pub fn find(from: &Rest, joints: &[Option<JointTransfer>]) -> Vec<Self> {
        let mut found = Vec::new();
        for (joint, transfer) in joints.iter().enumerate() {
            let Some(transfer) = *transfer else { continue };
            let turning = |joint: usize| Turning {
                joint: joint as u16,
                before: from.parent_rotation(joint),
                after: from.rotations[joint].inverse(),
                rest: (from.parent_rotation(joint).inverse() * from.rotations[joint]).as_quat(),
            };
            let mut chain = vec![turning(joint)];
            let mut above = from.parent(joint);
            while let Some(lost) = above.filter(|lost| joints[*lost].is_none()) {
                chain.push(turning(lost));
                above = from.parent(lost);
            }
            // Above the topmost joint of the target, what is lost is the place of the whole in the file.
            if chain.len() > 1 && above.is_some() {
                chain.reverse();
                found.push(Self { chain, outer: from.parent_rotation(joint), transfer });
            }
        }
        found
    }

    /// Gives the joint the turns of those above it, if the clip turns any of them.
    pub fn fold(&self, clip: &AnimationClip, made: &mut AnimationClip) {
        let channel = |joint: u16| {
            let mut own = clip.rotation_channels.iter().rev().filter(|channel| channel.joint_index == joint);
            own.find(|channel| !channel.keyframes.is_empty())
        };
        let Some((own, lost)) = self.chain.split_last() else { return };
        if lost.iter().all(|turning| channel(turning.joint).is_none()) {
            return;
        }
        let channels = self.chain.iter().filter_map(|turning| channel(turning.joint));
        let times = times(channels);
        let value = |turning: &Turning, time: f32| {
            channel(turning.joint).map_or(turning.rest, |channel| sample_channel(channel, time)).as_dquat()
        };
        let mut last = DQuat::IDENTITY;
        let key = |time: f32| {
            let turned = lost.iter().fold(DQuat::IDENTITY, |turned, turning| {
                turned * turning.before * value(turning, time) * turning.after
            });
            let inner = self.outer.inverse() * turned * self.outer * value(own, time);
            let rotation = self.transfer.before * inner * self.transfer.after;
            last = if last.dot(rotation) < 0.0 { -rotation } else { rotation };
            Keyframe { time, value: last.as_quat(), tangents: None }
        };
        let keyframes = times.into_iter().map(key).collect();
        let joint_index = self.transfer.partner;
        made.rotation_channels.retain(|channel| channel.joint_index != joint_index);
        made.rotation_channels.push(Channel { joint_index, interpolation: Interpolation::Linear, keyframes });
    }
}

/// The times of all keyframes, and more between them.
fn times<'a>(channels: impl Iterator<Item = &'a Channel<Quat>>) -> Vec<f32> {
    let mut keys: Vec<f32> = channels.flat_map(|channel| channel.keyframes.iter().map(|key| key.time)).collect();
    keys.retain(|time| time.is_finite());
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
