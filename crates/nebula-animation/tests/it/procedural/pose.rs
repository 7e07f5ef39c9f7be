use glam::{Affine3A, DMat3, DMat4, DVec3, Quat, Vec3};
use nebula_animation::procedural::ik::TwoBoneIk;
use nebula_animation::{
    AimLayer, JointPose, ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer, Rig, Skeleton,
    procedural::AimJoint,
};
use proptest::prelude::*;

use super::{context, degrees_between, model_from_joint, random_character};

/// Whether a transform is that of the f64 hierarchy.
fn agrees(skeleton: &Skeleton, poses: &[JointPose], joint: u16, model: Affine3A) -> bool {
    let expected = model_from_joint(skeleton, poses, joint);
    let found = DMat4::from_cols_array(&glam::Mat4::from(model).to_cols_array().map(f64::from));
    expected.abs_diff_eq(found, 1e-4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever is read and written in whatever order, what is read is what the local poses say.
    #[test]
    fn what_is_read_is_never_out_of_date(seed in 0_u64..1_000_000) {
        let (skeleton, poses, mut random) = random_character(seed);
        let rig = Rig::new(&skeleton);
        let mut local = poses.clone();
        let mut mirror = poses;
        let mut pose = ModelPose::new(&rig, &mut local, Affine3A::IDENTITY);
        for _ in 0..40 {
            let joint = random.below(skeleton.joints.len()) as u16;
            match random.below(6) {
                0 => pose.rotate_in_model(joint, random.quat()),
                1 => pose.translate_in_model(joint, random.vector(0.3)),
                2 => pose.set_local(joint, (random.vector(0.5), random.quat(), Vec3::splat(random.between(0.8, 1.2)))),
                _ => {}
            }
            mirror[usize::from(joint)] = pose.local(joint);
            let asked = random.below(skeleton.joints.len()) as u16;
            prop_assert!(agrees(&skeleton, &mirror, asked, pose.model(asked)), "joint {asked}");
        }
        drop(pose);
        prop_assert_eq!(local, mirror);
    }

    /// Turning a joint in model space turns its axes by that much, and moves it nowhere, under uniform scales and mirrors.
    #[test]
    fn rotations_in_model_space_are_that(seed in 0_u64..1_000_000, is_mirrored: bool) {
        let (mut skeleton, mut poses, mut random) = random_character(seed);
        for (joint, pose) in skeleton.joints.iter_mut().zip(&mut poses) {
            let scale = if is_mirrored && random.chance(0.4) { -1.0 } else { 1.0 } * random.between(0.7, 1.4);
            (joint.bind_scale, pose.2) = (Vec3::ONE, Vec3::splat(scale));
        }
        let rig = Rig::new(&skeleton);
        let joint = random.below(skeleton.joints.len()) as u16;
        let delta = random.quat();
        let before = model_from_joint(&skeleton, &poses, joint);
        ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY).rotate_in_model(joint, delta);
        let after = model_from_joint(&skeleton, &poses, joint);
        prop_assert!(after.w_axis.abs_diff_eq(before.w_axis, 1e-5));
        let expected = DMat3::from_quat(delta.as_dquat().normalize()) * DMat3::from_mat4(before);
        prop_assert!(DMat3::from_mat4(after).abs_diff_eq(expected, 1e-4 * before.x_axis.length().max(1.0)));
    }

    /// Pointing is exact whatever the scales; moving too.
    #[test]
    fn pointing_and_moving_are_exact(seed in 0_u64..1_000_000) {
        let (skeleton, mut poses, mut random) = random_character(seed);
        let rig = Rig::new(&skeleton);
        let joint = random.below(skeleton.joints.len()) as u16;
        let (axis, direction) = (random.vector(1.0), random.vector(1.0));
        let place = random.vector(2.0);
        let mut pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY);
        pose.point(joint, axis, direction);
        pose.set_position(joint, place);
        drop(pose);
        let model = model_from_joint(&skeleton, &poses, joint);
        let error = degrees_between(model.transform_vector3(axis.as_dvec3()), direction.as_dvec3());
        prop_assert!(error < 0.01, "{error} degrees");
        prop_assert!(model.w_axis.truncate().abs_diff_eq(place.as_dvec3(), 1e-4));
    }

    /// What `rotation` reads, `set_rotation` writes, as long as scales are uniform.
    #[test]
    fn rotations_can_be_set(seed in 0_u64..1_000_000) {
        let (mut skeleton, mut poses, mut random) = random_character(seed);
        for (joint, pose) in skeleton.joints.iter_mut().zip(&mut poses) {
            (joint.bind_scale, pose.2) = (Vec3::ONE, Vec3::splat(random.between(0.7, 1.4)));
        }
        let rig = Rig::new(&skeleton);
        let joint = random.below(skeleton.joints.len()) as u16;
        let rotation = random.quat();
        let mut pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY);
        pose.set_rotation(joint, rotation);
        prop_assert!(pose.rotation(joint).dot(rotation).abs() > 1.0 - 1e-5);
    }
}

#[test]
fn points_go_between_world_and_model() {
    let (skeleton, mut poses, mut random) = random_character(3);
    let rig = Rig::new(&skeleton);
    let world_from_model =
        Affine3A::from_scale_rotation_translation(Vec3::splat(2.0), random.quat(), random.vector(9.0));
    let mut pose = ModelPose::new(&rig, &mut poses, world_from_model);
    let (model, world) = (pose.position(2), pose.world_position(2));
    assert!(pose.model_from_world().transform_point3(world).abs_diff_eq(model, 1e-4));
    assert!(pose.world_from_model().transform_point3(model).abs_diff_eq(world, 1e-5));
}

