//! Files whose joints all lie along one axis where nothing is turned, as those of LAFAN1, and files with Z up.

use std::collections::HashMap;
use std::fmt::Write;

use glam::{DMat3, DQuat, DVec3, EulerRot, Mat4, Vec3};
use nebula_animation::palette::model_matrices;
use nebula_animation::skeleton::Side;
use nebula_animation::{AnimationClip, HumanoidJoint as J, Retarget, Rig, Skeleton, sample_pose};
use nebula_import::bvh::{Bvh, BvhOptions, BvhRest, UpAxis};

use crate::corpus;

/// Names, parents, and offsets in centimetres where X is along the bone above.
const JOINTS: [(&str, usize, [f64; 3]); 22] = [
    ("Hips", 0, [0.0, 0.0, 0.0]),
    ("LeftUpLeg", 0, [0.1, 1.8, 10.5]),
    ("LeftLeg", 1, [43.5, 0.0, 0.0]),
    ("LeftFoot", 2, [42.4, 0.0, 0.0]),
    ("LeftToe", 3, [17.3, 0.0, 0.0]),
    ("RightUpLeg", 0, [0.1, 1.8, -10.5]),
    ("RightLeg", 5, [43.5, 0.0, 0.0]),
    ("RightFoot", 6, [42.4, 0.0, 0.0]),
    ("RightToe", 7, [17.3, 0.0, 0.0]),
    ("Spine", 0, [6.9, -2.6, 0.0]),
    ("Spine1", 9, [12.6, 0.0, 0.0]),
    ("Spine2", 10, [12.3, 0.0, 0.0]),
    ("Neck", 11, [25.8, 0.0, 0.0]),
    ("Head", 12, [11.8, 0.0, 0.0]),
    ("LeftShoulder", 11, [19.7, -1.5, 6.0]),
    ("LeftArm", 14, [11.3, 0.0, 0.0]),
    ("LeftForeArm", 15, [33.0, 0.0, 0.0]),
    ("LeftHand", 16, [25.2, 0.0, 0.0]),
    ("RightShoulder", 11, [19.7, -1.5, -6.0]),
    ("RightArm", 18, [11.3, 0.0, 0.0]),
    ("RightForeArm", 19, [33.0, 0.0, 0.0]),
    ("RightHand", 20, [25.2, 0.0, 0.0]),
];

/// How joints are turned in the model where the body stands with level arms and faces +Z: X along the bone.
fn level(joint: usize) -> DMat3 {
    let (along, third) = match JOINTS[joint].0 {
        "LeftUpLeg" | "LeftLeg" | "RightUpLeg" | "RightLeg" => (DVec3::NEG_Y, DVec3::X),
        "LeftFoot" | "RightFoot" => (DVec3::new(0.0, -0.5, 1.0).normalize(), DVec3::X),
        "LeftToe" | "RightToe" => (DVec3::Z, DVec3::X),
        name if name.contains("Shoulder") || name.contains("Arm") || name.contains("Hand") => {
            (if name.starts_with("Left") { DVec3::X } else { DVec3::NEG_X }, DVec3::Y)
        }
        _ => (DVec3::Y, DVec3::X),
    };
    DMat3::from_cols(along, third.cross(along), third)
}

/// What turns joints from there, in the model: a body that walks its own way, upright from the third frame on.
fn moved(joint: usize, frame: usize) -> DQuat {
    let way = DQuat::from_rotation_y(37.0_f64.to_radians());
    let about = |x: f64, z: f64| DQuat::from_rotation_x(x.to_radians()) * DQuat::from_rotation_z(z.to_radians());
    let swing = 28.0 * (frame as f64 * 0.7).sin() * f64::from(u8::from(frame > 3));
    let (name, bow) = (JOINTS[joint].0, if frame < 3 { 55.0 } else { 0.0 });
    let side = if name.starts_with("Left") { 1.0 } else { -1.0 };
    way * match name {
        "LeftUpLeg" | "RightUpLeg" => about(-bow - side * swing, 2.0 * side),
        "LeftLeg" | "RightLeg" | "LeftFoot" | "RightFoot" | "LeftToe" | "RightToe" => {
            about(bow - side * swing + swing.abs() * 1.2, 2.0 * side)
        }
        "LeftArm" | "RightArm" => about(side * swing, -70.0 * side),
        "LeftForeArm" | "RightForeArm" | "LeftHand" | "RightHand" => about(side * swing - 30.0, -60.0 * side),
        _ => about(bow, 0.0),
    }
}

