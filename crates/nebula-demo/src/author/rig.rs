use glam::{DMat4, DQuat, DVec3};

/// A hierarchy of joints in its rest pose, parents before their children.
#[derive(Clone, Debug, Default)]
pub(super) struct Rig {
    pub joints: Vec<RigJoint>,
}

/// One joint of a [`Rig`].
#[derive(Clone, Debug)]
pub(super) struct RigJoint {
    pub name: String,
    pub parent: Option<usize>,
    /// Where the joint rests, in model space, in metres.
    pub position: DVec3,
    /// How the joint's own axes rest in model space.
    pub axes: DQuat,
}

impl Rig {
    /// Adds a joint whose axes rest parallel to the model's, and returns its index.
    pub fn add(&mut self, name: &str, parent: Option<usize>, position: DVec3) -> usize {
        self.add_with_axes(name, parent, position, DQuat::IDENTITY)
    }

    /// Adds a joint with axes of its own, and returns its index.
    pub fn add_with_axes(&mut self, name: &str, parent: Option<usize>, position: DVec3, axes: DQuat) -> usize {
        self.joints.push(RigJoint { name: name.to_owned(), parent, position, axes });
        self.joints.len() - 1
    }

    /// The vector from the parent's place to the joint's, in the model's axes.
    pub fn offset(&self, joint: usize) -> DVec3 {
        let joint = &self.joints[joint];
        joint.position - joint.parent.map_or(DVec3::ZERO, |parent| self.joints[parent].position)
    }

    /// The axes of the joint's parent at rest.
    pub fn parent_axes(&self, joint: usize) -> DQuat {
        self.joints[joint].parent.map_or(DQuat::IDENTITY, |parent| self.joints[parent].axes)
    }

    /// The joint's rest translation and rotation in its parent's frame, as glTF stores them.
    pub fn local_rest(&self, joint: usize) -> (DVec3, DQuat) {
        let from_model = self.parent_axes(joint).inverse();
        (from_model * self.offset(joint), from_model * self.joints[joint].axes)
    }

    /// The matrix that takes a bound vertex from model space into the joint's frame.
    pub fn inverse_bind(&self, joint: usize) -> DMat4 {
        let joint = &self.joints[joint];
        let into_joint = joint.axes.inverse();
        DMat4::from_rotation_translation(into_joint, into_joint * -joint.position)
    }
}
