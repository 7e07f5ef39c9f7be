//! Skeletal animation: load a glTF character, play and blend its clips, adjust the pose, and get the skinning matrices.
//!
//! ```
//! use nebula_animation::{Character, Surroundings, load_skeleton_and_clips};
//!
//! # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
//! let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
//! let mut character = Character::new(skeleton, &clips);
//! for _frame in 0..60 {
//!     character.update(1.0 / 60.0, &Surroundings::default());
//!     let palette: &[glam::Mat4] = character.palette(); // one matrix per joint: upload these
//!     assert_eq!(palette.len(), character.rig().joint_count());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The pipeline
//! A frame passes through these stages. Each is a module, in this order:
//!
//! | stage | from | to |
//! |---|---|---|
//! | [`asset`] | the bytes of a file | a [`skeleton`], [`clip`]s and meshes; everything that can fail does so here |
//! | [`retarget`] | clips of another body | clips for this one |
//! | [`rig`] | a skeleton | everything computed from it once: hierarchy, rest pose, facing, humanoid map, soles |
//! | [`compile`] | the clips of a rig | a library of them, in a form that is fast to evaluate |
//! | [`sample`] | a clip and a time | the pose: translation, rotation and scale of each joint |
//! | [`player`] or [`mixer`] | passing time | the pose of one clip, or of many: fades, layers, blend spaces, state machines, events, root motion |
//! | [`procedural`] | a pose | a pose that looks, leans, breathes, reaches, and keeps its feet on the ground |
//! | [`palette`] | a pose | skinning matrices and attachment matrices |
//! | [`skinning`], [`shader`], [`gpu`] | a palette | vertices: on the CPU, as shader text, on `wgpu` |
//! | [`crowd`] | thousands of clocks | all of their palettes, in one call |
//! | [`ecs`] | components | all of the above, as systems |
//!
//! A [`Character`] runs them in order, from the [`Surroundings`] of one frame to its [`Frame`], and all of its parts
//! are public. The stages are functions over borrowed data, so you can also run them yourself:
//!
//! ```
//! use glam::Mat4;
//! use nebula_animation::palette::{model_matrices, skinning_matrices};
//! use nebula_animation::{load_skeleton_and_clips, sample_pose};
//!
//! # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
//! let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
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
//! - Right-handed and Y up, like glTF. A character faces +Z in model space; an entity's forward is -Z.
//! - Matrices multiply column vectors and are named by what they convert: `model_from_joint * joint_from_bind`.
//! - Spaces: *local* is relative to the parent joint, *model* to the character's origin, *world* to the scene's origin.
//! - Quaternions are `xyzw` and normalized, angles are in radians, times in seconds, lengths in the file's unit (metres
//!   in glTF).
//! - The *rest* pose is the hierarchy's pose when nothing is animated; the *bind* pose is the one in which a skin was
//!   attached.
//! - A joint is an index into [`Skeleton::joints`], parents before children. A clip is a [`ClipId`], an index into its
//!   library.
//! - Invalid arguments (indices out of range, numbers that are not finite, empty slices) have no effect, or count as a
//!   documented default. Nothing panics. Each object logs a problem once.
//!
//! # Features
//! The number of crates that each feature adds on Linux, beyond the 8 of the bare core (`glam`, `log`, `thiserror` and
//! what they need; five of them only run at build time):
//!
//! | feature | default | crates | adds |
//! |---|---|---|---|
//! | `gltf` | yes | 18 | the [`asset`] module: `.glb` and `.gltf` files |
//! | `documents` | yes | 8 | state machines from JSON: [`StateMachine::from_json`] |
//! | `ecs` | yes | 42 | the [`ecs`] module: components and systems for `bevy_ecs` 0.18, without its default features |
//! | `gpu` | no | 42 | the [`gpu`] module: palettes and skinning on `wgpu` 28; the application picks the backends |
//! | `parallel` | no | 6 | [`Crowd`]s and many [`Character`]s on all cores, with rayon |
//! | `serde` | no | 3 | [`CharacterState`] in your own documents |
//! | `bytemuck` | with `gpu` | 2 | palettes as bytes, for renderers without `wgpu` |
//!
//! The default is 59 crates beyond the core, everything 96. An engine with its own scene needs
//! `default-features = false, features = ["gltf"]`, plus `"ecs"` for `bevy_ecs`; a program without a renderer needs
//! `features = ["gpu"]`. The minimum supported Rust version is 1.95; raising it is a minor release.
//!
//! # Guides
//! - [Cookbook](guides::cookbook): twenty questions with short answers
//! - [From three.js, Bevy, ozz and Unity](guides::coming_from): the terms you know, and what they are called here
//! - [Bring your own renderer](guides::renderer): Vulkan, OpenGL, another `wgpu`, WebGL2, software
//! - [Bring your own ECS](guides::ecs): the stages over your own data, and how they are wired in `bevy_ecs`
//! - [See why a joint is where it is](guides::see_why): explanations, recordings, bug reports that reproduce
//! - [From Blender and Mixamo to the screen](guides::from_blender_and_mixamo): export settings, common mistakes, and
//!   what the loader reports
//!
//! The folder `examples` has a short program for each subject; start with `cargo run --example play`.

/// Numerical helpers.
mod math;

/// Everything that changes from frame to frame, as a value to save and restore.
pub mod state;

