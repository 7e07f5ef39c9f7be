//! Bytes to recordings: any bytes are either read or refused, and what is read plays or is refused.

use std::cell::RefCell;

use glam::{Mat4, Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, BreathingLayer, Channel, Character, ClipMarkers, Interpolation,
    Joint, Keyframe, LookAtLayer, Rig, Skeleton, StateMachine, StateMachinePlayer,
    mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
    procedural::{ik::TwoBoneIk, springs::SpringChain},
    recorder::Recording,
};

/// A character of five joints that has a bit of everything.
pub fn character() -> Character {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("joint {index}"),
        bind_translation: Vec3::Y * 0.5,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    let skeleton = Skeleton { joints: (0..5).map(joint).collect() };
    let clip = |name: &str, turn: f32| {
        let key = |time: f32, turn: f32| Keyframe { time, value: Quat::from_rotation_x(turn), tangents: None };
        let channel = Channel {
            joint_index: 1,
            keyframes: vec![key(0.0, 0.0), key(1.0, turn)],
            interpolation: Interpolation::Linear,
        };
        AnimationClip { name: name.into(), duration: 1.0, rotation_channels: vec![channel], ..AnimationClip::default() }
    };
    let clips = [clip("stand", 0.1), clip("walk", 1.0), clip("run", -2.0)];
    let rig = Rig::new(&skeleton);
    let library = AnimationClipLibrary::new(&rig, &clips);
    let mut character = Character::of(library.clone());
    let space = BlendSpace::line(&library, &[(0.0, 0), (1.0, 1), (2.0, 2)]).expect("three places");
    let space = character.mixer.add_blend_space(space);
    character.mixer.play(space, 0.0).expect("it was added");
    character.mixer.set_blend_position(space, Vec2::X).expect("it was added");
    let upper = character.mixer.add_layer("upper");
    let document = MachineDocument::new("nothing")
        .with_parameter("go", ParameterValue::Trigger(false))
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_state(StateDocument::empty("nothing"))
        .with_state(StateDocument::clip("run", "run"))
        .with_transition(TransitionDocument::new("nothing", "run").when("go"))
        .with_transition(TransitionDocument::new("run", "nothing").when("speed > 1"));
    let machine = StateMachine::new(&document, &library, &ClipMarkers::new()).expect("a sound machine");
    character.machines.push(StateMachinePlayer::new(machine).on_layer(upper));
    character.add_layer(BreathingLayer::new(1));
    character.add_layer(LookAtLayer { joint_index: 4, target: Vec3::ONE, max_angle: 0.5, weight: 0.5 });
    let mut limb = TwoBoneIk::new(&rig, [2, 3, 4], Vec3::new(0.2, 1.0, 0.3));
    limb.follows = Some(nebula_animation::TargetId(1));
    character.add_layer(limb);
    character.add_layer(SpringChain::new(vec![2, 3, 4]));
    character
}

/// A checksum that fits, so that what comes after it is reached.
pub fn sealed(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let sum = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    bytes.extend(sum.to_le_bytes());
    bytes
}

thread_local! {
    static CHARACTER: RefCell<Option<Character>> = const { RefCell::new(None) };
}

/// The body of the target `recording`. Inputs are files without their checksum. How many frames played.
pub fn recording(input: &[u8]) -> usize {
    // As a file: damaged ones are refused.
    if let Err(error) = Recording::from_bytes(input) {
        assert!(!error.to_string().is_empty());
    }
    let Ok(recording) = Recording::from_bytes(&sealed(input)) else { return 0 };
    assert_eq!(recording.to_bytes(), sealed(input), "what is read is written the same");
    CHARACTER.with_borrow_mut(|kept| {
        let mut played = 0;
        let made = kept.get_or_insert_with(character);
        for (_, tape) in recording.tapes.iter().take(4) {
            let frames = tape.frames();
            let mut past = made.clone();
            past.set_traced(true);
            let Ok(mut playback) = tape.playback(frames.start) else { continue };
            for _ in 0..frames.count().min(64) {
                if !playback.step(&mut past).is_ok_and(|is_there| is_there) {
                    break;
                }
                assert!(past.palette().iter().all(|matrix| matrix.is_finite()), "a pose that is not finite");
                played += 1;
                let why = past.explain_joint(4).expect("the joint is there");
                assert!(!why.to_string().is_empty());
            }
        }
        played
    })
}
