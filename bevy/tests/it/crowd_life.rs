//! Members of crowds with other components, other files, and as they come and go.

use bevy::prelude::*;
use nebula_bevy::crowd::{CrowdSeat, NebulaCrowd};
use nebula_bevy::{CharacterAsset, CharacterSettings, CrowdMember, FeetOnGround, GazeAt, NebulaCharacter, RootMotion};

use crate::crowd::{compare, spawn};
use crate::stage::{Stage, own};

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
}
