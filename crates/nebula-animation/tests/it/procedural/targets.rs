//! Layers that follow what the surroundings know by a number.

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AimLayer, AnimationClipLibrary, Character, HumanoidJoint, JointPose, Rig, Surroundings, TargetId,
    procedural::ik::TwoBoneIk,
};

use super::degrees_between;
use crate::support::humanoid::humanoid;

const FRIEND: TargetId = TargetId(7);
const FOE: TargetId = TargetId(u64::MAX);

fn character() -> Character {
    let (skeleton, clips) = humanoid();
    let mut character = Character::of(AnimationClipLibrary::new(&Rig::new(skeleton), &clips));
    character.mixer.play("idle", 0.0).expect("a clip");
    character
}

fn pose(character: &Character) -> Vec<JointPose> {
    let mut pose = character.rig().bind_pose();
    character.frame().write_pose(&mut pose);
    pose
}

/// Where the two are after so many frames.
fn places(frame: u16) -> [Vec3; 2] {
    let time = f32::from(frame) / 60.0;
    [Vec3::new(2.0 * time.sin(), 1.4, 3.0), Vec3::new(-1.0, 1.0 + 0.5 * time.cos(), 2.0)]
}

fn around(frame: u16, targets: &dyn nebula_animation::frame::TargetQuery) -> Surroundings<'_> {
    let turn = Quat::from_rotation_y(0.2 * f32::from(frame) / 60.0);
    let world_from_model = Affine3A::from_rotation_translation(turn, Vec3::X);
    Surroundings { world_from_model, targets: Some(targets), ..Surroundings::default() }
}

/// A layer that follows does what one does whose target is written anew in each frame, and can be sent after another.
#[test]
fn following_is_the_same_as_being_told() {
    let (mut following, mut told) = (character(), character());
    let rig = following.rig().clone();
    let arm = ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| rig.require_joint(name).expect("it has one"));
    for character in [&mut following, &mut told] {
        character.add_layer(rig.humanoid().aim(&rig, Vec3::Z).expect("a head"));
        character.add_layer(TwoBoneIk::new(&rig, arm, Vec3::Z));
    }
    for frame in 0..300 {
        let [friend, foe] = places(frame);
        let whom = if frame < 150 { FRIEND } else { FOE };
        following.layer_mut::<AimLayer>().expect("the layer").follows = Some(whom);
        following.layer_mut::<TwoBoneIk>().expect("the layer").follows = Some(whom);
        let target = if frame < 150 { friend } else { foe };
        told.layer_mut::<AimLayer>().expect("the layer").target = target;
        told.layer_mut::<TwoBoneIk>().expect("the layer").target = target;
        let known = |id: TargetId| match id {
            FRIEND => Some(friend),
            FOE => Some(foe),
            _ => None,
        };
        let nothing = |_: TargetId| None;
        following.update(1.0 / 60.0, &around(frame, &known));
        told.update(1.0 / 60.0, &around(frame, &nothing));
        assert_eq!(pose(&following), pose(&told), "frame {frame}");
    }
}

/// What nobody knows is not looked at: the aim goes back to the animation without a jump, an arm is as the animation has it. When it is
/// there again, it is followed again.
#[test]
fn a_target_that_is_lost_is_let_go_and_found_again() {
    let mut character = character();
    let rig = character.rig().clone();
    let head = rig.humanoid().require(HumanoidJoint::Head).expect("a head");
    let target = Vec3::new(3.0, 1.6, 3.0);
    character.add_layer(rig.humanoid().aim(&rig, Vec3::NEG_Z).expect("a head").following(FRIEND));
    let gaze = |character: &Character| {
        let axis = rig.in_joint(head, rig.front().expect("it has one"));
        character.frame().model_matrix(head).transform_vector3(axis).as_dvec3()
    };
    let ahead = gaze(&character);
    let mut before = None;
    for frame in 0..360_u16 {
        let is_known = !(120..240).contains(&frame);
        let known = |id: TargetId| (id == FRIEND && is_known).then_some(target);
        // Also where nobody can be asked at all.
        let targets = (frame % 240 != 130).then_some(&known as &dyn nebula_animation::frame::TargetQuery);
        character.update(1.0 / 60.0, &Surroundings { targets, ..Surroundings::default() });
        let now = gaze(&character);
        if let Some(before) = before.replace(now) {
            assert!(degrees_between(before, now) < 6.0, "no jump in frame {frame}: {}", degrees_between(before, now));
        }
        let turned = degrees_between(now, ahead);
        match frame {
            119 | 359 => assert!(turned > 25.0, "it looks there in frame {frame}: {turned} degrees"),
            239 => assert!(turned < 6.0, "it looks where the animation does: {turned} degrees"),
            _ => {}
        }
    }

    let mut reaching = character.clone();
    reaching.layers.layers.clear();
    let arm = ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| rig.require_joint(name).expect("it has one"));
    reaching.update(0.0, &Surroundings::default());
    let as_animated = pose(&reaching);
    let mut layer = TwoBoneIk::new(&rig, arm, Vec3::new(0.3, 1.2, 0.4));
    layer.follows = Some(FRIEND);
    reaching.add_layer(layer);
    let hand = Vec3::new(0.35, 1.25, 0.3);
    for (is_known, words) in [(false, "not yet"), (true, "there"), (false, "lost"), (true, "there again")] {
        let known = |_: TargetId| is_known.then_some(hand);
        reaching.update(0.0, &Surroundings { targets: Some(&known), ..Surroundings::default() });
        let reached = reaching.frame().model_matrix(arm[2]).w_axis.truncate();
        assert_eq!(pose(&reaching) == as_animated, !is_known, "{words}");
        assert_eq!(reached.distance(hand) < 1e-3, is_known, "{words}: {reached}");
    }
}
