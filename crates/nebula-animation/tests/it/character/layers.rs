//! Faces in blend spaces, on layers of their own, added on top, and decided on by a state machine.

use glam::Vec2;
use nebula_animation::mixer::{BlendMode, MachineDocument, ParameterValue, StateDocument, TransitionDocument};
use nebula_animation::sample::additive_clip_with_morphs;
use nebula_animation::{AnimationClip, BlendSpace, Character, Fade, JointMask, StateMachine, StateMachinePlayer};

use super::picture::{Picture, inverse, lerp, nlerp, product, slerp};
use super::stage::{CLOSE, FRAME, Stage, actor, frame};

fn after(frames: i32) -> f64 {
    f64::from(frames) * FRAME
}

#[test]
fn blend_spaces_blend_faces() {
    let stage = Stage::new(&actor());
    for place in [0.0, 0.25, 0.5, 0.875, 1.0] {
        let mut character = stage.character();
        let space = BlendSpace::line(&stage.library, &[(0.0, 0), (1.0, 1)]).expect("two places");
        let space = character.mixer.add_blend_space(space);
        character.mixer.set_blend_position(space, Vec2::new(place, 0.0)).expect("a space");
        character.mixer.play(space, 0.0).expect("just added");
        for number in 1..150 {
            let time = after(number).rem_euclid(2.0);
            let (walk, talk) = (stage.picture(0, time), stage.picture(1, time));
            let share = f64::from(place);
            let expected = walk.with(&talk, |a, b| lerp(a, b, share), |a, b| nlerp(a, b, share));
            expected.assert_shown(&frame(&mut character), CLOSE, &format!("place {place}, frame {number}"));
        }
    }
}

/// Clips of other lengths keep step: the reference works out their phase.
#[test]
fn faces_keep_step_with_bodies_in_a_blend_space() {
    let mut g = actor();
    let face =
        g.json["nodes"].as_array().expect("nodes").iter().position(|node| node["name"] == "face").expect("a face");
    g.animate(
        5,
        face,
        "weights",
        "LINEAR",
        &[0.0, 0.5, 1.0],
        &[0.0, 0.5, 1.0, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0, 0.5, 1.0, 0.0],
    );
    g.animate(5, 0, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 0.5, -1.0, 0.25]);
    let stage = Stage::new(&g);
    let mut character = stage.character();
    let space = BlendSpace::line(&stage.library, &[(0.0, 0), (1.0, 5)]).expect("two places");
    let space = character.mixer.add_blend_space(space);
    character.mixer.set_blend_position(space, Vec2::new(0.5, 0.0)).expect("a space");
    character.mixer.play(space, 0.0).expect("just added");
    for number in 1..150 {
        // Half of two seconds and half of one.
        let phase = (after(number) / 1.5).rem_euclid(1.0);
        let (walk, quick) = (stage.picture(0, 2.0 * phase), stage.picture(5, phase));
        let expected = walk.with(&quick, |a, b| lerp(a, b, 0.5), |a, b| nlerp(a, b, 0.5));
        expected.assert_shown(&frame(&mut character), CLOSE, &format!("frame {number}"));
    }
}

#[test]
fn a_layer_for_the_face_leaves_the_body_alone() {
    let stage = Stage::new(&actor());
    let mut character = stage.character();
    character.mixer.play("walk", 0.0).expect("a clip");
    let face = character.mixer.add_masked_layer("face", stage.rig.face());
    (0..8).for_each(|_| drop(frame(&mut character)));
    character.mixer.play_once_on(face, "talk", 0.25, 0.5).expect("a clip");
    let mut largest = 0.0_f64;
    for number in 1..=140 {
        let share = (after(number) / 0.25).min(1.0) * ((2.0 - after(number)) / 0.5).clamp(0.0, 1.0);
        let body = stage.picture(0, after(8 + number).rem_euclid(2.0));
        let talking = stage.picture(1, after(number).min(2.0));
        let shown = frame(&mut character);
        let expected = body.with_face(&body.mixed(&talking, share));
        expected.assert_shown(&shown, CLOSE, &format!("frame {number}"));
        largest = largest.max((shown.weights[0] - body.weights[0]).abs());
    }
    assert!(largest > 0.1, "the face does something else: {largest}");
    assert!(character.mixer.layer(face).is_some_and(|face| face.current_action.is_none()), "it hands back");
}

