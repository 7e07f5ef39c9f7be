use std::sync::Arc;

use glam::{Affine3A, DMat3, DVec3, Quat, Vec3};
use nebula_animation::{
    AimLayer, HumanoidMap, JointPose, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig, Skeleton,
    load_skeleton_and_clips, procedural::AimJoint, rig::RigOptions,
};

use super::{context, degrees_between, model_from_joint, random_character};

fn humanoid() -> (Skeleton, Arc<Rig>, HumanoidMap) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, _) = load_skeleton_and_clips(&path).expect("the file loads");
    let (rig, map) = (Rig::new(&skeleton), HumanoidMap::find(&skeleton).expect("a humanoid"));
    (skeleton, rig, map)
}

/// A rig whose front is given.
fn facing_z(skeleton: &Skeleton) -> Arc<Rig> {
    Rig::with_options(skeleton, RigOptions { front: Some(Vec3::Z), ..RigOptions::default() })
}

/// Applies an aim to poses.
fn apply(layer: &mut Option<AimLayer>, rig: &Rig, poses: &mut [JointPose], dt: f32, world_from_model: Affine3A) {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(layer.take().expect("an aim"));
    let context = ProceduralContext { dt, entity_forward: Vec3::Z, ..context() };
    stack.apply_in_model(&context, &mut ModelPose::new(rig, poses, world_from_model));
    *layer = stack.layer::<AimLayer>().cloned();
}

/// Where the eye is and where it looks, in model space, by the f64 hierarchy.
fn gaze(skeleton: &Skeleton, poses: &[JointPose], last: u16, eye: Vec3) -> (DVec3, DVec3) {
    let axis = DMat3::from_mat4(model_from_joint(skeleton, &skeleton.bind_pose(), last)).inverse() * DVec3::Z;
    let model = model_from_joint(skeleton, poses, last);
    (model.transform_point3(eye.as_dvec3()), model.transform_vector3(axis).normalize())
}

/// A way of a few joints down a skeleton.
fn chain(skeleton: &Skeleton, last: u16, most: usize) -> Vec<u16> {
    let mut chain: Vec<u16> =
        std::iter::successors(Some(last), |&joint| skeleton.joints[usize::from(joint)].parent).take(most).collect();
    chain.reverse();
    chain
}

/// Chains of one to four joints on two hundred rigs: the real eye, beside its joint, looks at the target.
#[test]
fn chains_on_random_rigs_meet_the_target() {
    let mut worst = 0.0_f64;
    for seed in 0..200 {
        let (skeleton, mut poses, mut random) = random_character(seed);
        let rig = facing_z(&skeleton);
        let last = random.below(skeleton.joints.len()) as u16;
        let joints = chain(&skeleton, last, 1 + random.below(4));
        let joints =
            joints.into_iter().map(|joint| AimJoint { share: random.between(0.1, 2.0), ..AimJoint::new(joint) });
        let joints: Vec<_> = joints.collect();
        let world_from_model = Affine3A::from_rotation_translation(random.quat(), random.vector(5.0));
        let target = random.vector(1.0).normalize_or(Vec3::X) * random.between(5.0, 50.0);
        let mut layer = AimLayer::new(joints, world_from_model.transform_point3(target));
        (layer.follow_secs, layer.limit, layer.eye) = (0.0, 4.0, random.vector(0.05));
        let eye = layer.eye;
        apply(&mut Some(layer), &rig, &mut poses, 0.1, world_from_model);
        let (eye, gaze) = gaze(&skeleton, &poses, last, eye);
        let error = degrees_between(gaze, target.as_dvec3() - eye);
        worst = worst.max(error);
        assert!(error < 0.1, "rig {seed}: {error} degrees");
    }
    println!("worst: {worst:.6} degrees");
}

