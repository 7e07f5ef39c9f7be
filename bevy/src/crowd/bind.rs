//! Members come and go.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bevy::math::Affine3A;
use bevy::mesh::VertexAttributeValues;
use bevy::mesh::morph::MorphWeights;
use bevy::mesh::skinning::SkinnedMesh;
use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;
use bevy::world_serialization::WorldInstanceReady;
use nebula_animation::crowd::{CrowdCharacterId, CrowdClipId, CrowdError, SecondClip};
use nebula_animation::{AnimationClipLibrary, ClipId};

use super::skins::Skins;
use super::{CrowdMember, CrowdMorphs, CrowdPart, CrowdSeat, NebulaCrowd, Seatless, Shard};
use crate::asset::CharacterAsset;
use crate::bind::Scenes;
use crate::trouble::{NebulaError, Troubles};

/// What a mesh entity of a scene is made of.
type Part = (Option<&'static Mesh3d>, Option<&'static SkinnedMesh>, Has<MorphWeights>);

/// Gives members a seat whose scene and file are there.
pub(crate) fn bind_members(
    mut commands: Commands,
    mut waiting: Query<(Entity, &CrowdMember, &mut Seatless, Option<&CrowdSeat>)>,
    mut scenes: Scenes,
    parts: Query<Part>,
    meshes: Res<Assets<Mesh>>,
    mut crowd: ResMut<NebulaCrowd>,
    mut troubles: Troubles,
) {
    for (entity, spec, mut seatless, old) in &mut waiting {
        let seat = match scenes.ready(entity, &spec.asset, spec.scene) {
            // The scene has lost its joints to the seat that the member has.
            Ok(Some(_)) if old.is_some_and(|old| old.scene == scenes.instance(entity)) => {
                scenes.show_anew(entity);
                continue;
            }
            Ok(Some((asset, entities))) => {
                seat(&mut commands, entity, spec, &asset, &entities, &scenes, &parts, &meshes, &mut crowd)
            }
            Ok(None) => continue,
            Err(error) => Err(error),
        };
        match seat {
            Ok(seat) => {
                commands.entity(entity).remove::<Seatless>().remove::<CrowdSeat>().insert(seat);
            }
            Err(error) => troubles.say_once(&mut seatless.told, entity, error),
        }
    }
}

/// Puts a member into the smallest shard, and its scene under its palette.
#[expect(clippy::too_many_arguments, reason = "all that there is, once")]
fn seat(
    commands: &mut Commands,
    entity: Entity,
    spec: &CrowdMember,
    asset: &CharacterAsset,
    entities: &[Entity],
    scenes: &Scenes,
    parts: &Query<Part>,
    meshes: &Assets<Mesh>,
    crowd: &mut NebulaCrowd,
) -> Result<CrowdSeat, NebulaError> {
    let nodes: HashMap<Entity, usize> =
        entities.iter().filter_map(|&part| scenes.nodes.get(part).ok().map(|node| (part, node.0))).collect();
    let joint_of = |part: Entity| asset.node_joints.get(*nodes.get(&part)?).copied().flatten();
    let parent_of = |part: Entity| scenes.places.get(part).ok().and_then(|(_, parent)| parent.map(ChildOf::parent));
    let rig = asset.rig();
    let roots = entities.iter().filter(|part| joint_of(**part).is_some_and(|joint| rig.parent(joint).is_none()));
    let roots: Vec<Entity> = roots.copied().collect();
    let (model, _) = scenes.model_of(entity, roots.first().copied());

    let (mut skinned, mut lists) = (Vec::new(), Vec::new());
    let (mut rigid, mut morphs, mut kept) = (Vec::new(), Vec::new(), HashSet::new());
    for &part in entities {
        let Ok((mesh, skin, has_morphs)) = parts.get(part) else { continue };
        if has_morphs && let Some(mesh) = rig.morphs().meshes.iter().find(|mesh| Some(&mesh.node) == nodes.get(&part)) {
            morphs.push((part, CrowdMorphs { member: entity, first_slot: mesh.first_slot }));
        }
        if let Some(skin) = skin {
            let own = asset.skins.iter().find(|own| {
                own.nodes.len() == skin.joints.len()
                    && own.nodes.iter().zip(&skin.joints).all(|(node, joint)| nodes.get(joint) == Some(node))
            });
            // The skin knows of joints that two skins bind differently.
            let mut joints: Vec<_> = match own {
                Some(own) => own.joints.iter().copied().map(Some).collect(),
                None => skin.joints.iter().map(|joint| joint_of(*joint)).collect(),
            };
            if let Some(used) = mesh.and_then(|mesh| crowd.used_joints(mesh.id(), meshes)) {
                let is_unused = |(index, _): &(usize, &mut _)| !used.get(*index).is_some_and(|is_used| *is_used);
                joints.iter_mut().enumerate().filter(is_unused).for_each(|(_, joint)| *joint = None);
            }
            skinned.push(part);
            lists.push(joints);
            kept.extend(parent_of(part));
        } else if mesh.is_some() {
            let (mut carrier, mut carrier_from_mesh) = (Some(part), Affine3A::IDENTITY);
            while let Some(at) = carrier.filter(|at| joint_of(*at).is_none()) {
                let place = scenes.places.get(at).map_or(Affine3A::IDENTITY, |(place, _)| place.compute_affine());
                carrier_from_mesh = place * carrier_from_mesh;
                carrier = parent_of(at).filter(|parent| nodes.contains_key(parent));
            }
            if let Some((carrier, joint)) = carrier.and_then(|carrier| Some((carrier, joint_of(carrier)?))) {
                kept.insert(carrier);
                let bind = rig.skeleton().joints[usize::from(joint)].inverse_bind_matrix.inverse();
                let bind_from_mesh = Affine3A::from_mat4(bind) * carrier_from_mesh;
                rigid.push((part, CrowdPart { member: entity, joint, bind_from_mesh }));
            }
        }
    }
    let is_posed = !rigid.is_empty() || !morphs.is_empty();
    let (shard, id) = crowd.spawn(entity, spec, asset, is_posed)?;
    for part in &kept {
        commands.entity(*part).insert(ChildOf(model));
    }
    for (mesh, part) in rigid {
        commands.entity(mesh).insert(part);
    }
    for (node, part) in morphs {
        commands.entity(node).insert(part);
    }
    for root in roots.into_iter().filter(|root| !kept.contains(root)) {
        commands.entity(root).despawn();
    }
    Ok(CrowdSeat {
        shard,
        id,
        model,
        meshes: skinned,
        skins: crowd.skins(lists),
        library: asset.library.clone(),
        spec: spec.clone(),
        scene: scenes.instance(entity),
    })
}

