//! Bounds of members hold what is drawn of them, whatever they play.

use bevy::camera::primitives::Aabb;
use bevy::mesh::VertexAttributeValues;
use bevy::mesh::skinning::SkinnedMesh;
use bevy::prelude::*;
use nebula_bevy::crowd::CrowdSeat;
use nebula_bevy::{CharacterAsset, CrowdMember};
use serde_json::json;

use crate::crowd::{spawn, written};
use crate::fixture;
use crate::stage::{Stage, corpora, own};

/// How far vertices of a member's skinned meshes are outside of the meshes' bounds, at most, and outside of the bounds of the meshes at rest, in metres of the world.
fn outside(stage: &mut Stage, entity: Entity) -> [f32; 2] {
    let (matrices, starts) = written(stage, &[entity]);
    let world = stage.app.world();
    let mut most = [f32::MIN; 2];
    for (mesh, _) in world.get::<CrowdSeat>(entity).expect("it is there").skins() {
        let place = world.get::<GlobalTransform>(mesh).expect("a place");
        let now = world.get::<Aabb>(mesh).expect("it has bounds");
        let handle = world.get::<Mesh3d>(mesh).expect("a mesh");
        let data = world.resource::<Assets<Mesh>>().get(handle).expect("loaded");
        let points = data.attribute(Mesh::ATTRIBUTE_POSITION).and_then(VertexAttributeValues::as_float3);
        let points = points.expect("vertices have places");
        let joints = match data.attribute(Mesh::ATTRIBUTE_JOINT_INDEX) {
            Some(VertexAttributeValues::Uint16x4(joints)) => Some(joints),
            _ => None,
        };
        let weights = match data.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT) {
            Some(VertexAttributeValues::Float32x4(weights)) => Some(weights),
            _ => None,
        };
        let (joints, weights) = (joints.expect("joints"), weights.expect("weights"));
        let rest = Aabb::enclosing(points.iter().map(|point| Vec3::from(*point))).expect("there are some");
        for ((point, joints), weights) in points.iter().zip(joints).zip(weights) {
            let drawn: Vec3 = (0..4)
                .filter(|index| weights[*index] > 0.0)
                .map(|index| {
                    let matrix = matrices[starts[&mesh] as usize + usize::from(joints[index])];
                    matrix.transform_point3(Vec3::from(*point)) * weights[index]
                })
                .sum();
            let local = place.affine().inverse().transform_point3(drawn);
            for (most, bounds) in most.iter_mut().zip([now, &rest]) {
                let beyond =
                    ((local - Vec3::from(bounds.center)).abs() - Vec3::from(bounds.half_extents)).max_element();
                *most = most.max(beyond * place.scale().max_element());
            }
        }
    }
    most
}

fn place() -> Transform {
    Transform::from_xyz(3.0, -1.0, 2.0).with_rotation(Quat::from_rotation_y(0.7)).with_scale(Vec3::splat(1.5))
}

fn seek(stage: &mut Stage, entity: Entity, time: f64) {
    stage.app.world_mut().get_mut::<CrowdMember>(entity).expect("it is there").time = time;
    stage.frames(2);
}

fn duration(stage: &Stage, handle: &Handle<CharacterAsset>, name: &str) -> f64 {
    let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(handle).expect("loaded");
    f64::from(asset.clips.iter().find(|clip| clip.name == name).expect("it is there").duration)
}

