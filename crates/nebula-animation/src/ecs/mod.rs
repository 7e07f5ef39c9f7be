//! Components, systems and messages for `bevy_ecs` 0.18.
//!
//! Give an animated entity a [`Character`](crate::Character): mixer, state machines, layers and frame in one component.
//! For a single clip at a time, the smaller [`AnimationPlayer`](crate::AnimationPlayer) with an
//! [`AnimationClipLibrary`](crate::AnimationClipLibrary) is enough. [`add_animation_systems`] adds the stages of a
//! frame to a schedule, in the order of [`AnimationSet`](crate::ecs::AnimationSet). If something required is missing,
//! an error in the log names the entity.
//!
//! No name in `nebula_animation::prelude` clashes with `bevy::prelude`.
//!
//! ```
//! use bevy_ecs::prelude::*;
//! use nebula_animation::{AnimationClip, AnimationClipLibrary, Character, Rig, Skeleton, ecs::Time};
//!
//! let mut world = World::new();
//! let mut schedule = Schedule::default();
//! nebula_animation::add_animation_systems(&mut schedule);
//!
//! let rig = Rig::new(Skeleton::default());
//! let clips = AnimationClipLibrary::new(&rig, &[AnimationClip { duration: 1.0, ..Default::default() }]);
//! for _ in 0..3 {
//!     world.spawn(Character::of(clips.clone()));
//! }
//!
//! // Each frame:
//! world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
//! schedule.run(&mut world);
//! ```

mod around;
mod attachments;
mod character;
mod check;
mod components;
mod messages;
mod procedural;
mod root_motion;
mod schedule;
mod systems;
mod time;

pub use around::NoGround;
pub use attachments::{ChildOffset, WorldMatrix, attachment_system};
pub use character::{advance_character_system, finish_character_system};
pub use check::check_system;
pub use components::{Airborne, ModelOffset, Transform, Velocity};
pub use messages::{AnimationEvent, AnimationFinished, AnimationLooped, StateEntered, StateExited};
pub use procedural::{procedural_animation_system, procedural_animation_system_on};
pub use root_motion::{RootMotion, root_motion_system};
pub use schedule::{AnimationSet, add_animation_systems, add_animation_systems_on};
pub use systems::{advance_and_sample_system, animation_playback_system, palette_system};
pub use time::Time;
