//! Adding and removing members.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bevy::math::Affine3A;
use bevy::mesh::VertexAttributeValues;
use bevy::mesh::morph::MorphWeights;
use bevy::mesh::skinning::SkinnedMesh;
use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;
use nebula_animation::crowd::{CrowdCharacterId, CrowdError};

use super::skins::Skins;
use super::{CrowdMember, CrowdMorphs, CrowdPart, CrowdSeat, Made, NebulaCrowd, Seatless, Shard};
use crate::asset::CharacterAsset;
use crate::bind::Scenes;
use crate::library::{Libraries, Library};
use crate::trouble::{NebulaError, Troubles};

/// What a mesh entity of a scene is made of.
type Part = (Option<&'static Mesh3d>, Option<&'static SkinnedMesh>, Has<MorphWeights>);

/// Gives members a seat whose scene and files are there.
#[expect(clippy::too_many_arguments, reason = "all that there is, once")]
pub(crate) fn bind_members(
    mut commands: Commands,
    mut waiting: Query<(Entity, &CrowdMember, &mut Seatless, Option<&mut CrowdSeat>)>,
    mut scenes: Scenes,
    parts: Query<Part>,
    meshes: Res<Assets<Mesh>>,
    mut libraries: ResMut<Libraries>,
    mut crowd: ResMut<NebulaCrowd>,
    mut troubles: Troubles,
) {
    let mut ready = Vec::new();
    for (entity, spec, mut seatless, old) in &mut waiting {
        match scenes.ready(entity, &spec.asset, spec.scene) {
            // The scene has lost its joints to the seat that the member has.
            Ok(Some(_)) if old.as_ref().is_some_and(|old| old.made.scene == scenes.instance(entity)) => {
                scenes.show_anew(entity);
            }
            Ok(Some(_)) if spec.clips_from.iter().any(|other| scenes.is_loading(other.id().untyped())) => {}
            Ok(Some((asset, entities))) => {
                // All of them first, so that nothing is kept of a file that was loaded again.
                if let Some(mut old) = old {
                    crowd.leave(&mut old);
                }
                ready.push((entity, asset, entities));
            }
            Ok(None) => {}
            Err(error) => {
                troubles.say_once(&mut seatless.told, entity, error);
            }
        }
    }
    for (entity, asset, entities) in ready {
        let Ok((_, spec, mut seatless, _)) = waiting.get_mut(entity) else { continue };
        let mut errors = Vec::new();
        let library = libraries.get((&spec.asset, &asset), &spec.clips_from, &scenes, |error| errors.push(error));
        let scene = (&asset, library, &*entities);
        match seat(&mut commands, entity, spec, scene, &scenes, &parts, &meshes, &mut crowd) {
            Ok(seat) => {
                commands.entity(entity).remove::<Seatless>().remove::<CrowdSeat>().insert(seat);
                errors.into_iter().for_each(|error| troubles.say(entity, error));
            }
            Err(error) => {
                commands.entity(entity).remove::<CrowdSeat>();
                if troubles.say_once(&mut seatless.told, entity, error) {
                    errors.into_iter().for_each(|error| troubles.say(entity, error));
                }
            }
        }
    }
}

/// Puts a member into the smallest shard, and its scene under its palette.
#[expect(clippy::too_many_arguments, reason = "all that there is, once")]
fn seat(
    commands: &mut Commands,
    entity: Entity,
    spec: &CrowdMember,
    (asset, library, entities): (&CharacterAsset, Library, &[Entity]),
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
    let (model, offset) = scenes.model_of(entity, roots.first().copied());

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
    let (shard, id) = crowd.spawn(entity, spec, &library, is_posed)?;
    let model_from_entity = scenes.place_below(entity, model).inverse();
    let place_of = |part: Entity| model_from_entity * scenes.place_below(entity, part);
    let mesh_from_model = skinned.iter().map(|mesh| place_of(*mesh).inverse()).collect();
    for &part in kept.iter().filter(|part| parent_of(**part) != Some(model) && !scenes.is_below(**part, model)) {
        // Where it was at rest, without the joints that were above it.
        let place = Some(Transform::from_matrix(place_of(part).into())).filter(Transform::is_finite);
        commands.entity(part).insert((ChildOf(model), place.unwrap_or_default()));
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
    let missing = spec.clips_from.iter().filter(|other| !scenes.assets.contains(*other));
    let made = Made {
        offset,
        mesh_from_model,
        library,
        spec: spec.clone(),
        missing: missing.map(|other| other.id().untyped()).collect(),
        scene: scenes.instance(entity),
    };
    let seat = CrowdSeat { shard, id, model, meshes: skinned, skins: crowd.skins(lists), made: Box::new(made) };
    seat.bound_meshes(commands);
    Ok(seat)
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
        library: &Library,
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
        let clip = shard.clip(library, spec.find_clip(&library.clips)?).map_err(to_error)?;
        let id = shard.crowd.spawn(clip).map_err(to_error)?;
        if let Err(error) = shard.apply(id, spec, library, None) {
            shard.crowd.remove(id);
            return Err(error);
        }
        shard.members.insert(id, entity);
        *shard.players.entry(library.number).or_default() += 1;
        Ok((number, id))
    }
}
