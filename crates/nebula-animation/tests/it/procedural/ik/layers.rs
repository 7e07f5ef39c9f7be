use glam::{Affine3A, DQuat, DVec3, Mat4, Vec3};
use nebula_animation::procedural::ik::{ChainIk, TwoBoneIk};
use nebula_animation::{
    BreathingLayer, Joint, JointPose, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig, Skeleton,
};

use crate::characters::Random;

const CONTEXT: ProceduralContext = ProceduralContext {
    dt: 1.0 / 60.0,
    elapsed: 0.5,
    entity_position: Vec3::ZERO,
    entity_forward: Vec3::Z,
    velocity: Vec3::ZERO,
};

/// A chain of joints with random axes: every joint is turned anyhow, and its child lies at a random place.
fn random_chain(random: &mut Random, joints: u16) -> Skeleton {
    let joint = |index: u16, random: &mut Random| Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("joint {index}"),
        bind_translation: random.quat() * Vec3::X * random.between(0.3, 0.6),
        bind_rotation: random.quat(),
        bind_scale: Vec3::splat(random.between(0.7, 1.4)),
    };
    Skeleton { joints: (0..joints).map(|index| joint(index, random)).collect() }
}

/// Where joints are in the world, in `f64` and by other code than the library's.
fn places(skeleton: &Skeleton, poses: &[JointPose], world: &Affine3A) -> Vec<DVec3> {
    let mut found: Vec<(DVec3, DQuat, f64)> = Vec::new();
    for (joint, (t, r, s)) in skeleton.joints.iter().zip(poses) {
        let (place, turn, scale) =
            joint.parent.map_or((DVec3::ZERO, DQuat::IDENTITY, 1.0), |parent| found[usize::from(parent)]);
        let (t, r) = (t.as_dvec3(), r.as_dquat().normalize());
        found.push((place + turn * (t * scale), turn * r, scale * f64::from(s.x)));
    }
    found.into_iter().map(|(place, ..)| world.transform_point3(place.as_vec3()).as_dvec3()).collect()
}

fn world(random: &mut Random) -> Affine3A {
    let scale = Vec3::splat(random.between(0.5, 2.0));
    Affine3A::from_scale_rotation_translation(scale, random.quat(), random.vector(5.0))
}

#[test]
fn limbs_of_any_rig_meet_their_target_in_the_world() {
    let mut random = Random::new(31);
    for _ in 0..300 {
        let skeleton = random_chain(&mut random, 5);
        let (rig, world) = (Rig::new(&skeleton), world(&mut random));
        let mut poses = skeleton.bind_pose();
        let before = places(&skeleton, &poses, &world);
        let (upper, lower) = (before[1].distance(before[2]), before[2].distance(before[3]));
        let reach = random.between(0.15, 0.99) as f64;
        let distance = (upper - lower).abs() * (1.0 - reach) + (upper + lower) * reach;
        let target = before[1] + (random.quat() * Vec3::X).as_dvec3() * distance;
        let rotation = random.quat();
        let mut stack = ProceduralAnimationStack::default();
        let mut layer = TwoBoneIk::new(&rig, [1, 2, 3], target.as_vec3());
        layer.end_rotation = Some(rotation);
        stack.push(layer);
        let mut pose = ModelPose::new(&rig, &mut poses, world);
        stack.apply_in_model(&CONTEXT, &mut pose);
        let (_, world_rotation, _) = world.to_scale_rotation_translation();
        let end = world_rotation * pose.rotation(3);
        drop(pose);
        let after = places(&skeleton, &poses, &world);
        assert!(after[3].distance(target) < 1e-4 * (upper + lower), "{}", after[3].distance(target));
        assert!((after[2].distance(after[1]) - upper).abs() < 1e-4 * upper);
        assert!(end.angle_between(rotation) < 2e-3, "the hand is held as asked");
        assert!(poses[0] == skeleton.joints[0].bind_pose() && poses[4] == skeleton.joints[4].bind_pose());
    }
}

