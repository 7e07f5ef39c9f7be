//! Components as inspectors, scenes and clones see them.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::reflect::structs::DynamicStruct;
use nebula_bevy::{AnimatedJoint, AnimatedMorphs, AttachedTo, CrowdMember, GazeAt, NebulaCharacter, NowPlaying};

use crate::crowd::spawn;
use crate::stage::{Stage, own};

/// What the registry makes of a type by itself.
fn registered<T: Reflect + TypePath>(stage: &Stage) -> T {
    let registry = stage.app.world().resource::<AppTypeRegistry>().read();
    let known = registry.get_type_data::<ReflectDefault>(std::any::TypeId::of::<T>()).expect("it has a default");
    known.default().take().expect("one of its type")
}

#[test]
fn components_by_default_run_at_the_speed_of_their_clips() {
    assert_eq!(NebulaCharacter::default().speed, 1.0);
    assert_eq!(CrowdMember::default().speed, 1.0);
    let stage = Stage::new(&own());
    assert_eq!(registered::<NebulaCharacter>(&stage).speed, 1.0);
    assert_eq!(registered::<CrowdMember>(&stage).speed, 1.0);
    // A scene file that names another field only.
    let mut document = DynamicStruct::default();
    document.insert("clip", Some("walk".to_owned()));
    let read = NebulaCharacter::from_reflect(&document).expect("the rest is by default");
    assert_eq!((read.speed, read.clip.as_deref()), (1.0, Some("walk")));
    let mut document = DynamicStruct::default();
    document.insert("time", 0.5_f64);
    let read = CrowdMember::from_reflect(&document).expect("the rest is by default");
    assert_eq!((read.speed, read.time), (1.0, 0.5));
}

/// Every component that a game may put on something, or look at.
#[test]
fn inspectors_know_every_component() {
    let stage = Stage::new(&own());
    let registry = stage.app.world().resource::<AppTypeRegistry>().read();
    for name in [
        "NebulaCharacter",
        "CrowdMember",
        "RootMotion",
        "NowPlaying",
        "GazeAt",
        "FeetOnGround",
        "Airborne",
        "AttachedTo",
        "AnimatedJoint",
        "AnimatedMorphs",
        "GltfNodeIndex",
    ] {
        let known = registry.get_with_short_type_path(name).unwrap_or_else(|| panic!("{name} is not registered"));
        assert!(known.data::<ReflectComponent>().is_some(), "{name} is no component");
    }
}

#[test]
fn entities_in_components_follow_when_a_scene_is_copied() {
    let mut world = World::new();
    let [old, new, other] = [(); 3].map(|()| world.spawn_empty().id());
    let mut map = EntityHashMap::from_iter([(old, new)]);
    let mut joint = AnimatedJoint { animator: old, joint: 3 };
    let mut morphs = AnimatedMorphs { animator: old, first_slot: 2 };
    let (mut gaze, mut attached) = (GazeAt(old), AttachedTo::new(old, "hand"));
    AnimatedJoint::map_entities(&mut joint, &mut map);
    AnimatedMorphs::map_entities(&mut morphs, &mut map);
    GazeAt::map_entities(&mut gaze, &mut map);
    AttachedTo::map_entities(&mut attached, &mut map);
    assert_eq!([joint.animator, morphs.animator, gaze.0, attached.character], [new; 4]);
    let mut joint = AnimatedJoint { animator: other, joint: 3 };
    AnimatedJoint::map_entities(&mut joint, &mut map);
    assert_eq!(joint.animator, other);
}

#[test]
fn what_is_played_can_be_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let machine = r#"{ "start": "go", "states": [{ "name": "go", "clip": "walk" }] }"#;
    std::fs::write(folder.path().join("hero.machine.json"), machine).expect("written");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("hero.glb")).expect("copied");
    let mut stage = Stage::new(folder.path());
    let hero = stage.load("hero.glb");
    let machine = stage.app.world().resource::<AssetServer>().load("hero.machine.json");
    let led = stage.spawn((NebulaCharacter::new(hero.clone()).with_machine(machine), NowPlaying::default()));
    let free = stage.spawn((NebulaCharacter::new(hero.clone()).playing("idle"), NowPlaying::default()));
    stage.pace(0.0);
    let member = CrowdMember::new(hero).playing("run", 0.25);
    let member = spawn(&mut stage, [(member, Transform::default())])[0];
    stage.app.world_mut().entity_mut(member).insert(NowPlaying::default());
    stage.animator_mut(free).mixer.play("wave", 0.0).expect("it is there").seek(0.5);
    stage.frames(2);
    let of = |entity: Entity| stage.app.world().get::<NowPlaying>(entity).expect("it is there").clone();
    assert_eq!((&*of(led).clip, &*of(led).state, of(led).weight), ("walk", "go", 1.0));
    let expected = NowPlaying { clip: "wave".into(), time: 0.5, weight: 1.0, state: String::new() };
    assert_eq!(of(free), expected);
    assert_eq!(of(member), NowPlaying { clip: "run".into(), time: 0.25, ..expected });
    // By reflection, as an inspector does it.
    let registry = stage.app.world().resource::<AppTypeRegistry>().read();
    let known = registry.get_type_data::<ReflectComponent>(std::any::TypeId::of::<NowPlaying>()).expect("a component");
    let seen = known.reflect(stage.app.world().entity(free)).expect("it has one").reflect_ref();
    let clip = seen.as_struct().expect("a struct").field("clip").and_then(|clip| clip.try_downcast_ref::<String>());
    assert_eq!(clip.map(String::as_str), Some("wave"));
}
