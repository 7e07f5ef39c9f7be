//! The same stages as systems.

mod attachments;
mod changes;
mod characters;
mod check;
mod compressed;
mod machines;
mod memory;
mod messages;
mod motion;
mod procedural;
mod same;
mod systems;

use bevy_ecs::prelude::*;
use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationPlayer, Rig, Skeleton, add_animation_systems};

use crate::player::rig::{chain, slide};

/// Clips compiled for a skeleton.
fn library(skeleton: &Skeleton, clips: &[AnimationClip]) -> AnimationClipLibrary {
    AnimationClipLibrary::new(&Rig::new(skeleton), clips)
}

/// A world with one player of a clip of one second on two joints, and the schedule of this crate.
fn world() -> (World, Schedule, Entity) {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let clips = library(&chain(2), &[slide(0, 1.0), slide(1, 2.0)]);
    let entity = world.spawn((AnimationPlayer::new(0, 1.0, 2), clips)).id();
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