impl NebulaCrowd {
    /// Skins with these joints, those that others have where they have the same.
    fn skins(&mut self, lists: Vec<Vec<Option<u16>>>) -> Arc<Skins> {
        if let Some(known) = self.skins.iter().find(|known| known.lists == lists) {
            return Arc::clone(known);
        }
        // Those of files that nobody shows any more.
        self.skins.retain(|skins| Arc::strong_count(skins) > 1);
        self.skins_made += 1;
        let new = Arc::new(Skins::new(self.skins_made, lists));
        self.skins.push(Arc::clone(&new));
        new
    }

    /// Which joints of its skin a mesh uses; `None` where its vertices are not known here.
    fn used_joints(&mut self, id: AssetId<Mesh>, meshes: &Assets<Mesh>) -> Option<&[bool]> {
        if !self.used.contains_key(&id) {
            let vertices = meshes.get(id)?.try_attribute(Mesh::ATTRIBUTE_JOINT_INDEX).ok()?;
            let VertexAttributeValues::Uint16x4(vertices) = vertices else { return None };
            let mut used = Vec::new();
            for joint in vertices.as_flattened().iter().map(|joint| usize::from(*joint)) {
                if used.len() <= joint {
                    used.resize(joint + 1, false);
                }
                used[joint] = true;
            }
            self.used.insert(id, used);
        }
        self.used.get(&id).map(Vec::as_slice)
    }

    /// Adds a member to the shard with the fewest, of those that are posed in every frame or of the others.
    fn spawn(
        &mut self,
        entity: Entity,
        spec: &CrowdMember,
        asset: &CharacterAsset,
        is_posed: bool,
    ) -> Result<(usize, CrowdCharacterId), NebulaError> {
        if self.shards.is_empty() {
            let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num().max(1));
            let shards = [false, true].into_iter().flat_map(|is_posed| std::iter::repeat_n(is_posed, threads));
            self.shards.extend(shards.map(|is_posed| Shard { is_posed, ..Shard::default() }));
        }
        let shards = self.shards.iter_mut().enumerate().filter(|(_, shard)| shard.is_posed == is_posed);
        let smallest = shards.min_by_key(|(_, shard)| shard.crowd.characters().len());
        let Some((number, shard)) = smallest else { return Err(NebulaError::Crowd("there are no threads".to_owned())) };
        let to_error = |error: CrowdError| NebulaError::Crowd(error.to_string());
        let clip = shard.clip(&asset.library, spec.find_clip(&asset.library)?).map_err(to_error)?;
        let id = shard.crowd.spawn(clip).map_err(to_error)?;
        if let Err(error) = shard.apply(id, spec, &asset.library, None) {
            shard.crowd.remove(id);
            return Err(error);
        }
        shard.members.insert(id, entity);
        Ok((number, id))
    }
}

