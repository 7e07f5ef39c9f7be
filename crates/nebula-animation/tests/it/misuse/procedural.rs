//! Layers that bend a pose, and what they stand on.

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::procedural::feet::{FootSettings, LegJoints};
use nebula_animation::procedural::ik::{ChainSettings, TwoBoneLimb, TwoBoneLimits, solve_chain, solve_two_bone};
use nebula_animation::{
    AimJoint, AimLayer, BreathingLayer, ChainIk, ContactTrack, Faded, FeetRig, FootPlacement, GroundPoint, HumanoidMap,
    LeanLayer, Marker, ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer, RestPose, ShownClip,
    SpringChain, SpringCollider, SpringSettings, TwoBoneIk, WeightFade,
};

use super::Table;
use super::fixtures::{INDICES, JOINTS, chain, clips, is_finite, numbers, poses, rotations, skeletons, times, vectors};

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
fn bends(layer: impl ProceduralLayer) {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(layer);
    for skeleton in [chain(3), chain(1), Default::default()] {
        let rest = RestPose::of(&skeleton);
        for frame in 0..3_u8 {
            let mut poses = skeleton.bind_pose();
            let context = ProceduralContext { elapsed: f32::from(frame) / 60.0, ..context() };
            stack.apply_in_model(&context, &mut ModelPose::new(&rest, &mut poses, Affine3A::IDENTITY));
            assert!(is_finite(&poses), "{poses:?}");
            stack.apply(&context, &mut poses);
            assert!(is_finite(&poses), "{poses:?}");
        }
    }
}

/// Does something with the pose of a chain of three, with joints that are not there and numbers that are none.
fn posed(mut act: impl FnMut(&mut ModelPose, u16, Vec3, Quat)) {
    let rest = RestPose::of(&chain(3));
    for joint in JOINTS.into_iter().chain([0, 2]) {
        for (vector, turn) in vectors().zip(rotations()) {
            for length in [0, 2, 3, 9] {
                let mut poses = chain(length).bind_pose();
                act(&mut ModelPose::new(&rest, &mut poses, Affine3A::IDENTITY), joint, vector, turn);
            }
        }
    }
}

pub fn rows(table: &mut Table) {
    layers(table);
    inverse_kinematics(table);
    springs(table);
    feet(table);
    humanoid(table);
    stack(table);
    model_poses(table);
    rest_poses(table);
    fades(table);
}

fn layers(table: &mut Table) {
    table.row("BreathingLayer::new", || JOINTS.into_iter().for_each(|joint| bends(BreathingLayer::new(joint))));
    table.row("LeanLayer::new", || JOINTS.into_iter().for_each(|joint| bends(LeanLayer::new(joint))));
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
                bends(aim);
            }
        }
    });
    table.row("AimLayer::with_eyeballs", || {
        for joint in JOINTS {
            bends(AimLayer::new([AimJoint::new(1)], Vec3::X).with_eyeballs([AimJoint::new(joint), AimJoint::new(0)]));
        }
    });
}

