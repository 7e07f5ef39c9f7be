//! Components and systems.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::ScheduleSystem;
use glam::{Quat, Vec3};
use nebula_animation::ecs::{
    NoGround, advance_and_sample_system, advance_character_system, check_system, finish_character_system,
    palette_system, procedural_animation_system_on, root_motion_system,
};
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, BoneAttachment, BreathingLayer, Character, ClipMarkers, LayerId,
    ProceduralAnimationStack, Rig, StateMachine, StateMachinePlayer, add_animation_systems, animation_playback_system,
    ecs::{ModelOffset, RootMotion, Time, Transform, Velocity, attachment_system},
    mixer::{MachineDocument, StateDocument},
    procedural_animation_system,
};

use super::Table;
use super::fixtures::{
    INDICES, chain, clips, is_finite, library, library_of, matrices, numbers, skeletons, times, vectors,
};

/// A world of entities that lack something, or have it broken.
fn world() -> World {
    let mut world = World::new();
    world.insert_resource(Time::default());
    world.spawn(AnimationPlayer::new(0, 1.0, 3));
    world.spawn((AnimationPlayer::new(usize::MAX, f32::NAN, 0), chain(3)));
    world.spawn((AnimationPlayer::new(0, 1.0, 3), library()));
    world.spawn((Character::of(library()), AnimationPlayer::new(0, 1.0, 3), library()));
    world.spawn(Character::of(AnimationClipLibrary::default()));
    world.spawn((RootMotion::default(), ProceduralAnimationStack::default()));
    for index in INDICES {
        world.spawn((AnimationPlayer::new(index, 1.0, 3), chain(3), library()));
    }
    for (skeleton, number) in skeletons().into_iter().zip(numbers().cycle()) {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(BreathingLayer { joint_index: 1, frequency: number, amplitude: number, weight: 1.0 });
        let mut character = Character::of(library_of(&skeleton, &clips()));
        assert!(character.mixer.play(3, 0.1).is_ok());
        character.layers = stack.clone();
        let place = Transform {
            translation: Vec3::splat(number),
            rotation: Quat::from_xyzw(number, 0.0, 0.0, 1.0),
            scale: Vec3::splat(number),
        };
        let player = AnimationPlayer::new(0, 1.0, 3);
        world.spawn((
            player,
            skeleton.clone(),
            library_of(&skeleton, &clips()),
            stack,
            place,
            Velocity { linear: Vec3::splat(number) },
        ));
        let machine = MachineDocument::new("a").with_state(StateDocument::clip("a", "slide 0"));
        let machine = StateMachine::new(&machine, &library(), &ClipMarkers::new()).expect("it is good");
        character.machines.push(StateMachinePlayer::new(machine).on_layer(LayerId::new(9)));
        let parent = world.spawn((character, skeleton, place, RootMotion::default())).id();
        world.spawn((BoneAttachment::named("nobody"), ChildOf(parent), Transform::default()));
    }
    world
}

/// Lets a system run over all of it, with steps of any length.
fn run<M>(system: impl IntoScheduleConfigs<ScheduleSystem, M>) -> World {
    let mut world = world();
    let mut schedule = Schedule::default();
    schedule.add_systems(system);
    for step in times() {
        world.resource_mut::<Time>().advance(step);
        schedule.run(&mut world);
    }
    let mut players = world.query::<&AnimationPlayer>();
    assert!(players.iter(&world).all(|player| player.time.is_finite() && is_finite(&player.local_poses)));
    world
}

pub fn rows(table: &mut Table) {
    table.row("animation_playback_system", || drop(run(animation_playback_system)));
    table.row("procedural_animation_system", || {
        drop(run((animation_playback_system, procedural_animation_system).chain()));
    });
    table.row("procedural_animation_system_on", || {
        drop(run((animation_playback_system, procedural_animation_system_on::<NoGround>).chain()));
    });
    table.row("check_system", || drop(run(check_system::<NoGround>)));
    table.row("advance_character_system", || drop(run(advance_character_system)));
    table.row("finish_character_system", || {
        let mut world = run((advance_character_system, finish_character_system::<NoGround>).chain());
        for character in world.query::<&Character>().iter(&world) {
            let mut pose = character.rig().bind_pose();
            character.frame().write_pose(&mut pose);
            assert!(is_finite(&pose));
        }
    });
    table.row("root_motion_system", || drop(run((advance_character_system, root_motion_system).chain())));
    table.row("attachment_system", || drop(run((animation_playback_system, attachment_system).chain())));
    table.row("palette_system", || drop(run(palette_system)));
    table.row("advance_and_sample_system", || {
        let mut world = world();
        let mut schedule = Schedule::default();
        add_animation_systems(&mut schedule);
        schedule.add_systems(advance_and_sample_system);
        for step in times() {
            world.resource_mut::<Time>().advance(step);
            schedule.run(&mut world);
        }
    });
    table.row("Time::advance", || {
        for step in times() {
            let mut time = Time::default();
            time.advance(step);
            time.advance(step);
            assert!(time.delta_seconds().is_finite() && time.delta_seconds_f64().is_finite(), "{step}");
            assert!(time.elapsed_seconds().is_finite(), "{step}");
        }
    });
    table.row("Time::advance_by", || {
        let mut time = Time::default();
        time.advance_by(Duration::MAX);
        time.advance_by(Duration::MAX);
        assert!(time.elapsed_seconds().is_finite());
    });
    table.row("Transform::from_translation", || {
        vectors().for_each(|place| drop(format!("{:?}", Transform::from_translation(place).to_affine())));
    });
    table.row("Transform::from_matrix", || {
        matrices().for_each(|matrix| drop(format!("{:?}", Transform::from_matrix(&matrix))));
    });
    table.row("ModelOffset::facing_forward", || {
        for skeleton in skeletons() {
            assert!(ModelOffset::facing_forward(&Rig::new(skeleton)).0.rotation.is_finite());
        }
    });
}
