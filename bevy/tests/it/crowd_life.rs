//! Members of crowds with other components, other files, and as they come and go.

use std::cell::{Cell, RefCell};

use bevy::prelude::*;
use nebula_bevy::crowd::{CrowdSeat, NebulaCrowd};
use nebula_bevy::{
    AnimationEvent, CharacterAsset, CharacterSettings, CrowdMember, FeetOnGround, GazeAt, NebulaCharacter, RootMotion,
};
use serde_json::json;

use crate::crowd::{compare, spawn};
use crate::fixture;
use crate::stage::{DT, Said, Stage, own};

#[test]
fn what_bends_poses_is_said_to_do_nothing_in_a_crowd() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    let entities = spawn(&mut stage, (0..2).map(|_| (CrowdMember::new(handle.clone()), Transform::default())));
    let target = stage.app.world_mut().spawn(Transform::default()).id();
    stage.frames(2);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    stage.app.world_mut().entity_mut(entities[0]).insert(GazeAt(target));
    stage.frames(3);
    stage.app.world_mut().entity_mut(entities[1]).insert(RootMotion::default());
    stage.frames(3);
    // One that has it before it is there.
    let late = stage.app.world_mut().spawn((CrowdMember::new(handle), FeetOnGround)).id();
    stage.until(|world| world.get::<CrowdSeat>(late).is_some());
    stage.frames(3);
    let said = stage.said();
    assert_eq!(said.len(), 3, "each is said once: {said:?}");
    for (line, part) in said.iter().zip(["GazeAt", "root_motion: true", "FeetOnGround"]) {
        assert!(line.contains(part), "{line}");
    }
}

#[test]
fn root_motion_moves_a_member_as_it_moves_a_character() {
    let mut stage = Stage::new(&own());
    let change = |settings: &mut CharacterSettings| settings.root_motion = true;
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    let place =
        Transform::from_xyz(3.0, 0.0, 1.0).with_rotation(Quat::from_rotation_y(0.8)).with_scale(Vec3::splat(2.0));
    stage.pace(0.0);
    let spec = NebulaCharacter::new(handle.clone()).playing("walk_root_motion");
    let character = stage.spawn((spec, RootMotion::default(), place));
    let member = CrowdMember::new(handle.clone()).playing("walk_root_motion", 0.0);
    let entities = spawn(&mut stage, [(member.clone(), place), (member, place)]);
    stage.app.world_mut().entity_mut(entities[0]).insert(RootMotion::default());
    stage.pace(1.0 / 60.0);
    stage.frames(120);
    let at = |entity: Entity| *stage.app.world().get::<Transform>(entity).expect("a place");
    assert!(at(character).translation.distance(place.translation) > 2.0, "it goes somewhere");
    assert!(at(entities[0]).translation.distance(at(character).translation) < 1e-3, "{:?}", at(entities[0]));
    assert!(at(entities[0]).rotation.abs_diff_eq(at(character).rotation, 1e-4));
    assert_eq!(at(entities[1]), place, "without the component nobody is moved");
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn members_play_clips_of_another_body() {
    let mut stage = Stage::new(&own());
    let (humanoid, robot) = (stage.load("simple_humanoid.glb"), stage.load("robot.glb"));
    stage.pace(0.0);
    let wave = CrowdMember::new(robot.clone()).with_clips_from(humanoid.clone()).playing("wave", 0.4);
    let own_clip = CrowdMember { time: 0.3, ..CrowdMember::new(robot.clone()) };
    let entities = spawn(&mut stage, [(wave, Transform::default()), (own_clip, Transform::default())]);
    stage.frames(2);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    // As the character that takes the same clips does.
    let twin = stage.spawn(NebulaCharacter::new(robot.clone()).with_clips_from(humanoid).playing("wave"));
    let mut animator = stage.animator_mut(twin);
    animator.want_palette(true);
    animator.mixer.play("wave", 0.0).expect("it is there").seek(0.4);
    stage.frames(2);
    let palette = stage.animator(twin).palette().to_vec();
    let (matrices, starts) = crate::crowd::written(&mut stage, &entities[..1]);
    let seat = stage.app.world().get::<CrowdSeat>(entities[0]).expect("it is there");
    let mut count = 0;
    for (mesh, joints) in seat.skins() {
        for (index, joint) in joints.iter().enumerate().filter_map(|(index, joint)| Some((index, (*joint)?))) {
            let found = matrices[starts[&mesh] as usize + index];
            assert!(found.abs_diff_eq(palette[usize::from(joint)], 1e-4), "joint {joint}");
            count += 1;
        }
    }
    assert!(count > 0);
    assert!(compare(&mut stage, &robot, entities[1], 0, 0.3) > 0, "one with the file's own clips alone");
    assert_eq!(stage.app.world().resource::<NebulaCrowd>().len(), 2);
}

#[test]
fn clips_that_are_mended_are_there_in_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(own().join("robot.glb"), folder.path().join("hero.glb")).expect("copied");
    std::fs::write(folder.path().join("clips.glb"), b"glTF, or is it?").expect("written");
    let mut stage = Stage::new(folder.path());
    let spec = CrowdMember::new(stage.load("hero.glb")).with_clips_from(stage.load("clips.glb"));
    let entity = spawn(&mut stage, [(spec, Transform::default())])[0];
    assert!(stage.trouble().starts_with("clips.glb could not be loaded"), "{:?}", stage.said());
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("clips.glb")).expect("copied");
    let model = stage.app.world().get::<CrowdSeat>(entity).expect("it is there").model_entity();
    stage.app.world().resource::<AssetServer>().reload("clips.glb");
    let is_new = |world: &World| world.get::<CrowdSeat>(entity).is_some_and(|seat| seat.model_entity() != model);
    stage.until(is_new);
    stage.app.world_mut().get_mut::<CrowdMember>(entity).expect("it is there").clip = Some("wave".into());
    stage.frames(3);
    assert_eq!(stage.said().len(), 1, "{:?}", stage.said());
    // One that plays a clip that is not there yet is told both, and is seated as soon as it is there.
    std::fs::write(folder.path().join("late.glb"), b"glTF, or is it?").expect("written");
    let spec = CrowdMember::new(stage.load("hero.glb")).with_clips_from(stage.load("late.glb")).playing("wave", 0.0);
    let late = stage.app.world_mut().spawn(spec).id();
    stage.until(|world| world.resource::<Said>().0.len() > 1);
    stage.frames(10);
    let said = stage.said().split_off(1);
    assert!(said.len() == 2 && said[0].contains("wave") && said[1].starts_with("late.glb"), "{said:?}");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("late.glb")).expect("copied");
    stage.app.world().resource::<AssetServer>().reload("late.glb");
    stage.until(|world| world.get::<CrowdSeat>(late).is_some());
}

