//! Humans whose names say nothing, and animals whose names say too much.

use std::path::Path;

use glam::{Quat, Vec3};
use nebula_animation::skeleton::{Evidence, NotHuman, Side};
use nebula_animation::{Asset, HumanoidJoint as J, HumanoidMap, Rig, Skeleton};

use crate::determinism::corpus;
use crate::support::humanoid::humanoid;

/// The shipped humanoid with numbers for names.
fn nameless() -> Skeleton {
    let (mut skeleton, _) = humanoid();
    for joint in &mut skeleton.joints {
        joint.name = format!("Bone.{:03}", joint.index);
    }
    skeleton
}

/// Turned about the vertical.
fn turned(mut skeleton: Skeleton, radians: f32) -> Skeleton {
    for joint in skeleton.joints.iter_mut().filter(|joint| joint.parent.is_none()) {
        joint.bind_rotation = Quat::from_rotation_y(radians) * joint.bind_rotation;
        joint.bind_translation = Quat::from_rotation_y(radians) * joint.bind_translation;
    }
    skeleton
}

#[test]
fn a_body_without_names_is_known_by_its_shape() {
    let (named, _) = humanoid();
    let by_name = HumanoidMap::find(&named).expect("a human");
    for radians in [0.0, std::f32::consts::PI, 1.0] {
        let skeleton = turned(nameless(), radians);
        let map = HumanoidMap::find(&skeleton).unwrap_or_else(|error| panic!("turned by {radians}: {error}"));
        for (joint, index) in by_name.iter() {
            assert_eq!(map.get(joint), Some(index), "{joint}, turned by {radians}");
            assert_eq!(map.evidence(joint), Some(Evidence::Shape), "{joint}");
        }
        assert!((map.certainty() - 0.6).abs() < 1e-4, "{}", map.certainty());
        assert_eq!(Rig::new(&skeleton).feet().map(|feet| feet.legs().len()), Some(2));
    }
}

#[test]
fn shape_fills_in_what_names_leave_open() {
    let (mut skeleton, _) = humanoid();
    let by_name = HumanoidMap::find(&skeleton).expect("a human");
    for joint in skeleton.joints.iter_mut().filter(|joint| joint.name.contains("Leg") || joint.name.contains("Foot")) {
        joint.name = format!("limb{}", joint.index);
    }
    let map = HumanoidMap::find(&skeleton).expect("still a human");
    for (joint, index) in by_name.iter() {
        assert_eq!(map.get(joint), Some(index), "{joint}");
    }
    assert_eq!(map.evidence(J::LowerLeg(Side::Left)), Some(Evidence::Shape));
    assert_eq!(map.evidence(J::Hand(Side::Left)), Some(Evidence::Name));
}

/// Whoever goes on four legs is no human, also when its joints are called arms and hands.
#[test]
fn a_human_on_all_fours_by_name_is_refused() {
    let (mut skeleton, _) = humanoid();
    // The back lies level, and arms hang down from it as front legs.
    for joint in &mut skeleton.joints {
        match joint.name.as_str() {
            "Spine" => joint.bind_rotation = Quat::from_rotation_x(1.5),
            "LeftArm" | "RightArm" => {
                let side = if joint.name == "LeftArm" { -1.0 } else { 1.0 };
                joint.bind_rotation = Quat::from_rotation_x(-1.5) * Quat::from_rotation_z(side * 1.5);
            }
            _ => {}
        }
    }
    let error = HumanoidMap::find(&skeleton).expect_err("it goes on four legs");
    assert!(error.missing.is_empty(), "{error}");
    assert!(error.unlike.iter().any(|why| matches!(why, NotHuman::BackAcrossLegs { degrees: 70..=110 })), "{error}");
    assert!(error.to_string().contains("not built like a human"), "{error}");
    let rig = Rig::new(&skeleton);
    assert!(rig.up().abs_diff_eq(Vec3::Y, 1e-3) && rig.front() == Some(Vec3::Z), "{:?} {:?}", rig.up(), rig.front());
    // Whoever names the joints knows better.
    let said = J::ALL.into_iter().filter_map(|joint| Some((joint, HumanoidMap::find_some(&skeleton).get(joint)?)));
    let said = said.fold(HumanoidMap::default(), |map, (joint, index)| map.with(joint, index));
    assert_eq!(said.check(&skeleton), Ok(()));
}

#[test]
fn tiny_arms_are_no_arms() {
    let (mut skeleton, _) = humanoid();
    for joint in
        skeleton.joints.iter_mut().filter(|joint| joint.name.ends_with("ForeArm") || joint.name.ends_with("Hand"))
    {
        joint.bind_translation *= 0.3;
    }
    let error = HumanoidMap::find(&skeleton).expect_err("a monster");
    assert!(matches!(error.unlike[..], [NotHuman::ShortArms { percent: 10..=35 }]), "{error}");
}

#[test]
fn animals_of_strangers_are_refused_by_name_and_humans_are_not() {
    let Some(folder) = corpus("animals_of_strangers_are_refused_by_name_and_humans_are_not") else { return };
    let load = |path: &str| Asset::load(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    for animal in [
        "characters/m2m-fox-animations.glb",
        "characters/m2m-dragon-animations.glb",
        "characters/m2m-kaiju-t-rex.glb",
        "conformance/assets/Fox/glTF-Binary/Fox.glb",
    ] {
        if !Path::new(&folder.join(animal)).exists() {
            continue;
        }
        let rig = load(animal).rig();
        let error = HumanoidMap::find(rig.skeleton()).expect_err(animal);
        let across = error.unlike.iter().any(|why| matches!(why, NotHuman::BackAcrossLegs { .. }));
        assert!(across, "{animal}: {error}");
        assert!(rig.up().y > 0.9, "{animal}: up is {:?}", rig.up());
        assert!(rig.front().is_none_or(|front| front.z > 0.9), "{animal}: front is {:?}", rig.front());
    }
    for (human, joints) in [
        ("characters/kaykit-knight.glb", 18),
        ("characters/kaykit-medium-movement.glb", 18),
        ("characters/robot-expressive.glb", 22),
        ("characters/m2m-human-sophia.glb", 22),
        ("characters/m2m-human-female.glb", 22),
        ("characters/m2m-sample-rig.glb", 22),
        ("characters/vrm1-example.vrm", 23),
        ("characters/hips-spine-twisting.vrma", 17),
    ] {
        let rig = load(human).rig();
        rig.humanoid().check(rig.skeleton()).unwrap_or_else(|error| panic!("{human}: {error}"));
        assert_eq!(rig.humanoid().iter().count(), joints, "{human}");
        // Those without names of use are known by their shape. An IK rig whose legs end at the shin is not, nor who rests twisted.
        let mut nameless = rig.skeleton().clone();
        nameless.joints.iter_mut().for_each(|joint| joint.name = String::new());
        if !(human.contains("robot") || human.contains("vrma")) {
            let shape = HumanoidMap::find(&nameless).unwrap_or_else(|error| panic!("{human} without names: {error}"));
            for joint in J::ALL.into_iter().filter(|joint| joint.is_required() && *joint != J::Spine) {
                assert_eq!(shape.get(joint), rig.humanoid().get(joint), "{human} without names: {joint}");
            }
        }
    }
}
