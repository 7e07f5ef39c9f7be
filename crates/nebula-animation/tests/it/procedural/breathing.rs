use std::path::Path;

use glam::{Affine3A, DMat3, DVec3, Vec3};
use nebula_animation::{
    BreathingLayer, HumanoidMap, JointPose, ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer,
    Rig, Skeleton, load_skeleton_and_clips, sample_pose,
};

use super::{context, model_from_joint, random_character};

fn breathe(skeleton: &Skeleton, poses: &[JointPose], layer: BreathingLayer, elapsed: f32) -> Vec<JointPose> {
    let mut bent = poses.to_vec();
    let mut stack = ProceduralAnimationStack { layers: vec![Box::new(layer)] };
    let context = ProceduralContext { elapsed, ..context() };
    let rig = Rig::new(skeleton);
    stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut bent, Affine3A::IDENTITY));
    bent
}

/// How long the axes of a joint are in model space.
fn sizes(skeleton: &Skeleton, poses: &[JointPose], joint: u16) -> DVec3 {
    let linear = DMat3::from_mat4(model_from_joint(skeleton, poses, joint));
    DVec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length())
}

/// In every clip of the humanoid, at every weight: the chest grows, what hangs on it does not.
#[test]
fn the_chest_grows_but_not_head_and_arms() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the file loads");
    let layer = HumanoidMap::find(&skeleton).expect("a humanoid").breathing().expect("a chest");
    let chest = layer.joint_index;
    assert_eq!(skeleton.joints[usize::from(chest)].name, "Spine2");
    let mut poses = skeleton.bind_pose();
    for clip in &clips {
        for (weight, amplitude) in [(1.0, 0.02), (0.5, 0.1), (0.01, 0.3), (0.9, -0.2)] {
            sample_pose(clip, &skeleton, clip.duration * 0.4, &mut poses);
            let bent = breathe(&skeleton, &poses, BreathingLayer { weight, amplitude, ..layer.clone() }, 1.0);
            for joint in 0..skeleton.joints.len() as u16 {
                let factor = sizes(&skeleton, &bent, joint) / sizes(&skeleton, &poses, joint);
                let expected = if joint == chest { 1.0 + f64::from(weight * amplitude) } else { 1.0 };
                assert!(factor.abs_diff_eq(DVec3::splat(expected), 2e-6), "joint {joint}: {factor}");
            }
        }
    }
}

/// Up is up and a lifted chest looks up, whatever the axes of the chest's joint are.
#[test]
fn the_chest_lifts_in_model_space() {
    let mut counted = 0;
    for seed in 0..100 {
        let (skeleton, _, mut random) = random_character(seed);
        let joint = random.below(skeleton.joints.len()) as u16;
        let rest = skeleton.bind_pose();
        let bent = breathe(&skeleton, &rest, BreathingLayer { amplitude: 0.2, ..BreathingLayer::new(joint) }, 1.0);
        let moved = (model_from_joint(&skeleton, &bent, joint).w_axis
            - model_from_joint(&skeleton, &rest, joint).w_axis)
            .truncate();
        assert!(moved.abs_diff_eq(DVec3::Y * 0.1, 1e-4), "rig {seed}: {moved}");
        // The entity's forward is the front of a rig that does not tell. Scales that differ by axis bend directions.
        let is_even =
            skeleton.joints.iter().all(|joint| joint.bind_scale.max_element() == joint.bind_scale.min_element());
        if is_even && !Rig::new(&skeleton).children(joint).is_empty() {
            let was = DMat3::from_mat4(model_from_joint(&skeleton, &rest, joint));
            let is = DMat3::from_mat4(model_from_joint(&skeleton, &bent, joint));
            let front = (is * was.inverse() * DVec3::NEG_Z).normalize();
            let expected = DVec3::new(0.0, 0.06_f64.sin(), -(0.06_f64.cos()));
            assert!(front.abs_diff_eq(expected, 1e-4), "rig {seed}: {front}");
            counted += 1;
        }
    }
    assert!(counted > 20, "{counted}");
}

#[test]
fn breaths_are_even_after_hours() {
    let layer = BreathingLayer::new(0);
    let growth = |elapsed: f32| layer.evaluate(&ProceduralContext { elapsed, ..context() }).2.x;
    assert!((growth(1.0) - 1.02).abs() < 1e-6);
    assert!((growth(3.0) - 0.98).abs() < 1e-6);
    // Multiples of four seconds are exact in `f32`, and so are whole breaths.
    for hours in [1_u16, 10, 100] {
        let start = f32::from(hours) * 3600.0;
        assert!((growth(start) - 1.0).abs() < 1e-6, "after {hours} hours");
        assert!((growth(start + 1.0) - 1.02).abs() < 1e-6, "after {hours} hours");
    }
}

/// A joint with nothing on it grows as the layer by itself says.
#[test]
fn a_joint_without_children_grows_as_it_does_without_a_rig() {
    let mut skeleton = crate::player::rig::chain(1);
    skeleton.joints[0].bind_rotation = glam::Quat::IDENTITY;
    let bent = breathe(&skeleton, &skeleton.bind_pose(), BreathingLayer::new(0), 1.0);
    let mut plain = skeleton.bind_pose();
    let stack = ProceduralAnimationStack { layers: vec![Box::new(BreathingLayer::new(0))] };
    stack.apply(&ProceduralContext { elapsed: 1.0, ..context() }, &mut plain);
    assert!(bent[0].0.abs_diff_eq(plain[0].0, 1e-6) && bent[0].1.abs_diff_eq(plain[0].1, 1e-6));
    assert!(bent[0].2.abs_diff_eq(plain[0].2, 1e-6));
    assert_eq!(plain[0].2, Vec3::new(1.02, 1.02, 1.0));
}