/// What is turned where all channels are zero.
#[derive(Clone, Copy, PartialEq)]
enum Zero {
    /// Nothing against the joint above: all bones lie along X.
    AlongX,
    /// Everything to a body that stands.
    Standing,
}

const FRAMES: usize = 24;

/// The walk as a text, in the axes of the file: a rotation of those with Y up.
fn text(zero: Zero, axes: DMat3) -> String {
    let at_zero = |joint: usize| if zero == Zero::Standing { level(joint) } else { DMat3::IDENTITY };
    let turned = |joint: usize, frame: usize| {
        let whole = DMat3::from_quat(moved(joint, frame)) * level(joint) * at_zero(joint).transpose();
        // The body at zero lies along the axes of the file as it is.
        if zero == Zero::Standing { axes * whole * axes.transpose() } else { axes * whole }
    };
    let mut text = String::from("HIERARCHY\n");
    let mut open: Vec<usize> = Vec::new();
    for (index, (name, parent, offset)) in JOINTS.into_iter().enumerate() {
        while open.last().is_some_and(|last| index > 0 && *last != parent) {
            open.pop();
            text.push_str("}\n");
        }
        open.push(index);
        let mut offset = at_zero(parent) * DVec3::from_array(offset);
        if zero == Zero::Standing {
            offset = axes * offset;
        }
        let (word, channels) = match index {
            0 => ("ROOT", "6 Xposition Yposition Zposition"),
            _ => ("JOINT", "3"),
        };
        let _ = writeln!(text, "{word} {name}\n{{\nOFFSET {} {} {}", offset.x, offset.y, offset.z);
        let _ = writeln!(text, "CHANNELS {channels} Zrotation Yrotation Xrotation");
    }
    text.push_str(&"}\n".repeat(open.len()));
    let _ = writeln!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.033333");
    for frame in 0..FRAMES {
        let place = axes * DVec3::new(40.0 + frame as f64, 91.0, -30.0 + 2.0 * frame as f64);
        let _ = write!(text, "{} {} {}", place.x, place.y, place.z);
        for (joint, (_, parent, _)) in JOINTS.into_iter().enumerate() {
            let above = if joint == 0 { DMat3::IDENTITY } else { turned(parent, frame) };
            let local = DQuat::from_mat3(&(above.transpose() * turned(joint, frame)));
            let (z, y, x) = local.to_euler(EulerRot::ZYX);
            let _ = write!(text, " {} {} {}", z.to_degrees(), y.to_degrees(), x.to_degrees());
        }
        text.push('\n');
    }
    text
}

/// Where bones point in a frame, in axes with Y up: the test's own way, without any file.
fn limbs(frame: usize) -> HashMap<(J, J), Vec3> {
    let way = |name: &str| {
        let joint = JOINTS.iter().position(|joint| joint.0 == name).expect("a joint");
        (moved(joint, frame) * level(joint).x_axis).as_vec3()
    };
    let of = |side: Side| {
        let name = |joint: &str| format!("{}{joint}", if side == Side::Left { "Left" } else { "Right" });
        [
            ((J::UpperArm(side), J::LowerArm(side)), way(&name("Arm"))),
            ((J::UpperLeg(side), J::LowerLeg(side)), way(&name("UpLeg"))),
            ((J::LowerLeg(side), J::Foot(side)), way(&name("Leg"))),
        ]
    };
    [of(Side::Left), of(Side::Right)].concat().into_iter().collect()
}

fn models(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(skeleton, &pose, &mut models);
    models
}

fn read(text: &str, options: &BvhOptions) -> Bvh {
    Bvh::read(text, options).expect("a sound file")
}

/// The farthest that any limb of a character points from the walk's, in degrees.
fn off(bvh: &Bvh, file: &std::path::Path) -> f32 {
    let target = nebula_import::open(file).expect("a character").asset.rig();
    let retarget = Retarget::new(&Rig::new(&bvh.skeleton), &target).unwrap_or_else(|error| panic!("{error}"));
    let clip = retarget.clip(&bvh.clip);
    let (map, mut worst) = (target.humanoid(), 0.0_f32);
    let front = target.front().expect("a front");
    for frame in 0..FRAMES {
        let placed = models(target.skeleton(), &clip, frame as f32 * 0.033_333);
        let at = |joint: J| placed[usize::from(map.get(joint).expect("a limb"))].w_axis.truncate();
        for ((from, to), expected) in limbs(frame) {
            let way = at(to) - at(from);
            let way = Vec3::new(way.dot(target.up().cross(front)), way.dot(target.up()), way.dot(front));
            worst = worst.max(way.angle_between(expected).to_degrees());
        }
    }
    worst
}

