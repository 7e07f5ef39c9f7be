//! The frame of every character: clocks first, then what bends the pose to the world.

use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::system::{ReadOnlySystemParam, StaticSystemParam, SystemParam};
use bevy::prelude::*;
use nebula_animation::{Surroundings, TargetId};

use crate::character::Animator;
use crate::ground::GroundSource;
use crate::messages::Reports;

/// On a character that jumps or falls: its feet let go of the ground.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, Default, PartialEq)]
pub struct Airborne;

/// What is hidden now. Bevy works it out after transforms were propagated, which is too late for poses.
#[derive(SystemParam)]
pub(crate) struct Hidden<'w, 's> {
    shown: Query<'w, 's, (&'static Visibility, Option<&'static ChildOf>)>,
}

impl Hidden<'_, '_> {
    fn contains(&self, mut entity: Entity) -> bool {
        while let Ok((visibility, parent)) = self.shown.get(entity) {
            match (visibility, parent) {
                (Visibility::Hidden, _) => return true,
                (Visibility::Inherited, Some(parent)) => entity = parent.parent(),
                _ => return false,
            }
        }
        false
    }
}

/// State machines decide and mixers play, on all threads; what they have to tell is told in the order of the query.
pub(crate) fn advance_characters(time: Res<Time>, mut animators: Query<(Entity, &mut Animator)>, mut reports: Reports) {
    let dt = time.delta_secs_f64();
    animators.par_iter_mut().for_each(|(_, mut animator)| {
        animator.bypass_change_detection().character.advance(dt);
    });
    for (entity, animator) in &animators {
        reports.write(entity, &animator.character);
    }
}

/// Layers bend poses to the world, on all threads.
pub(crate) fn finish_characters<P>(
    mut animators: Query<(Entity, &mut Animator, Has<Airborne>)>,
    hidden: Hidden,
    time: Res<Time>,
    helper: TransformHelper,
    ground: StaticSystemParam<P>,
) where
    P: ReadOnlySystemParam + 'static,
    for<'w, 's> P::Item<'w, 's>: GroundSource + Sync,
{
    let (dt, ground, helper) = (time.delta_secs(), &*ground, &helper);
    animators.par_iter_mut().for_each(|(entity, mut animator, is_airborne)| {
        let unmarked = animator.bypass_change_detection();
        if hidden.contains(entity) {
            // Whatever is shown next is not the pose that the joints have.
            (unmarked.is_fresh, unmarked.is_changed) = (true, false);
            return;
        }
        if unmarked.character.layers.layers.is_empty() {
            unmarked.character.finish(&Surroundings::default());
        } else {
            bend(unmarked, dt, is_airborne, ground, helper);
        }
        unmarked.is_changed = std::mem::take(&mut unmarked.is_fresh) || unmarked.character.frame().is_changed();
        if unmarked.is_changed {
            animator.set_changed();
        }
    });
}

/// A frame of a character that minds the world: where it is now, and not where it was drawn last.
fn bend(animator: &mut Animator, dt: f32, is_airborne: bool, ground: &impl GroundSource, helper: &TransformHelper) {
    let place = helper.compute_global_transform(animator.model).unwrap_or_default();
    let before = animator.last_place.replace(place.translation());
    let velocity = before.filter(|_| dt > 0.0).map_or(Vec3::ZERO, |before| (place.translation() - before) / dt);
    let targets = |target: TargetId| {
        let entity = Entity::try_from_bits(target.0)?;
        helper.compute_global_transform(entity).ok().map(|place| place.translation())
    };
    animator.character.finish(&Surroundings {
        world_from_model: place.affine(),
        velocity,
        ground: ground.query(),
        is_grounded: !is_airborne,
        targets: Some(&targets),
    });
}
