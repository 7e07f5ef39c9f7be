use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AimLayer, BreathingLayer, JointPose, LeanLayer, LookAtLayer, ModelPose, ProceduralAnimationStack,
    ProceduralContext, ProceduralLayer, Rig, Skeleton,
    procedural::{AimJoint, Faded},
};

use super::context;
use crate::player::rig::chain;
use crate::player::warnings;

/// What it says is what it was given.
#[derive(Clone)]
struct Given(u16, JointPose, f32);

impl ProceduralLayer for Given {
    fn evaluate(&self, _: &ProceduralContext) -> JointPose {
        self.1
    }
    fn target_joint(&self) -> u16 {
        self.0
    }
    fn weight(&self) -> f32 {
        self.2
    }
}

/// Changes several joints, the last of them to nonsense.
#[derive(Clone)]
struct Vandal;

impl ProceduralLayer for Vandal {
    fn evaluate(&self, _: &ProceduralContext) -> JointPose {
        (Vec3::NAN, Quat::IDENTITY, Vec3::ONE)
    }
    fn target_joint(&self) -> u16 {
        0
    }
    fn weight(&self) -> f32 {
        0.5
    }
    fn modify(&mut self, _: &ProceduralContext, pose: &mut ModelPose<'_>) {
        pose.rotate_in_model(0, Quat::from_rotation_y(1.0));
        pose.translate_in_model(1, Vec3::X);
        pose.set_local(2, (Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ONE));
    }
}

/// Hands the pose a number that is not one, each time in another way.
#[derive(Clone)]
struct Careless(u8);

impl ProceduralLayer for Careless {
    fn evaluate(&self, _: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::NAN)
    }
    fn target_joint(&self) -> u16 {
        1
    }
    fn weight(&self) -> f32 {
        1.0
    }
    fn modify(&mut self, _: &ProceduralContext, pose: &mut ModelPose<'_>) {
        pose.translate_in_model(0, Vec3::X);
        match self.0 {
            0 => pose.rotate_in_model(1, NAN_ROTATION),
            1 => pose.translate_in_model(1, Vec3::NAN),
            2 => pose.point(1, Vec3::X, Vec3::NAN),
            3 => pose.set_rotation(1, NAN_ROTATION),
            4 => pose.set_position(1, Vec3::INFINITY),
            5 => pose.add(1, (Vec3::NAN, Quat::IDENTITY, Vec3::ONE)),
            _ => pose.reject(),
        }
    }
}

const NAN_ROTATION: Quat = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);

fn look_at(target: Vec3, max_angle: f32) -> LookAtLayer {
    LookAtLayer { joint_index: 2, target, max_angle, weight: 1.0 }
}

fn aim(joint: u16, target: Vec3) -> AimLayer {
    AimLayer::new([AimJoint::new(1), AimJoint::new(joint)], target)
}

/// Every layer that cannot be applied, with a title; all of them in the frame of `bad_context`.
fn bad_layers() -> Vec<(&'static str, Box<dyn ProceduralLayer>)> {
    let one = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    let infinite = Vec3::new(0.0, f32::INFINITY, 0.0);
    vec![
        ("a joint out of range", Box::new(Given(3, one, 1.0))),
        ("the last joint index there is", Box::new(Given(u16::MAX, one, 1.0))),
        ("a weight that is not a number", Box::new(Given(1, one, f32::NAN))),
        ("a translation that is not a number", Box::new(Given(1, (Vec3::NAN, one.1, one.2), 1.0))),
        ("a translation without end", Box::new(Given(1, (infinite, one.1, one.2), 0.5))),
        ("a rotation that is not a number", Box::new(Given(1, (one.0, NAN_ROTATION, one.2), 1.0))),
        ("a rotation that is none", Box::new(Given(1, (one.0, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), one.2), 1.0))),
        ("a scale that is not a number", Box::new(Given(1, (one.0, one.1, Vec3::NAN), 1.0))),
        ("a layer that fails after it has changed joints", Box::new(Vandal)),
        ("a rotation of the pose", Box::new(Careless(0))),
        ("an offset of the pose", Box::new(Careless(1))),
        ("a direction of the pose", Box::new(Careless(2))),
        ("axes of the pose", Box::new(Careless(3))),
        ("a place of the pose", Box::new(Careless(4))),
        ("an addition to the pose", Box::new(Careless(5))),
        ("a layer that gives up", Box::new(Careless(6))),
        ("a target that is not a number", Box::new(look_at(Vec3::NAN, 1.0))),
        ("a target without end", Box::new(look_at(infinite, 1.0))),
        ("a limit that is not a number", Box::new(look_at(Vec3::X, f32::NAN))),
        ("the same in a fade", Box::new(Faded::shown(look_at(Vec3::NAN, 1.0)))),
        ("a lean that is not a number", Box::new(LeanLayer { max_lean_angle: f32::NAN, ..LeanLayer::new(1) })),
        ("breaths that are not a number", Box::new(BreathingLayer { frequency: f32::NAN, ..BreathingLayer::new(1) })),
        ("breaths without end", Box::new(BreathingLayer { amplitude: f32::INFINITY, ..BreathingLayer::new(1) })),
    ]
}

