//! Files that change while the game runs, and characters that go.

use bevy::prelude::*;
use nebula_bevy::{AnimatedJoint, Animator, CharacterReady, GazeAt, NebulaCharacter};
use serde_json::json;

use crate::fixture;
use crate::stage::{Stage, own};

#[derive(Resource, Default)]
struct Ready(usize);

fn count_ready(_: On<CharacterReady>, mut ready: ResMut<Ready>) {
    ready.0 += 1;
}

#[test]
fn a_file_that_changes_is_shown_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let (document, buffer) = fixture::humanoid();
    fixture::write(folder.path(), "hero", document.clone(), &buffer);
    let mut stage = Stage::with(folder.path(), |app| {
        app.init_resource::<Ready>().add_observer(count_ready);
    });
    let target = stage.app.world_mut().spawn(Transform::from_xyz(1.0, 1.0, 3.0)).id();
    let handle = stage.load("hero.gltf");
    let entity = stage.spawn((NebulaCharacter::new(handle).playing("idle"), GazeAt(target)));
    stage.frames(5);
    assert_eq!(stage.app.world().resource::<Ready>().0, 1);
    let old_hand = stage.animator(entity).joint_entity("RightHand").expect("a hand");

    // The hips are higher, and the first clip has another name.
    let mut changed = document;
    changed["nodes"][0]["translation"] = json!([0.0, 2.0, 0.0]);
    changed["animations"][0]["name"] = json!("saunter");
    fixture::write(folder.path(), "hero", changed, &buffer);
    stage.app.world().resource::<AssetServer>().reload("hero.gltf");
    stage.until(|world| {
        world.get::<Animator>(entity).is_some_and(|animator| animator.mixer.clips().find("saunter").is_ok())
    });
    stage.until(|world| world.get_entity(old_hand).is_err());
    stage.frames(5);
    assert!(stage.app.world().resource::<Ready>().0 >= 2);
    let hand = stage.animator(entity).joint_entity("RightHand").expect("a hand");
    assert_ne!(hand, old_hand);
    let joint = stage.animator(entity).rig().joint_by_name("RightHand").expect("a hand");
    assert!(stage.place(hand).abs_diff_eq(stage.animator(entity).frame().model_matrix(joint), 1e-4));
    assert_eq!(stage.animator(entity).layers.layers.len(), 1, "it looks again");
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn a_file_that_changes_on_disk_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (document, buffer) = fixture::humanoid();
    fixture::write(folder.path(), "hero", document.clone(), &buffer);
    let mut stage = Stage::watching(folder.path());
    let entity = stage.character("hero.gltf");
    // Long enough for the watcher to have seen the files as they are.
    std::thread::sleep(std::time::Duration::from_millis(100));
    stage.frames(5);
    let old_hand = stage.animator(entity).joint_entity("RightHand").expect("a hand");
    let mut changed = document;
    changed["nodes"][0]["translation"] = json!([0.0, 2.0, 0.0]);
    changed["animations"][0]["name"] = json!("saunter");
    fixture::write(folder.path(), "hero", changed, &buffer);
    stage.until(|world| {
        world.get::<Animator>(entity).is_some_and(|animator| animator.mixer.clips().find("saunter").is_ok())
    });
    stage.until(|world| world.get_entity(old_hand).is_err());
    stage.frames(5);
    let hand = stage.animator(entity).joint_entity("RightHand").expect("a hand");
    assert!(stage.app.world().get_entity(hand).is_ok());
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn a_file_that_breaks_and_is_mended_is_shown_in_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("hero.glb"), b"glTF, or is it?").expect("written");
    let mut stage = Stage::new(folder.path());
    let handle = stage.load("hero.glb");
    let entity = stage.app.world_mut().spawn(NebulaCharacter::new(handle)).id();
    assert!(stage.trouble().contains("hero.glb"));
    stage.frames(10);
    assert_eq!(stage.said().len(), 1, "it is said once: {:?}", stage.said());
    std::fs::copy(own().join("robot.glb"), folder.path().join("hero.glb")).expect("copied");
    stage.app.world().resource::<AssetServer>().reload("hero.glb");
    stage.until(|world| world.get::<Animator>(entity).is_some());
}

