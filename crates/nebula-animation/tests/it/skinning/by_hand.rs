//! Small cases whose answer is plain, and what must not happen on bad input.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Mat4, Quat, Vec3, Vec4};
use nebula_animation::palette::PaletteRows;
use nebula_animation::skinning::{Blending, Geometry, GeometryError, MorphDeltas, SkinnedVertices, transform_vertex};

const BOTH: [Blending; 2] = [Blending::Linear, Blending::DualQuaternion];

fn skinned(geometry: &Geometry, weights: &[f32], palette: &[Mat4], blending: Blending) -> SkinnedVertices {
    let mut skinned = SkinnedVertices::default();
    skinned.skin(geometry, weights, palette, blending);
    skinned
}

/// One vertex that two joints share.
fn shared<'a>(positions: &'a [[f32; 3]]) -> Geometry<'a> {
    Geometry { positions, joints: &[[0, 1, 0, 0]], weights: &[[0.5, 0.5, 0.0, 0.0]], ..Geometry::default() }
}

/// The candy wrapper: half a turn between two joints flattens a limb under linear blending, and not under dual quaternions.
#[test]
fn dual_quaternions_keep_the_volume_of_a_twist() {
    let palette = [Mat4::from_rotation_x(-0.49 * PI), Mat4::from_rotation_x(0.49 * PI)];
    let geometry = shared(&[[3.0, 1.0, 0.0]]);
    let linear = skinned(&geometry, &[], &palette, Blending::Linear).positions[0];
    let dual = skinned(&geometry, &[], &palette, Blending::DualQuaternion).positions[0];
    assert!(linear.distance(Vec3::new(3.0, (0.49 * PI).cos(), 0.0)) < 1e-5, "{linear}");
    assert!(dual.distance(Vec3::new(3.0, 1.0, 0.0)) < 1e-5, "{dual}");
}

/// Two rotations about one point far from the origin blend to the rotation between them about that point.
#[test]
fn dual_quaternions_turn_about_the_joint() {
    let about = |angle: f32| {
        let pivot = Vec3::new(7.0, -2.0, 5.0);
        Mat4::from_translation(pivot) * Mat4::from_rotation_z(angle) * Mat4::from_translation(-pivot)
    };
    let geometry = shared(&[[8.0, -2.0, 5.0]]);
    let dual = skinned(&geometry, &[], &[about(0.0), about(FRAC_PI_2)], Blending::DualQuaternion).positions[0];
    let half = FRAC_PI_2 / 2.0;
    assert!(dual.distance(Vec3::new(7.0 + half.cos(), -2.0 + half.sin(), 5.0)) < 1e-5, "{dual}");
}

#[test]
fn one_joint_moves_a_vertex_the_same_way_under_both() {
    let matrix = Mat4::from_scale_rotation_translation(
        Vec3::new(2.0, -0.5, 3.0),
        Quat::from_rotation_x(0.7) * Quat::from_rotation_y(2.0),
        Vec3::new(4.0, 5.0, -6.0),
    );
    let positions = [[0.3, -1.0, 2.0]];
    let geometry =
        Geometry { positions: &positions, joints: &[[0; 4]], weights: &[[1.0, 0.0, 0.0, 0.0]], ..Geometry::default() };
    for blending in BOTH {
        let moved = skinned(&geometry, &[], &[matrix], blending).positions[0];
        assert!(moved.distance(matrix.transform_point3(positions[0].into())) < 1e-5, "{blending:?}: {moved}");
    }
}

#[test]
fn morph_targets_come_before_joints() {
    let deltas = [[0.0, 2.0, 0.0]];
    let geometry = Geometry {
        positions: &[[1.0, 0.0, 0.0]],
        joints: &[[0; 4]],
        weights: &[[1.0, 0.0, 0.0, 0.0]],
        morph_targets: vec![MorphDeltas { positions: &deltas, ..MorphDeltas::default() }; 2],
        ..Geometry::default()
    };
    // (1, 1, 0) turns to (-1, 1, 0); the second target has no weight.
    let moved = skinned(&geometry, &[0.5], &[Mat4::from_rotation_z(FRAC_PI_2)], Blending::Linear);
    assert!(moved.positions[0].distance(Vec3::new(-1.0, 1.0, 0.0)) < 1e-6);
}

#[test]
fn normals_stay_at_right_angles_and_outside() {
    let (along, normal) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, -1.0, 0.0));
    for scale in [Vec3::new(1.0, 3.0, 0.5), Vec3::new(-1.0, 3.0, 0.5), Vec3::splat(-2.0), Vec3::splat(1e-18)] {
        let matrix = Mat4::from_scale_rotation_translation(scale, Quat::from_rotation_x(0.7), Vec3::Z);
        let (_, turned, tangent) =
            transform_vertex(&PaletteRows::from_matrix(&matrix), Vec3::ZERO, normal, along.extend(1.0));
        let moved_along = matrix.transform_vector3(along) / scale.abs().max_element();
        assert!((turned.length() - 1.0).abs() < 1e-6, "{scale}: {turned}");
        assert!(turned.dot(moved_along).abs() < 1e-5, "{scale}: {turned}");
        assert!(turned.dot(matrix.transform_vector3(normal)) > 0.0, "{scale}: it points to the same side");
        // The bitangent follows the matrix.
        let bitangent = turned.cross(tangent.truncate()) * tangent.w;
        assert!(bitangent.dot(matrix.transform_vector3(normal.cross(along))) > 0.0, "{scale}: {tangent}");
    }
}

