//! The motion of a clip in double precision: the ground truth for errors.

use glam::{DMat3, DQuat, DVec3, Quat};

use super::Compression;
use super::grid::Grid;
use crate::clip::AnimationClip;
use crate::rig::Rig;
use crate::sample::sample_pose;
use crate::skeleton::JointPose;

/// One joint at all samples.
#[derive(Debug, Clone, Default)]
pub(super) struct JointMotion {
    pub parent: Option<usize>,
    /// Relative to the parent.
    pub translation: Vec<DVec3>,
    pub rotation: Vec<DQuat>,
    pub scale: Vec<DVec3>,
    /// In model space.
    pub placed: Vec<Placed>,
}

/// Where a joint is in model space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub position: DVec3,
    /// Rotation and scale of the joint and of all above it.
    pub linear: DMat3,
    /// The rotations alone.
    pub turn: DQuat,
}

impl Placed {
    const MODEL: Self = Self { position: DVec3::ZERO, linear: DMat3::IDENTITY, turn: DQuat::IDENTITY };

    /// A joint below this one.
    pub fn child(&self, translation: DVec3, rotation: DQuat, scale: DVec3) -> Self {
        let turned = DMat3::from_quat(rotation);
        let scaled = DMat3::from_cols(turned.x_axis * scale.x, turned.y_axis * scale.y, turned.z_axis * scale.z);
        Self {
            position: self.position + self.linear * translation,
            linear: self.linear * scaled,
            turn: self.turn * rotation,
        }
    }

    /// The largest distance of three points, one along each axis of the joint at a distance from it, from where they should be.
    pub fn error(&self, truth: &Self, distance: f64) -> f64 {
        let offset = self.position - truth.position;
        let mut worst = 0.0_f64;
        for axis in 0..3 {
            let (is, should) = (self.linear.col(axis), truth.linear.col(axis));
            let length = should.length();
            let reach = if length > 1e-9 { distance / length } else { 0.0 };
            worst = worst.max((offset + (is - should) * reach).length_squared());
        }
        worst.sqrt()
    }
}

/// Where joints are in model space at one time after the other.
pub(super) struct Truth<'a> {
    rig: &'a Rig,
    clip: &'a AnimationClip,
    base: Option<&'a [JointPose]>,
    pose: Vec<JointPose>,
    placed: Vec<Placed>,
}

impl<'a> Truth<'a> {
    pub fn new(rig: &'a Rig, clip: &'a AnimationClip, compression: &'a Compression) -> Self {
        let base = compression.base.as_deref();
        Self { rig, clip, base, pose: rig.skeleton().bind_pose(), placed: Vec::with_capacity(rig.joint_count()) }
    }

    /// Joint after joint, on top of the base where the clip is additive.
    pub fn at(&mut self, time: f32) -> &[Placed] {
        sample_pose(self.clip, self.rig.skeleton(), time, &mut self.pose);
        place(self.rig, self.base, |joint| self.pose[joint], &mut self.placed);
        &self.placed
    }
}

/// Puts joints into model space, each with its local pose, on top of a base where there is one.
pub(super) fn place(
    rig: &Rig,
    base: Option<&[JointPose]>,
    local: impl Fn(usize) -> JointPose,
    placed: &mut Vec<Placed>,
) {
    placed.clear();
    for joint in 0..rig.joint_count() {
        let (translation, rotation, scale) = pose_on(base, joint, local(joint));
        let above = parent_of(rig, joint).map_or(Placed::MODEL, |parent| placed[parent]);
        placed.push(above.child(translation, rotation, scale));
    }
}

fn parent_of(rig: &Rig, joint: usize) -> Option<usize> {
    rig.skeleton().joints[joint].parent.map(usize::from).filter(|&parent| parent < joint)
}

/// All joints.
pub(super) struct Authored {
    pub joints: Vec<JointMotion>,
    pub samples: usize,
    /// Whether no joint is ever scaled differently along its axes: then turns can make up for those of joints above.
    pub is_even: bool,
    /// Whether the last pose is the first one again.
    pub is_loop: bool,
}

/// How far the end of a loop may be from its beginning, as a part of the bound: what tools round by.
const CLOSED: f64 = 0.1;

impl Authored {
    /// Of a clip at the times of a grid, on top of the base where it is additive.
    pub fn of(rig: &Rig, clip: &AnimationClip, compression: &Compression, grid: &Grid) -> Self {
        let samples = grid.last + 1;
        let skeleton = rig.skeleton();
        let mut joints: Vec<JointMotion> = (0..rig.joint_count())
            .map(|joint| JointMotion { parent: parent_of(rig, joint), ..JointMotion::default() })
            .collect();
        let mut pose = skeleton.bind_pose();
        let mut is_even = true;
        for sample in 0..samples {
            sample_pose(clip, skeleton, grid.time(sample), &mut pose);
            for (index, joint) in joints.iter_mut().enumerate() {
                let (translation, rotation, scale) = pose_on(compression.base.as_deref(), index, pose[index]);
                is_even &= (scale - DVec3::splat(scale.x)).abs().max_element() <= 1e-6 * scale.x && scale.x > 0.0;
                joint.translation.push(translation);
                joint.rotation.push(rotation);
                joint.scale.push(scale);
            }
        }
        for index in 0..joints.len() {
            let placed = (0..samples).map(|sample| {
                let joint = &joints[index];
                let above = joint.parent.map_or(Placed::MODEL, |parent| joints[parent].placed[sample]);
                above.child(joint.translation[sample], joint.rotation[sample], joint.scale[sample])
            });
            joints[index].placed = placed.collect();
        }
        let bound = CLOSED * f64::from(compression.error);
        let is_closed = |(index, joint): (usize, &JointMotion)| {
            let distance = f64::from(compression.distance_of(index));
            joint.placed[samples - 1].error(&joint.placed[0], distance) <= bound
        };
        let is_loop = joints.iter().enumerate().all(is_closed);
        Self { joints, samples, is_even, is_loop }
    }

    /// Where the parent of a joint is, by what was decoded.
    pub fn above(&self, decoded: &[Vec<Placed>], joint: usize, sample: usize) -> Placed {
        self.joints[joint].parent.map_or(Placed::MODEL, |parent| decoded[parent][sample])
    }
}

/// A joint's pose, put on top of a base as additive layers do it.
pub(super) fn pose_on(base: Option<&[JointPose]>, joint: usize, pose: JointPose) -> (DVec3, DQuat, DVec3) {
    let (translation, rotation, scale) = (pose.0.as_dvec3(), unit(pose.1), pose.2.as_dvec3());
    let Some(base) = base else { return (translation, rotation, scale) };
    let Some(base) = base.get(joint) else { return (translation, rotation, scale) };
    (base.0.as_dvec3() + translation, rotation * unit(base.1), base.2.as_dvec3() * scale)
}

/// The rotation with unit length; none where there is no direction.
pub(super) fn unit(rotation: Quat) -> DQuat {
    let rotation = rotation.as_dquat();
    let length = rotation.length_squared().sqrt();
    if length > 1e-15 && length.is_finite() { rotation * (1.0 / length) } else { DQuat::IDENTITY }
}
