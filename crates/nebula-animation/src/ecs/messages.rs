use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, Messages};
use bevy_ecs::system::{Local, ResMut, SystemParam};
use bevy_ecs::world::{FromWorld, World};

use super::systems::Sampled;
use super::time::Time;
use crate::character::Character;
use crate::clip::{ClipMarkers, Marker};
use crate::compile::ClipId;
use crate::mixer::{AnimationAction, LayerId, StateId};
use crate::player::Advance;

/// A player, or a layer of a character, has reached its end. Players and actions stop there; an action that was [played
/// once](crate::mixer::MixerLayer::play_once) has handed back. The entity may no longer exist when this is read.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationPlayer, ecs::AnimationFinished};
///
/// fn go_on(mut finished: MessageReader<AnimationFinished>, mut players: Query<&mut AnimationPlayer>) {
///     for message in finished.read() {
///         if let Ok(mut player) = players.get_mut(message.entity) {
///             player.play(0);
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Message)]
pub struct AnimationFinished {
    /// The entity of the player or the character.
    pub entity: Entity,
    /// The layer of the character's mixer; the base layer for a player.
    pub layer: LayerId,
}

/// A player, or a layer of a character, has looped or, with ping-pong, reversed, once or several times in one frame.
/// The entity may no longer exist when this is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Message)]
pub struct AnimationLooped {
    /// The entity of the player or the character.
    pub entity: Entity,
    /// The layer of the character's mixer; the base layer for a player.
    pub layer: LayerId,
    /// How many passes ended in this frame; at least 1.
    pub passes: u32,
}

/// The message buffers that the systems write to. As usual with `bevy_ecs`, a message can be read until the second
/// frame after it. The buffers are updated automatically; updating them yourself does no harm.
#[derive(SystemParam)]
pub struct Reports<'w, 's> {
    /// First, because it makes the resources that the others ask for.
    _resources: Local<'s, Resources>,
    finished: ResMut<'w, Messages<AnimationFinished>>,
    looped: ResMut<'w, Messages<AnimationLooped>>,
}

impl Reports<'_, '_> {
    /// Forgets the messages of the frame before the last one.
    pub(super) fn begin_frame(&mut self) {
        self.finished.update();
        self.looped.update();
    }

    pub(super) fn write(&mut self, entity: Entity, advance: Advance) {
        if advance.passes > 0 {
            self.looped.write(AnimationLooped { entity, layer: LayerId::BASE, passes: advance.passes });
        }
        if advance.is_finished {
            self.finished.write(AnimationFinished { entity, layer: LayerId::BASE });
        }
    }
}

/// An action of a character passed a marker of its clip. The entity may no longer exist when this is read.
///
/// Messages of one entity come layer by layer, those of one action in the order in which it passed the markers.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::ecs::AnimationEvent;
///
/// fn footsteps(mut events: MessageReader<AnimationEvent>) {
///     for event in events.read().filter(|event| event.weight > 0.5 && event.name() == "left foot") {
///         println!("{:?} steps", event.entity);
///     }
/// }
/// ```
#[derive(Debug, Clone, Message)]
pub struct AnimationEvent {
    /// The entity of the character.
    pub entity: Entity,
    /// The mixer's layer.
    pub layer: LayerId,
    /// The [id of the action](crate::AnimationAction::id): unique within its layer.
    pub action: u64,
    /// The clip of the character's library.
    pub clip: ClipId,
    /// Index of the marker among the clip's markers.
    pub index: usize,
    /// Weight of the action in the pose, from 0 to 1.
    pub weight: f32,
    /// Number of the pass in which the marker was passed, from 0.
    pub pass: i64,
    /// Whether the action was moving against its clock.
    pub is_rewinding: bool,
    markers: Arc<ClipMarkers>,
}

impl AnimationEvent {
    /// The marker.
    #[must_use]
    pub fn marker(&self) -> Option<&Marker> {
        self.markers.of(self.clip.index()).get(self.index)
    }

    /// Name of the marker.
    #[must_use]
    pub fn name(&self) -> &str {
        self.marker().map_or("", |marker| &marker.name)
    }
}

/// A state machine of a character has entered a state. The entity may no longer exist when this is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Message)]
pub struct StateEntered {
    /// The entity of the character.
    pub entity: Entity,
    /// Index into the character's [machines](Character::machines).
    pub machine: usize,
    /// The innermost state; the state machine has its name.
    pub state: StateId,
}

/// A state machine of a character has left a state. The entity may no longer exist when this is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Message)]
pub struct StateExited {
    /// The entity of the character.
    pub entity: Entity,
    /// Index into the character's [machines](Character::machines).
    pub machine: usize,
    /// The innermost state; the state machine has its name.
    pub state: StateId,
}

/// How many messages an entity sends in a frame: a step over a billion loops must not fill the memory.
/// [`Character::events`] gives all of them.
const MOST_EVENTS: usize = 1024;

/// Where characters report to.
#[derive(SystemParam)]
pub struct CharacterReports<'w, 's> {
    /// First, because it makes the resources that the others ask for.
    _resources: Local<'s, Resources>,
    events: ResMut<'w, Messages<AnimationEvent>>,
    entered: ResMut<'w, Messages<StateEntered>>,
    exited: ResMut<'w, Messages<StateExited>>,
    finished: ResMut<'w, Messages<AnimationFinished>>,
    looped: ResMut<'w, Messages<AnimationLooped>>,
}

impl CharacterReports<'_, '_> {
    /// Forgets the messages of the frame before the last one. Those that players send too, players forget.
    pub(super) fn begin_frame(&mut self) {
        self.events.update();
        self.entered.update();
        self.exited.update();
    }

    pub(super) fn write(&mut self, entity: Entity, character: &Character) {
        let mixer = &character.mixer;
        for event in mixer.events().take(MOST_EVENTS) {
            self.events.write(AnimationEvent {
                entity,
                layer: event.layer,
                action: event.action,
                clip: event.clip,
                index: event.index,
                weight: event.weight,
                pass: event.pass,
                is_rewinding: event.is_rewinding,
                markers: Arc::clone(mixer.clips().markers()),
            });
        }
        for (machine, player) in character.machines.iter().enumerate() {
            for change in player.changes() {
                self.exited.write(StateExited { entity, machine, state: change.left });
                self.entered.write(StateEntered { entity, machine, state: change.entered });
            }
        }
        for (index, layer) in mixer.layers().enumerate() {
            let (id, passes) = (LayerId::new(index), layer.current_action.as_ref().map_or(0, AnimationAction::passes));
            if passes > 0 {
                self.looped.write(AnimationLooped { entity, layer: id, passes });
            }
            if layer.has_just_finished() {
                self.finished.write(AnimationFinished { entity, layer: id });
            }
        }
    }
}

/// Makes the resources of the systems when these are first put to use, where the user has not made them.
struct Resources;

impl FromWorld for Resources {
    fn from_world(world: &mut World) -> Self {
        world.init_resource::<Time>();
        world.init_resource::<Sampled>();
        world.init_resource::<Messages<AnimationFinished>>();
        world.init_resource::<Messages<AnimationLooped>>();
        world.init_resource::<Messages<AnimationEvent>>();
        world.init_resource::<Messages<StateEntered>>();
        world.init_resource::<Messages<StateExited>>();
        Self
    }
}