/// Joints, their hierarchy and poses.
pub mod skeleton;

/// Keyframes, channels, clips, clocks and markers.
pub mod clip;

/// The pose of a clip at a given time.
pub mod sample;

/// Skeletons with everything that is computed from them once.
pub mod rig;

/// Converting clips: to bodies with other proportions, or mirrored.
pub mod retarget;

/// Clips in a form that is fast to evaluate.
pub mod compile;

/// From local poses to skinning matrices.
pub mod palette;

/// The result of one frame of a character, and the surroundings it depends on.
pub mod frame;

/// Skinning vertices on the CPU, and bounds that follow the pose.
pub mod skinning;

/// WGSL text, for any version of `wgpu`.
pub mod shader;

/// glTF files: skeletons, skins, animations, meshes.
#[cfg(feature = "gltf")]
pub mod asset;

/// Thousands of characters in one call.
pub mod crowd;

/// Players: one clip on one skeleton.
pub mod player;

/// Explains why a joint is where it is.
pub mod explain;

/// Several clips at once: blending, cross-fades, layers, state machines.
pub mod mixer;

/// Layers that adjust a pose after sampling.
pub mod procedural;

/// Everything that animates a character, in one type.
pub mod character;

/// Thousands of full characters, each worked out as often as is seen.
pub mod troupe;

/// The last seconds of a character, to restore and replay.
pub mod recorder;

/// Components, systems and messages for `bevy_ecs`.
#[cfg(feature = "ecs")]
pub mod ecs;

/// Palettes and skinning on the GPU, with `wgpu`.
#[cfg(feature = "gpu")]
pub mod gpu;

// The most common names. The others are where they belong: `mixer::Blender`, `ecs::Transform`.
#[cfg(feature = "gltf")]
pub use asset::{AnimationLoadError, Asset, load_skeleton_and_clips};
pub use character::Character;
pub use clip::{AnimationClip, Channel, ClipMarkers, Clock, Interpolation, Keyframe, Marker};
pub use compile::{AnimationClipLibrary, ClipId, Compression, LibraryOptions};
pub use crowd::Crowd;
#[cfg(feature = "ecs")]
pub use ecs::{add_animation_systems, animation_playback_system, procedural_animation_system};
pub use frame::{Frame, GroundPoint, GroundQuery, Surroundings, TargetId};
pub use mixer::{
    AnimationAction, AnimationMixer, BlendSpace, Fade, LayerId, PlayError, StateMachine, StateMachinePlayer,
};
pub use palette::BoneAttachment;
pub use player::{AnimationPlayer, advance_time, compute_world_matrices, sample_clip};
pub use procedural::feet::FootPlacement;
pub use procedural::{
    AimLayer, BodyLean, BreathingLayer, LeanLayer, LookAtLayer, ModelPose, ProceduralAnimationStack, ProceduralContext,
    ProceduralLayer,
};
pub use recorder::Recorder;
pub use retarget::Retarget;
pub use rig::Rig;
pub use sample::{sample_channel, sample_pose};
pub use skeleton::{HumanoidJoint, HumanoidMap, Joint, JointMask, JointPose, Skeleton};
pub use state::CharacterState;

/// The most commonly used names, for `use nebula_animation::prelude::*`. None of them clashes with `bevy::prelude`, so
/// an [`AnimationClip`], an [`AnimationPlayer`] and an `Asset` are not included.
pub mod prelude {
    #[cfg(feature = "gltf")]
    pub use crate::asset::load_skeleton_and_clips;
    pub use crate::character::Character;
    pub use crate::clip::{ClipMarkers, Marker};
    pub use crate::compile::{AnimationClipLibrary, ClipId, LibraryOptions};
    pub use crate::crowd::Crowd;
    #[cfg(feature = "ecs")]
    pub use crate::ecs::add_animation_systems;
    pub use crate::frame::{Frame, GroundPoint, GroundQuery, Surroundings, TargetId};
    pub use crate::mixer::{AnimationMixer, BlendSpace, Fade, LayerId, StateMachine, StateMachinePlayer};
    pub use crate::palette::BoneAttachment;
    pub use crate::procedural::feet::FootPlacement;
    pub use crate::procedural::{AimLayer, BodyLean, BreathingLayer, LeanLayer, LookAtLayer, ProceduralLayer};
    pub use crate::retarget::Retarget;
    pub use crate::rig::Rig;
    pub use crate::skeleton::{HumanoidJoint, HumanoidMap, JointMask, Skeleton};
    pub use crate::state::CharacterState;
}

/// Guides, for reading only. Their code is compiled and run with the tests.
#[cfg(all(doc, any(not(doctest), all(feature = "gltf", feature = "ecs", feature = "bytemuck"))))]
pub mod guides {
    #[doc = include_str!("../guides/renderer.md")]
    pub mod renderer {}

    #[doc = include_str!("../guides/ecs.md")]
    pub mod ecs {}

    #[doc = include_str!("../guides/see_why.md")]
    pub mod see_why {}

    #[doc = include_str!("../guides/from_blender_and_mixamo.md")]
    pub mod from_blender_and_mixamo {}

    #[doc = include_str!("../guides/cookbook.md")]
    pub mod cookbook {}

    #[doc = include_str!("../guides/coming_from.md")]
    pub mod coming_from {}
}

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "gltf", feature = "ecs", feature = "gpu"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
