//! Skinning matrices for `bevy_pbr`.

use bevy::pbr::SkinUniforms;
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::sync_world::MainEntity;

use super::{CrowdSeat, NebulaCrowd, SkinWriter};

/// Overwrites what Bevy has put where the skins of members are: it found no joints.
pub(crate) fn write_skins(
    mut writer: Local<SkinWriter>,
    mut uniforms: ResMut<SkinUniforms>,
    crowd: Extract<Res<NebulaCrowd>>,
    seats: Extract<Query<&CrowdSeat>>,
    places: Extract<Query<&GlobalTransform>>,
) {
    let members = seats.iter().filter_map(|seat| Some((seat, places.get(seat.model).ok()?)));
    let mut matrices = std::mem::take(&mut uniforms.current_staging_buffer);
    // Those that no camera sees have no room in the buffer.
    writer.write(&crowd, members, |mesh| uniforms.skin_index(MainEntity::from(mesh)), &mut matrices);
    uniforms.current_staging_buffer = matrices;
}
