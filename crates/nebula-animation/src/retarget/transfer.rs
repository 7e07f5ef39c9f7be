use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::fold::Lost;
use super::ground::Ground;
use super::map_channel;
use super::mirror::carry_scale;
use super::names::partners;
use super::rest::Rest;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::skeleton::Skeleton;

/// How a [`Retarget`] treats two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetargetOptions {
    /// Bones whose directions in the two rest poses differ by more than this many radians are turned to the source's
    /// direction first: arms that rest at the sides (A-pose) and arms that rest stretched out (T-pose). Smaller angles are
    /// taken for anatomy and left alone. Default 0.35 (20 degrees); infinite, or not a number, for never.
    pub align_beyond: f32,
    /// Whether the body is moved up or down so that its lowest foot is as far from the ground as the source's, in
    /// proportion to the legs: feet of other shapes neither float nor sink in. Default true.
    pub keeps_ground_contact: bool,
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self { align_beyond: 0.35, keeps_ground_contact: true }
    }
}

/// Takes clips that were made for one skeleton to another one with the same joint names.
///
/// Rotations are taken over as turns away from the rest pose in model space, so that axes of joints do not matter.
/// Translations are taken over as ways from the rest pose: in proportion to the bone, and for the hips and everything above
/// them in proportion to the legs. Scales are factors of the rest scale.
///
/// Joints are partners where their names are equal, also apart from capitals, punctuation and prefixes such as
/// `mixamorig:`. Joints without a partner are not animated, but what the source turns there is not lost: the joints below
/// take it over. [`missing_in_target`](Retarget::missing_in_target) and
/// [`missing_in_source`](Retarget::missing_in_source) list them.
///
/// ```
/// # use std::path::Path;
/// use nebula_animation::{Retarget, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
/// let (source, clips) = load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))?;
/// let mut giant = source.clone();
/// for joint in &mut giant.joints {
///     joint.bind_translation *= 2.0;
/// }
/// let retarget = Retarget::new(&source, &giant);
/// assert!(retarget.missing_in_target().is_empty());
/// assert!((retarget.proportion() - 2.0).abs() < 1e-6);
/// let walk_of_giants = retarget.clip(&clips[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Retarget {
    /// For each joint of the source.
    joints: Vec<Option<JointTransfer>>,
    missing_in_target: Vec<u16>,
    missing_in_source: Vec<u16>,
    /// For each joint of the target that is turned to another rest direction, its joint of the source and its rotation
    /// while that one is at rest.
    aligned: Vec<(u16, u16, Quat)>,
    proportion: f64,
    ground: Option<Ground>,
    lost: Vec<Lost>,
    /// The parents of the source's joints.
    parents: Vec<Option<usize>>,
}

/// How values of one joint become values of its partner.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointTransfer {
    pub partner: u16,
    /// `r' = before * r * after`.
    pub before: DQuat,
    pub after: DQuat,
    /// Takes a way from rest over.
    shift: DMat3,
    rest_translations: [DVec3; 2],
    /// The partner's axes in those of the joint.
    axes: DMat3,
    rest_scales: [DVec3; 2],
}

impl Retarget {
    /// From one skeleton to another, with default options.
    #[must_use]
    pub fn new(source: &Skeleton, target: &Skeleton) -> Self {
        Self::with_options(source, target, RetargetOptions::default())
    }