/// The same for layers that need the rig.
fn bad_modifiers() -> Vec<(&'static str, Box<dyn ProceduralLayer>)> {
    let mut limitless = aim(2, Vec3::X);
    limitless.limit = f32::NAN;
    let mut eyeless = aim(2, Vec3::X);
    eyeless.eye = Vec3::NAN;
    vec![
        ("an aim at what is not a number", Box::new(aim(2, Vec3::NAN))),
        ("an aim at what is without end", Box::new(aim(2, Vec3::INFINITY))),
        ("an aim of a joint out of range", Box::new(aim(900, Vec3::X))),
        ("an eyeball out of range", Box::new(aim(2, Vec3::X).with_eyeballs([AimJoint::new(77)]))),
        ("an aim by a limit that is not a number", Box::new(limitless)),
        ("an eye that is not a number", Box::new(eyeless)),
    ]
}

fn good_layers() -> Vec<Box<dyn ProceduralLayer>> {
    vec![Box::new(look_at(Vec3::new(3.0, 1.0, -2.0), 2.0)), Box::new(BreathingLayer::new(0))]
}

/// Layers that do nothing, as many as no other test has. One line in the log serves all layers of one type at one place with the
/// same trouble, so each case has a place of its own.
fn idle_layers() -> Vec<Box<dyn ProceduralLayer>> {
    static CASES: AtomicUsize = AtomicUsize::new(0);
    let count = 100 + 2 * CASES.fetch_add(1, Ordering::Relaxed);
    vec![Box::new(BreathingLayer { weight: 0.0, ..BreathingLayer::new(0) }); count]
}

/// Applies a stack a hundred times, each time to the bind pose: the last result, and how many warnings there were.
fn run(layers: Vec<Box<dyn ProceduralLayer>>, in_model: bool) -> (Vec<JointPose>, usize) {
    let skeleton = chain(3);
    let rig = Rig::new(&skeleton);
    let mut stack = ProceduralAnimationStack { layers };
    let mut poses = skeleton.bind_pose();
    let warned = warnings::count(|| {
        for frame in 0..100_u8 {
            poses = skeleton.bind_pose();
            let context = ProceduralContext { elapsed: f32::from(frame) / 60.0 + 0.3, ..context() };
            if in_model {
                stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
            } else {
                stack.apply(&context, &mut poses);
            }
        }
    });
    (poses, warned)
}

/// Each bad layer, between good ones: the pose is that of the good ones to the bit, and the log has one line.
#[test]
fn a_bad_layer_is_skipped_with_one_warning_and_harms_nobody() {
    for in_model in [false, true] {
        let (expected, warned) = run(good_layers(), in_model);
        assert_eq!(warned, 0);
        assert!(expected != chain(3).bind_pose());
        let bad = bad_layers().into_iter().chain(if in_model { bad_modifiers() } else { Vec::new() });
        for (title, layer) in bad {
            let mut layers = good_layers();
            layers.splice(1..1, idle_layers().into_iter().chain([layer]));
            let (poses, warned) = run(layers, in_model);
            assert_eq!(poses, expected, "{title}, in model space: {in_model}");
            assert_eq!(warned, 1, "{title}, in model space: {in_model}");
        }
    }
}

/// Numbers of the frame that are not numbers are the trouble of the layers that use them.
#[test]
fn frames_that_are_not_finite_leave_the_pose_finite() {
    let skeleton = chain(3);
    let rig = Rig::new(&skeleton);
    let nonsense = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1.0];
    for number in nonsense {
        let vector = Vec3::splat(number);
        for context in [
            ProceduralContext { dt: number, ..context() },
            ProceduralContext { elapsed: number, ..context() },
            ProceduralContext { entity_position: vector, ..context() },
            ProceduralContext { entity_forward: vector, ..context() },
            ProceduralContext { velocity: vector, ..context() },
            ProceduralContext { entity_forward: Vec3::ZERO, ..context() },
            ProceduralContext { entity_forward: Vec3::Y, velocity: Vec3::X, ..context() },
        ] {
            let mut stack = ProceduralAnimationStack { layers: good_layers() };
            stack.push(LeanLayer::new(1));
            stack.push(aim(2, Vec3::new(1.0, 2.0, 3.0)));
            let mut poses = skeleton.bind_pose();
            stack.apply(&context, &mut poses);
            assert_finite(&poses);
            for world in [Affine3A::IDENTITY, Affine3A::from_translation(vector), Affine3A::from_scale(vector)] {
                stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut poses, world));
                assert_finite(&poses);
            }
            // What has been through this is as good as new.
            poses = skeleton.bind_pose();
            let sane = super::context();
            stack.apply_in_model(&sane, &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
            assert_finite(&poses);
            assert!(stack.layer::<LeanLayer>().is_some_and(|lean| lean.current_lean.is_finite()));
        }
    }
}

