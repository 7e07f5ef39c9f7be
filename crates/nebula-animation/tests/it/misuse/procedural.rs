//! Layers that bend a pose, and what they stand on.

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AimLayer, AnimationClipLibrary, BodyLean, BreathingLayer, ClipId, FootPlacement, HumanoidMap, LayerId, LeanLayer,
    ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer, Rig, Surroundings, TargetId,
    frame::ShownClip,
    procedural::{AimJoint, Faded, WeightFade, springs::SpringChain},
    rig::FeetRig,
};

use super::Table;
use super::fixtures::{INDICES, JOINTS, chain, is_finite, library, numbers, poses, rotations, skeletons, vectors};
use super::limbs::{LEG, level};

fn context() -> ProceduralContext {
    ProceduralContext {
        dt: 1.0 / 60.0,
        elapsed: 1.0,
        entity_position: Vec3::ZERO,
        entity_forward: Vec3::NEG_Z,
        velocity: Vec3::X,
    }
}

/// Frames in which one number makes no sense.
fn contexts() -> Vec<ProceduralContext> {
    let good = context();
    let mut contexts = vec![good];
    for number in numbers() {
        contexts.extend([
            ProceduralContext { dt: number, ..good },
            ProceduralContext { elapsed: number, ..good },
            ProceduralContext { entity_position: Vec3::splat(number), ..good },
            ProceduralContext { entity_forward: Vec3::splat(number), ..good },
            ProceduralContext { velocity: Vec3::splat(number), ..good },
        ]);
    }
    contexts
}

/// A layer in a stack, over some frames on a chain of three and on nothing: the pose stays finite.
pub fn bends(layer: impl ProceduralLayer) {
    let surroundings = Surroundings { ground: Some(&level), ..Surroundings::default() };
    bends_in(layer, &surroundings, &[], &AnimationClipLibrary::default());
}

/// The same in other surroundings, told of clips that are shown.
pub fn bends_in(
    layer: impl ProceduralLayer,
    surroundings: &Surroundings<'_>,
    shown: &[ShownClip],
    library: &AnimationClipLibrary,
) {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(layer);
    for skeleton in [chain(3), chain(1), Default::default()] {
        let rig = Rig::new(&skeleton);
        for frame in 0..3_u8 {
            let mut poses = skeleton.bind_pose();
            let context = ProceduralContext { elapsed: f32::from(frame) / 60.0, ..context() };
            let pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY).within(surroundings);
            stack.apply_in_model(&context, &mut pose.showing(shown, library));
            assert!(is_finite(&poses), "{poses:?}");
            stack.apply(&context, &mut poses);
            assert!(is_finite(&poses), "{poses:?}");
        }
    }
}

/// Does something with the pose of a chain of three, with joints that are not there and numbers that are none.
fn posed(mut act: impl FnMut(&mut ModelPose, u16, Vec3, Quat)) {
    let rig = Rig::new(chain(3));
    for joint in JOINTS.into_iter().chain([0, 2]) {
        for (vector, turn) in vectors().zip(rotations()) {
            for length in [0, 2, 3, 9] {
                let mut poses = chain(length).bind_pose();
                act(&mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY), joint, vector, turn);
            }
        }
    }
}

pub fn rows(table: &mut Table) {
    layers(table);
    humanoid(table);
    stack(table);
    model_poses(table);
    fades(table);
}

fn layers(table: &mut Table) {
    table.row("BreathingLayer::new", || JOINTS.into_iter().for_each(|joint| bends(BreathingLayer::new(joint))));
    table.row("LeanLayer::new", || JOINTS.into_iter().for_each(|joint| bends(LeanLayer::new(joint))));
    table.row("BodyLean::new", || {
        JOINTS.into_iter().for_each(|joint| bends(BodyLean::new(joint)));
        for number in numbers() {
            let mut lean = BodyLean::new(1);
            (lean.max_side, lean.max_forward, lean.settle_secs) = (number, number, number);
            bends(lean);
        }
    });
    table.row("AimJoint::new", || {
        JOINTS.into_iter().for_each(|joint| bends(AimLayer::new([AimJoint::new(joint)], Vec3::X)));
    });
    table.row("AimLayer::new", || {
        bends(AimLayer::new([], Vec3::X));
        for target in vectors() {
            for number in numbers() {
                let joint = AimJoint { joint: 1, share: number, limit: number, axis: Some(target) };
                let mut aim = AimLayer::new([AimJoint::new(0), joint, AimJoint::new(0)], target);
                (aim.limit, aim.hysteresis, aim.follow_secs, aim.eye) = (number, number, number, target);
                (aim.max_speed, aim.max_acceleration) = (number, number);
                bends(aim);
            }
        }
    });
    table.row("AimLayer::with_eyeballs", || {
        for joint in JOINTS {
            bends(AimLayer::new([AimJoint::new(1)], Vec3::X).with_eyeballs([AimJoint::new(joint), AimJoint::new(0)]));
        }
    });
    table.row("AimLayer::following", || {
        // Nobody knows where it is.
        bends(AimLayer::new([AimJoint::new(1), AimJoint::new(2)], Vec3::NAN).following(TargetId(u64::MAX)));
        for place in vectors() {
            let target = |_: TargetId| Some(place);
            let surroundings = Surroundings { targets: Some(&target), ..Surroundings::default() };
            let aim = AimLayer::new([AimJoint::new(1)], Vec3::X).following(TargetId(0));
            bends_in(aim, &surroundings, &[], &library());
        }
    });
}