#[test]
fn a_mirror_is_noticed() {
    let geometry = Geometry { positions: &[[1.0, 0.0, 0.0]], normals: &[[1.0, 0.0, 0.0]], ..Geometry::default() };
    let mut skinned = SkinnedVertices::default();
    skinned.carry(&geometry, &[], &Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    assert!(skinned.is_mirrored);
    assert_eq!(skinned.normals, [Vec3::NEG_X]);
}

#[test]
fn weights_are_made_to_sum_to_one() {
    let palette = [Mat4::IDENTITY, Mat4::from_translation(Vec3::X)];
    for blending in BOTH {
        let geometry = Geometry { weights: &[[3.0, 1.0, 0.0, 0.0]], ..shared(&[[0.0; 3]]) };
        assert!(skinned(&geometry, &[], &palette, blending).positions[0].distance(Vec3::X * 0.25) < 1e-6);
    }
}

#[test]
fn what_no_joint_moves_stays() {
    let palette = [Mat4::from_translation(Vec3::X); 2];
    for blending in BOTH {
        let without_weight = Geometry { weights: &[[0.0; 4]], ..shared(&[[1.0, 2.0, 3.0]]) };
        assert_eq!(skinned(&without_weight, &[], &palette, blending).positions[0], Vec3::new(1.0, 2.0, 3.0));
        let without_joints = Geometry { positions: &[[1.0, 2.0, 3.0]], ..Geometry::default() };
        assert_eq!(skinned(&without_joints, &[], &palette, blending).positions[0], Vec3::new(1.0, 2.0, 3.0));
    }
}

#[test]
fn bad_input_neither_panics_nor_spreads() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0]];
    let geometry = Geometry {
        positions: &positions,
        joints: &[[9, 0, 0, 0], [0, 0, 0, 0]],
        weights: &[[1.0, f32::NAN, -1.0, f32::INFINITY], [1.0, 0.0, 0.0, 0.0]],
        normals: &[[0.0; 3]; 1],
        ..Geometry::default()
    };
    for blending in BOTH {
        for matrix in [Mat4::IDENTITY, Mat4::ZERO] {
            let skinned = skinned(&geometry, &[1.0, f32::NAN], &[matrix], blending);
            assert!(skinned.positions.iter().all(|position| position.is_finite()), "{skinned:?}");
            assert_eq!(skinned.normals, [Vec3::ZERO]);
        }
        assert!(skinned(&Geometry::default(), &[], &[], blending).positions.is_empty());
        // A joint that is scaled to nothing takes its vertices with it.
        let hidden = [Mat4::from_scale_rotation_translation(Vec3::ZERO, Quat::IDENTITY, Vec3::Y); 2];
        assert!(skinned(&shared(&[[5.0; 3]]), &[], &hidden, blending).positions[0].distance(Vec3::Y) < 1e-6);
    }
    let (position, normal, tangent) =
        transform_vertex(&PaletteRows::from_matrix(&Mat4::ZERO), Vec3::X, Vec3::Y, Vec4::X);
    assert_eq!((position, normal, tangent), (Vec3::ZERO, Vec3::ZERO, Vec4::ZERO));
}

#[test]
fn faults_are_refused_by_name() {
    let positions = [[0.0; 3]; 2];
    let valid = Geometry {
        positions: &positions,
        normals: &[[0.0, 1.0, 0.0]; 2],
        joints: &[[0, 7, 0, 0], [1, 0, 0, 0]],
        weights: &[[1.0, 0.0, 0.0, 0.0]; 2],
        ..Geometry::default()
    };
    assert_eq!(valid.check(2), Ok(()), "joint 7 has no weight");
    let fault = |geometry: Geometry| geometry.check(2).expect_err("a fault").to_string();

    // Slices of different lengths.
    assert_eq!(fault(Geometry { normals: &[[0.0; 3]; 3], ..valid.clone() }), "3 normals for 2 vertices");
    assert_eq!(fault(Geometry { weights: &[], ..valid.clone() }), "0 weights for 2 vertices");
    assert_eq!(fault(Geometry { more_joints: &[[0; 4]; 2], ..valid.clone() }), "0 more weights for 2 vertices");
    let short = [[0.0; 3]; 1];
    let morph = MorphDeltas { positions: &short, ..MorphDeltas::default() };
    assert_eq!(fault(Geometry { morph_targets: vec![morph], ..valid.clone() }), "1 morph positions for 2 vertices");

    // A joint outside of the palette.
    assert_eq!(valid.check(1), Err(GeometryError::Joint { vertex: 1, joint: 1, joint_count: 1 }));
    let outside = Geometry { weights: &[[0.5, 0.5, 0.0, 0.0]; 2], ..valid.clone() };
    assert_eq!(fault(outside), "vertex 0 is moved by joint 7, but the palette has 2 joints");

    // Weights.
    for bad in [f32::NAN, -0.5, f32::INFINITY] {
        let weights = [[1.0, 0.0, 0.0, 0.0], [0.5, bad, 0.0, 0.0]];
        let geometry = Geometry { weights: &weights, ..valid.clone() };
        assert_eq!(geometry.check(9), Err(GeometryError::Weight { vertex: 1 }), "{bad}");
    }
}
