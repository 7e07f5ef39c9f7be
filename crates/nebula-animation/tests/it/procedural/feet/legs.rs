//! Legs of animals: found by shape, named by hand, refused by name.

use glam::{Affine3A, Vec3};
use nebula_animation::rig::{FeetRig, LegError, RigOptions};
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, Fade, FootPlacement, GroundPoint, HumanoidMap, Rig, Skeleton, Surroundings,
};

use super::walker::Humanoid;
use crate::determinism::corpus;

const FOX: &str = "m2m-fox-animations.glb";
const TREX: &str = "m2m-kaiju-t-rex.glb";

fn names(rig: &Rig, feet: &FeetRig) -> Vec<[String; 3]> {
    let name = |joint: u16| rig.joints[usize::from(joint)].name.clone();
    feet.legs().iter().map(|leg| [leg.thigh, leg.shin, leg.foot].map(name)).collect()
}

#[test]
fn what_is_no_leg_is_refused_by_name() {
    let humanoid = Humanoid::load();
    let rig = Rig::new(humanoid.skeleton.clone());
    let of = |pelvis: &str, leg: &[&str]| FeetRig::named(&rig, pelvis, &[leg]);
    let feet = of("Hips", &["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"]).expect("a leg");
    assert_eq!(feet.legs().len(), 1);
    let said = |pelvis: &str, leg: &[&str]| of(pelvis, leg).expect_err("no leg").to_string();
    assert!(said("Hips", &["LeftUpLeg", "LeftLge", "LeftFoot"]).contains("near names: \"LeftLeg\""));
    for (leg, part) in [
        (["LeftUpLeg", "RightLeg", "RightFoot"], "\"RightLeg\" cannot be the shin"),
        (["LeftUpLeg", "LeftLeg", "LeftLeg"], "\"LeftLeg\" cannot be the foot"),
        (["LeftUpLeg", "LeftFoot", "LeftUpLeg"], "\"LeftUpLeg\" cannot be the foot"),
    ] {
        let said = said("Hips", &leg);
        assert!(said.contains(part), "{said}");
    }
    let above = said("LeftUpLeg", &["RightUpLeg", "RightLeg", "RightFoot"]);
    assert!(above.contains("\"RightUpLeg\" cannot be the thigh") && above.contains("not below the pelvis"), "{above}");
    let arm = said("Hips", &["LeftUpLeg", "LeftLeg", "LeftFoot", "RightToeBase"]);
    assert!(arm.contains("\"RightToeBase\" cannot be the toes"), "{arm}");
    assert_eq!(of("Hips", &["LeftUpLeg"]), Err(LegError::Count { leg: 0, joints: 1 }));
    assert_eq!(FeetRig::named(&rig, "Hips", &[]), Err(LegError::Count { leg: 0, joints: 0 }));
}

/// Humans by their names, whose legs are none: the layer is refused when it is made, and tells which joint is wrong.
#[test]
fn odd_legs_of_humans_are_refused_by_name() {
    let humanoid = Humanoid::load();
    let map = humanoid.rig.humanoid().clone();
    type Change<'a> = dyn Fn(&mut Skeleton, &dyn Fn(&str) -> usize) + 'a;
    let of = |change: &Change<'_>| {
        let mut skeleton = humanoid.skeleton.clone();
        let joint = |name: &str| usize::from(humanoid.skeleton.joint_by_name(name).expect("a joint"));
        change(&mut skeleton, &joint);
        let rig = Rig::with_options(skeleton, RigOptions { humanoid: Some(map.clone()), ..RigOptions::default() });
        rig.humanoid().foot_placement(&rig).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(of(&|_, _| {}), Ok(()));
    let said = of(&|skeleton, joint| skeleton.joints[joint("LeftLeg")].parent = Some(joint("Hips") as u16));
    assert_eq!(said, Err("joint \"LeftLeg\" cannot be the shin of a leg: it is not below the thigh".into()));
    let said = of(&|skeleton, joint| skeleton.joints[joint("RightFoot")].bind_translation = Vec3::ZERO);
    let reason = "it is where the shin is, so that there is nothing to bend";
    assert_eq!(said, Err(format!("joint \"RightFoot\" cannot be the foot of a leg: {reason}")));
    let said = HumanoidMap::default().foot_placement(&humanoid.rig).map(|_| ()).expect_err("nobody").to_string();
    assert!(said.contains("hips"), "{said}");
}

#[test]
fn animals_have_the_legs_that_they_stand_on() {
    let Some(folder) = corpus("animals_have_the_legs_that_they_stand_on") else { return };
    let load = |file: &str| Asset::load(folder.join("characters").join(file)).expect("loads").rig();
    let fox = load(FOX);
    let legs = names(&fox, fox.feet().expect("four legs"));
    let thighs: Vec<&str> = legs.iter().map(|leg| leg[0].as_str()).collect();
    assert_eq!(legs.len(), 4, "{legs:?}");
    assert!(thighs[..2].iter().all(|name| name.starts_with("Front_Leg")), "{legs:?}");
    assert!(thighs[2..].iter().all(|name| name.starts_with("Back_Leg")), "{legs:?}");
    assert!([0, 2].iter().all(|&leg| thighs[leg].ends_with("_L") && thighs[leg + 1].ends_with("_R")), "{legs:?}");
    let trex = load(TREX);
    let legs = names(&trex, trex.feet().expect("two legs"));
    assert!(legs.len() == 2 && legs.iter().all(|leg| leg[0].starts_with("Back_Leg")), "{legs:?}");
    // They are no humans all the same.
    assert!(fox.humanoid().foot_placement(&fox).is_err() && HumanoidMap::find(&fox).is_err());
}

/// Paws are as far from a slope as they are from level ground, square to it, whichever way the slope is.
#[test]
fn a_fox_stands_on_slopes() {
    let Some(folder) = corpus("a_fox_stands_on_slopes") else { return };
    let asset = Asset::load(folder.join("characters").join(FOX)).expect("loads");
    let rig = asset.rig();
    let library = AnimationClipLibrary::new(&rig, &asset.clips());
    let paws = ["Front_Leg_Foot_L", "Front_Leg_Foot_R", "Back_Leg_Foot_L", "Back_Leg_Foot_R"]
        .map(|name| rig.require_joint(name).expect("a paw"));
    let stand = |degrees: f32, along: Vec3| {
        let normal = (Vec3::Y - along * degrees.to_radians().tan()).normalize_or(Vec3::Y);
        let ground =
            move |place: Vec3| Some(GroundPoint::new(-(place.dot(normal) - place.y * normal.y) / normal.y, normal));
        let mut character = Character::of(library.clone());
        character.add_layer(FootPlacement::new(rig.feet().cloned().expect("legs")));
        character.mixer.play("Idle", Fade::NONE).expect("a clip");
        let surroundings =
            Surroundings { world_from_model: Affine3A::IDENTITY, ground: Some(&ground), ..Surroundings::default() };
        (0..90).for_each(|_| character.update(1.0 / 60.0, &surroundings));
        paws.map(|paw| character.frame().model_matrix(paw).w_axis.truncate().dot(normal))
    };
    let level = stand(0.0, Vec3::Z);
    // The fox is two metres long.
    for (degrees, along) in [(10.0, Vec3::Z), (-10.0, Vec3::Z), (20.0, Vec3::Z), (-20.0, Vec3::Z), (15.0, Vec3::X)] {
        for (paw, (now, level)) in stand(degrees, along).into_iter().zip(level).enumerate() {
            assert!((now - level).abs() < 0.015, "paw {paw} on {degrees} degrees: {now} m instead of {level}");
        }
    }
}
