//! Deformed vertices against what follows from the matrices.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::asset::{Material, MorphTarget, Primitive, Topology};

use crate::show::figure::Figure;
use crate::show::script::Humanoid;
use crate::show::skin::{Carrier, Surface};

/// Three vertices: of joint 0, of joint 1, and of both in equal parts.
fn primitive() -> Primitive {
    Primitive {
        topology: Topology::Triangles,
        positions: vec![[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [3.0, 0.0, 1.0]],
        normals: vec![[1.0, 0.0, 0.0]; 3],
        tangents: vec![],
        uvs: [vec![], vec![]],
        colors: vec![],
        joints: vec![[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]],
        weights: vec![[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]],
        more_joints: vec![],
        more_weights: vec![],
        indices: vec![0, 1, 2],
        morph_targets: vec![],
        material: Material::default(),
    }
}

fn deformed(primitive: &Primitive, weights: &[f32], carrier: Carrier) -> Surface {
    let mut surface = Surface::default();
    surface.deform(primitive, weights, carrier);
    surface
}

fn assert_close(actual: &[Vec3], expected: &[Vec3]) {
    assert_eq!(actual.len(), expected.len());
    for (actual, expected) in actual.iter().zip(expected) {
        assert!(actual.distance(*expected) < 1e-5, "{actual} instead of {expected}");
    }
}

#[test]
fn the_identity_leaves_vertices_where_they_are() {
    let primitive = primitive();
    let positions: Vec<Vec3> = primitive.positions.iter().copied().map(Vec3::from).collect();
    for carrier in [Carrier::Skin(&[Mat4::IDENTITY; 2]), Carrier::Rigid(Mat4::IDENTITY)] {
        let surface = deformed(&primitive, &[], carrier);
        assert_close(&surface.positions, &positions);
        assert_close(&surface.normals, &[Vec3::X; 3]);
        assert!(!surface.is_mirrored);
    }
}

#[test]
fn a_turned_joint_turns_its_vertices_and_half_of_those_it_shares() {
    let turn = Mat4::from_rotation_z(FRAC_PI_2);
    let surface = deformed(&primitive(), &[], Carrier::Skin(&[Mat4::IDENTITY, turn]));
    // (x, y) turns to (-y, x). The third vertex lies in the middle between both of its places.
    assert_close(&surface.positions, &[Vec3::X, Vec3::new(-1.0, 2.0, 0.0), Vec3::new(1.5, 1.5, 1.0)]);
    assert_close(&surface.normals[..2], &[Vec3::X, Vec3::Y]);
    assert!(surface.normals[2].angle_between(Vec3::new(1.0, 1.0, 0.0)) < 1e-3);
}

#[test]
fn joints_five_to_eight_count() {
    let mut primitive = primitive();
    primitive.weights = vec![[0.25, 0.0, 0.0, 0.0]; 3];
    primitive.more_joints = vec![[0, 0, 0, 1]; 3];
    primitive.more_weights = vec![[0.0, 0.0, 0.0, 0.75]; 3];
    primitive.joints = vec![[0; 4]; 3];
    let palette = [Mat4::IDENTITY, Mat4::from_translation(Vec3::Y * 4.0)];
    let surface = deformed(&primitive, &[], Carrier::Skin(&palette));
    assert_close(&surface.positions[..1], &[Vec3::new(1.0, 3.0, 0.0)]);
}

#[test]
fn morph_targets_are_added_before_the_joints_move() {
    let mut primitive = primitive();
    let target = |offset: [f32; 3]| MorphTarget { positions: vec![offset; 3], ..MorphTarget::default() };
    primitive.morph_targets = vec![target([0.0, 2.0, 0.0]), target([0.0, 0.0, 5.0])];
    let carrier = Carrier::Rigid(Mat4::from_rotation_z(FRAC_PI_2));
    // Half of the first target, nothing of the second, whose weight is missing: (1, 1, 0) turns to (-1, 1, 0).
    let surface = deformed(&primitive, &[0.5], carrier);
    assert_close(&surface.positions[..1], &[Vec3::new(-1.0, 1.0, 0.0)]);
}

#[test]
fn normals_stay_at_right_angles_to_a_stretched_surface() {
    let stretch = Mat4::from_scale_rotation_translation(Vec3::new(1.0, 3.0, 0.5), Quat::from_rotation_x(0.7), Vec3::Z);
    let (tangent, normal) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, -1.0, 0.0));
    let mut primitive = primitive();
    primitive.normals = vec![normal.into(); 3];
    let surface = deformed(&primitive, &[], Carrier::Rigid(stretch));
    let turned = surface.normals[0].try_normalize().expect("a normal");
    assert!(turned.dot(stretch.transform_vector3(tangent)).abs() < 1e-5);
    assert!(turned.dot(stretch.transform_vector3(normal)) > 0.0, "it points to the same side");
}

#[test]
fn a_mirror_is_noticed_and_normals_stay_outside() {
    let surface = deformed(&primitive(), &[], Carrier::Rigid(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0))));
    assert!(surface.is_mirrored);
    assert_close(&surface.normals, &[Vec3::NEG_X; 3]);
}

/// The whole path on a real file: in its bind pose, the palette of the humanoid is the identity.
#[test]
fn the_humanoid_in_its_bind_pose_is_the_mesh_of_its_file() {
    let humanoid = Humanoid::new().expect("the humanoid");
    let figure = Figure::new(&humanoid.model);
    let primitive = humanoid.model.primitive(&humanoid.model.parts[0]);
    let positions: Vec<Vec3> = primitive.positions.iter().copied().map(Vec3::from).collect();
    assert_close(&figure.surfaces()[0].positions, &positions);
}
