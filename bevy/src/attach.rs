//! Objects attached to joints, as children of the joints' entities.

use bevy::prelude::*;

use crate::character::{AnimatedJoint, Animator, NebulaCharacter};
use crate::trouble::{NebulaError, Troubles};

/// Attaches an entity to a joint of a character: it becomes a child of the joint's entity as soon as that exists, and
/// its `Transform` is relative to it.
///
/// When you remove the component, the object stays where it is in the world, without a parent: a dropped sword.
///
/// Like any child it is despawned with its parent, which also happens when the character's file changes and its scene
/// is spawned again. If it must survive that, spawn it on [`CharacterReady`](crate::CharacterReady).
///
/// ```
/// use bevy::prelude::*;
/// use nebula_bevy::{AttachedTo, NebulaCharacter};
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     let knight = commands.spawn(NebulaCharacter::new(assets.load("knight.glb"))).id();
///     commands.spawn((AttachedTo::new(knight, "hand.r"), Transform::from_xyz(0.0, 0.05, 0.0)));
/// }
/// ```
#[derive(Component, Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
#[require(Transform, Visibility)]
pub struct AttachedTo {
    /// The character.
    #[entities]
    pub character: Entity,
    /// Name of the joint.
    pub joint: String,
}

impl AttachedTo {
    /// Attaches to a joint of a character, by name.
    #[must_use]
    pub fn new(character: Entity, joint: impl Into<String>) -> Self {
        Self { character, joint: joint.into() }
    }
}

/// Something whose joint is still to be found, or was changed.
type Loose = (Entity, &'static AttachedTo, Option<&'static ChildOf>);

/// Hangs things on joints that have come to be there.
pub(crate) fn attach(
    mut commands: Commands,
    things: Query<Loose>,
    changed: Query<Entity, Changed<AttachedTo>>,
    animators: Query<&Animator>,
    new: Query<Entity, Added<Animator>>,
    characters: Query<(), With<NebulaCharacter>>,
    mut troubles: Troubles,
) {
    if changed.is_empty() && new.is_empty() {
        return;
    }
    for (entity, attached, parent) in &things {
        if !changed.contains(entity) && !new.contains(attached.character) {
            continue;
        }
        let Ok(animator) = animators.get(attached.character) else {
            if !characters.contains(attached.character) {
                troubles.say(entity, NebulaError::NoCharacter(attached.character));
            }
            continue;
        };
        match animator.joint_entity(&attached.joint) {
            Ok(joint) if parent.map(ChildOf::parent) == Some(joint) => {}
            Ok(joint) => {
                commands.entity(entity).insert(ChildOf(joint));
            }
            Err(error) => troubles.say(entity, error),
        }
    }
}

/// Lets things go that do not hang on a joint any more.
pub(crate) fn detach(
    removed: On<Remove, AttachedTo>,
    mut commands: Commands,
    things: Query<&ChildOf, With<AttachedTo>>,
    joints: Query<(), With<AnimatedJoint>>,
) {
    if things.get(removed.entity).is_ok_and(|parent| joints.contains(parent.parent())) {
        // Unless it is despawned, or its joint is.
        commands.entity(removed.entity).queue_silenced(|mut thing: EntityWorldMut| {
            thing.remove_parent_in_place();
        });
    }
}
