//! The same stages as systems.

mod attachments;
mod machines;
mod memory;
mod messages;
mod mixers;
mod procedural;
mod systems;

use bevy_ecs::prelude::*;
use nebula_animation::{AnimationClipLibrary, AnimationPlayer, SharedSkeleton, add_animation_systems};

use crate::player::rig::{chain, slide};

/// A world with one player of a clip of one second on two joints, and the schedule of this crate.
fn world() -> (World, Schedule, Entity) {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let clips = AnimationClipLibrary::from(vec![slide(0, 1.0), slide(1, 2.0)]);
    let skeleton = SharedSkeleton::from(chain(2));
    let entity = world.spawn((AnimationPlayer::new(0, 1.0, 2), skeleton, clips)).id();
    (world, schedule, entity)
}

fn player(world: &mut World, entity: Entity) -> Mut<'_, AnimationPlayer> {
    world.get_mut(entity).expect("the entity has a player")
}

/// How many players have changed, frame by frame added up.
#[derive(Resource, Default)]
struct Changes(usize);

fn count_changes(mut changes: ResMut<Changes>, players: Query<(), Changed<AnimationPlayer>>) {
    changes.0 += players.iter().count();
}
