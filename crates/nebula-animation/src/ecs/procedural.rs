use std::sync::{Arc, Weak};

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Ref};
use bevy_ecs::component::{Component, ComponentId, Mutable, RequiredComponentsRegistrator, StorageType};
use bevy_ecs::query::Has;
use bevy_ecs::system::{Local, Query, Res};
use bevy_ecs::world::{FromWorld, World};
use glam::{Quat, Vec3};

use super::components::{SharedSkeleton, Transform, Velocity};
use super::systems::for_each;
use super::time::Time;
use crate::mixer::AnimationMixer;
use crate::player::AnimationPlayer;
use crate::procedural::{ModelPose, ProceduralAnimationStack, ProceduralContext, RestPose, ShownClip};
use crate::skeleton::{JointPose, Skeleton};

/// How the model of a character lies in its entity; without it, as the entity does.
///
/// An entity's forward direction is -Z, but characters in glTF files face +Z. Where you draw the model as it is, nothing needs to
/// be said: layers find out which way the rig faces. Where you turn it round when you draw it, so that it faces the entity's
/// forward direction, say so with this component, so that layers know where its eyes and feet are in the world.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{ModelOffset, Skeleton};
///
/// let offset = ModelOffset::facing_forward(&Skeleton::default()); // Nobody's front: +Z, as glTF says.
/// assert!((offset.0.rotation * Vec3::Z).abs_diff_eq(Vec3::NEG_Z, 1e-6));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Component)]
pub struct ModelOffset(pub Transform);

impl ModelOffset {
    /// Turns a rig about its up axis so that its front is the entity's forward direction.
    #[must_use]
    pub fn facing_forward(skeleton: &Skeleton) -> Self {
        let front = RestPose::of(skeleton).front().unwrap_or(Vec3::Z);
        let angle = front.x.atan2(front.z);
        Self(Transform { rotation: Quat::from_rotation_y(std::f32::consts::PI - angle), ..Transform::default() })
    }
}

/// What the system keeps for every entity with a stack.
#[derive(Debug, Clone, Default, Component)]
pub struct Bending {
    /// The rest pose of the entity's skeleton.
    rest: Option<Arc<RestPose>>,
    /// Of a player whose pose nobody samples anew: the pose before and after the last frame's layers.
    before: Vec<JointPose>,
    after: Vec<JointPose>,
}

impl Bending {
    /// Takes back what the last frame's layers did to a pose that nobody has written since, so that they do not add up.
    fn begin(&mut self, player: &mut AnimationPlayer) {
        if !player.is_pose_stale() {
            self.after.clear();
            return;
        }
        let is_bent = !self.after.is_empty() && self.after == player.local_poses;
        if is_bent && self.before.len() == self.after.len() {
            player.local_poses.copy_from_slice(&self.before);
        }
        self.before.clone_from(&player.local_poses);
    }

    /// Remembers the pose that layers have made of one that nobody samples.
    fn end(&mut self, player: &mut AnimationPlayer) {
        if player.is_pose_stale() {
            self.after.clone_from(&player.local_poses);
        }
        player.mark_pose_stale();
    }
}

impl Component for ProceduralAnimationStack {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;

    fn register_required_components(_: ComponentId, required: &mut RequiredComponentsRegistrator) {
        required.register_required::<Bending>(Bending::default);
    }
}

/// Rest poses of skeletons that entities share.
pub struct SharedRests(Vec<(Weak<Skeleton>, Weak<RestPose>)>);

impl FromWorld for SharedRests {
    fn from_world(world: &mut World) -> Self {
        // Where the user has made none.
        world.init_resource::<Time>();
        Self(Vec::new())
    }
}

impl SharedRests {
    fn of(&mut self, skeleton: &Arc<Skeleton>) -> Arc<RestPose> {
        let known = self.0.iter().find(|(known, _)| std::ptr::eq(known.as_ptr(), Arc::as_ptr(skeleton)));
        if let Some(rest) = known.and_then(|(_, rest)| rest.upgrade()) {
            return rest;
        }
        let rest = Arc::new(RestPose::of(skeleton));
        self.0.retain(|(_, rest)| rest.strong_count() > 0);
        self.0.push((Arc::downgrade(skeleton), Arc::downgrade(&rest)));
        rest
    }
}

