//! Animations as files store them, and their conversion to poses and clips.

mod channel;
mod keys;
mod load;

use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::error::AnimationLoadError;
use super::options::{Limits, Strictness};
use super::report::Report;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe, WEIGHTS_PER_JOINT, weight_channels};
use crate::compile::CompiledWeights;
use crate::sample::{Keys, bind_pose_into, sample_keys};
use crate::skeleton::{JointPose, Skeleton};
use keys::{RotationKeys, VectorKeys, WeightKeys};

pub(super) use channel::animated_nodes;
pub(super) use load::{Amounts, Drivable, load};

/// An animation as stored in the file: arrays of times and values, shared where the file shares them.
///
/// This is the compact form. [`Animation::to_clip`] converts it to the editable [`AnimationClip`].
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    /// Name in the file, or `Animation_N` if it has none.
    pub name: String,
    /// Duration in seconds: the largest time of any channel, including channels that do not animate joints.
    pub duration: f32,
    /// Tracks that animate joints.
    pub tracks: Vec<Track>,
    /// Tracks that animate morph weights.
    pub morph_tracks: Vec<MorphTrack>,
}

impl Animation {
    /// Samples the pose at `time` seconds, relative to each joint's parent; exactly that of [`Animation::to_clip`].
    ///
    /// `pose` has one entry per joint of the asset's skeleton. Joints that the animation does not move are in their
    /// rest pose.
    pub fn sample_pose(&self, skeleton: &Skeleton, time: f32, pose: &mut [JointPose]) {
        bind_pose_into(skeleton, pose);
        for track in &self.tracks {
            let Some(joint) = pose.get_mut(usize::from(track.joint)) else { continue };
            match track.property {
                Property::Translation => joint.0 = sample_keys(&VectorKeys(track), track.interpolation, time),
                Property::Rotation => joint.1 = sample_keys(&RotationKeys(track), track.interpolation, time),
                Property::Scale => joint.2 = sample_keys(&VectorKeys(track), track.interpolation, time),
            }
        }
    }

    /// The animation as an editable clip, including morph weights. Arrays that tracks share are copied for each of
    /// them.
    #[must_use]
    pub fn to_clip(&self) -> AnimationClip {
        let of = |property| self.tracks.iter().filter(move |track| track.property == property);
        let vectors = |property| of(property).map(|track| channel_of(track, &VectorKeys(track)));
        AnimationClip {
            name: self.name.clone(),
            duration: self.duration,
            translation_channels: vectors(Property::Translation)
                .chain(self.morph_tracks.iter().flat_map(MorphTrack::channels))
                .collect(),
            rotation_channels: of(Property::Rotation).map(|track| channel_of(track, &RotationKeys(track))).collect(),
            scale_channels: vectors(Property::Scale).collect(),
        }
    }

    /// Bytes that the keyframes of [`Animation::to_clip`] take.
    fn clip_bytes(&self) -> u64 {
        let key_bytes = |property| match property {
            Property::Rotation => size_of::<Keyframe<Quat>>(),
            Property::Translation | Property::Scale => size_of::<Keyframe<Vec3>>(),
        };
        let of_joints = self.tracks.iter().map(|track| (key_bytes(track.property) * track.times.len()) as u64);
        let of_morphs = self.morph_tracks.iter().map(|track| {
            let channel_bytes = size_of::<Channel<Vec3>>() + size_of::<Keyframe<Vec3>>() * track.times.len();
            (channel_bytes as u64).saturating_mul(track.target_count.div_ceil(WEIGHTS_PER_JOINT) as u64)
        });
        of_joints.chain(of_morphs).fold(0, u64::saturating_add)
    }
}

fn channel_of<T: Clone>(track: &Track, keys: &impl Keys<T>) -> Channel<T> {
    let key = |index| Keyframe { time: keys.time(index), value: keys.value(index), tangents: keys.tangents(index) };
    Channel {
        joint_index: track.joint,
        interpolation: track.interpolation,
        keyframes: (0..keys.count()).map(key).collect(),
    }
}

impl MorphTrack {
    /// Writes the weights at `time` seconds. `weights` has one entry per morph target; a shorter slice gets the first
    /// ones, entries beyond the targets are left unchanged.
    pub fn sample(&self, time: f32, weights: &mut [f32]) {
        for (target, weight) in weights.iter_mut().take(self.target_count).enumerate() {
            *weight = sample_keys(&WeightKeys { track: self, target }, self.interpolation, time);
        }
    }

    /// The keys as channels of a clip.
    fn channels(&self) -> impl Iterator<Item = Channel<Vec3>> {
        weight_channels(self.first_slot, self.interpolation, &self.times, &self.values, self.target_count)
    }

    /// The same keys, compiled: one look-up for all targets. It shares the values.
    #[must_use]
    pub fn compile(&self) -> CompiledWeights {
        CompiledWeights::new(self.interpolation, &self.times, Arc::clone(&self.values), self.target_count)
    }
}

/// How much more memory the keyframes of clips may take than the decoded arrays: a keyframe of a rotation takes 80 bytes,
/// five times its data.
const CLIP_GROWTH: u64 = 5;

/// All animations as clips, within the limits.
pub(super) fn clips(
    animations: &[Animation],
    path: &Path,
    limits: &Limits,
) -> Result<Vec<AnimationClip>, AnimationLoadError> {
    let bytes = animations.iter().map(Animation::clip_bytes).fold(0, u64::saturating_add);
    let limit = limits.decoded_bytes.saturating_mul(CLIP_GROWTH);
    if bytes > limit {
        let report = Report::new(&path.to_string_lossy(), Strictness::Lenient);
        return Err(report.limit("bytes of keyframes", bytes, limit));
    }
    Ok(animations.iter().map(Animation::to_clip).collect())
}

/// Which part of a joint's pose a track animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Property {
    /// Three values per key.
    Translation,
    /// Four values per key: xyzw, unit length.
    Rotation,
    /// Three values per key.
    Scale,
}

/// The keys of one property of one joint, sorted by time.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Index of the animated joint in the asset's skeleton.
    pub joint: u16,
    /// What is animated.
    pub property: Property,
    /// How values between keys are computed.
    pub interpolation: Interpolation,
    /// Times in seconds, ascending; at least one.
    pub times: Arc<[f32]>,
    /// Values, key by key. With [`Interpolation::CubicSpline`], each key has its in-tangent, its value and its
    /// out-tangent, in this order.
    pub values: Arc<[f32]>,
}

/// The keys of the morph weights of one mesh, sorted by time.
#[derive(Debug, Clone, PartialEq)]
pub struct MorphTrack {
    /// Index of the animated mesh in [`Asset::meshes`](crate::Asset::meshes). With
    /// [`MeshSelection::None`](crate::asset::MeshSelection::None), which loads no meshes, the index it would have by
    /// default.
    pub mesh: usize,
    /// The slot of the first weight in [`Asset::morphs`](crate::Asset::morphs).
    pub first_slot: usize,
    /// The number of weights per key: the mesh's number of morph targets.
    pub target_count: usize,
    /// How values between keys are computed.
    pub interpolation: Interpolation,
    /// Times in seconds, ascending; at least one.
    pub times: Arc<[f32]>,
    /// Weights, key by key. With [`Interpolation::CubicSpline`], each key has all in-tangents, all weights and all
    /// out-tangents, in this order.
    pub values: Arc<[f32]>,
}