#[test]
fn chains_of_any_rig_meet_their_target_in_the_world() {
    let mut random = Random::new(32);
    for _ in 0..200 {
        let skeleton = random_chain(&mut random, 8);
        let (rig, world) = (Rig::new(&skeleton), world(&mut random));
        let mut poses = skeleton.bind_pose();
        let before = places(&skeleton, &poses, &world);
        let length: f64 = before[1..].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let target = before[1] + (random.quat() * Vec3::X).as_dvec3() * (f64::from(random.between(0.4, 0.85)) * length);
        let mut stack = ProceduralAnimationStack::default();
        stack.push(ChainIk::new((1..8).collect(), target.as_vec3()));
        let mut pose = ModelPose::new(&rig, &mut poses, world);
        stack.apply_in_model(&CONTEXT, &mut pose);
        drop(pose);
        let after = places(&skeleton, &poses, &world);
        assert!(after[7].distance(target) < 5e-4 * length, "{} of {length}", after[7].distance(target));
    }
}

/// Half the weight is half of every turn, and none is none.
#[test]
fn weights_blend() {
    let mut random = Random::new(33);
    let skeleton = random_chain(&mut random, 5);
    let rig = Rig::new(&skeleton);
    let bent = |weight: f32| {
        let mut poses = skeleton.bind_pose();
        let mut stack = ProceduralAnimationStack::default();
        let target = rig.position(1) + Vec3::new(0.2, 0.3, 0.1);
        let mut layer = TwoBoneIk::new(&rig, [1, 2, 3], target);
        layer.weight = weight;
        stack.push(layer);
        let mut pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY);
        stack.apply_in_model(&CONTEXT, &mut pose);
        drop(pose);
        poses
    };
    let (none, half, full) = (bent(0.0), bent(0.5), bent(1.0));
    assert_eq!(none, skeleton.bind_pose());
    for joint in 1..3 {
        let (to_half, to_full) =
            (none[joint].1.angle_between(half[joint].1), none[joint].1.angle_between(full[joint].1));
        assert!((2.0 * to_half - to_full).abs() < 2e-3 && to_full > 0.05, "{to_half} {to_full}");
    }
}

/// Nothing that makes no sense changes the pose, and the other layers go on.
#[test]
fn trouble_leaves_everything_else_alone() {
    let mut random = Random::new(34);
    let mut skeleton = random_chain(&mut random, 5);
    skeleton.joints[4].bind_translation = Vec3::ZERO;
    let rig = Rig::new(&skeleton);
    let mut stacks: Vec<ProceduralAnimationStack> = Vec::new();
    for (joints, target) in [
        ([1, 2, 3], Vec3::NAN),
        ([1, 2, 3], Vec3::splat(f32::INFINITY)),
        ([1, 2, 99], Vec3::X),
        // A lower bone without length.
        ([2, 3, 4], Vec3::X),
        ([1, 1, 1], Vec3::X),
    ] {
        stacks.push(ProceduralAnimationStack { layers: vec![Box::new(TwoBoneIk::new(&rig, joints, target))] });
    }
    for (joints, target) in
        [(vec![1, 2, 3], Vec3::NAN), (vec![1, 2, 99], Vec3::X), (vec![], Vec3::X), (vec![1], Vec3::X)]
    {
        stacks.push(ProceduralAnimationStack { layers: vec![Box::new(ChainIk::new(joints, target))] });
    }
    let apply = |stack: &mut ProceduralAnimationStack| {
        let mut poses = skeleton.bind_pose();
        for _ in 0..3 {
            poses = skeleton.bind_pose();
            let mut pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY);
            stack.apply_in_model(&CONTEXT, &mut pose);
        }
        poses
    };
    let breathing = || BreathingLayer { joint_index: 2, frequency: 0.5, amplitude: 0.1, weight: 1.0 };
    let expected = apply(&mut ProceduralAnimationStack { layers: vec![Box::new(breathing())] });
    for (index, stack) in stacks.iter_mut().enumerate() {
        stack.push(breathing());
        assert_eq!(apply(stack), expected, "stack {index}");
    }
}
