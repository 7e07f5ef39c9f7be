use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use glam::{Mat4, Vec3};
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, Character, Surroundings, animation_playback_system,
    ecs::{AnimationSet, Time, Transform, Velocity, add_animation_systems},
};

use super::{Changes, count_changes, library, player, world};
use crate::player::rig::{chain, slide};
use crate::player::warnings;
use crate::support::humanoid::humanoid;

fn advance(world: &mut World, dt: f64) {
    world.get_resource_or_init::<Time>().advance(dt);
}

/// The document's own way: a system, a `Time`, a `Skeleton` and a library on the entity. Works without a schedule, and
/// where `bevy_ecs` was built for threads but nobody has made a thread pool.
#[test]
fn run_system_once_is_enough() {
    let mut world = World::new();
    let clips = library(&chain(2), &[slide(0, 1.0)]);
    let entity = world.spawn((AnimationPlayer::new(0, 1.0, 2), chain(2), clips)).id();
    world.insert_resource(Time::default());
    for frame in 1..=10_u8 {
        advance(&mut world, 0.125);
        world.run_system_once(animation_playback_system).expect("the system runs");
        let expected = (f32::from(frame) * 0.125).rem_euclid(1.0);
        assert_eq!(player(&mut world, entity).time, expected);
        assert_eq!(player(&mut world, entity).joint_matrices[0].w_axis.x, expected);
    }
}

#[test]
fn the_schedule_shows_what_a_character_shows() {
    let (mut world, mut schedule, entity) = world();
    let mut character = Character::new(chain(2), &[slide(0, 1.0), slide(1, 2.0)]);
    for _ in 0..200 {
        advance(&mut world, 1.0 / 60.0);
        schedule.run(&mut world);
        character.update(1.0 / 60.0, &Surroundings::default());
        assert_eq!(player(&mut world, entity).joint_matrices, character.palette());
        let action = character.mixer.current_action.as_ref().expect("the first clip plays");
        assert_eq!(player(&mut world, entity).total_time(), action.total_time());
        assert_eq!(player(&mut world, entity).time, action.time);
    }
}

/// Eight players are worked out side by side as soon as there are as many. Here they are of two rigs, at different times, some of them paused
/// or at their end, so that the company of each changes from frame to frame.
#[test]
fn players_show_in_company_what_they_show_alone() {
    let (skeleton, clips) = humanoid();
    let libraries = [library(&skeleton, &clips), library(&chain(2), &[slide(0, 1.0), slide(1, 2.0)])];
    let player = |index: usize| {
        let clips = &libraries[usize::from(index % 11 == 5)];
        let clip = index % clips.len();
        let mut player = AnimationPlayer::new(clip, clips[clip].duration(), clips.rig().joint_count());
        player.seek(0.137 * index as f64);
        (player.looping, player.speed) = (index % 4 != 3, 0.7 + 0.1 * index as f32);
        (player, clips.clone())
    };
    let all = |indices: std::ops::Range<usize>| {
        let mut world = World::new();
        let mut schedule = Schedule::default();
        add_animation_systems(&mut schedule);
        let entities: Vec<Entity> = indices.map(|index| world.spawn(player(index)).id()).collect();
        (world, schedule, entities)
    };
    let (mut world, mut schedule, entities) = all(0..21);
    let mut alone: Vec<_> = (0..21).map(|index| all(index..index + 1)).collect();
    for frame in 0..90 {
        advance(&mut world, 1.0 / 30.0);
        for (index, entity) in entities.iter().enumerate() {
            super::player(&mut world, *entity).playing = frame / 10 % 3 != index % 5;
        }
        schedule.run(&mut world);
        for (index, (world_of_one, schedule, own)) in alone.iter_mut().enumerate() {
            advance(world_of_one, 1.0 / 30.0);
            super::player(world_of_one, own[0]).playing = frame / 10 % 3 != index % 5;
            schedule.run(world_of_one);
            let (one, other) = (super::player(world_of_one, own[0]), super::player(&mut world, entities[index]));
            let bits = |player: &AnimationPlayer| -> Vec<u32> {
                let palette = player.joint_matrices.iter().flat_map(Mat4::to_cols_array);
                let local = player.local_poses.iter().flat_map(|(translation, rotation, scale)| {
                    let vectors = [translation.to_array(), scale.to_array()];
                    vectors.concat().into_iter().chain(rotation.to_array())
                });
                palette.chain(local).map(f32::to_bits).collect()
            };
            assert_eq!(bits(&one), bits(&other), "player {index} in frame {frame}");
        }
    }
}

#[test]
fn palettes_are_valid_from_the_first_frame_and_follow_paused_players() {
    for run_all in [true, false] {
        let (mut world, mut schedule, entity) = world();
        let mut run = |world: &mut World| {
            if run_all {
                schedule.run(world);
            } else {
                world.run_system_once(animation_playback_system).expect("the system runs");
            }
        };
        player(&mut world, entity).playing = false;
        player(&mut world, entity).time = 0.25;
        run(&mut world);
        assert_eq!(player(&mut world, entity).joint_matrices[0].w_axis.x, 0.25);
        player(&mut world, entity).time = 0.75;
        run(&mut world);
        assert_eq!(player(&mut world, entity).joint_matrices[0].w_axis.x, 0.75);
        player(&mut world, entity).clip_index = 1;
        run(&mut world);
        assert_eq!(player(&mut world, entity).joint_matrices[0].w_axis.x, 0.0);
        player(&mut world, entity).local_poses[0].0 = Vec3::new(5.0, 0.0, 0.0);
        run(&mut world);
        assert_eq!(player(&mut world, entity).joint_matrices[0].w_axis.x, 5.0, "a pose that somebody wrote");
        world.entity_mut(entity).insert(library(&chain(2), &[slide(0, 1.0), slide(0, 1.0)]));
        run(&mut world);
        assert_eq!(player(&mut world, entity).joint_matrices[0].w_axis.x, 0.75, "other clips");
        world.entity_mut(entity).insert(library(&chain(6), &[slide(0, 1.0)]));
        run(&mut world);
        assert_eq!(player(&mut world, entity).joint_matrices.len(), 6, "another rig");
    }
}

