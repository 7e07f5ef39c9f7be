use glam::Vec3;

/// Joints that swing one below the other, as VRM describes them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpringJointChain {
    /// The author's name, may be empty.
    pub name: String,
    /// The joints, each before those below it.
    pub bones: Vec<SpringJoint>,
    /// What keeps them out, or in.
    pub colliders: Vec<JointCollider>,
    /// The joint in whose space motion counts: what moves with it does not swing. `None` is the world.
    pub center: Option<u16>,
}

/// One joint that swings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringJoint {
    /// The joint that turns.
    pub joint: u16,
    /// Where its bone ends, in its own space.
    pub tail: Vec3,
    /// Radius of that end in metres, for colliders; default 0.
    pub radius: f32,
    /// How strongly it returns to the pose, in metres per second; default 1.
    pub stiffness: f32,
    /// How strongly it falls, in metres per second; default 0.
    pub gravity_power: f32,
    /// Where it falls to, in the world; default downwards.
    pub gravity: Vec3,
    /// The part of its motion that is lost, from 0 to 1, in each 1/60 s; default 0.5.
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

/// What keeps springs out, and moves with a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointCollider {
    /// The joint that carries it.
    pub joint: u16,
    /// Its form, in the joint's own space.
    pub shape: JointColliderShape,
}

/// The form of a collider. Radii are metres of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointColliderShape {
    /// A ball or, where both ends differ, a capsule.
    Capsule {
        /// The ends of its axis.
        ends: [Vec3; 2],
        /// Its radius.
        radius: f32,
        /// Whether springs are kept inside of it instead.
        is_inside: bool,
    },
    /// All below a plane.
    Plane {
        /// A point of the plane.
        point: Vec3,
        /// The side on which springs stay; any length.
        normal: Vec3,
    },
}
