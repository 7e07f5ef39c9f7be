use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, Messages};
use bevy_ecs::system::{Local, Query, Res, ResMut, SystemParam};
use bevy_ecs::world::{FromWorld, World};

use super::messages::{AnimationFinished, AnimationLooped};
use super::systems::{AnySkeleton, for_each, skeleton_of};
use super::time::Time;
use crate::clip::{ClipMarkers, Marker};
use crate::mixer::{AnimationMixer, LayerId, update_mixer};
use crate::player::AnimationPlayer;

/// An action of an entity's mixer has come by a marker of its clip. The entity may be gone when this is read.
///
/// Messages of one entity come layer by layer, those of one action in the order in which it met them.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::AnimationEvent;
///
/// fn footsteps(mut events: MessageReader<AnimationEvent>) {
///     for event in events.read().filter(|event| event.weight > 0.5 && event.name() == "left foot") {
///         println!("{:?} steps", event.entity);
///     }
/// }
/// ```
#[derive(Debug, Clone, Message)]
pub struct AnimationEvent {
    /// The entity of the mixer.
    pub entity: Entity,
    /// The mixer's layer.
    pub layer: LayerId,
    /// The [number of the action](crate::AnimationAction::id): unique within its layer.
    pub action: u64,
    /// Index of the clip in the mixer's library.
    pub clip: usize,
    /// Index of the marker among those of the clip.
    pub index: usize,
    /// Share of the action in the pose, from 0 to 1.
    pub weight: f32,
    /// Number of the pass in which the marker was met, from 0.
    pub pass: i64,
    /// Whether the action was running against its clock.
    pub is_rewinding: bool,
    markers: Arc<ClipMarkers>,
}

impl AnimationEvent {
    /// The marker.
    #[must_use]
    pub fn marker(&self) -> Option<&Marker> {
        self.markers.of(self.clip).get(self.index)
    }

    /// Name of the marker.
    #[must_use]
    pub fn name(&self) -> &str {
        self.marker().map_or("", |marker| &marker.name)
    }
}

/// An entity whose pose is mixed. A skeleton of its own counts before a shared one.
type Mixing = (Entity, &'static mut AnimationMixer, &'static mut AnimationPlayer, AnySkeleton);

/// How many messages an entity sends in a frame: a step over a billion loops must not fill the memory.
/// [`AnimationMixer::events`] gives all of them.
const MOST_EVENTS: usize = 1024;

/// Lets time pass in every mixer, and puts its pose into the player beside it, for the stages after this one. That player's
/// own clock stands still. The clips are those of the mixer.
///
/// Reports markers as [`AnimationEvent`], and the end and the passes of the base layer's action as [`AnimationFinished`] and
/// [`AnimationLooped`]. Runs after [`advance_and_sample_system`](super::advance_and_sample_system), which forgets old
/// messages; with `bevy_ecs`' feature `multi_threaded`, on all threads of the compute pool if there is one.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationClip, AnimationMixer, AnimationPlayer, Skeleton, Time, add_animation_systems};
///
/// # fn main() -> Result<(), nebula_animation::PlayError> {
/// let walk = AnimationClip { name: "walk".into(), duration: 1.0, ..Default::default() };
/// let mut mixer = AnimationMixer::new(vec![walk]);
/// mixer.play("walk", 0.3)?;
/// let mut world = World::new();
/// world.spawn((mixer, AnimationPlayer::new(0, 0.0, 0), Skeleton::default()));
///
/// let mut schedule = Schedule::default();
/// add_animation_systems(&mut schedule);
/// world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
/// schedule.run(&mut world);
/// # Ok(())
/// # }
/// ```
pub fn mixer_system(mut reports: MixerReports, mut mixers: Query<Mixing>, time: Res<Time>) {
    let dt = time.delta_seconds_f64();
    for_each(&mut mixers, |(_, mut mixer, mut player, skeleton)| {
        let Some(skeleton) = skeleton_of(&skeleton) else { return };
        if skeleton.is_changed {
            mixer.forget_skeleton();
        }
        update_mixer(&mut mixer, &mut player, skeleton.joints, dt);
    });
    // In the order of the query, whatever the threads did.
    reports.events.update();
    for (entity, mixer, ..) in &mixers {
        reports.write(entity, mixer);
    }
}

/// Where the system reports to.
#[derive(SystemParam)]
pub struct MixerReports<'w, 's> {
    /// First, because it makes the resources that the others ask for.
    _resources: Local<'s, Resources>,
    events: ResMut<'w, Messages<AnimationEvent>>,
    finished: ResMut<'w, Messages<AnimationFinished>>,
    looped: ResMut<'w, Messages<AnimationLooped>>,
}

impl MixerReports<'_, '_> {
    fn write(&mut self, entity: Entity, mixer: &AnimationMixer) {
        for event in mixer.events().take(MOST_EVENTS) {
            self.events.write(AnimationEvent {
                entity,
                layer: event.layer,
                action: event.action,
                clip: event.clip,
                index: event.index,
                weight: event.weight,
                pass: event.pass,
                is_rewinding: event.is_rewinding,
                markers: Arc::clone(mixer.markers()),
            });
        }
        let Some(action) = &mixer.current_action else { return };
        if action.passes() > 0 {
            self.looped.write(AnimationLooped { entity, passes: action.passes() });
        }
        if action.has_just_finished() {
            self.finished.write(AnimationFinished { entity });
        }
    }
}

/// Makes the resources of the system when it is first put to use, where the user has not made them.
struct Resources;

impl FromWorld for Resources {
    fn from_world(world: &mut World) -> Self {
        world.init_resource::<Time>();
        world.init_resource::<Messages<AnimationEvent>>();
        world.init_resource::<Messages<AnimationFinished>>();
        world.init_resource::<Messages<AnimationLooped>>();
        Self
    }
}
