//! Components and systems.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::ScheduleSystem;
use glam::{Quat, Vec3};
use nebula_animation::ecs::{
    advance_and_sample_system, mixer_system, palette_system, root_motion_system, state_machine_system,
};
use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, AnimationPlayer, BoneAttachment, BreathingLayer, ClipMarkers, LayerId,
    ProceduralAnimationStack, SharedSkeleton, StateMachine, StateMachinePlayer, add_animation_systems,
    animation_playback_system,
    ecs::{ModelOffset, RootMotion, Time, Transform, Velocity, attachment_system},
    mixer::{MachineDocument, StateDocument},
    procedural_animation_system,
};

use super::Table;
use super::fixtures::{INDICES, chain, clips, is_finite, library, matrices, numbers, skeletons, times, vectors};

/// A world of entities that lack something, or have it broken.
fn world() -> World {
    let mut world = World::new();
    world.insert_resource(Time::default());
    world.spawn(AnimationPlayer::new(0, 1.0, 3));
    world.spawn((AnimationPlayer::new(usize::MAX, f32::NAN, 0), SharedSkeleton::from(chain(3))));
    world.spawn((AnimationPlayer::new(0, 1.0, 3), library()));
    world.spawn((AnimationMixer::new(library()), AnimationPlayer::new(0, 1.0, 3)));
    world.spawn(AnimationMixer::new(AnimationClipLibrary::default()));
    for index in INDICES {
        world.spawn((AnimationPlayer::new(index, 1.0, 3), chain(3), library()));
    }
    for (skeleton, number) in skeletons().into_iter().zip(numbers().cycle()) {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(BreathingLayer { joint_index: 1, frequency: number, amplitude: number, weight: 1.0 });
        let mut mixer = AnimationMixer::new(clips());
        assert!(mixer.play(3, 0.1).is_ok());
        let place = Transform {
            translation: Vec3::splat(number),
            rotation: Quat::from_xyzw(number, 0.0, 0.0, 1.0),
            scale: Vec3::splat(number),
        };
        let player = AnimationPlayer::new(0, 1.0, 3);
        world.spawn((
            player.clone(),
            skeleton.clone(),
            library(),
            stack,
            place,
            Velocity { linear: Vec3::splat(number) },
        ));
        let machine = MachineDocument::new("a").with_state(StateDocument::clip("a", "slide 0"));
        let machine = StateMachine::new(&machine, &library(), &ClipMarkers::new()).expect("it is good");
        let machine = StateMachinePlayer::new(machine).on_layer(LayerId::new(9));
        let parent =
            world.spawn((mixer, player, SharedSkeleton::from(skeleton), place, RootMotion::default(), machine)).id();
        world.spawn((BoneAttachment::named("nobody"), ChildOf(parent), Transform::default()));
    }
    world
}

/// Lets a system run over all of it, with steps of any length.
fn run<M>(system: impl IntoScheduleConfigs<ScheduleSystem, M>) {
    let mut world = world();
    let mut schedule = Schedule::default();
    schedule.add_systems(system);
    for step in times() {
        world.resource_mut::<Time>().advance(step);
        schedule.run(&mut world);
    }
    let mut players = world.query::<&AnimationPlayer>();
    assert!(players.iter(&world).all(|player| player.time.is_finite() && is_finite(&player.local_poses)));
}

pub fn rows(table: &mut Table) {
    table.row("animation_playback_system", || run(animation_playback_system));
    table.row("procedural_animation_system", || run((animation_playback_system, procedural_animation_system).chain()));
    table.row("mixer_system", || run(mixer_system));
    table.row("root_motion_system", || run((mixer_system, root_motion_system).chain()));
    table.row("state_machine_system", || run((state_machine_system, mixer_system).chain()));
    table.row("attachment_system", || run((animation_playback_system, attachment_system).chain()));
    table.row("palette_system", || run(palette_system));
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
            assert!(ModelOffset::facing_forward(&skeleton).0.rotation.is_finite());
        }
    });
}
