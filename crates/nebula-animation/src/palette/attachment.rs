use glam::{Mat3, Mat4, Quat, Vec3};

use super::pose_matrix;
use crate::skeleton::{JointPose, Skeleton, UnknownJoint};
use crate::state::{StateError, StateProblem, StateReader, StateWriter, stateful};

/// The matrix from joint space to model space, as computed by [`model_matrices`](super::model_matrices), for a single
/// joint. Only the joint and its ancestors are computed, without allocating.
///
/// Joints beyond the end of the poses are in their rest pose; a joint that does not exist gives the identity.
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

/// Attaches an object to a joint: a sword to a hand, a hat to a head.
///
/// It has its own size, and its offset is in metres (the unit of model space), whatever the joint's scale: rigs with
/// joints scaled to a hundredth are common. With [`with_joint_scale`](BoneAttachment::with_joint_scale), it scales with
/// the joint instead. If the whole character is scaled, by `world_from_model`, its attachments are too.
///
/// With `bevy_ecs` this is a component. Without it, ask for the [matrix](BoneAttachment::world_matrix) once the frame's
/// pose is final. An object attached to this one is at `world_matrix * its own matrix`.
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
    /// The offset along the joint's axes: translation in metres from the joint's origin, rotation of unit length,
    /// scale. The default is no offset. [With the joint's scale](BoneAttachment::with_joint_scale), the translation is
    /// in the joint's unit.
    pub offset: JointPose,
    name: String,
    joint: Option<u16>,
    is_unscaled: bool,
}

impl BoneAttachment {
    /// Attaches an object to the joint with this name, without offset.
    ///
    /// # Errors
    /// There is no such joint; similar names are listed.
    pub fn new(skeleton: &Skeleton, joint_name: &str) -> Result<Self, UnknownJoint> {
        let mut attachment = Self::named(joint_name);
        attachment.resolve(skeleton)?;
        Ok(attachment)
    }

    /// The same, without a skeleton at hand: the joint is looked up later, by [`resolve`](BoneAttachment::resolve) or
    /// by the ECS system. Until then, the attachment is at the model's origin.
    #[must_use]
    pub fn named(joint_name: &str) -> Self {
        Self {
            offset: (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE),
            name: joint_name.to_owned(),
            joint: None,
            is_unscaled: true,
        }
    }

    /// The same, with an offset along the joint's axes, in metres.
    #[must_use]
    pub fn at(mut self, translation: Vec3, rotation: Quat) -> Self {
        (self.offset.0, self.offset.1) = (translation, rotation);
        self
    }

    /// The same, as a part of the joint: its scale, shear and mirroring, including those of its ancestors, also apply
    /// to the object and its offset. Use it for what stretches with an animated joint, or was modelled in the joint's
    /// own unit.
    ///
    /// ```
    /// use glam::{Mat4, Quat, Vec3};
    /// use nebula_animation::BoneAttachment;
    ///
    /// let hundredth = Mat4::from_scale(Vec3::splat(0.01));
    /// let sword = BoneAttachment::named("hand").at(Vec3::Y * 0.1, Quat::IDENTITY);
    /// assert_eq!(sword.on_joint(&hundredth).transform_point3(Vec3::Y), Vec3::Y * 1.1);
    /// let part = sword.with_joint_scale();
    /// assert!(part.on_joint(&hundredth).transform_point3(Vec3::Y).abs_diff_eq(Vec3::Y * 0.011, 1e-6));
    /// ```
    #[must_use]
    pub fn with_joint_scale(mut self) -> Self {
        self.is_unscaled = false;
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

    /// Looks the joint up in a skeleton. Call it again when the character gets another one.
    ///
    /// # Errors
    /// There is no such joint; similar names are listed.
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

    /// The matrix from attachment space to model space, given that of the joint.
    ///
    /// If the joint is sheared, the object takes the direction of the X axis, and of the Y axis as far as a right angle
    /// allows. It is not mirrored with a mirrored joint, whose Z axis is flipped for it. If a scale is zero, the
    /// remaining axes decide; if there are fewer than two, the object is aligned with the axes of the model. It always
    /// keeps its own size.
    #[must_use]
    pub fn on_joint(&self, model_from_joint: &Mat4) -> Mat4 {
        let offset = pose_matrix(&self.offset);
        if !self.is_unscaled {
            return *model_from_joint * offset;
        }
        let [x, y, z] =
            [model_from_joint.x_axis, model_from_joint.y_axis, model_from_joint.z_axis].map(|axis| axis.truncate());
        // Axes of unit length that span as much as a cube stand at right angles: there is nothing to be taken out.
        let is_one = |product: f32| (product - 1.0).abs() < 1e-6;
        let products = [x.length_squared(), y.length_squared(), z.length_squared(), x.cross(y).dot(z)];
        if products.into_iter().all(is_one) {
            return *model_from_joint * offset;
        }
        let [x, y, z] = [x, y, z].map(direction);
        let axes = axes_along(x, y, z);
        Mat4::from_mat3_translation(axes, model_from_joint.w_axis.truncate()) * offset
    }

    /// The matrix from attachment space to model space.
    #[must_use]
    pub fn model_matrix(&self, skeleton: &Skeleton, local_poses: &[JointPose]) -> Mat4 {
        let joint = self.joint.map(|joint| joint_model_matrix(skeleton, local_poses, joint));
        self.on_joint(&joint.unwrap_or(Mat4::IDENTITY))
    }

    /// The matrix from attachment space to world space, for a character with the transform `world_from_model`.
    #[must_use]
    pub fn world_matrix(&self, skeleton: &Skeleton, local_poses: &[JointPose], world_from_model: &Mat4) -> Mat4 {
        *world_from_model * self.model_matrix(skeleton, local_poses)
    }
}

/// An axis at unit length, also of the smallest scales; none where there is no direction.
fn direction(axis: Vec3) -> Option<Vec3> {
    (axis / axis.abs().max_element()).try_normalize()
}

/// Three axes at right angles, right-handed, along those that there are.
fn axes_along(x: Option<Vec3>, y: Option<Vec3>, z: Option<Vec3>) -> Mat3 {
    // What is left of the second one at a right angle to the first.
    let square = |first: Vec3, second: Vec3| (second - first * first.dot(second)).try_normalize();
    let known = match (x, y, z) {
        (Some(x), Some(y), _) => square(x, y).map(|y| (x, y)),
        _ => None,
    };
    let known = known.or_else(|| match (x, y, z) {
        (Some(x), _, Some(z)) => square(x, z).map(|z| (x, z.cross(x))),
        (None, Some(y), Some(z)) => square(y, z).map(|z| (y.cross(z), y)),
        _ => None,
    });
    known.map_or(Mat3::IDENTITY, |(x, y)| Mat3::from_cols(x, y, x.cross(y)))
}
