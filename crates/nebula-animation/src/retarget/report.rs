//! Which joints are paired, and why others are not.

use std::fmt;

use glam::Vec3;
use thiserror::Error;

use crate::skeleton::{Finger, HumanoidJoint, MissingJoints, Side};

/// A joint of the target that follows one of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointPair {
    /// Index in the source's skeleton.
    pub source: u16,
    /// Index in the target's skeleton.
    pub target: u16,
    /// Why they are paired.
    pub by: PairedBy,
}

/// Why two joints are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairedBy {
    /// Both have this role in a humanoid.
    Meaning(HumanoidJoint),
    /// Both are this joint of a finger, counted from the hand.
    Finger(Side, Finger, u8),
    /// They have the same name, ignoring case, punctuation and prefixes.
    Name,
    /// The target's joint is in the same place as a paired one, below the same joint: two palms of one hand.
    Twin,
}

impl fmt::Display for PairedBy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meaning(joint) => joint.fmt(formatter),
            Self::Finger(side, finger, place) => {
                let side = if *side == Side::Left { "left" } else { "right" };
                write!(formatter, "{side} {finger}, joint {}", place + 1)
            }
            Self::Name => formatter.write_str("by name"),
            Self::Twin => formatter.write_str("next to a paired joint"),
        }
    }
}

/// A joint without a counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unpaired {
    /// Index in its own skeleton.
    pub joint: u16,
    /// Why.
    pub why: WhyUnpaired,
}

/// Why a joint has no counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WhyUnpaired {
    /// The other body has no such joint.
    NoSuchJoint(HumanoidJoint),
    /// It has no humanoid role, and the other skeleton has no joint with that name.
    NoSuchName,
    /// It shares the twist of the target's limb that it lies in, so it needs no counterpart.
    SharesTwist,
}

impl fmt::Display for WhyUnpaired {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchJoint(joint) => write!(formatter, "the other body has no {joint}"),
            Self::NoSuchName => formatter.write_str("the other body has no joint with that name"),
            Self::SharesTwist => formatter.write_str("shares the twist of its limb"),
        }
    }
}

/// What a [`Retarget`](super::Retarget) found out about two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct RetargetReport {
    /// The paired joints, in the order of the target's joints.
    pub pairs: Vec<JointPair>,
    /// Joints of the source without a counterpart, in order.
    pub missing_in_target: Vec<Unpaired>,
    /// Joints of the target without a counterpart, in order. They stay at rest, except those that share the twist of a
    /// limb.
    pub missing_in_source: Vec<Unpaired>,
    /// `true` if both are humans, so that joints were paired by role.
    pub is_humanoid: bool,
    /// The facing of source and target in model space; `None` if it is unknown and assumed to be that of the other.
    pub fronts: [Option<Vec3>; 2],
    /// Leg length of the target, as a multiple of the source's.
    pub proportion: f32,
    /// Whether the soles of meshes are kept on the ground, or only points estimated from joints; `None` if neither.
    pub soles: Option<Soles>,
    /// Names of the source's morph targets that the target has too: their weights are transferred.
    pub morphs: Vec<String>,
    /// Names of the source's morph targets that the target lacks; empty strings for unnamed ones.
    pub missing_morphs: Vec<String>,
}

/// What is kept on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Soles {
    /// Points of both meshes.
    OfMeshes,
    /// Points estimated from the joints, if there is no mesh.
    Guessed,
}

/// Why clips cannot be transferred from one body to another.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RetargetError {
    /// No joint of one has a partner in the other.
    #[error(
        "none of {} joints of the source has a counterpart among {} joints of the target: neither names nor roles match",
        .0.missing_in_target.len(), .0.missing_in_source.len()
    )]
    NoPairs(Box<RetargetReport>),
    /// Only one of the two is a human.
    #[error("the {which} is not a human, but the other one is: {why}")]
    NotHuman {
        /// `source` or `target`.
        which: &'static str,
        /// What speaks against it.
        why: MissingJoints,
    },
}
