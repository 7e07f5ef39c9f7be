//! The fast path: the same skinning matrices without joints.

use std::process::Command;

use bevy::ecs::entity::EntityHashMap;
use bevy::mesh::VertexAttributeValues;
use bevy::mesh::skinning::SkinnedMesh;
use bevy::prelude::*;
use nebula_animation::palette::{model_matrices, skinning_matrices};
use nebula_animation::sample_pose;
use nebula_bevy::crowd::{CrowdSeat, NebulaCrowd, SkinWriter};
use nebula_bevy::{AnimatedJoint, CharacterAsset, CrowdMember};

use crate::stage::{Stage, corpora, own};

/// Spawns members and waits until all are there.
pub fn spawn(stage: &mut Stage, members: impl IntoIterator<Item = (CrowdMember, Transform)>) -> Vec<Entity> {
    let entities: Vec<_> = members.into_iter().map(|member| stage.app.world_mut().spawn(member).id()).collect();
    stage.until(|world| entities.iter().all(|entity| world.get::<CrowdSeat>(*entity).is_some()));
    entities
}

/// What stands in a buffer where nobody has written.
const EMPTY: Mat4 = Mat4::from_cols_array(&[7.0; 16]);

/// A buffer as a renderer has it, with the meshes of some members one after the other, and where each begins.
pub fn written(stage: &mut Stage, entities: &[Entity]) -> (Vec<Mat4>, EntityHashMap<u32>) {
    let world = stage.app.world_mut();
    let mut query = world.query::<(&CrowdSeat, Entity)>();
    let (mut starts, mut end) = (EntityHashMap::default(), 3);
    for (seat, entity) in query.iter(world) {
        for (mesh, joints) in seat.skins().filter(|_| entities.contains(&entity)) {
            starts.insert(mesh, end as u32);
            end += joints.len() + 2;
        }
    }
    let mut matrices = vec![EMPTY; end];
    let place = |seat: &CrowdSeat| world.get::<GlobalTransform>(seat.model_entity()).expect("a place");
    let members = query.iter_manual(world).map(|(seat, _)| (seat, place(seat)));
    let crowd = world.resource::<NebulaCrowd>();
    SkinWriter::default().write(crowd, members, |mesh| starts.get(&mesh).copied(), &mut matrices);
    (matrices, starts)
}

/// Compares the matrices of a member's skins as the renderer gets them with what the plain path of the library says. Returns how many skins there are.
pub fn compare(stage: &mut Stage, handle: &Handle<CharacterAsset>, entity: Entity, clip: usize, time: f32) -> usize {
    let (matrices, starts) = written(stage, &[entity]);
    compare_with(stage, handle, entity, clip, time, (&matrices, &starts))
}

fn compare_with(
    stage: &Stage,
    handle: &Handle<CharacterAsset>,
    entity: Entity,
    clip: usize,
    time: f32,
    (buffer, starts): (&[Mat4], &EntityHashMap<u32>),
) -> usize {
    let world = stage.app.world();
    let seat = world.get::<CrowdSeat>(entity).expect("it is there");
    let asset = world.resource::<Assets<CharacterAsset>>().get(handle).expect("loaded");
    let skeleton = asset.rig().skeleton();
    let mut pose = skeleton.bind_pose();
    sample_pose(&asset.clips[clip], skeleton, time, &mut pose);
    let mut palette = vec![Mat4::IDENTITY; skeleton.joints.len()];
    model_matrices(skeleton, &pose, &mut palette);
    skinning_matrices(skeleton, &mut palette);
    let place = world.get::<GlobalTransform>(seat.model_entity()).expect("a place");
    let mut count = 0;
    for (mesh, joints) in seat.skins() {
        let start = starts[&mesh] as usize;
        let skin = world.get::<SkinnedMesh>(mesh).expect("a skin");
        assert_eq!(skin.joints.len(), joints.len());
        let used = used_joints(world, mesh, joints.len());
        for (index, joint) in joints.iter().enumerate() {
            let found = buffer[start + index];
            assert_eq!(joint.is_some(), used[index], "matrix {index} of {mesh}");
            let Some(joint) = joint else {
                assert_eq!(found, EMPTY, "no vertex uses it");
                continue;
            };
            let expected = place.to_matrix() * palette[usize::from(*joint)];
            let size = expected.to_cols_array().iter().fold(1.0_f32, |size, number| size.max(number.abs()));
            assert!(found.abs_diff_eq(expected, 1e-4 * size), "{found} is not {expected}");
        }
        assert_eq!(buffer[start + joints.len()..][..2], [EMPTY; 2], "what is not of the mesh is left alone");
        count += 1;
    }
    count
}

