use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::{Component, ComponentId, Mutable, RequiredComponentsRegistrator, StorageType};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::Has;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res};
use glam::{Affine3A, Vec3};

use super::components::{Airborne, ModelOffset, Transform, Velocity};
use super::messages::CharacterReports;
use super::systems::for_each;
use super::time::Time;
use crate::character::Character;
use crate::frame::{GroundPoint, GroundQuery, Surroundings, TargetId};

impl Component for Character {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;

    fn register_required_components(_: ComponentId, required: &mut RequiredComponentsRegistrator) {
        required.register_required::<Transform>(Transform::default);
    }
}

/// For worlds without ground: see [`finish_character_system`].
#[derive(Debug, Clone, Copy, Default, Resource)]
pub struct NoGround;

impl GroundQuery for NoGround {
    fn ground(&self, _place: Vec3) -> Option<GroundPoint> {
        None
    }
}

/// The first stage of characters: state machines decide, mixers play. Reports markers as [`AnimationEvent`](super::AnimationEvent), states
/// as [`StateEntered`](super::StateEntered) and [`StateExited`](super::StateExited), and the end and the passes of the base layer's action as
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

type Finishing =
    (Entity, &'static mut Character, Option<&'static Velocity>, Option<&'static ModelOffset>, Has<Airborne>);

/// The second stage of characters: layers bend their poses to the world, and their frames get palettes, morph weights and attachments.
///
/// `G` is the ground: a resource of yours that is asked directly, and is none where the world does not have it. A layer that follows a
/// [`TargetId`] follows the entity with these [bits](Entity::to_bits). A character counts as changed, for bevy's change detection, in
/// frames in which its pose changes: not while it is paused.
pub fn finish_character_system<G: Resource + GroundQuery>(
    mut characters: Query<Finishing>,
    places: Query<&'static Transform>,
    ground: Option<Res<G>>,
) {
    let target = |target: TargetId| {
        let entity = Entity::try_from_bits(target.0)?;
        places.get(entity).ok().map(|transform| transform.translation)
    };
    let ground = ground.as_deref();
    for_each(&mut characters, |(entity, mut character, velocity, offset, is_airborne)| {
        let entity_from_model = offset.map_or(Affine3A::IDENTITY, |offset| offset.0.to_affine());
        let world_from_entity = places.get(entity).map_or(Affine3A::IDENTITY, Transform::to_affine);
        let surroundings = Surroundings {
            world_from_model: world_from_entity * entity_from_model,
            velocity: velocity.map_or(Vec3::ZERO, |velocity| velocity.linear),
            ground: ground.map(|ground| ground as &dyn GroundQuery),
            is_grounded: !is_airborne,
            targets: Some(&target),
        };
        let unmarked = character.bypass_change_detection();
        unmarked.finish(&surroundings);
        if unmarked.frame().is_changed() {
            character.set_changed();
        }
    });
}
