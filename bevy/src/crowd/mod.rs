//! Thousands of characters that each play a clip: no joint `Transform`s, skinning matrices go straight to the renderer.

mod bind;
mod bounds;
mod follow;
mod place;
mod pose;
#[cfg(feature = "render")]
mod render;
mod skins;

use std::collections::HashMap;
use std::sync::Arc;

use bevy::asset::UntypedAssetId;
use bevy::math::Affine3A;
use bevy::platform::collections::HashMap as IdMap;
use bevy::prelude::*;
use bevy::world_serialization::InstanceId;
use nebula_animation::ClipMarkers;
use nebula_animation::compile::{ClipId, RootDelta};
use nebula_animation::crowd::{Crowd, CrowdCharacterId, CrowdClipId};
use nebula_animation::palette::PaletteRows;

use crate::asset::CharacterAsset;
use crate::library::Library;
use crate::trouble::Told;
use skins::Skins;

pub(crate) use bind::bind_members;
pub(crate) use follow::{check_members, follow_members, forget_meshes, leave, rebind_members, scene_is_ready};
pub(crate) use place::place_parts;
pub(crate) use pose::{advance_crowd, pose_crowd};
#[cfg(feature = "render")]
pub(crate) use render::write_skins;
pub use skins::SkinWriter;

/// One of many characters that each play a clip or a blend of two: the fast path. Its scene is shown like that of a
/// [`NebulaCharacter`](crate::NebulaCharacter).
///
/// It is fast because it has no joint entities: once the scene is spawned, those without a mesh are despawned, and
/// skinning matrices go to the renderer directly. So there is nothing to attach objects to, lights and cameras on
/// joints are gone, and the bounds of skinned meshes cover the whole clip. Rigid meshes on joints only get a
/// `GlobalTransform`, in [`NebulaSystems::Place`](crate::NebulaSystems::Place). If you need more, use a
/// `NebulaCharacter`; both can share a file. [`GazeAt`](crate::GazeAt) and [`FeetOnGround`](crate::FeetOnGround) only
/// work there. [`RootMotion`](crate::RootMotion) moves members like characters.
///
/// Markers that members pass are sent as [`AnimationEvent`](crate::AnimationEvent)s, like those of characters.
#[derive(Component, Debug, Clone, Reflect)]
#[reflect(Component, Debug, Clone, Default)]
#[require(Transform, Visibility, Seatless)]
pub struct CrowdMember {
    /// The file. [`CharacterSettings::for_crowds`](crate::CharacterSettings::for_crowds) makes it faster. Changes of
    /// this, `scene` or `clips_from` take effect once they are loaded.
    pub asset: Handle<CharacterAsset>,
    /// Which scene of the file is shown, from 0, if the entity has no `WorldAssetRoot`; by default the file's default
    /// scene, or else the first.
    pub scene: Option<usize>,
    /// Name of the clip; by default the first of the file.
    pub clip: Option<String>,
    /// Start time in the clip, in seconds; default 0. Writing a new value seeks.
    pub time: f64,
    /// Playback speed relative to Bevy's `Time`; negative plays backwards; default 1.
    pub speed: f32,
    /// Other files whose clips it can play, retargeted to its body. They keep their names.
    pub clips_from: Vec<Handle<CharacterAsset>>,
    /// Name of a second clip, and its weight, from 0 to 1; default none.
    pub second: Option<(String, f32)>,
}

impl Default for CrowdMember {
    fn default() -> Self {
        Self {
            asset: Handle::default(),
            scene: None,
            clip: None,
            time: 0.0,
            speed: 1.0,
            clips_from: Vec::new(),
            second: None,
        }
    }
}

impl CrowdMember {
    /// Whether a member of this would be made of the same files as one of another.
    fn is_made_as(&self, other: &Self) -> bool {
        (&self.asset, self.scene, &self.clips_from) == (&other.asset, other.scene, &other.clips_from)
    }

    /// Plays the first clip of a file.
    #[must_use]
    pub fn new(asset: Handle<CharacterAsset>) -> Self {
        Self { asset, ..Self::default() }
    }

    /// Sets the clip, and the start time in seconds.
    #[must_use]
    pub fn playing(mut self, clip: impl Into<String>, time: f64) -> Self {
        (self.clip, self.time) = (Some(clip.into()), time);
        self
    }

    /// Adds the clips of another file, whose body may have other proportions.
    #[must_use]
    pub fn with_clips_from(mut self, asset: Handle<CharacterAsset>) -> Self {
        self.clips_from.push(asset);
        self
    }
}

/// On a member whose scene and file are still to be put together.
#[derive(Component, Debug, Clone, Default)]
pub struct Seatless {
    told: Told,
}

/// Where a member is in the crowd, and what of its scene is drawn with its palette.
#[derive(Component, Debug)]
pub struct CrowdSeat {
    shard: usize,
    id: CrowdCharacterId,
    /// The entity in whose space the joints are.
    pub(crate) model: Entity,
    /// The skinned meshes, and their skins.
    meshes: Vec<Entity>,
    skins: Arc<Skins>,
    /// Apart from what every frame reads.
    pub(crate) made: Box<Made>,
}

