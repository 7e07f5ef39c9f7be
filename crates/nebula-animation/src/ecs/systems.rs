use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Mut, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::{QueryData, QueryFilter, QueryItem};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_tasks::ComputeTaskPool;

use super::check::LonelyPlayers;
use super::messages::Reports;
use super::time::Time;
use crate::compile::AnimationClipLibrary;
use crate::player::{
    AnimationPlayer, advance_time, compute_world_matrices, sample_clip, sample_eight_with_palettes, sample_with_palette,
};
use crate::rig::block::LANES;

/// An entity that plays one clip after the other. The rig is that of the library.
type Playing = (Entity, &'static mut AnimationPlayer, &'static AnimationClipLibrary);

/// Advances every player, samples its clip and computes its palette: a whole frame in one system, for worlds in which
/// nothing modifies the pose in between. [`add_animation_systems`](super::add_animation_systems) adds the stages
/// separately instead.
///
/// Palettes are valid from the first frame on, even for paused players, and follow changes of time, clip, skeleton or
/// pose. For bevy's change detection, a player counts as changed in frames in which its pose changes.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_ecs::system::RunSystemOnce;
/// use nebula_animation::{AnimationClipLibrary, AnimationPlayer, animation_playback_system, ecs::Time};
///
/// let mut world = World::new();
/// world.spawn((AnimationPlayer::new(0, 1.0, 0), AnimationClipLibrary::default()));
/// world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
/// world.run_system_once(animation_playback_system).expect("it needs nothing else");
/// ```
pub fn animation_playback_system(
    mut reports: Reports,
    mut players: Query<Playing>,
    time: Res<Time>,
    mut lonely: LonelyPlayers,
) {
    lonely.report();
    let dt = time.delta_seconds_f64();
    for_each_eight(&mut players, |(_, mut player, clips), waiting| {
        let is_written = player.is_changed();
        if advance(&mut player, clips, dt, true) {
            return waiting.push(player, clips);
        }
        if !player.has_palette && is_written {
            compute_world_matrices(player.bypass_change_detection(), clips.rig());
        }
    });
    report(&mut reports, &players);
}

/// The first stage: advances every player, and samples its clip if the pose changes.
///
/// With `bevy_ecs`' feature `multi_threaded`, it uses all threads of the compute pool if there is one.
pub fn advance_and_sample_system(
    mut reports: Reports,
    mut players: Query<Playing>,
    time: Res<Time>,
    mut sampled: ResMut<Sampled>,
    tick: SystemChangeTick,
) {
    let dt = time.delta_seconds_f64();
    for_each_eight(&mut players, |(_, mut player, clips), waiting| {
        // Where poses are bent, a palette now would be work for nothing.
        let with_palette = !player.is_bent;
        if advance(&mut player, clips, dt, with_palette) {
            waiting.push(player, clips);
        }
    });
    report(&mut reports, &players);
    sampled.at = Some(tick.this_run());
}

/// The stage after the procedural one: computes the palette of every player whose pose has changed.
///
/// This does not count as a change of the player: whatever changed the pose already did.
pub fn palette_system(
    mut players: Query<(&'static mut AnimationPlayer, &'static AnimationClipLibrary)>,
    sampled: Option<Res<Sampled>>,
) {
    let sampled_at = sampled.and_then(|sampled| sampled.at);
    for_each(&mut players, |(mut player, clips)| {
        if !player.is_changed() {
            return;
        }
        let is_untouched = Some(player.last_changed()) == sampled_at;
        let player = player.bypass_change_detection();
        // Where nobody has touched the player since, its palette was made when it was sampled.
        player.is_bent = !is_untouched;
        if !(is_untouched && player.has_palette) {
            compute_world_matrices(player, clips.rig());
        }
    });
}

/// When players were last sampled, so that the palette stage can tell whose poses were changed since.
#[derive(Debug, Default, Resource)]
pub struct Sampled {
    at: Option<Tick>,
}

/// Advances a player, and finds its pose where that changes; where a palette is wanted too, it is left to the caller to find both, and this is true.
fn advance(player: &mut Mut<AnimationPlayer>, clips: &AnimationClipLibrary, dt: f64, with_palette: bool) -> bool {
    let unmarked = player.bypass_change_detection();
    unmarked.has_palette = false;
    advance_time(unmarked, clips, dt);
    if !unmarked.needs_sampling(clips.rig(), clips) {
        return false;
    }
    if !with_palette {
        sample_clip(player, clips.rig(), clips);
    }
    with_palette
}

/// Players whose poses and palettes are found side by side, as soon as there are eight of them, and of the last ones at the end.
#[derive(Default)]
struct Waiting<'w> {
    players: [Option<(Mut<'w, AnimationPlayer>, &'w AnimationClipLibrary)>; LANES],
    count: usize,
}

impl<'w> Waiting<'w> {
    fn push(&mut self, player: Mut<'w, AnimationPlayer>, clips: &'w AnimationClipLibrary) {
        self.players[self.count] = Some((player, clips));
        self.count += 1;
        if self.count == LANES {
            self.finish();
        }
    }

    fn finish(&mut self) {
        self.count = 0;
        let waiting = self.players.each_mut().map(|slot| slot.as_mut().map(|(player, clips)| (&mut **player, *clips)));
        if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h)] = waiting {
            sample_eight_with_palettes([a, b, c, d, e, f, g, h]);
        } else {
            for (player, clips) in waiting.into_iter().flatten() {
                sample_with_palette(player, clips.rig(), clips);
            }
        }
        self.players = Default::default();
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.finish();
    }
}

/// As [`for_each`], for visitors that let players wait.
fn for_each_eight<'w>(
    query: &'w mut Query<Playing>,
    visit: impl Fn(QueryItem<'w, '_, Playing>, &mut Waiting<'w>) + Send + Sync + Clone,
) {
    if ComputeTaskPool::try_get().is_some() {
        query.par_iter_mut().for_each_init(Waiting::default, |waiting, item| visit(item, waiting));
    } else {
        let mut waiting = Waiting::default();
        query.iter_mut().for_each(|item| visit(item, &mut waiting));
    }
}

/// One after the other where there is no thread pool: asking for it would panic.
pub(super) fn for_each<D: QueryData, F: QueryFilter>(
    query: &mut Query<D, F>,
    visit: impl Fn(QueryItem<D>) + Send + Sync + Clone,
) where
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
