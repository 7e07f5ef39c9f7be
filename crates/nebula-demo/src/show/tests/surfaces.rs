//! Bodies: which matrix carries which vertices.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::asset::Mesh;
use nebula_animation::{Asset, Joint, Skeleton};

use crate::scene::cast::Cast;
use crate::show::figure::Figure;
use crate::show::model::Model;
use crate::show::shot::Body;
use crate::show::surfaces::Surfaces;

fn positions(body: &Body) -> Vec<Vec3> {
    let mut surfaces = Surfaces::default();
    surfaces.deform(body);
    surfaces.parts()[0].positions.clone()
}

fn assert_close(actual: &[Vec3], expected: impl Iterator<Item = Vec3>) {
    let mut count = 0;
    for (actual, expected) in actual.iter().zip(expected) {
        assert!(actual.distance(expected) < 1e-5, "{actual} instead of {expected}");
        count += 1;
    }
    assert!(count > 100 && count == actual.len(), "{count}");
}

/// In its bind pose, the palette of the humanoid is the identity.
#[test]
fn the_humanoid_in_its_bind_pose_is_the_mesh_of_its_file() {
    let cast = Cast::load().expect("the models");
    let figure = Figure::new(&cast.humanoid);
    let primitive = cast.humanoid.primitive(&cast.humanoid.parts[0]);
    assert_close(&positions(&figure.body()), primitive.positions.iter().copied().map(Vec3::from));
}

#[test]
fn what_no_joint_carries_goes_to_its_place() {
    let cast = Cast::load().expect("the models");
    let place = Mat4::from_rotation_translation(Quat::from_rotation_z(1.0), Vec3::new(1.0, 2.0, 3.0));
    let body = Body { model: &cast.sword, palette: &[], place, morph_weights: &[] };
    let primitive = cast.sword.primitive(&cast.sword.parts[0]);
    let expected = primitive.positions.iter().map(|&position| place.transform_point3(position.into()));
    assert_close(&positions(&body), expected);
}

/// A rigid mesh is in its joint's space; the palette begins at the bind pose.
#[test]
fn what_a_joint_carries_goes_with_it() {
    let sword = Cast::load().expect("the models");
    let bind = Mat4::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_x(0.4), Vec3::Y);
    let joint = Joint {
        index: 0,
        parent: None,
        inverse_bind_matrix: bind.inverse(),
        name: "hand".into(),
        bind_translation: Vec3::ZERO,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    let mesh = Mesh { joint: Some(0), ..sword.sword.asset.meshes[0].clone() };
    let asset = Asset { skeleton: Skeleton { joints: vec![joint] }, meshes: vec![mesh], ..Asset::default() };
    let model = Model::new(asset).expect("a model");
    let world_from_joint = Mat4::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(-1.0, 0.5, 2.0));
    let palette = [world_from_joint * bind.inverse()];
    let place = Mat4::from_translation(Vec3::splat(99.0));
    let body = Body { model: &model, palette: &palette, place, morph_weights: &[] };
    let primitive = model.primitive(&model.parts[0]);
    let expected = primitive.positions.iter().map(|&position| world_from_joint.transform_point3(position.into()));
    assert_close(&positions(&body), expected);
}
