//! Avatar settings of a file, such as VRM: expressions, gaze, spring bones, constraints.

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

/// The avatar settings of a VRM 0.x or 1.0 file, in the terms of 1.0.
///
/// Joints are those of the file's skeleton, morph targets are slots of its [`MorphLayout`](crate::clip::MorphLayout).
/// The layers of [`procedural::avatar`](crate::procedural::avatar) play them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Avatar {
    /// The VRM version that the file states: 0 or 1.
    pub version: u8,
    /// Authors and permissions: the JSON of `meta`, verbatim; empty if there is none.
    pub meta: String,
    /// Expressions. For VRM 1.0, presets come first, then custom ones, each in alphabetical order; for 0.x they are in
    /// file order.
    pub expressions: Vec<Expression>,
    /// How the eyes follow a target; `None` if the file has no head or does not specify it.
    pub gaze: Option<EyeGaze>,
    /// Spring bones: hair, skirts, tails; each after those that it hangs from.
    pub springs: Vec<SpringJointChain>,
    /// Joints that follow other joints, each after those that it depends on.
    pub constraints: Vec<JointConstraint>,
    /// For VRM animations: joints whose X translation, from 0 to 1, is the strength of an expression. See
    /// [`Avatar::add_expression_tracks`].
    pub expression_joints: Vec<(String, u16)>,
    /// For VRM animations: the joint whose rotation is the gaze direction, relative to the head at rest. See
    /// [`Avatar::add_gaze_tracks`].
    pub gaze_joint: Option<u16>,
    /// Which meshes are visible in first person, by the glTF node that shows them; those not listed are
    /// [`FirstPerson::Auto`]. [`Avatar::seen`] evaluates it.
    pub first_person: Vec<(usize, FirstPerson)>,
}

/// In which views a mesh is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstPerson {
    /// Visible to all; for the avatar itself without the parts attached to the head.
    #[default]
    Auto,
    /// In all views.
    Both,
    /// Not in first person.
    ThirdPersonOnly,
    /// Only in first person.
    FirstPersonOnly,
}

/// A joint that follows another joint (`VRMC_node_constraint`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointConstraint {
    /// The joint that follows.
    pub joint: u16,
    /// The joint that it follows.
    pub source: u16,
    /// Weight, from 0 to 1.
    pub weight: f32,
    /// The kind of constraint.
    pub kind: ConstraintKind,
}

/// How a joint follows another joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstraintKind {
    /// Copies the source's rotation about one of its own axes: twist joints of arms.
    Roll(Vec3),
    /// Points one of its own axes, of either sign, at the source.
    Aim(Vec3),
    /// Copies the source's rotation.
    Rotation,
}
