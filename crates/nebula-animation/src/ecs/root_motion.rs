use bevy_ecs::component::Component;
use bevy_ecs::system::Query;
use glam::DQuat;

use super::components::{ModelOffset, Transform};
use super::systems::for_each;
use crate::character::Character;
use crate::compile::RootDelta;

/// Receives the root motion of a [`Character`], frame by frame, and by default moves the entity by it.
///
/// The character's library needs [`LibraryOptions::root_motion`](crate::LibraryOptions::root_motion).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationClipLibrary, Character, LibraryOptions, Rig, Skeleton, ecs::RootMotion};
///
/// let options = LibraryOptions { root_motion: Some(Default::default()), ..LibraryOptions::default() };
/// let library = AnimationClipLibrary::with_options(&Rig::new(Skeleton::default()), &[], options); // Really with clips.
/// let mut world = World::new();
/// world.spawn((Character::of(library), RootMotion::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct RootMotion {
    /// What the last frame brought, in the entity's own space as it was before.
    pub delta: RootDelta,
    /// Whether the entity's [`Transform`] follows; default true. Without it, hand `delta` to whoever moves the entity, for
    /// instance a character controller that minds walls.
    pub moves_entity: bool,
}

impl Default for RootMotion {
    fn default() -> Self {
        Self { delta: RootDelta::ZERO, moves_entity: true }
    }
}

type Moving =
    (&'static Character, &'static mut RootMotion, Option<&'static mut Transform>, Option<&'static ModelOffset>);

/// Takes the root motion of every character over into [`RootMotion`], and moves entities by it: after the mixers have played, and
/// before layers see the world.
///
/// [`add_animation_systems`](super::add_animation_systems) adds it. A step is the one that takes the model, as it lies in its entity
/// by its [`ModelOffset`], along its own way: it goes where it faces, and turns on its own spot.
pub fn root_motion_system(mut movers: Query<Moving>) {
    for_each(&mut movers, |(character, mut motion, transform, offset)| {
        let step = character.frame().root_step();
        let offset = offset.map(|offset| offset.0).unwrap_or_default();
        // The model goes as it lies in its entity, and turns about its own origin.
        let (to, origin) = (offset.rotation.as_dquat(), offset.translation.as_dvec3());
        let turned = DQuat::from_rotation_y(step.yaw) * origin;
        let translation = to * (step.translation * offset.scale.as_dvec3()) + (origin - turned);
        let delta = RootDelta { translation, ..step };
        if motion.delta != delta {
            motion.delta = delta;
        }
        let Some(mut transform) = transform.filter(|_| motion.moves_entity && delta != RootDelta::ZERO) else { return };
        let step = RootDelta { translation: delta.translation * transform.scale.as_dvec3(), ..delta };
        let (translation, rotation) = step.applied_to(transform.translation, transform.rotation);
        if translation.is_finite() && rotation.is_finite() {
            // Many small rotations would change the length.
            let rotation = rotation / rotation.length();
            (transform.translation, transform.rotation) = (translation, rotation);
        }
    });
}
