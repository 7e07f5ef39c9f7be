use bevy_ecs::component::Component;
use bevy_ecs::query::{Or, With};
use bevy_ecs::system::Query;

use super::components::{SharedSkeleton, Transform};
use super::systems::for_each;
use crate::mixer::{AnimationMixer, RootDelta};
use crate::player::AnimationPlayer;
use crate::skeleton::Skeleton;

/// Receives the root motion of an entity's mixer, frame by frame, and by default moves the entity by it.
///
/// The mixer needs [`RootTracks`](crate::RootTracks), and clips from which the motion was taken out.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationMixer, AnimationPlayer, RootMotion, Skeleton, Transform};
///
/// let mut world = World::new();
/// let mixer = AnimationMixer::new(vec![]); // Really with clips, and `with_root_tracks`.
/// let player = AnimationPlayer::new(0, 0.0, 0);
/// world.spawn((mixer, player, Skeleton::default(), Transform::default(), RootMotion::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct RootMotion {
    /// What the last frame brought, in the entity's own space as it was before.
    pub delta: RootDelta,
    /// Whether the entity's [`Transform`] follows; default true. Without it, hand `delta` to whoever moves the entity, for
    /// instance a character controller that minds walls.
    pub moves_entity: bool,
}

impl Default for RootMotion {
    fn default() -> Self {
        Self { delta: RootDelta::ZERO, moves_entity: true }
    }
}

type Moving = (&'static AnimationMixer, &'static mut RootMotion, Option<&'static mut Transform>);
/// What [`mixer_system`](super::mixer_system) advances: elsewhere a mixer only remembers what it once did.
type Mixed = (With<AnimationPlayer>, Or<(With<Skeleton>, With<SharedSkeleton>)>);

/// Takes the root motion of every mixer over into [`RootMotion`], and moves entities by it: after the mixers have advanced.
///
/// [`add_animation_systems`](super::add_animation_systems) adds it. Steps are scaled as the entity is.
pub fn root_motion_system(mut movers: Query<Moving, Mixed>) {
    for_each(&mut movers, |(mixer, mut motion, transform)| {
        let delta = mixer.root_motion();
        if motion.delta != delta {
            motion.delta = delta;
        }
        let Some(mut transform) = transform.filter(|_| motion.moves_entity && delta != RootDelta::ZERO) else { return };
        let step = RootDelta { translation: delta.translation * transform.scale.as_dvec3(), ..delta };
        let (translation, rotation) = step.applied_to(transform.translation, transform.rotation);
        if translation.is_finite() && rotation.is_finite() {
            // Many small turns would change the length.
            let rotation = rotation / rotation.length();
            (transform.translation, transform.rotation) = (translation, rotation);
        }
    });
}
