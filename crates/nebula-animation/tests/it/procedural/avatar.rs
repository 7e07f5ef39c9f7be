//! Springs, constraints and gazes of VRM files against the formulas of the specification, in double precision.

mod kept;
mod springs;

use glam::{Affine3A, DMat4, DQuat, DVec3, Quat, Vec3};
use nebula_animation::procedural::avatar::{EyeGazeLayer, JointConstraints, layers};
use nebula_animation::procedural::springs::SpringJoints;
use nebula_animation::rig::avatar::{ConstraintKind, JointColliderShape, JointConstraint, SpringJointChain};
use nebula_animation::{Asset, JointPose, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig};

use crate::asset::vrm;
use crate::procedural::context;

struct Body {
    asset: Asset,
    local: Vec<(DVec3, DQuat)>,
}

impl Body {
    fn new(asset: &Asset) -> Self {
        let wide = |(translation, rotation, _): JointPose| (translation.as_dvec3(), rotation.as_dquat().normalize());
        Self { asset: asset.clone(), local: asset.skeleton.bind_pose().into_iter().map(wide).collect() }
    }

    fn world(&self, world: DMat4, joint: u16) -> DMat4 {
        let (translation, rotation) = self.local[usize::from(joint)];
        let own = DMat4::from_rotation_translation(rotation, translation);
        match self.asset.skeleton.joints[usize::from(joint)].parent {
            Some(parent) => self.world(world, parent) * own,
            None => world * own,
        }
    }

    fn parent_rotation(&self, world: DMat4, joint: u16) -> DQuat {
        let parent = self.asset.skeleton.joints[usize::from(joint)].parent;
        let above = parent.map_or(world, |parent| self.world(world, parent));
        above.to_scale_rotation_translation().1
    }
}

/// `fromToQuaternion` of the specification.
fn from_to(from: DVec3, to: DVec3) -> DQuat {
    DQuat::from_rotation_arc(from.normalize(), to.normalize())
}

/// One update of the specification, all in world space but what counts in that of the centre.
fn update(body: &mut Body, chain: &SpringJointChain, tails: &mut [[DVec3; 2]], world: DMat4, rest: &Body, dt: f64) {
    for bone in &chain.bones {
        body.local[usize::from(bone.joint)] = rest.local[usize::from(bone.joint)];
    }
    let center = chain.center.map_or(DMat4::IDENTITY, |center| body.world(world, center));
    for (bone, tail) in chain.bones.iter().zip(tails) {
        let index = usize::from(bone.joint);
        let at = body.world(world, bone.joint).w_axis.truncate();
        let axis = bone.tail.as_dvec3().normalize();
        let length = bone.tail.as_dvec3().length();
        let parent = body.parent_rotation(world, bone.joint);
        let initial = rest.local[index].1;
        let [current, previous] = tail.map(|tail| center.transform_point3(tail));
        let inertia = (current - previous) * (1.0 - f64::from(bone.drag));
        let stiffness = dt * f64::from(bone.stiffness) * (parent * initial * axis);
        let external = dt * f64::from(bone.gravity_power) * bone.gravity.as_dvec3();
        let mut next = current + inertia + stiffness + external;
        next = at + (next - at).normalize() * length;
        for collider in &chain.colliders {
            let place = body.world(world, collider.joint);
            let radius = f64::from(bone.radius);
            match collider.shape {
                JointColliderShape::Capsule { ends, radius: own, is_inside } => {
                    let [head, tail] = ends.map(|end| place.transform_point3(end.as_dvec3()));
                    let along = tail - head;
                    let amount =
                        if along.length() > 0.0 { (next - head).dot(along) / along.length_squared() } else { 0.0 };
                    let away = next - (head + along * amount.clamp(0.0, 1.0));
                    // Inside out, as the extension for colliders has it.
                    let distance = if is_inside {
                        f64::from(own) - radius - away.length()
                    } else {
                        away.length() - radius - f64::from(own)
                    };
                    if distance < 0.0 {
                        let direction = if is_inside { -away.normalize() } else { away.normalize() };
                        next -= direction * distance;
                        next = at + (next - at).normalize() * length;
                    }
                }
                JointColliderShape::Plane { point, normal } => {
                    let normal = place.transform_vector3(normal.as_dvec3()).normalize();
                    let distance = (next - place.transform_point3(point.as_dvec3())).dot(normal) - radius;
                    if distance < 0.0 {
                        next -= normal * distance;
                        next = at + (next - at).normalize() * length;
                    }
                }
            }
        }
        let inverse = center.inverse();
        *tail = [inverse.transform_point3(next), tail[0]];
        let to = (parent * initial).inverse() * (next - at);
        body.local[index].1 = initial * from_to(axis, to);
    }
}

