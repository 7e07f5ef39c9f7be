use glam::{DMat4, DQuat, DVec3};

use super::delta::{RootDelta, turned};
use super::track::RootTrack;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::sample::sample_pose;
use crate::skeleton::{JointPose, Skeleton};

/// What of a joint's motion is the character's way through the world.
///
/// The default is a walk over the ground: X, Z and the turn about Y of joint 0. Axes are those of the model.
///
/// ```
/// use nebula_animation::RootMotionOptions;
///
/// let climbing = RootMotionOptions { y: true, ..RootMotionOptions::of_joint(3) };
/// assert!(climbing.x && climbing.yaw);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootMotionOptions {
    /// Index of the joint: a root on the ground, or the hips.
    pub joint: u16,
    /// Whether its way along X is taken out of the pose; default true.
    pub x: bool,
    /// Whether its way up and down is taken out; default false.
    pub y: bool,
    /// Whether its way along Z is taken out; default true.
    pub z: bool,
    /// Whether its turn about Y is taken out; default true.
    pub yaw: bool,
}

impl Default for RootMotionOptions {
    fn default() -> Self {
        Self::of_joint(0)
    }
}

impl RootMotionOptions {
    /// The default for a joint.
    #[must_use]
    pub fn of_joint(joint: u16) -> Self {
        Self { joint, x: true, y: false, z: true, yaw: true }
    }

    fn mask(&self) -> DVec3 {
        DVec3::new(f64::from(u8::from(self.x)), f64::from(u8::from(self.y)), f64::from(u8::from(self.z)))
    }
}

/// Keyframes of curved ways lie at most this many seconds apart, and no further than this many radians.
const LONGEST_GAP: f64 = 1.0 / 240.0;
const LARGEST_TURN: f64 = 0.01;
/// More keyframes than this are not made of one gap.
const MOST_PARTS: f64 = 4096.0;

/// Splits a clip into one on the spot and the way of its root: what the options name rests in the clip, and moves in the
/// track. Both together are the clip again.
///
/// A joint that the skeleton lacks, or that the clip does not move, leaves the clip as it is, with a track that stays at rest.
///
/// ```
/// # use std::path::Path;
/// use nebula_animation::{Clock, RootMotionOptions, extract_root_motion, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
/// let (skeleton, clips) = load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))?;
/// let walk = clips.iter().find(|clip| clip.name == "walk_root_motion").expect("it is there");
/// let (on_the_spot, way) = extract_root_motion(walk, &skeleton, &RootMotionOptions::default());
/// let steps = way.motion(&Clock::looping(walk.duration.into()), 0.0, 20.0);
/// assert!((steps.translation.z - 12.0).abs() < 1e-5);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn extract_root_motion(
    clip: &AnimationClip,
    skeleton: &Skeleton,
    options: &RootMotionOptions,
) -> (AnimationClip, RootTrack) {
    let joint = usize::from(options.joint);
    let mut chain: Vec<usize> = Vec::new();
    let mut at = skeleton.joints.get(joint).map(|_| joint);
    while let Some(current) = at {
        chain.push(current);
        at = skeleton.joints[current].parent.map(usize::from).filter(|parent| *parent < current);
    }
    let is_in_chain = |index: u16| chain.contains(&usize::from(index));
    let moves = clip.translation_channels.iter().any(|channel| is_in_chain(channel.joint_index))
        || clip.rotation_channels.iter().any(|channel| is_in_chain(channel.joint_index));
    if !moves {
        return (clip.clone(), RootTrack::default());
    }
    let mut body = Body { clip, skeleton, chain: &chain, options, pose: skeleton.bind_pose() };
    let places = body.places();
    let mut split = clip.clone();
    body.put_in_place(&places, &mut split);
    (split, RootTrack::from_keys(places.iter().map(|&(time, place)| (f64::from(time), place))))
}

struct Body<'a> {
    clip: &'a AnimationClip,
    skeleton: &'a Skeleton,
    /// The joint and all above it, upwards.
    chain: &'a [usize],
    options: &'a RootMotionOptions,
    pose: Vec<JointPose>,
}