/// Waits until members have the seats of another scene than they had.
fn until_seated_anew(stage: &mut Stage, entities: &[Entity], old: &[Entity]) {
    // Bevy loads its scene and the plugin's character apart, and whichever comes last seats everybody once more.
    let (seen, frames) = (RefCell::new(Vec::new()), Cell::new(0));
    stage.until(|world| {
        let model = |entity: &Entity| world.get::<CrowdSeat>(*entity).map(CrowdSeat::model_entity);
        let models: Vec<_> = entities.iter().map(model).collect();
        let is_placed = |(model, old): (&Option<Entity>, &Entity)| {
            model.is_some_and(|model| model != *old && world.get::<GlobalTransform>(model).is_some())
        };
        let is_still = *seen.borrow() == models && models.iter().zip(old).all(is_placed);
        frames.set(if is_still { frames.get() + 1 } else { 0 });
        seen.replace(models);
        frames.get() > 300
    });
}

fn models(stage: &Stage, entities: &[Entity]) -> Vec<Entity> {
    let seat = |entity: &Entity| stage.app.world().get::<CrowdSeat>(*entity).expect("it is there").model_entity();
    entities.iter().map(seat).collect()
}

#[test]
fn a_file_that_changes_seats_its_members_anew_and_is_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let (document, buffer) = fixture::humanoid();
    fixture::write(folder.path(), "hero", document.clone(), &buffer);
    let mut stage = Stage::new(folder.path());
    let handle = stage.load("hero.gltf");
    stage.pace(0.0);
    let member = CrowdMember::new(handle.clone()).playing("walk", 0.2);
    let entities = spawn(&mut stage, (0..9).map(|at| (member.clone(), Transform::from_xyz(at as f32, 0.0, 0.0))));
    stage.frames(2);
    let rig_of = |stage: &Stage| {
        let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(&handle).expect("loaded");
        std::sync::Arc::downgrade(asset.rig())
    };
    let (old_rig, old_models) = (rig_of(&stage), models(&stage, &entities));
    // The hips are higher, and the walk is another clip.
    let mut changed = document;
    changed["nodes"][0]["translation"] = json!([0.0, 2.0, 0.0]);
    let animations = changed["animations"].as_array_mut().expect("clips");
    let at = |name: &str| animations.iter().position(|clip| clip["name"] == name).expect("it is there");
    let (walk, run) = (at("walk"), at("run"));
    (animations[walk]["name"], animations[run]["name"]) = (json!("run"), json!("walk"));
    fixture::write(folder.path(), "hero", changed, &buffer);
    stage.app.world().resource::<AssetServer>().reload("hero.gltf");
    until_seated_anew(&mut stage, &entities, &old_models);
    assert_eq!(stage.app.world().resource::<NebulaCrowd>().len(), 9);
    for entity in &entities {
        assert_eq!(compare(&mut stage, &handle, *entity, run, 0.2), 1);
    }
    let mut children = stage.app.world_mut().query::<&ChildOf>();
    assert!(children.iter(stage.app.world()).count() <= 4 * entities.len(), "the old scenes are gone");
    assert!(old_rig.upgrade().is_none(), "nothing is kept of the file as it was");
    assert!(rig_of(&stage).upgrade().is_some());
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn members_of_two_scenes_of_one_file_stand_side_by_side() {
    let folder = tempfile::tempdir().expect("a folder");
    fixture::write_two_scenes(folder.path());
    let mut stage = Stage::new(folder.path());
    let handle = stage.load("twice.gltf");
    stage.pace(0.0);
    let member = |(clip, scene): (&str, usize)| {
        (
            CrowdMember { scene: Some(scene), ..CrowdMember::new(handle.clone()).playing(clip, 0.3) },
            Transform::default(),
        )
    };
    let specs = [("walk", 0), ("run", 1), ("walk", 1), ("idle", 0)];
    let entities = spawn(&mut stage, specs.map(member));
    stage.frames(2);
    let roots: Vec<_> = entities.iter().map(|entity| stage.app.world().get::<WorldAssetRoot>(*entity)).collect();
    assert!(roots[0] == roots[3] && roots[1] == roots[2] && roots[0] != roots[1]);
    for (entity, (clip, _)) in entities.iter().zip(specs) {
        let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(&handle).expect("loaded");
        let clip = asset.clips.iter().position(|known| known.name == clip).expect("it is there");
        assert_eq!(compare(&mut stage, &handle, *entity, clip, 0.3), 1);
    }
}

