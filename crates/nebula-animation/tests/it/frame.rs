//! One character in one frame.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::palette::{model_matrices, skinning_matrices};
use nebula_animation::{BoneAttachment, Frame, JointPose, Rig, Skeleton};

use crate::characters::{Binds, Random, RestScales, RigRecipe, Shape};

fn skeleton(seed: u64) -> Skeleton {
    let (binds, rest_scales) = (Binds::Uneven, RestScales::Uneven);
    RigRecipe { joints: 29, shape: Shape::Limbs, binds, rest_scales, extent: 0.5, seed }.skeleton()
}

fn pose(skeleton: &Skeleton, random: &mut Random) -> Vec<JointPose> {
    let joints = skeleton.joints.iter();
    joints.map(|joint| (joint.bind_translation + random.vector(0.1), random.quat(), joint.bind_scale)).collect()
}

fn largest_difference(left: &[Mat4], right: &[Mat4]) -> f32 {
    let pairs = left.iter().zip(right).flat_map(|(left, right)| (*left - *right).to_cols_array());
    pairs.fold(0.0, |largest, difference| largest.max(difference.abs()))
}

/// Poses from elsewhere, a network or a ragdoll, come out as they went in, with the palette of the plain functions.
#[test]
fn a_pose_from_elsewhere_has_its_palette() {
    let mut random = Random::new(3);
    for seed in 0..10 {
        let skeleton = skeleton(seed);
        let mut frame = Frame::new(&Rig::new(&skeleton));
        let pose = pose(&skeleton, &mut random);
        frame.set_pose(&pose);
        frame.finish(&[]);
        let mut back = skeleton.bind_pose();
        frame.write_pose(&mut back);
        assert_eq!(back, pose);
        let mut expected = vec![Mat4::IDENTITY; pose.len()];
        model_matrices(&skeleton, &pose, &mut expected);
        let mut models = vec![Mat4::IDENTITY; pose.len()];
        frame.write_model_matrices(&mut models);
        assert!(largest_difference(&models, &expected) < 1e-4);
        for (joint, model) in models.iter().enumerate() {
            assert!(largest_difference(&[frame.model_matrix(joint as u16)], &[*model]) < 1e-4);
        }
        skinning_matrices(&skeleton, &mut expected);
        assert!(largest_difference(frame.palette(), &expected) < 1e-3, "seed {seed}");
    }
}

#[test]
fn a_frame_says_whether_it_is_another_one() {
    let skeleton = skeleton(1);
    let mut frame = Frame::new(&Rig::new(&skeleton));
    frame.finish(&[]);
    assert!(!frame.is_changed(), "nobody wrote a pose");
    frame.set_pose(&pose(&skeleton, &mut Random::new(5)));
    frame.finish(&[]);
    assert!(frame.is_changed());
    frame.finish(&[]);
    assert!(!frame.is_changed());
}

#[test]
fn attachments_are_where_their_joints_are() {
    let skeleton = skeleton(2);
    let rig = Rig::new(&skeleton);
    let mut frame = Frame::new(&rig);
    frame.set_pose(&pose(&skeleton, &mut Random::new(8)));
    let offset = Vec3::new(0.1, 0.2, 0.3);
    let name = &skeleton.joints[20].name;
    let sword = BoneAttachment::new(&skeleton, name).expect("there is one").at(offset, Quat::IDENTITY);
    frame.finish(&[sword]);
    let expected = frame.model_matrix(20) * Mat4::from_translation(offset);
    let found = frame.attachment(0).copied().expect("there is one");
    assert!(largest_difference(&[found], &[expected]) < 1e-5);
    assert!(frame.attachment(1).is_none());
}
