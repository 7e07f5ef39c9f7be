use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::{Component, ComponentId, Mutable, RequiredComponentsRegistrator, StorageType};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::Has;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res};

use super::around::Around;
use super::components::{Airborne, ModelOffset, Transform, Velocity};
use super::messages::CharacterReports;
use super::systems::for_each;
use super::time::Time;
use crate::character::Character;
use crate::frame::GroundQuery;

impl Component for Character {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;

    fn register_required_components(_: ComponentId, required: &mut RequiredComponentsRegistrator) {
        required.register_required::<Transform>(Transform::default);
    }
}

/// The first stage of characters: state machines decide, mixers play. Sends markers as
/// [`AnimationEvent`](super::AnimationEvent), state changes as [`StateEntered`](super::StateEntered) and
/// [`StateExited`](super::StateExited), and the ends and loops of each layer as
/// [`AnimationFinished`](super::AnimationFinished) and [`AnimationLooped`](super::AnimationLooped).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationClip, Character, Skeleton, add_animation_systems, ecs::Time};
///
/// # fn main() -> Result<(), nebula_animation::PlayError> {
/// let walk = AnimationClip { name: "walk".into(), duration: 1.0, ..Default::default() };
/// let mut character = Character::new(Skeleton::default(), &[walk]);
/// character.mixer.play("walk", 0.3)?;
/// let mut world = World::new();
/// world.spawn(character);
///
/// let mut schedule = Schedule::default();
/// add_animation_systems(&mut schedule);
/// world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
/// schedule.run(&mut world);
/// # Ok(())
/// # }
/// ```
pub fn advance_character_system(
    mut reports: CharacterReports,
    mut characters: Query<(Entity, &'static mut Character)>,
    time: Res<Time>,
) {
    let dt = time.delta_seconds_f64();
    for_each(&mut characters, |(_, mut character)| {
        character.bypass_change_detection().advance(dt);
    });
    // In the order of the query, whatever the threads did.
    reports.begin_frame();
    for (entity, character) in &characters {
        reports.write(entity, character);
    }
}

type Finishing = (
    &'static mut Character,
    Option<&'static Transform>,
    Option<&'static Velocity>,
    Option<&'static ModelOffset>,
    Has<Airborne>,
);

/// The second stage of characters: layers adapt their poses to the world, and their frames get palettes, morph weights
/// and attachments.
///
/// `G` is the ground: your own resource, which is queried directly; without it, there is no ground. A layer that
/// follows a [`TargetId`](crate::TargetId) follows the entity with these [bits](Entity::to_bits). For bevy's change
/// detection, a character counts as changed in frames in which its pose changes: not while it is paused.
pub fn finish_character_system<G: Resource + GroundQuery>(mut characters: Query<Finishing>, around: Around<G>) {
    for_each(&mut characters, |(mut character, transform, velocity, offset, is_airborne)| {
        let unmarked = character.bypass_change_detection();
        unmarked.finish(&around.surroundings(transform, velocity, offset, is_airborne));
        if unmarked.frame().is_changed() {
            character.set_changed();
        }
    });
}