#[test]
fn joints_that_do_not_exist_read_as_the_identity_and_stay_so() {
    let (skeleton, mut poses, _) = random_character(4);
    let rig = Rig::new(&skeleton);
    let before = poses.clone();
    let mut pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY);
    let nobody = skeleton.joints.len() as u16;
    for joint in [nobody, u16::MAX] {
        assert_eq!(pose.model(joint), Affine3A::IDENTITY);
        assert_eq!(pose.local(joint), (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE));
        pose.rotate_in_model(joint, Quat::from_rotation_x(1.0));
        pose.translate_in_model(joint, Vec3::X);
        pose.point(joint, Vec3::X, Vec3::Y);
        pose.set_local(joint, (Vec3::X, Quat::IDENTITY, Vec3::ONE));
    }
    drop(pose);
    assert_eq!(poses, before);
}

/// Fewer poses than the rig has joints, or more.
#[test]
fn poses_of_another_size_are_used_as_far_as_they_go() {
    for seed in 0..50 {
        let (skeleton, mut poses, mut random) = random_character(seed);
        let rig = Rig::new(&skeleton);
        let count = 1 + random.below(skeleton.joints.len());
        let mut pose = ModelPose::new(&rig, &mut poses[..count], Affine3A::IDENTITY);
        assert_eq!(pose.joint_count(), count);
        for joint in 0..skeleton.joints.len() as u16 {
            pose.rotate_in_model(joint, Quat::from_rotation_x(0.1));
            assert!(pose.model(joint).is_finite());
        }
        drop(pose);
        poses.extend([(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE); 3]);
        assert_eq!(ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY).joint_count(), skeleton.joints.len());
    }
}

/// Scales of zero, above a joint or of the entity: there is no way to turn or move by, and nothing else happens.
#[test]
fn scales_of_zero_hold_still() {
    let (skeleton, mut poses, _) = random_character(5);
    let rig = Rig::new(&skeleton);
    poses[0].2 = Vec3::ZERO;
    let before = poses.clone();
    let mut pose = ModelPose::new(&rig, &mut poses, Affine3A::from_scale(Vec3::ZERO));
    let child = rig.children(0)[0];
    pose.rotate_in_model(child, Quat::from_rotation_x(1.0));
    pose.translate_in_model(child, Vec3::X);
    pose.point(child, Vec3::X, Vec3::Y);
    assert!(pose.model_from_world().is_finite());
    drop(pose);
    assert_eq!(poses, before);
}

#[test]
fn f64_positions_of_a_known_rig() {
    let (skeleton, poses, _) = random_character(6);
    let rig = Rig::new(&skeleton);
    for joint in 0..skeleton.joints.len() as u16 {
        let expected = model_from_joint(&skeleton, &skeleton.bind_pose(), joint).w_axis.truncate();
        assert!(rig.position(joint).as_dvec3().abs_diff_eq(expected, 1e-4));
        assert_eq!(rig.parent(joint), skeleton.joints[usize::from(joint)].parent);
        let direction = rig.model_from_joint(joint).transform_vector3(rig.in_joint(joint, Vec3::new(0.3, 0.5, 0.7)));
        assert!(direction.as_dvec3().abs_diff_eq(DVec3::new(0.3, 0.5, 0.7), 1e-4));
    }
    assert_eq!(poses.len(), rig.joint_count());
}

/// Looks at all joints after the layers before it.
#[derive(Clone)]
struct Reader {
    skeleton: Skeleton,
}

impl ProceduralLayer for Reader {
    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        0
    }

    fn weight(&self) -> f32 {
        1.0
    }

    fn modify(&mut self, _context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let joints = 0..self.skeleton.joints.len() as u16;
        let poses: Vec<JointPose> = joints.clone().map(|joint| pose.local(joint)).collect();
        for joint in joints {
            assert!(agrees(&self.skeleton, &poses, joint, pose.model(joint)), "joint {joint}");
        }
    }
}

/// Layers that know where joints come to lie say so: the next layer finds what the local poses say.
#[test]
fn layers_leave_nothing_out_of_date() {
    for seed in 0..300 {
        let (skeleton, mut poses, mut random) = random_character(seed);
        let rig = Rig::new(&skeleton);
        let last = skeleton.joints.len() as u16 - 1;
        let mut way: Vec<u16> =
            std::iter::successors(Some(last), |&joint| skeleton.joints[usize::from(joint)].parent).collect();
        way.reverse();
        let mut stack = ProceduralAnimationStack::default();
        let target = random.vector(3.0);
        let limited = |&joint: &u16| AimJoint { limit: random.between(0.1, 3.5), ..AimJoint::new(joint) };
        let mut aim = AimLayer::new(way.iter().map(limited), target);
        aim.weight = if seed % 3 == 0 { 0.5 } else { 1.0 };
        if let [upper, .., middle, end] = way[..] {
            let mut limb = TwoBoneIk::new(&rig, [upper, middle, end], random.vector(1.0));
            limb.end_rotation = random.chance(0.5).then(|| random.quat());
            stack.push(Reader { skeleton: skeleton.clone() });
            stack.push(limb);
            stack.push(Reader { skeleton: skeleton.clone() });
        }
        stack.push(aim);
        stack.push(Reader { skeleton: skeleton.clone() });
        for _ in 0..3 {
            stack.apply_in_model(&context(), &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
        }
    }
}
