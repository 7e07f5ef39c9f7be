use std::collections::HashSet;

use glam::{Quat, Vec3};

use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe, WEIGHTS_PER_JOINT, is_morph_joint, morph_joint};
use crate::math::unit_quat;
use crate::sample::{sample_morph_weights, sample_pose};
use crate::skeleton::{JointPose, Skeleton};

/// Converts a clip to differences from a reference pose, for additive layers. Added to that pose, it gives the clip's
/// own poses; added to others, it contributes the clip's motion.
///
/// A rotation becomes the rotation from the reference in the parent's space (`rotation * reference^-1`), a translation
/// the difference, a scale the ratio (1 along axes in which the reference is 0). `reference` has one entry per joint of
/// the skeleton; for joints that it lacks, the rest pose is used. The clip gets a channel for every joint and property,
/// constant where nothing moves. Morph weights stay as they are, as differences from 0: see
/// [`additive_clip_with_morphs`].
///
/// If a library [compresses](crate::Compression) such a clip, tell it the pose to which it will be added
/// (`additive_bases` of [`LibraryOptions`](crate::LibraryOptions)): the differences alone do not determine how far they
/// move a hand.
///
/// ```
/// use nebula_animation::{AnimationClip, Skeleton, sample::additive_clip};
///
/// let (skeleton, recoil) = (Skeleton::default(), AnimationClip { name: "recoil".into(), ..Default::default() });
/// let additive = additive_clip(&recoil, &skeleton, &skeleton.bind_pose());
/// assert_eq!(additive.name, "recoil");
/// ```
#[must_use]
pub fn additive_clip(clip: &AnimationClip, skeleton: &Skeleton, reference: &[JointPose]) -> AnimationClip {
    additive_clip_with_morphs(clip, skeleton, reference, &[])
}

/// Like [`additive_clip`], with morph weights as differences too: from `reference_weights`, one for each slot of
/// [`MorphLayout`](crate::clip::MorphLayout). The clip gets a channel for each of these slots, 0 where nothing moves.
/// Other slots use 0 as their reference, and get no channel if the clip has none.
///
/// ```
/// use nebula_animation::{AnimationClip, Skeleton, sample::{additive_clip_with_morphs, sample_morph_weights}};
///
/// let additive = additive_clip_with_morphs(&AnimationClip::default(), &Skeleton::default(), &[], &[0.5; 3]);
/// let mut added = [9.0; 3];
/// sample_morph_weights(&additive, &[0.5; 3], 0.0, &mut added);
/// assert_eq!(added, [0.0; 3]);
/// ```
#[must_use]
pub fn additive_clip_with_morphs(
    clip: &AnimationClip,
    skeleton: &Skeleton,
    reference: &[JointPose],
    reference_weights: &[f32],
) -> AnimationClip {
    let mut made = differences_of_joints(clip, skeleton, reference);
    let weights = differences_of_weights(clip, skeleton.joints.len(), reference_weights);
    made.translation_channels.extend(weights);
    let moved: HashSet<u16> = clip.morph_channels().map(|(_, channel)| channel.joint_index).collect();
    let slots = (0..reference_weights.len()).step_by(WEIGHTS_PER_JOINT);
    let joints = slots.map_while(|slot| Some(morph_joint(slot)?.0)).filter(|joint| !moved.contains(joint));
    let joints = joints.filter(|joint| is_morph_joint(*joint, skeleton.joints.len()));
    made.translation_channels.extend(joints.map(|joint| still(joint, Vec3::ZERO)));
    made
}

