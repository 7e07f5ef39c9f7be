use std::path::Path;

use glam::{Quat, Vec3};
use nebula_animation::{Rig, Skeleton, load_skeleton_and_clips, rig::RigOptions};

use super::turn;
use crate::player::rig::chain;

fn shipped(name: &str) -> Skeleton {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets").join(name);
    load_skeleton_and_clips(&path).expect("the file loads").0
}

/// The same character standing otherwise in its model space.
fn turned(mut skeleton: Skeleton, rotation: Quat) -> Skeleton {
    for joint in skeleton.joints.iter_mut().filter(|joint| joint.parent.is_none()) {
        joint.bind_rotation = rotation * joint.bind_rotation;
        joint.bind_translation = rotation * joint.bind_translation;
    }
    skeleton
}

#[test]
fn shipped_characters_face_the_front_that_gltf_means() {
    for name in ["simple_humanoid.glb", "robot.glb"] {
        let rig = Rig::new(shipped(name));
        assert_eq!((rig.front(), rig.up()), (Some(Vec3::Z), Vec3::Y), "{name}");
    }
}

/// However it lies in its model space, the character's front and up are found.
#[test]
fn the_front_is_found_wherever_it_is() {
    let humanoid = shipped("simple_humanoid.glb");
    for rotation in [
        Quat::IDENTITY,
        turn(Vec3::Y, 180.0),
        turn(Vec3::Y, 90.0),
        turn(Vec3::Y, -40.0),
        turn(Vec3::X, -90.0),
        turn(Vec3::X, 90.0) * turn(Vec3::Y, 180.0),
    ] {
        let rig = Rig::new(turned(humanoid.clone(), rotation));
        let front = rig.front().expect("a front");
        assert!(front.abs_diff_eq(rotation * Vec3::Z, 0.01), "{front} after {rotation}");
        assert!(rig.up().abs_diff_eq(rotation * Vec3::Y, 0.05), "{} after {rotation}", rig.up());
    }
}

/// Toes are the judge where left and right have been mixed up.
#[test]
fn toes_decide_about_mirrored_names() {
    let mut humanoid = shipped("simple_humanoid.glb");
    for joint in &mut humanoid.joints {
        let name = joint.name.clone();
        joint.name = match name.strip_prefix("Left") {
            Some(part) => format!("Right{part}"),
            None => name.strip_prefix("Right").map_or(name.clone(), |part| format!("Left{part}")),
        };
    }
    assert_eq!(Rig::new(&humanoid).front(), Some(Vec3::Z));
}

#[test]
fn rigs_that_do_not_tell_have_no_front_until_it_is_given() {
    let rig = Rig::new(chain(5));
    assert_eq!((rig.front(), rig.up()), (None, Vec3::Y));
    let given = |skeleton: &Skeleton, front: Vec3, up: Vec3| {
        let options = RigOptions { front: Some(front), up: Some(up), ..RigOptions::default() };
        let rig = Rig::with_options(skeleton, options);
        (rig.front(), rig.up())
    };
    assert_eq!(given(&chain(5), Vec3::new(0.0, 0.0, -2.0), Vec3::X), (Some(Vec3::NEG_Z), Vec3::X));
    let humanoid = shipped("simple_humanoid.glb");
    assert_eq!(given(&humanoid, Vec3::NEG_X, Vec3::Z), (Some(Vec3::NEG_X), Vec3::Z), "the author knows better");
    assert_eq!(given(&humanoid, Vec3::NAN, Vec3::ZERO), (Some(Vec3::Z), Vec3::Y), "nonsense is ignored");
    assert_eq!(given(&chain(5), Vec3::ZERO, Vec3::NAN), (None, Vec3::Y), "nonsense is ignored");
}

#[test]
fn children_are_listed_in_order() {
    let humanoid = shipped("simple_humanoid.glb");
    let rig = Rig::new(&humanoid);
    for joint in &humanoid.joints {
        let children: Vec<u16> =
            humanoid.joints.iter().filter(|child| child.parent == Some(joint.index)).map(|child| child.index).collect();
        assert_eq!(rig.children(joint.index), children);
    }
    assert!(rig.children(u16::MAX).is_empty());
}

/// Parents that come after their children, or are themselves: such joints are roots, as everywhere.
#[test]
fn impossible_parents_are_none() {
    let mut skeleton = chain(4);
    skeleton.joints[1].parent = Some(3);
    skeleton.joints[2].parent = Some(2);
    let rig = Rig::new(&skeleton);
    assert_eq!([0, 1, 2, 3].map(|joint| rig.parent(joint)), [None, None, None, Some(2)]);
}
