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
//! A [`NebulaCharacter`] refers to a file. The plugin loads it through Bevy's asset server, shows its scene, finds the
//! entities of its joints, and adds an [`Animator`]: a [`Character`](nebula_animation::Character) with everything that
//! it can do. Each frame, in `PostUpdate` before transform propagation, it advances all characters by Bevy's `Time` on
//! all threads, and writes the joint `Transform`s and `MorphWeights` that have changed, so that everything in Bevy sees
//! them. There is no second `Transform` and no second `Time`.
//!
//! | to get | use |
//! |---|---|
//! | clips, fades, layers, masks, blend spaces | [`Animator`], set up on [`CharacterReady`] |
//! | state machines from files | [`NebulaCharacter::machines`], [`Animator::set_parameter`] |
//! | markers, state changes, ends, loops | messages: [`AnimationEvent`], [`StateChanged`], [`AnimationFinished`], [`AnimationLooped`] |
//! | root motion | [`RootMotion`], [`CharacterSettings::root_motion`] |
//! | look-at | [`GazeAt`] |
//! | feet | [`FeetOnGround`] and [`Ground`], [`GroundPlugin`] or [`GroundCastPlugin`]; [`Airborne`] |
//! | attachments | [`AttachedTo`], [`Animator::joint_entity`] |
//! | clips from another file | [`NebulaCharacter::clips_from`] |
//! | VRM avatars | [`CharacterAsset::avatar`]: springs, constraints, faces |
//! | crowds | [`CrowdMember`] |
//! | what is playing, for inspectors | [`NowPlaying`] |
//! | errors | [`AnimationTrouble`], and the log |
//!
//! A hidden character (`Visibility`) keeps its clocks and messages running, and gets its pose when it becomes visible
//! again.

/// Characters and state machines as assets.
pub mod asset;
/// Many characters that each play a clip.
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
