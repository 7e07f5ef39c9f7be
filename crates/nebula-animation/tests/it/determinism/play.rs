//! Whole characters: mixer, procedural layers and morph weights, frame by frame.
//!
//! Which instructions mixers use is chosen once in a process, by `NEBULA_SIMD`: processes of this test's own play on each.

use std::path::Path;
use std::process::Command;

use glam::{Affine3A, Vec2, Vec3};
use nebula_animation::character::AttachmentId;
use nebula_animation::clip::MorphLayout;
use nebula_animation::compile::{Isa, RootMotionOptions};
use nebula_animation::mixer::{BlendMode, Motion};
use nebula_animation::procedural::ik::{ChainIk, TwoBoneIk};
use nebula_animation::procedural::springs::{SpringChain, SpringCollider};
use nebula_animation::procedural::{AimJoint, Faded};
use nebula_animation::rig::{FeetRig, LegJoints, RigOptions};
use nebula_animation::sample::additive_clip_from_frame;
use nebula_animation::{
    AimLayer, AnimationClip, AnimationClipLibrary, BlendSpace, BoneAttachment, BreathingLayer, Character, ClipMarkers,
    Fade, FootPlacement, GroundPoint, Interpolation, JointMask, LayerId, LeanLayer, LibraryOptions, LookAtLayer,
    Marker, Rig, Skeleton, Surroundings, TargetId,
};

use super::{Hash, ISAS, generated, loaded};
use crate::characters::Random;

/// Characters that are generated, and those of `test_assets/`, each for [`FRAMES`] frames.
const GOLDEN_PLAYED: u64 = 0x1e42_8a08_701a_9611;

const FRAMES: usize = 120;
/// The environment variable by which a process knows that it is one of ours.
const CHILD: &str = "NEBULA_DETERMINISM_CHILD";
/// What comes before the hash that such a process says.
const SAID: &str = "the bits of today: ";

/// A character, what it does, and the hash of all that it was.
struct Actor {
    character: Character,
    random: Random,
    spaces: Vec<Motion>,
    held: Option<AttachmentId>,
    place: Vec3,
    hash: Hash,
}

impl Actor {
    fn new(index: u64, skeleton: &Skeleton, clips: &[AnimationClip]) -> Self {
        let mut random = Random::new(1000 + index);
        let clips = with_faces_and_differences(&mut random, skeleton, clips);
        let options = RigOptions { morphs: MorphLayout::of_clips(&clips), ..RigOptions::default() };
        let rig = Rig::with_options(skeleton, options);
        let mut markers = ClipMarkers::new();
        for (clip, AnimationClip { duration, .. }) in clips.iter().enumerate() {
            markers.add(clip, Marker { name: "beat".into(), time: 0.25 * f64::from(*duration) });
        }
        let options = LibraryOptions {
            markers,
            root_motion: index.is_multiple_of(2).then(RootMotionOptions::default),
            step_marker: Some("step".into()),
            ..LibraryOptions::default()
        };
        let library = AnimationClipLibrary::with_options(&rig, &clips, options);
        let mut character = Character::of(library.clone());
        let line = BlendSpace::line(&library, &[(0.0, 0), (1.0, 1), (2.0, 2)]).expect("three places");
        let corners = [(Vec2::ZERO, 0), (Vec2::X, 1), (Vec2::Y, 3)];
        let plane = BlendSpace::plane(&library, &corners).expect("three places");
        let spaces = vec![character.mixer.add_blend_space(line), character.mixer.add_blend_space(plane)];
        let weights: Vec<f32> = (0..rig.joint_count()).map(|_| random.unit()).collect();
        let mask = rig.upper_body().unwrap_or_else(|_| JointMask::from_weights(&weights).with_morphs(0.25));
        character.mixer.play(spaces[0], 0.0).expect("just added");
        character.mixer.add_masked_layer("part", mask);
        character.mixer.add_masked_layer("face", rig.face());
        let on_top = character.mixer.add_layer("on top");
        character.mixer.layer_mut(on_top).expect("just added").mode = BlendMode::Additive;
        add_layers(&mut character, &rig, &mut random);
        let held = rig.joints.last().map(|joint| BoneAttachment::named(&joint.name).at(Vec3::Y, random.quat()));
        let held = held.and_then(|held| character.attach(held).ok());
        Self { character, random, spaces, held, place: Vec3::ZERO, hash: Hash::new() }
    }

