//! Applies root motion to Bevy's `Transform`.

use bevy::math::DQuat;
use bevy::prelude::*;
use nebula_animation::compile::RootDelta;

use crate::character::Animator;
use crate::crowd::{CrowdSeat, NebulaCrowd};
use crate::trouble::{NebulaError, Troubles};

/// Receives the root motion of a character, or a member of a crowd, every frame, and by default moves its `Transform`.
///
/// Load the file with [`CharacterSettings::root_motion`](crate::CharacterSettings::root_motion).
#[derive(Component, Debug, Clone, Copy, PartialEq, Reflect)]
#[reflect(Component, Debug, Clone, Default, PartialEq)]
pub struct RootMotion {
    /// The motion of the last frame, in the entity's own space before the motion. Not reflected.
    #[reflect(ignore)]
    pub delta: RootDelta,
    /// Whether the entity's `Transform` follows; default true. If not, pass `delta` to whatever moves the entity, for
    /// instance a character controller with collisions, in [`NebulaSystems::Move`](crate::NebulaSystems::Move).
    pub moves_entity: bool,
}

impl Default for RootMotion {
    fn default() -> Self {
        Self { delta: RootDelta::ZERO, moves_entity: true }
    }
}

/// Takes over the step of a root, and moves an entity by it: a model goes where it faces, as it lies in its entity, and turns on its own spot.
fn go(step: RootDelta, offset: &Transform, motion: &mut Mut<RootMotion>, transform: &mut Mut<Transform>) {
    let (to, origin) = (offset.rotation.as_dquat(), offset.translation.as_dvec3());
    let turned = DQuat::from_rotation_y(step.yaw) * origin;
    let translation = to * (step.translation * offset.scale.as_dvec3()) + (origin - turned);
    let delta = RootDelta { translation, ..step };
    if motion.delta != delta {
        motion.delta = delta;
    }
    if !motion.moves_entity || delta == RootDelta::ZERO {
        return;
    }
    let step = RootDelta { translation: delta.translation * transform.scale.as_dvec3(), ..delta };
    let (translation, rotation) = step.applied_to(transform.translation, transform.rotation);
    if translation.is_finite()
        && let Some(rotation) = Some(rotation / rotation.length()).filter(|rotation| rotation.is_finite())
    {
        (transform.translation, transform.rotation) = (translation, rotation);
    }
}

/// Moves characters.
pub(crate) fn move_entities(mut movers: Query<(&Animator, &mut RootMotion, &mut Transform)>) {
    for (animator, mut motion, mut transform) in &mut movers {
        go(animator.character.frame().root_step(), &animator.offset, &mut motion, &mut transform);
    }
}

/// Moves members of crowds.
pub(crate) fn move_members(
    crowd: Res<NebulaCrowd>,
    mut movers: Query<(&CrowdSeat, &mut RootMotion, &mut Transform), Without<Animator>>,
) {
    for (seat, mut motion, mut transform) in &mut movers {
        go(crowd.root_step(seat), &seat.made.offset, &mut motion, &mut transform);
    }
}

type Movers<'a> = (Entity, Ref<'a, RootMotion>, Option<Ref<'a, Animator>>, Option<Ref<'a, CrowdSeat>>);

/// Says where root motion has nothing to move by.
pub(crate) fn check_root_motion(movers: Query<Movers>, mut troubles: Troubles) {
    for (entity, motion, animator, seat) in &movers {
        let (is_new, clips) = match (&animator, &seat) {
            (Some(animator), _) => (animator.is_added(), animator.character.mixer.clips()),
            (None, Some(seat)) => (seat.is_added(), &seat.made.library.clips),
            (None, None) => continue,
        };
        let has_no_way = || !clips.is_empty() && clips.iter().all(|clip| clip.root().is_none());
        if (is_new || motion.is_added()) && has_no_way() {
            troubles.say(entity, NebulaError::NoRootMotion);
        }
    }
}