fn inverse_kinematics(table: &mut Table) {
    table.row("TwoBoneIk::new", || {
        let rest = RestPose::of(&chain(3));
        for target in vectors() {
            bends(TwoBoneIk::new(&rest, [0, 1, 2], target));
        }
        for joint in JOINTS {
            bends(TwoBoneIk::new(&rest, [joint, joint, joint], Vec3::X));
            bends(TwoBoneIk::new(&rest, [2, 1, joint], Vec3::X));
        }
        bends(TwoBoneIk::new(&RestPose::of(&Default::default()), [0, 1, 2], Vec3::X));
    });
    table.row("solve_two_bone", || {
        let good = TwoBoneLimb { start: Vec3::Y, middle: Vec3::new(0.0, 0.5, 0.1), end: Vec3::ZERO, hinge: Vec3::X };
        let finite = |limb: &TwoBoneLimb, target: Vec3, pole: Option<Vec3>, limits: &TwoBoneLimits| {
            if let Some(bent) = solve_two_bone(limb, target, pole, limits) {
                assert!(bent.upper_turn.is_finite() && bent.lower_turn.is_finite(), "{bent:?} for {target}");
                assert!(bent.middle.is_finite() && bent.end.is_finite(), "{bent:?} for {target}");
            }
        };
        for vector in vectors() {
            finite(&good, vector, None, &TwoBoneLimits::default());
            finite(&good, Vec3::X, Some(vector), &TwoBoneLimits::default());
            for limb in [
                TwoBoneLimb { start: vector, ..good },
                TwoBoneLimb { middle: vector, ..good },
                TwoBoneLimb { end: vector, ..good },
                TwoBoneLimb { hinge: vector, ..good },
                TwoBoneLimb { start: vector, middle: vector, end: vector, hinge: vector },
            ] {
                finite(&limb, Vec3::X, None, &TwoBoneLimits::default());
            }
        }
        for number in numbers() {
            finite(&good, Vec3::X, None, &TwoBoneLimits { min_bend: number, max_bend: number, softness: number });
        }
    });
    table.row("ChainIk::new", || {
        for target in vectors() {
            bends(ChainIk::new(vec![0, 1, 2], target));
        }
        for joint in JOINTS {
            bends(ChainIk::new(vec![joint, 0, joint], Vec3::X));
        }
        bends(ChainIk::new(Vec::new(), Vec3::X));
        bends(ChainIk::new(vec![1; 9], Vec3::X));
        bends(ChainIk::new(vec![2, 1, 0], Vec3::X));
    });
    table.row("solve_chain", || {
        let good = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        for vector in vectors() {
            let mut points = good;
            solve_chain(&mut points, &[1.0; 2], vector, &ChainSettings::default());
            assert!(points.iter().all(|point| point.is_finite()), "{points:?} for {vector}");
            solve_chain(&mut [Vec3::ZERO, vector, Vec3::X], &[1.0; 2], Vec3::ONE, &ChainSettings::default());
        }
        for number in numbers() {
            let settings = ChainSettings { tolerance: number, max_bend: number, max_iterations: u32::MAX };
            let mut points = good;
            // Out of reach, and within it: more turns than there is time for.
            for target in [Vec3::splat(9.0), Vec3::new(0.3, 0.4, 0.5), Vec3::ZERO] {
                solve_chain(&mut points, &[1.0; 2], target, &settings);
                assert!(points.iter().all(|point| point.is_finite()), "{points:?} with {number}");
            }
            solve_chain(&mut points, &[number; 2], Vec3::ONE, &ChainSettings::default());
        }
        for lengths in [&[][..], &[1.0], &[1.0; 9]] {
            assert!(solve_chain(&mut [], lengths, Vec3::X, &ChainSettings::default()).is_infinite());
            solve_chain(&mut good.clone(), lengths, Vec3::ONE, &ChainSettings::default());
        }
    });
}

fn springs(table: &mut Table) {
    table.row("SpringChain::new", || {
        bends(SpringChain::new(Vec::new()));
        for joint in JOINTS {
            bends(SpringChain::new(vec![joint]));
            bends(SpringChain::new(vec![2, 1, joint, 0]));
        }
        bends(SpringChain::new(vec![1, 1, 1]));
    });
    table.row("SpringChain::with_settings", || {
        for number in numbers() {
            let settings =
                SpringSettings { stiffness: number, damping: number, gravity: Vec3::splat(number), radius: number };
            let mut springs = SpringChain::new(vec![1, 2]).with_settings(settings);
            (springs.tip, springs.weight) = (Some(Vec3::splat(number)), 1.0);
            bends(springs);
        }
    });
    table.row("SpringChain::with_colliders", || {
        bends(SpringChain::new(vec![0, 1, 2]).with_colliders([]));
        for joint in JOINTS {
            bends(SpringChain::new(vec![0, 1, 2]).with_colliders([SpringCollider::sphere(joint, Vec3::ZERO, 1.0)]));
        }
    });
    table.row("SpringCollider::sphere", || {
        for (centre, radius) in vectors().zip(numbers().cycle()) {
            bends(SpringChain::new(vec![0, 1, 2]).with_colliders([SpringCollider::sphere(0, centre, radius)]));
        }
    });
    table.row("SpringCollider::capsule", || {
        for (end, radius) in vectors().zip(numbers().cycle()) {
            bends(SpringChain::new(vec![0, 1, 2]).with_colliders([SpringCollider::capsule(0, [end, Vec3::X], radius)]));
        }
    });
}

