//! The gaze of a VRM animation, as tracks of an avatar's clip.

use glam::{Quat, Vec3};

use super::{Avatar, EyeGaze, EyeGazeKind};
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::math::trig::{atan2, sin_cos};
use crate::rig::Rig;
use crate::sample::sample_channel;

/// The expressions of a gaze, in the order of [`EyeGaze::strengths`].
const LOOKS: [&str; 4] = ["lookLeft", "lookRight", "lookUp", "lookDown"];
/// Samples a second where a channel is curved.
const RATE: f32 = 60.0;

impl Avatar {
    /// Adds the gaze of a VRM animation to a clip for this avatar, if its eyes are joints, within the limits of its own
    /// file. If its eyes are directed by expressions, use [`Avatar::add_expression_tracks`].
    ///
    /// `source` is the avatar of the file with the animation, `played` its clip, `rig` this avatar's. Returns `true` if
    /// there was anything to add.
    pub fn add_gaze_tracks(&self, source: &Self, played: &AnimationClip, rig: &Rig, clip: &mut AnimationClip) -> bool {
        let gaze = self.gaze.filter(|gaze| gaze.kind == EyeGazeKind::Joints);
        let (Some(gaze), Some(channel)) = (gaze, looking(source, played)) else { return false };
        let (up, front) = (rig.up(), rig.front().unwrap_or(Vec3::Z));
        let Some(left) = up.cross(front).try_normalize() else { return false };
        let rest = |joint: u16| rig.model_from_joint(joint).to_scale_rotation_translation().1;
        let mut is_added = false;
        for (eye, joint) in gaze.eyes.into_iter().enumerate() {
            let Some(joint) = joint.filter(|joint| usize::from(*joint) < rig.joint_count()) else { continue };
            let above = rig.parent(joint).map_or(Quat::IDENTITY, rest);
            let (rest, parent_from_model) = (rest(joint), above.conjugate());
            let turned = |look: Quat| {
                let (to_left, down) = angles(look);
                let (to_left, down) = gaze.eye_angles(to_left, down)[eye];
                parent_from_model * about(up, to_left) * about(left, down) * rest
            };
            clip.rotation_channels.retain(|other| other.joint_index != joint);
            clip.rotation_channels.push(mapped(channel, joint, turned));
            is_added = true;
        }
        is_added
    }

    /// What the gaze of an animation asks of the expressions that look somewhere: their index, and their strength along X.
    pub(super) fn look_channels(&self, source: &Self, played: &AnimationClip) -> Vec<(usize, Channel<Vec3>)> {
        let gaze: Option<EyeGaze> = self.gaze.filter(|gaze| gaze.kind == EyeGazeKind::Expressions);
        let (Some(gaze), Some(channel)) = (gaze, looking(source, played)) else { return Vec::new() };
        let of = |(at, name): (usize, &&str)| {
            let strength = |look: Quat| {
                let (to_left, down) = angles(look);
                Vec3::X * gaze.strengths(to_left, down)[at]
            };
            Some((self.expression(name).ok()?, mapped(channel, 0, strength)))
        };
        LOOKS.iter().enumerate().filter_map(of).collect()
    }
}

/// The channel by which an animation says where eyes look.
fn looking<'a>(source: &Avatar, played: &'a AnimationClip) -> Option<&'a Channel<Quat>> {
    let joint = source.gaze_joint?;
    played.rotation_channels.iter().rfind(|channel| channel.joint_index == joint && !channel.keyframes.is_empty())
}

/// The same channel for other values: key by key, and in samples where it is curved.
fn mapped<T: Clone>(channel: &Channel<Quat>, joint_index: u16, value: impl Fn(Quat) -> T) -> Channel<T> {
    let mut times: Vec<f32> = channel.keyframes.iter().map(|key| key.time).collect();
    let is_curved = channel.interpolation == Interpolation::CubicSpline;
    if is_curved && let (Some(first), Some(last)) = (times.first().copied(), times.last().copied()) {
        let count = ((last - first) * RATE).clamp(0.0, 1e5) as u32;
        times.extend((0..count).map(|sample| first + sample as f32 / RATE));
        times.sort_by(f32::total_cmp);
        times.dedup();
    }
    let key = |time: f32| Keyframe { time, value: value(sample_channel(channel, time)), tangents: None };
    let interpolation = if is_curved { Interpolation::Linear } else { channel.interpolation };
    Channel { joint_index, interpolation, keyframes: times.into_iter().map(key).collect() }
}

/// Degrees to the left and down of where a rotation looks: VRM's front is +Z, its left +X.
fn angles(look: Quat) -> (f32, f32) {
    let way = look * Vec3::Z;
    let level = (way.x * way.x + way.z * way.z).sqrt();
    (atan2(way.x, way.z).to_degrees(), atan2(-way.y, level).to_degrees())
}

fn about(axis: Vec3, degrees: f32) -> Quat {
    let (sine, cosine) = sin_cos(degrees.to_radians() * 0.5);
    Quat::from_vec4((axis * sine).extend(cosine))
}
