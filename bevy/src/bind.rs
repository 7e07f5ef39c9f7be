//! Binds a character's scene to its file: which entity is which joint.

use bevy::asset::{LoadState, UntypedAssetId};
use bevy::ecs::system::SystemParam;
use bevy::gltf::GltfAssetLabel;
use bevy::math::Affine3A;
use bevy::prelude::*;
use bevy::world_serialization::{InstanceId, WorldAssetRoot, WorldInstance, WorldInstanceReady, WorldInstanceSpawner};
use nebula_animation::procedural::avatar;
use nebula_animation::{Character, StateMachine, StateMachinePlayer};

use crate::asset::{CharacterAsset, MachineAsset};
use crate::character::{AnimatedJoint, AnimatedMorphs, Animator, CharacterReady, NebulaCharacter, Unbound};
use crate::library::Libraries;
use crate::node::GltfNodeIndex;
use crate::rebind::Bound;
use crate::trouble::{NebulaError, Troubles};

/// The file of a scene that the plugin has added, because its entity had none. As long as it is held, Bevy loads the scene anew when the file changes.
#[derive(Component, Debug, Clone)]
pub struct SceneFile(Handle<Gltf>);

/// What is asked of the scene and the file of a character before anything else.
#[derive(SystemParam)]
pub(crate) struct Scenes<'w, 's> {
    commands: Commands<'w, 's>,
    server: Res<'w, AssetServer>,
    pub assets: Res<'w, Assets<CharacterAsset>>,
    spawner: Res<'w, WorldInstanceSpawner>,
    gltfs: Res<'w, Assets<Gltf>>,
    roots: Query<'w, 's, (Option<&'static WorldAssetRoot>, Option<&'static WorldInstance>, Option<&'static SceneFile>)>,
    pub nodes: Query<'w, 's, &'static GltfNodeIndex>,
    pub places: Query<'w, 's, (&'static Transform, Option<&'static ChildOf>)>,
}

impl Scenes<'_, '_> {
    /// The file of an entity and the entities of its scene, once both are there; shows the scene where nobody has. `Ok(None)` while something is still
    /// loading.
    pub fn ready(
        &mut self,
        entity: Entity,
        handle: &Handle<CharacterAsset>,
        scene: Option<usize>,
    ) -> Result<Option<(CharacterAsset, Vec<Entity>)>, NebulaError> {
        self.check(handle.id().untyped())?;
        let Ok((root, instance, file)) = self.roots.get(entity) else { return Ok(None) };
        let path = self.server.get_path(handle.id()).map(|path| path.without_label().into_owned());
        match (root, file, path) {
            (None, None, None) => return Err(NebulaError::NoFile),
            // Somebody else has put the scene there.
            (Some(WorldAssetRoot(root)), None, path) => {
                self.check(root.id().untyped())?;
                let shown = self.server.get_path(root.id()).map(|path| path.without_label().into_owned());
                if shown.is_some() && path.is_some() && shown != path {
                    let (shown, file) = (self.name(root.id().untyped()), self.name(handle.id().untyped()));
                    return Err(NebulaError::OtherScene { shown, file });
                }
            }
            (_, Some(SceneFile(file)), Some(path))
                if self.server.get_path(file.id()).is_some_and(|known| known == path) =>
            {
                self.check(file.id().untyped())?;
                let Some(gltf) = self.gltfs.get(file) else { return Ok(None) };
                let of_file = gltf.default_scene.as_ref().filter(|_| scene.is_none());
                let number = scene.unwrap_or_default();
                let wanted = of_file.or_else(|| gltf.scenes.get(number)).ok_or_else(|| NebulaError::NotLoaded {
                    file: GltfAssetLabel::Scene(number).from_asset(path).to_string(),
                    reason: format!("there is no such scene, but {}", gltf.scenes.len()),
                })?;
                if root.is_none_or(|root| root.0 != *wanted) {
                    self.commands.entity(entity).insert(WorldAssetRoot(wanted.clone()));
                    return Ok(None);
                }
            }
            (_, _, path) => {
                let file = self.server.load(path.ok_or(NebulaError::NoFile)?);
                self.commands.entity(entity).insert(SceneFile(file));
                return Ok(None);
            }
        }
        let Some(asset) = self.assets.get(handle) else { return Ok(None) };
        let Some(instance) = instance.filter(|instance| self.spawner.instance_is_ready(***instance)) else {
            return Ok(None);
        };
        let entities = self.spawner.iter_instance_entities(**instance).collect();
        Ok(Some((asset.clone(), entities)))
    }

