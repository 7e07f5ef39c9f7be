//! Evaluates a frame of the crowd.

use std::sync::Arc;

use bevy::mesh::morph::MorphWeights;
use bevy::prelude::*;

use super::{CrowdMorphs, CrowdSeat, NebulaCrowd, Shard};
use crate::messages::{AnimationEvent, MOST_EVENTS};
use crate::pieces::for_each_piece;

/// Lets the clocks run, and evaluates what anything in the world follows, one crowd a thread; then tells what members came by.
pub(crate) fn advance_crowd(
    time: Res<Time>,
    mut crowd: ResMut<NebulaCrowd>,
    mut events: MessageWriter<AnimationEvent>,
) {
    let (dt, crowd) = (time.delta_secs_f64(), crowd.bypass_change_detection());
    let shards = crowd.shards.iter_mut().filter(|shard| !shard.crowd.characters().is_empty());
    for_each_piece(shards, |shard| {
        shard.crowd.advance(dt);
        if shard.is_posed {
            shard.crowd.evaluate();
        }
    });
    for shard in &crowd.shards {
        shard.tell(&mut events);
    }
}

impl Shard {
    /// Tells of the markers that members came by in the last frame.
    fn tell(&self, events: &mut MessageWriter<AnimationEvent>) {
        let most = MOST_EVENTS + 4 * self.crowd.characters().len();
        for event in self.crowd.events().take(most) {
            let Some((&entity, (clip, markers))) =
                self.members.get(&event.character).zip(self.sources.get(&event.clip))
            else {
                continue;
            };
            let index = markers.of(clip.index()).iter().position(|marker| marker == event.marker);
            events.write(AnimationEvent {
                entity,
                layer: default(),
                clip: *clip,
                index: index.unwrap_or_default(),
                weight: event.weight,
                pass: event.pass,
                is_rewinding: event.is_rewinding,
                markers: Arc::clone(markers),
            });
        }
    }
}

/// Writes the morph weights of members, where they have changed.
pub(crate) fn pose_crowd(
    crowd: Res<NebulaCrowd>,
    seats: Query<&CrowdSeat>,
    mut nodes: Query<(&CrowdMorphs, &mut MorphWeights)>,
) {
    for (node, mut shown) in &mut nodes {
        let Ok(seat) = seats.get(node.member) else { continue };
        let count = shown.weights().len();
        let new = crowd.morph_weights(seat, node.first_slot, count);
        if new.len() == count && shown.weights() != new {
            shown.weights_mut().copy_from_slice(new);
        }
    }
}
