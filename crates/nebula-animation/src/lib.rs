//! Skeletal animation: load a glTF character, sample its clips, hand the GPU the skinning matrices.
//!
//! One frame is a pipeline, and the modules are its stages: [`asset`] reads a file into a [`skeleton`] and [`clip`]s,
//! [`sample`] finds the pose at a time, [`palette`] turns it into matrices, and a [`player`] does both as time passes.
//!
//! ```
//! use glam::Mat4;
//! use nebula_animation::{load_skeleton_and_clips, model_matrices, sample_pose, skinning_matrices};
//!
//! # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
//! # let path = std::path::Path::new("test_assets/simple_humanoid.glb");
//! let (skeleton, clips) = load_skeleton_and_clips(path)?;
//! let mut pose = skeleton.bind_pose();
//! let mut palette = vec![Mat4::IDENTITY; skeleton.joints.len()];
//!
//! sample_pose(&clips[0], &skeleton, 0.5, &mut pose);
//! model_matrices(&skeleton, &pose, &mut palette);
//! skinning_matrices(&skeleton, &mut palette); // ready for the GPU
//! # Ok(())
//! # }
//! ```
//!
//! # Conventions
//! Right-handed, Y up, as glTF. Matrices multiply column vectors: `model_from_joint * joint_from_bind`. Quaternions
//! are `xyzw`, angles radians, times seconds, lengths the file's unit (metres in glTF).
//!
//! # Features
//! - `gltf` (default): the [`asset`] module. Without it and `ecs`, the crate stands on `glam`, `log` and `thiserror`
//!   alone.
//! - `ecs` (default): the [`ecs`] module, components and systems for `bevy_ecs` 0.18.

/// Numerical helpers.
mod math;

/// Joints, their hierarchy and poses.
pub mod skeleton;

/// Keyframes, channels, clips, and how files want them played.
pub mod clip;

/// The pose of a clip at a time.
pub mod sample;

/// glTF files: skeletons, skins, animations, meshes.
#[cfg(feature = "gltf")]
pub mod asset;

/// Skeletons and clips in the form that evaluation wants.
pub mod compile;

/// Local poses to skinning matrices.
pub mod palette;

/// Players: one clip on one skeleton, through time.
pub mod player;

/// Thousands of characters in one call.
pub mod crowd;

/// Layers that bend a pose after it was sampled.
pub mod procedural;

/// Components, systems and messages for `bevy_ecs`.
#[cfg(feature = "ecs")]
pub mod ecs;

#[cfg(feature = "gltf")]
pub use asset::{AnimationLoadError, Asset, LoadOptions, load_skeleton_and_clips};
pub use clip::{AnimationClip, Channel, ClipEntry, ClipEntryError, Interpolation, Keyframe};
pub use clip::{AnimationClipLibrary, Clock, ClockState, Marker, MarkerHit, MarkersBetween};
pub use compile::{CompileReport, CompiledClip, Rig};
pub use crowd::{Crowd, CrowdCharacter, CrowdClipId, CrowdRigId};
#[cfg(feature = "ecs")]
pub use ecs::{
    AnimationFinished, AnimationLooped, AnimationSet, ChildOffset, ModelOffset, SharedSkeleton, Time, Transform,
    Velocity, WorldMatrix, add_animation_systems, animation_playback_system, attachment_system,
    procedural_animation_system,
};
pub use math::isa::Isa;
pub use palette::{BoneAttachment, Evaluator, PaletteRows, joint_model_matrix, model_matrices, skinning_matrices};
pub use player::{
    Advance, AnimationPlayer, Character, advance_and_sample, advance_time, compute_world_matrices, sample_clip,
};
pub use procedural::feet::{ContactTrack, FeetRig, FootPlacement, GroundPoint, GroundQuery};
pub use procedural::ik::{ChainIk, TwoBoneIk};
pub use procedural::springs::{SpringChain, SpringCollider, SpringSettings};
pub use procedural::{AimJoint, AimLayer, BreathingLayer, Fade, Faded, LeanLayer, LookAtLayer, ModelPose, RestPose};
pub use procedural::{ProceduralAnimationStack, ProceduralContext, ProceduralLayer, ShownClip};
pub use sample::{Interpolatable, sample_channel, sample_pose};
pub use skeleton::{HumanoidJoint, HumanoidMap, Joint, JointPose, MissingJoints, Side, Skeleton, UnknownJoint};

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "gltf", feature = "ecs"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
