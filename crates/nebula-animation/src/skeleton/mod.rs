//! The joint hierarchy, in evaluation order.

mod humanoid;
mod mask;
mod names;

use glam::{Mat4, Quat, Vec3};

pub use humanoid::{Evidence, Finger, HumanoidJoint, HumanoidMap, MissingJoints, NotHuman, Side};
pub use mask::JointMask;
pub use names::UnknownJoint;
pub(crate) use names::{listed, near_names, quoted};

/// The pose of one joint relative to its parent: translation (metres, or the file's unit), rotation
/// (a unit quaternion, xyzw) and scale (a factor per axis).
///
/// The matrix of a pose is `translation * rotation * scale`, for column vectors.
pub type JointPose = (Vec3, Quat, Vec3);

/// A single joint in the skeleton hierarchy.
///
/// ```
/// use glam::{Mat4, Quat, Vec3};
/// use nebula_animation::Joint;
///
/// let head = Joint {
///     index: 1,
///     parent: Some(0),
///     inverse_bind_matrix: Mat4::from_translation(Vec3::new(0.0, -1.6, 0.0)),
///     name: "Head".into(),
///     bind_translation: Vec3::new(0.0, 0.2, 0.0),
///     bind_rotation: Quat::IDENTITY,
///     bind_scale: Vec3::ONE,
/// };
/// assert_eq!(head.bind_pose().0.y, 0.2);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "bone")]
pub struct Joint {
    /// Index of this joint in [`Skeleton::joints`].
    pub index: u16,
    /// Index of the parent joint, always smaller than [`Joint::index`]; `None` for root joints.
    pub parent: Option<u16>,
    /// The matrix from mesh space to this joint's space in the bind pose. The identity for helper joints, which no
    /// vertex refers to.
    pub inverse_bind_matrix: Mat4,
    /// Name of the glTF node, for instance `"Hips"`. Names need not be unique.
    pub name: String,
    /// Rest translation relative to the parent, in the file's unit (metres in glTF).
    pub bind_translation: Vec3,
    /// Rest rotation relative to the parent; unit length.
    pub bind_rotation: Quat,
    /// Rest scale relative to the parent: a factor per axis, 1 for none.
    pub bind_scale: Vec3,
}

impl Joint {
    /// The rest pose of this joint, relative to its parent.
    #[must_use]
    pub fn bind_pose(&self) -> JointPose {
        (self.bind_translation, self.bind_rotation, self.bind_scale)
    }
}

/// All joints of a character, parents before children.
///
/// ```
/// use nebula_animation::Skeleton;
///
/// let skeleton = Skeleton { joints: Vec::new() };
/// assert_eq!(skeleton.joint_by_name("Hips"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skeleton {
    /// Ordered joints: a joint's index is its position here, and a parent always comes before its
    /// children, so that one forward pass composes the whole hierarchy.
    pub joints: Vec<Joint>,
}

impl From<&Self> for Skeleton {
    fn from(skeleton: &Self) -> Self {
        skeleton.clone()
    }
}

impl Skeleton {
    /// Index of the first joint with this name.
    ///
    /// This is a linear search: look joints up once, when you set up the character, and keep the index.
    #[must_use]
    pub fn joint_by_name(&self, name: &str) -> Option<u16> {
        self.joints.iter().find(|joint| joint.name == name).map(|joint| joint.index)
    }

    /// The rest pose, one entry per joint.
    #[must_use]
    pub fn bind_pose(&self) -> Vec<JointPose> {
        self.joints.iter().map(Joint::bind_pose).collect()
    }
}