    /// From one skeleton to another.
    #[must_use]
    pub fn with_options(source: &Skeleton, target: &Skeleton, options: RetargetOptions) -> Self {
        let (from, to) = (Rest::of(source), Rest::of(target));
        let pairs = partners(source, target);
        let mut sources: Vec<Option<usize>> = vec![None; target.joints.len()];
        for (joint, partner) in pairs.iter().enumerate() {
            if let Some(partner) = partner {
                sources[usize::from(*partner)] = Some(joint);
            }
        }
        let ground = Ground::new(source, target, [&from, &to], &pairs);
        let proportion =
            ground.as_ref().map_or_else(|| ratio(to.height(), from.height(), 1.0), |ground| ground.proportion);
        let turns = alignments(&from, &to, &sources, f64::from(options.align_beyond));
        let transfer = |joint: usize, partner: u16| {
            let target_joint = usize::from(partner);
            let (own, other) = (&source.joints[joint], &target.joints[target_joint]);
            let outer = to.parent(target_joint).map_or(DQuat::IDENTITY, |parent| turns[parent] * to.rotations[parent]);
            let before = outer.inverse() * from.parent_rotation(joint);
            let after = from.rotations[joint].inverse() * turns[target_joint] * to.rotations[target_joint];
            let is_moved_by_legs =
                ground.as_ref().map_or(from.parent(joint).is_none(), |ground| ground.carries(joint, &from));
            let length = from.offset(joint).length();
            let factor = if is_moved_by_legs || !(length > 1e-6 * from.height()) {
                proportion
            } else {
                ratio(to.offset(target_joint).length(), length, proportion)
            };
            JointTransfer {
                partner,
                before,
                after,
                shift: DMat3::from_quat(before) * (factor * from.parent_scale(joint) / to.parent_scale(target_joint)),
                rest_translations: [own.bind_translation.as_dvec3(), other.bind_translation.as_dvec3()],
                axes: DMat3::from_quat(after),
                rest_scales: [own.bind_scale.as_dvec3(), other.bind_scale.as_dvec3()],
            }
        };
        let joints: Vec<_> =
            pairs.iter().enumerate().map(|(joint, partner)| partner.map(|partner| transfer(joint, partner))).collect();
        let aligned = sources.iter().enumerate().filter_map(|(target_joint, joint)| {
            let joint = (*joint)?;
            let outer = to.parent(target_joint).map_or(DQuat::IDENTITY, |parent| turns[parent]);
            let is_turned = outer.dot(turns[target_joint]).abs() < 1.0 - 1e-9;
            let rotation = joints[joint]?.rotation(&source.joints[joint].bind_rotation);
            is_turned.then_some((target_joint as u16, joint as u16, rotation))
        });
        let missing = |partners: Vec<bool>| -> Vec<u16> {
            partners.iter().enumerate().filter(|(_, is_paired)| !**is_paired).map(|(joint, _)| joint as u16).collect()
        };
        Self {
            aligned: aligned.collect(),
            lost: Lost::find(&from, &joints),
            joints,
            missing_in_target: missing(pairs.iter().map(Option::is_some).collect()),
            missing_in_source: missing(sources.iter().map(Option::is_some).collect()),
            proportion,
            ground: ground.filter(|_| options.keeps_ground_contact),
            parents: from.parents().to_vec(),
        }
    }

    /// Joints of the source that the target lacks. Their turns are taken over by the joints below them that it has; their
    /// translations and scales are lost.
    #[must_use]
    pub fn missing_in_target(&self) -> &[u16] {
        &self.missing_in_target
    }

    /// Joints of the target that the source lacks: they stay at rest.
    #[must_use]
    pub fn missing_in_source(&self) -> &[u16] {
        &self.missing_in_source
    }

    /// Length of the target's legs in lengths of the source's: the factor for steps, hips and root motion. Of bodies that do
    /// not stand, the ratio of their heights.
    #[must_use]
    pub fn proportion(&self) -> f32 {
        self.proportion as f32
    }

