//! Avatars: expressions, eyes, springs and constraints, and the files that are read for them.

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::asset::{Mesh, Primitive};
use nebula_animation::clip::MorphLayout;
use nebula_animation::procedural::avatar::{EyeGazeLayer, JointConstraints, layers};
use nebula_animation::procedural::springs::SpringJoints;
use nebula_animation::rig::avatar::{
    Avatar, ConstraintKind, Expression, EyeGaze, EyeGazeKind, EyeRange, Eyes, JointConstraint, Override, Seen,
    SpringJoint, SpringJointChain,
};
use nebula_animation::{AnimationClip, Asset, Channel, Interpolation, Keyframe, ModelPose, Rig, Skeleton};

use super::Table;
use super::fixtures::{INDICES, JOINTS, NAMES, chain, numbers, vectors};
use super::procedural::bends;

pub fn rows(table: &mut Table) {
    files(table);
    expressions(table);
    eyes(table);
    table.row("JointConstraints::new", || {
        for joint in JOINTS.into_iter().chain([0, 1, 2]) {
            for axis in vectors() {
                for kind in [ConstraintKind::Roll(axis), ConstraintKind::Aim(axis), ConstraintKind::Rotation] {
                    bends(JointConstraints::new(vec![JointConstraint { joint, source: 1, weight: axis.y, kind }]));
                    bends(JointConstraints::new(vec![JointConstraint { joint: 1, source: joint, weight: 1.0, kind }]));
                }
            }
        }
        bends(JointConstraints::new(Vec::new()));
    });
    table.row("SpringJoints::new", || {
        for number in numbers() {
            for joint in JOINTS.into_iter().chain([0]) {
                bends(SpringJoints::new(spring(joint, number)));
            }
        }
        bends(SpringJoints::new(SpringJointChain::default()));
    });
    table.row("layers", || {
        for number in numbers() {
            for layer in layers(&avatar(number)) {
                assert!(layer.weight() == 1.0);
            }
        }
    });
}

fn spring(joint: u16, number: f32) -> SpringJointChain {
    let bone = SpringJoint {
        joint,
        tail: Vec3::splat(number),
        radius: number,
        stiffness: number,
        gravity_power: number,
        gravity: Vec3::splat(number),
        drag: number,
    };
    SpringJointChain { bones: vec![bone; 2], center: Some(joint), ..SpringJointChain::default() }
}

fn gaze(number: f32, joint: u16) -> EyeGaze {
    let range = EyeRange { most: number, output: number };
    EyeGaze {
        kind: EyeGazeKind::Joints,
        head: joint,
        eyes: [Some(joint), None],
        offset: Vec3::splat(number),
        inner: range,
        outer: range,
        down: range,
        up: range,
    }
}

fn avatar(number: f32) -> Avatar {
    let expression = Expression {
        name: "happy".into(),
        morphs: vec![(usize::MAX, number), (0, number)],
        blink: Override::Blend,
        mouth: Override::Block,
        ..Expression::default()
    };
    Avatar {
        expressions: vec![expression],
        gaze: Some(gaze(number, 65_535)),
        springs: vec![spring(65_535, number)],
        expression_joints: vec![("happy".into(), 65_535), ("nobody".into(), 0)],
        ..Avatar::default()
    }
}

fn files(table: &mut Table) {
    table.row("Asset::read_file", || {
        for path in ["", "nowhere.glb", "/", ".", "\u{0}"] {
            assert!(Asset::read_file(path, u64::MAX).is_err(), "{path:?}");
        }
        assert!(Asset::read_file("test_assets/simple_humanoid.glb", 3).is_err(), "larger than what is allowed");
    });
    table.row("Asset::read_reference", || {
        for uri in ["", "..", "../x", "/etc/passwd", "data:", "data:;base64,?", "http://x/y", "\u{0}", "%", "%2e%2e/x"]
        {
            if let Ok(bytes) = Asset::read_reference("hero.gltf", uri, 100) {
                assert!(bytes.is_empty(), "{uri:?}");
            }
        }
    });
}

