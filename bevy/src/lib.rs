//! [`nebula_animation`] for Bevy 0.19: one plugin, characters as components.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use nebula_bevy::{NebulaCharacter, NebulaPlugin};
//!
//! App::new().add_plugins((DefaultPlugins, NebulaPlugin)).add_systems(Startup, spawn).run();
//!
//! fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn(NebulaCharacter::new(assets.load("knight.glb")).playing("Walking_A"));
//!     commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 1.5, 4.0)));
//! }
//! ```
//!
//! A [`NebulaCharacter`] names a file; the plugin loads it through Bevy's asset server, shows its scene, finds the entities of its joints, and adds an
//! [`Animator`]: a [`Character`](nebula_animation::Character) with everything that it can do. Each frame, in `PostUpdate` and before Bevy propagates transforms, it lets
//! Bevy's `Time` pass for all characters on all threads, and writes the `Transform`s of joints and the `MorphWeights` of meshes that have changed, so that
//! everything in Bevy sees them. There is no second `Transform` and no second `Time`.
//!
//! | what | how |
//! |---|---|
//! | play, fade, layers, masks, blend spaces | [`Animator`], set up on [`CharacterReady`] |
//! | state machines from files | [`NebulaCharacter::machines`], [`Animator::set_parameter`] |
//! | events, states, ends | messages: [`AnimationEvent`], [`StateChanged`], [`AnimationFinished`], [`AnimationLooped`] |
//! | root motion | [`RootMotion`], [`CharacterSettings::root_motion`] |
//! | gaze | [`GazeAt`] |
//! | feet | [`FeetOnGround`] and [`Ground`], [`GroundPlugin`] or [`GroundCastPlugin`]; [`Airborne`] |
//! | things in hands | [`AttachedTo`], [`Animator::joint_entity`] |
//! | clips of another file | [`NebulaCharacter::clips_from`] |
//! | avatars (VRM) | [`CharacterAsset::avatar`]: springs, constraints, faces |
//! | crowds | [`CrowdMember`] |
//! | what is played, for inspectors | [`NowPlaying`] |
//! | what cannot work | [`AnimationTrouble`], and the log |
//!
//! A character that is hidden (`Visibility`) keeps its clocks and messages, and gets its pose when it is seen again.

/// Characters and state machines as assets.
pub mod asset;
/// Many characters, each of which plays a clip.
pub mod crowd;

mod attach;
mod bind;
mod character;
mod finish;
mod ground;
mod layers;
mod library;
mod messages;
mod node;
mod pieces;
mod playing;
mod plugin;
mod reach;
mod rebind;
mod root_motion;
mod trouble;
mod write;

pub use asset::{CharacterAsset, CharacterLoader, CharacterSettings, MachineAsset, MachineLoader};
pub use attach::AttachedTo;
pub use character::{AnimatedJoint, AnimatedMorphs, Animator, CharacterReady, NebulaCharacter};
pub use crowd::CrowdMember;
pub use finish::Airborne;
pub use ground::{Ground, GroundCastPlugin, GroundCaster, GroundPlugin, GroundResource, GroundSource};
pub use layers::{FeetOnGround, GazeAt};
pub use messages::{AnimationEvent, AnimationFinished, AnimationLooped, StateChanged};
pub use nebula_animation;
pub use nebula_animation::{GroundPoint, GroundQuery};
pub use node::GltfNodeIndex;
pub use playing::NowPlaying;
pub use plugin::{NebulaPlugin, NebulaSystems};
pub use root_motion::RootMotion;
pub use trouble::{AnimationTrouble, NebulaError};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
