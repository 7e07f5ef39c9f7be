use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Mut, Ref};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::{AnyOf, QueryData, QueryItem};
use bevy_ecs::system::{Query, Res};
use bevy_tasks::ComputeTaskPool;

use super::components::SharedSkeleton;
use super::messages::Reports;
use super::time::Time;
use crate::clip::AnimationClipLibrary;
use crate::player::{AnimationPlayer, advance_time, compute_world_matrices, sample_clip};
use crate::skeleton::Skeleton;

/// An entity that plays clips. A skeleton of its own counts before a shared one.
type Playing = (Entity, &'static mut AnimationPlayer, AnySkeleton, &'static AnimationClipLibrary);
type AnySkeleton = AnyOf<(Ref<'static, Skeleton>, Ref<'static, SharedSkeleton>)>;

/// Advances every player, samples its clip, computes its palette: a whole frame in one system, for worlds in which
/// nothing bends the pose in between. [`add_animation_systems`](super::add_animation_systems) adds the stages one by one
/// instead.
///
/// Palettes are valid from the first frame on, also of paused players, and follow whenever time, clip, skeleton or pose
/// change. A player counts as changed, for bevy's change detection, in frames in which its pose changes.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_ecs::system::RunSystemOnce;
/// use nebula_animation::{AnimationClipLibrary, AnimationPlayer, Skeleton, Time, animation_playback_system};
///
/// let mut world = World::new();
/// world.spawn((AnimationPlayer::new(0, 1.0, 0), Skeleton::default(), AnimationClipLibrary::default()));
/// world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
/// world.run_system_once(animation_playback_system).expect("it needs nothing else");
/// ```
pub fn animation_playback_system(mut reports: Reports, mut players: Query<Playing>, time: Res<Time>) {
    let dt = time.delta_seconds_f64();
    for_each(&mut players, |(_, mut player, skeleton, clips)| {
        let Some(skeleton) = skeleton_of(&skeleton) else { return };
        advance(&mut player, skeleton.joints, clips, dt);
        update_palette(&mut player, &skeleton);
    });
    report(&mut reports, &players);
}

/// The first stage: advances every player, and samples its clip where the pose changes.
///
/// With `bevy_ecs`' feature `multi_threaded`, on all threads of the compute pool if there is one.
pub fn advance_and_sample_system(mut reports: Reports, mut players: Query<Playing>, time: Res<Time>) {
    let dt = time.delta_seconds_f64();
    for_each(&mut players, |(_, mut player, skeleton, clips)| {
        if let Some(skeleton) = skeleton_of(&skeleton) {
            advance(&mut player, skeleton.joints, clips, dt);
        }
    });
    report(&mut reports, &players);
}

/// The stage after the procedural one: computes the palette of every player whose pose or skeleton has changed.
///
/// Does not count as a change of the player: whoever changed the pose has changed it.
pub fn palette_system(mut players: Query<(&'static mut AnimationPlayer, AnySkeleton)>) {
    for_each(&mut players, |(mut player, skeleton)| {
        if let Some(skeleton) = skeleton_of(&skeleton) {
            update_palette(&mut player, &skeleton);
        }
    });
}

/// A skeleton, and whether its component has changed.
struct FoundSkeleton<'a> {
    joints: &'a Skeleton,
    is_changed: bool,
}

fn skeleton_of<'a>(found: &'a (Option<Ref<Skeleton>>, Option<Ref<SharedSkeleton>>)) -> Option<FoundSkeleton<'a>> {
    match found {
        (Some(own), _) => Some(FoundSkeleton { joints: own, is_changed: own.is_changed() }),
        (None, Some(shared)) => Some(FoundSkeleton { joints: shared, is_changed: shared.is_changed() }),
        (None, None) => None,
    }
}

fn advance(player: &mut Mut<AnimationPlayer>, skeleton: &Skeleton, clips: &AnimationClipLibrary, dt: f64) {
    let unmarked = player.bypass_change_detection();
    advance_time(unmarked, clips, dt);
    if unmarked.needs_sampling(skeleton, clips) {
        sample_clip(player, skeleton, clips);
    }
}

fn update_palette(player: &mut Mut<AnimationPlayer>, skeleton: &FoundSkeleton) {
    if player.is_changed() || skeleton.is_changed {
        compute_world_matrices(player.bypass_change_detection(), skeleton.joints);
    }
}

/// One after the other where there is no thread pool: asking for it would panic.
pub(super) fn for_each<D: QueryData>(query: &mut Query<D>, visit: impl Fn(QueryItem<D>) + Send + Sync + Clone)
where
    for<'w, 's> D::Item<'w, 's>: Send,
{
    if ComputeTaskPool::try_get().is_some() {
        query.par_iter_mut().for_each(visit);
    } else {
        query.iter_mut().for_each(visit);
    }
}

/// In the order of the query, whatever the threads did.
fn report(reports: &mut Reports, players: &Query<Playing>) {
    reports.begin_frame();
    for (entity, player, ..) in players {
        reports.write(entity, player.last_advance());
    }
}
