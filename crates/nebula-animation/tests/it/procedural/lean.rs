use glam::{Affine3A, DMat3, DVec3, Quat, Vec3};
use nebula_animation::{LeanLayer, ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer, Rig};

use super::{context, degrees_between, model_from_joint, random_character};

/// On any rig, the body tilts towards where it is going, by as much as the speed says, about the level forward direction.
#[test]
fn random_rigs_lean_to_the_side_they_move_to() {
    for seed in 0..200 {
        let (skeleton, mut poses, mut random) = random_character(seed);
        // Scales that differ by axis bend angles; what happens there is not a rotation any more.
        poses.iter_mut().for_each(|pose| pose.2 = Vec3::splat(random.between(0.7, 1.4)));
        let rig = Rig::new(&skeleton);
        let joint = random.below(skeleton.joints.len()) as u16;
        let heading = Quat::from_rotation_y(random.between(-3.0, 3.0));
        let world_from_model = Affine3A::from_rotation_translation(heading, random.vector(5.0));
        let speed = random.between(-5.0, 5.0);
        let context = ProceduralContext {
            entity_forward: heading * Vec3::new(0.0, 0.4, -0.9),
            velocity: heading * Vec3::new(speed, 1.0, random.between(-9.0, 9.0)),
            ..context()
        };
        let layer = LeanLayer { responsiveness: f32::INFINITY, ..LeanLayer::new(joint) };
        let mut stack = ProceduralAnimationStack { layers: vec![Box::new(layer)] };
        let before = DMat3::from_mat4(model_from_joint(&skeleton, &poses, joint));
        stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut poses, world_from_model));
        let after = DMat3::from_mat4(model_from_joint(&skeleton, &poses, joint));
        // In model space the entity looks along -Z, so that +X is its right.
        let lean = f64::from((speed * 0.1).clamp(-0.35, 0.35));
        let up = after * before.inverse() * DVec3::Y;
        let expected = DVec3::new(lean.sin(), lean.cos(), 0.0);
        assert!(degrees_between(up, expected) < 0.05, "rig {seed}: {up}, not {expected}");
    }
}

/// Whether the entity's forward is the character's face or its back, it leans to the same side.
#[test]
fn back_and_front_lean_alike() {
    let skeleton = crate::player::rig::chain(3);
    let rig = Rig::new(&skeleton);
    let poses = [Vec3::Z, Vec3::NEG_Z].map(|entity_forward| {
        let context = ProceduralContext { entity_forward, velocity: Vec3::X * 2.0, ..context() };
        let mut stack = ProceduralAnimationStack { layers: vec![Box::new(LeanLayer::new(1))] };
        let mut poses = skeleton.bind_pose();
        stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
        poses
    });
    assert_eq!(poses[0], poses[1]);
    assert!(poses[0] != skeleton.bind_pose());
}

/// Two seconds of any frame rate lead to the same lean, by the law that the documentation gives.
#[test]
fn smoothing_does_not_depend_on_the_frame_rate() {
    let context = ProceduralContext { velocity: Vec3::new(2.0, 0.0, 0.0), ..context() };
    for rate in [15_u16, 30, 60, 144, 1000] {
        let mut lean = LeanLayer { responsiveness: 3.0, ..LeanLayer::new(0) };
        for _ in 0..rate / 5 {
            lean.update(&ProceduralContext { dt: 1.0 / f32::from(rate), ..context });
        }
        let seconds = f64::from(rate / 5) / f64::from(rate);
        let expected = 0.2 * (1.0 - (-3.0 * seconds).exp());
        assert!((f64::from(lean.current_lean) - expected).abs() < 1e-5, "{rate} Hz: {}", lean.current_lean);
    }
}

#[test]
fn limits_and_odd_settings() {
    let fast = ProceduralContext { velocity: Vec3::X * 1000.0, ..context() };
    let lean = |layer: LeanLayer| {
        let mut layer = layer;
        (0..1000).for_each(|_| layer.update(&fast));
        layer.current_lean
    };
    assert!((lean(LeanLayer::new(0)) - 0.35).abs() < 1e-6);
    assert_eq!(lean(LeanLayer { max_lean_angle: -1.0, ..LeanLayer::new(0) }), 0.0);
    assert_eq!(lean(LeanLayer { responsiveness: 0.0, ..LeanLayer::new(0) }), 0.0);
    assert_eq!(lean(LeanLayer { responsiveness: -5.0, ..LeanLayer::new(0) }), 0.0);
    assert_eq!(lean(LeanLayer { weight: 0.0, ..LeanLayer::new(0) }), 0.0, "what nobody sees is not worked out");
    // Standing still straightens up.
    let mut layer = LeanLayer::new(0);
    (0..1000).for_each(|_| layer.update(&fast));
    (0..1000).for_each(|_| layer.update(&context()));
    assert!(layer.current_lean.abs() < 1e-6);
}
