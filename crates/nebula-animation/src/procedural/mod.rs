//! Poses that answer to the world: layers that bend what the clips gave, in a stack.
//!
//! A [`ProceduralLayer`] changes a pose after it was sampled and before it becomes matrices. A
//! [`ProceduralAnimationStack`] holds layers in order, and applies each with its own weight.

mod aim;
mod breathing;
mod facing;
mod fade;
pub mod feet;
mod humanoid;
pub mod ik;
mod layer;
mod lean;
mod look_at;
mod pose;
mod rest;
mod scratch;
#[cfg(test)]
mod seed_003;
pub mod springs;
mod stack;
mod turn;
mod warnings;

pub use aim::{AimJoint, AimLayer};
pub use breathing::BreathingLayer;
pub use fade::{Fade, Faded};
pub use layer::{ProceduralContext, ProceduralLayer, ShownClip};
pub use lean::LeanLayer;
pub use look_at::LookAtLayer;
pub use pose::ModelPose;
pub use rest::RestPose;
pub use stack::ProceduralAnimationStack;

/// Weights below this count as zero: their layers are not evaluated.
pub(crate) const LEAST_WEIGHT: f32 = 1e-6;
