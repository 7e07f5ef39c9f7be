use glam::{Affine3A, DMat3, DVec3, Vec3};
use nebula_animation::{LookAtLayer, ModelPose, ProceduralAnimationStack, ProceduralLayer, Rig};

use super::{context, degrees_between, model_from_joint, random_character};

/// Two hundred rigs with any bone axes, poses with any rotation and scale above the head, entities anywhere: with limits open,
/// the head's front points at the target; with limits, it is turned towards it by as much as allowed.
#[test]
fn random_rigs_look_at_the_target() {
    let mut worst = (0.0_f64, 0.0_f64);
    for seed in 0..200 {
        let (skeleton, poses, mut random) = random_character(seed);
        let rig = Rig::new(&skeleton);
        let joint = random.below(skeleton.joints.len()) as u16;
        let (forward, place) = (random.quat() * Vec3::NEG_Z, random.vector(10.0));
        let entity_scale = random.between(0.5, 2.0);
        let world_from_model =
            Affine3A::from_scale_rotation_translation(Vec3::splat(entity_scale), random.quat(), place);
        let target = place + random.vector(20.0);
        let context =
            nebula_animation::ProceduralContext { entity_forward: forward, entity_position: place, ..context() };

        // What of the head is its front: what points forward, as the entity does, while nothing is animated.
        let world = world_from_model.matrix3.to_cols_array().map(f64::from);
        let world = DMat3::from_cols_array(&world);
        let front = world.inverse() * forward.as_dvec3();
        let axis = DMat3::from_mat4(model_from_joint(&skeleton, &skeleton.bind_pose(), joint)).inverse() * front;
        let gaze = |poses: &[_]| {
            let model = model_from_joint(&skeleton, poses, joint);
            let eye = world * model.w_axis.truncate() + place.as_dvec3();
            ((world * DMat3::from_mat4(model) * axis).normalize(), (target.as_dvec3() - eye).normalize())
        };

        for max_angle in [4.0, std::f32::consts::PI, random.between(0.0, 3.0)] {
            let mut bent = poses.clone();
            let look_at = LookAtLayer { joint_index: joint, target, max_angle, weight: 1.0 };
            let mut stack = ProceduralAnimationStack { layers: vec![Box::new(look_at)] };
            stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut bent, world_from_model));
            let ((before, wanted), (after, _)) = (gaze(&poses), gaze(&bent));
            let angle = degrees_between(before, wanted);
            let limit = f64::from(max_angle.to_degrees());
            if angle <= limit {
                worst.0 = worst.0.max(degrees_between(after, wanted));
                assert!(degrees_between(after, wanted) < 0.1, "rig {seed}: {}", degrees_between(after, wanted));
            } else {
                // The closest allowed direction lies on the great circle, as far from the start as is allowed.
                let side = (wanted - before * before.dot(wanted)).normalize();
                let (sine, cosine) = limit.to_radians().sin_cos();
                let closest = before * cosine + side * sine;
                worst.1 = worst.1.max(degrees_between(after, closest));
                assert!(degrees_between(after, closest) < 0.1, "rig {seed}: {}", degrees_between(after, closest));
            }
            // Nothing but the head has moved.
            for (index, (now, was)) in bent.iter().zip(&poses).enumerate() {
                assert!(index == usize::from(joint) || now == was, "joint {index}");
                assert_eq!((now.0, now.2), (was.0, was.2));
            }
        }
    }
    println!("worst: {:.6} degrees with open limits, {:.6} with limits", worst.0, worst.1);
}

/// A character that faces +Z, as glTF's do, looks at what is before its face, although its entity's forward is -Z.
#[test]
fn the_shipped_humanoid_looks_where_its_face_is() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, _) = nebula_animation::load_skeleton_and_clips(&path).expect("the file loads");
    let rig = Rig::new(&skeleton);
    let head = skeleton.joint_by_name("Head").expect("a head");
    let humanoid = nebula_animation::HumanoidMap::find(&skeleton).expect("a humanoid");
    let gaze = |target: Vec3| {
        let mut poses = skeleton.bind_pose();
        let mut stack = ProceduralAnimationStack { layers: vec![Box::new(humanoid.look_at(target).expect("a head"))] };
        stack.apply_in_model(&context(), &mut ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY));
        model_from_joint(&skeleton, &poses, head).transform_vector3(DVec3::Z)
    };
    let eyes = rig.position(head);
    assert!(degrees_between(gaze(eyes + Vec3::Z * 5.0), DVec3::Z) < 0.001, "straight ahead is not turned at all");
    let left = Vec3::new(1.0, 0.0, 1.0);
    assert!(degrees_between(gaze(eyes + left * 5.0), left.as_dvec3()) < 0.001, "half left");
    let behind = gaze(eyes + Vec3::new(0.1, 0.0, -5.0));
    assert!((degrees_between(behind, DVec3::Z) - 80.0).abs() < 0.01, "no further than a neck");
}

#[test]
fn by_itself_it_turns_from_the_entity_s_forward() {
    let mut layer = LookAtLayer { joint_index: 0, target: Vec3::ZERO, max_angle: 1.0, weight: 1.0 };
    let mut context = context();
    let mut turned = |target: Vec3, max_angle: f32, forward: Vec3| {
        (layer.target, layer.max_angle, context.entity_forward) = (target, max_angle, forward);
        let (translation, rotation, scale) = layer.evaluate(&context);
        assert_eq!((translation, scale), (Vec3::ZERO, Vec3::ONE));
        assert!((rotation.length() - 1.0).abs() < 1e-5);
        rotation * forward
    };
    assert!(turned(Vec3::X, 3.0, Vec3::NEG_Z).abs_diff_eq(Vec3::X, 1e-5));
    let limited = turned(Vec3::X, 0.5, Vec3::NEG_Z);
    assert!(limited.abs_diff_eq(Vec3::new(0.5_f32.sin(), 0.0, -0.5_f32.cos()), 1e-5));
    // Straight behind: about the vertical.
    assert!(turned(Vec3::Z, 4.0, Vec3::NEG_Z).abs_diff_eq(Vec3::Z, 1e-5));
    assert!(turned(Vec3::Z, 1.0, Vec3::NEG_Z).y.abs() < 1e-6);
    assert!(turned(Vec3::NEG_Y, 4.0, Vec3::Y).abs_diff_eq(Vec3::NEG_Y, 1e-5), "also up and down");
    // Where the entity is, or nowhere to turn from: no turn.
    assert_eq!(turned(Vec3::ZERO, 4.0, Vec3::NEG_Z), Vec3::NEG_Z);
    assert_eq!(turned(Vec3::X, 4.0, Vec3::ZERO), Vec3::ZERO);
    // A limit that is none lets nothing pass.
    assert_eq!(turned(Vec3::X, -1.0, Vec3::NEG_Z), Vec3::NEG_Z);
}
