//! Components that are changed while the game runs.

use bevy::prelude::*;
use nebula_bevy::crowd::CrowdSeat;
use nebula_bevy::{Animator, CharacterAsset, CrowdMember, NebulaCharacter};

use crate::crowd::{compare, spawn};
use crate::fixture;
use crate::stage::{Stage, own};

/// How many joints the character of an entity has.
fn joints_of(world: &World, entity: Entity) -> Option<usize> {
    world.get::<Animator>(entity).map(|animator| animator.rig().joint_count())
}

fn spec_mut(stage: &mut Stage, entity: Entity) -> Mut<'_, NebulaCharacter> {
    stage.app.world_mut().get_mut::<NebulaCharacter>(entity).expect("it is there")
}

#[test]
fn another_file_is_shown_and_its_own_clips_are_played() {
    let mut stage = Stage::new(&own());
    let entity = stage.character("robot.glb");
    stage.frames(3);
    let (robot, old_head) =
        (joints_of(stage.app.world(), entity), stage.animator(entity).joint_entity("head").expect("a head"));
    assert_ne!(robot, Some(25));
    let humanoid = stage.load("simple_humanoid.glb");
    spec_mut(&mut stage, entity).asset = humanoid;
    stage.until(|world| joints_of(world, entity) == Some(25) && world.get_entity(old_head).is_err());
    stage.frames(20);
    let animator = stage.animator(entity);
    for joint in 0..25 {
        let part = animator.entity_of(joint).expect("all joints are shown");
        assert!(stage.place(part).abs_diff_eq(animator.frame().model_matrix(joint), 1e-4), "joint {joint}");
    }
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    // One that is not there is said, and the character stays as it is.
    let nobody = stage.load("nobody.glb");
    spec_mut(&mut stage, entity).asset = nobody;
    assert!(stage.trouble().contains("nobody.glb"));
    stage.frames(5);
    assert_eq!((stage.said().len(), joints_of(stage.app.world(), entity)), (1, Some(25)));
}

#[test]
fn another_scene_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_two_scenes(folder.path());
    let mut stage = Stage::new(folder.path());
    let entity = stage.character("twice.gltf");
    let first = stage.app.world().get::<WorldAssetRoot>(entity).expect("it is shown").0.clone();
    let old_hand = stage.animator(entity).joint_entity("RightHand").expect("a hand");
    spec_mut(&mut stage, entity).scene = Some(1);
    stage.until(|world| {
        world.get_entity(old_hand).is_err()
            && world
                .get::<Animator>(entity)
                .and_then(|animator| animator.joint_entity("RightHand").ok())
                .is_some_and(|hand| world.get_entity(hand).is_ok())
    });
    assert_ne!(stage.app.world().get::<WorldAssetRoot>(entity).expect("it is shown").0, first);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn clips_and_machines_that_are_given_later_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let machine = r#"{ "start": "go", "states": [{ "name": "go", "clip": "wave" }] }"#;
    std::fs::write(folder.path().join("hero.machine.json"), machine).expect("written");
    for file in ["robot.glb", "simple_humanoid.glb"] {
        std::fs::copy(own().join(file), folder.path().join(file)).expect("copied");
    }
    let mut stage = Stage::new(folder.path());
    let entity = stage.character("robot.glb");
    assert!(stage.animator_mut(entity).mixer.play("wave", 0.0).is_err());
    let clips = stage.load("simple_humanoid.glb");
    spec_mut(&mut stage, entity).clips_from.push(clips);
    stage.until(|world| {
        world.get::<Animator>(entity).is_some_and(|animator| animator.mixer.clips().find("wave").is_ok())
    });
    let machine = stage.app.world().resource::<AssetServer>().load("hero.machine.json");
    spec_mut(&mut stage, entity).machines.push(machine);
    stage.until(|world| world.get::<Animator>(entity).is_some_and(|animator| animator.machines.len() == 1));
    assert_eq!(stage.animator(entity).machines[0].state_name(), "go");
    // A change of something else keeps the animator, and all that was set up in it.
    stage.animator_mut(entity).mixer.add_layer("mine");
    spec_mut(&mut stage, entity).speed = 0.5;
    stage.frames(5);
    assert_eq!(stage.animator(entity).mixer.layers().count(), 2);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn a_member_of_another_file_has_that_files_palette() {
    let mut stage = Stage::new(&own());
    let robot = stage.load("robot.glb");
    stage.pace(0.0);
    let members = (0..2)
        .map(|_| (CrowdMember { time: 0.3, ..CrowdMember::new(robot.clone()) }, Transform::from_xyz(1.0, 0.0, 0.0)));
    let entities = spawn(&mut stage, members);
    stage.frames(2);
    assert!(compare(&mut stage, &robot, entities[0], 0, 0.3) > 0);
    // It is not loaded yet, and gets a clip in a later frame.
    let humanoid: Handle<CharacterAsset> = stage.load("simple_humanoid.glb");
    let spec_mut = |stage: &mut Stage, change: &dyn Fn(&mut CrowdMember)| {
        change(&mut stage.app.world_mut().get_mut::<CrowdMember>(entities[0]).expect("it is there"));
    };
    let (old, other) = (seat_of(&stage, entities[0]), seat_of(&stage, entities[1]));
    spec_mut(&mut stage, &|spec| spec.asset = humanoid.clone());
    stage.frames(1);
    spec_mut(&mut stage, &|spec| (spec.clip, spec.time) = (Some("walk".into()), 0.2));
    stage.until(|world| {
        let seat = world.get::<CrowdSeat>(entities[0]).map(CrowdSeat::model_entity);
        seat.is_some_and(|model| model != old && world.get_entity(model).is_ok())
    });
    stage.frames(3);
    let walk = clip_of(&stage, &humanoid, "walk");
    assert_eq!(compare(&mut stage, &humanoid, entities[0], walk, 0.2), 1);
    // The other one is as it was.
    assert_eq!(seat_of(&stage, entities[1]), other);
    assert!(compare(&mut stage, &robot, entities[1], 0, 0.3) > 0);
    // Without a name it is the first clip again.
    spec_mut(&mut stage, &|spec| (spec.clip, spec.time) = (None, 0.1));
    stage.frames(2);
    compare(&mut stage, &humanoid, entities[0], 0, 0.1);
    assert_ne!(walk, 0);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

fn seat_of(stage: &Stage, entity: Entity) -> Entity {
    stage.app.world().get::<CrowdSeat>(entity).expect("it is there").model_entity()
}

fn clip_of(stage: &Stage, handle: &Handle<CharacterAsset>, name: &str) -> usize {
    let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(handle).expect("loaded");
    asset.clips.iter().position(|clip| clip.name == name).expect("it is there")
}
