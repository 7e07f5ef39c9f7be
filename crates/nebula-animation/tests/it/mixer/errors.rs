//! Whoever asks for something by a name or a handle that is not there is told so, by that name and with those that come close.

use glam::Vec2;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, BoneAttachment, Character, ClipMarkers, JointMask, LayerId,
    Rig, StateMachine, StateMachinePlayer,
    clip::{MorphLayout, MorphMesh},
    mixer::{MachineDocument, Motion, ParameterValue, StateDocument},
};

use crate::support::humanoid::humanoid;

fn library() -> AnimationClipLibrary {
    let (skeleton, clips) = humanoid();
    AnimationClipLibrary::new(&Rig::new(skeleton), &clips)
}

fn machine(library: &AnimationClipLibrary) -> StateMachinePlayer {
    let document = MachineDocument::new("standing")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_state(StateDocument::clip("standing", "idle"))
        .with_state(StateDocument::clip("walking", "walk"));
    StateMachinePlayer::new(StateMachine::new(&document, library, &ClipMarkers::new()).expect("a machine"))
}

#[track_caller]
fn assert_near<T, E: std::error::Error>(result: Result<T, E>, asked: &str, near: &str) {
    let text = result.err().expect("there is no such name").to_string();
    assert!(text.contains(&format!("\"{asked}\"")), "it says what was asked for: {text}");
    assert!(text.contains(&format!("\"{near}\"")), "it says what comes close: {text}");
}

#[test]
fn names_that_are_not_there_are_answered_with_those_that_come_close() {
    let library = library();
    let rig = library.rig();
    assert_near(library.find("wlak"), "wlak", "walk");
    assert_near(library.find_any(&["Walk", "Walking"]), "Walk", "walk");

    let mut mixer = AnimationMixer::new(library.clone());
    let arm = mixer.add_layer("right arm");
    assert_near(mixer.layer_named("right_arm"), "right_arm", "right arm");
    assert_near(mixer.play("wlak", 0.1), "wlak", "walk");
    assert_near(mixer.restart("wlak", 0.1), "wlak", "walk");
    assert_near(mixer.play_once("wlak", 0.1, 0.1), "wlak", "walk");
    assert_near(mixer.play_on(arm, "wvae", 0.1), "wvae", "wave");
    assert_near(mixer.play_once_on(arm, "wvae", 0.1, 0.1), "wvae", "wave");
    assert_eq!(mixer.layers().flat_map(|layer| layer.actions()).count(), 0, "nothing has come of it");

    let player = machine(&library);
    assert_near(player.state_named("walkng"), "walkng", "walking");
    assert_near(player.machine().state_named("walkng"), "walkng", "walking");
    assert_near(player.parameter("sped"), "sped", "speed");
    let misspelt = MachineDocument::new("a").with_state(StateDocument::clip("a", "wlak"));
    let error = StateMachine::new(&misspelt, &library, &ClipMarkers::new()).expect_err("misspelt");
    assert!(error.to_string().contains("\"wlak\"") && error.to_string().contains("\"walk\""), "{error}");

    assert_near(rig.require_joint("RightHnd"), "RightHnd", "RightHand");
    assert_near(JointMask::none(rig).with_subtree(rig, "spine", 1.0), "spine", "Spine");
    assert_near(JointMask::none(rig).with_joint(rig, "spine", 1.0), "spine", "Spine");
    assert_near(BoneAttachment::new(rig, "LeftHnd"), "LeftHnd", "LeftHand");
    assert_near(Character::of(library.clone()).attach(BoneAttachment::named("LeftHnd")), "LeftHnd", "LeftHand");

    let face = MorphMesh { target_names: vec!["smile".into()], weights: vec![0.0], ..MorphMesh::default() };
    assert_near(MorphLayout { meshes: vec![face] }.require("smiel"), "smiel", "smile");
}

/// Handles have no names that could come close; what was asked for, and how many there are, is said.
#[test]
fn handles_that_are_of_another_are_answered_by_their_number() {
    let library = library();
    let mut mixer = AnimationMixer::new(library.clone());
    let said = |error: nebula_animation::PlayError| error.to_string();
    let count = library.len();
    let far = LayerId::new(7);
    assert_eq!(said(mixer.play_on(far, 0, 0.1).expect_err("one layer")), "there is no layer 7: the mixer has 1");
    assert_eq!(said(mixer.play_once_on(far, 0, 0.1, 0.1).expect_err("one")), "there is no layer 7: the mixer has 1");
    let clip = said(mixer.play(count, 0.1).expect_err("as many"));
    assert_eq!(clip, format!("there is no clip {count}: the library has {count}"));
    let more: Vec<AnimationClip> =
        (0..=count).map(|_| AnimationClip { name: "x".into(), ..Default::default() }).collect();
    let larger = AnimationClipLibrary::new(library.rig(), &[&humanoid().1[..], &more].concat());
    let foreign = larger.find("x").expect("it is there");
    assert_eq!(said(mixer.play(foreign, 0.1).expect_err("of another library")), clip);
    let space = mixer.set_blend_position(Motion::Space(2), Vec2::ZERO).expect_err("none");
    assert_eq!(said(space), "there is no blend space 2: the mixer has 0");

    let mut player = machine(&library);
    let document = MachineDocument::new("a")
        .with_parameter("p", ParameterValue::Float(0.0))
        .with_parameter("q", ParameterValue::Float(0.0))
        .with_state(StateDocument::empty("a"))
        .with_state(StateDocument::empty("b"))
        .with_state(StateDocument::empty("c"));
    let other =
        StateMachinePlayer::new(StateMachine::new(&document, &library, &ClipMarkers::new()).expect("a machine"));
    let (state, parameter) = (other.state_named("c").expect("there"), other.parameter("q").expect("there"));
    let state = player.go_to(&mut mixer, state, 0.1).expect_err("of another machine");
    assert_eq!(said(state), "there is no state 2: the machine has 2");
    let parameter = player.set_float(parameter, 1.0).expect_err("of another machine");
    assert_eq!(parameter.to_string(), "there is no parameter 1: the machine has 1");
}
