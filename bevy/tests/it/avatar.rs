//! What a file says of its avatar: springs, faces.

use std::any::Any;

use bevy::mesh::morph::MorphWeights;
use bevy::prelude::*;
use nebula_animation::procedural::springs::SpringJoints;
use nebula_bevy::{GazeAt, NebulaCharacter};

use crate::fixture;
use crate::stage::{DT, Stage};

/// By how many degrees the first joint of the hair turns while its character begins to run.
fn swing(stage: &mut Stage, file: &str) -> f32 {
    let handle = stage.load(file);
    let entity = stage.spawn(NebulaCharacter::new(handle).playing("idle"));
    stage.frames(60);
    let mut names = stage.app.world_mut().query::<(Entity, &Name)>();
    let hair = names.iter(stage.app.world()).find(|(_, name)| name.as_str() == "hair1").expect("it has hair").0;
    let turned = |stage: &Stage| stage.app.world().get::<Transform>(hair).expect("it is there").rotation;
    let (before, mut most) = (turned(stage), 0.0_f32);
    for frame in 0..20 {
        let place = Transform::from_xyz(3.0 * DT * frame as f32, 0.0, 0.0);
        stage.app.world_mut().entity_mut(entity).insert(place);
        stage.frames(1);
        most = most.max(before.angle_between(turned(stage)).to_degrees());
    }
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    stage.app.world_mut().entity_mut(entity).despawn();
    stage.frames(1);
    most
}

#[test]
fn hair_swings_when_its_character_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_avatar(folder.path());
    let mut stage = Stage::new(folder.path());
    let (with, without) = (swing(&mut stage, "avatar.gltf"), swing(&mut stage, "plain.gltf"));
    assert!(with > 5.0, "{with} degrees");
    assert!(without < 0.01, "hair without springs is stiff: {without} degrees");
}

#[test]
fn hair_hangs_from_a_head_that_has_turned_already() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_avatar(folder.path());
    let mut stage = Stage::new(folder.path());
    let target = stage.app.world_mut().spawn(Transform::from_xyz(1.0, 1.5, 2.0)).id();
    let handle = stage.load("avatar.gltf");
    let entity = stage.spawn((NebulaCharacter::new(handle), GazeAt(target)));
    stage.frames(3);
    let layers = &stage.animator(entity).layers.layers;
    let are_springs: Vec<_> = layers.iter().map(|layer| (&**layer as &dyn Any).is::<SpringJoints>()).collect();
    assert_eq!(are_springs, [false, true], "{layers:?}", layers = stage.animator(entity).layers);
}

#[test]
fn the_face_of_a_vrm_animation_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_avatar(folder.path());
    let mut stage = Stage::new(folder.path());
    let spec = NebulaCharacter::new(stage.load("avatar.gltf")).with_clips_from(stage.load("talk.gltf")).playing("talk");
    let entity = stage.spawn(spec);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    stage.pace(0.0);
    for time in [0.25, 0.75] {
        stage.animator_mut(entity).mixer.play("talk", 0.0).expect("it is there").seek(f64::from(time));
        stage.frames(1);
        let mut weights = stage.app.world_mut().query::<&MorphWeights>();
        let shown: Vec<f32> = weights.iter(stage.app.world()).flat_map(|weights| weights.weights().to_vec()).collect();
        assert!(!shown.is_empty() && shown.iter().all(|weight| (weight - time).abs() < 1e-3), "{time}: {shown:?}");
    }
}
