use glam::Vec3;

/// A chain of spring bones, as VRM describes it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpringJointChain {
    /// The author's name; may be empty.
    pub name: String,
    /// The joints, each before those below it.
    pub bones: Vec<SpringJoint>,
    /// Colliders that keep them out, or in.
    pub colliders: Vec<JointCollider>,
    /// The joint relative to which motion counts: what moves with it does not swing. `None` means the world.
    pub center: Option<u16>,
}

/// One spring bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringJoint {
    /// The joint that rotates.
    pub joint: u16,
    /// Where its bone ends, in its own space.
    pub tail: Vec3,
    /// Radius of that end in metres, for collisions; default 0.
    pub radius: f32,
    /// How strongly it returns to the pose, in metres per second; default 1.
    pub stiffness: f32,
    /// Strength of gravity, in metres per second; default 0.
    pub gravity_power: f32,
    /// Direction of gravity in world space; default down.
    pub gravity: Vec3,
    /// The fraction of its motion that is lost per 1/60 s, from 0 to 1; default 0.5.
    pub drag: f32,
}

impl Default for SpringJoint {
    fn default() -> Self {
        Self {
            joint: 0,
            tail: Vec3::ZERO,
            radius: 0.0,
            stiffness: 1.0,
            gravity_power: 0.0,
            gravity: Vec3::NEG_Y,
            drag: 0.5,
        }
    }
}

/// A collider that moves with a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointCollider {
    /// The joint it is attached to.
    pub joint: u16,
    /// Its shape, in the joint's own space.
    pub shape: JointColliderShape,
}

/// The shape of a collider. Radii are in metres in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointColliderShape {
    /// A sphere or, if the ends differ, a capsule.
    Capsule {
        /// The ends of its axis.
        ends: [Vec3; 2],
        /// Its radius.
        radius: f32,
        /// Whether springs are kept inside of it instead.
        is_inside: bool,
    },
    /// Everything below a plane.
    Plane {
        /// A point of the plane.
        point: Vec3,
        /// The side on which springs stay; any length.
        normal: Vec3,
    },
}
