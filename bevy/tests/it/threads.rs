//! The same bits and the same messages, however many threads there are.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;
use nebula_bevy::{
    AnimationEvent, AnimationLooped, Animator, CharacterAsset, CharacterSettings, FeetOnGround, GazeAt, Ground,
    GroundPoint, NebulaCharacter, NebulaSystems,
};

use crate::stage::{DT, Stage, own};

const CHARACTERS: usize = 300;

/// What was told, in order.
#[derive(Resource, Default)]
struct Told(Vec<(Entity, String)>);

fn hear(mut told: ResMut<Told>, mut events: MessageReader<AnimationEvent>, mut loops: MessageReader<AnimationLooped>) {
    told.0.extend(events.read().map(|event| (event.entity, event.name().to_owned())));
    told.0.extend(loops.read().map(|looped| (looped.entity, format!("{} passes", looped.passes))));
}

/// Three hundred who walk over a slope, look at things and step on markers, frame by frame: a hash of the places of all joints, and what is told.
fn story() -> String {
    let mut stage = Stage::with(&own(), |app| {
        app.init_resource::<Told>().add_systems(PostUpdate, hear.after(NebulaSystems::Advance));
    });
    let slope = |place: Vec3| Some(GroundPoint::new(0.2 * place.x.sin(), Vec3::new(-0.2 * place.x.cos(), 1.0, 0.0)));
    stage.app.insert_resource(Ground::new(slope));
    stage.pace(0.0);
    let change = |settings: &mut CharacterSettings| settings.step_marker = Some("step".into());
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    let world = stage.app.world_mut();
    let targets = [0.0, 1.0, 2.0].map(|side| world.spawn(Transform::from_xyz(4.0 * side, 1.5, 6.0)).id());
    let clips = ["walk", "run", "idle", "stroll", "wave"];
    let entities: Vec<_> = (0..CHARACTERS)
        .map(|number| {
            let spec = NebulaCharacter { speed: 1.0 + 0.001 * number as f32, ..NebulaCharacter::new(handle.clone()) };
            let place = Transform::from_xyz((number % 20) as f32, 0.0, (number / 20) as f32);
            let spec = spec.playing(clips[number % clips.len()]);
            world.spawn((spec, place, FeetOnGround, GazeAt(targets[number % targets.len()]))).id()
        })
        .collect();
    stage.until(|world| entities.iter().all(|entity| world.get::<Animator>(*entity).is_some()));
    stage.frames(2);
    stage.app.world_mut().resource_mut::<Told>().0.clear();
    stage.pace(DT);
    let (mut story, mut poses) = (String::new(), Vec::new());
    for frame in 0..45 {
        stage.frames(1);
        let mut hash = DefaultHasher::new();
        poses.clear();
        for entity in &entities {
            let animator = stage.animator(*entity);
            for joint in (0..animator.rig().joint_count() as u16).filter_map(|joint| animator.entity_of(joint)) {
                let place = stage.app.world().get::<Transform>(joint).expect("it is there");
                poses.extend(place.to_matrix().to_cols_array().map(f32::to_bits));
            }
        }
        poses.hash(&mut hash);
        let told = std::mem::take(&mut stage.app.world_mut().resource_mut::<Told>().0);
        writeln!(story, "{frame}: {:x}", hash.finish()).expect("text");
        for (entity, what) in told {
            let number = entities.iter().position(|known| *known == entity).expect("one of them");
            writeln!(story, "{number} {what}").expect("text");
        }
    }
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    story
}

/// Where the story is to be written, in a process of its own: a process has one pool of threads.
const FILE: &str = "NEBULA_TEST_STORY";

#[test]
fn three_hundred_characters_tell_their_story() {
    let story = story();
    if let Some(file) = std::env::var_os(FILE) {
        let threads = ComputeTaskPool::get().thread_num();
        std::fs::write(file, format!("{threads}\n{story}")).expect("written");
    }
}

#[test]
fn four_threads_move_characters_as_one_does_and_tell_the_same_in_the_same_order() {
    let program = std::env::current_exe().expect("this program has a path");
    let folder = tempfile::tempdir().expect("a folder");
    let [one, four] = ["1", "4"].map(|threads| {
        let file = folder.path().join(threads);
        let mut command = Command::new(&program);
        command.args(["--exact", "threads::three_hundred_characters_tell_their_story"]);
        let output = command.env("NEBULA_TEST_THREADS", threads).env(FILE, &file).output().expect("the test starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        let text = std::fs::read_to_string(file).expect("it was written");
        let (found, story) = text.split_once('\n').expect("two parts");
        assert_eq!(found, threads);
        story.to_owned()
    });
    let lines: Vec<_> = one.lines().collect();
    let (frames, told): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.contains(": "));
    assert_eq!(frames.len(), 45);
    let hashes: std::collections::HashSet<_> = frames.iter().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(hashes.len(), 45, "everybody moves in every frame");
    let tellers: std::collections::HashSet<_> = told.iter().filter_map(|line| line.split(' ').next()).collect();
    assert!(tellers.len() > 100, "many have something to tell: {}", tellers.len());
    for (number, (one, four)) in one.lines().zip(four.lines()).enumerate() {
        assert_eq!(one, four, "line {number}");
    }
    assert_eq!(one.len(), four.len());
}
