//! Places rigid meshes on joints of members in the world.

use bevy::ecs::change_detection::{ContiguousMut, Tick};
use bevy::math::Affine3A;
use bevy::prelude::*;
use nebula_animation::palette::PaletteRows;

use super::{CrowdPart, CrowdSeat, NebulaCrowd};
use crate::pieces::for_each_piece;

/// Meshes in one piece of work for a thread.
const PIECE: usize = 1024;

/// Meshes that lie side by side in the world.
struct Parts<'a> {
    parts: &'a [CrowdPart],
    places: &'a mut [GlobalTransform],
    /// When each was changed last, and what counts as now.
    changed: &'a mut [Tick],
    now: Tick,
}

/// Where members are.
type Models<'w, 's> = Query<'w, 's, &'static GlobalTransform, Without<CrowdPart>>;

/// Places the meshes of members that have no skin, on all threads: straight in the world, after Bevy has propagated transforms, so that it need not go through
/// their hierarchies in every frame.
pub(crate) fn place_parts(
    crowd: Res<NebulaCrowd>,
    seats: Query<&CrowdSeat>,
    models: Models,
    mut parts: Query<(&CrowdPart, &mut GlobalTransform)>,
) {
    let Ok(tables) = parts.contiguous_iter_mut() else { return };
    let mut tables: Vec<_> =
        tables.map(|(parts, places)| (parts, ContiguousMut::bypass_change_detection_split(places))).collect();
    let pieces = tables.iter_mut().flat_map(|(parts, (places, ticks))| {
        let now = ticks.this_run();
        let changed = ticks.changed_mut().chunks_mut(PIECE);
        let pieces = parts.chunks(PIECE).zip(places.chunks_mut(PIECE)).zip(changed);
        pieces.map(move |((parts, places), changed)| Parts { parts, places, changed, now })
    });
    for_each_piece(pieces, |piece| piece.place(&crowd, &seats, &models));
}

impl Parts<'_> {
    fn place(self, crowd: &NebulaCrowd, seats: &Query<&CrowdSeat>, models: &Models) {
        // Meshes of one member lie side by side: most need no look-up.
        let mut known = Entity::PLACEHOLDER;
        let (mut palette, mut world) = (&[][..], Affine3A::IDENTITY);
        for ((part, place), changed) in self.parts.iter().zip(self.places).zip(self.changed) {
            if known != part.member {
                known = part.member;
                let seat = seats.get(part.member).ok();
                let model = seat.and_then(|seat| Some((seat, models.get(seat.model).ok()?)));
                (palette, world) = match model {
                    Some((seat, model)) => (crowd.palette(seat), model.affine()),
                    None => (&[][..], Affine3A::IDENTITY),
                };
            }
            let Some(rows) = palette.get(usize::from(part.joint)) else { continue };
            let new = GlobalTransform::from(world * (affine(rows) * part.bind_from_mesh));
            if *place != new {
                *place = new;
                *changed = self.now;
            }
        }
    }
}

fn affine(PaletteRows([x, y, z]): &PaletteRows) -> Affine3A {
    let column = |index: usize| Vec3A::new(x[index], y[index], z[index]);
    Affine3A::from_cols(column(0), column(1), column(2), column(3))
}