    /// The clip for the target. Times, name and interpolation stay as they are, but that the up and down of the hips may
    /// get more keyframes to keep the feet on the ground. Morph weights are left out: another body has another face.
    #[must_use]
    pub fn clip(&self, clip: &AnimationClip) -> AnimationClip {
        let joint = |index: u16| self.joints.get(usize::from(index)).and_then(Option::as_ref);
        let mut made = AnimationClip { name: clip.name.clone(), duration: clip.duration, ..AnimationClip::default() };
        for channel in &clip.translation_channels {
            if let Some(joint) = joint(channel.joint_index) {
                let [from, to] = joint.rest_translations;
                let linear = |value: &Vec3| (joint.shift * value.as_dvec3()).as_vec3();
                let value = |value: &Vec3| (to + joint.shift * (value.as_dvec3() - from)).as_vec3();
                made.translation_channels.push(map_channel(channel, joint.partner, value, linear));
            }
        }
        for channel in &clip.rotation_channels {
            if let Some(joint) = joint(channel.joint_index) {
                let map = |value: &Quat| joint.rotation(value);
                made.rotation_channels.push(map_channel(channel, joint.partner, map, map));
            }
        }
        for channel in &clip.scale_channels {
            if let Some(joint) = joint(channel.joint_index) {
                let map = |value: &Vec3| carry_scale(joint.axes, joint.rest_scales, value);
                made.scale_channels.push(map_channel(channel, joint.partner, map, map));
            }
        }
        self.hold_aligned(clip, &mut made);
        for lost in &self.lost {
            lost.fold(clip, &mut made);
        }
        if let Some(ground) = &self.ground {
            ground.keep_contact(clip, &mut made);
        }
        made
    }

    /// Turned joints above moving ones have to be turned also where nothing moves them.
    fn hold_aligned(&self, clip: &AnimationClip, made: &mut AnimationClip) {
        let moved = clip.rotation_channels.iter().filter(|channel| !channel.keyframes.is_empty());
        let moved: Vec<usize> = moved.map(|channel| usize::from(channel.joint_index)).collect();
        for &(target_joint, joint, rotation) in &self.aligned {
            let joint = usize::from(joint);
            let is_below = |mut at: usize| loop {
                match self.parents.get(at).copied().flatten() {
                    Some(parent) if parent == joint => break true,
                    Some(parent) => at = parent,
                    None => break false,
                }
            };
            if !moved.contains(&joint) && moved.iter().any(|at| is_below(*at)) {
                made.rotation_channels.push(Channel {
                    joint_index: target_joint,
                    interpolation: Interpolation::Step,
                    keyframes: vec![Keyframe { time: 0.0, value: rotation, tangents: None }],
                });
            }
        }
    }
}

impl JointTransfer {
    /// Linear in the quaternion, so that tangents go the same way.
    fn rotation(&self, value: &Quat) -> Quat {
        (self.before * value.as_dquat() * self.after).as_quat()
    }
}

fn ratio(target: f64, source: f64, otherwise: f64) -> f64 {
    let ratio = target / source;
    if ratio > 0.0 && ratio.is_finite() { ratio } else { otherwise }
}

/// For each joint of the target the turn in model space that makes its bone point where the source's points.
fn alignments(from: &Rest, to: &Rest, sources: &[Option<usize>], beyond: f64) -> Vec<DQuat> {
    let mut turns: Vec<DQuat> = Vec::with_capacity(sources.len());
    for joint in 0..sources.len() {
        let outer = to.parent(joint).map_or(DQuat::IDENTITY, |parent| turns[parent]);
        // A bone points at the only child that both skeletons have. Where there are several or none, the joint goes with
        // the bone above it.
        let mut children =
            (joint + 1..sources.len()).filter(|child| to.parent(*child) == Some(joint) && sources[*child].is_some());
        let only_child = children.next().filter(|_| children.next().is_none());
        let directions = only_child.zip(sources[joint]).and_then(|(child, source)| {
            let source_child = sources[child]?;
            let direction = to.positions[child] - to.positions[joint];
            let source_direction = from.positions[source_child] - from.positions[source];
            Some((direction.try_normalize()?, source_direction.try_normalize()?))
        });
        turns.push(match directions {
            None => outer,
            Some((direction, source_direction)) if direction.angle_between(source_direction) > beyond => {
                DQuat::from_rotation_arc(direction, source_direction)
            }
            Some(_) => DQuat::IDENTITY,
        });
    }
    turns
}
