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
