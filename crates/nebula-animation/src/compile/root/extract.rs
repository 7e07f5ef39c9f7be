use glam::{DMat4, DQuat, DVec3};

use super::delta::{RootDelta, turned};
use super::track::RootTrack;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::sample::sample_pose;
use crate::skeleton::{JointPose, Skeleton};

/// Which part of a joint's motion counts as root motion.
///
/// The default is a walk over the ground: X, Z and the rotation about Y of joint 0. Axes are those of the model.
///
/// ```
/// use nebula_animation::compile::RootMotionOptions;
///
/// let climbing = RootMotionOptions { y: true, ..RootMotionOptions::of_joint(3) };
/// assert!(climbing.x && climbing.yaw);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootMotionOptions {
    /// Index of the joint: a root on the ground, or the hips.
    pub joint: u16,
    /// Whether its motion along X is extracted from the pose; default true.
    pub x: bool,
    /// Whether its vertical motion is extracted; default false.
    pub y: bool,
    /// Whether its motion along Z is extracted; default true.
    pub z: bool,
    /// Whether its rotation about Y is extracted; default true.
    pub yaw: bool,
}

impl Default for RootMotionOptions {
    fn default() -> Self {
        Self::of_joint(0)
    }
}

impl RootMotionOptions {
    /// The default, for a given joint.
    #[must_use]
    pub fn of_joint(joint: u16) -> Self {
        Self { joint, x: true, y: false, z: true, yaw: true }
    }

    fn mask(&self) -> DVec3 {
        DVec3::new(f64::from(u8::from(self.x)), f64::from(u8::from(self.y)), f64::from(u8::from(self.z)))
    }
}

/// How far a straight line between two keyframes may be from the way, as a share of how far the joint is from the origin,
/// and in radians. Several times what rounding makes of a pose.
const TOLERANCE: f64 = 1e-5;
/// Gaps of so many seconds are not cut any more: nobody moves that wildly.
const SHORTEST_GAP: f32 = 1.0 / 1000.0;
/// Into how many parts a gap between two keyframes is cut at most: two to this power.
const MOST_CUTS: u32 = 12;

/// Splits a clip into an in-place clip and a root motion track: what the options name is constant in the clip and moves
/// in the track. Combined, they are the original clip.
///
/// If the skeleton lacks the joint, or the clip does not move it, the clip is unchanged and the track is constant.
///
/// ```
/// # use std::path::Path;
/// use nebula_animation::{Clock, compile::{RootMotionOptions, extract_root_motion}, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
/// let (skeleton, clips) = load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))?;
/// let walk = clips.iter().find(|clip| clip.name == "walk_root_motion").expect("it is there");
/// let (on_the_spot, way) = extract_root_motion(walk, &skeleton, &RootMotionOptions::default());
/// let steps = way.motion(&Clock::looping(walk.duration.into()), 0.0, 20.0);
/// assert!((steps.translation.z - 28.0).abs() < 1e-5);
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
    let moved = AnimationClip {
        translation_channels: filtered(&clip.translation_channels, is_in_chain),
        rotation_channels: filtered(&clip.rotation_channels, is_in_chain),
        scale_channels: filtered(&clip.scale_channels, is_in_chain),
        ..AnimationClip { name: String::new(), duration: clip.duration, ..AnimationClip::default() }
    };
    let rest = {
        let (parent, local) = transforms(skeleton, &chain, &skeleton.bind_pose());
        parent * local
    };
    let mut body = Body { clip: &moved, skeleton, chain: &chain, options, rest, pose: skeleton.bind_pose() };
    let moments = body.moments();
    let mut split = clip.clone();
    put_in_place(options, &moments, &mut split);
    let keys = moments.iter().map(|moment| (f64::from(moment.time), moment.place));
    (split, RootTrack::from_keys(keys))
}

fn filtered<T: Clone>(channels: &[Channel<T>], is_wanted: impl Fn(u16) -> bool) -> Vec<Channel<T>> {
    channels.iter().filter(|channel| is_wanted(channel.joint_index)).cloned().collect()
}

struct Body<'a> {
    /// Moves the chain only.
    clip: &'a AnimationClip,
    skeleton: &'a Skeleton,
    /// The joint and all above it, upwards.
    chain: &'a [usize],
    options: &'a RootMotionOptions,
    /// `model_from_joint` at rest.
    rest: DMat4,
    pose: Vec<JointPose>,
}

/// The joint at one time.
#[derive(Debug, Clone, Copy)]
struct Moment {
    time: f32,
    /// What is taken out.
    place: RootDelta,
    /// What is left, relative to the parent.
    translation: DVec3,
    rotation: DQuat,
    /// What is left, in model space.
    position: DVec3,
    /// How far the joint is from the origin before anything is taken out.
    distance: f64,
}

