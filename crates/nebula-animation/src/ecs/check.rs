use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::name::NameOrEntity;
use bevy_ecs::query::{Added, Changed, Has, Or, With, Without};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, SystemParam};

use super::attachments::{Attached, ChildOffset, DEEPEST};
use super::components::Transform;
use super::root_motion::RootMotion;
use crate::character::Character;
use crate::compile::AnimationClipLibrary;
use crate::frame::GroundQuery;
use crate::palette::BoneAttachment;
use crate::player::AnimationPlayer;
use crate::procedural::feet::FootPlacement;
use crate::procedural::{Faded, ProceduralAnimationStack};
use crate::skeleton::Skeleton;

type NoLibrary = (With<AnimationPlayer>, Without<AnimationClipLibrary>);
type NoPlayer = (With<ProceduralAnimationStack>, Without<AnimationPlayer>);

/// Players that have no clips.
#[derive(SystemParam)]
pub struct LonelyPlayers<'w, 's> {
    added: Query<'w, 's, NameOrEntity, (Added<AnimationPlayer>, NoLibrary)>,
    all: Query<'w, 's, NameOrEntity, NoLibrary>,
    removed: RemovedComponents<'w, 's, AnimationClipLibrary>,
}

impl LonelyPlayers<'_, '_> {
    /// Says which they are, once.
    pub(super) fn report(&mut self) {
        let robbed = self.removed.read().filter_map(|entity| self.all.get(entity).ok());
        for entity in self.added.iter().chain(robbed) {
            log::error!("entity {entity} has an AnimationPlayer and no AnimationClipLibrary: it plays nothing");
        }
    }
}

/// Stacks of layers that have no pose to bend.
#[derive(SystemParam)]
pub struct LonelyStacks<'w, 's> {
    added: Query<'w, 's, (NameOrEntity, Has<Character>), (Added<ProceduralAnimationStack>, NoPlayer)>,
    all: Query<'w, 's, (NameOrEntity, Has<Character>), NoPlayer>,
    removed: RemovedComponents<'w, 's, AnimationPlayer>,
}

impl LonelyStacks<'_, '_> {
    /// Says which they are, once.
    pub(super) fn report(&mut self) {
        let robbed = self.removed.read().filter_map(|entity| self.all.get(entity).ok());
        for (entity, is_character) in self.added.iter().chain(robbed) {
            let instead = if is_character { "add layers to its Character" } else { "it has no AnimationPlayer" };
            log::error!("entity {entity} has a ProceduralAnimationStack without a pose to modify: {instead}");
        }
    }
}

