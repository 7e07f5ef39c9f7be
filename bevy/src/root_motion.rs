//! Root motion into Bevy's `Transform`.

use bevy::math::DQuat;
use bevy::prelude::*;
use nebula_animation::compile::RootDelta;

use crate::character::Animator;
use crate::trouble::{NebulaError, Troubles};

/// Receives the root motion of a character, frame by frame, and by default moves its `Transform`.
///
/// The file is to be loaded with [`CharacterSettings::root_motion`](crate::CharacterSettings::root_motion).
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct RootMotion {
    /// What the last frame brought, in the entity's own space as it was before.
    pub delta: RootDelta,
    /// Whether the entity's `Transform` follows; default true. Without it, hand `delta` to whoever moves the entity, for instance a
    /// character controller that minds walls, in [`NebulaSystems::Move`](crate::NebulaSystems::Move).
    pub moves_entity: bool,
}

impl Default for RootMotion {
    fn default() -> Self {
        Self { delta: RootDelta::ZERO, moves_entity: true }
    }
}

/// Takes the steps of the roots over, and moves entities by them: a model goes where it faces, as it lies in its entity, and turns on its own spot.
pub(crate) fn move_entities(mut movers: Query<(&Animator, &mut RootMotion, &mut Transform)>) {
    for (animator, mut motion, mut transform) in &mut movers {
        let (step, offset) = (animator.character.frame().root_step(), animator.offset);
        let (to, origin) = (offset.rotation.as_dquat(), offset.translation.as_dvec3());
        let turned = DQuat::from_rotation_y(step.yaw) * origin;
        let translation = to * (step.translation * offset.scale.as_dvec3()) + (origin - turned);
        let delta = RootDelta { translation, ..step };
        if motion.delta != delta {
            motion.delta = delta;
        }
        if !motion.moves_entity || delta == RootDelta::ZERO {
            continue;
        }
        let step = RootDelta { translation: delta.translation * transform.scale.as_dvec3(), ..delta };
        let (translation, rotation) = step.applied_to(transform.translation, transform.rotation);
        if translation.is_finite()
            && let Some(rotation) = Some(rotation / rotation.length()).filter(|rotation| rotation.is_finite())
        {
            (transform.translation, transform.rotation) = (translation, rotation);
        }
    }
}

type NewMover = (With<RootMotion>, Or<(Added<Animator>, Added<RootMotion>)>);

/// Says where root motion has nothing to move by.
pub(crate) fn check_root_motion(movers: Query<(Entity, &Animator), NewMover>, mut troubles: Troubles) {
    for (entity, animator) in &movers {
        let clips = animator.character.mixer.clips();
        if clips.ids().len() > 0 && clips.ids().all(|clip| clips[clip].root().is_none()) {
            troubles.say(entity, NebulaError::NoRootMotion);
        }
    }
}
