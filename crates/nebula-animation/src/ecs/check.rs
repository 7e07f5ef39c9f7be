use bevy_ecs::entity::Entity;
use bevy_ecs::query::{Added, Changed, Has, Or, Without};
use bevy_ecs::system::Query;

use super::root_motion::RootMotion;
use crate::character::Character;
use crate::compile::AnimationClipLibrary;
use crate::player::AnimationPlayer;
use crate::procedural::ProceduralAnimationStack;
use crate::skeleton::Skeleton;

type LonelyPlayer = (Added<AnimationPlayer>, Without<AnimationClipLibrary>);
type LonelyStack = (Added<ProceduralAnimationStack>, Without<AnimationPlayer>);
type OddSkeleton = Or<(Changed<Skeleton>, Changed<AnimationClipLibrary>)>;

/// Says in the log, once for each entity and by its name, what cannot work because something that belongs to it is missing.
///
/// [`add_animation_systems`](super::add_animation_systems) adds it before all others.
pub fn check_system(
    players: Query<Entity, LonelyPlayer>,
    stacks: Query<(Entity, Has<Character>), LonelyStack>,
    movers: Query<(Entity, Option<&'static Character>), Added<RootMotion>>,
    skeletons: Query<(Entity, &'static Skeleton, &'static AnimationClipLibrary), OddSkeleton>,
) {
    for entity in &players {
        log::error!("{entity} has an AnimationPlayer and no AnimationClipLibrary: it plays nothing");
    }
    for (entity, is_character) in &stacks {
        let instead = if is_character { "add layers to its Character" } else { "it has no AnimationPlayer" };
        log::error!("{entity} has a ProceduralAnimationStack that bends nothing: {instead}");
    }
    for (entity, character) in &movers {
        match character {
            None => log::error!("{entity} has RootMotion and no Character: it does not move"),
            Some(character) if !character.mixer.clips().has_roots() => {
                log::error!(
                    "{entity} has RootMotion, but its library was compiled without: see LibraryOptions::root_motion"
                );
            }
            Some(_) => {}
        }
    }
    for (entity, skeleton, library) in &skeletons {
        if !library.rig().is_of(&skeleton.joints) {
            log::error!("the Skeleton of {entity} is not the one that its AnimationClipLibrary was compiled for");
        }
    }
}