/// What plays beside a character.
type Rival = Or<(With<AnimationPlayer>, With<AnimationClipLibrary>)>;
type Rivalled = (NameOrEntity, Has<AnimationPlayer>);
type NewPart = Or<(Added<Character>, Added<AnimationPlayer>, Added<AnimationClipLibrary>)>;
type NewMover = Or<(Added<RootMotion>, Added<Character>)>;
type Moving = (NameOrEntity, Option<&'static Character>, Has<Transform>);
type Worn = (NameOrEntity, &'static Skeleton, Option<&'static Character>, Option<&'static AnimationClipLibrary>);
type Rigged = Or<(With<Character>, With<AnimationClipLibrary>)>;
type NewRig = Or<(Changed<Skeleton>, Added<Character>, Changed<AnimationClipLibrary>)>;

/// What of an entity belongs together and does not fit.
#[derive(SystemParam)]
pub struct Misfits<'w, 's> {
    both: Query<'w, 's, Rivalled, (With<Character>, Rival, NewPart)>,
    added_movers: Query<'w, 's, Moving, (With<RootMotion>, NewMover)>,
    movers: Query<'w, 's, Moving, With<RootMotion>>,
    without_character: RemovedComponents<'w, 's, Character>,
    without_place: RemovedComponents<'w, 's, Transform>,
    skeletons: Query<'w, 's, Worn, (Rigged, NewRig)>,
}

impl Misfits<'_, '_> {
    fn report(&mut self) {
        for (entity, is_playing) in &self.both {
            if is_playing {
                log::error!(
                    "entity {entity} has a Character and an AnimationPlayer: what the player plays is not shown"
                );
            } else {
                log::error!(
                    "entity {entity} has an AnimationClipLibrary that nothing plays: its Character has its own"
                );
            }
        }
        let robbed = self.without_character.read().chain(self.without_place.read());
        let robbed = robbed.filter_map(|entity| self.movers.get(entity).ok());
        for (entity, character, is_placed) in self.added_movers.iter().chain(robbed) {
            match character {
                None => log::error!("entity {entity} has RootMotion and no Character: it does not move"),
                Some(character) if !character.mixer.clips().has_roots() => {
                    log::error!(
                        "entity {entity} has RootMotion, but its library was compiled without: see \
                         LibraryOptions::root_motion"
                    );
                }
                Some(_) if !is_placed => {
                    log::error!("entity {entity} has RootMotion and no Transform that could follow it");
                }
                Some(_) => {}
            }
        }
        for (entity, skeleton, character, library) in &self.skeletons {
            let rig = character.map(Character::rig).or(library.map(AnimationClipLibrary::rig));
            if rig.is_some_and(|rig| !rig.is_of(&skeleton.joints)) {
                log::error!("entity {entity} has a Skeleton that differs from the one its clips were compiled for");
            }
        }
    }
}

/// Feet, and the ground that they need.
#[derive(SystemParam)]
pub struct Feet<'w, 's, G: Resource> {
    ground: Option<Res<'w, G>>,
    characters: Query<'w, 's, (NameOrEntity, &'static Character), Added<Character>>,
    stacks: Query<'w, 's, (NameOrEntity, &'static ProceduralAnimationStack), Added<ProceduralAnimationStack>>,
}

impl<G: Resource> Feet<'_, '_, G> {
    fn report(&self) {
        if self.ground.is_some() {
            return;
        }
        let characters = self.characters.iter().map(|(entity, character)| (entity, &character.layers));
        for (entity, layers) in characters.chain(&self.stacks) {
            if layers.layer::<FootPlacement>().is_some() || layers.layer::<Faded<FootPlacement>>().is_some() {
                log::error!(
                    "entity {entity} has a FootPlacement, and the world has no ground: see add_animation_systems_on"
                );
            }
        }
    }
}

type Held = (NameOrEntity, &'static BoneAttachment);

/// Things that hang on nothing.
#[derive(SystemParam)]
pub struct Unattached<'w, 's> {
    held: Query<'w, 's, Held, (Added<BoneAttachment>, Without<ChildOf>)>,
    hanging: Query<'w, 's, NameOrEntity, (Added<ChildOffset>, Without<ChildOf>)>,
    moved: Query<'w, 's, (NameOrEntity, &'static ChildOf), (Attached, Changed<ChildOf>)>,
    links: Query<'w, 's, &'static ChildOf, Attached>,
    places: Query<'w, 's, (), With<Transform>>,
}

impl Unattached<'_, '_> {
    fn report(&self) {
        for (entity, attachment) in &self.held {
            let joint = attachment.joint_name().escape_debug();
            log::error!("entity {entity} is attached to joint \"{joint}\" and is not the ChildOf a character");
        }
        for entity in &self.hanging {
            log::error!("entity {entity} has a ChildOffset and is not the ChildOf anything");
        }
        for (entity, child_of) in &self.moved {
            let up = |above: &Entity| self.links.get(*above).ok().map(ChildOf::parent);
            let mut above = std::iter::successors(Some(child_of.parent()), up).take(DEEPEST);
            match above.by_ref().find(|above| !self.links.contains(*above)) {
                None => log::error!("entity {entity} is attached to itself, or through more than {DEEPEST} others"),
                Some(root) if !self.places.contains(root) => {
                    log::error!("entity {entity} is attached to {root}, which has no Transform");
                }
                Some(_) => {}
            }
        }
    }
}

/// Logs, once per entity and by its [`Name`](bevy_ecs::name::Name) if it has one, what cannot work because a component
/// or resource is missing or does not fit. `G` is the ground, as for
/// [`finish_character_system`](super::finish_character_system).
///
/// [`add_animation_systems`](super::add_animation_systems) adds it before all others.
pub fn check_system<G: Resource + GroundQuery>(
    mut players: LonelyPlayers,
    mut stacks: LonelyStacks,
    mut misfits: Misfits,
    feet: Feet<G>,
    unattached: Unattached,
) {
    players.report();
    stacks.report();
    misfits.report();
    feet.report();
    unattached.report();
}
