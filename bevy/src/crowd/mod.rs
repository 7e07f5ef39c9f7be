//! Thousands of characters that each play a clip: no `Transform`s of joints, skinning matrices straight to the renderer.

mod bind;
mod pose;
#[cfg(feature = "render")]
mod render;

use std::collections::HashMap;
use std::sync::Arc;

use bevy::prelude::*;
use bevy::world_serialization::InstanceId;
use nebula_animation::compile::ClipId;
use nebula_animation::crowd::{Crowd, CrowdCharacterId, CrowdClipId};
use nebula_animation::palette::PaletteRows;
use nebula_animation::rig::RigId;

use crate::asset::CharacterAsset;

pub(crate) use bind::{bind_members, follow_members, leave, rebind_members, scene_is_ready};
pub(crate) use pose::{advance_crowd, pose_crowd};
#[cfg(feature = "render")]
pub(crate) use render::write_skins;

/// One of many characters, each of which plays a clip, or two: the fast path. Its scene is shown as that of a [`NebulaCharacter`](crate::NebulaCharacter).
///
/// What it saves is the entities of joints: once the scene is there, those that carry no mesh are despawned, and skinning matrices go to the renderer without them.
/// So there is nothing to hang things on, lights and cameras that joints carried are gone, and bounds of meshes are those of the file. Whoever needs more is a
/// `NebulaCharacter`; both can be of the same file.
#[derive(Component, Debug, Clone, Default, Reflect)]
#[reflect(Component, Debug, Clone, Default)]
#[require(Transform, Visibility, Seatless)]
pub struct CrowdMember {
    /// The file. [`CharacterSettings::for_crowds`](crate::CharacterSettings::for_crowds) makes it faster.
    pub asset: Handle<CharacterAsset>,
    /// Which scene of the file is shown, from 0, where the entity has no `WorldAssetRoot`; default 0.
    pub scene: usize,
    /// Name of the clip; by default the first of the file.
    pub clip: Option<String>,
    /// Where in the clip it begins, in seconds; default 0. A new value seeks.
    pub time: f64,
    /// Seconds of the clip per second of Bevy's `Time`; negative plays backwards; default 1.
    pub speed: f32,
    /// Name of a second clip, and how much of it is seen, from 0 to 1; default none.
    pub second: Option<(String, f32)>,
}

impl CrowdMember {
    /// One that plays the first clip of a file.
    #[must_use]
    pub fn new(asset: Handle<CharacterAsset>) -> Self {
        Self { asset, speed: 1.0, ..Self::default() }
    }

    /// The same, with another clip, from a time in seconds on.
    #[must_use]
    pub fn playing(mut self, clip: impl Into<String>, time: f64) -> Self {
        (self.clip, self.time) = (Some(clip.into()), time);
        self
    }
}

/// On a member whose scene and file are still to be put together.
#[derive(Component, Debug, Clone, Copy, Default)]
pub struct Seatless {
    is_told: bool,
}

/// Where a member is in the crowd, and what of its scene is drawn with its palette.
#[derive(Component, Debug)]
pub struct CrowdSeat {
    shard: usize,
    id: CrowdCharacterId,
    /// How many joints its rig has.
    joints: usize,
    /// The entity in whose space the joints are.
    pub(crate) model: Entity,
    /// The skinned meshes, and for each joint of their skin the joint of the rig.
    skins: Vec<(Entity, Arc<[u16]>)>,
    /// Entities that are moved with a joint, because they carry meshes without a skin, and what takes the joint's space to that of its bind pose.
    rigid: Vec<(Entity, u16, Mat4)>,
    /// Nodes whose meshes have morph targets, and the slot of the first weight.
    morphs: Vec<(Entity, usize)>,
    /// The time that was last asked for.
    sought: f64,
    /// The scene that it was made of, which has lost its joints since.
    scene: Option<InstanceId>,
}

/// All members, in as many crowds as there are threads to evaluate them.
#[derive(Resource, Debug, Default)]
pub struct NebulaCrowd {
    shards: Vec<Shard>,
}

/// The members that one thread evaluates.
#[derive(Debug, Default)]
struct Shard {
    crowd: Crowd,
    clips: HashMap<(RigId, ClipId), CrowdClipId>,
}

impl NebulaCrowd {
    /// How many members are shown.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.crowd.characters().len()).sum()
    }

    /// Whether nobody is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The skinning matrices of a member in model space, one for each joint of its rig; empty where it has left.
    #[must_use]
    pub fn palette(&self, seat: &CrowdSeat) -> &[PaletteRows] {
        let Some(Shard { crowd, .. }) = self.shards.get(seat.shard) else { return &[] };
        let Some(start) = crowd.palette_start(seat.id) else { return &[] };
        crowd.palettes().get(start..start + seat.joints).unwrap_or_default()
    }

    /// The morph weights of a member, slot by slot, from one on.
    fn morph_weights(&self, seat: &CrowdSeat, first_slot: usize, count: usize) -> &[f32] {
        let Some(Shard { crowd, .. }) = self.shards.get(seat.shard) else { return &[] };
        let Some(start) = crowd.morph_start(seat.id).map(|start| start + first_slot) else { return &[] };
        crowd.morph_weights().get(start..start + count).unwrap_or_default()
    }
}

impl CrowdSeat {
    /// The skinned meshes of the member, and for each joint of their skin the index of its matrix in the [palette](NebulaCrowd::palette).
    pub fn skins(&self) -> impl Iterator<Item = (Entity, &[u16])> {
        self.skins.iter().map(|(mesh, joints)| (*mesh, &**joints))
    }

    /// The entity in whose space the palette is.
    #[must_use]
    pub fn model_entity(&self) -> Entity {
        self.model
    }

    /// Writes the matrices that Bevy's renderer wants for a skin: from its mesh to the world.
    pub fn write_skin(
        &self,
        crowd: &NebulaCrowd,
        joints: &[u16],
        world_from_model: &GlobalTransform,
        matrices: &mut [Mat4],
    ) {
        let (palette, world) = (crowd.palette(self), world_from_model.affine());
        for (matrix, joint) in matrices.iter_mut().zip(joints) {
            if let Some(rows) = palette.get(usize::from(*joint)) {
                *matrix = product(&world, rows);
            }
        }
    }
}

/// `world * rows`, as a matrix: four times three products fewer than two whole ones.
fn product(world: &bevy::math::Affine3A, rows: &PaletteRows) -> Mat4 {
    let [x, y, z] = rows.0;
    let column = |index: usize| world.matrix3 * Vec3A::new(x[index], y[index], z[index]);
    let [a, b, c] = [column(0), column(1), column(2)];
    let d = column(3) + world.translation;
    Mat4::from_cols(a.extend(0.0), b.extend(0.0), c.extend(0.0), d.extend(1.0))
}
