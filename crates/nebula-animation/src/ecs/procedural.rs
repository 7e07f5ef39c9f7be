use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::{Component, ComponentId, Mutable, RequiredComponentsRegistrator, StorageType};
use bevy_ecs::query::Has;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res};
use glam::Vec3;

use super::around::{Around, NoGround};
use super::check::LonelyStacks;
use super::components::{Airborne, ModelOffset, Transform, Velocity};
use super::systems::for_each;
use super::time::Time;
use crate::compile::AnimationClipLibrary;
use crate::frame::{GroundQuery, ShownClip};
use crate::player::AnimationPlayer;
use crate::procedural::{ModelPose, ProceduralAnimationStack, ProceduralContext};
use crate::skeleton::JointPose;

/// What the system keeps for every entity with a stack.
#[derive(Debug, Clone, Default, Component)]
pub struct Bending {
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

/// An entity whose pose is bent.
type Bent = (
    &'static mut AnimationPlayer,
    &'static mut ProceduralAnimationStack,
    Option<&'static AnimationClipLibrary>,
    Option<&'static Transform>,
    Option<&'static Velocity>,
    Option<&'static ModelOffset>,
    Has<Airborne>,
    &'static mut Bending,
);

/// The stage between sampling and palettes: applies the layers of every [`ProceduralAnimationStack`] to its player's
/// pose.
///
/// A missing [`Transform`] counts as the identity, a missing [`Velocity`] as zero. [`ModelOffset`] is applied. If the
/// entity has a library, layers work in model space of its rig; otherwise, each in its joint's own space. The next
/// frame starts from the clip's pose again, or from the previous input pose if nobody has written a new one: layers do
/// not accumulate from frame to frame.
///
/// This is for worlds without ground; foot placement needs [`procedural_animation_system_on`].
///
/// A stack without any weight does not touch the player.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_ecs::system::RunSystemOnce;
/// use nebula_animation::{
///     AnimationPlayer, BreathingLayer, ProceduralAnimationStack, ecs::{Time, Transform, Velocity},
///     procedural_animation_system,
/// };
///
/// let mut world = World::new();
/// let stack = ProceduralAnimationStack { layers: vec![Box::new(BreathingLayer::new(0))] };
/// world.spawn((AnimationPlayer::new(0, 1.0, 1), stack, Transform::default(), Velocity::default()));
/// world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
/// world.run_system_once(procedural_animation_system).expect("it needs nothing else");
/// ```
pub fn procedural_animation_system(
    bent: Query<Bent>,
    time: Option<Res<Time>>,
    around: Around<NoGround>,
    mut lonely: LonelyStacks,
) {
    lonely.report();
    procedural_animation_system_on(bent, time, around);
}

/// [`procedural_animation_system`] for a world whose ground is your own resource, as for
/// [`finish_character_system`](super::finish_character_system).
/// [`add_animation_systems_on`](super::add_animation_systems_on) adds it.
pub fn procedural_animation_system_on<G: Resource + GroundQuery>(
    mut bent: Query<Bent>,
    time: Option<Res<Time>>,
    around: Around<G>,
) {
    let time = time.map(|time| *time).unwrap_or_default();
    let (dt, elapsed) = (time.delta_seconds(), time.elapsed_seconds());
    for_each(&mut bent, |(mut player, mut stack, library, transform, velocity, offset, is_airborne, mut bending)| {
        let place = transform.copied().unwrap_or_default();
        let context = ProceduralContext {
            dt,
            elapsed,
            entity_position: place.translation,
            entity_forward: place.forward(),
            velocity: velocity.map_or(Vec3::ZERO, |velocity| velocity.linear),
        };
        let stack = stack.bypass_change_detection();
        stack.update(&context);
        if stack.is_idle() {
            if !bending.after.is_empty() {
                bending.begin(&mut player);
                bending.after.clear();
            }
            return;
        }
        bending.begin(&mut player);
        match library {
            Some(library) => {
                let surroundings = around.surroundings(transform, velocity, offset, is_airborne);
                let shown = [ShownClip::alone(player.clip_index, player.time)];
                let pose = ModelPose::new(library.rig(), &mut player.local_poses, surroundings.world_from_model);
                stack.apply_updated(&context, &mut pose.within(&surroundings).showing(&shown, library));
            }
            None => stack.apply(&context, &mut player.local_poses),
        }
        bending.end(&mut player);
    });
}