    /// Which instance of a scene an entity shows.
    pub fn instance(&self, entity: Entity) -> Option<InstanceId> {
        self.roots.get(entity).ok().and_then(|(_, instance, _)| instance.map(|instance| **instance))
    }

    /// Has the scene of an entity spawned once more, for whoever needs it as it was.
    pub fn show_anew(&mut self, entity: Entity) {
        if let Ok((Some(root), ..)) = self.roots.get(entity) {
            self.commands.entity(entity).insert(root.clone());
        }
    }

    /// An error where a file could not be loaded.
    pub fn check(&self, id: UntypedAssetId) -> Result<(), NebulaError> {
        match self.server.get_load_state(id) {
            Some(LoadState::Failed(error)) => {
                Err(NebulaError::NotLoaded { file: self.name(id), reason: first_line(&error.to_string()) })
            }
            _ => Ok(()),
        }
    }

    /// Whether a file is still on its way.
    pub fn is_loading(&self, id: UntypedAssetId) -> bool {
        matches!(self.server.get_load_state(id), Some(LoadState::Loading | LoadState::NotLoaded))
    }

    /// Why a file is not there.
    pub fn why_missing(&self, id: UntypedAssetId, consequence: &str) -> NebulaError {
        let unknown = || NebulaError::NotLoaded { file: self.name(id), reason: consequence.to_owned() };
        self.check(id).err().unwrap_or_else(unknown)
    }

    /// The path of a file, for messages.
    pub fn name(&self, id: UntypedAssetId) -> String {
        self.server.get_path(id).map_or_else(|| "an asset without a file".to_owned(), |path| path.to_string())
    }

    /// What takes points from the space of an entity of a scene to that of an entity above it.
    pub fn place_below(&self, above: Entity, entity: Entity) -> Affine3A {
        let (mut place, mut at) = (Affine3A::IDENTITY, entity);
        while at != above {
            let Ok((own, parent)) = self.places.get(at) else { break };
            place = own.compute_affine() * place;
            let Some(parent) = parent else { break };
            at = parent.parent();
        }
        place
    }

    /// Whether an entity is another one, or below it.
    pub fn is_below(&self, above: Entity, entity: Entity) -> bool {
        let parent = |of: &Entity| self.places.get(*of).ok().and_then(|(_, parent)| parent.map(ChildOf::parent));
        std::iter::successors(Some(entity), parent).any(|at| at == above)
    }

