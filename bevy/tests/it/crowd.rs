//! The fast path: the same skinning matrices without joints.

use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::prelude::*;
use nebula_animation::palette::{model_matrices, skinning_matrices};
use nebula_animation::sample_pose;
use nebula_bevy::crowd::{CrowdSeat, NebulaCrowd};
use nebula_bevy::{AnimatedJoint, CharacterAsset, CrowdMember};

use crate::stage::{Stage, corpora, own};

/// Spawns members and waits until all are there.
fn spawn(stage: &mut Stage, members: impl IntoIterator<Item = (CrowdMember, Transform)>) -> Vec<Entity> {
    let entities: Vec<_> = members.into_iter().map(|member| stage.app.world_mut().spawn(member).id()).collect();
    stage.until(|world| entities.iter().all(|entity| world.get::<CrowdSeat>(*entity).is_some()));
    entities
}

/// The matrices of a member's skins as the renderer gets them, and what the plain path of the library says.
fn compare(stage: &Stage, handle: &Handle<CharacterAsset>, entity: Entity, clip: usize, time: f32) -> usize {
    let world = stage.app.world();
    let (seat, crowd) = (world.get::<CrowdSeat>(entity).expect("it is there"), world.resource::<NebulaCrowd>());
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
        let mut matrices = vec![Mat4::ZERO; joints.len()];
        seat.write_skin(crowd, joints, place, &mut matrices);
        let skin = world.get::<SkinnedMesh>(mesh).expect("a skin");
        let poses =
            world.resource::<Assets<SkinnedMeshInverseBindposes>>().get(&skin.inverse_bindposes).expect("loaded");
        assert_eq!((skin.joints.len(), poses.len()), (joints.len(), joints.len()));
        for (found, joint) in matrices.iter().zip(joints) {
            let expected = place.to_matrix() * palette[usize::from(*joint)];
            let size = expected.to_cols_array().iter().fold(1.0_f32, |size, number| size.max(number.abs()));
            assert!(found.abs_diff_eq(expected, 2e-4 * size), "{found} is not {expected}");
        }
        count += 1;
    }
    count
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
        assert_eq!(compare(&stage, &handle, *entity, walk, time), 1);
    }
    let mut joints = stage.app.world_mut().query::<&AnimatedJoint>();
    assert_eq!(joints.iter(stage.app.world()).count(), 0);
    // The scene's root, the mesh's node and its primitive: nothing else is left of a scene of 27 entities.
    let mut children = stage.app.world_mut().query::<&ChildOf>();
    assert!(children.iter(stage.app.world()).count() <= 4 * entities.len());
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
        assert!(compare(&stage, &handle, entity, 0, 0.3) > 0, "{file}");
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
    compare(&stage, &handle, entities[1], clip(&stage, "run"), 0.15);
    compare(&stage, &handle, entities[2], clip(&stage, "walk"), 0.2);
    // A component that is put there once more.
    let again = CrowdMember::new(handle.clone()).playing("idle", 0.1);
    stage.app.world_mut().entity_mut(entities[3]).insert(again);
    stage.frames(10);
    assert_eq!(compare(&stage, &handle, entities[3], clip(&stage, "idle"), 0.1), 1);
    stage.app.world_mut().entity_mut(entities[0]).despawn();
    stage.frames(2);
    assert_eq!(stage.app.world().resource::<NebulaCrowd>().len(), 4);
    compare(&stage, &handle, entities[4], clip(&stage, "walk"), 0.2);
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
