//! What an entity costs beside its pose and its palette. `tests/allocations.rs` measures the same with the allocator.

use std::mem::size_of;

use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::Entity;
use nebula_animation::{AnimationClipLibrary, AnimationPlayer};

#[test]
fn an_entity_costs_at_most_256_bytes_beside_pose_and_palette() {
    let components = size_of::<AnimationPlayer>() + size_of::<AnimationClipLibrary>();
    // bevy keeps when each component was added and changed.
    let ticks = 2 * 2 * size_of::<Tick>();
    // Its row in the table, its row in the archetype, and where it is.
    let bookkeeping = size_of::<Entity>() + 12 + 24;
    println!("components {components}, ticks {ticks}, bookkeeping {bookkeeping} bytes");
    assert!(components + ticks + bookkeeping <= 256, "{} bytes", components + ticks + bookkeeping);
}
