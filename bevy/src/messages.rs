//! Messages from characters: markers, state changes, ends and loops.

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use nebula_animation::compile::ClipId;
use nebula_animation::mixer::{AnimationAction, StateId};
use nebula_animation::{Character, ClipMarkers, LayerId, Marker};

/// An action of a character has passed a marker of its clip.
///
/// Written in [`NebulaSystems::Advance`](crate::NebulaSystems::Advance): systems of `PostUpdate` after it read messages
/// of the same frame, those of `Update` in the next one.
#[derive(Message, Debug, Clone)]
pub struct AnimationEvent {
    /// The character. As for all messages, it may no longer exist when this is read.
    pub entity: Entity,
    /// The mixer's layer.
    pub layer: LayerId,
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
    pub(crate) markers: Arc<ClipMarkers>,
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

/// A layer of a character has reached the end of what it plays.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnimationFinished {
    /// The character.
    pub entity: Entity,
    /// The mixer's layer.
    pub layer: LayerId,
}

/// A layer of a character has looped.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnimationLooped {
    /// The character.
    pub entity: Entity,
    /// The mixer's layer.
    pub layer: LayerId,
    /// How many passes ended in this frame; at least 1.
    pub passes: u32,
}

/// A state machine of a character has changed its state.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct StateChanged {
    /// The character.
    pub entity: Entity,
    /// Index of the state machine.
    pub machine: usize,
    /// The innermost state that was left.
    pub left: StateId,
    /// The innermost state that was entered.
    pub entered: StateId,
    /// Its name.
    pub name: String,
}

/// How many messages of markers a character sends in a frame: a step over a billion loops must not fill the memory.
pub(crate) const MOST_EVENTS: usize = 1024;

/// Whether a character has anything to report.
pub(crate) fn has_news(character: &Character) -> bool {
    let mixer = &character.mixer;
    mixer.layers().any(|layer| {
        layer.has_just_finished() || layer.current_action.as_ref().is_some_and(|action| action.passes() > 0)
    }) || character.machines.iter().any(|machine| !machine.changes().is_empty())
        || mixer.events().next().is_some()
}

/// Where characters report to.
#[derive(SystemParam)]
pub(crate) struct Reports<'w> {
    events: MessageWriter<'w, AnimationEvent>,
    changed: MessageWriter<'w, StateChanged>,
    finished: MessageWriter<'w, AnimationFinished>,
    looped: MessageWriter<'w, AnimationLooped>,
}

impl Reports<'_> {
    pub fn write(&mut self, entity: Entity, character: &Character) {
        let mixer = &character.mixer;
        for event in mixer.events().take(MOST_EVENTS) {
            self.events.write(AnimationEvent {
                entity,
                layer: event.layer,
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
                let name = player.machine().state_name(change.entered).unwrap_or_default().to_owned();
                self.changed.write(StateChanged { entity, machine, left: change.left, entered: change.entered, name });
            }
        }
        for (index, layer) in mixer.layers().enumerate() {
            let layer_id = LayerId::new(index);
            let passes = layer.current_action.as_ref().map_or(0, AnimationAction::passes);
            if passes > 0 {
                self.looped.write(AnimationLooped { entity, layer: layer_id, passes });
            }
            if layer.has_just_finished() {
                self.finished.write(AnimationFinished { entity, layer: layer_id });
            }
        }
    }
}