fn differences_of_joints(clip: &AnimationClip, skeleton: &Skeleton, reference: &[JointPose]) -> AnimationClip {
    let mut from = skeleton.bind_pose();
    for (from, given) in from.iter_mut().zip(reference) {
        *from = *given;
    }
    let undone = |joint: usize| unit_quat(from[joint].1).unwrap_or(Quat::IDENTITY).conjugate();
    let factor = |joint: usize| {
        let scale = from[joint].2;
        Vec3::select(scale.cmpeq(Vec3::ZERO), Vec3::ONE, scale).recip()
    };
    AnimationClip {
        name: clip.name.clone(),
        duration: clip.duration,
        translation_channels: differences(
            &clip.translation_channels,
            skeleton,
            |joint, value| value - from[joint].0,
            |_, tangent| tangent,
            |joint| joint.0,
        ),
        rotation_channels: differences(
            &clip.rotation_channels,
            skeleton,
            // Linear, so that the arc between two keys stays the arc.
            |joint, value| value * undone(joint),
            |joint, tangent| tangent * undone(joint),
            |joint| joint.1,
        ),
        scale_channels: differences(
            &clip.scale_channels,
            skeleton,
            |joint, value| value * factor(joint),
            |joint, tangent| tangent * factor(joint),
            |joint| joint.2,
        ),
    }
}

/// Like [`additive_clip`], with the clip's own pose and morph weights at `time` seconds as the reference.
///
/// ```
/// use nebula_animation::{AnimationClip, Skeleton, sample::additive_clip_from_frame};
///
/// let additive = additive_clip_from_frame(&AnimationClip::default(), &Skeleton::default(), 0.0);
/// assert_eq!(additive.duration, 0.0);
/// ```
#[must_use]
pub fn additive_clip_from_frame(clip: &AnimationClip, skeleton: &Skeleton, time: f32) -> AnimationClip {
    let mut reference = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut reference);
    let mut weights = vec![0.0; clip.morph_count()];
    sample_morph_weights(clip, &[], time, &mut weights);
    let mut made = differences_of_joints(clip, skeleton, &reference);
    made.translation_channels.extend(differences_of_weights(clip, skeleton.joints.len(), &weights));
    made
}

/// The channels of morph weights as differences.
fn differences_of_weights(
    clip: &AnimationClip,
    joint_count: usize,
    reference: &[f32],
) -> impl Iterator<Item = Channel<Vec3>> {
    let own = clip.morph_channels().filter(move |(_, channel)| is_morph_joint(channel.joint_index, joint_count));
    own.map(move |(group, channel)| {
        let weight = |axis: usize| reference.get(WEIGHTS_PER_JOINT * group + axis).copied().unwrap_or_default();
        let from = Vec3::new(weight(0), weight(1), weight(2));
        let mut made = channel.clone();
        made.keyframes.iter_mut().for_each(|key| key.value -= from);
        made
    })
}

/// A channel that never changes.
fn still<T: Clone>(joint_index: u16, value: T) -> Channel<T> {
    let keyframes = vec![Keyframe { time: 0.0, value, tangents: None }];
    Channel { joint_index, interpolation: Interpolation::Linear, keyframes }
}

/// The channels of one property as differences, and a constant one for every joint that has none.
fn differences<T: Clone + Copy>(
    channels: &[Channel<T>],
    skeleton: &Skeleton,
    value: impl Fn(usize, T) -> T,
    tangent: impl Fn(usize, T) -> T,
    of_rest: impl Fn(&JointPose) -> T,
) -> Vec<Channel<T>> {
    let mut has_channel = vec![false; skeleton.joints.len()];
    let mut made = Vec::new();
    for channel in channels.iter().filter(|channel| !channel.keyframes.is_empty()) {
        let joint = usize::from(channel.joint_index);
        let Some(has_channel) = has_channel.get_mut(joint) else { continue };
        *has_channel = true;
        let key = |key: &Keyframe<T>| Keyframe {
            time: key.time,
            value: value(joint, key.value),
            tangents: key.tangents.map(|(incoming, outgoing)| (tangent(joint, incoming), tangent(joint, outgoing))),
        };
        let keyframes = channel.keyframes.iter().map(key).collect();
        made.push(Channel { joint_index: channel.joint_index, interpolation: channel.interpolation, keyframes });
    }
    for (index, joint) in skeleton.joints.iter().enumerate().filter(|(index, _)| !has_channel[*index]) {
        made.push(still(joint.index, value(index, of_rest(&joint.bind_pose()))));
    }
    made
}