/// One leg of a chain of three.
const LEG: LegJoints = LegJoints { thigh: 0, shin: 1, foot: 2, toes: None };

fn level(_: Vec3) -> Option<GroundPoint> {
    Some(GroundPoint { height: 0.0, normal: Vec3::Y })
}

fn feet(table: &mut Table) {
    let rest = RestPose::of(&chain(3));
    let rig = || FeetRig::new(&rest, 0, &[LEG]);
    table.row("FeetRig::new", || {
        for joint in JOINTS {
            let leg = LegJoints { thigh: joint, shin: joint, foot: joint, toes: Some(joint) };
            bends(FootPlacement::new(FeetRig::new(&rest, joint, &[leg, LEG, leg]), level));
        }
        bends(FootPlacement::new(FeetRig::new(&rest, 0, &[]), level));
        for skeleton in skeletons() {
            bends(FootPlacement::new(FeetRig::new(&RestPose::of(&skeleton), 0, &[LEG]), level));
        }
    });
    table.row("FootPlacement::new", || {
        for number in numbers() {
            bends(FootPlacement::new(rig(), move |_: Vec3| Some(GroundPoint { height: number, normal: Vec3::Y })));
            bends(FootPlacement::new(rig(), move |_: Vec3| {
                Some(GroundPoint { height: 0.0, normal: Vec3::splat(number) })
            }));
        }
        bends(FootPlacement::new(rig(), |_: Vec3| None));
    });
    table.row("FootPlacement::with_tracks", || {
        bends(FootPlacement::new(rig(), level).with_tracks(vec![]));
        bends(FootPlacement::new(rig(), level).with_tracks(vec![ContactTrack::from_markers(f32::NAN, &[], &[])]));
    });
    table.row("FootPlacement::with_settings", || {
        for number in numbers() {
            let settings = FootSettings {
                max_slope: number,
                max_step: number,
                max_drop: number,
                max_slide: number,
                max_twist: number,
                fade_secs: number,
                pelvis_rate: number,
                max_stretch: number,
            };
            bends(FootPlacement::new(rig(), level).with_settings(settings));
        }
    });
    table.row("FootPlacement::is_planted", || {
        INDICES.into_iter().for_each(|leg| assert!(!FootPlacement::new(rig(), level).is_planted(leg)));
    });
    table.row("ContactTrack::from_clip", || {
        for skeleton in skeletons().into_iter().step_by(3) {
            clips().iter().step_by(2).for_each(|clip| drop(ContactTrack::from_clip(clip, &skeleton, &rig())));
        }
    });
    let track = |duration, time| {
        let markers = [Marker { name: "down".into(), time }, Marker { name: "up".into(), time: 0.5 }];
        ContactTrack::from_markers(duration, &markers, &[["down", "up"], ["nobody", "nobody"], ["down", "down"]])
    };
    table.row("ContactTrack::from_markers", || {
        for (duration, time) in numbers().zip(times()) {
            let track = track(duration, time);
            assert!(track.duration().is_finite(), "{duration}");
            (0..4).for_each(|leg| drop(format!("{}", track.is_planted(leg, 0.3))));
        }
    });
    table.row("ContactTrack::with_floor", || {
        for floor in numbers() {
            let tracks = vec![track(1.0, 0.1).with_floor(floor)];
            let mut feet = FootPlacement::new(rig(), level).with_tracks(tracks);
            feet.show_clips(&[ShownClip { clip: 0, time: 0.2, weight: 1.0 }]);
            bends(feet);
        }
    });
    table.row("ContactTrack::is_planted", || {
        for leg in INDICES {
            numbers().for_each(|time| assert!(track(1.0, 0.1).is_planted(leg, time), "a leg that nobody knows stands"));
        }
        numbers().filter(|time| time.is_nan()).for_each(|time| assert!(!track(1.0, 0.1).is_planted(0, time)));
    });
    table.row("ContactTrack::spans", || {
        INDICES.into_iter().for_each(|leg| assert!(track(1.0, 0.1).spans(leg).is_empty()));
    });
}