#[test]
fn a_layer_for_joints_leaves_the_face_alone_and_a_part_of_it_takes_a_part() {
    let stage = Stage::new(&actor());
    let joint = |weight: f32| JointMask::none(&stage.rig).with_joint(&stage.rig, "j1", weight).expect("a joint");
    for (mask, of_joint, of_face) in [(joint(1.0), 1.0, 0.0), (joint(0.5).with_morphs(0.25), 0.5, 0.25)] {
        let mut character = stage.character();
        character.mixer.play("walk", 0.0).expect("a clip");
        let part = character.mixer.add_masked_layer("part", mask);
        character.mixer.play_on(part, "shout", 0.0).expect("a clip").weight = 0.5;
        for number in 1..100 {
            let (walk, shout) = (stage.picture(0, after(number)), stage.picture(2, after(number)));
            let mut expected = walk.with_face(&walk.mixed(&shout, 0.5 * of_face));
            expected.joints[1] = walk.mixed(&shout, 0.5 * of_joint).joints[1];
            expected.assert_shown(&frame(&mut character), CLOSE, &format!("face {of_face}, frame {number}"));
        }
    }
}

#[test]
fn faces_are_added_on_top() {
    let stage = Stage::new(&actor());
    let rest = stage.picture(None, 0.0);
    let weights: Vec<f32> = rest.weights.iter().map(|weight| *weight as f32).collect();
    let additive = AnimationClip {
        name: "added".into(),
        ..additive_clip_with_morphs(&stage.clips[1], &stage.rig, &stage.rig.bind_pose(), &weights)
    };
    let library = stage.library_of(&[stage.clips.clone(), vec![additive]].concat());
    for share in [0.25, 1.0] {
        let mut character = Character::of(library.clone());
        character.mixer.play("walk", 0.0).expect("a clip");
        let on_top = character.mixer.add_layer("on top");
        let layer = character.mixer.layer_mut(on_top).expect("just added");
        (layer.mode, layer.weight) = (BlendMode::Additive, share);
        layer.play("added", 0.0).expect("a clip");
        for number in 1..100 {
            let share = f64::from(share);
            let (walk, talk) = (stage.picture(0, after(number)), stage.picture(1, after(number)));
            let difference = rest.with(&talk, |from, to| to - from, |from, to| product(to, inverse(from)));
            let mut expected = walk.with(
                &difference,
                |walk, difference| walk + share * difference,
                |walk, turn| product(slerp([0.0, 0.0, 0.0, 1.0], turn, share), walk),
            );
            // Scales multiply.
            for (joint, (walk, (from, to))) in
                expected.joints.iter_mut().zip(walk.joints.iter().zip(rest.joints.iter().zip(&talk.joints)))
            {
                if let (Some(joint), Some(walk), Some(from), Some(to)) = (joint, walk, from, to) {
                    joint.s =
                        std::array::from_fn(|axis| walk.s[axis] * (1.0 + share * (to.s[axis] / from.s[axis] - 1.0)));
                }
            }
            expected.assert_shown(&frame(&mut character), CLOSE, &format!("share {share}, frame {number}"));
        }
    }
}

#[test]
fn state_machines_decide_on_faces() {
    let stage = Stage::new(&actor());
    let document = MachineDocument::new("calm")
        .with_parameter("angry", ParameterValue::Bool(false))
        .with_state(StateDocument::empty("calm"))
        .with_state(StateDocument::clip("angry", "shout"))
        .with_transition(TransitionDocument::new("calm", "angry").when("angry").with_fade(0.25))
        .with_transition(TransitionDocument::new("angry", "calm").when("!angry").with_fade(Fade::smooth(0.5)));
    let machine = StateMachine::new(&document, &stage.library, stage.library.markers()).expect("a machine");
    let mut character = stage.character();
    let face = character.mixer.add_masked_layer("face", stage.rig.face());
    character.mixer.play("walk", 0.0).expect("a clip");
    character.machines.push(StateMachinePlayer::new(machine).on_layer(face));
    let angry = character.machines[0].parameter("angry").expect("a parameter");
    for number in 1..=100 {
        character.machines[0].set_bool(angry, (9..=40).contains(&number)).expect("a switch");
        let come = (after(number - 8) / 0.25).clamp(0.0, 1.0);
        let left = (after(number - 40) / 0.5).clamp(0.0, 1.0);
        let share = come * (1.0 - left * left * (3.0 - 2.0 * left));
        let walk = stage.picture(0, after(number).rem_euclid(2.0));
        let shout = stage.picture(2, after((number - 8).max(0)).rem_euclid(2.0));
        let expected: Picture = walk.with_face(&walk.mixed(&shout, share));
        expected.assert_shown(&frame(&mut character), CLOSE, &format!("frame {number}"));
    }
}