/// Where an avatar is that starts to walk and turns.
fn way(time: f64) -> DMat4 {
    let walked = DVec3::new(0.4 * (3.0 * time).sin(), 0.05 * (9.0 * time).sin(), 1.5 * time);
    DMat4::from_rotation_translation(DQuat::from_rotation_y(1.2 * time), walked)
}

fn narrow(matrix: DMat4) -> Affine3A {
    Affine3A::from_mat4(matrix.as_mat4())
}

fn frame(elapsed: f32, dt: f32) -> ProceduralContext {
    ProceduralContext { dt, elapsed, ..context() }
}

/// Where the ends of a chain's bones are in the world.
fn ends(model: &mut ModelPose<'_>, chain: &SpringJointChain) -> Vec<Vec3> {
    let world = *model.world_from_model();
    chain.bones.iter().map(|bone| (world * model.model(bone.joint)).transform_point3(bone.tail)).collect()
}

/// Against the formulas, with and without a centre: VRM 1.0 and 0.x, whose springs branch and end in tips of their own.
#[test]
fn springs_are_those_of_the_specification() {
    let [one, zero] = [vrm::one(), vrm::zero()].map(|file| vrm::avatar(&file));
    let hips = one.1.springs[0].center;
    for ((asset, avatar), center) in [(&one, hips), (&one, None), (&zero, None), (&zero, hips)] {
        let rig = asset.rig();
        let chain = SpringJointChain { center, ..avatar.springs[0].clone() };
        let (rest, mut body) = (Body::new(asset), Body::new(asset));
        let inverse = chain.center.map_or(DMat4::IDENTITY, |center| body.world(way(0.0), center)).inverse();
        let mut tails: Vec<[DVec3; 2]> = chain
            .bones
            .iter()
            .map(|bone| {
                let tail = body.world(way(0.0), bone.joint).transform_point3(bone.tail.as_dvec3());
                [inverse.transform_point3(tail); 2]
            })
            .collect();
        let mut stack = ProceduralAnimationStack::default();
        stack.push(SpringJoints::new(chain.clone()));
        let (mut most, mut touched) = (0.0_f64, 0.0_f64);
        for step in 0..180_u16 {
            let time = f64::from(step) / 60.0;
            // The first frame is how it hangs: no time has passed.
            if step > 0 {
                update(&mut body, &chain, &mut tails, way(time), &rest, 1.0 / 60.0);
            }
            let mut pose = asset.skeleton.bind_pose();
            let mut model = ModelPose::new(&rig, &mut pose, narrow(way(time)));
            stack.apply_in_model(&frame(time as f32, 1.0 / 60.0), &mut model);
            for bone in &chain.bones {
                let expected = body.local[usize::from(bone.joint)].1;
                let found = model.local(bone.joint).1.as_dquat();
                let off = 2.0 * (expected.inverse() * found).xyz().length().min(1.0).asin();
                assert!(off < 2e-4, "joint {} at {time}: {off} rad", bone.joint);
                most = most.max(off);
                let swung = rest.local[usize::from(bone.joint)].1.angle_between(expected);
                touched = touched.max(swung);
            }
        }
        assert!(touched > 0.1, "it swings: {touched}, and off by {most} at most");
    }
}

/// In motion, at the moments that all rates share: the chain is where it is at 60 Hz, for which the settings are made, to a part of what
/// it swings.
#[test]
fn springs_in_motion_hardly_depend_on_the_frame_rate() {
    let (asset, avatar) = vrm::avatar(&vrm::one());
    let rig = asset.rig();
    for center in [None, avatar.springs[0].center] {
        let chain = SpringJointChain { center, ..avatar.springs[0].clone() };
        // Ends of bones against the head, twelve times a second; and where they would be if nothing swung.
        let swing = |rate: u16| {
            let mut stack = ProceduralAnimationStack::default();
            stack.push(SpringJoints::new(chain.clone()));
            let (mut all, mut stiff) = (Vec::new(), Vec::new());
            for step in 0..=2 * rate {
                let time = f64::from(step) / f64::from(rate);
                let mut pose = asset.skeleton.bind_pose();
                let mut model = ModelPose::new(&rig, &mut pose, narrow(way(time)));
                let rest = ends(&mut model, &chain);
                stack.apply_in_model(&frame(time as f32, 1.0 / f32::from(rate)), &mut model);
                if step % (rate / 6) == 0 {
                    all.extend(ends(&mut model, &chain));
                    stiff.extend(rest);
                }
            }
            (all, stiff)
        };
        let (expected, stiff) = swing(60);
        let distance = |a: &[Vec3], b: &[Vec3]| {
            let squares: f32 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
            (squares / a.len() as f32).sqrt()
        };
        let swung = distance(&expected, &stiff);
        assert!(swung > 0.02, "it swings by {swung} m");
        for rate in [30, 48, 90, 144, 240] {
            let off = distance(&swing(rate).0, &expected);
            println!("{rate} Hz, centre {center:?}: {off} of {swung} m");
            assert!(off < 0.06 * swung, "{rate} Hz, centre {center:?}: {off} of {swung} m");
        }
    }
}