/// An entity whose pose is bent.
type Bent = (
    &'static mut AnimationPlayer,
    &'static mut ProceduralAnimationStack,
    Option<&'static Transform>,
    Option<&'static Velocity>,
    Option<&'static ModelOffset>,
    &'static mut Bending,
    Option<Ref<'static, Skeleton>>,
    Option<Ref<'static, SharedSkeleton>>,
    Has<AnimationMixer>,
);

/// The stage between sampling and palettes: applies the layers of every [`ProceduralAnimationStack`] to its player's pose.
///
/// A missing [`Transform`] counts as the identity, a missing [`Velocity`] as zero. The model lies in the entity as its
/// [`ModelOffset`] says. Where the entity has a skeleton, layers act in model space; without one, each in its joint's own
/// frame. The next frame begins with the clip's pose again, or with the pose as it was before, where nobody has written a new
/// one: layers do not add up from frame to frame.
///
/// A stack without any weight leaves the player alone.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_ecs::system::RunSystemOnce;
/// use nebula_animation::{
///     AnimationPlayer, BreathingLayer, ProceduralAnimationStack, Time, Transform, Velocity, procedural_animation_system,
/// };
///
/// let mut world = World::new();
/// let stack = ProceduralAnimationStack { layers: vec![Box::new(BreathingLayer::new(0))] };
/// world.spawn((AnimationPlayer::new(0, 1.0, 1), stack, Transform::default(), Velocity::default()));
/// world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
/// world.run_system_once(procedural_animation_system).expect("it needs nothing else");
/// ```
pub fn procedural_animation_system(mut rests: Local<SharedRests>, mut bent: Query<Bent>, time: Res<Time>) {
    for (_, _, _, _, _, mut bending, own, shared, _) in &mut bent {
        let is_changed = match (&own, &shared) {
            (Some(own), _) => own.is_changed(),
            (None, Some(shared)) => shared.is_changed(),
            (None, None) => false,
        };
        if is_changed || bending.rest.is_some() != (own.is_some() || shared.is_some()) {
            bending.rest = match (own, shared) {
                (Some(own), _) => Some(Arc::new(RestPose::of(&own))),
                (None, Some(shared)) => Some(rests.of(&shared.0)),
                (None, None) => None,
            };
        }
    }
    let (dt, elapsed) = (time.delta_seconds(), time.elapsed_seconds());
    for_each(&mut bent, |(mut player, mut stack, transform, velocity, offset, mut bending, _, _, is_mixed)| {
        let transform = transform.copied().unwrap_or_default();
        let context = ProceduralContext {
            dt,
            elapsed,
            entity_position: transform.translation,
            entity_forward: transform.forward(),
            velocity: velocity.map_or(Vec3::ZERO, |velocity| velocity.linear),
        };
        let stack = stack.bypass_change_detection();
        // What a mixer shows is not the player's own clip: the pose itself has to tell.
        let shown = ShownClip { clip: player.clip_index, time: player.time, weight: 1.0 };
        stack.show_clips(if is_mixed { &[] } else { std::slice::from_ref(&shown) });
        stack.update(&context);
        if stack.is_idle() {
            if !bending.after.is_empty() {
                bending.begin(&mut player);
                bending.after.clear();
            }
            return;
        }
        bending.begin(&mut player);
        match &bending.rest {
            Some(rest) => {
                let entity_from_model = offset.map_or(glam::Affine3A::IDENTITY, |offset| offset.0.to_affine());
                let world_from_model = transform.to_affine() * entity_from_model;
                let mut pose = ModelPose::new(rest, &mut player.local_poses, world_from_model);
                stack.apply_updated(&context, &mut pose);
            }
            None => stack.apply(&context, &mut player.local_poses),
        }
        bending.end(&mut player);
    });
}