/// What a member was put together from.
#[derive(Debug)]
pub(crate) struct Made {
    /// How the model lies in the entity of the member.
    pub offset: Transform,
    /// What takes points from model space to that of each skinned mesh.
    mesh_from_model: Vec<Affine3A>,
    /// The clips that it may play.
    pub library: Library,
    /// What was last asked for, as far as it could be had.
    spec: CrowdMember,
    /// Files whose clips it does without, because they could not be loaded.
    missing: Vec<UntypedAssetId>,
    /// The scene, which has lost its joints since.
    scene: Option<InstanceId>,
}

/// Marks a rigid mesh on a joint of a member: it is placed in world space with the joint.
#[derive(Component, Debug, Clone, Copy)]
pub struct CrowdPart {
    member: Entity,
    joint: u16,
    /// What takes points of the mesh to where the joint's skinning matrix finds them.
    bind_from_mesh: Affine3A,
}

/// Marks a node of a member whose meshes have morph targets.
#[derive(Component, Debug, Clone, Copy)]
pub struct CrowdMorphs {
    member: Entity,
    /// The slot of the first weight in the rig.
    first_slot: usize,
}

/// All members: those whose poses something in Bevy's world follows, and all others, each in as many crowds as there are
/// threads to evaluate them.
#[derive(Resource, Debug, Default)]
pub struct NebulaCrowd {
    shards: Vec<Shard>,
    /// The skins of scenes, which members share.
    skins: Vec<Arc<Skins>>,
    /// How many there have been so far: the number of the last ones.
    skins_made: u64,
    /// Which joints of its skin each mesh uses.
    used: IdMap<AssetId<Mesh>, Vec<bool>>,
}

/// The members that one thread evaluates.
#[derive(Debug, Default)]
struct Shard {
    crowd: Crowd,
    /// Whether palettes and morph weights are worked out in every frame, for meshes that joints carry and for morph targets. Others are worked out when they are
    /// drawn, by [`SkinWriter`].
    is_posed: bool,
    /// The clips of libraries, by the libraries' numbers.
    clips: HashMap<(u64, ClipId), CrowdClipId>,
    /// Which clip of its library each is, and the markers of that.
    sources: HashMap<CrowdClipId, (ClipId, Arc<ClipMarkers>)>,
    members: HashMap<CrowdCharacterId, Entity>,
    /// How many members play each library; others are forgotten.
    players: HashMap<u64, usize>,
}

impl NebulaCrowd {
    /// The number of members shown.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.crowd.characters().len()).sum()
    }

    /// `true` if there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The skinning matrices of a member in model space, followed by those of others; empty where it has left, and where nothing in the world follows it.
    fn palette(&self, seat: &CrowdSeat) -> &[PaletteRows] {
        self.shards.get(seat.shard).map_or(&[], |shard| shard.palette(seat.id))
    }

    /// A member's time in its clip, in seconds; `None` if it has been removed.
    #[must_use]
    pub fn time(&self, seat: &CrowdSeat) -> Option<f64> {
        self.shards.get(seat.shard)?.crowd.character(seat.id).map(|character| character.time)
    }

    /// What a member shows most of: name of the clip, where in it, and its share; `None` where it has left.
    pub(crate) fn shown(&self, seat: &CrowdSeat) -> Option<(&str, f32, f32)> {
        let crowd = &self.shards.get(seat.shard)?.crowd;
        let character = crowd.character(seat.id)?;
        let second = character.second.map_or(0.0, |second| second.weight.clamp(0.0, 1.0));
        let (clip, time, weight) = match character.second {
            Some(shown) if second > 0.5 => (shown.clip, shown.time, second),
            _ => (character.clip, character.time, 1.0 - second),
        };
        Some((crowd.clip(clip)?.name(), time as f32, weight))
    }

    /// How far the root of a member went in the last frame.
    pub(crate) fn root_step(&self, seat: &CrowdSeat) -> RootDelta {
        let shard = self.shards.get(seat.shard);
        shard.and_then(|shard| shard.crowd.root_step(seat.id)).unwrap_or(RootDelta::ZERO)
    }

    /// The morph weights of a member, slot by slot, from one on.
    fn morph_weights(&self, seat: &CrowdSeat, first_slot: usize, count: usize) -> &[f32] {
        let Some(Shard { crowd, .. }) = self.shards.get(seat.shard) else { return &[] };
        let Some(start) = crowd.morph_start(seat.id).map(|start| start + first_slot) else { return &[] };
        crowd.morph_weights().get(start..start + count).unwrap_or_default()
    }
}

impl Shard {
    /// The skinning matrices of a member in model space, followed by those of others.
    fn palette(&self, id: CrowdCharacterId) -> &[PaletteRows] {
        let start = self.crowd.palette_start(id).filter(|_| self.is_posed);
        start.and_then(|start| self.crowd.palettes().get(start..)).unwrap_or_default()
    }
}

impl CrowdSeat {
    /// The skinned meshes of the member, with the rig's joint for each matrix of their skin, or `None` for those that
    /// no vertex uses.
    pub fn skins(&self) -> impl Iterator<Item = (Entity, &[Option<u16>])> {
        self.meshes.iter().zip(&self.skins.lists).map(|(mesh, joints)| (*mesh, &**joints))
    }

    /// The entity in whose space its joints are.
    #[must_use]
    pub fn model_entity(&self) -> Entity {
        self.model
    }
}