fn humanoid(table: &mut Table) {
    let (nobody, rig) = (HumanoidMap::default(), Rig::new(chain(3)));
    table.row("HumanoidMap::look_at", || vectors().for_each(|target| assert!(nobody.look_at(target).is_err())));
    table.row("HumanoidMap::feet", || assert!(nobody.feet(&rig).is_err()));
    table.row("HumanoidMap::foot_placement", || assert!(nobody.foot_placement(&rig).is_err()));
    table.row("HumanoidMap::aim", || {
        use nebula_animation::HumanoidJoint::{Head, Neck, Spine};
        for target in vectors() {
            assert!(nobody.aim(&rig, target).is_err());
            // A map of another rig.
            let far = HumanoidMap::default().with(Spine, 65_535).with(Neck, 700).with(Head, 900);
            far.aim(&rig, target).into_iter().for_each(bends);
        }
    });
}

fn stack(table: &mut Table) {
    let good = || {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(BreathingLayer::new(1));
        stack.push(LeanLayer::new(0));
        stack.push(AimLayer::new([AimJoint::new(1), AimJoint::new(2)], Vec3::X));
        stack.push(SpringChain::new(vec![1, 2]));
        stack
    };
    table.row("ProceduralAnimationStack::apply", || {
        for context in contexts() {
            for length in [0, 1, 3, 9] {
                let mut poses = chain(length).bind_pose();
                good().apply(&context, &mut poses);
                assert!(is_finite(&poses), "{context:?}");
            }
        }
        poses().into_iter().for_each(|mut poses| good().apply(&context(), &mut poses));
    });
    table.row("ProceduralAnimationStack::apply_in_model", || {
        let rig = Rig::new(chain(3));
        for context in contexts() {
            let mut stack = good();
            for length in [3, 0, 1, 9] {
                let mut poses = chain(length).bind_pose();
                stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
                assert!(is_finite(&poses), "{context:?}");
            }
        }
    });
    table.row("ProceduralAnimationStack::update", || {
        let mut stack = good();
        contexts().iter().for_each(|context| stack.update(context));
        let mut poses = chain(3).bind_pose();
        stack.apply(&context(), &mut poses);
        assert!(is_finite(&poses));
    });
    table.row("ProceduralAnimationStack::push", || {
        let mut stack = ProceduralAnimationStack::default();
        (0..500).for_each(|_| stack.push(BreathingLayer::new(65_535)));
        let mut poses = chain(3).bind_pose();
        stack.apply(&context(), &mut poses);
        assert_eq!(poses, chain(3).bind_pose());
    });
}

fn surroundings_at(place: Vec3) -> Surroundings<'static> {
    Surroundings::at(Affine3A::from_scale_rotation_translation(place, Quat::IDENTITY, place))
}