#[test]
fn scenes_and_files_of_members_that_are_not_there_are_said_once() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("broken.glb"), b"glTF, or is it?").expect("written");
    std::fs::copy(own().join("robot.glb"), folder.path().join("robot.glb")).expect("copied");
    for (file, scene, part) in
        [("robot.glb", 7, "robot.glb#Scene7"), ("broken.glb", 0, "broken.glb"), ("nobody.glb", 0, "nobody.glb")]
    {
        let mut stage = Stage::new(folder.path());
        let member = CrowdMember { scene: Some(scene), ..CrowdMember::new(stage.load(file)) };
        let entity = stage.app.world_mut().spawn(member).id();
        assert!(stage.trouble().contains(part), "{:?}", stage.said());
        stage.frames(10);
        assert_eq!(stage.said().len(), 1, "{:?}", stage.said());
        // The game goes on; what is mended is shown.
        let handle = stage.load("robot.glb");
        spawn(&mut stage, [(CrowdMember::new(handle.clone()), Transform::default())]);
        let mut spec = stage.app.world_mut().get_mut::<CrowdMember>(entity).expect("it is there");
        (spec.asset, spec.scene) = (handle, None);
        stage.until(|world| world.get::<CrowdSeat>(entity).is_some());
        assert_eq!(stage.said().len(), 1, "{:?}", stage.said());
    }
}

#[test]
fn a_hidden_member_keeps_its_clock_and_its_messages() {
    #[derive(Resource, Default)]
    struct Met(usize);
    let mut stage = Stage::with(&own(), |app| {
        let count = |mut events: MessageReader<AnimationEvent>, mut met: ResMut<Met>| met.0 += events.read().count();
        app.init_resource::<Met>().add_systems(Last, count);
    });
    let change = |settings: &mut CharacterSettings| settings.markers = vec![("idle".into(), "now".into(), 0.25)];
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    stage.pace(0.0);
    let member = (CrowdMember::new(handle).playing("idle", 0.0), Transform::default());
    let entity = spawn(&mut stage, [member])[0];
    stage.app.world_mut().entity_mut(entity).insert(Visibility::Hidden);
    stage.pace(DT);
    stage.frames(20);
    let seat = stage.app.world().get::<CrowdSeat>(entity).expect("it is there");
    let (meshes, time): (Vec<_>, _) =
        (seat.skins().map(|(mesh, _)| mesh).collect(), stage.app.world().resource::<NebulaCrowd>().time(seat));
    assert!((time.expect("it is there") - 20.0 * f64::from(DT)).abs() < 1e-3, "{time:?}");
    assert_eq!(stage.app.world().resource::<Met>().0, 1);
    let is_seen = |stage: &Stage| {
        let seen = |mesh: &Entity| stage.app.world().get::<InheritedVisibility>(*mesh).expect("it is a mesh").get();
        meshes.iter().map(seen).collect::<Vec<_>>()
    };
    assert_eq!(is_seen(&stage), vec![false; meshes.len()]);
    stage.app.world_mut().entity_mut(entity).insert(Visibility::Inherited);
    stage.frames(1);
    assert_eq!(is_seen(&stage), vec![true; meshes.len()]);
}
