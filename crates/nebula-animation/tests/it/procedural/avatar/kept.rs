//! Avatars in a character: what is saved, recorded and played again has the same bits, and everybody has the same.

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::procedural::avatar::{EyeGazeLayer, layers};
use nebula_animation::procedural::springs::SpringJoints;
use nebula_animation::recorder::Recording;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Channel, Character, Interpolation, Keyframe, Recorder, Rig, Surroundings,
};

use crate::asset::vrm;

/// All that the layers of an avatar came to in [`FRAMES`] frames.
const GOLDEN_AVATAR: u64 = 0x9801_90a3_99a9_85de;
const FRAMES: u16 = 240;

/// A rotation by sums, products and roots alone, which every machine rounds alike: twice the tangent of a quarter of the angle, or so.
fn turned(about: Vec3) -> Quat {
    let turn = Quat::from_vec4(about.extend(2.0));
    turn * turn.length_recip()
}

/// From -1 to 1 and back, evenly.
fn to_and_fro(frame: u16) -> f32 {
    f32::from(frame % 126).min(f32::from(125 - frame % 126)) / 31.0 - 1.0
}

/// An avatar that nods, with all of its layers.
fn avatar() -> Character {
    let (asset, avatar) = vrm::avatar(&vrm::one());
    let key = |time: f32, turn: f32| Keyframe { time, value: turned(Vec3::X * turn), tangents: None };
    let nod = |joint_index: u16| Channel {
        joint_index,
        interpolation: Interpolation::Linear,
        keyframes: vec![key(0.0, 0.0), key(0.3, 0.5), key(0.7, -0.4), key(1.0, 0.0)],
    };
    let clip = AnimationClip {
        name: "nod".into(),
        duration: 1.0,
        rotation_channels: (0..4).map(nod).collect(),
        ..AnimationClip::default()
    };
    let rig = Rig::new(asset.skeleton);
    let mut character = Character::of(AnimationClipLibrary::new(&rig, &[clip]));
    character.mixer.play(0, 0.0).expect("a clip");
    character.layers.layers.extend(layers(&avatar));
    character
}

/// What a game would change in the layers.
fn steer(character: &mut Character, frame: u16) {
    let turn = to_and_fro(frame);
    if let Some(gaze) = character.layer_mut::<EyeGazeLayer>() {
        gaze.target = (frame % 50 > 5).then(|| Vec3::new(2.0 * turn, 1.5, 3.0));
    }
    if let Some(springs) = character.layer_mut::<SpringJoints>() {
        springs.weight = if frame % 70 == 69 { 0.0 } else { 1.0 - 0.3 * turn.abs() };
    }
}

/// How long a frame is, and where the avatar is: both are a function of the index.
fn when_and_where(frame: u16) -> (f64, Affine3A) {
    let turn = to_and_fro(frame);
    let place = Vec3::new(turn, 0.0, 0.02 * f32::from(frame));
    let dt = [1.0 / 60.0, 1.0 / 144.0, 1.0 / 30.0, 0.011][usize::from(frame % 4)];
    (dt, Affine3A::from_rotation_translation(turned(Vec3::Y * 3.0 * turn), place))
}

fn step(character: &mut Character, frame: u16) {
    steer(character, frame);
    let (dt, world) = when_and_where(frame);
    character.update(dt, &Surroundings::at(world));
}

fn bits(character: &Character) -> Vec<u32> {
    let poses = (0..character.rig().joint_count() as u16).map(|joint| character.frame().local(joint));
    let numbers = poses.flat_map(|(place, turn, _)| place.to_array().into_iter().chain(turn.to_array()));
    numbers.map(f32::to_bits).collect()
}

#[test]
fn saved_avatars_go_on_with_the_same_bits() {
    let mut hero = avatar();
    (0..97).for_each(|frame| step(&mut hero, frame));
    let state = hero.state();
    let (mut restored, mut forgetful) = (avatar(), avatar());
    restored.restore(&state).expect("its own state");
    let mut differences = 0;
    for frame in 97..FRAMES {
        for character in [&mut hero, &mut restored, &mut forgetful] {
            step(character, frame);
        }
        assert_eq!(bits(&restored), bits(&hero), "frame {frame}");
        differences += usize::from(bits(&forgetful) != bits(&hero));
    }
    assert!(differences > 20, "without the state it would be the same, so this test shows nothing");
}

#[test]
fn recorded_avatars_come_back_with_the_same_bits() {
    let mut hero = Recorder::new(avatar(), 1e9).with_states_every(30);
    let mut seen = Vec::new();
    for frame in 0..FRAMES {
        steer(&mut hero, frame);
        let (dt, world) = when_and_where(frame);
        hero.update(dt, &Surroundings::at(world));
        seen.push(bits(&hero));
    }
    let bytes = Recording::of([("hero", hero.tape())]).to_bytes();
    let recording = Recording::from_bytes(&bytes).expect("what was written is read");
    let tape = recording.tape("hero").expect("its name");
    let mut past = avatar();
    for frame in (0..u64::from(FRAMES)).rev().step_by(11) {
        tape.restore(frame, &mut past).expect("a frame of the tape");
        assert_eq!(bits(&past), seen[frame as usize], "frame {frame}");
    }
}

#[test]
fn avatars_have_the_same_bits_everywhere() {
    let (mut hero, mut hash) = (avatar(), 0xcbf2_9ce4_8422_2325_u64);
    for frame in 0..FRAMES {
        step(&mut hero, frame);
        for byte in bits(&hero).into_iter().flat_map(u32::to_le_bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    assert_eq!(hash, GOLDEN_AVATAR, "the bits of today hash to {hash:#018x}");
}