#[test]
fn clips_of_a_file_that_is_mended_are_there_in_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(own().join("robot.glb"), folder.path().join("hero.glb")).expect("copied");
    std::fs::write(folder.path().join("clips.glb"), b"glTF, or is it?").expect("written");
    let mut stage = Stage::new(folder.path());
    let (hero, clips) = (stage.load("hero.glb"), stage.load("clips.glb"));
    let spec = NebulaCharacter::new(hero.clone()).with_clips_from(clips);
    // Each is told why, however many there are.
    let entities = [stage.spawn(spec.clone()), stage.spawn(spec)];
    stage.frames(3);
    let said = stage.said();
    assert_eq!(said.len(), 2, "{said:?}");
    let reason = "clips.glb could not be loaded: ";
    assert!(said.iter().all(|line| line.starts_with(reason) && !line.contains("left out")), "{said:?}");
    let clips_of =
        |world: &World, entity: Entity| world.get::<Animator>(entity).map(|animator| animator.mixer.clips().len());
    let own_clips = clips_of(stage.app.world(), entities[0]).expect("it is there");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("clips.glb")).expect("copied");
    stage.app.world().resource::<AssetServer>().reload("clips.glb");
    stage.until(|world| entities.iter().all(|entity| clips_of(world, *entity) == Some(own_clips + 12)));
    assert!(stage.animator_mut(entities[1]).mixer.play("wave", 0.1).is_ok());
    stage.frames(3);
    assert_eq!(stage.said().len(), 2, "{:?}", stage.said());
    // One that comes later.
    let late = stage.spawn(NebulaCharacter::new(hero).with_clips_from(stage.load("clips.glb")));
    assert_eq!(clips_of(stage.app.world(), late), Some(own_clips + 12));
}

#[test]
fn a_state_machine_that_is_mended_decides_in_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hero.machine.json");
    let machine = r#"{ "start": "go", "states": [{ "name": "go", "clip": "walk" }] }"#;
    std::fs::write(&path, &machine[..20]).expect("written");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("hero.glb")).expect("copied");
    let mut stage = Stage::new(folder.path());
    let server = stage.app.world().resource::<AssetServer>();
    let spec = NebulaCharacter::new(server.load("hero.glb")).with_machine(server.load("hero.machine.json"));
    let entity = stage.spawn(spec);
    assert!(stage.trouble().contains("hero.machine.json"));
    std::fs::write(&path, machine).expect("written");
    stage.app.world().resource::<AssetServer>().reload("hero.machine.json");
    stage.until(|world| world.get::<Animator>(entity).is_some_and(|animator| animator.machines.len() == 1));
    assert_eq!(stage.animator(entity).machines[0].state_name(), "go");
    assert_eq!(stage.said().len(), 1, "{:?}", stage.said());
}

#[test]
fn characters_come_and_go() {
    let mut stage = Stage::new(&own());
    let entity = stage.character("robot.glb");
    let other = stage.character("robot.glb");
    stage.frames(2);
    stage.app.world_mut().entity_mut(entity).despawn();
    stage.frames(2);
    let mut joints = stage.app.world_mut().query::<&AnimatedJoint>();
    let left: Vec<_> = joints.iter(stage.app.world()).copied().collect();
    assert!(!left.is_empty() && left.iter().all(|joint| joint.animator == other));
    // One that goes before it is there.
    let handle = stage.load("simple_humanoid.glb");
    let early = stage.app.world_mut().spawn(NebulaCharacter::new(handle.clone())).id();
    stage.frames(1);
    stage.app.world_mut().entity_mut(early).despawn();
    stage.frames(20);
    // And one whose scene is taken from it.
    let bare = stage.spawn(NebulaCharacter::new(handle));
    stage.app.world_mut().entity_mut(bare).despawn_children();
    stage.frames(5);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}