    /// The entity in whose space the joints are, and how that lies in the entity of the character.
    pub fn model_of(&self, entity: Entity, root_joint: Option<Entity>) -> (Entity, Transform) {
        let parent = |of: Entity| self.places.get(of).ok().and_then(|(_, parent)| parent.map(ChildOf::parent));
        let model = root_joint.and_then(parent).unwrap_or(entity);
        let (mut offset, mut at) = (Transform::IDENTITY, model);
        while at != entity {
            let Ok((place, parent)) = self.places.get(at) else { break };
            offset = *place * offset;
            let Some(parent) = parent else { break };
            at = parent.parent();
        }
        (model, offset)
    }
}

/// What an error of Bevy says, without the calls that it lists after that.
fn first_line(error: &str) -> String {
    error.lines().next().unwrap_or_default().to_owned()
}

/// The characters that are still to be bound.
type Waiting = (Entity, &'static NebulaCharacter, &'static mut Unbound);

/// Binds every character whose scene and files are there.
pub(crate) fn bind_characters(
    mut commands: Commands,
    mut waiting: Query<Waiting>,
    mut scenes: Scenes,
    machines: Res<Assets<MachineAsset>>,
    mut libraries: ResMut<Libraries>,
    mut troubles: Troubles,
) {
    for (entity, spec, mut unbound) in &mut waiting {
        let (asset, entities) = match scenes.ready(entity, &spec.asset, spec.scene) {
            Ok(Some(ready)) => ready,
            Ok(None) => continue,
            Err(error) => {
                troubles.say_once(&mut unbound.told, entity, error);
                continue;
            }
        };
        let mut needed = spec.clips_from.iter().map(|handle| handle.id().untyped());
        let mut needed_machines = spec.machines.iter().map(|handle| handle.id().untyped());
        if needed.any(|id| scenes.is_loading(id)) || needed_machines.any(|id| scenes.is_loading(id)) {
            continue;
        }
        commands.entity(entity).remove::<Unbound>();
        let library =
            libraries.get((&spec.asset, &asset), &spec.clips_from, &scenes, |error| troubles.say(entity, error));
        let clips = spec.clips_from.iter().filter(|handle| !scenes.assets.contains(*handle));
        let deciders = spec.machines.iter().filter(|handle| !machines.contains(*handle));
        let missing = clips.map(|handle| handle.id().untyped()).chain(deciders.map(|handle| handle.id().untyped()));
        let bound = Bound { spec: spec.clone(), missing: missing.collect() };
        let mut character = Character::of(library.clips);
        character.mixer.time_scale = spec.speed;
        // Bevy makes skinning matrices of the joints' own entities.
        character.want_palette(false);
        // Eyes, twist joints, hair: what the file says of its avatar.
        if let Some(avatar) = &asset.avatar {
            character.layers.layers.extend(avatar::layers(avatar));
        }
        for handle in &spec.machines {
            if let Err(error) = add_machine(&mut character, handle, &machines, &scenes) {
                troubles.say(entity, error);
            }
        }
        if character.machines.is_empty()
            && let Err(error) = begin(&mut character, spec.clip.as_deref())
        {
            troubles.say(entity, error);
        }
        let animator = animator(&mut commands, entity, character, &asset, &entities, &scenes);
        if !animator.joints.is_empty() && animator.joints.iter().all(Option::is_none) {
            troubles.say(entity, NebulaError::NoJoints(scenes.name(spec.asset.id().untyped())));
        }
        // Taken away first, so that it counts as added when it is a new one too.
        commands.entity(entity).remove::<Animator>().insert((animator, bound));
        commands.trigger(CharacterReady { entity });
    }
}

/// Lets a character play its first clip.
fn begin(character: &mut Character, clip: Option<&str>) -> Result<(), NebulaError> {
    match clip {
        Some(name) => character.mixer.play(name, 0.0).map(|_| ())?,
        None if character.mixer.clips().ids().len() > 0 => character.mixer.play(0, 0.0).map(|_| ())?,
        None => {}
    }
    Ok(())
}

/// Gives a character a state machine, for the base layer or one above.
fn add_machine(
    character: &mut Character,
    handle: &Handle<MachineAsset>,
    machines: &Assets<MachineAsset>,
    scenes: &Scenes,
) -> Result<(), NebulaError> {
    let id = handle.id().untyped();
    let missing = || scenes.why_missing(id, "it decides nothing");
    let MachineAsset(document) = machines.get(handle).ok_or_else(missing)?;
    let clips = character.mixer.clips();
    let machine = StateMachine::new(document, clips, clips.markers())
        .map_err(|error| NebulaError::Machine { file: scenes.name(id), error })?;
    let mut player = StateMachinePlayer::new(machine);
    if !character.machines.is_empty() {
        let layer = character.mixer.add_layer(format!("machine {}", character.machines.len()));
        player = player.on_layer(layer);
    }
    character.machines.push(player);
    Ok(())
}

/// Finds the joints and the morphing meshes among the entities of a scene.
fn animator(
    commands: &mut Commands,
    entity: Entity,
    character: Character,
    asset: &CharacterAsset,
    entities: &[Entity],
    scenes: &Scenes,
) -> Animator {
    let rig = character.rig();
    let mut joints = vec![None; rig.joint_count()];
    for &part in entities {
        let Ok(GltfNodeIndex(node)) = scenes.nodes.get(part) else { continue };
        if let Some(joint) = asset.node_joints.get(*node).copied().flatten() {
            joints[usize::from(joint)] = Some(part);
            commands.entity(part).insert(AnimatedJoint { animator: entity, joint });
        }
        if let Some(mesh) = rig.morphs().meshes.iter().find(|mesh| mesh.node == *node) {
            commands.entity(part).insert(AnimatedMorphs { animator: entity, first_slot: mesh.first_slot });
        }
    }
    let is_root = |joint: &usize| rig.parent(*joint as u16).is_none();
    let root = (0..joints.len()).filter(is_root).find_map(|joint| joints[joint]);
    let (model, offset) = scenes.model_of(entity, root);
    Animator { character, joints, model, offset, last_place: None, is_fresh: true, is_changed: false }
}

/// A scene was spawned, for the first time or anew because its file has changed.
pub(crate) fn scene_is_ready(
    ready: On<WorldInstanceReady>,
    mut commands: Commands,
    known: Query<(), With<NebulaCharacter>>,
) {
    if known.contains(ready.entity) {
        commands.entity(ready.entity).insert(Unbound::default());
    }
}
