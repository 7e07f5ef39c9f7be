//! Procedural animation: a stack of layers that adapt the pose of the clips to the world.
//!
//! A [`ProceduralLayer`] changes a pose after it was sampled and before it becomes matrices. A
//! [`ProceduralAnimationStack`] applies layers in order, each with its own weight. With `bevy_ecs` the stack is a
//! component. Without it, a frame is:
//!
//! ```
//! use glam::{Affine3A, Vec3};
//! use nebula_animation::{
//!     AnimationPlayer, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig, compute_world_matrices,
//!     load_skeleton_and_clips, player::advance_and_sample,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = std::path::Path::new("test_assets/simple_humanoid.glb");
//! let (skeleton, clips) = load_skeleton_and_clips(path)?;
//! let rig = Rig::new(&skeleton);
//! let mut player = AnimationPlayer::new(0, clips[0].duration, skeleton.joints.len());
//! let mut stack = ProceduralAnimationStack::default();
//! stack.push(rig.humanoid().breathing()?);
//! stack.push(rig.humanoid().aim(&rig, Vec3::new(1.0, 1.7, 3.0))?);
//!
//! let world_from_model = Affine3A::IDENTITY; // Where the character stands.
//! for frame in 1..=60 {
//!     advance_and_sample(&mut player, &skeleton, &clips, 1.0 / 60.0);
//!     let context = ProceduralContext {
//!         dt: 1.0 / 60.0,
//!         elapsed: frame as f32 / 60.0,
//!         entity_position: Vec3::ZERO,
//!         entity_forward: Vec3::Z,
//!         velocity: Vec3::ZERO,
//!     };
//!     stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut player.local_poses, world_from_model));
//!     compute_world_matrices(&mut player, &skeleton);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Facing
//! An entity looks along -Z, a character in a glTF file along +Z. Layers that know the rig do not depend on either: the
//! front is that of the rest pose, detected from toes and from left and right ([`Rig::front`](crate::Rig::front)), or
//! given in [`RigOptions`](crate::rig::RigOptions). Only if the rig does not tell is the entity's forward direction
//! used.

mod abreast;
mod aim;
pub mod avatar;
mod body_lean;
mod breathing;
mod changes;
mod explain;
mod fade;
pub mod feet;
mod humanoid;
pub mod ik;
mod layer;
mod lean;
mod local;
mod look_at;
mod placed;
mod pose;
#[cfg(test)]
mod printed_tests;
mod scratch;
pub mod springs;
mod stack;
mod turn;
mod warnings;

pub(crate) use abreast::{Member, apply_abreast};
pub use aim::{AimJoint, AimLayer};
pub use body_lean::BodyLean;
pub use breathing::BreathingLayer;
pub(crate) use explain::{Asked, Trace};
pub use fade::{Faded, WeightFade};
pub use layer::{CloneLayer, ProceduralContext, ProceduralLayer};
pub use lean::LeanLayer;
pub(crate) use local::{with_eight, with_lanes};
pub use look_at::LookAtLayer;
pub use pose::ModelPose;
pub use stack::ProceduralAnimationStack;

/// Weights below this count as zero: their layers are not evaluated.
pub(crate) const LEAST_WEIGHT: f32 = 1e-6;
