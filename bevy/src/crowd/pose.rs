//! A frame of the crowd.

use bevy::mesh::morph::MorphWeights;
use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;

use super::{CrowdSeat, NebulaCrowd};

/// Lets the clocks run, and evaluates all palettes, one crowd a thread.
pub(crate) fn advance_crowd(time: Res<Time>, mut crowd: ResMut<NebulaCrowd>) {
    let dt = time.delta_secs_f64();
    let shards = crowd.bypass_change_detection().shards.iter_mut();
    let shards = shards.filter(|shard| !shard.crowd.characters().is_empty());
    let Some(pool) = ComputeTaskPool::try_get() else {
        shards.for_each(|shard| shard.crowd.update(dt));
        return;
    };
    pool.scope(|scope| {
        for shard in shards {
            scope.spawn(async move { shard.crowd.update(dt) });
        }
    });
}

/// Writes what of members is not skinned: meshes that joints carry, and morph weights.
pub(crate) fn pose_crowd(
    crowd: Res<NebulaCrowd>,
    seats: Query<&CrowdSeat>,
    mut transforms: Query<&mut Transform>,
    mut weights: Query<&mut MorphWeights>,
) {
    for seat in seats.iter().filter(|seat| !seat.rigid.is_empty() || !seat.morphs.is_empty()) {
        let palette = crowd.palette(seat);
        for (carrier, joint, bind) in &seat.rigid {
            let Ok(mut transform) = transforms.get_mut(*carrier) else { continue };
            let Some(rows) = palette.get(usize::from(*joint)) else { continue };
            transform.set_if_neq(Transform::from_matrix(rows.to_matrix() * *bind));
        }
        for (node, first_slot) in &seat.morphs {
            let Ok(mut shown) = weights.get_mut(*node) else { continue };
            let count = shown.weights().len();
            let new = crowd.morph_weights(seat, *first_slot, count);
            if new.len() == count && shown.weights() != new {
                shown.weights_mut().copy_from_slice(new);
            }
        }
    }
}
