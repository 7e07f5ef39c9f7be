//! Files through Bevy's asset server.

use bevy::prelude::*;
use nebula_bevy::crowd::CrowdSeat;
use nebula_bevy::{Animator, CharacterAsset, CharacterSettings, CrowdMember, NebulaCharacter};

use crate::fixture;
use crate::stage::{Stage, own};

#[test]
fn buffers_in_files_of_their_own_are_read_through_the_asset_server() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_two_scenes(folder.path());
    let mut stage = Stage::new(folder.path());
    let entity = stage.character("twice.gltf");
    assert_eq!(stage.animator(entity).rig().joint_count(), 25);
    assert_eq!(stage.animator(entity).mixer.clips().ids().len(), 12);
    assert!(stage.said().is_empty());
}

#[test]
fn two_scenes_of_one_file_and_two_instances_of_one_scene_are_four_characters() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_two_scenes(folder.path());
    let mut stage = Stage::new(folder.path());
    let handle = stage.load("twice.gltf");
    let specs = [("walk", 0), ("run", 1), ("idle", 0), ("wave", 1)];
    let entities = specs.map(|(clip, scene)| {
        let spec = NebulaCharacter::new(handle.clone()).playing(clip).of_scene(scene);
        stage.app.world_mut().spawn(spec).id()
    });
    stage.until(|world| entities.iter().all(|entity| world.get::<Animator>(*entity).is_some()));
    stage.frames(30);
    let mut hands = Vec::new();
    for entity in entities {
        let animator = stage.animator(entity);
        let joints: Vec<_> = (0..25).map(|joint| animator.entity_of(joint).expect("all joints are shown")).collect();
        for (joint, part) in joints.iter().enumerate() {
            let expected = animator.frame().model_matrix(joint as u16);
            assert!(stage.place(*part).abs_diff_eq(expected, 1e-4), "joint {joint}");
        }
        hands.push(joints[15]);
    }
    hands.dedup();
    assert_eq!(hands.len(), 4);
    let places: Vec<_> = hands.iter().map(|hand| stage.place(*hand).w_axis).collect();
    assert!((1..4).all(|other| places[0].distance(places[other]) > 0.01), "each plays its own clip: {places:?}");
}

#[test]
fn the_scene_that_the_file_says_is_shown_by_default() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_two_scenes(folder.path());
    let path = folder.path().join("twice.gltf");
    let text = std::fs::read_to_string(&path).expect("written");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut shown = |default: Option<usize>| {
        match default {
            Some(scene) => document["scene"] = scene.into(),
            None => drop(document.as_object_mut().expect("an object").remove("scene")),
        }
        std::fs::write(&path, document.to_string()).expect("written");
        let mut stage = Stage::new(folder.path());
        let character = stage.character("twice.gltf");
        let handle = stage.load("twice.gltf");
        let member = stage.app.world_mut().spawn(CrowdMember::new(handle)).id();
        stage.until(|world| world.get::<CrowdSeat>(member).is_some());
        [character, member].map(|entity| {
            let root = stage.app.world().get::<WorldAssetRoot>(entity).expect("it is shown");
            root.0.path().and_then(|path| path.label()).expect("a part of the file").to_owned()
        })
    };
    assert_eq!(shown(Some(1)), ["Scene1", "Scene1"]);
    assert_eq!(shown(Some(0)), ["Scene0", "Scene0"]);
    assert_eq!(shown(None), ["Scene0", "Scene0"]);
}

#[test]
fn a_scene_that_the_game_has_put_there_is_the_one_that_is_animated() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("robot.glb");
    let scene = stage.app.world().resource::<AssetServer>().load("robot.glb#Scene0");
    let root = WorldAssetRoot(scene.clone());
    let entity = stage.spawn((root, NebulaCharacter::new(handle).playing("walk")));
    let shown = stage.app.world().get::<WorldAssetRoot>(entity).expect("still there");
    assert_eq!(shown.0, scene);
    assert!(stage.animator(entity).joint_entity("head").is_ok());
}

#[test]
fn settings_of_the_loader_reach_the_clips() {
    let mut stage = Stage::new(&own());
    let change = |settings: &mut CharacterSettings| {
        settings.root_motion = true;
        settings.step_marker = Some("step".into());
        settings.markers = vec![("idle".into(), "breath".into(), 0.5)];
    };
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    let entity = stage.spawn(NebulaCharacter::new(handle));
    let clips = stage.animator(entity).mixer.clips();
    let of = |name: &str| &clips[clips.find(name).expect("it is there")];
    assert!(of("walk_root_motion").root().is_some());
    assert_eq!(of("idle").markers().iter().filter(|marker| marker.name == "breath").count(), 1);
    assert!(of("walk").markers().iter().filter(|marker| marker.name == "step").count() >= 2);
}

#[test]
fn scenes_of_files_that_are_gltf_by_another_name_are_found_by_their_path() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(own().join("robot.glb"), folder.path().join("hero.vrm")).expect("copied");
    let mut stage = Stage::new(folder.path());
    let scene = stage.app.world().resource::<AssetServer>().load("hero.vrm#Scene0");
    let handle = stage.load("hero.vrm");
    let entity = stage.spawn((WorldAssetRoot(scene), NebulaCharacter::new(handle)));
    assert!(stage.animator(entity).joint_entity("head").is_ok());
    stage.character("hero.vrm");
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}