    fn frame(&mut self) {
        self.change_something();
        let Self { character, random, place, .. } = self;
        *place += Vec3::new(0.004, 0.001, 0.02);
        let ground = |place: Vec3| {
            let height = 0.1 * place.x + 0.05 * place.z - 0.02 * place.x * place.z;
            let normal = Vec3::new(-0.1 + 0.02 * place.z, 1.0, -0.05 + 0.02 * place.x);
            Some(GroundPoint::new(height, normal).moving(Vec3::X * 0.05))
        };
        let target = *place + Vec3::new(1.0, 1.5, 2.0);
        let targets = |id: TargetId| (id.0 == 7).then_some(target);
        let surroundings = Surroundings {
            velocity: Vec3::new(0.24, 0.06, 1.2),
            ground: Some(&ground),
            is_grounded: !random.chance(0.05),
            targets: Some(&targets),
            ..Surroundings::at(Affine3A::from_rotation_translation(glam::Quat::IDENTITY, *place))
        };
        character.update(1.0 / 60.0, &surroundings);
        self.note();
    }

    /// A fade of any kind on any layer, another place in a blend space.
    fn change_something(&mut self) {
        let Self { character, random, spaces, .. } = self;
        for space in spaces.iter() {
            let place = Vec2::new(random.between(0.0, 2.0), random.unit());
            character.mixer.set_blend_position(*space, place).expect("a space of its own");
        }
        if !random.chance(0.12) {
            return;
        }
        let seconds = random.between(0.05, 0.6);
        let fades = [Fade::linear(seconds), Fade::smooth(seconds), Fade::inertialised(seconds)];
        let fade = fades[random.below(3)];
        let layer = random.below(4);
        // The differences are for the layer on top, and for no other.
        let motion = match layer {
            3 => Motion::Clip(4),
            _ if random.chance(0.3) => spaces[random.below(2)],
            _ => Motion::Clip(random.below(4)),
        };
        let layer = character.mixer.layer_mut(LayerId::new(layer)).expect("there are four");
        match random.below(4) {
            0 => layer.stop(fade),
            1 => drop(layer.play_once(motion, fade, 0.2).expect("there is such a motion")),
            _ => layer.play(motion, fade).expect("there is such a motion").speed = random.between(-1.0, 2.0),
        }
        layer.weight = random.between(0.5, 1.0);
    }

    /// Hashes all that the frame says.
    fn note(&mut self) {
        let Self { character, hash, held, .. } = self;
        let frame = character.frame();
        for joint in 0..frame.rig().joint_count() as u16 {
            let (translation, rotation, scale) = frame.local(joint);
            hash.add_all(&translation.to_array());
            hash.add_all(&rotation.to_array());
            hash.add_all(&scale.to_array());
        }
        frame.palette().iter().for_each(|matrix| hash.add_all(&matrix.to_cols_array()));
        hash.add_all(frame.morph_weights());
        hash.add_all(&frame.root_step().translation.as_vec3().to_array());
        for clip in frame.shown() {
            hash.add_all(&[clip.time, clip.weight, clip.feet_weight]);
        }
        if let Some(held) = *held {
            hash.add_all(&character.attachment(held).to_cols_array());
        }
        hash.add(character.events().count() as f32);
    }
}

/// Every clip gets five morph weights of its own, by every interpolation; a fifth clip holds differences.
fn with_faces_and_differences(random: &mut Random, skeleton: &Skeleton, clips: &[AnimationClip]) -> Vec<AnimationClip> {
    let mut clips: Vec<_> = clips.iter().take(4).cloned().collect();
    let kinds = [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline, Interpolation::Linear];
    for (clip, kind) in clips.iter_mut().zip(kinds) {
        let times = [0.0, 0.3, 0.7, 1.0].map(|part| part * clip.duration);
        let count = if kind == Interpolation::CubicSpline { 3 } else { 1 } * times.len() * 5;
        let values: Vec<f32> = (0..count).map(|_| random.unit()).collect();
        clip.set_morph_weights(0, kind, &times, &values, 5).expect("they are good");
    }
    assert_eq!(clips.len(), 4, "a character has four clips at least");
    clips.push(additive_clip_from_frame(&clips[1], skeleton, 0.1));
    clips
}