fn expressions(table: &mut Table) {
    table.row("Avatar::expression", || {
        let avatar = avatar(1.0);
        NAMES.iter().for_each(|name| assert!(avatar.expression(name).is_err(), "{name:?}"));
    });
    table.row("Avatar::expression_strengths", || {
        for number in numbers() {
            for count in [0, 1, 9] {
                let strengths = avatar(number).expression_strengths(&vec![number; count]);
                assert!(strengths.iter().all(|strength| (0.0..=1.0).contains(strength)), "{strengths:?}");
            }
        }
    });
    table.row("Avatar::add_expressions", || {
        for number in numbers() {
            for count in [0, 1, 9] {
                avatar(1.0).add_expressions(&[number; 2], &mut vec![0.0; count]);
            }
        }
    });
    table.row("Avatar::seen", || {
        for node in [0, 7, usize::MAX] {
            assert_eq!(avatar(1.0).seen(node, Eyes::Others), Seen::Whole);
            assert_eq!(avatar(1.0).seen(node, Eyes::Own), Seen::WithoutHead);
        }
    });
    table.row("Asset::indices_seen", || {
        let asset = Asset::default();
        for place in [0, 1, usize::MAX] {
            assert!(asset.indices_seen(place, place, Eyes::Own).is_empty());
        }
        // Vertices without weights, indices without vertices, a head that nobody has.
        let primitive = Primitive { joints: vec![[9; 4]], indices: vec![0, 7, u32::MAX, 1], ..Primitive::default() };
        let mesh = Mesh { primitives: [primitive].into(), joint: Some(9), ..Mesh::default() };
        let asset = Asset { meshes: vec![mesh], avatar: Some(avatar(1.0)), ..Asset::default() };
        assert_eq!(asset.indices_seen(0, 0, Eyes::Own), [0, 7, u32::MAX]);
    });
    table.row("Avatar::add_expression_tracks", || {
        let (source, clip) = (avatar(1.0), AnimationClip::default());
        let added = source.add_expression_tracks(&source, &clip, &MorphLayout::default(), &mut clip.clone());
        assert_eq!(added, 0, "the clip moves no expression");
    });
    table.row("Avatar::add_gaze_tracks", || {
        let key =
            |value: f32| Keyframe { time: value, value: Quat::from_xyzw(value, value, value, value), tangents: None };
        for number in numbers() {
            let channel =
                Channel { joint_index: 9, interpolation: Interpolation::Linear, keyframes: vec![key(number)] };
            let clip = AnimationClip { rotation_channels: vec![channel], ..AnimationClip::default() };
            let eyes = Avatar { gaze: Some(gaze(number, 0)), gaze_joint: Some(9), ..Avatar::default() };
            let rig = Rig::new(Skeleton { joints: Vec::new() });
            assert!(!eyes.add_gaze_tracks(&eyes, &clip, &rig, &mut clip.clone()), "the rig has no eyes");
        }
    });
}

fn eyes(table: &mut Table) {
    table.row("EyeRange::map", || {
        for number in numbers() {
            let range = EyeRange { most: number, output: 10.0 };
            numbers().filter(|degrees| degrees.is_finite()).for_each(|degrees| {
                let mapped = range.map(degrees);
                assert!(mapped.is_nan() || mapped.abs() <= 10.0, "{mapped}");
            });
        }
    });
    table.row("EyeGaze::eye_angles", || {
        for number in numbers() {
            let _ = gaze(number, 0).eye_angles(number, -number);
        }
    });
    table.row("EyeGaze::strengths", || {
        for number in numbers() {
            let _ = gaze(number, 0).strengths(number, -number);
        }
    });
    table.row("EyeGazeLayer::new", || {
        for number in numbers() {
            for joint in JOINTS.into_iter().chain([0, 2]) {
                let mut layer = EyeGazeLayer::new(gaze(number, joint));
                bends(layer.clone());
                layer.target = Some(Vec3::splat(number));
                bends(layer);
            }
        }
    });
    table.row("EyeGazeLayer::angles", || {
        let skeleton = chain(3);
        let rig = Rig::new(&skeleton);
        for target in vectors() {
            for head in INDICES.into_iter().map(|index| index as u16).chain([0]) {
                let mut poses = skeleton.bind_pose();
                let mut pose = ModelPose::new(&rig, &mut poses, Affine3A::IDENTITY);
                let _ = EyeGazeLayer::new(gaze(1.0, head)).angles(&mut pose, target);
            }
        }
    });
}
