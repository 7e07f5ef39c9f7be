//! Skinning matrices straight into the renderer's buffer.

use bevy::pbr::SkinUniforms;
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::sync_world::MainEntity;

use super::{CrowdSeat, NebulaCrowd};

/// Overwrites what Bevy has put where the skins of members are: it found no joints.
pub(crate) fn write_skins(
    mut uniforms: ResMut<SkinUniforms>,
    crowd: Extract<Res<NebulaCrowd>>,
    seats: Extract<Query<&CrowdSeat>>,
    places: Extract<Query<&GlobalTransform>>,
) {
    for seat in &seats {
        let Ok(place) = places.get(seat.model) else { continue };
        for (mesh, joints) in seat.skins() {
            // Those that no camera sees have no room in the buffer.
            let Some(start) = uniforms.skin_index(MainEntity::from(mesh)) else { continue };
            let range = start as usize..start as usize + joints.len();
            if let Some(matrices) = uniforms.current_staging_buffer.get_mut(range) {
                seat.write_skin(&crowd, joints, place, matrices);
            }
        }
    }
}
