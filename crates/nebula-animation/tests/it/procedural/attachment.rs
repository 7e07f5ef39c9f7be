use std::path::Path;

use glam::{Affine3A, DMat4, DVec3, Mat4, Quat, Vec3};
use nebula_animation::{
    BoneAttachment, HumanoidMap, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig, load_skeleton_and_clips,
    palette::{joint_model_matrix, model_matrices},
    sample_pose,
};

use super::{context, model_from_joint, random_character};

/// Every frame of every clip, with layers that bend spine, chest and head: the grip is where the palm is.
#[test]
fn the_sword_stays_in_the_hand() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the file loads");
    let (rig, humanoid) = (Rig::new(&skeleton), HumanoidMap::find(&skeleton).expect("a humanoid"));
    let mut stack = ProceduralAnimationStack::default();
    stack.push(humanoid.breathing().expect("a chest"));
    stack.push(humanoid.lean().expect("a spine"));
    stack.push(humanoid.aim(&rig, Vec3::new(2.0, 1.0, 1.0)).expect("a head"));
    let palm = Vec3::new(-0.09, -0.01, 0.005);
    let sword = BoneAttachment::new(&skeleton, "RightHand").expect("a hand").at(palm, Quat::from_rotation_x(0.4));
    let hand = sword.joint().expect("it was found");
    let mut poses = skeleton.bind_pose();
    let (mut worst, mut frames) = (0.0_f64, 0);
    for clip in &clips {
        for frame in 0..(clip.duration * 60.0) as u16 {
            let elapsed = f32::from(frame) / 60.0;
            let transform =
                Mat4::from_rotation_translation(Quat::from_rotation_y(elapsed), Vec3::new(3.0 * elapsed, 0.2, 1.0));
            let context = ProceduralContext { elapsed, velocity: Vec3::new(3.0, 0.0, 1.0), ..context() };
            sample_pose(clip, &skeleton, elapsed, &mut poses);
            let world = Affine3A::from_mat4(transform);
            stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut poses, world));
            let grip = sword.world_matrix(&skeleton, &poses, &transform).w_axis.truncate();
            let wide = DMat4::from_cols_array(&transform.to_cols_array().map(f64::from));
            let expected =
                wide.transform_point3(model_from_joint(&skeleton, &poses, hand).transform_point3(palm.as_dvec3()));
            worst = worst.max(grip.as_dvec3().distance(expected));
            frames += 1;
        }
    }
    println!("{frames} frames of {} clips: {worst:.2e} m at most", clips.len());
    assert!(frames > 500, "{frames}");
    assert!(worst < 1e-5, "{worst} m");
}

#[test]
fn joints_are_where_the_whole_palette_has_them() {
    for seed in 0..100 {
        let (skeleton, poses, _) = random_character(seed);
        let mut matrices = vec![Mat4::IDENTITY; skeleton.joints.len()];
        model_matrices(&skeleton, &poses, &mut matrices);
        for (index, matrix) in matrices.iter().enumerate() {
            assert!(joint_model_matrix(&skeleton, &poses, index as u16).abs_diff_eq(*matrix, 1e-4));
        }
    }
}

#[test]
fn the_offset_and_the_entity_count() {
    let (skeleton, poses, mut random) = random_character(8);
    let mut attachment = BoneAttachment::new(&skeleton, "joint 2").expect("there is one");
    attachment.offset = (random.vector(1.0), random.quat(), Vec3::new(1.0, 2.0, 3.0));
    let world = Mat4::from_scale_rotation_translation(Vec3::splat(2.0), random.quat(), random.vector(5.0));
    let wide = |matrix: Mat4| DMat4::from_cols_array(&matrix.to_cols_array().map(f64::from));
    let offset = DMat4::from_scale_rotation_translation(
        DVec3::new(1.0, 2.0, 3.0),
        attachment.offset.1.as_dquat(),
        attachment.offset.0.as_dvec3(),
    );
    let expected = wide(world) * model_from_joint(&skeleton, &poses, 2) * offset;
    assert!(wide(attachment.world_matrix(&skeleton, &poses, &world)).abs_diff_eq(expected, 1e-4));
}

#[test]
fn a_joint_that_is_missing_lists_near_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, _) = load_skeleton_and_clips(&path).expect("the file loads");
    let error = BoneAttachment::new(&skeleton, "hand_right").expect_err("it has another name");
    assert_eq!(error.near[0], "RightHand");
    assert!(error.to_string().contains("RightHand"), "{error}");
    let mut later = BoneAttachment::named("LeftHnd");
    assert_eq!(later.joint(), None);
    assert_eq!(later.resolve(&skeleton).expect_err("a slip").near[0], "LeftHand");
    assert_eq!(later.model_matrix(&skeleton, &skeleton.bind_pose()), Mat4::IDENTITY, "at the origin");
}

#[test]
fn joints_and_poses_that_do_not_exist() {
    let (skeleton, poses, _) = random_character(9);
    assert_eq!(joint_model_matrix(&skeleton, &poses, u16::MAX), Mat4::IDENTITY);
    let rest = joint_model_matrix(&skeleton, &skeleton.bind_pose(), 2);
    assert_eq!(joint_model_matrix(&skeleton, &[], 2), rest, "without poses, at rest");
}