#[test]
fn constraints_are_those_of_the_specification() {
    let (asset, avatar) = vrm::avatar(&vrm::one());
    let rig = asset.rig();
    let rest = Body::new(&asset);
    let all = every_axis(&avatar.constraints);
    assert_eq!(all.len(), 3 + 6 + 1, "three axes to roll about, six to aim along");
    for constraints in all {
        follow(&asset, &rig, &rest, &constraints);
    }
}

/// The constraints of the file with every axis that there is, one list for each.
fn every_axis(constraints: &[JointConstraint]) -> Vec<Vec<JointConstraint>> {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let rolls = axes.into_iter().map(ConstraintKind::Roll);
    let aims = axes.into_iter().flat_map(|axis| [axis, -axis]).map(ConstraintKind::Aim);
    let with = |kind: ConstraintKind| {
        let alike = std::mem::discriminant(&kind);
        let changed = constraints.iter().map(|constraint| {
            let is_meant = std::mem::discriminant(&constraint.kind) == alike;
            JointConstraint { kind: if is_meant { kind } else { constraint.kind }, ..*constraint }
        });
        changed.collect()
    };
    rolls.chain(aims).chain([ConstraintKind::Rotation]).map(with).collect()
}

fn follow(asset: &Asset, rig: &Rig, rest: &Body, constraints: &[JointConstraint]) {
    for turn in 0..40_u8 {
        let angle = f32::from(turn) * 0.37;
        let mut pose = asset.skeleton.bind_pose();
        for (index, joint) in pose.iter_mut().enumerate() {
            let axis =
                Vec3::new((index as f32 + angle).sin(), (2.0 * index as f32).cos(), angle.cos()).normalize_or_zero();
            let turned = joint.1 * Quat::from_axis_angle(axis, 0.6 * (angle + index as f32).sin());
            joint.1 = turned * turned.length_recip();
        }
        let mut body = Body::new(asset);
        for (wide, joint) in body.local.iter_mut().zip(&pose) {
            wide.1 = joint.1.as_dquat().normalize();
        }
        let mut stack = ProceduralAnimationStack::default();
        stack.push(JointConstraints::new(constraints.to_vec()));
        stack.apply_in_model(&context(), &mut ModelPose::new(rig, &mut pose, Affine3A::IDENTITY));
        for constraint in constraints {
            let [own, source] = [constraint.joint, constraint.source].map(usize::from);
            let (dst_rest, src_rest) = (rest.local[own].1, rest.local[source].1);
            let src_delta = src_rest.inverse() * body.local[source].1;
            let target = match constraint.kind {
                ConstraintKind::Rotation => dst_rest * src_delta,
                ConstraintKind::Roll(axis) => {
                    let axis = axis.as_dvec3();
                    let in_parent = src_rest * src_delta * src_rest.inverse();
                    let in_dst = dst_rest.inverse() * in_parent * dst_rest;
                    dst_rest * from_to(axis, in_dst * axis).inverse() * in_dst
                }
                ConstraintKind::Aim(axis) => {
                    let parent = body.parent_rotation(DMat4::IDENTITY, constraint.joint);
                    let [from, to] = [constraint.joint, constraint.source]
                        .map(|joint| body.world(DMat4::IDENTITY, joint).w_axis.truncate());
                    let now = parent * dst_rest * axis.as_dvec3();
                    parent.inverse() * from_to(now, to - from) * parent * dst_rest
                }
            };
            let expected = dst_rest.slerp(target, f64::from(constraint.weight));
            body.local[own].1 = expected;
            let off = expected.angle_between(pose[own].1.as_dquat());
            assert!(off < 2e-3, "{constraint:?}, turn {turn}: {off} rad");
            assert!(expected.dot(pose[own].1.as_dquat()).abs() > 1.0 - 1e-6);
        }
    }
}