/// One joint with a cone on two hundred rigs: the direction in the cone that is closest to the target's.
#[test]
fn a_cone_is_left_by_nobody_and_used_to_its_edge() {
    let (mut worst, mut limited) = (0.0_f64, 0);
    for seed in 0..200 {
        let (skeleton, mut poses, mut random) = random_character(seed);
        let rig = facing_z(&skeleton);
        let joint = random.below(skeleton.joints.len()) as u16;
        // The joint itself is at rest, so that the animation is inside its cone.
        poses[usize::from(joint)] = skeleton.joints[usize::from(joint)].bind_pose();
        let limit = random.between(0.05, 2.5);
        let target = random.vector(1.0).normalize_or(Vec3::X) * 20.0;
        let mut layer = AimLayer::new([AimJoint { limit, ..AimJoint::new(joint) }], target);
        (layer.follow_secs, layer.limit) = (0.0, 4.0);
        let (eye, center) = gaze(&skeleton, &poses, joint, Vec3::ZERO);
        apply(&mut Some(layer), &rig, &mut poses, 0.1, Affine3A::IDENTITY);
        let (_, after) = gaze(&skeleton, &poses, joint, Vec3::ZERO);
        let wanted = (target.as_dvec3() - eye).normalize();
        let closest = if degrees_between(center, wanted) <= f64::from(limit.to_degrees()) {
            wanted
        } else {
            limited += 1;
            let side = (wanted - center * center.dot(wanted)).normalize();
            center * f64::from(limit).cos() + side * f64::from(limit).sin()
        };
        worst = worst.max(degrees_between(after, closest));
        assert!(degrees_between(after, closest) < 0.1, "rig {seed}: {} degrees", degrees_between(after, closest));
    }
    assert!((50..150).contains(&limited), "both cases are tested: {limited}");
    println!("worst: {worst:.6} degrees");
}

/// A target in reach of the chain as a whole is met although one joint is at its limit: the others take more.
#[test]
fn joints_at_their_limit_leave_the_rest_to_others() {
    let (skeleton, rig, map) = humanoid();
    for degrees in [20_f32, 60.0, 85.0, -100.0] {
        let direction = Vec3::new(degrees.to_radians().sin(), 0.2, degrees.to_radians().cos());
        let target = Vec3::new(0.0, 1.6, 0.0) + 10.0 * direction;
        let mut layer = map.aim(&rig, target).expect("a head");
        layer.follow_secs = 0.0;
        let eye = layer.eye;
        // The neck can do next to nothing.
        layer.chain_mut()[1].limit = 0.05;
        layer.chain_mut()[0].limit = 1.0;
        let mut poses = skeleton.bind_pose();
        apply(&mut Some(layer), &rig, &mut poses, 0.1, Affine3A::IDENTITY);
        let (eye, gaze) = gaze(&skeleton, &poses, skeleton.joint_by_name("Head").expect("a head"), eye);
        let error = degrees_between(gaze, target.as_dvec3() - eye);
        assert!(error < 0.1, "{degrees}: {error} degrees");
        let neck = skeleton.joint_by_name("Neck").expect("a neck");
        assert!(poses[usize::from(neck)].1.angle_between(Quat::IDENTITY) < 0.051);
    }
}

/// The largest step of any joint in a frame, in degrees, and the largest error while the target is well before the character.
fn circle(height: f32, turns: f32, steps_per_second: f32, limit: Option<f32>) -> (f64, f64) {
    let (skeleton, rig, map) = humanoid();
    let head = skeleton.joint_by_name("Head").expect("a head");
    let mut layer = map.aim(&rig, Vec3::ZERO).expect("a head");
    layer.limit = limit.unwrap_or(layer.limit);
    let eye = layer.eye;
    let mut layer = Some(layer);
    let mut before: Option<Vec<JointPose>> = None;
    let (mut step, mut error) = (0.0_f64, 0.0_f64);
    for frame in 0..(turns * 4.0 * steps_per_second) as u32 {
        let seconds = f64::from(frame) / f64::from(steps_per_second);
        let angle = seconds / 4.0 * std::f64::consts::TAU;
        let target = Vec3::new(4.0 * angle.sin() as f32, height, 4.0 * angle.cos() as f32);
        if let Some(layer) = &mut layer {
            layer.target = target;
        }
        let mut poses = skeleton.bind_pose();
        apply(&mut layer, &rig, &mut poses, 1.0 / steps_per_second, Affine3A::IDENTITY);
        if let Some(before) = &before {
            for (now, was) in poses.iter().zip(before) {
                step = step.max(f64::from(now.1.angle_between(was.1)).to_degrees());
            }
        }
        let (eye, gaze) = gaze(&skeleton, &poses, head, eye);
        // After a second, on the way from half left to half right, and from there a while.
        let is_settled = frame as f32 > steps_per_second && angle.cos() > 0.5 && angle.sin() > -0.2;
        if is_settled {
            error = error.max(degrees_between(gaze, target.as_dvec3() - eye));
        }
        before = Some(poses);
    }
    (step, error)
}

