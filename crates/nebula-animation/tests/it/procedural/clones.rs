//! Copies of stacks and of characters: the same from then on, and none of the other's business.

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AnimationClipLibrary, BoneAttachment, BreathingLayer, Character, Fade, GroundPoint, GroundQuery, JointPose,
    LeanLayer, Rig, Surroundings, TargetId,
    procedural::{
        Faded,
        ik::{ChainIk, TwoBoneIk},
        springs::SpringChain,
    },
};

use crate::support::humanoid::humanoid;

const FRIEND: TargetId = TargetId(3);

/// Every kind of layer at once, and two mixer layers.
fn hero() -> Character {
    let (skeleton, clips) = humanoid();
    let library = AnimationClipLibrary::new(&Rig::new(skeleton), &clips);
    let rig = library.rig().clone();
    let humanoid = rig.humanoid();
    let joint = |name: &str| rig.require_joint(name).expect("the humanoid has it");
    let mut hero = Character::of(library.clone());
    hero.add_layer(humanoid.breathing().expect("a chest"));
    hero.add_layer(humanoid.lean().expect("a spine"));
    hero.add_layer(Faded::hidden(LeanLayer::new(joint("Spine2"))));
    hero.add_layer(humanoid.look_at(Vec3::new(1.0, 1.5, 4.0)).expect("a head"));
    hero.add_layer(humanoid.aim(&rig, Vec3::ZERO).expect("a head").following(FRIEND));
    let mut reach = TwoBoneIk::new(&rig, ["LeftArm", "LeftForeArm", "LeftHand"].map(joint), Vec3::ZERO);
    (reach.follows, reach.weight) = (Some(FRIEND), 0.7);
    hero.add_layer(reach);
    let mut back = ChainIk::new(["Spine", "Spine1", "Spine2"].map(joint).to_vec(), Vec3::Y);
    back.weight = 0.2;
    hero.add_layer(back);
    hero.add_layer(SpringChain::new(["RightArm", "RightForeArm", "RightHand"].map(joint).to_vec()));
    hero.add_layer(humanoid.foot_placement(&rig).expect("legs"));
    let arms = hero.mixer.add_masked_layer("arms", rig.upper_body().expect("a humanoid"));
    hero.mixer.play("walk", 0.0).expect("a clip");
    hero.mixer.play_on(arms, "wave", 0.3).expect("a clip");
    hero.attach(BoneAttachment::named("RightHand")).expect("a hand");
    hero
}

fn hills(place: Vec3) -> Option<GroundPoint> {
    Some(GroundPoint::new(0.1 * (2.0 * place.z).sin(), Vec3::new(0.0, 1.0, -0.2 * (2.0 * place.z).cos())))
}

/// A frame of any length on hills; the pose.
fn frame(hero: &mut Character, number: u16) -> Vec<JointPose> {
    match number % 40 {
        7 => drop(hero.mixer.play("run", Fade::inertialised(0.3))),
        23 => drop(hero.mixer.play("walk", Fade::smooth(0.4))),
        31 => hero.layer_mut::<Faded<LeanLayer>>().expect("the layer").fade.fade_to(f32::from(number % 3) / 2.0, 0.5),
        _ => {}
    }
    let time = f32::from(number) / 60.0;
    let ground: &dyn GroundQuery = &hills;
    let place = hills(Vec3::Z * time).map_or(Vec3::ZERO, |point| Vec3::new(0.0, point.height, time));
    let friend = |id: TargetId| (id == FRIEND).then_some(Vec3::new(time.sin(), 1.2, time + 1.0));
    let surroundings = Surroundings {
        world_from_model: Affine3A::from_rotation_translation(Quat::from_rotation_y(0.3 * time.sin()), place),
        velocity: Vec3::new(0.2 * time.cos(), 0.0, 1.0),
        ground: Some(ground),
        is_grounded: number % 100 < 90,
        targets: Some(&friend),
    };
    hero.update(f64::from(1 + number % 3) / 90.0, &surroundings);
    let mut pose = hero.rig().bind_pose();
    hero.frame().write_pose(&mut pose);
    pose
}

#[test]
fn a_copy_goes_on_as_the_original_does_to_the_bit() {
    let mut hero = hero();
    for start in [0, 5, 12, 60, 95, 123, 240] {
        let mut number = start;
        (0..start % 17).for_each(|_| {
            frame(&mut hero, number);
            number += 1;
        });
        // In the middle of fades, steps and swings.
        let mut copy = hero.clone();
        let mut stack = copy.layers.clone();
        std::mem::swap(&mut stack, &mut copy.layers);
        for _ in 0..120 {
            number += 1;
            assert_eq!(frame(&mut hero, number), frame(&mut copy, number), "copied at {start}, frame {number}");
            assert_eq!(hero.palette(), copy.palette());
            assert_eq!(hero.frame().attachment(0), copy.frame().attachment(0));
        }
    }
}

/// What becomes of one is not seen by the other, in either direction.
#[test]
fn a_copy_is_on_its_own() {
    let mut hero = hero();
    (0..50).for_each(|number| drop(frame(&mut hero, number)));
    let mut expected = hero.clone();
    let mut copy = hero.clone();
    copy.layer_mut::<BreathingLayer>().expect("the layer").amplitude = 0.4;
    copy.layers.layers.truncate(3);
    copy.mixer.play("jump", 0.1).expect("a clip");
    for number in 50..100 {
        let other = frame(&mut copy, number);
        let own = frame(&mut hero, number);
        assert_eq!(own, frame(&mut expected, number), "frame {number}");
        assert!(own != other);
    }
    assert_eq!((hero.layers.layers.len(), copy.layers.layers.len()), (9, 3));
}