#[test]
fn eyes_go_as_far_as_the_file_says() {
    let (asset, avatar) = vrm::avatar(&vrm::one());
    let rig = asset.rig();
    let gaze = avatar.gaze.expect("a gaze");
    let eye = rig.model_from_joint(gaze.head).transform_point3(gaze.offset);
    // The head is turned a little at rest; its front is the body's all the same. Degrees to the left, and below.
    for (left, down) in [(0.0, 0.0), (30.0, 0.0), (-45.0, 20.0), (80.0, -10.0), (-120.0, -60.0)] {
        let [yaw, pitch] = [left, down].map(f32::to_radians);
        let way = Vec3::new(yaw.sin() * pitch.cos(), -pitch.sin(), yaw.cos() * pitch.cos());
        let mut layer = EyeGazeLayer::new(gaze);
        layer.target = Some(eye + 3.0 * way);
        let mut pose = asset.skeleton.bind_pose();
        let mut model = ModelPose::new(&rig, &mut pose, Affine3A::IDENTITY);
        let found = layer.angles(&mut model, eye + 3.0 * way);
        assert!((found.0 - left).abs() < 0.01 && (found.1 - down).abs() < 0.01, "{found:?} for {left}, {down}");
        let mut stack = ProceduralAnimationStack::default();
        stack.push(layer);
        stack.apply_in_model(&context(), &mut model);
        let map = |degrees: f64, most: f64, output: f64| degrees.abs().min(most) / most * output;
        let (wide, high) = (f64::from(left), f64::from(down));
        let vertical = if high > 0.0 { map(high, 45.0, 10.0) } else { -map(high, 30.0, 5.0) };
        let (outer, inner) = (map(wide, 60.0, 12.0), map(wide, 90.0, 8.0));
        let yaws = if wide > 0.0 { [outer, inner] } else { [-inner, -outer] };
        for (joint, yaw) in gaze.eyes.into_iter().flatten().zip(yaws) {
            let rest = rig.model_from_joint(joint).to_scale_rotation_translation().1.as_dquat();
            let turn = DQuat::from_rotation_y(yaw.to_radians()) * DQuat::from_rotation_x(vertical.to_radians());
            let off = (turn * rest).dot(model.rotation(joint).as_dquat()).abs();
            assert!(off > 1.0 - 1e-6, "eye {joint} for {left}, {down}: {off}");
        }
    }
}

#[test]
fn expressions_follow_the_rules_of_overriding() {
    let (_, avatar) = vrm::avatar(&vrm::one());
    let [aa, blink, happy, wink] =
        ["aa", "blink", "happy", "wink"].map(|name| avatar.expression(name).expect("a face"));
    let mut asked = [0.0; 4];
    (asked[aa], asked[blink], asked[happy], asked[wink]) = (0.9, 1.0, 0.0, 0.4);
    // Nothing overrides: aa is on or off.
    let strengths = avatar.expression_strengths(&asked);
    assert_eq!([strengths[aa], strengths[blink], strengths[wink]], [1.0, 1.0, 0.4]);
    let mut weights = [0.0; 3];
    avatar.add_expressions(&asked, &mut weights);
    assert!(Vec3::from(weights).abs_diff_eq(Vec3::new(0.1, 1.0 + 0.2, 0.5), 1e-6), "{weights:?}");
    // Happy at 0.3 lets eyes blink by 0.7, and the mouth not at all.
    asked[happy] = 0.3;
    let strengths = avatar.expression_strengths(&asked);
    assert_eq!([strengths[aa], strengths[wink]], [0.0, 0.4]);
    assert!((strengths[blink] - 0.7).abs() < 1e-6);
    let error = avatar.expression("hapy").expect_err("misspelt").to_string();
    assert!(error.contains("happy"), "{error}");
}

#[test]
fn the_layers_of_an_avatar_come_in_order_and_survive_nonsense() {
    let (asset, avatar) = vrm::avatar(&vrm::one());
    assert_eq!(layers(&avatar).len(), 3);
    let mut stack = ProceduralAnimationStack { layers: layers(&avatar) };
    if let Some(gaze) = stack.layer_mut::<EyeGazeLayer>() {
        gaze.target = Some(Vec3::NAN);
    }
    let rig = asset.rig();
    // Another skeleton, and one that is not finite.
    let small = Rig::new(nebula_animation::Skeleton { joints: asset.skeleton.joints[..3].to_vec() });
    for (rig, count) in [(&rig, asset.skeleton.joints.len()), (&small, 3)] {
        let mut pose = asset.skeleton.bind_pose();
        pose.truncate(count);
        for dt in [1.0 / 60.0, 0.0, f32::NAN, 1e9, 0.3] {
            stack.apply_in_model(&frame(0.0, dt), &mut ModelPose::new(rig, &mut pose, Affine3A::IDENTITY));
            assert!(pose.iter().all(|(translation, rotation, _)| translation.is_finite() && rotation.is_finite()));
        }
    }
}
