use bevy_ecs::prelude::*;
use glam::{Quat, Vec3};
use nebula_animation::{
    AnimationClipLibrary, Character, LibraryOptions, Rig, StateMachine, StateMachinePlayer, add_animation_systems,
    compile::{RootDelta, RootMotionOptions},
    ecs::{RootMotion, Time, Transform},
    mixer::{BlendDocument, BlendSampleDocument, MachineDocument, ParameterValue, StateDocument, TransitionDocument},
};

use crate::support::humanoid::{humanoid, humanoid_markers};

/// A humanoid that stands, or goes as fast as its parameter says, moved by its own feet.
fn walker() -> (World, Schedule, Entity) {
    let (skeleton, clips) = humanoid();
    let options = LibraryOptions { root_motion: Some(RootMotionOptions::default()), ..LibraryOptions::default() };
    let clips = AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips, options);
    let sample = |clip: &str, x| BlendSampleDocument { clip: clip.into(), x, y: 0.0 };
    let blend = BlendDocument {
        x: "speed".into(),
        samples: vec![sample("walk_root_motion", 1.4), sample("run_root_motion", 2.4)],
        sync: vec!["left_down".into(), "right_down".into()],
        ..Default::default()
    };
    let document = MachineDocument::new("stand")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_state(StateDocument::clip("stand", "idle"))
        .with_state(StateDocument::blend("go", blend))
        .with_transition(TransitionDocument::new("stand", "go").when("speed > 0.1").with_fade(0.0))
        .with_transition(TransitionDocument::new("go", "stand").when("speed <= 0.1"));
    let machine = StateMachine::new(&document, &clips, &humanoid_markers()).expect("a machine");
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let mut character = Character::of(clips);
    character.machines.push(StateMachinePlayer::new(machine));
    let place = Transform { translation: Vec3::new(1.0, 2.0, 3.0), rotation: turned(), scale: Vec3::splat(2.0) };
    let entity = world.spawn((character, place, RootMotion::default())).id();
    (world, schedule, entity)
}

/// Facing along X.
fn turned() -> Quat {
    Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)
}

fn set_speed(world: &mut World, entity: Entity, speed: f32) {
    let machine = &mut world.get_mut::<Character>(entity).expect("a character").into_inner().machines[0];
    let parameter = machine.parameter("speed").expect("it is there");
    machine.set_float(parameter, speed).expect("a number");
}

fn run(world: &mut World, schedule: &mut Schedule, frames: u16, dt: f64) {
    for _ in 0..frames {
        world.get_resource_or_init::<Time>().advance(dt);
        schedule.run(world);
    }
}

#[test]
fn a_machine_moves_its_entity_by_its_feet() {
    let (mut world, mut schedule, entity) = walker();
    run(&mut world, &mut schedule, 30, 1.0 / 60.0);
    let place = |world: &World| world.get::<Transform>(entity).expect("a place").translation;
    assert_eq!(place(&world), Vec3::new(1.0, 2.0, 3.0), "standing does not move it");

    // A walk of 1.4 m/s for two seconds, by a character of twice the size that faces along X.
    set_speed(&mut world, entity, 1.4);
    run(&mut world, &mut schedule, 120, 1.0 / 60.0);
    assert_eq!(world.get::<Character>(entity).expect("a character").machines[0].state_name(), "go");
    assert!(place(&world).abs_diff_eq(Vec3::new(1.0 + 5.6, 2.0, 3.0), 1e-4), "{}", place(&world));
    let delta = world.get::<RootMotion>(entity).expect("motion").delta;
    assert!((delta.translation.z - 1.4 / 60.0).abs() < 1e-6, "{delta:?}");

    // The pose is the one on the spot, and the palette is that of the pose.
    let frame = world.get::<Character>(entity).expect("a character").frame();
    assert!(frame.local(0).0.length() < 1e-5, "{}", frame.local(0).0);
    assert!(frame.palette().iter().any(|matrix| !matrix.abs_diff_eq(glam::Mat4::IDENTITY, 1e-2)));

    // Reported, but not moved by it.
    world.get_mut::<RootMotion>(entity).expect("motion").moves_entity = false;
    let before = place(&world);
    run(&mut world, &mut schedule, 10, 1.0 / 60.0);
    assert_eq!(place(&world), before);
    assert!(world.get::<RootMotion>(entity).expect("motion").delta.translation.z > 0.0);

    // Without a character nothing advances, and nothing moves.
    world.get_mut::<RootMotion>(entity).expect("motion").moves_entity = true;
    world.entity_mut(entity).remove::<Character>();
    run(&mut world, &mut schedule, 10, 1.0 / 60.0);
    assert_eq!(place(&world), before);
}

#[test]
fn frames_of_any_length_go_as_far() {
    let mut ends = Vec::new();
    for (frames, dt) in [(1000_u16, 0.01), (100, 0.1), (4, 2.5)] {
        let (mut world, mut schedule, entity) = walker();
        set_speed(&mut world, entity, 1.5);
        // The first frame only begins.
        run(&mut world, &mut schedule, 1, 0.0);
        run(&mut world, &mut schedule, frames, dt);
        ends.push(world.get::<Transform>(entity).expect("a place").translation);
    }
    assert!(ends[1].abs_diff_eq(ends[0], 1e-3) && ends[2].abs_diff_eq(ends[0], 1e-3), "{ends:?}");
    assert!(ends[0].x > 20.0);
}

#[test]
fn motion_needs_nothing_else() {
    // On an entity without a character it waits.
    let (mut world, mut schedule, entity) = walker();
    let character = world.entity_mut(entity).take::<Character>().expect("a character");
    run(&mut world, &mut schedule, 3, 0.1);
    assert_eq!(world.get::<RootMotion>(entity).expect("motion").delta, RootDelta::ZERO);
    world.entity_mut(entity).insert(character);
    run(&mut world, &mut schedule, 3, 0.1);
    assert!(world.get::<Character>(entity).expect("a character").mixer.current_action.is_some());
}
