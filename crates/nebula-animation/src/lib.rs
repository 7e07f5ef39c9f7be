//! Skeletal animation: load a glTF character, sample its clips, hand the GPU the skinning matrices.
//!
//! One frame is a pipeline, and the modules are its stages: [`asset`] reads a file into a [`skeleton`] and [`clip`]s,
//! [`sample`] finds the pose at a time, [`palette`] turns it into matrices, and a [`player`] does both as time passes. Between
//! the two, [`procedural`] layers bend the pose: looks, leans, breath.
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
//! - `gltf` (default): the [`asset`] module. Without it, `documents` and `ecs`, the crate stands on `glam`, `log` and `thiserror`
//!   alone.
//! - `documents` (default): state machines from JSON, [`StateMachine::from_json`].
//! - `ecs` (default): the [`ecs`] module, components and systems for `bevy_ecs` 0.18.
//! - `gpu`: the `gpu` module, palettes and skinning on `wgpu` 28. The application picks the backends. The text of the
//!   shaders is in [`shader`] without it.
//! - `parallel`: crowds on all cores.

/// Numerical helpers.
mod math;

/// Joints, their hierarchy and poses.
pub mod skeleton;

/// Keyframes, channels, clips, and how files want them played.
pub mod clip;

/// The pose of a clip at a time.
pub mod sample;

/// Clips for other bodies: other proportions, left and right exchanged.
pub mod retarget;

/// glTF files: skeletons, skins, animations, meshes.
#[cfg(feature = "gltf")]
pub mod asset;

/// Skeletons and clips in the form that evaluation wants.
pub mod compile;

/// Local poses to skinning matrices.
pub mod palette;

/// Vertices in a pose on the CPU, and bounds that follow it.
pub mod skinning;

/// The text of the shaders, for any version of `wgpu`.
pub mod shader;

/// Players: one clip on one skeleton, through time.
pub mod player;

/// Several clips at once: blends, cross-fades, layers.
pub mod mixer;

/// Thousands of characters in one call.
pub mod crowd;

/// Layers that bend a pose after it was sampled.
pub mod procedural;

/// Components, systems and messages for `bevy_ecs`.
#[cfg(feature = "ecs")]
pub mod ecs;

/// Palettes and skinning on the GPU, with `wgpu`.
#[cfg(feature = "gpu")]
pub mod gpu;

#[cfg(feature = "gltf")]
pub use asset::{AnimationLoadError, Asset, LoadOptions, load_skeleton_and_clips};
pub use clip::{AnimationClip, Channel, ClipEntry, ClipEntryError, Interpolation, Keyframe};
pub use clip::{ClipMarkers, Clock, ClockState, Marker, MarkerHit, MarkersBetween};
pub use compile::{AnimationClipLibrary, CompileReport, CompiledClip, Rig};
pub use crowd::{Crowd, CrowdCharacter, CrowdClipId, CrowdRigId};
#[cfg(feature = "ecs")]
pub use ecs::{
    AnimationEvent, AnimationFinished, AnimationLooped, AnimationSet, ChildOffset, ModelOffset, RootMotion,
    SharedSkeleton, Time, Transform, Velocity, WorldMatrix, add_animation_systems, animation_playback_system,
    attachment_system, procedural_animation_system,
};
pub use math::isa::Isa;
pub use mixer::{
    AnimationAction, AnimationMixer, BlendInput, BlendMode, Blender, Cue, Fade, FadeCurve, MixedCharacter, MixerEvent,
    MixerLayer, Motion, PlayError, blend_poses, update_mixer,
};
pub use mixer::{
    BlendDocument, BlendSample, BlendSampleDocument, BlendSpace, BlendSpaceError, BlendWeights, Interruption,
    MachineDocument, MachineError, ParameterId, ParameterValue, RootDelta, RootMotionOptions, RootTrack, RootTracks,
    StateDocument, StateMachine, StateMachinePlayer, TransitionDocument, extract_root_motion,
};
pub use palette::{BoneAttachment, Evaluator, PaletteRows, joint_model_matrix, model_matrices, skinning_matrices};
pub use player::{
    Advance, AnimationPlayer, Character, advance_and_sample, advance_time, compute_world_matrices, sample_clip,
};
pub use procedural::feet::{ContactTrack, FeetRig, FootPlacement, GroundPoint, GroundQuery};
pub use procedural::ik::{ChainIk, TwoBoneIk};
pub use procedural::springs::{SpringChain, SpringCollider, SpringSettings};
pub use procedural::{
    AimJoint, AimLayer, BreathingLayer, Faded, LeanLayer, LookAtLayer, ModelPose, RestPose, WeightFade,
};
pub use procedural::{ProceduralAnimationStack, ProceduralContext, ProceduralLayer, ShownClip};
pub use retarget::{Mirror, Retarget, RetargetOptions};
pub use sample::{Interpolatable, additive_clip, additive_clip_from_frame, sample_channel, sample_pose};
pub use skeleton::{
    HumanoidJoint, HumanoidMap, Joint, JointMask, JointPose, MissingJoints, Side, Skeleton, UnknownJoint,
};

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "gltf", feature = "ecs", feature = "gpu"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