impl Body<'_> {
    /// Where the root is at every time that matters.
    fn places(&mut self) -> Vec<(f32, RootDelta)> {
        let (parent, local) = transforms(self.skeleton, self.chain, &self.skeleton.bind_pose());
        let rest = parent * local;
        let times = self.times();
        let mut places: Vec<(f32, RootDelta)> = Vec::with_capacity(times.len());
        for time in times {
            let before = places.last().copied();
            let place = self.place(time, &rest, before.map_or(0.0, |(_, place)| place.yaw));
            // Turns take more keyframes than straight ways.
            if let Some((start, from)) = before {
                let parts = ((place.yaw - from.yaw).abs() / LARGEST_TURN).ceil().clamp(1.0, MOST_PARTS) as u32;
                for part in 1..parts {
                    let between = start + (time - start) * (part as f32 / parts as f32);
                    let yaw = places.last().map_or(0.0, |(_, place)| place.yaw);
                    places.push((between, self.place(between, &rest, yaw)));
                }
            }
            let yaw = places.last().map_or(0.0, |(_, place)| place.yaw);
            places.push((time, self.place(time, &rest, yaw)));
        }
        places
    }

    /// What is taken out at a time; its turn is the one nearest to `near`.
    fn place(&mut self, time: f32, rest: &DMat4, near: f64) -> RootDelta {
        sample_pose(self.clip, self.skeleton, time, &mut self.pose);
        let (parent, local) = transforms(self.skeleton, self.chain, &self.pose);
        let model = parent * local;
        let yaw = if self.options.yaw { yaw_of(rotation_of(&model) * rotation_of(rest).inverse(), near) } else { 0.0 };
        let step = model.w_axis.truncate() - turned(rest.w_axis.truncate(), yaw);
        RootDelta { translation: step * self.options.mask(), yaw }
    }

    /// The keys of the joint and of all above it, with more between them where their way is not straight.
    fn times(&self) -> Vec<f32> {
        let mut times = vec![0.0];
        let mut is_curved = self.chain.len() > 1;
        fn collect<T: Clone>(channel: &Channel<T>, times: &mut Vec<f32>, is_curved: &mut bool) {
            for key in &channel.keyframes {
                if channel.interpolation == Interpolation::Step {
                    times.push(key.time.next_down());
                }
                times.push(key.time);
            }
            *is_curved |= channel.interpolation == Interpolation::CubicSpline;
        }
        let is_in_chain = |index: u16| self.chain.contains(&usize::from(index));
        for channel in self.clip.translation_channels.iter().filter(|channel| is_in_chain(channel.joint_index)) {
            collect(channel, &mut times, &mut is_curved);
        }
        for channel in self.clip.rotation_channels.iter().filter(|channel| is_in_chain(channel.joint_index)) {
            collect(channel, &mut times, &mut is_curved);
        }
        times.push(self.clip.duration);
        times.retain(|time| time.is_finite() && *time >= 0.0);
        times.sort_by(f32::total_cmp);
        times.dedup();
        if !is_curved {
            return times;
        }
        let mut dense = vec![times[0]];
        for pair in times.windows(2) {
            let parts = (f64::from(pair[1] - pair[0]) / LONGEST_GAP).ceil().clamp(1.0, MOST_PARTS) as u32;
            dense.extend((1..=parts).map(|part| match part {
                _ if part == parts => pair[1],
                _ => pair[0] + (pair[1] - pair[0]) * (part as f32 / parts as f32),
            }));
        }
        dense
    }

    /// Gives the joint the keys that are left when the places are taken out.
    fn put_in_place(&mut self, places: &[(f32, RootDelta)], split: &mut AnimationClip) {
        let joint = self.options.joint;
        let mut translations = Vec::with_capacity(places.len());
        let mut rotations = Vec::with_capacity(places.len());
        let mut sign = DQuat::IDENTITY;
        for &(time, place) in places {
            sample_pose(self.clip, self.skeleton, time, &mut self.pose);
            let (parent, local) = transforms(self.skeleton, self.chain, &self.pose);
            let back = place.inverse();
            let back = DMat4::from_rotation_translation(DQuat::from_rotation_y(back.yaw), back.translation);
            let left = parent.inverse() * back * parent;
            let translation = left.transform_point3(local.w_axis.truncate());
            let rotation = rotation_of(&left) * self.pose[usize::from(joint)].1.as_dquat();
            sign = if sign.dot(rotation) < 0.0 { -rotation } else { rotation };
            if !translation.is_finite() || !rotation.is_finite() {
                return;
            }
            translations.push(Keyframe { time, value: translation.as_vec3(), tangents: None });
            rotations.push(Keyframe { time, value: sign.as_quat(), tangents: None });
        }
        let channel = |keyframes| Channel { joint_index: joint, interpolation: Interpolation::Linear, keyframes };
        split.translation_channels.retain(|channel| channel.joint_index != joint);
        split.translation_channels.push(channel(translations));
        if self.options.yaw && places.iter().any(|(_, place)| place.yaw != 0.0) {
            split.rotation_channels.retain(|channel| channel.joint_index != joint);
            split.rotation_channels.push(Channel {
                joint_index: joint,
                interpolation: Interpolation::Linear,
                keyframes: rotations,
            });
        }
    }
}

/// `model_from_parent` and `parent_from_joint` of the first joint of a chain.
fn transforms(skeleton: &Skeleton, chain: &[usize], pose: &[JointPose]) -> (DMat4, DMat4) {
    let local = |joint: usize| {
        let (translation, rotation, scale) = pose.get(joint).copied().unwrap_or(skeleton.joints[joint].bind_pose());
        DMat4::from_scale_rotation_translation(scale.as_dvec3(), rotation.as_dquat(), translation.as_dvec3())
    };
    let parent = chain[1..].iter().rev().fold(DMat4::IDENTITY, |outer, joint| outer * local(*joint));
    (parent, local(chain[0]))
}

/// The rotation in a matrix, without its scale.
fn rotation_of(matrix: &DMat4) -> DQuat {
    let (_, rotation, _) = matrix.to_scale_rotation_translation();
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}

/// The part of a rotation that turns about Y, by as many whole turns as bring it nearest to another one.
fn yaw_of(rotation: DQuat, near: f64) -> f64 {
    let length = rotation.y.hypot(rotation.w);
    if !(length > 1e-9) {
        // Upside down, every turn is as good as any other.
        return near;
    }
    let yaw = 2.0 * (rotation.y / length).atan2(rotation.w / length);
    let turns = ((near - yaw) / std::f64::consts::TAU).round();
    yaw + turns * std::f64::consts::TAU
}
