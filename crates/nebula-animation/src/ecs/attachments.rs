use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Ref};
use bevy_ecs::component::{Component, ComponentId, Mutable, RequiredComponentsRegistrator, StorageType};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::name::NameOrEntity;
use bevy_ecs::query::{Or, With, Without};
use bevy_ecs::system::{Query, SystemParam};
use glam::Mat4;

use super::components::{ModelOffset, Transform};
use crate::character::Character;
use crate::compile::AnimationClipLibrary;
use crate::palette::{BoneAttachment, joint_model_matrix};
use crate::player::AnimationPlayer;
use crate::rig::RigId;

/// The matrix from an attached entity's own space to world space. Written by [`attachment_system`]; exact even if
/// non-uniform scales shear what hangs below them, which a [`Transform`] cannot express.
#[derive(Debug, Clone, Copy, Default, PartialEq, Component)]
pub struct WorldMatrix(pub Mat4);

/// Attaches an entity to another one, its [`ChildOf`] parent, with an offset in that one's space: a gem on an attached
/// sword.
///
/// Its [`Transform`] and [`WorldMatrix`] are written by [`attachment_system`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Component)]
#[require(Transform, WorldMatrix)]
pub struct ChildOffset(pub Transform);

/// The rig in which the joint of an attachment was last looked up.
#[derive(Debug, Clone, Copy, Default, Component)]
pub struct LookedUp(Option<RigId>);

impl Component for BoneAttachment {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;

    fn register_required_components(_: ComponentId, required: &mut RequiredComponentsRegistrator) {
        required.register_required::<Transform>(Transform::default);
        required.register_required::<WorldMatrix>(WorldMatrix::default);
        required.register_required::<LookedUp>(LookedUp::default);
    }
}

type Holder = (
    Option<&'static Character>,
    Option<(&'static AnimationPlayer, &'static AnimationClipLibrary)>,
    Option<&'static ModelOffset>,
);
type Link = (NameOrEntity, &'static BoneAttachment, Ref<'static, ChildOf>, &'static LookedUp);
pub(super) type Attached = (With<ChildOf>, Or<(With<BoneAttachment>, With<ChildOffset>)>);

/// What an attachment can hang on.
#[derive(SystemParam)]
pub struct Hangers<'w, 's> {
    characters: Query<'w, 's, Holder>,
    offsets: Query<'w, 's, (&'static ChildOffset, &'static ChildOf)>,
    roots: Query<'w, 's, &'static Transform, (Without<BoneAttachment>, Without<ChildOffset>)>,
}

/// Entities that hang on each other deeper than this are a loop.
pub(super) const DEEPEST: usize = 64;

/// The last stage: moves everything that is attached to a joint, and what is attached to that, to this frame's final
/// pose.
///
/// An entity with a [`BoneAttachment`] is a [`ChildOf`] its character, one with a [`ChildOffset`] of whatever it is
/// attached to. Their [`Transform`] and [`WorldMatrix`] are written, in world space. If they lose their parent, they
/// stay where they are. A character may itself be attached, such as a rider to a horse.
///
/// Attached objects have their own size, in metres, whatever the scale of their joint and the [`ModelOffset`]; the
/// scale of the character's [`Transform`] applies to them too. See [`BoneAttachment::with_joint_scale`].
///
/// A joint that the character does not have is logged as an error, once, with the entity and similar names; the object
/// is then at the character's origin.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{BoneAttachment, Character, ecs::WorldMatrix};
///
/// # fn arm(world: &mut World, character: Character) -> Result<(), nebula_animation::skeleton::UnknownJoint> {
/// let sword = BoneAttachment::new(character.rig(), "RightHand")?;
/// let character = world.spawn(character).id();
/// let sword = world.spawn((sword, ChildOf(character))).id();
/// // After each frame: world.get::<WorldMatrix>(sword)
/// # Ok(())
/// # }
/// ```
pub fn attachment_system(
    mut attachments: Query<(NameOrEntity, &'static mut BoneAttachment, Ref<'static, ChildOf>, &'static mut LookedUp)>,
    hangers: Hangers,
    mut places: Query<(Entity, &'static mut Transform, &'static mut WorldMatrix), Attached>,
) {
    for (entity, mut attachment, child_of, mut looked_up) in &mut attachments {
        let holder = hangers.characters.get(child_of.parent()).ok();
        let rig = match &holder {
            Some((Some(character), ..)) => character.rig(),
            Some((None, Some((_, library)), _)) => library.rig(),
            _ => {
                if attachment.is_added() || child_of.is_changed() {
                    log::error!(
                        "entity {entity} is attached to joint \"{}\" of {}, which has neither a Character nor an AnimationPlayer \
                         with an AnimationClipLibrary",
                        attachment.joint_name().escape_debug(),
                        child_of.parent(),
                    );
                }
                continue;
            }
        };
        // The name is looked up when something has changed, and not if the joint is known to have it.
        if looked_up.0.replace(rig.id()) == Some(rig.id()) && !attachment.is_changed() {
            continue;
        }
        let skeleton = rig.skeleton();
        let joint = attachment.joint().and_then(|joint| skeleton.joints.get(usize::from(joint)));
        if joint.is_some_and(|joint| joint.name == attachment.joint_name()) {
            continue;
        }
        if let Err(error) = attachment.bypass_change_detection().resolve(skeleton) {
            log::error!("entity {entity} is attached to its character's origin: {error}");
        }
    }
    let links = attachments.as_readonly();
    for (entity, mut transform, mut matrix) in &mut places {
        let world = WorldMatrix(hangers.world_matrix(entity, &links));
        if matrix.set_if_neq(world) {
            transform.set_if_neq(Transform::from_matrix(&world.0));
        }
    }
}

impl Hangers<'_, '_> {
    /// From an attached entity up to one that is not.
    fn world_matrix(&self, entity: Entity, links: &Query<Link>) -> Mat4 {
        let (mut entity, mut matrix) = (entity, Mat4::IDENTITY);
        for _ in 0..DEEPEST {
            if let Ok((_, attachment, child_of, _)) = links.get(entity) {
                entity = child_of.parent();
                matrix = self.link(entity, attachment) * matrix;
            } else if let Ok((offset, child_of)) = self.offsets.get(entity) {
                entity = child_of.parent();
                matrix = offset.0.to_matrix() * matrix;
            } else {
                break;
            }
        }
        self.roots.get(entity).map_or(Mat4::IDENTITY, Transform::to_matrix) * matrix
    }

    /// Takes points from the space of what is attached to that of the character's entity.
    fn link(&self, character: Entity, attachment: &BoneAttachment) -> Mat4 {
        let Ok((character, player, offset)) = self.characters.get(character) else { return Mat4::IDENTITY };
        let entity_from_model = offset.map_or(Mat4::IDENTITY, |offset| offset.0.to_matrix());
        let model_from_joint = match (character, player, attachment.joint()) {
            (Some(character), _, Some(joint)) => character.frame().model_matrix(joint),
            (None, Some((player, library)), Some(joint)) => {
                joint_model_matrix(library.rig(), &player.local_poses, joint)
            }
            _ => Mat4::IDENTITY,
        };
        // A scale of the model in its entity is one of the joint, to whoever holds a thing in metres.
        attachment.on_joint(&(entity_from_model * model_from_joint))
    }
}