#[test]
fn bones_along_one_axis_are_a_human_in_the_first_frame_that_stands() {
    let text = text(Zero::AlongX, DMat3::IDENTITY);
    let bvh = read(&text, &BvhOptions::default());
    assert_eq!((bvh.rest_frame, bvh.up, bvh.unit), (Some(3), UpAxis::Y, 0.01));
    assert!(bvh.notes.iter().any(|note| note.contains("frame 4 is the rest pose")), "{:?}", bvh.notes);
    let rig = Rig::new(&bvh.skeleton);
    assert!(rig.humanoid().check(&bvh.skeleton).is_ok());
    let facing = rig.model_from_joint(0).transform_vector3(Vec3::Y);
    assert!(facing.abs_diff_eq(Vec3::Z, 1e-3), "it rests facing +Z, wherever it walks: {facing}");
    assert!(bvh.skeleton.joints[0].bind_translation.abs_diff_eq(Vec3::Y * 0.91, 1e-5), "above the origin");
    let worst = off(&bvh, &corpus::own("simple_humanoid.glb"));
    assert!(worst < 8.0, "{worst} degrees");
    // Without it nobody knows what a bone is.
    let zero = read(&text, &BvhOptions { rest: BvhRest::Zero, ..BvhOptions::default() });
    let own = nebula_import::open(corpus::own("simple_humanoid.glb")).expect("our own").asset.rig();
    assert!(Retarget::new(&Rig::new(&zero.skeleton), &own).is_err());
    assert_eq!(zero.rest_frame, None);
}

#[test]
fn frames_that_are_told_are_the_rest_pose() {
    let text = text(Zero::AlongX, DMat3::IDENTITY);
    let bvh = read(&text, &BvhOptions { rest: BvhRest::Frame(9), ..BvhOptions::default() });
    assert_eq!(bvh.rest_frame, Some(9));
    let key = bvh.clip.rotation_channels[1].keyframes[9].value;
    assert!(bvh.skeleton.joints[1].bind_rotation.dot(key).abs() > 1.0 - 1e-6);
    let last = read(&text, &BvhOptions { rest: BvhRest::Frame(usize::MAX), ..BvhOptions::default() });
    assert_eq!(last.rest_frame, Some(FRAMES - 1));
    // A body that stands where nothing is turned rests like that.
    let standing = read(&self::text(Zero::Standing, DMat3::IDENTITY), &BvhOptions::default());
    assert_eq!((standing.rest_frame, standing.notes.as_slice()), (None, &[] as &[String]));
    let file = corpus::own("simple_humanoid.glb");
    assert!(off(&standing, &file) < 8.0);
}

/// Every joint, in every frame: whatever the axes of the file, the walk is the same.
#[test]
fn files_with_z_up_are_turned_upright() {
    // Y up to Z up: what is ahead, +Z, becomes -Y.
    let axes = DMat3::from_rotation_x(90.0_f64.to_radians());
    for zero in [Zero::AlongX, Zero::Standing] {
        let expected = read(&text(zero, DMat3::IDENTITY), &BvhOptions::default());
        let lying = text(zero, axes);
        let found = read(&lying, &BvhOptions::default());
        assert_eq!((expected.up, found.up), (UpAxis::Y, UpAxis::Z));
        assert!(found.notes.iter().any(|note| note.contains("Z is up")), "{:?}", found.notes);
        let apart = |a: &Bvh, b: &Bvh| {
            let mut most = 0.0_f32;
            for frame in 0..FRAMES {
                let time = frame as f32 * 0.033_333;
                let pairs = models(&a.skeleton, &a.clip, time).into_iter().zip(models(&b.skeleton, &b.clip, time));
                most = pairs.fold(most, |most, (a, b)| most.max(a.w_axis.distance(b.w_axis)));
            }
            most
        };
        assert!(apart(&expected, &found) < 1e-4, "{} m", apart(&expected, &found));
        let told = read(&lying, &BvhOptions { up: Some(UpAxis::Y), ..BvhOptions::default() });
        assert!(apart(&expected, &told) > 0.5, "what is told counts");
        assert!(off(&found, &corpus::own("simple_humanoid.glb")) < 8.0);
    }
}