/// Ten times around, at, above and below the height of the eyes: no joint ever jumps. A step that is a quarter as long in time is
/// a quarter as far, which a jump would not be.
#[test]
fn a_target_that_circles_is_followed_without_a_jump() {
    for height in [1.6, 3.5, 0.2] {
        let (coarse, error) = circle(height, 10.0, 60.0, None);
        let (fine, _) = circle(height, 10.0, 240.0, None);
        println!("height {height}: {coarse:.2} degrees a frame at most, {fine:.2} at 240 Hz, {error:.2} behind");
        assert!(coarse < 12.0, "{coarse} degrees in a sixtieth of a second");
        assert!(fine < 0.3 * coarse, "{fine} of {coarse}");
        assert!(error < 30.0, "it lags by {error} degrees");
    }
}

/// The same on rigs with any bone axes and scales, with limits and without: where the eye looks never jumps.
#[test]
fn random_rigs_follow_a_circling_target_without_a_jump() {
    for seed in 0..40 {
        let (skeleton, _, mut random) = random_character(seed);
        let rig = facing_z(&skeleton);
        let last = random.below(skeleton.joints.len()) as u16;
        let joints: Vec<AimJoint> = chain(&skeleton, last, 3).into_iter().map(AimJoint::new).collect();
        let (height, limit) = (random.between(-5.0, 5.0), [110_f32.to_radians(), 4.0][random.below(2)]);
        let largest_step = |rate: u16| {
            let mut layer = AimLayer::new(joints.clone(), Vec3::ZERO);
            (layer.limit, layer.follow_secs) = (limit, 0.3);
            let (mut layer, mut before, mut largest) = (Some(layer), None, 0.0_f64);
            // Ten turns of two seconds.
            for frame in 0..20 * rate {
                let angle = f32::from(frame) / f32::from(rate) * std::f32::consts::PI;
                if let Some(layer) = &mut layer {
                    layer.target = rig.position(last) + Vec3::new(20.0 * angle.sin(), height, 20.0 * angle.cos());
                }
                let mut poses = skeleton.bind_pose();
                apply(&mut layer, &rig, &mut poses, 1.0 / f32::from(rate), Affine3A::IDENTITY);
                let (_, gaze) = gaze(&skeleton, &poses, last, Vec3::ZERO);
                largest = largest.max(before.map_or(0.0, |before| degrees_between(before, gaze)));
                before = Some(gaze);
            }
            largest
        };
        let (coarse, fine) = (largest_step(30), largest_step(120));
        assert!(coarse < 60.0 && fine < 0.4 * coarse, "rig {seed}: {fine} of {coarse} degrees, limit {limit}");
    }
}

/// Behind the back, the side is kept until the other one is clearly nearer, in both directions.
#[test]
fn a_target_behind_the_back_does_not_make_it_flip() {
    let (skeleton, rig, map) = humanoid();
    let head = usize::from(skeleton.joint_by_name("Head").expect("a head"));
    let mut layer = Some(map.aim(&rig, Vec3::ZERO).expect("a head"));
    let mut side = |degrees: f32| {
        for _ in 0..240 {
            let angle = degrees.to_radians();
            if let Some(layer) = &mut layer {
                layer.target = Vec3::new(4.0 * angle.sin(), 1.6, 4.0 * angle.cos());
            }
            let mut poses = skeleton.bind_pose();
            apply(&mut layer, &rig, &mut poses, 1.0 / 60.0, Affine3A::IDENTITY);
            if layer.is_none() {
                return 0.0;
            }
        }
        let mut poses = skeleton.bind_pose();
        apply(&mut layer, &rig, &mut poses, 1.0 / 60.0, Affine3A::IDENTITY);
        (poses[head].1 * Vec3::Z).x.signum()
    };
    assert_eq!(side(120.0), 1.0);
    assert_eq!(side(179.0), 1.0);
    for wobble in [181.0, 179.0, 185.0, 175.0, 200.0] {
        assert_eq!(side(wobble), 1.0, "{wobble}");
    }
    assert_eq!(side(210.0), -1.0, "clearly nearer by the other side");
    assert_eq!(side(170.0), -1.0, "and the same on the way back");
    assert_eq!(side(150.0), 1.0);
}

/// Half a second in frames of any length leads to the same place.
#[test]
fn following_does_not_depend_on_the_frame_rate() {
    let (skeleton, rig, map) = humanoid();
    let head = skeleton.joint_by_name("Head").expect("a head");
    let ends: Vec<DVec3> = [10_u16, 30, 60, 144, 1000]
        .into_iter()
        .map(|rate| {
            let mut layer = map.aim(&rig, Vec3::new(3.0, 1.2, 2.0)).expect("a head");
            layer.follow_secs = 1.0;
            let (eye, mut layer) = (layer.eye, Some(layer));
            let mut poses = skeleton.bind_pose();
            for _ in 0..rate / 2 {
                poses = skeleton.bind_pose();
                apply(&mut layer, &rig, &mut poses, 1.0 / f32::from(rate), Affine3A::IDENTITY);
            }
            gaze(&skeleton, &poses, head, eye).1
        })
        .collect();
    for end in &ends {
        assert!(degrees_between(*end, ends[0]) < 0.01, "{ends:?}");
    }
    assert!(degrees_between(ends[0], DVec3::Z) > 20.0, "it has set out");
}