#[test]
fn a_resting_player_does_not_count_as_changed() {
    let (mut world, mut schedule, entity) = world();
    world.init_resource::<Changes>();
    schedule.add_systems(count_changes.after(AnimationSet::Attachments));
    for _ in 0..3 {
        advance(&mut world, 0.1);
        schedule.run(&mut world);
    }
    assert_eq!(world.resource::<Changes>().0, 3);
    player(&mut world, entity).playing = false;
    schedule.run(&mut world);
    assert_eq!(world.resource::<Changes>().0, 4);
    for _ in 0..5 {
        schedule.run(&mut world);
    }
    assert_eq!(world.resource::<Changes>().0, 4);
}

/// What bends the pose is ordered by the sets, and begins with the clip's pose in every frame if it says so.
#[test]
fn systems_of_the_user_run_between_the_stages() {
    fn lift(mut players: Query<&mut AnimationPlayer>) {
        for mut player in &mut players {
            player.local_poses[0].0.y += 1.0;
            player.mark_pose_stale();
        }
    }
    fn look(players: Query<&AnimationPlayer>) {
        for player in &players {
            assert_eq!(player.joint_matrices[0].w_axis.y, 1.0);
        }
    }
    let (mut world, mut schedule, entity) = world();
    schedule.add_systems((lift.in_set(AnimationSet::Procedural), look.in_set(AnimationSet::Attachments)));
    for frame in 0..10 {
        player(&mut world, entity).playing = frame % 2 == 0;
        advance(&mut world, 0.01);
        schedule.run(&mut world);
    }
}

#[test]
fn entities_without_all_parts_and_removed_ones_are_left_alone() {
    let (mut world, mut schedule, entity) = world();
    let lonely = world.spawn(AnimationPlayer::new(0, 1.0, 1)).id();
    let bare = world.spawn((AnimationPlayer::new(0, 1.0, 1), chain(1))).id();
    for _ in 0..3 {
        advance(&mut world, 2.5);
        schedule.run(&mut world);
    }
    assert_eq!(player(&mut world, lonely).time, 0.0);
    assert_eq!(player(&mut world, bare).joint_matrices[0].w_axis.y, 0.0, "no clips, the palette of its own pose");
    world.entity_mut(entity).remove::<AnimationClipLibrary>();
    schedule.run(&mut world);
    world.despawn(entity);
    world.despawn(bare);
    schedule.run(&mut world);
}

#[test]
fn a_frame_that_is_not_finite_is_one_warning_for_all_players() {
    let (mut world, mut schedule, entity) = world();
    let clips = world.get::<AnimationClipLibrary>(entity).expect("a library").clone();
    for _ in 0..100 {
        world.spawn((AnimationPlayer::new(0, 1.0, 2), clips.clone()));
    }
    let warned = warnings::count(|| {
        for dt in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            advance(&mut world, dt);
            schedule.run(&mut world);
        }
    });
    assert_eq!(warned, 1);
    advance(&mut world, 0.25);
    schedule.run(&mut world);
    assert_eq!(player(&mut world, entity).time, 0.25);
}

#[test]
fn time_keeps_its_total() {
    let mut time = Time::default();
    for _ in 0..24 * 3600 * 60 {
        time.advance_by(std::time::Duration::from_nanos(16_666_667));
    }
    let exact = f64::from(24 * 3600 * 60_u32) * 16_666_667.0 / 1e9;
    assert!((time.elapsed_seconds_f64() - exact).abs() < 1e-9, "{} {exact}", time.elapsed_seconds_f64());
    assert_eq!(time.delta_seconds(), 0.016_666_667);
    assert_eq!(time.elapsed_seconds(), exact as f32);
}

/// The procedural document's components, as it uses them.
#[test]
fn transforms_look_along_their_own_negative_z() {
    assert_eq!(Transform::default().forward(), Vec3::NEG_Z);
    assert_eq!(Transform::from_translation(Vec3::X).translation, Vec3::X);
    assert_eq!(Velocity { linear: Vec3::Y }.linear, Vec3::Y);
    assert_eq!(AnimationPlayer::new(0, 1.0, 1).joint_matrices, [Mat4::IDENTITY]);
}

/// Thousands of players, so that there is something to share out where there are threads.
#[test]
fn many_players_share_a_library() {
    let (mut world, mut schedule, entity) = world();
    let clips = world.get::<AnimationClipLibrary>(entity).expect("a library").clone();
    let players: Vec<Entity> = (0..5_000_u16)
        .map(|index| {
            let mut player = AnimationPlayer::new(0, 1.0, 2);
            player.time = f32::from(index % 64) / 64.0;
            world.spawn((player, clips.clone())).id()
        })
        .collect();
    advance(&mut world, 0.5);
    schedule.run(&mut world);
    for (index, entity) in (0_u16..).zip(players) {
        let expected = (f32::from(index % 64) / 64.0 + 0.5).rem_euclid(1.0);
        assert_eq!(player(&mut world, entity).joint_matrices[0].w_axis.x, expected);
    }
}
