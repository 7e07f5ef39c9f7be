//! Components, systems and messages for `bevy_ecs` 0.18.
//!
//! [`add_animation_systems`] puts the stages of a frame into a schedule, in the order of [`AnimationSet`]. They are thin:
//! with a time or transform type of your own, call [`advance_and_sample`](crate::advance_and_sample) and
//! [`compute_world_matrices`](crate::compute_world_matrices) from systems of your own.
//!
//! ```
//! use bevy_ecs::prelude::*;
//! use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationPlayer, SharedSkeleton, Skeleton, Time};
//!
//! let mut world = World::new();
//! let mut schedule = Schedule::default();
//! nebula_animation::add_animation_systems(&mut schedule);
//!
//! let skeleton = SharedSkeleton::from(Skeleton::default());
//! let clips = AnimationClipLibrary::from(vec![AnimationClip { duration: 1.0, ..Default::default() }]);
//! for _ in 0..3 {
//!     let player = AnimationPlayer::new(0, clips[0].duration, skeleton.joints.len());
//!     world.spawn((player, skeleton.clone(), clips.clone()));
//! }
//!
//! // Each frame:
//! world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
//! schedule.run(&mut world);
//! ```

mod attachments;
mod components;
mod machine;
mod messages;
mod mixer;
mod procedural;
mod root_motion;
mod schedule;
mod systems;
mod time;

pub use attachments::{ChildOffset, WorldMatrix, attachment_system};
pub use components::{SharedSkeleton, Transform, Velocity};
pub use machine::state_machine_system;
pub use messages::{AnimationFinished, AnimationLooped};
pub use mixer::{AnimationEvent, mixer_system};
pub use procedural::{ModelOffset, procedural_animation_system};
pub use root_motion::{RootMotion, root_motion_system};
pub use schedule::{AnimationSet, add_animation_systems};
pub use systems::{advance_and_sample_system, animation_playback_system, palette_system};
pub use time::Time;