fn humanoid(table: &mut Table) {
    let (nobody, rest) = (HumanoidMap::default(), RestPose::of(&chain(3)));
    table.row("HumanoidMap::look_at", || vectors().for_each(|target| assert!(nobody.look_at(target).is_err())));
    table.row("HumanoidMap::feet", || assert!(nobody.feet(&rest).is_err()));
    table.row("HumanoidMap::foot_placement", || assert!(nobody.foot_placement(&rest, level).is_err()));
    table.row("HumanoidMap::aim", || {
        use nebula_animation::HumanoidJoint::{Head, Neck, Spine};
        for target in vectors() {
            assert!(nobody.aim(&rest, target).is_err());
            // A map of another rig.
            let far = HumanoidMap::default().with(Spine, 65_535).with(Neck, 700).with(Head, 900);
            far.aim(&rest, target).into_iter().for_each(bends);
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
        let rest = RestPose::of(&chain(3));
        for context in contexts() {
            let mut stack = good();
            for length in [3, 0, 1, 9] {
                let mut poses = chain(length).bind_pose();
                stack.apply_in_model(&context, &mut ModelPose::new(&rest, &mut poses, Affine3A::IDENTITY));
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
    table.row("ProceduralAnimationStack::show_clips", || {
        let mut stack = good();
        let rest = RestPose::of(&chain(3));
        let tracks = vec![ContactTrack::from_markers(1.0, &[], &[["a", "b"]])];
        stack.push(FootPlacement::new(FeetRig::new(&rest, 0, &[LEG]), level).with_tracks(tracks));
        for clip in INDICES.into_iter().chain([0]) {
            for number in numbers() {
                stack.show_clips(&[ShownClip { clip, time: number, weight: number }; 3]);
                let mut poses = chain(3).bind_pose();
                stack.apply_in_model(&context(), &mut ModelPose::new(&rest, &mut poses, Affine3A::IDENTITY));
                assert!(is_finite(&poses));
            }
        }
        stack.show_clips(&[]);
    });
    table.row("ProceduralAnimationStack::push", || {
        let mut stack = ProceduralAnimationStack::default();
        (0..500).for_each(|_| stack.push(BreathingLayer::new(65_535)));
        let mut poses = chain(3).bind_pose();
        stack.apply(&context(), &mut poses);
        assert_eq!(poses, chain(3).bind_pose());
    });
}

fn model_poses(table: &mut Table) {
    table.row("ModelPose::new", || {
        for skeleton in skeletons() {
            let rest = RestPose::of(&skeleton);
            for number in numbers() {
                for world in
                    [Affine3A::from_translation(Vec3::splat(number)), Affine3A::from_scale(Vec3::splat(number))]
                {
                    let mut poses = chain(2).bind_pose();
                    let mut pose = ModelPose::new(&rest, &mut poses, world);
                    assert!(pose.model_from_world().is_finite());
                    let _ = (pose.position(1), pose.world_position(7));
                }
            }
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

fn rest_poses(table: &mut Table) {
    let rest = RestPose::of(&chain(3));
    table.row("RestPose::of", || {
        for skeleton in skeletons() {
            assert_eq!(RestPose::of(&skeleton).joint_count(), skeleton.joints.len());
        }
    });
    table.row("RestPose::with_front", || {
        for front in vectors() {
            let turned = rest.clone().with_front(front);
            assert!(turned.front().is_none_or(|front| front.is_finite()), "{front}");
        }
    });
    table.row("RestPose::with_up", || {
        vectors().for_each(|up| assert!(rest.clone().with_up(up).up().is_finite(), "{up}"));
    });
    table.row("RestPose::in_joint", || {
        for joint in JOINTS {
            vectors().for_each(|way| drop(format!("{}", rest.in_joint(joint, way))));
            assert!(rest.in_joint(joint, Vec3::X).is_finite());
        }
    });
    table.row("RestPose::parent", || JOINTS.into_iter().for_each(|joint| assert_eq!(rest.parent(joint), None)));
    table.row("RestPose::children", || JOINTS.into_iter().for_each(|joint| assert!(rest.children(joint).is_empty())));
    table.row("RestPose::model_from_joint", || {
        JOINTS.into_iter().for_each(|joint| assert!(rest.model_from_joint(joint).is_finite()));
    });
    table.row("RestPose::position", || JOINTS.into_iter().for_each(|joint| assert!(rest.position(joint).is_finite())));
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
