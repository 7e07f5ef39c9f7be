use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    BreathingLayer, JointPose, LookAtLayer, ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer,
    Rig,
};

use super::context;
use crate::player::rig::chain;

/// Counts how often it is asked, and turns a joint about an axis.
#[derive(Clone)]
struct Turn {
    joint: u16,
    rotation: Quat,
    weight: f32,
    asked: Arc<AtomicUsize>,
}

impl Turn {
    fn new(joint: u16, rotation: Quat) -> Self {
        Self { joint, rotation, weight: 1.0, asked: Arc::default() }
    }
}

impl ProceduralLayer for Turn {
    fn evaluate(&self, _: &ProceduralContext) -> JointPose {
        self.asked.fetch_add(1, Ordering::Relaxed);
        (Vec3::ZERO, self.rotation, Vec3::ONE)
    }
    fn target_joint(&self) -> u16 {
        self.joint
    }
    fn weight(&self) -> f32 {
        self.weight
    }
}

/// Both ways of applying a stack to three joints.
fn both_ways(mut stack: ProceduralAnimationStack) -> [Vec<JointPose>; 2] {
    let skeleton = chain(3);
    let rig = Rig::new(&skeleton);
    let (mut plain, mut bent) = (skeleton.bind_pose(), skeleton.bind_pose());
    stack.apply(&context(), &mut plain);
    stack.apply_in_model(&context(), &mut ModelPose::new(&rig, &mut bent, Affine3A::IDENTITY));
    [plain, bent]
}

/// A layer that knows of its joint only does the same in both: turned in the joint's own frame.
#[test]
fn custom_layers_turn_in_the_joint_s_own_frame() {
    let rotation = Quat::from_rotation_z(0.5);
    let stack = ProceduralAnimationStack { layers: vec![Box::new(Turn::new(1, rotation))] };
    for poses in both_ways(stack) {
        assert!(poses[1].1.abs_diff_eq(Quat::from_rotation_x(0.1) * rotation, 1e-6));
    }
}

#[test]
fn layers_are_applied_in_order_and_add_up() {
    let (first, second) = (Quat::from_rotation_x(0.4), Quat::from_rotation_z(0.7));
    for (one, other) in [(first, second), (second, first)] {
        let stack = ProceduralAnimationStack {
            layers: vec![Box::new(Turn::new(1, one)), Box::new(Turn::new(2, first)), Box::new(Turn::new(1, other))],
        };
        for poses in both_ways(stack) {
            let expected = Quat::from_rotation_x(0.1) * one * other;
            assert!(poses[1].1.abs_diff_eq(expected, 1e-6));
            assert!(poses[2].1.abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6), "the layer between has not been lost");
        }
    }
}

#[test]
fn weights_blend_between_nothing_and_all() {
    for (weight, shown) in [(0.25, 0.25), (0.5, 0.5), (1.0, 1.0), (7.0, 1.0), (f32::INFINITY, 1.0)] {
        let layer = Turn { weight, ..Turn::new(1, Quat::from_rotation_x(1.2)) };
        for poses in both_ways(ProceduralAnimationStack { layers: vec![Box::new(layer)] }) {
            assert!(poses[1].1.abs_diff_eq(Quat::from_rotation_x(0.1 + 1.2 * shown), 1e-6), "{weight}");
        }
    }
}

#[test]
fn a_layer_without_weight_is_not_even_asked() {
    for weight in [0.0, 1e-7, -1.0, f32::NEG_INFINITY] {
        let layer = Turn { weight, ..Turn::new(1, Quat::from_rotation_x(1.0)) };
        let asked = layer.asked.clone();
        let stack = ProceduralAnimationStack { layers: vec![Box::new(layer)] };
        assert!(stack.is_idle());
        for poses in both_ways(stack) {
            assert_eq!(poses, chain(3).bind_pose(), "not a bit has changed");
        }
        assert_eq!(asked.load(Ordering::Relaxed), 0);
    }
    assert!(ProceduralAnimationStack::default().is_idle());
}

/// A weight that goes from 0 to 1 takes the pose there without a jump.
#[test]
fn fading_weights_move_the_pose_smoothly() {
    let mut before: Option<Quat> = None;
    for step in 0..=1000_u16 {
        let layer = Turn { weight: f32::from(step) / 1000.0, ..Turn::new(1, Quat::from_rotation_x(2.0)) };
        let [plain, bent] = both_ways(ProceduralAnimationStack { layers: vec![Box::new(layer)] });
        assert!(plain[1].1.abs_diff_eq(bent[1].1, 1e-6));
        if let Some(before) = before {
            assert!(plain[1].1.angle_between(before) < 0.003);
        }
        before = Some(plain[1].1);
    }
}

#[test]
fn layers_are_found_by_type() {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(BreathingLayer::new(1));
    stack.push(LookAtLayer { joint_index: 2, target: Vec3::ZERO, max_angle: 1.0, weight: 1.0 });
    stack.push(BreathingLayer::new(2));
    assert_eq!(stack.layer::<BreathingLayer>().map(|layer| layer.joint_index), Some(1), "the first one");
    if let Some(look_at) = stack.layer_mut::<LookAtLayer>() {
        look_at.target = Vec3::X;
    }
    assert_eq!(stack.layer::<LookAtLayer>().map(|layer| layer.target), Some(Vec3::X));
    assert!(stack.layer::<Turn>().is_none());
}