impl Body<'_> {
    /// The joint at all keyframes of the chain, and between them where its way is not straight.
    fn moments(&mut self) -> Vec<Moment> {
        let times = self.times();
        let mut moments = vec![self.moment(times[0], 0.0)];
        for time in times.into_iter().skip(1) {
            self.go_on(&mut moments, time, MOST_CUTS);
        }
        moments
    }

    /// Adds moments up to a time, so many that the lines between them are as good as the way.
    fn go_on(&mut self, moments: &mut Vec<Moment>, time: f32, cuts: u32) {
        let Some(&from) = moments.last() else { return };
        let to = self.moment(time, from.place.yaw);
        let middle = from.time + 0.5 * (time - from.time);
        let can_be_cut = cuts > 0 && time - from.time > SHORTEST_GAP;
        if can_be_cut && [0.5, 0.3].into_iter().any(|fraction| !self.is_straight(&from, &to, fraction)) {
            self.go_on(moments, middle, cuts - 1);
            self.go_on(moments, time, cuts - 1);
        } else {
            moments.push(to);
        }
    }

    fn is_straight(&mut self, from: &Moment, to: &Moment, fraction: f32) -> bool {
        let now = self.moment(from.time + (to.time - from.time) * fraction, from.place.yaw);
        let fraction = f64::from(fraction);
        let place = from.place.translation.lerp(to.place.translation, fraction);
        let yaw = from.place.yaw + (to.place.yaw - from.place.yaw) * fraction;
        let rotation = from.rotation.slerp(to.rotation, fraction);
        let far = (now.place.translation - place)
            .length()
            .max((now.position - from.position.lerp(to.position, fraction)).length());
        let apart = (now.rotation - rotation).length().min((now.rotation + rotation).length());
        // Slerp in `f32` is good to half of that.
        far <= TOLERANCE * (0.1 + now.distance) && (now.place.yaw - yaw).abs().max(2.0 * apart) <= 2.0 * TOLERANCE
    }

    /// The joint at a time; its turn is the one nearest to `near`.
    fn moment(&mut self, time: f32, near: f64) -> Moment {
        sample_pose(self.clip, self.skeleton, time, &mut self.pose);
        let (parent, local) = transforms(self.skeleton, self.chain, &self.pose);
        let model = parent * local;
        let turn = rotation_of(&model) * rotation_of(&self.rest).inverse();
        let yaw = if self.options.yaw { yaw_of(turn, near) } else { 0.0 };
        let position = model.w_axis.truncate();
        let step = position - turned(self.rest.w_axis.truncate(), yaw);
        let place = RootDelta { translation: step * self.options.mask(), yaw };
        let back = place.inverse();
        let back = DMat4::from_rotation_translation(DQuat::from_rotation_y(back.yaw), back.translation);
        let left = parent.inverse() * back * parent;
        Moment {
            time,
            place,
            translation: left.transform_point3(local.w_axis.truncate()),
            rotation: rotation_of(&left) * self.pose[self.chain[0]].1.as_dquat(),
            position: back.transform_point3(position),
            distance: position.length(),
        }
    }

    /// The keyframes of the joint and of all above it.
    fn times(&self) -> Vec<f32> {
        fn collect<T: Clone>(channels: &[Channel<T>], times: &mut Vec<f32>) {
            for channel in channels {
                for key in &channel.keyframes {
                    if channel.interpolation == Interpolation::Step {
                        times.push(key.time.next_down());
                    }
                    times.push(key.time);
                }
            }
        }
        let mut times = vec![0.0, self.clip.duration];
        collect(&self.clip.translation_channels, &mut times);
        collect(&self.clip.rotation_channels, &mut times);
        times.retain(|time| time.is_finite() && *time >= 0.0);
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }
}

/// Gives the joint the keyframes that are left when the places are taken out.
fn put_in_place(options: &RootMotionOptions, moments: &[Moment], split: &mut AnimationClip) {
    let joint_index = options.joint;
    if !moments.iter().all(|moment| moment.translation.is_finite() && moment.rotation.is_finite()) {
        return;
    }
    let key = |moment: &Moment| Keyframe { time: moment.time, value: moment.translation.as_vec3(), tangents: None };
    let keyframes = moments.iter().map(key).collect();
    split.translation_channels.retain(|channel| channel.joint_index != joint_index);
    split.translation_channels.push(Channel { joint_index, interpolation: Interpolation::Linear, keyframes });
    if moments.iter().any(|moment| moment.place.yaw != 0.0) {
        let key = |moment: &Moment| Keyframe { time: moment.time, value: moment.rotation.as_quat(), tangents: None };
        let keyframes = moments.iter().map(key).collect();
        split.rotation_channels.retain(|channel| channel.joint_index != joint_index);
        split.rotation_channels.push(Channel { joint_index, interpolation: Interpolation::Linear, keyframes });
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
