//! A whole character, with everything that it can have.

use glam::{Affine3A, Quat, Vec2, Vec3};
use nebula_animation::procedural::avatar::{EyeGazeLayer, layers};
use nebula_animation::procedural::ik::TwoBoneIk;
use nebula_animation::procedural::springs::SpringChain;
use nebula_animation::rig::avatar::{
    Avatar, ConstraintKind, EyeGaze, EyeGazeKind, EyeRange, JointCollider, JointColliderShape, JointConstraint,
    SpringJoint, SpringJointChain,
};
use nebula_animation::{
    AimLayer, AnimationClip, AnimationClipLibrary, Asset, BlendSpace, BoneAttachment, Character, Fade, FootPlacement,
    GroundPoint, LibraryOptions, StateMachine, StateMachinePlayer, Surroundings, TargetId,
    mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
};

use super::allocations;

/// Gaits by speed, a wave that hands back, a face that a state machine decides on, gaze, feet on a hill, a tail of springs, a sword and
/// footsteps, with fades of every kind.
#[test]
fn a_character_with_everything_allocates_nothing() {
    let asset = Asset::load(concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb")).expect("it loads");
    let mut clips = asset.clips();
    clips.push(AnimationClip::of_morph_weight("smile", 0, &[(0.0, 0.0), (0.3, 1.0)]));
    clips.push(AnimationClip::of_morph_weight("frown", 1, &[(0.0, 0.2), (0.4, 1.0)]));
    let morphs = nebula_animation::clip::MorphLayout::of_clips(&clips);
    let options = nebula_animation::rig::RigOptions { morphs, ..Default::default() };
    let rig = nebula_animation::Rig::with_options(asset.skeleton.clone(), options);
    let options = LibraryOptions { step_marker: Some("step".into()), ..LibraryOptions::default() };
    let library = AnimationClipLibrary::with_options(&rig, &clips, options);
    let [idle, walk, run, wave, jump] =
        ["idle", "walk", "run", "wave", "jump"].map(|name| library.find(name).expect("a shipped clip"));

    let mut hero = Character::of(library.clone());
    let gait = BlendSpace::by_speed(&library, &[idle, walk, run]).expect("three speeds");
    let gait = hero.mixer.add_blend_space(gait);
    hero.mixer.play(gait, 0.0).expect("just added");
    let arms = hero.mixer.add_masked_layer("arms", rig.upper_body().expect("a back"));
    let face = hero.mixer.add_masked_layer("face", rig.face());
    let document = MachineDocument::new("calm")
        .with_parameter("mood", ParameterValue::Float(0.0))
        .with_state(StateDocument::empty("calm"))
        .with_state(StateDocument::clip("happy", "smile").once())
        .with_state(StateDocument::clip("angry", "frown"))
        .with_transition(TransitionDocument::new("*", "happy").when("mood > 0.5").with_fade(0.2))
        .with_transition(TransitionDocument::new("*", "angry").when("mood < -0.5").with_fade(Fade::inertialised(0.2)))
        .with_transition(TransitionDocument::new("*", "calm").when("mood == 0").with_fade(Fade::smooth(0.3)));
    let machine = StateMachine::new(&document, &library, library.markers()).expect("a machine");
    hero.machines.push(StateMachinePlayer::new(machine).on_layer(face));
    let mood = hero.machines[0].parameter("mood").expect("a parameter");
    hero.add_layer(rig.humanoid().breathing().expect("a chest"));
    hero.add_layer(rig.humanoid().aim(&rig, Vec3::ZERO).expect("a head").following(TargetId(7)));
    hero.add_layer(rig.humanoid().foot_placement(&rig).expect("feet"));
    let hand = rig.joint_by_name("RightHand").expect("a hand");
    let arm = rig.parent(hand).expect("an arm");
    hero.add_layer(SpringChain::new(vec![arm, hand]));
    let sword = BoneAttachment::named("RightHand").at(Vec3::Y * 0.05, Quat::IDENTITY);
    let sword = hero.attach(sword).expect("a hand");

    let hill = |place: Vec3| Some(GroundPoint::new(0.1 * place.z, Vec3::new(0.0, 1.0, -0.1)).moving(Vec3::X * 0.01));
    let (mut z, mut steps, mut smiles, mut waves, mut planted) = (0.0_f32, 0, 0, 0, 0);
    let mut frame = |number: u32| {
        let speed = (number % 240) as f32 / 120.0;
        z += speed / 60.0;
        match number % 300 {
            30 => drop(hero.mixer.play_once_on(arms, wave, 0.2, 0.3).expect("a clip")),
            100 => drop(
                hero.mixer.play_once_on(arms, wave, Fade::inertialised(0.2), Fade::inertialised(0.2)).expect("a clip"),
            ),
            150 => drop(hero.mixer.play(jump, Fade::smooth(0.1)).expect("a clip")),
            180 => drop(hero.mixer.play(walk, 0.3).expect("a clip")),
            // An interruption.
            190 => drop(hero.mixer.play(run, 0.3).expect("a clip")),
            200 => drop(hero.mixer.play(gait, Fade::inertialised(0.2)).expect("a space")),
            _ => hero.mixer.set_blend_position(gait, Vec2::X * speed).expect("a space"),
        }
        let feeling = [0.0, 1.0, -1.0, 0.0][number as usize / 70 % 4];
        hero.machines[0].set_float(mood, feeling).expect("a number");
        let targets = |_: TargetId| Some(Vec3::new(2.0, 1.5, z + 3.0));
        let surroundings = Surroundings {
            velocity: Vec3::Z * speed,
            ground: Some(&hill),
            is_grounded: !(150..180).contains(&(number % 300)),
            targets: Some(&targets),
            ..Surroundings::at(Affine3A::from_translation(Vec3::new(0.0, 0.1 * z, z)))
        };
        hero.update(1.0 / 60.0, &surroundings);
        steps += hero.events().filter(|event| event.marker.name == "step").count();
        smiles += usize::from(hero.frame().morph_weights()[0] > 0.9);
        waves += usize::from(hero.mixer.layer(arms).is_some_and(|arms| arms.current_action.is_some()));
        let feet = hero.layer_mut::<FootPlacement>().expect("feet");
        planted += usize::from(feet.is_planted(0) || feet.is_planted(1));
        assert!(hero.attachment(sword).is_finite() && hero.layer_mut::<AimLayer>().is_some());
    };
    // Until everything has been seen once.
    (0..600).for_each(&mut frame);
    let count = allocations(|| (600..2400).for_each(&mut frame));
    assert_eq!(count, 0, "frames of a whole character");
    assert!(steps > 30 && smiles > 100 && waves > 300 && planted > 600, "{steps} {smiles} {waves} {planted}");
}

/// Characters side by side: gazes and limbs, which now and then come to their limits.
#[test]
fn many_whole_characters_allocate_nothing() {
    let asset = Asset::load("test_assets/simple_humanoid.glb").expect("the shipped character");
    let rig = asset.rig();
    let library = AnimationClipLibrary::new(&rig, &asset.clips());
    let mut characters: Vec<Character> = (0..20)
        .map(|index| {
            let mut character = Character::of(library.clone());
            character.mixer.play("walk", 0.0).expect("a clip").seek(0.1 * f64::from(index));
            character.add_layer(rig.humanoid().aim(&rig, Vec3::ZERO).expect("a head").following(TargetId(0)));
            let leg = &rig.feet().expect("a human").legs()[0];
            let mut limb = TwoBoneIk::new(&rig, [leg.thigh, leg.shin, leg.foot], Vec3::ZERO);
            limb.follows = Some(TargetId(1));
            character.add_layer(limb);
            character
        })
        .collect();
    let mut frame = |number: u32| {
        let (sine, cosine) = (number as f32 / 60.0).sin_cos();
        let targets = |TargetId(id): TargetId| {
            let target =
                if id == 0 { Vec3::new(3.0 * sine, 1.6, 3.0 * cosine) } else { Vec3::new(0.1, 0.4 * sine, 0.1) };
            Some(target)
        };
        let surroundings = Surroundings { targets: Some(&targets), ..Surroundings::default() };
        Character::update_all(&mut characters, 1.0 / 60.0, |_, _| surroundings);
    };
    (0..400).for_each(&mut frame);
    let count = allocations(|| (400..1200).for_each(&mut frame));
    assert_eq!(count, 0, "frames of many characters");
}

/// Springs, constraints and the gaze of an avatar: on a humanoid, whose joints they may be as well.
#[test]
fn an_avatar_allocates_nothing() {
    let asset = Asset::load(concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb")).expect("it loads");
    let library = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
    let joint = |name: &str| library.rig().joint_by_name(name).expect("a joint");
    let bone =
        |name: &str| SpringJoint { joint: joint(name), tail: Vec3::Y * 0.2, radius: 0.02, ..SpringJoint::default() };
    let ball = JointColliderShape::Capsule { ends: [Vec3::ZERO, Vec3::Y * 0.2], radius: 0.3, is_inside: false };
    let range = EyeRange::default();
    let (head, eyes) = (joint("Head"), [Some(joint("LeftHand")), None]);
    let avatar = Avatar {
        gaze: Some(EyeGaze {
            kind: EyeGazeKind::Joints,
            head,
            eyes,
            offset: Vec3::Y * 0.1,
            inner: range,
            outer: range,
            down: range,
            up: range,
        }),
        springs: vec![SpringJointChain {
            bones: vec![bone("RightArm"), bone("RightForeArm"), bone("RightHand")],
            colliders: vec![JointCollider { joint: joint("Spine1"), shape: ball }],
            ..SpringJointChain::default()
        }],
        constraints: vec![
            JointConstraint { joint: joint("LeftFoot"), source: head, weight: 0.5, kind: ConstraintKind::Rotation },
            JointConstraint { joint: joint("LeftHand"), source: head, weight: 0.5, kind: ConstraintKind::Aim(Vec3::Y) },
        ],
        ..Avatar::default()
    };
    let mut hero = Character::of(library);
    hero.mixer.play(0, 0.0).expect("a clip");
    hero.layers.layers.extend(layers(&avatar));
    let mut frame = |number: u16| {
        let turn = f32::from(number) * 0.05;
        if let Some(gaze) = hero.layer_mut::<EyeGazeLayer>() {
            gaze.target = Some(Vec3::new(turn.sin(), 1.5, 3.0));
        }
        let world = Affine3A::from_translation(Vec3::Z * turn.sin());
        hero.update([1.0 / 60.0, 1.0 / 25.0, 1.0 / 144.0][usize::from(number % 3)], &Surroundings::at(world));
    };
    (0..20).for_each(&mut frame);
    assert_eq!(allocations(|| (20..400).for_each(&mut frame)), 0);
}