#[test]
fn who_walks_away_in_a_clip_is_seen_where_it_comes_to_be() {
    let mut stage = Stage::new(&own());
    let handle = stage.load("simple_humanoid.glb");
    stage.pace(0.0);
    let member = CrowdMember::new(handle.clone()).playing("idle", 0.0);
    let entity = spawn(&mut stage, [(member, place())])[0];
    stage.frames(2);
    assert!(outside(&mut stage, entity)[0] < 1e-3);
    let extents = |stage: &Stage| {
        let seat = stage.app.world().get::<CrowdSeat>(entity).expect("it is there");
        let (mesh, _) = seat.skins().next().expect("a mesh");
        stage.app.world().get::<Aabb>(mesh).expect("it has bounds").half_extents
    };
    let small = extents(&stage);
    assert!(small.max_element() < 2.0, "no larger than it has to be: {small}");
    // Another clip, and two at once.
    let clip = "run_root_motion";
    stage.app.world_mut().get_mut::<CrowdMember>(entity).expect("it is there").clip = Some(clip.into());
    let last = duration(&stage, &handle, clip) - 1e-3;
    let mut farthest = f32::MIN;
    for step in 0..12 {
        seek(&mut stage, entity, last * f64::from(step) / 11.0);
        let [now, rest] = outside(&mut stage, entity);
        assert!(now < 1e-3, "{now} m outside at step {step}");
        farthest = farthest.max(rest);
    }
    assert!(farthest > 0.5, "it leaves the bounds of its rest: {farthest}");
    let mut spec = stage.app.world_mut().get_mut::<CrowdMember>(entity).expect("it is there");
    (spec.clip, spec.second) = (Some("wave".into()), Some(("jump".into(), 0.5)));
    for step in 0..12 {
        seek(&mut stage, entity, 0.1 * f64::from(step));
        let now = outside(&mut stage, entity)[0];
        assert!(now < 1e-3, "{now} m outside at step {step} of two clips");
    }
}

#[test]
fn strangers_stay_within_their_bounds() {
    let Some(folder) = corpora("strangers_stay_within_their_bounds") else { return };
    let mut stage = Stage::new(&folder.join("characters"));
    stage.pace(0.0);
    for file in ["kaykit-knight.glb", "m2m-fox-animations.glb", "m2m-dragon-animations.glb"] {
        let handle = stage.load(file);
        let entity = spawn(&mut stage, [(CrowdMember::new(handle.clone()), place())])[0];
        let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(&handle).expect("loaded").clone();
        for clip in asset.clips.iter().step_by(asset.clips.len() / 6 + 1) {
            let mut spec = stage.app.world_mut().get_mut::<CrowdMember>(entity).expect("it is there");
            spec.clip = Some(clip.name.clone());
            for step in 0..4 {
                seek(&mut stage, entity, f64::from(clip.duration) * (0.1 + 0.27 * f64::from(step)));
                let now = outside(&mut stage, entity)[0];
                assert!(now < 2e-3, "{file}, {}: {now} m outside", clip.name);
            }
        }
        stage.app.world_mut().entity_mut(entity).despawn();
    }
}

#[test]
fn meshes_below_other_nodes_stay_where_those_put_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut document, buffer) = fixture::humanoid();
    let carrier =
        json!({ "name": "carrier", "translation": [2, 1, 0], "rotation": [0, 0.6, 0, 0.8], "children": [25] });
    document["nodes"].as_array_mut().expect("nodes").push(carrier);
    document["scenes"][0]["nodes"] = json!([0, 26]);
    fixture::write(folder.path(), "hero", document, &buffer);
    let mut stage = Stage::new(folder.path());
    let handle = stage.load("hero.gltf");
    stage.pace(0.0);
    let entity = spawn(&mut stage, [(CrowdMember::new(handle), place())])[0];
    stage.character("hero.gltf");
    stage.frames(3);
    let seat = stage.app.world().get::<CrowdSeat>(entity).expect("it is there");
    let own: Vec<_> = seat.skins().map(|(mesh, _)| mesh).collect();
    let mut meshes = stage.app.world_mut().query_filtered::<Entity, With<SkinnedMesh>>();
    let twin = meshes.iter(stage.app.world()).find(|mesh| !own.contains(mesh)).expect("the other one");
    let expected = place().to_matrix() * stage.place(twin);
    assert!(stage.place(own[0]).abs_diff_eq(expected, 1e-4), "{} is not {expected}", stage.place(own[0]));
    assert!(outside(&mut stage, entity)[0] < 1e-3);
}
