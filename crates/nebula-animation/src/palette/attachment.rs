use glam::{Mat4, Quat, Vec3};

use super::pose_matrix;
use crate::skeleton::{JointPose, Skeleton, UnknownJoint};
use crate::state::{StateError, StateProblem, StateReader, StateWriter, stateful};

/// Takes points from a joint's space to model space: what [`model_matrices`](super::model_matrices) finds for this joint, worked out
/// for it and the joints above it only. Nothing is allocated.
///
/// Joints beyond the end of the poses are in their rest pose; a joint that does not exist is the identity.
///
/// ```
/// use glam::Mat4;
/// use nebula_animation::{Skeleton, palette::joint_model_matrix};
///
/// let skeleton = Skeleton::default();
/// assert_eq!(joint_model_matrix(&skeleton, &skeleton.bind_pose(), 0), Mat4::IDENTITY);
/// ```
#[must_use]
pub fn joint_model_matrix(skeleton: &Skeleton, local_poses: &[JointPose], joint: u16) -> Mat4 {
    let mut matrix = Mat4::IDENTITY;
    let mut next = Some(usize::from(joint));
    while let Some(index) = next {
        let Some(joint) = skeleton.joints.get(index) else { break };
        let pose = local_poses.get(index).copied().unwrap_or_else(|| joint.bind_pose());
        matrix = pose_matrix(&pose) * matrix;
        next = joint.parent.map(usize::from).filter(|&parent| parent < index);
    }
    matrix
}

/// Something held by a joint: a sword in a hand, a hat on a head.
///
/// With `bevy_ecs` this is a component; without it, ask for the [matrix](BoneAttachment::world_matrix) once the pose of the
/// frame is final. What hangs on the thing itself is at `world_matrix * its own matrix`.
///
/// ```
/// use glam::{Mat4, Quat, Vec3};
/// use nebula_animation::{BoneAttachment, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::path::Path::new("test_assets/simple_humanoid.glb");
/// let (skeleton, _) = load_skeleton_and_clips(path)?;
/// let sword = BoneAttachment::new(&skeleton, "RightHand")?.at(Vec3::new(-0.08, 0.0, 0.0), Quat::IDENTITY);
///
/// let (pose, world_from_model) = (skeleton.bind_pose(), Mat4::from_translation(Vec3::X));
/// let world_from_sword = sword.world_matrix(&skeleton, &pose, &world_from_model);
/// let error = BoneAttachment::new(&skeleton, "hand_right").expect_err("this one has another name");
/// assert_eq!(error.near[0], "RightHand");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BoneAttachment {
    /// How the thing lies in the joint's space: translation in the joint's unit, rotation of unit length, scale. The default is
    /// to lie as the joint does.
    pub offset: JointPose,
    name: String,
    joint: Option<u16>,
    is_unscaled: bool,
}

impl BoneAttachment {
    /// Something that lies as the joint of this name does.
    ///
    /// # Errors
    /// There is no such joint; names that come close are listed.
    pub fn new(skeleton: &Skeleton, joint_name: &str) -> Result<Self, UnknownJoint> {
        let mut attachment = Self::named(joint_name);
        attachment.resolve(skeleton)?;
        Ok(attachment)
    }

    /// The same, for a skeleton that is not at hand: the joint is looked up when there is one, with
    /// [`resolve`](BoneAttachment::resolve) or by the system. Until then it is nowhere in particular: at the model's origin.
    #[must_use]
    pub fn named(joint_name: &str) -> Self {
        Self {
            offset: (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE),
            name: joint_name.to_owned(),
            joint: None,
            is_unscaled: false,
        }
    }

    /// The same with a place in the joint's space.
    #[must_use]
    pub fn at(mut self, translation: Vec3, rotation: Quat) -> Self {
        (self.offset.0, self.offset.1) = (translation, rotation);
        self
    }

    /// The same, whatever the scale of the joint: the thing keeps its own size, and its offset is in the units of model space. For rigs
    /// whose joints are scaled to a hundredth, as exporters like to make them.
    #[must_use]
    pub fn unscaled(mut self) -> Self {
        self.is_unscaled = true;
        self
    }

    // Also where it was hung on another joint.
    stateful!(flags { is_unscaled } given {} kept { offset, joint });

    /// Writes how it lies, and on which joint.
    pub(crate) fn write(&self, writer: &mut StateWriter) {
        self.write_state(writer);
    }

    /// Reads what [`write`](BoneAttachment::write) wrote, for a joint of this skeleton.
    pub(crate) fn read(&mut self, reader: &mut StateReader<'_>, skeleton: &Skeleton) -> Result<(), StateError> {
        let before = self.joint;
        self.read_state(reader)?;
        if let Some(index) = self.joint.filter(|joint| Some(*joint) != before) {
            let joint = skeleton.joints.get(usize::from(index)).ok_or(StateProblem::OutOfRange(index.into()))?;
            self.name.clone_from(&joint.name);
        }
        Ok(())
    }

    /// Looks the joint up in a skeleton. Needed again when the character gets another one.
    ///
    /// # Errors
    /// There is no such joint; names that come close are listed.
    pub fn resolve(&mut self, skeleton: &Skeleton) -> Result<u16, UnknownJoint> {
        self.joint = None;
        let joint = skeleton.require_joint(&self.name)?;
        self.joint = Some(joint);
        Ok(joint)
    }

    /// Name of the joint.
    #[must_use]
    pub fn joint_name(&self) -> &str {
        &self.name
    }

    /// Index of the joint, once it has been found.
    #[must_use]
    pub fn joint(&self) -> Option<u16> {
        self.joint
    }

    /// Takes points from the thing's space to model space, for a joint that lies there as told.
    #[must_use]
    pub fn on_joint(&self, model_from_joint: &Mat4) -> Mat4 {
        let offset = pose_matrix(&self.offset);
        if !self.is_unscaled {
            return *model_from_joint * offset;
        }
        let (_, rotation, translation) = model_from_joint.to_scale_rotation_translation();
        let rotation = if rotation.is_finite() { rotation } else { Quat::IDENTITY };
        Mat4::from_rotation_translation(rotation, translation) * offset
    }

    /// Takes points from the thing's space to model space.
    #[must_use]
    pub fn model_matrix(&self, skeleton: &Skeleton, local_poses: &[JointPose]) -> Mat4 {
        let joint = self.joint.map(|joint| joint_model_matrix(skeleton, local_poses, joint));
        self.on_joint(&joint.unwrap_or(Mat4::IDENTITY))
    }

    /// Takes points from the thing's space to world space, for a character that stands in the world as `world_from_model`
    /// says.
    #[must_use]
    pub fn world_matrix(&self, skeleton: &Skeleton, local_poses: &[JointPose], world_from_model: &Mat4) -> Mat4 {
        *world_from_model * self.model_matrix(skeleton, local_poses)
    }
}