/// Which matrices of a skin the vertices of its mesh use.
fn used_joints(world: &World, mesh: Entity, count: usize) -> Vec<bool> {
    let handle = world.get::<Mesh3d>(mesh).expect("a mesh");
    let mesh = world.resource::<Assets<Mesh>>().get(handle).expect("loaded");
    let vertices = match mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX) {
        Some(VertexAttributeValues::Uint16x4(vertices)) => Some(vertices),
        _ => None,
    };
    let vertices = vertices.expect("joints as Bevy's loader has them");
    let is_used = |joint: usize| vertices.iter().any(|joints| joints.contains(&(joint as u16)));
    (0..count).map(is_used).collect()
}

#[test]
fn members_have_the_palettes_of_the_plain_path_and_no_joints() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    let member = |number: usize| {
        let time = 0.1 * number as f64;
        (CrowdMember::new(handle.clone()).playing("walk", time), Transform::from_xyz(number as f32, 0.0, 0.0))
    };
    stage.pace(0.0);
    let entities = spawn(&mut stage, (0..10).map(member));
    stage.frames(2);
    let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(&handle).expect("loaded");
    let walk = asset.clips.iter().position(|clip| clip.name == "walk").expect("a walk");
    let duration = asset.clips[walk].duration;
    for (number, entity) in entities.iter().enumerate() {
        let time = (0.1 * number as f32) % duration;
        assert_eq!(compare(&mut stage, &handle, *entity, walk, time), 1);
    }
    let mut joints = stage.app.world_mut().query::<&AnimatedJoint>();
    assert_eq!(joints.iter(stage.app.world()).count(), 0);
    // The scene's root, the mesh's node and its primitive: nothing else is left of a scene of 27 entities.
    let mut children = stage.app.world_mut().query::<&ChildOf>();
    assert!(children.iter(stage.app.world()).count() <= 4 * entities.len());
}

#[test]
fn who_is_not_drawn_costs_nothing_and_others_are_where_they_belong() {
    let mut stage = Stage::new(&own());
    let files = [stage.load("simple_humanoid.glb"), stage.load("robot.glb")];
    let member = |number: usize| {
        let member = CrowdMember { time: 0.05 * number as f64, ..CrowdMember::new(files[number % 2].clone()) };
        (member, Transform::from_xyz(number as f32, 0.0, 1.0))
    };
    stage.pace(0.0);
    // More than eight of each file, one file after the other, in more parts of the buffer than there are threads.
    let entities = spawn(&mut stage, (0..50).map(member));
    stage.frames(2);
    let drawn: Vec<_> = entities.iter().copied().enumerate().filter(|(number, _)| number % 5 != 3).collect();
    let (matrices, starts) = written(&mut stage, &drawn.iter().map(|(_, entity)| *entity).collect::<Vec<_>>());
    for (number, entity) in drawn {
        let handle = &files[number % 2];
        let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(handle).expect("loaded");
        let time = (0.05 * number as f32) % asset.clips[0].duration;
        assert!(compare_with(&stage, handle, entity, 0, time, (&matrices, &starts)) > 0);
    }
}

#[test]
fn four_threads_write_the_same() {
    let program = std::env::current_exe().expect("this program has a path");
    let tests = [
        "crowd::who_is_not_drawn_costs_nothing_and_others_are_where_they_belong",
        "crowd::members_change_their_clip_leave_and_come_again",
        "crowd::members_have_the_palettes_of_the_plain_path_and_no_joints",
    ];
    let output = Command::new(&program).arg("--exact").args(tests).env("NEBULA_TEST_THREADS", "4").output();
    let output = output.expect("the tests start");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("3 passed"), "{said}");
}

#[test]
fn strangers_in_a_crowd_have_the_palettes_of_the_plain_path() {
    let Some(folder) = corpora("strangers_in_a_crowd_have_the_palettes_of_the_plain_path") else { return };
    let mut stage = Stage::new(&folder.join("characters"));
    stage.pace(0.0);
    for file in ["kaykit-knight.glb", "robot-expressive.glb", "m2m-fox-animations.glb", "m2m-dragon-animations.glb"] {
        let handle = stage.load(file);
        let member =
            (CrowdMember { time: 0.3, ..CrowdMember::new(handle.clone()) }, Transform::from_xyz(1.0, 2.0, 3.0));
        let entity = spawn(&mut stage, [member])[0];
        stage.frames(2);
        assert!(compare(&mut stage, &handle, entity, 0, 0.3) > 0, "{file}");
    }
    assert!(stage.said().is_empty(), "{:?}", stage.said());
}