fn model_poses(table: &mut Table) {
    table.row("ModelPose::new", || {
        for skeleton in skeletons() {
            let rig = Rig::new(&skeleton);
            for number in numbers() {
                for world in
                    [Affine3A::from_translation(Vec3::splat(number)), Affine3A::from_scale(Vec3::splat(number))]
                {
                    let mut poses = chain(2).bind_pose();
                    let mut pose = ModelPose::new(&rig, &mut poses, world);
                    assert!(pose.model_from_world().is_finite());
                    let _ = (pose.position(1), pose.world_position(7));
                }
            }
        }
    });
    table.row("ModelPose::showing", || {
        let rig = Rig::new(chain(3));
        let mut stack = ProceduralAnimationStack::default();
        stack.push(FootPlacement::new(FeetRig::new(&rig, 0, &[LEG])));
        let surroundings = Surroundings { ground: Some(&level), ..Surroundings::default() };
        let (own, none) = (library(), AnimationClipLibrary::default());
        for clip in INDICES.into_iter().chain([0]) {
            for number in numbers() {
                let (layer, clip) = (LayerId::new(clip), ClipId::new(clip));
                let odd = ShownClip { layer, clip, time: number, weight: number, feet_weight: number };
                for (shown, library) in [(&[odd; 3][..], &own), (&[odd], &none), (&[], &own)] {
                    let mut poses = chain(3).bind_pose();
                    let pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY).within(&surroundings);
                    stack.apply_in_model(&context(), &mut pose.showing(shown, library));
                    assert!(is_finite(&poses));
                }
            }
        }
    });
    table.row("ModelPose::within", || {
        for (place, velocity) in vectors().zip(vectors().skip(3)) {
            let target = |_: TargetId| Some(velocity);
            let surroundings = Surroundings { velocity, targets: Some(&target), ..surroundings_at(place) };
            bends_in(AimLayer::new([AimJoint::new(1)], place).following(TargetId(7)), &surroundings, &[], &library());
        }
    });
    table.row("Surroundings::at", || {
        for place in vectors() {
            let rig = Rig::new(chain(3));
            let mut poses = chain(3).bind_pose();
            let pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY).within(&surroundings_at(place));
            assert!(pose.model_from_world().is_finite(), "{place}");
        }
    });
    table.row("ModelPose::local", || posed(|pose, joint, _, _| drop(format!("{:?}", pose.local(joint)))));
    table.row("ModelPose::set_local", || {
        posed(|pose, joint, vector, turn| pose.set_local(joint, (vector, turn, vector)));
    });
    table.row("ModelPose::add", || posed(|pose, joint, vector, turn| pose.add(joint, (vector, turn, vector))));
    table.row("ModelPose::model", || posed(|pose, joint, _, _| drop(format!("{:?}", pose.model(joint)))));
    table.row("ModelPose::parent_model", || posed(|pose, joint, _, _| drop(format!("{:?}", pose.parent_model(joint)))));
    table.row("ModelPose::position", || posed(|pose, joint, _, _| assert!(pose.position(joint).is_finite())));
    table.row("ModelPose::world_position", || {
        posed(|pose, joint, _, _| assert!(pose.world_position(joint).is_finite()));
    });
    table.row("ModelPose::rotation", || posed(|pose, joint, _, _| assert!(pose.rotation(joint).is_finite())));
    table.row("ModelPose::rotate_in_model", || posed(|pose, joint, _, turn| pose.rotate_in_model(joint, turn)));
    table.row("ModelPose::set_rotation", || posed(|pose, joint, _, turn| pose.set_rotation(joint, turn)));
    table.row("ModelPose::point", || {
        posed(|pose, joint, vector, _| {
            pose.point(joint, vector, Vec3::X);
            pose.point(joint, Vec3::X, vector);
            pose.point(joint, vector, vector);
        });
    });
    table.row("ModelPose::translate_in_model", || {
        posed(|pose, joint, vector, _| pose.translate_in_model(joint, vector));
    });
    table.row("ModelPose::set_position", || posed(|pose, joint, vector, _| pose.set_position(joint, vector)));
}

fn fades(table: &mut Table) {
    let in_range = |fade: &WeightFade| assert!((0.0..=1.0).contains(&fade.value()), "{fade:?}");
    table.row("WeightFade::new", || numbers().for_each(|value| in_range(&WeightFade::new(value))));
    table.row("WeightFade::fade_to", || {
        for target in numbers() {
            for seconds in numbers() {
                let mut fade = WeightFade::new(0.5);
                for _ in 0..3 {
                    fade.fade_to(target, seconds);
                    fade.advance(0.1);
                    in_range(&fade);
                }
            }
        }
    });
    table.row("WeightFade::advance", || {
        for step in numbers() {
            let mut fade = WeightFade::new(0.0);
            fade.fade_to(1.0, 0.5);
            fade.advance(step);
            in_range(&fade);
        }
    });
    table.row("Faded::shown", || {
        bends(Faded::shown(BreathingLayer { weight: f32::NAN, ..BreathingLayer::new(65_535) }));
    });
    table.row("Faded::hidden", || bends(Faded::hidden(AimLayer::new([], Vec3::NAN))));
}
