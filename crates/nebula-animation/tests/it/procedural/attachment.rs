use std::path::Path;

use glam::{Affine3A, DMat4, DVec3, Mat4, Quat, Vec3};
use nebula_animation::{
    BoneAttachment, Character, HumanoidJoint, HumanoidMap, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig,
    Surroundings, load_skeleton_and_clips,
    palette::{joint_model_matrix, model_matrices},
    sample_pose,
    skeleton::Side,
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
    let mut attachment = BoneAttachment::new(&skeleton, "joint 2").expect("there is one").with_joint_scale();
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

/// A thing with a place, a turn and a size of its own, on joints of every scale: where the joint is and along its axes, and as large as ever.
#[test]
fn what_is_held_has_its_own_size_on_joints_of_any_scale() {
    for seed in 0..200 {
        let (skeleton, mut poses, mut random) = random_character(seed);
        let joint = random.below(skeleton.joints.len()) as u16;
        let scale = [0.01, 1.0, 100.0, 1e-12, 1e12][seed as usize % 5];
        poses.iter_mut().for_each(|pose| pose.2 = Vec3::ONE);
        poses[0].2 = Vec3::splat(scale);
        let name = &skeleton.joints[usize::from(joint)].name;
        let mut sword = BoneAttachment::new(&skeleton, name).expect("it has one");
        sword.offset = (random.vector(0.5), random.quat(), Vec3::new(1.0, 2.0, 0.5));
        let found = sword.model_matrix(&skeleton, &poses);
        // The joint without its scale, worked out by the rotations alone.
        let (mut turn, mut next) = (glam::DQuat::IDENTITY, Some(joint));
        while let Some(index) = next {
            turn = poses[usize::from(index)].1.as_dquat().normalize() * turn;
            next = skeleton.joints[usize::from(index)].parent;
        }
        let place = model_from_joint(&skeleton, &poses, joint).w_axis.truncate();
        let (offset, rotation, size) = sword.offset;
        let expected = DMat4::from_rotation_translation(turn, place)
            * DMat4::from_scale_rotation_translation(size.as_dvec3(), rotation.as_dquat(), offset.as_dvec3());
        let wide = DMat4::from_cols_array(&found.to_cols_array().map(f64::from));
        for (is, should) in
            [(wide.x_axis, expected.x_axis), (wide.y_axis, expected.y_axis), (wide.z_axis, expected.z_axis)]
        {
            assert!(is.abs_diff_eq(should, 1e-4), "rig {seed}, scale {scale}: {wide} {expected}");
        }
        let apart = wide.w_axis.distance(expected.w_axis);
        assert!(apart < 1e-4 + 1e-5 * place.length(), "rig {seed}, scale {scale}: {apart} m");
    }
}

/// Sheared, mirrored and vanished joints: the thing is neither, lies along what there is, and never is not a number.
#[test]
fn joints_that_are_sheared_mirrored_or_gone() {
    let sword = BoneAttachment::named("hand").at(Vec3::new(0.1, 0.2, 0.3), Quat::from_rotation_x(0.4));
    let turn = Quat::from_euler(glam::EulerRot::YXZ, 0.7, 0.3, -1.1);
    let at = |scale: Vec3| Mat4::from_scale_rotation_translation(scale, turn, Vec3::new(4.0, 5.0, 6.0));
    let plain = sword.on_joint(&at(Vec3::ONE));
    for scale in
        [Vec3::splat(0.01), Vec3::new(0.2, 3.0, 1.0), Vec3::new(1.0, 1.0, -1.0), Vec3::splat(1e-30), Vec3::splat(1e30)]
    {
        assert!(sword.on_joint(&at(scale)).abs_diff_eq(plain, 1e-5), "{scale}: as if it had no scale");
    }
    for scale in [Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 1.0)] {
        assert!(sword.on_joint(&at(scale)).abs_diff_eq(plain, 1e-5), "{scale}: two axes tell the third");
    }
    let along_model = Mat4::from_translation(Vec3::new(4.0, 5.0, 6.0)) * sword.on_joint(&Mat4::IDENTITY);
    for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0)] {
        assert!(sword.on_joint(&at(scale)).abs_diff_eq(along_model, 1e-5), "{scale}: there is no telling");
    }
    let shear =
        Mat4::from_cols_array(&[1.0, 0.0, 0.0, 0.0, 0.8, 1.0, 0.3, 0.0, -0.4, 0.9, 1.0, 0.0, 1.0, 2.0, 3.0, 1.0]);
    for joint in [shear, shear * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)), at(Vec3::new(-1.0, 1.0, 1.0))] {
        let held = BoneAttachment::named("hand").on_joint(&joint);
        let [x, y, z] = [held.x_axis, held.y_axis, held.z_axis].map(|axis| axis.truncate());
        assert!((held.determinant() - 1.0).abs() < 1e-5 && x.dot(y).abs() < 1e-6 && x.dot(z).abs() < 1e-6, "{held}");
        assert!(x.abs_diff_eq(joint.x_axis.truncate().normalize_or_zero(), 1e-6), "along the X axis");
        assert!(
            joint.y_axis.truncate().dot(z).abs() < 1e-6 && joint.y_axis.truncate().dot(y) > 0.0,
            "in the plane of X and Y"
        );
        assert_eq!(held.w_axis, joint.w_axis);
    }
}

/// RobotExpressive's joints are scaled by a hundred and more: a sword of a metre is one of a metre in its hand, and ten centimetres are ten.
#[test]
fn a_sword_in_a_strangers_hand_is_as_long_as_ever() {
    let Some(shared) = crate::determinism::corpus("attachment::a_sword_in_a_strangers_hand_is_as_long_as_ever") else {
        return;
    };
    let path = shared.join("characters/robot-expressive.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the file loads");
    let mut character = Character::new(skeleton, &clips);
    let hand = character.rig().humanoid().get(HumanoidJoint::UpperArm(Side::Right)).expect("an arm");
    let name = character.rig().joints[usize::from(hand)].name.clone();
    let at = Vec3::new(0.1, 0.0, 0.0);
    let sword = character.attach(BoneAttachment::named(&name).at(at, Quat::IDENTITY)).expect("just found");
    let part =
        character.attach(BoneAttachment::named(&name).at(at, Quat::IDENTITY).with_joint_scale()).expect("just found");
    character.mixer.play("Running", 0.0).expect("a clip");
    for _ in 0..60 {
        character.update(1.0 / 60.0, &Surroundings::default());
        let joint = character.frame().model_matrix(hand);
        let wrist = joint.w_axis.truncate();
        let [held, scaled] = [sword, part].map(|thing| character.attachment(thing));
        assert!((held.w_axis.truncate().distance(wrist) - 0.1).abs() < 1e-4);
        assert!((held.transform_vector3(Vec3::Y).length() - 1.0).abs() < 1e-5);
        let scale = joint.x_axis.truncate().length();
        assert!(scale > 10.0, "it is a case in point: {scale}");
        assert!((scaled.w_axis.truncate().distance(wrist) / (0.1 * scale) - 1.0).abs() < 1e-3);
    }
}