impl CrowdMember {
    /// Which clip of a library it plays.
    fn find_clip(&self, library: &AnimationClipLibrary) -> Result<ClipId, NebulaError> {
        let no_clip = || NebulaError::Crowd("the file has no clips: a crowd plays some".to_owned());
        match &self.clip {
            Some(name) => Ok(library.find(name)?),
            None => library.ids().next().ok_or_else(no_clip),
        }
    }
}

impl Shard {
    fn clip(&mut self, library: &AnimationClipLibrary, clip: ClipId) -> Result<CrowdClipId, CrowdError> {
        let key = (library.rig().id(), clip);
        if let Some(known) = self.clips.get(&key) {
            return Ok(*known);
        }
        let new = self.crowd.add_clip(library, clip)?;
        self.clips.insert(key, new);
        self.sources.insert(new, (clip, Arc::clone(library.markers())));
        Ok(new)
    }

    /// Takes over what a member is to play. `sought` is the time that was asked for before.
    fn apply(
        &mut self,
        id: CrowdCharacterId,
        spec: &CrowdMember,
        library: &AnimationClipLibrary,
        sought: Option<f64>,
    ) -> Result<(), NebulaError> {
        let to_error = |error: CrowdError| NebulaError::Crowd(error.to_string());
        let clip = self.clip(library, spec.find_clip(library)?).map_err(to_error)?;
        let second = match &spec.second {
            Some((name, weight)) => Some((self.clip(library, library.find(name)?).map_err(to_error)?, *weight)),
            None => None,
        };
        let Some(member) = self.crowd.character_mut(id) else { return Ok(()) };
        member.speed = spec.speed;
        if clip != member.clip {
            (member.clip, member.time) = (clip, 0.0);
        }
        if sought != Some(spec.time) {
            member.time = spec.time;
        }
        member.second = second.map(|(clip, weight)| {
            let time = member.second.filter(|second| second.clip == clip).map_or(0.0, |second| second.time);
            SecondClip { clip, time, weight }
        });
        Ok(())
    }
}

/// Lets members play something else whose component was changed; who is to be made of other files gets another seat.
pub(crate) fn follow_members(
    mut commands: Commands,
    mut members: Query<(Entity, &CrowdMember, &mut CrowdSeat), Changed<CrowdMember>>,
    mut crowd: ResMut<NebulaCrowd>,
    mut troubles: Troubles,
) {
    for (entity, spec, mut seat) in &mut members {
        if !spec.is_made_as(&seat.spec) {
            commands.entity(entity).insert(Seatless::default());
            continue;
        }
        let Some(shard) = crowd.shards.get_mut(seat.shard) else { continue };
        match shard.apply(seat.id, spec, &seat.library, Some(seat.spec.time)) {
            Ok(()) => seat.spec.clone_from(spec),
            Err(error) => troubles.say(entity, error),
        }
    }
}

/// A member that goes leaves its seat.
pub(crate) fn leave(removed: On<Remove, CrowdSeat>, seats: Query<&CrowdSeat>, mut crowd: ResMut<NebulaCrowd>) {
    if let Ok(seat) = seats.get(removed.entity)
        && let Some(shard) = crowd.shards.get_mut(seat.shard)
    {
        shard.crowd.remove(seat.id);
        shard.members.remove(&seat.id);
    }
}

/// A scene was spawned, for the first time or anew because its file has changed.
pub(crate) fn scene_is_ready(
    ready: On<WorldInstanceReady>,
    mut commands: Commands,
    known: Query<(), With<CrowdMember>>,
) {
    if known.contains(ready.entity) {
        commands.entity(ready.entity).insert(Seatless::default());
    }
}

/// Forgets the clips of files that were loaded again; their scenes are spawned anew too, and bring their members back.
pub(crate) fn rebind_members(
    mut commands: Commands,
    mut files: MessageReader<AssetEvent<CharacterAsset>>,
    members: Query<(Entity, &CrowdMember), With<CrowdSeat>>,
) {
    for event in files.read() {
        let AssetEvent::Modified { id } = event else { continue };
        for (entity, _) in members.iter().filter(|(_, spec)| spec.asset.id() == *id) {
            commands.entity(entity).insert(Seatless::default());
        }
    }
}

/// Forgets what was known of meshes that have changed.
pub(crate) fn forget_meshes(mut changes: MessageReader<AssetEvent<Mesh>>, mut crowd: ResMut<NebulaCrowd>) {
    for event in changes.read() {
        if let AssetEvent::Modified { id } | AssetEvent::Removed { id } = event {
            crowd.used.remove(id);
        }
    }
}