#[test]
fn members_change_their_clip_leave_and_come_again() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    let member = |_| (CrowdMember::new(handle.clone()).playing("walk", 0.2), Transform::default());
    stage.pace(0.0);
    let entities = spawn(&mut stage, (0..5).map(member));
    let clip = |stage: &Stage, name: &str| {
        let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(&handle).expect("loaded");
        asset.clips.iter().position(|clip| clip.name == name).expect("it is there")
    };
    let mut spec = stage.app.world_mut().get_mut::<CrowdMember>(entities[1]).expect("it is there");
    (spec.clip, spec.time) = (Some("run".into()), 0.15);
    stage.frames(2);
    let (walk, run, idle) = (clip(&stage, "walk"), clip(&stage, "run"), clip(&stage, "idle"));
    compare(&mut stage, &handle, entities[1], run, 0.15);
    compare(&mut stage, &handle, entities[2], walk, 0.2);
    // A component that is put there once more.
    let again = CrowdMember::new(handle.clone()).playing("idle", 0.1);
    stage.app.world_mut().entity_mut(entities[3]).insert(again);
    stage.frames(10);
    assert_eq!(compare(&mut stage, &handle, entities[3], idle, 0.1), 1);
    stage.app.world_mut().entity_mut(entities[0]).despawn();
    stage.frames(2);
    assert_eq!(stage.app.world().resource::<NebulaCrowd>().len(), 4);
    compare(&mut stage, &handle, entities[4], walk, 0.2);
    let wrong = CrowdMember::new(handle.clone()).playing("wlak", 0.0);
    stage.app.world_mut().spawn(wrong);
    let said = stage.trouble();
    assert!(said.contains("walk"), "{said}");
    spawn(&mut stage, [member(0)]);
    assert_eq!(stage.app.world().resource::<NebulaCrowd>().len(), 5);
}

#[test]
fn meshes_without_a_skin_go_along_with_their_joint() {
    let Some(folder) = corpora("meshes_without_a_skin_go_along_with_their_joint") else { return };
    let mut stage = Stage::new(&folder.join("characters"));
    let handle = stage.load("robot-expressive.glb");
    stage.pace(0.0);
    let entity =
        spawn(&mut stage, [(CrowdMember { time: 0.4, ..CrowdMember::new(handle.clone()) }, Transform::default())])[0];
    let twin = stage.character("robot-expressive.glb");
    stage.animator_mut(twin).mixer.play(0, 0.0).expect("a clip").seek(0.4);
    stage.frames(3);
    // Meshes without a skin of both, by the node that carries them.
    let mut meshes = stage.app.world_mut().query_filtered::<Entity, (With<Mesh3d>, Without<SkinnedMesh>)>();
    let world = stage.app.world();
    let places = |root: Entity, meshes: &[Entity]| -> Vec<(usize, Mat4)> {
        let own = meshes.iter().filter(|mesh| is_below(world, **mesh, root));
        let mut places: Vec<_> = own
            .filter_map(|mesh| {
                let node = world
                    .get::<ChildOf>(*mesh)
                    .and_then(|parent| world.get::<nebula_bevy::GltfNodeIndex>(parent.parent()))?;
                Some((node.0, world.get::<GlobalTransform>(*mesh)?.to_matrix()))
            })
            .collect();
        places.sort_by_key(|(node, _)| *node);
        places
    };
    let all: Vec<_> = meshes.iter(world).collect();
    let (member, twin) = (places(entity, &all), places(twin, &all));
    assert!(!member.is_empty() && member.len() == twin.len(), "{} and {}", member.len(), twin.len());
    for ((node, found), (_, expected)) in member.iter().zip(&twin) {
        assert!(found.abs_diff_eq(*expected, 1e-3), "node {node}: {found} is not {expected}");
    }
}

fn is_below(world: &World, mut entity: Entity, root: Entity) -> bool {
    while let Some(parent) = world.get::<ChildOf>(entity) {
        entity = parent.parent();
        if entity == root {
            return true;
        }
    }
    false
}