/// Eyeballs meet the target each from its own place, and leave the head some of the way to go.
#[test]
fn eyeballs_converge() {
    let (mut skeleton, _, _) = humanoid();
    let head = skeleton.joint_by_name("Head").expect("a head");
    for (side, x) in [("Left", 0.03), ("Right", -0.03)] {
        let mut eye = skeleton.joints[usize::from(head)].clone();
        (eye.index, eye.parent, eye.name) = (skeleton.joints.len() as u16, Some(head), format!("{side}Eye"));
        // Exporters like eyes whose own Y axis looks out of the face.
        (eye.bind_translation, eye.bind_rotation) = (Vec3::new(x, 0.1, 0.08), Quat::from_rotation_x(1.2));
        skeleton.joints.push(eye);
    }
    let (rig, map) = (Rig::new(&skeleton), HumanoidMap::find(&skeleton).expect("a humanoid"));
    let target = Vec3::new(1.0, 1.5, 1.6);
    let mut layer = map.aim(&rig, target).expect("a head");
    layer.follow_secs = 0.0;
    let mut poses = skeleton.bind_pose();
    apply(&mut Some(layer), &rig, &mut poses, 0.1, Affine3A::IDENTITY);
    let directions: Vec<DVec3> = ["LeftEye", "RightEye"]
        .into_iter()
        .map(|name| {
            let eye = skeleton.joint_by_name(name).expect("an eye");
            let (place, gaze) = gaze(&skeleton, &poses, eye, Vec3::ZERO);
            assert!(degrees_between(gaze, target.as_dvec3() - place) < 0.1);
            gaze
        })
        .collect();
    assert!(degrees_between(directions[0], directions[1]) > 0.5, "each from its own place");
    let (_, face) = gaze(&skeleton, &poses, head, Vec3::ZERO);
    let turned = degrees_between(face, DVec3::Z);
    assert!(turned > 10.0 && degrees_between(face, directions[0]) > 1.0, "the head has turned by {turned}");
}

/// What a chain of shares does with a turn that is in everybody's reach.
#[test]
fn shares_are_kept() {
    let (skeleton, rig, map) = humanoid();
    let mut layer = map.aim(&rig, Vec3::new(30.0, 1.65, 100.0)).expect("a head");
    layer.follow_secs = 0.0;
    let joints: Vec<u16> = layer.chain().iter().map(|joint| joint.joint).collect();
    let mut poses = skeleton.bind_pose();
    apply(&mut Some(layer), &rig, &mut poses, 0.1, Affine3A::IDENTITY);
    let angles: Vec<f32> =
        joints.iter().map(|joint| poses[usize::from(*joint)].1.angle_between(Quat::IDENTITY)).collect();
    let whole: f32 = angles.iter().sum();
    for (angle, share) in angles.iter().zip([0.2, 0.3, 0.5]) {
        assert!((angle / whole - share).abs() < 0.01, "{angles:?}");
    }
}

/// What follows from limits and shares is kept from frame to frame, but not longer than these are.
#[test]
fn limits_and_shares_can_change_on_the_way() {
    let (skeleton, rig, map) = humanoid();
    let mut layer = map.aim(&rig, Vec3::new(3.0, 1.0, 1.0)).expect("a head");
    layer.follow_secs = 0.0;
    let (mut changed, mut fresh) = (Some(layer.clone()), layer);
    let mut first = skeleton.bind_pose();
    apply(&mut changed, &rig, &mut first, 0.1, Affine3A::IDENTITY);
    for layer in [changed.as_mut().expect("an aim"), &mut fresh] {
        (layer.chain_mut()[0].share, layer.chain_mut()[1].limit) = (5.0, 0.05);
    }
    let [mut second, mut expected] = [skeleton.bind_pose(), skeleton.bind_pose()];
    apply(&mut changed, &rig, &mut second, 0.1, Affine3A::IDENTITY);
    apply(&mut Some(fresh), &rig, &mut expected, 0.1, Affine3A::IDENTITY);
    assert_eq!(second, expected);
    assert_ne!(second, first, "shares and limits make a difference");
}
