//! The components of a character: what a game spawns, and what the plugin adds.

use std::ops::{Deref, DerefMut};

use bevy::prelude::*;
use nebula_animation::Character;
use nebula_animation::mixer::ParameterValue;
use nebula_animation::skeleton::UnknownJoint;

use crate::asset::{CharacterAsset, MachineAsset};
use crate::trouble::Told;

/// A character: the plugin shows its scene, finds its joints and animates them. When it is ready, its entity has an
/// [`Animator`], and [`CharacterReady`] is triggered.
///
/// The scene is that of a `WorldAssetRoot` on the same entity. Without one, the plugin adds it for `scene` of the same
/// file.
///
/// ```
/// use bevy::prelude::*;
/// use nebula_bevy::NebulaCharacter;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn((NebulaCharacter::new(assets.load("knight.glb")).playing("Walk"), Transform::from_xyz(1.0, 0.0, 0.0)));
/// }
/// ```
#[derive(Component, Debug, Clone, Reflect)]
#[reflect(Component, Debug, Clone, Default)]
#[require(Transform, Visibility, Unbound)]
pub struct NebulaCharacter {
    /// The file. When this, `scene`, `clips_from` or `machines` change, the character is rebuilt, with a new
    /// [`Animator`].
    pub asset: Handle<CharacterAsset>,
    /// Which scene of the file is shown, from 0, if the entity has no `WorldAssetRoot`; by default the file's default
    /// scene, or else the first.
    pub scene: Option<usize>,
    /// Name of the initial clip, for every new [`Animator`]; by default the first clip of the file. Ignored with state
    /// machines.
    pub clip: Option<String>,
    /// Playback speed relative to Bevy's `Time`; default 1. Can be changed at any time.
    pub speed: f32,
    /// Other files whose clips the character can play, retargeted to its body. They keep their names. If a name occurs
    /// twice, the file's own clip is used, and a line is logged; joints without a counterpart are logged too.
    pub clips_from: Vec<Handle<CharacterAsset>>,
    /// State machines that decide what plays: the first for the base layer, each further one for its own layer above.
    pub machines: Vec<Handle<MachineAsset>>,
}

impl Default for NebulaCharacter {
    fn default() -> Self {
        Self {
            asset: Handle::default(),
            scene: None,
            clip: None,
            speed: 1.0,
            clips_from: Vec::new(),
            machines: Vec::new(),
        }
    }
}

impl NebulaCharacter {
    /// A character from a file; plays the file's first clip.
    #[must_use]
    pub fn new(asset: Handle<CharacterAsset>) -> Self {
        Self { asset, ..Self::default() }
    }

    /// Whether a character of this would be made of the same files as one of another.
    pub(crate) fn is_made_as(&self, other: &Self) -> bool {
        let Self { asset, scene, clips_from, machines, .. } = self;
        (asset, scene, clips_from, machines) == (&other.asset, &other.scene, &other.clips_from, &other.machines)
    }

    /// Sets the initial clip.
    #[must_use]
    pub fn playing(mut self, clip: impl Into<String>) -> Self {
        self.clip = Some(clip.into());
        self
    }

    /// Sets the scene of the file.
    #[must_use]
    pub fn of_scene(mut self, scene: usize) -> Self {
        self.scene = Some(scene);
        self
    }

    /// Adds the clips of another file, whose body may have other proportions.
    #[must_use]
    pub fn with_clips_from(mut self, asset: Handle<CharacterAsset>) -> Self {
        self.clips_from.push(asset);
        self
    }

    /// Adds a state machine.
    #[must_use]
    pub fn with_machine(mut self, machine: Handle<MachineAsset>) -> Self {
        self.machines.push(machine);
        self
    }
}

/// On a character whose scene and file are still to be put together, or to be put together anew.
#[derive(Component, Debug, Clone, Default)]
pub struct Unbound {
    /// What was last said to stand in the way.
    pub(crate) told: Told,
}