/// Layers of every kind, on joints that the rig has.
fn add_layers(character: &mut Character, rig: &Rig, random: &mut Random) {
    let count = rig.joint_count();
    let mut joint = || random.below(count) as u16;
    character.add_layer(BreathingLayer::new(joint()));
    character.add_layer(LeanLayer::new(joint()));
    character.add_layer(LookAtLayer {
        joint_index: joint(),
        target: Vec3::new(1.0, 1.0, 3.0),
        max_angle: 1.0,
        weight: 0.5,
    });
    let mut hidden = Faded::hidden(BreathingLayer::new(joint()));
    hidden.fade.fade_to(1.0, 0.5);
    character.add_layer(hidden);
    match rig.humanoid().aim(rig, Vec3::ZERO) {
        Ok(aim) => character.add_layer(aim.following(TargetId(7))),
        Err(_) => {
            character.add_layer(AimLayer::new([joint(), joint()].map(AimJoint::new), Vec3::X).following(TargetId(7)));
        }
    }
    if count >= 9 {
        character.add_layer(TwoBoneIk::new(
            rig,
            [count as u16 - 3, count as u16 - 2, count as u16 - 1],
            Vec3::new(0.1, 0.2, 0.3),
        ));
        character.add_layer(ChainIk::new((4..8).collect(), Vec3::new(0.3, 0.2, 0.1)));
        let ball = SpringCollider::sphere(0, Vec3::ZERO, 0.1);
        character.add_layer(SpringChain::new(vec![5, 6, 7]).with_colliders([ball]));
    }
    match rig.humanoid().foot_placement(rig) {
        Ok(feet) => character.add_layer(feet),
        Err(_) if count >= 9 => {
            let leg = |thigh: u16| LegJoints { thigh, shin: thigh + 1, foot: thigh + 2, toes: None };
            character.add_layer(FootPlacement::new(FeetRig::new(rig, 0, &[leg(1), leg(4)])));
        }
        Err(_) => {}
    }
}

fn actors() -> Vec<Actor> {
    let mut characters = generated();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets");
    let files = ["robot.glb", "simple_humanoid.glb", "simple_humanoid.glb"];
    characters.extend(files.map(|name| loaded(&assets.join(name))));
    (0..).zip(&characters).map(|(index, (skeleton, clips))| Actor::new(index, skeleton, clips)).collect()
}

/// One hash of all actors.
fn total(actors: &[Actor]) -> u64 {
    actors.iter().fold(0, |total, actor| total.rotate_left(7) ^ actor.hash.0)
}

/// Plays all of them, and says what came out, for [`hash_on`].
fn played() -> u64 {
    let mut actors = actors();
    let (mut planted, mut blended, mut steps) = (0, 0, 0);
    for _ in 0..FRAMES {
        actors.iter_mut().for_each(Actor::frame);
        for Actor { character, .. } in &actors {
            planted += usize::from(character.layers.layer().is_some_and(|feet: &FootPlacement| feet.is_planted(0)));
            blended += usize::from(character.frame().shown().len() > 2);
            steps += character.events().count();
        }
    }
    assert!(planted > 50 && blended > 1000 && steps > 50, "nothing happens: {planted} {blended} {steps}");
    let hash = total(&actors);
    println!("{SAID}{hash:#018x}");
    hash
}

#[test]
fn whole_characters_have_the_same_bits_everywhere() {
    let hash = played();
    // A process of ours is asked for its bits, whatever is stored here.
    assert!(
        hash == GOLDEN_PLAYED || std::env::var_os(CHILD).is_some(),
        "GOLDEN_PLAYED is {GOLDEN_PLAYED:#018x}, but the bits of today hash to {hash:#018x}: see GOLDEN_CHARACTERS"
    );
}

/// The hash that a process says which uses certain instructions.
fn hash_on(isa: Isa) -> String {
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "determinism::play::whole_characters_have_the_same_bits_everywhere", "--nocapture"])
        .env("NEBULA_SIMD", isa.to_string())
        .env(CHILD, "1")
        .output()
        .expect("this test can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{isa} (here {}): {text}", isa.available());
    let said = text.split(SAID).nth(1).unwrap_or_else(|| panic!("{isa} says nothing: {text}"));
    said.chars().take(18).collect()
}

#[test]
fn whole_characters_have_the_same_bits_on_every_instruction_set() {
    let scalar = hash_on(Isa::Scalar);
    for isa in ISAS {
        assert_eq!(hash_on(isa), scalar, "{isa} (here {}) gives other bits than scalar code", isa.available());
    }
}

/// Who is played by which thread changes from frame to frame.
#[test]
fn whole_characters_have_the_same_bits_on_any_number_of_threads() {
    let alone = played();
    for threads in [1, 2, 5] {
        let mut actors = actors();
        for frame in 0..FRAMES {
            actors.rotate_left(if frame % 2 == 0 { 3 } else { 0 });
            let share = actors.len().div_ceil(threads);
            std::thread::scope(|scope| {
                for part in actors.chunks_mut(share) {
                    scope.spawn(|| part.iter_mut().for_each(Actor::frame));
                }
            });
            actors.rotate_right(if frame % 2 == 0 { 3 } else { 0 });
        }
        assert_eq!(total(&actors), alone, "{threads} threads");
    }
}
