//! Poses to matrices, for skeletons written by hand.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    Joint, JointPose, Skeleton,
    palette::{model_matrices, skinning_matrices},
};

fn joint(index: u16, parent: Option<u16>) -> Joint {
    Joint {
        index,
        parent,
        inverse_bind_matrix: Mat4::from_translation(Vec3::new(0.0, -f32::from(index), 0.0)),
        name: String::new(),
        bind_translation: if parent.is_some() { Vec3::Y } else { Vec3::ZERO },
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    }
}

/// A chain of three, and a second root.
fn skeleton() -> Skeleton {
    Skeleton { joints: vec![joint(0, None), joint(1, Some(0)), joint(2, Some(1)), joint(3, None)] }
}

fn models(skeleton: &Skeleton, pose: &[JointPose]) -> Vec<Mat4> {
    let mut matrices = vec![Mat4::IDENTITY; skeleton.joints.len()];
    model_matrices(skeleton, pose, &mut matrices);
    matrices
}

fn is_close(a: Mat4, b: Mat4) -> bool {
    a.abs_diff_eq(b, 1e-6)
}

#[test]
fn children_follow_their_parents() {
    let skeleton = skeleton();
    let mut pose = skeleton.bind_pose();
    pose[0].1 = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let models = models(&skeleton, &pose);
    // The chain stood upright; a quarter turn about z lays it along -x.
    assert!(models[2].transform_point3(Vec3::ZERO).abs_diff_eq(Vec3::new(-2.0, 0.0, 0.0), 1e-6));
    assert!(is_close(models[3], Mat4::IDENTITY), "the second root has no parent to follow");
}

#[test]
fn scale_comes_first_then_rotation_then_translation() {
    let skeleton = Skeleton { joints: vec![joint(0, None)] };
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let models = models(&skeleton, &[(Vec3::new(5.0, 0.0, 0.0), quarter, Vec3::new(3.0, 1.0, 1.0))]);
    assert!(models[0].transform_point3(Vec3::X).abs_diff_eq(Vec3::new(5.0, 3.0, 0.0), 1e-6));
}

#[test]
fn the_bind_pose_deforms_nothing() {
    let skeleton = skeleton();
    let mut palette = models(&skeleton, &skeleton.bind_pose());
    skinning_matrices(&skeleton, &mut palette);
    assert!(palette[..3].iter().all(|matrix| is_close(*matrix, Mat4::IDENTITY)), "{palette:?}");
}

#[test]
fn skinning_applies_the_inverse_bind_first() {
    let skeleton = skeleton();
    let mut pose = skeleton.bind_pose();
    pose[1].1 = Quat::from_rotation_z(std::f32::consts::PI);
    let mut palette = models(&skeleton, &pose);
    skinning_matrices(&skeleton, &mut palette);
    // A point at joint 2 swings about joint 1, half a turn: from y = 2 to y = 0.
    assert!(palette[2].transform_point3(Vec3::new(0.0, 2.0, 0.0)).abs_diff_eq(Vec3::ZERO, 1e-5));
}

#[test]
fn a_parent_that_does_not_come_first_counts_as_none() {
    let mut skeleton = skeleton();
    for wrong in [1, 2, 99] {
        skeleton.joints[1].parent = Some(wrong);
        let models = models(&skeleton, &skeleton.bind_pose());
        assert!(is_close(models[1], Mat4::from_translation(Vec3::Y)), "parent {wrong} of joint 1");
    }
}

#[test]
fn short_slices_leave_joints_out() {
    let skeleton = skeleton();
    let pose = skeleton.bind_pose();
    let untouched = Mat4::from_scale(Vec3::splat(7.0));

    let mut matrices = [untouched; 4];
    model_matrices(&skeleton, &pose[..2], &mut matrices);
    assert!(is_close(matrices[1], Mat4::from_translation(Vec3::Y)));
    assert_eq!(matrices[2..], [untouched; 2], "no pose, no matrix");

    let mut short = [untouched; 1];
    model_matrices(&skeleton, &pose, &mut short);
    assert_eq!(short[0], Mat4::IDENTITY);
    skinning_matrices(&skeleton, &mut short);
    model_matrices(&skeleton, &[], &mut []);
    skinning_matrices(&skeleton, &mut []);

    let mut long = [untouched; 6];
    model_matrices(&skeleton, &pose, &mut long);
    skinning_matrices(&skeleton, &mut long);
    assert_eq!(long[4..], [untouched; 2], "entries beyond the skeleton are left as they are");
}

#[test]
fn three_hundred_joints_compose_like_one_product() {
    let joints = (0..300).map(|index: u16| joint(index, index.checked_sub(1))).collect();
    let skeleton = Skeleton { joints };
    let pose: Vec<JointPose> =
        (0..300).map(|index| (Vec3::Y * 0.01, Quat::from_rotation_z(0.01 * index as f32), Vec3::ONE)).collect();
    let mut product = glam::DMat4::IDENTITY;
    for (matrix, &(t, r, s)) in models(&skeleton, &pose).iter().zip(&pose) {
        product *= glam::DMat4::from_scale_rotation_translation(s.as_dvec3(), r.as_dquat(), t.as_dvec3());
        assert!(matrix.as_dmat4().abs_diff_eq(product, 1e-4));
    }
}