/// Triggered on a character when it is ready, and again after its file was reloaded. Set up layers, masks and blend
/// spaces here: the [`Animator`] is a new one each time.
///
/// ```
/// use bevy::prelude::*;
/// use nebula_bevy::{Animator, CharacterReady};
///
/// fn set_up(ready: On<CharacterReady>, mut animators: Query<&mut Animator>) -> Result {
///     let mut animator = animators.get_mut(ready.entity)?;
///     let arms = animator.rig().upper_body()?;
///     animator.mixer.add_masked_layer("arms", arms);
///     Ok(())
/// }
/// ```
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq, Eq)]
pub struct CharacterReady {
    /// The character.
    pub entity: Entity,
}

/// A character that is ready: everything that a [`Character`] can do, and the entities of its joints. The plugin adds
/// it to a [`NebulaCharacter`].
///
/// The plugin writes the `Transform`s of joints and the `MorphWeights` of meshes when they change. For change
/// detection, an animator counts as changed in frames in which its pose changes.
#[derive(Component, Debug)]
pub struct Animator {
    pub(crate) character: Character,
    /// For each joint of the rig, its entity.
    pub(crate) joints: Vec<Option<Entity>>,
    /// The entity in whose space the joints are: the root of the scene.
    pub(crate) model: Entity,
    /// How that lies in the character's entity.
    pub(crate) offset: Transform,
    /// Where the model was in the last frame, to tell its velocity.
    pub(crate) last_place: Option<Vec3>,
    /// Whether joints get their transforms whatever the pose.
    pub(crate) is_fresh: bool,
    /// Whether the last frame has another pose.
    pub(crate) is_changed: bool,
}

impl Animator {
    /// The entity of a joint, to attach objects or to query its position.
    ///
    /// # Errors
    /// There is no such joint; similar names are listed.
    pub fn joint_entity(&self, name: &str) -> Result<Entity, UnknownJoint> {
        let joint = self.character.rig().require_joint(name)?;
        // A joint that two skins bind differently is two, and one of them is the node.
        let same = |&other: &u16| {
            self.character.rig().skeleton().joints.get(usize::from(other)).is_some_and(|other| other.name == name)
        };
        let all = 0..self.joints.len() as u16;
        let entity = self.entity_of(joint).or_else(|| all.filter(same).find_map(|joint| self.entity_of(joint)));
        Ok(entity.unwrap_or(self.model))
    }

    /// The entity of a joint, by its index; `None` if it is not in the scene.
    #[must_use]
    pub fn entity_of(&self, joint: u16) -> Option<Entity> {
        self.joints.get(usize::from(joint)).copied().flatten()
    }

    /// The entity in whose space the joints are: the root of the scene.
    #[must_use]
    pub fn model_entity(&self) -> Entity {
        self.model
    }

    /// Sets a parameter of every state machine that has it. If many characters do so every frame, look the parameters
    /// up once in their machines instead.
    ///
    /// # Errors
    /// No state machine has such a parameter (similar names are listed), or it is of another kind.
    pub fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<()> {
        let mut result: Result<()> = Err(format!("no state machine, so no parameter {name:?}").into());
        let mut is_set = false;
        for machine in &mut self.character.machines {
            match machine.parameter(name) {
                Ok(parameter) => {
                    machine.set(parameter, value)?;
                    is_set = true;
                }
                Err(error) => result = Err(error.into()),
            }
        }
        if is_set { Ok(()) } else { result }
    }
}

impl Deref for Animator {
    type Target = Character;

    fn deref(&self) -> &Character {
        &self.character
    }
}

impl DerefMut for Animator {
    fn deref_mut(&mut self) -> &mut Character {
        &mut self.character
    }
}

/// Marks the entity of a joint.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct AnimatedJoint {
    /// The entity with the [`Animator`].
    #[entities]
    pub animator: Entity,
    /// Index of the joint in the animator's rig.
    pub joint: u16,
}

/// Marks a mesh whose morph weights are animated.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct AnimatedMorphs {
    /// The entity with the [`Animator`].
    #[entities]
    pub animator: Entity,
    /// The slot of the first weight in the animator's rig.
    pub first_slot: usize,
}
