//! What a file says of how its body moves by itself: expressions, a gaze, springs, constraints. VRM files do.

mod expression;
mod gaze;
mod look;
mod spring;
mod view;

use glam::Vec3;

pub use expression::{Expression, Override, UnknownExpression};
pub use gaze::{EyeGaze, EyeGazeKind, EyeRange};
pub use spring::{JointCollider, JointColliderShape, SpringJoint, SpringJointChain};
pub use view::{Eyes, Seen};

/// The settings of an avatar: those of VRM 0.x and 1.0 files, in the terms of 1.0.
///
/// Joints are those of the file's skeleton, morph targets the slots of its [`MorphLayout`](crate::clip::MorphLayout). The layers of
/// [`procedural::avatar`](crate::procedural::avatar) play them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Avatar {
    /// The version of VRM that the file states: 0 or 1.
    pub version: u8,
    /// What the file says of its authors and of who may use it: the JSON of its `meta`, as it stands there; empty where there is none.
    pub meta: String,
    /// Faces by name: of VRM 1.0 presets first, then the author's own, each by the alphabet; of 0.x in file order.
    pub expressions: Vec<Expression>,
    /// How the eyes follow a target; `None` where the file has no head or says nothing of it.
    pub gaze: Option<EyeGaze>,
    /// What swings: hair, skirts, tails; each behind those that it hangs from.
    pub springs: Vec<SpringJointChain>,
    /// Joints that follow other joints, each behind those that it needs.
    pub constraints: Vec<JointConstraint>,
    /// Of VRM animations: joints whose way along X, from 0 to 1, is the strength of an expression; see [`Avatar::add_expression_tracks`].
    pub expression_joints: Vec<(String, u16)>,
    /// Of VRM animations: the joint whose rotation is where the eyes look, against the head at rest; see [`Avatar::add_gaze_tracks`].
    pub gaze_joint: Option<u16>,
    /// Which meshes are seen through the avatar's own eyes, by the glTF node that shows them; those that are not listed are
    /// [`FirstPerson::Auto`]. [`Avatar::seen`] answers by it.
    pub first_person: Vec<(usize, FirstPerson)>,
}

/// Through whose eyes a mesh is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstPerson {
    /// Without what hangs from the head, for the avatar itself.
    #[default]
    Auto,
    /// By everybody.
    Both,
    /// By others only.
    ThirdPersonOnly,
    /// By the avatar itself only.
    FirstPersonOnly,
}

/// A joint that follows another one; `VRMC_node_constraint`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointConstraint {
    /// The joint that follows.
    pub joint: u16,
    /// The joint that it follows.
    pub source: u16,
    /// How much, from 0 to 1.
    pub weight: f32,
    /// In which way.
    pub kind: ConstraintKind,
}

/// How a joint follows another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstraintKind {
    /// It turns as the source does about one of its own axes: twist joints of arms.
    Roll(Vec3),
    /// One of its own axes, of either sign, points to the source.
    Aim(Vec3),
    /// It turns as the source does.
    Rotation,
}
