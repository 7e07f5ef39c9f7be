use glam::{DMat3, DMat4, DQuat, DVec3};

use crate::skeleton::{Joint, JointPose, Skeleton};

/// A skeleton's rest pose in model space, in `f64`.
#[derive(Debug, Clone)]
pub(super) struct Rest {
    /// Turns the joint's axes into the model's.
    pub rotations: Vec<DQuat>,
    pub positions: Vec<DVec3>,
    /// The scale from the joint's space to model space; above 0.
    pub scales: Vec<f64>,
    parents: Vec<Option<usize>>,
}

impl Rest {
    pub fn of(skeleton: &Skeleton) -> Self {
        let parents: Vec<_> =
            skeleton.joints.iter().enumerate().map(|(index, joint)| parent_of(index, joint)).collect();
        let matrices = model_matrices(&parents, skeleton.joints.iter().map(Joint::bind_pose));
        let mut rotations: Vec<DQuat> = Vec::with_capacity(parents.len());
        for (joint, parent) in skeleton.joints.iter().zip(&parents) {
            let outer = parent.map_or(DQuat::IDENTITY, |parent| rotations[parent]);
            rotations.push(outer * unit(joint.bind_rotation.as_dquat()));
        }
        let scale = |matrix: &DMat4| {
            let scale = DMat3::from_mat4(*matrix).determinant().abs().cbrt();
            if scale > 0.0 && scale.is_finite() { scale } else { 1.0 }
        };
        let position = |matrix: &DMat4| if matrix.is_finite() { matrix.w_axis.truncate() } else { DVec3::ZERO };
        Self {
            rotations,
            positions: matrices.iter().map(position).collect(),
            scales: matrices.iter().map(scale).collect(),
            parents,
        }
    }

    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.parents[joint]
    }

    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Turns the axes of the joint's parent into the model's.
    pub fn parent_rotation(&self, joint: usize) -> DQuat {
        self.parents[joint].map_or(DQuat::IDENTITY, |parent| self.rotations[parent])
    }

    pub fn parent_scale(&self, joint: usize) -> f64 {
        self.parents[joint].map_or(1.0, |parent| self.scales[parent])
    }

    /// From the parent's place to the joint's, in model space.
    pub fn offset(&self, joint: usize) -> DVec3 {
        self.positions[joint] - self.parents[joint].map_or(DVec3::ZERO, |parent| self.positions[parent])
    }

    /// How far the joints are apart from the lowest to the highest.
    pub fn height(&self) -> f64 {
        let heights = || self.positions.iter().map(|position| position.y);
        let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        if high > low { high - low } else { 0.0 }
    }

    /// Whether a joint is another one or below it.
    pub fn is_within(&self, joint: usize, ancestor: usize) -> bool {
        let mut at = Some(joint);
        while let Some(current) = at.filter(|current| *current >= ancestor) {
            if current == ancestor {
                return true;
            }
            at = self.parents[current];
        }
        false
    }
}

/// The parent, where the skeleton keeps its promise that it comes first.
fn parent_of(index: usize, joint: &Joint) -> Option<usize> {
    joint.parent.map(usize::from).filter(|parent| *parent < index)
}

/// `model_from_joint` of every joint of a local pose.
pub(super) fn model_matrices(parents: &[Option<usize>], pose: impl IntoIterator<Item = JointPose>) -> Vec<DMat4> {
    let mut matrices: Vec<DMat4> = Vec::with_capacity(parents.len());
    for (parent, (translation, rotation, scale)) in parents.iter().zip(pose) {
        let local =
            DMat4::from_scale_rotation_translation(scale.as_dvec3(), unit(rotation.as_dquat()), translation.as_dvec3());
        matrices.push(parent.map_or(local, |parent| matrices[parent] * local));
    }
    matrices
}

/// The quaternion of unit length, or the identity if there is none.
pub(super) fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation / length } else { DQuat::IDENTITY }
}
