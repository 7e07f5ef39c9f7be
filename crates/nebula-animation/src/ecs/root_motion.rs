use bevy_ecs::component::Component;
use bevy_ecs::system::Query;
use glam::DQuat;

use super::components::{ModelOffset, Transform};
use super::systems::for_each;
use crate::character::Character;
use crate::compile::RootDelta;

/// Receives the root motion of a [`Character`] every frame, and by default moves the entity by it.
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
    /// The motion of the last frame, in the entity's own space before the motion.
    pub delta: RootDelta,
    /// Whether the entity's [`Transform`] follows; default true. If not, pass `delta` to whatever moves the entity, for
    /// instance a character controller with collisions.
    pub moves_entity: bool,
}

impl Default for RootMotion {
    fn default() -> Self {
        Self { delta: RootDelta::ZERO, moves_entity: true }
    }
}

type Moving =
    (&'static Character, &'static mut RootMotion, Option<&'static mut Transform>, Option<&'static ModelOffset>);

/// Copies the root motion of every character to [`RootMotion`], and moves entities by it: after the mixers have played,
/// and before layers query the world.
///
/// [`add_animation_systems`](super::add_animation_systems) adds it. The step moves the model along its own path, taking
/// its [`ModelOffset`] into account: it walks where it faces, and rotates about its own position.
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
