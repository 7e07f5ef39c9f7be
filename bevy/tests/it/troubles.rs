//! What cannot work is said, and the game goes on.

use bevy::prelude::*;
use nebula_bevy::{AttachedTo, FeetOnGround, GazeAt, Ground, NebulaCharacter, RootMotion};

use crate::fixture;
use crate::stage::{Stage, corpora, own};

#[test]
fn a_file_that_is_not_there() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("nobody.glb");
    stage.app.world_mut().spawn(NebulaCharacter::new(handle));
    assert!(stage.trouble().contains("nobody.glb"));
    stage.character("robot.glb");
}

#[test]
fn a_scene_that_is_not_there() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("robot.glb");
    stage.app.world_mut().spawn(NebulaCharacter::new(handle).of_scene(7));
    let said = stage.trouble();
    assert!(said.contains("robot.glb#Scene7"), "{said}");
    stage.character("robot.glb");
}

#[test]
fn a_scene_of_another_file() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("robot.glb");
    let scene = stage.app.world().resource::<AssetServer>().load("sword.glb#Scene0");
    stage.app.world_mut().spawn((NebulaCharacter::new(handle), WorldAssetRoot(scene)));
    let said = stage.trouble();
    assert!(said.contains("sword.glb#Scene0") && said.contains("robot.glb"), "{said}");
}

#[test]
fn a_file_that_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = std::fs::read(own().join("robot.glb")).expect("it is shipped");
    for (name, length) in [("empty.glb", 0), ("short.glb", 100), ("cut.glb", bytes.len() / 2)] {
        std::fs::write(folder.path().join(name), &bytes[..length]).expect("written");
        let mut stage = Stage::new(folder.path());
        let handle = stage.load(name);
        stage.app.world_mut().spawn(NebulaCharacter::new(handle));
        assert!(stage.trouble().contains(name));
        stage.frames(5);
    }
    // A buffer that is not there.
    let (document, buffer) = fixture::humanoid();
    fixture::write(folder.path(), "lonely", document, &buffer);
    std::fs::remove_file(folder.path().join("lonely.bin")).expect("removed");
    let mut stage = Stage::new(folder.path());
    let handle = stage.load("lonely.gltf");
    stage.app.world_mut().spawn(NebulaCharacter::new(handle));
    assert!(stage.trouble().contains("lonely.bin"), "{:?}", stage.said());
}

#[test]
fn a_clip_that_is_not_there_names_those_that_come_close() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    let entity = stage.spawn(NebulaCharacter::new(handle).playing("wlak"));
    let said = stage.trouble();
    assert!(said.contains("wlak") && said.contains("walk"), "{said}");
    // It can still be told what to play.
    assert!(stage.animator_mut(entity).mixer.play("walk", 0.2).is_ok());
}

#[test]
fn components_that_a_character_cannot_have() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    let entity = stage.spawn((NebulaCharacter::new(handle), RootMotion::default(), FeetOnGround));
    stage.app.world_mut().spawn(AttachedTo::new(entity, "RightHnad"));
    stage.frames(2);
    let stone = stage.app.world_mut().spawn_empty().id();
    stage.app.world_mut().spawn(AttachedTo::new(stone, "Hand"));
    stage.frames(2);
    let said = stage.said();
    for part in ["root_motion: true", "Ground", "RightHand", "not a character"] {
        assert!(said.iter().any(|line| line.contains(part)), "{part} is not in {said:?}");
    }
    assert_eq!(said.len(), 4, "each is said once: {said:?}");
}

#[test]
fn a_state_machine_that_does_not_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let machine = r#"{ "start": "go", "states": [{ "name": "go", "clip": "wlak" }] }"#;
    std::fs::write(folder.path().join("hero.machine.json"), machine).expect("written");
    std::fs::write(folder.path().join("torn.machine.json"), "{ \"start\"").expect("written");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("hero.glb")).expect("copied");
    for (file, part) in [("hero.machine.json", "walk"), ("torn.machine.json", "torn.machine.json")] {
        let mut stage = Stage::new(folder.path());
        let server = stage.app.world().resource::<AssetServer>();
        let spec = NebulaCharacter::new(server.load("hero.glb")).with_machine(server.load(file.to_owned()));
        let entity = stage.spawn(spec);
        let said = stage.trouble();
        assert!(said.contains(part), "{said}");
        assert!(stage.animator(entity).machines.is_empty());
    }
}

#[test]
fn a_gaze_of_somebody_who_is_not_human() {
    let Some(folder) = corpora("a_gaze_of_somebody_who_is_not_human") else { return };
    let mut stage = Stage::new(&folder.join("characters"));
    stage.app.insert_resource(Ground::new(|_: Vec3| None));
    let target = stage.app.world_mut().spawn(Transform::default()).id();
    let handle = stage.load("m2m-dragon-animations.glb");
    stage.spawn((NebulaCharacter::new(handle), GazeAt(target)));
    stage.frames(10);
    let said = stage.said();
    assert!(said.iter().all(|line| line.contains("GazeAt")), "{said:?}");
}
