//! Writes skinning matrices of members straight into a renderer's buffer.

use std::sync::Arc;

use bevy::prelude::*;
use nebula_animation::crowd::DrawnCharacter;
use nebula_animation::palette::{NOT_DRAWN, SkinLayout};

use super::{CrowdSeat, NebulaCrowd};
use crate::pieces::{for_each_piece, zones};

/// The skins of the meshes of a scene. Members of one scene share them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Skins {
    /// No others have it.
    number: u64,
    /// For each skin, the joint of the rig for each of its matrices, where a vertex uses it.
    pub lists: Vec<Vec<Option<u16>>>,
    pub layout: SkinLayout,
}

impl Skins {
    pub fn new(number: u64, lists: Vec<Vec<Option<u16>>>) -> Self {
        let layout = SkinLayout::new(lists.iter().map(|list| list.iter().copied()));
        Self { number, lists, layout }
    }
}

/// Writes the skinning matrices of visible members, in world space, where the renderer wants them. Keeps only memory
/// from frame to frame.
///
/// The plugin does this for `bevy_pbr`. For your own renderer:
///
/// ```
/// use bevy::ecs::entity::EntityHashMap;
/// use bevy::prelude::*;
/// use nebula_bevy::crowd::{CrowdSeat, NebulaCrowd, SkinWriter};
///
/// /// Matrices, and where in them each mesh that is drawn has room.
/// #[derive(Resource)]
/// struct Buffer(Vec<Mat4>, EntityHashMap<u32>);
///
/// fn write(
///     mut writer: Local<SkinWriter>,
///     mut buffer: ResMut<Buffer>,
///     crowd: Res<NebulaCrowd>,
///     seats: Query<&CrowdSeat>,
///     places: Query<&GlobalTransform>,
/// ) {
///     let Buffer(matrices, starts) = &mut *buffer;
///     let members = seats.iter().filter_map(|seat| Some((seat, places.get(seat.model_entity()).ok()?)));
///     writer.write(&crowd, members, |mesh| starts.get(&mesh).copied(), matrices);
/// }
/// ```
#[derive(Debug, Default)]
pub struct SkinWriter {
    /// Parts of the buffer, one after the other, and who is drawn into each.
    zones: Vec<Vec<Group>>,
    /// Who is drawn into more than one of them.
    across: Vec<Group>,
    starts: Vec<u32>,
}

/// Members of one shard and one scene.
#[derive(Debug)]
struct Group {
    shard: usize,
    skins: Arc<Skins>,
    drawn: Vec<DrawnCharacter>,
    /// For each of them in turn, where each skin begins in the zone.
    starts: Vec<u32>,
}

impl SkinWriter {
    /// Writes the matrices of members, on all threads, given the world transform of each member's
    /// [model](CrowdSeat::model_entity). `start_of` says where in the buffer the matrices of a mesh begin, or `None` if
    /// it is not drawn. Matrices that no vertex of a mesh uses are not written.
    pub fn write<'a>(
        &mut self,
        crowd: &NebulaCrowd,
        members: impl IntoIterator<Item = (&'a CrowdSeat, &'a GlobalTransform)>,
        start_of: impl Fn(Entity) -> Option<u32>,
        matrices: &mut [Mat4],
    ) {
        let zone = matrices.len().div_ceil(zones()).max(1);
        self.zones.resize_with(matrices.len().div_ceil(zone), Vec::new);
        for groups in self.zones.iter_mut().chain([&mut self.across]) {
            groups.retain(|group| !group.drawn.is_empty());
            groups.iter_mut().for_each(Group::clear);
        }
        for (seat, place) in members {
            self.add(seat, place, &start_of, zone);
        }
        for_each_piece(self.zones.iter().zip(matrices.chunks_mut(zone)), |(groups, matrices)| {
            groups.iter().for_each(|group| group.write(crowd, matrices));
        });
        self.across.iter().for_each(|group| group.write(crowd, matrices));
    }

    /// Adds a member to those of its zone, if any of its meshes is drawn.
    fn add(
        &mut self,
        seat: &CrowdSeat,
        place: &GlobalTransform,
        start_of: impl Fn(Entity) -> Option<u32>,
        zone: usize,
    ) {
        self.starts.clear();
        let (mut first, mut end) = (usize::MAX, 0);
        for (mesh, list) in seat.meshes.iter().zip(&seat.skins.lists) {
            let start = start_of(*mesh);
            self.starts.push(start.unwrap_or(NOT_DRAWN));
            if let Some(start) = start {
                first = first.min(start as usize);
                end = end.max(start as usize + list.len());
            }
        }
        if first >= end {
            return;
        }
        let number = if self.zones.len() > 1 { first / zone } else { 0 };
        let (groups, base) = match self.zones.get_mut(number).filter(|_| end <= (number + 1) * zone) {
            Some(groups) => (groups, number * zone),
            None => (&mut self.across, 0),
        };
        let drawn = DrawnCharacter { character: seat.id, world_from_model: place.affine() };
        let starts = self.starts.iter().map(|start| if *start == NOT_DRAWN { *start } else { start - base as u32 });
        group_of(groups, seat).push(drawn, starts);
    }
}

/// The group of a member, which is mostly that of the one before.
fn group_of<'a>(groups: &'a mut Vec<Group>, seat: &CrowdSeat) -> &'a mut Group {
    let is_own = |group: &Group| group.shard == seat.shard && group.skins.number == seat.skins.number;
    let index = groups.iter().rposition(is_own).unwrap_or(groups.len());
    if index == groups.len() {
        groups.push(Group { shard: seat.shard, skins: Arc::clone(&seat.skins), drawn: Vec::new(), starts: Vec::new() });
    }
    &mut groups[index]
}

impl Group {
    fn clear(&mut self) {
        self.drawn.clear();
        self.starts.clear();
    }

    fn push(&mut self, drawn: DrawnCharacter, starts: impl Iterator<Item = u32>) {
        self.drawn.push(drawn);
        self.starts.extend(starts);
    }

    fn write(&self, crowd: &NebulaCrowd, matrices: &mut [Mat4]) {
        let Self { skins, drawn, starts, .. } = self;
        let Some(shard) = crowd.shards.get(self.shard) else { return };
        if !shard.is_posed {
            return shard.crowd.write_in_world(&skins.layout, drawn, starts, matrices);
        }
        for (drawn, starts) in drawn.iter().zip(starts.chunks_exact(skins.lists.len().max(1))) {
            let palette = shard.palette(drawn.character);
            skins.layout.write_in_world(&drawn.world_from_model, palette, starts, matrices);
        }
    }
}
