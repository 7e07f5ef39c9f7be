//! Springs of VRM that are kept inside of something, and those on joints that a clip moves.

use glam::{DVec3, Quat, Vec3};
use nebula_animation::procedural::springs::SpringJoints;
use nebula_animation::rig::avatar::{JointCollider, JointColliderShape, SpringJointChain};
use nebula_animation::{JointPose, ModelPose, ProceduralAnimationStack};

use super::{Body, frame, narrow, update, way};
use crate::asset::vrm;

/// The most that a joint is off the formulas, and the most that one swings, in radians. `moved` changes the pose that springs find.
fn swing(chain: &SpringJointChain, moved: impl Fn(f64, &mut [JointPose])) -> (f64, f64) {
    let (asset, _) = vrm::avatar(&vrm::one());
    let rig = asset.rig();
    let (rest, mut body) = (Body::new(&asset), Body::new(&asset));
    let tail = |body: &Body, joint: u16, tail: Vec3| body.world(way(0.0), joint).transform_point3(tail.as_dvec3());
    let mut tails: Vec<[DVec3; 2]> = chain.bones.iter().map(|bone| [tail(&body, bone.joint, bone.tail); 2]).collect();
    let mut stack = ProceduralAnimationStack::default();
    stack.push(SpringJoints::new(chain.clone()));
    let (mut most, mut far) = (0.0_f64, 0.0_f64);
    for step in 0..180_u16 {
        let time = f64::from(step) / 60.0;
        let mut pose = asset.skeleton.bind_pose();
        moved(time, &mut pose);
        // What does not swing is as the clip has it.
        for (joint, (place, turn)) in body.local.iter_mut().enumerate() {
            if !chain.bones.iter().any(|bone| usize::from(bone.joint) == joint) {
                (*place, *turn) = (pose[joint].0.as_dvec3(), pose[joint].1.as_dquat().normalize());
            }
        }
        if step > 0 {
            update(&mut body, chain, &mut tails, way(time), &rest, 1.0 / 60.0);
        }
        let mut model = ModelPose::new(&rig, &mut pose, narrow(way(time)));
        stack.apply_in_model(&frame(time as f32, 1.0 / 60.0), &mut model);
        for bone in &chain.bones {
            let expected = body.local[usize::from(bone.joint)].1;
            let found = model.local(bone.joint).1.as_dquat();
            most = most.max(2.0 * (expected.inverse() * found).xyz().length().min(1.0).asin());
            far = far.max(rest.local[usize::from(bone.joint)].1.angle_between(expected));
        }
    }
    (most, far)
}

fn chain(colliders: Vec<JointCollider>) -> SpringJointChain {
    let (_, avatar) = vrm::avatar(&vrm::one());
    // Loose hair, so that it gets everywhere.
    let mut chain = SpringJointChain { center: None, colliders, ..avatar.springs[0].clone() };
    for bone in &mut chain.bones {
        (bone.stiffness, bone.drag, bone.gravity_power) = (0.15, 0.1, 0.5);
    }
    chain
}

/// One bone, for two would buckle against a wall: nobody knows to which side.
#[test]
fn colliders_keep_springs_inside() {
    let (asset, _) = vrm::avatar(&vrm::one());
    let one = |colliders: Vec<JointCollider>| {
        let mut chain = chain(colliders);
        chain.bones.truncate(1);
        chain
    };
    let bone = one(Vec::new()).bones[0];
    let head = asset.rig().parent(bone.joint).expect("a head");
    let (root, turn, _) = asset.skeleton.joints[usize::from(bone.joint)].bind_pose();
    let tip = root + turn * bone.tail;
    let round = |ends: [Vec3; 2]| JointCollider {
        joint: head,
        shape: JointColliderShape::Capsule { ends, radius: 0.03 + bone.radius, is_inside: true },
    };
    let (off, free) = swing(&one(Vec::new()), |_, _| {});
    assert!(off < 2e-3, "{off} rad");
    // Three centimetres to any side of where it hangs.
    let most = 2.0 * (0.015 / f64::from(bone.tail.length())).asin() + 0.01;
    for (what, ends) in [("a ball", [tip; 2]), ("a capsule", [root, tip + (tip - root)])] {
        let (off, kept) = swing(&one(vec![round(ends)]), |_, _| {});
        assert!(off < 2e-3, "{what}: {off} rad");
        assert!(kept < most && most < 0.7 * free, "{what} holds hair back: {kept} rad, and {free} rad without");
    }
}

/// `initialLocalRotation` of the specification is that of the file: hair that a clip turns swings as if it did not, and follows the head that
/// the clip turns.
#[test]
fn hair_that_a_clip_turns_swings_about_its_rest() {
    let chain = chain(Vec::new());
    let hair: Vec<usize> = chain.bones.iter().map(|bone| usize::from(bone.joint)).collect();
    let (asset, _) = vrm::avatar(&vrm::one());
    let head = usize::from(asset.rig().parent(hair[0] as u16).expect("a head"));
    let (off, still) = swing(&chain, |time, pose| {
        for joint in &hair {
            pose[*joint].1 *= Quat::from_rotation_z(1.2 * (5.0 * time).sin() as f32);
        }
    });
    assert!(off < 2e-3, "turned hair: {off} rad");
    let (off, nodding) =
        swing(&chain, |time, pose| pose[head].1 *= Quat::from_rotation_x(0.8 * (4.0 * time).sin() as f32));
    assert!(off < 2e-3, "a turned head: {off} rad");
    assert!((still - nodding).abs() > 1e-3, "the head counts: {still} and {nodding} rad");
}