fn assert_finite(poses: &[JointPose]) {
    for (translation, rotation, scale) in poses {
        assert!(translation.is_finite() && rotation.is_finite() && scale.is_finite(), "{poses:?}");
        assert!((rotation.length() - 1.0).abs() < 1e-4, "{poses:?}");
    }
}

/// Bones without length, scales of zero, targets at the eye, on the axis, opposite, next to nothing away: defined and finite,
/// and no reason for a warning.
#[test]
fn degenerate_rigs_and_targets_are_defined() {
    let mut flat = chain(4);
    flat.joints[2].bind_translation = Vec3::ZERO;
    flat.joints[3].bind_translation = Vec3::ZERO;
    let mut vanished = chain(4);
    vanished.joints[1].bind_scale = Vec3::ZERO;
    let mut tiny = chain(4);
    tiny.joints[0].bind_scale = Vec3::splat(1e-12);
    let skeletons: [Skeleton; 4] = [chain(4), flat, vanished, tiny];
    for skeleton in skeletons {
        let rig = Rig::new(&skeleton);
        let eye = rig.position(3);
        let ahead = rig.model_from_joint(3).transform_vector3(rig.in_joint(3, Vec3::NEG_Z));
        let targets = [
            eye,
            eye + ahead,
            eye - ahead,
            eye - ahead * 1000.0,
            eye + Vec3::Y,
            eye - Vec3::Y,
            eye + Vec3::splat(1e-30),
            Vec3::splat(1e15),
        ];
        for target in targets {
            for (max_angle, follow_secs) in [(0.0, 0.0), (1.0, 0.5), (3.2, 0.0), (100.0, 1e-30)] {
                let mut layer = AimLayer::new((0..4).map(AimJoint::new), target);
                (layer.limit, layer.follow_secs, layer.eye) = (max_angle, follow_secs, Vec3::new(0.0, 0.0, 0.1));
                let mut stack = ProceduralAnimationStack::default();
                stack.push(LookAtLayer { joint_index: 3, target, max_angle, weight: 1.0 });
                stack.push(layer);
                let mut poses = skeleton.bind_pose();
                let warned = warnings::count(|| {
                    for _ in 0..3 {
                        stack.apply_in_model(&context(), &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
                        assert_finite(&poses);
                    }
                });
                assert_eq!(warned, 0, "{target}");
            }
        }
    }
}

/// No layers, no joints, no chain.
#[test]
fn nothing_is_fine() {
    let rig = Rig::new(Skeleton::default());
    let mut stack = ProceduralAnimationStack::default();
    stack.apply(&context(), &mut []);
    stack.apply_in_model(&context(), &mut ModelPose::new(&rig, &mut [], Affine3A::IDENTITY));
    stack.layers = idle_layers();
    stack.push(AimLayer::new([], Vec3::X));
    stack.push(BreathingLayer::new(0));
    let warned = warnings::count(|| {
        for _ in 0..10 {
            stack.apply(&context(), &mut []);
            stack.apply_in_model(&context(), &mut ModelPose::new(&rig, &mut [], Affine3A::IDENTITY));
        }
    });
    assert_eq!(warned, 2, "one for each layer without a joint");
}

/// Symptom: a rotation that is not a number. Cause: what a layer leaves was looked at before it was blended with what was there, and between
/// a rotation that is far from unit length, as a skeleton made in code may have it, and another one there may be none. A weight
/// below 1, because a whole layer is not blended.
#[test]
fn rotations_of_any_length_stay_finite_in_a_blend() {
    let skeleton = chain(3);
    let rig = Rig::new(&skeleton);
    for length in [0.0, 1e-30, 1e-3, 3.0, 1e10, 1e19, 1e30] {
        for weight in [1e-3, 0.5, 0.999, 1.0] {
            let mut poses = skeleton.bind_pose();
            poses[1].1 = Quat::from_xyzw(0.6, 0.0, 0.0, 0.8) * length;
            let mut stack = ProceduralAnimationStack::default();
            stack.push(LookAtLayer { joint_index: 1, target: Vec3::new(3.0, 1.0, 2.0), max_angle: 2.0, weight });
            stack.push(BreathingLayer { weight, ..BreathingLayer::new(1) });
            stack.apply_in_model(&context(), &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
            stack.apply(&context(), &mut poses);
            let is_finite = |pose: &JointPose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite();
            assert!(poses.iter().all(is_finite), "{length} times, weight {weight}: {poses:?}");
        }
    }
}
