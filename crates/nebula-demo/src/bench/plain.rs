use glam::Mat4;
use nebula_animation::{
    AnimationClip, JointPose, Skeleton,
    palette::{model_matrices, skinning_matrices},
    sample_pose,
};

/// The plain path over the authored clips: a binary search per channel, slerp, matrices down the hierarchy, matrices
/// times inverse bind matrices. Holds the memory for one character.
#[derive(Debug, Clone)]
pub struct Plain {
    /// The pose of the last call, relative to parents.
    pub pose: Vec<JointPose>,
    other_pose: Vec<JointPose>,
}

/// An authored clip at a time.
#[derive(Debug, Clone, Copy)]
pub struct PlainLayer<'a> {
    /// The clip.
    pub clip: &'a AnimationClip,
    /// Seconds from its start.
    pub time: f32,
}

impl Plain {
    /// For characters with this skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        Self { pose: skeleton.bind_pose(), other_pose: skeleton.bind_pose() }
    }

    /// Finds the local pose of a clip.
    pub fn sample(&mut self, skeleton: &Skeleton, layer: PlainLayer) {
        sample_pose(layer.clip, skeleton, layer.time, &mut self.pose);
    }

    /// Finds the local pose a fraction `weight` of the way from one clip to another.
    pub fn blend(&mut self, skeleton: &Skeleton, from: PlainLayer, to: PlainLayer, weight: f32) {
        sample_pose(from.clip, skeleton, from.time, &mut self.pose);
        sample_pose(to.clip, skeleton, to.time, &mut self.other_pose);
        for (joint, other) in self.pose.iter_mut().zip(&self.other_pose) {
            joint.0 = joint.0.lerp(other.0, weight);
            joint.1 = joint.1.slerp(other.1, weight);
            joint.2 = joint.2.lerp(other.2, weight);
        }
    }

    /// Turns the local pose into skinning matrices.
    pub fn palette(&self, skeleton: &Skeleton, palette: &mut [Mat4]) {
        model_matrices(skeleton, &self.pose, palette);
        skinning_matrices(skeleton, palette);
    }
}
