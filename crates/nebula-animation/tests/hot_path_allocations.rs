//! No allocation in the hot path: a counting allocator watches frames go by.
//!
//! A test binary of its own, because the allocator is that of the whole process. Counts are those of the thread that
//! asks, so that neighbouring tests do not disturb each other.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

use glam::{Affine3A, Mat4, Vec3};
use nebula_animation::crowd::{DrawnCharacter, SecondClip};
use nebula_animation::frame::ShownClip;
use nebula_animation::palette::ClipAt;
use nebula_animation::procedural::ik::{ChainIk, TwoBoneIk};
use nebula_animation::procedural::springs::{SpringChain, SpringCollider};
use nebula_animation::rig::{FeetRig, LegJoints};
use nebula_animation::sample_pose;
use nebula_animation::{
    AimLayer, BodyLean, BreathingLayer, LeanLayer, LookAtLayer,
    procedural::{AimJoint, Faded},
};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Character, ClipMarkers, Crowd, Fade, FootPlacement, GroundPoint,
    Interpolation, JointMask, LayerId, LibraryOptions, Marker, Rig, Skeleton, Surroundings,
    compile::{CompiledClip, ContactTrack},
    mixer::{BlendInput, BlendMode, Blender},
    palette::{Evaluator, PaletteRows, SkinLayout},
};
use nebula_animation::{BoneAttachment, ModelPose, ProceduralAnimationStack, ProceduralContext};

#[path = "it/characters/mod.rs"]
#[allow(dead_code, reason = "made for more tests than these")]
mod characters;
#[path = "counting/mod.rs"]
mod counting;

use characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};
use counting::{allocations, held};

/// Runs two frames to warm up, then so many more that must not allocate.
fn assert_quiet(frames: u32, mut frame: impl FnMut(u32)) {
    frame(0);
    frame(1);
    let before = allocations();
    (2..frames + 2).for_each(&mut frame);
    assert_eq!(allocations() - before, 0, "allocations in {frames} frames");
}

fn skeleton(binds: Binds) -> Skeleton {
    let rest_scales = RestScales::One;
    RigRecipe { joints: 67, shape: Shape::Limbs, binds, rest_scales, extent: 0.3, seed: 1 }.skeleton()
}

/// Clips with every interpolation on every kind of timeline; the last one with scales.
fn clips() -> Vec<AnimationClip> {
    let recipe = |timing, shares, is_odd, seed| {
        let curves = if seed == 0 { Curves::One(Interpolation::Linear) } else { Curves::Mixed };
        ClipRecipe { keys: 30, curves, timing, shares, is_odd, extent: 0.3, seed }.clip(67)
    };
    vec![
        recipe(Timing::Uniform, [0.1, 1.0, 0.0], false, 0),
        recipe(Timing::Mixed, [0.5, 1.0, 0.0], true, 1),
        recipe(Timing::Own, [1.0, 1.0, 1.0], true, 2),
    ]
}

#[test]
fn the_allocator_counts() {
    let before = (allocations(), held());
    let memory = std::hint::black_box(vec![0_u8; 1000]);
    assert_eq!((allocations() - before.0, held() - before.1), (1, 1000));
    drop(memory);
    assert_eq!(held(), before.1);
}

/// All clips, for poses and for palettes.
fn compiled(rig: &Rig) -> Vec<CompiledClip> {
    let both = |clip: &AnimationClip| [CompiledClip::new(rig, clip), CompiledClip::for_palettes(rig, clip)];
    clips().iter().flat_map(both).collect()
}

#[test]
fn one_character_allocates_nothing() {
    for binds in [Binds::OfRest, Binds::Uneven] {
        let skeleton = skeleton(binds);
        let rig = Rig::new(&skeleton);
        let clips = compiled(&rig);
        let mut evaluator = Evaluator::new();
        let mut pose = skeleton.bind_pose();
        let mut rows = vec![PaletteRows::IDENTITY; 67];
        let mut matrices = vec![Mat4::IDENTITY; 67];
        assert_quiet(10_000, |frame| {
            let (clip, time) = (&clips[frame as usize % clips.len()], frame as f32 / 60.0 % 3.0);
            evaluator.palette_rows(&rig, clip, time, &mut rows);
            evaluator.palette(&rig, clip, time, &mut matrices);
            evaluator.pose(&rig, clip, time, &mut pose);
            evaluator.pose_and_palette(&rig, clip, time, &mut pose, &mut matrices);
            evaluator.palette_rows_of_pose(&rig, &pose, &mut rows);
        });
    }
}

#[test]
fn cross_fades_allocate_nothing() {
    let skeleton = skeleton(Binds::OfRest);
    let rig = Rig::new(&skeleton);
    let clips = compiled(&rig);
    let mut evaluator = Evaluator::new();
    let mut pose = skeleton.bind_pose();
    let mut rows = vec![PaletteRows::IDENTITY; 67];
    assert_quiet(10_000, |frame| {
        let time = frame as f32 / 60.0 % 3.0;
        let from = ClipAt { clip: &clips[frame as usize % clips.len()], time };
        let to = ClipAt { clip: &clips[frame as usize / clips.len() % clips.len()], time: time / 2.0 };
        evaluator.blended_palette_rows(&rig, from, to, time / 3.0, &mut rows);
        evaluator.blended_pose(&rig, from, to, time / 3.0, &mut pose);
    });
}

#[test]
fn blends_allocate_nothing() {
    let skeleton = skeleton(Binds::OfRest);
    let rig = Rig::new(&skeleton);
    let clips: Vec<_> = clips().iter().map(|clip| CompiledClip::new(&rig, clip)).collect();
    let mask = JointMask::none(&skeleton).with_subtree(&skeleton, &skeleton.joints[5].name, 0.5).expect("it is there");
    let mut blender = Blender::new();
    let mut pose = skeleton.bind_pose();
    assert_quiet(1_000, |frame| {
        let input = |index: u32| BlendInput {
            clip: &clips[index as usize % clips.len()],
            time: frame as f32 / 60.0 % 3.0,
            weight: (index + 1) as f32,
            mask: index.is_multiple_of(2).then_some(&mask),
            mode: if index == 5 { BlendMode::Additive } else { BlendMode::Override },
        };
        blender.blend(&rig, &[input(0), input(1), input(2), input(3), input(5)], &mut pose);
    });
}

/// Plays, stops, fades of all kinds that interrupt each other, layers, markers, scrubbing: all of it after set-up.
#[test]
fn mixers_allocate_nothing_transitions_included() {
    let skeleton = skeleton(Binds::OfRest);
    let mut markers = ClipMarkers::new();
    for clip in 0..3 {
        markers.add(clip, Marker { name: "step".into(), time: 0.2 });
    }
    let options = LibraryOptions { markers, ..LibraryOptions::default() };
    let mut character = Character::of(AnimationClipLibrary::with_options(&Rig::new(&skeleton), &clips(), options));
    let upper = character.mixer.add_layer("upper");
    let mask = JointMask::none(&skeleton).with_subtree(&skeleton, &skeleton.joints[5].name, 0.7).expect("it is there");
    character.mixer.layer_mut(upper).expect("just added").set_mask(mask);
    let on_top = character.mixer.add_layer("on top");
    character.mixer.layer_mut(on_top).expect("just added").mode = BlendMode::Additive;
    let mut random = characters::Random::new(5);
    let mut met = 0;
    assert_quiet(5_000, |_| {
        if random.chance(0.5) {
            let seconds = random.between(0.0, 0.5);
            let fades = [Fade::linear(seconds), Fade::smooth(seconds), Fade::inertialised(seconds), Fade::NONE];
            let fade = fades[random.below(4)];
            let layer = character.mixer.layer_mut(LayerId::new(random.below(3))).expect("there are three");
            if random.chance(0.2) {
                layer.stop(fade);
            } else {
                let action = layer.restart(random.below(3), fade).expect("there are three");
                (action.looping, action.speed) = (random.chance(0.8), random.between(-2.0, 2.0));
                if random.chance(0.2) {
                    action.time = random.unit();
                }
            }
        }
        character.update(1.0 / 60.0, &Surroundings::default());
        met += character.events().count();
    });
    assert!(met > 200, "{met} markers");
}

/// Fewer frames than for one character: a thousand of them take their time in a build for tests.
#[test]
fn a_crowd_of_1000_allocates_nothing() {
    let mut crowd = Crowd::new();
    let mut ids = Vec::new();
    for binds in [Binds::OfRest, Binds::Uneven] {
        let options = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
        let library = AnimationClipLibrary::with_options(&Rig::new(skeleton(binds)), &clips(), options);
        let own = library.ids().map(|clip| crowd.add_clip(&library, clip).expect("its own library"));
        ids.push(own.collect::<Vec<_>>());
    }
    for index in 0..1000 {
        let clips = &ids[index % 2];
        let character = crowd.spawn(clips[index % 3]).expect("the clip is of this crowd");
        let character = crowd.character_mut(character).expect("it is there");
        character.time = index as f64 * 0.013;
        character.speed = 1.0 - (index % 7) as f32 / 4.0;
    }
    let mut own_buffer = vec![PaletteRows::IDENTITY; 67_000];
    let layout = SkinLayout::new([(0..8).map(Some), (2..10).map(Some)]);
    let drawn: Vec<_> = (0..crowd.characters().len())
        .filter_map(|index| crowd.id_at(index))
        .map(|character| DrawnCharacter { character, world_from_model: Affine3A::IDENTITY })
        .collect();
    let starts: Vec<_> = (0..2 * drawn.len() as u32).map(|skin| 8 * skin).collect();
    let mut in_world = vec![Mat4::IDENTITY; 8 * starts.len()];
    assert_quiet(200, |frame| {
        // A third of them are in a cross-fade; clips and fades begin and end.
        for (index, character) in crowd.characters_mut().iter_mut().enumerate().skip(frame as usize % 3).step_by(3) {
            // Those of the first rig stand before those of the second.
            let clip = ids[index / 500][(index + frame as usize) % 3];
            let weight = (frame % 30) as f32 / 30.0;
            character.second = (frame % 30 > 0).then_some(SecondClip { clip, time: 0.5, weight });
        }
        crowd.update(1.0 / 60.0);
        if frame % 10 == 0 {
            crowd.evaluate_into(&mut own_buffer);
        }
        crowd.write_in_world(&layout, &drawn, &starts, &mut in_world);
    });
}

/// Layers of every kind, good and bad ones, and something in a hand.
#[test]
fn procedural_layers_allocate_nothing() {
    let skeleton = skeleton(Binds::OfRest);
    let rig = Rig::new(&skeleton);
    let sword = BoneAttachment::new(&skeleton, "joint 66").expect("there is one");
    let mut stack = ProceduralAnimationStack::default();
    stack.push(BreathingLayer { weight: 0.7, ..BreathingLayer::new(3) });
    stack.push(LeanLayer::new(2));
    stack.push(BodyLean::new(2));
    stack.push(LookAtLayer { joint_index: 66, target: Vec3::X, max_angle: 1.0, weight: 0.5 });
    stack.push(LookAtLayer { joint_index: 66, target: Vec3::NAN, max_angle: 1.0, weight: 0.5 });
    stack.push(LookAtLayer { joint_index: 67, target: Vec3::X, max_angle: 1.0, weight: 0.5 });
    stack.push(AimLayer::new([5, 20, 60].map(AimJoint::new), Vec3::X).with_eyeballs([AimJoint::new(61)]));
    stack.push(Faded::hidden(BreathingLayer::new(4)));
    let mut pose = skeleton.bind_pose();
    let mut grip = Mat4::IDENTITY;
    assert_quiet(2_000, |frame| {
        let elapsed = frame as f32 / 60.0;
        if let Some(aim) = stack.layer_mut::<AimLayer>() {
            aim.target = Vec3::new(3.0 - elapsed % 6.0, 1.0, 2.0);
        }
        if let Some(breathing) = stack.layer_mut::<Faded<BreathingLayer>>() {
            breathing.fade.fade_to((frame / 100 % 2) as f32, 1.0);
        }
        let context = ProceduralContext {
            dt: 1.0 / 60.0,
            elapsed,
            entity_position: Vec3::ZERO,
            entity_forward: Vec3::NEG_Z,
            velocity: Vec3::X,
        };
        for (pose, joint) in pose.iter_mut().zip(&skeleton.joints) {
            *pose = joint.bind_pose();
        }
        stack.apply(&context, &mut pose);
        stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut pose, Affine3A::from_translation(Vec3::Y)));
        grip *= sword.model_matrix(&skeleton, &pose);
    });
    assert!(grip.x_axis.x != 1.0, "it has moved");
}

/// What a compiled clip says that it takes is what it holds.
#[test]
fn reported_bytes_are_held_bytes() {
    let rig = Rig::new(skeleton(Binds::OfRest));
    for clip in clips() {
        let before = held();
        let compiled = CompiledClip::for_palettes(&rig, &clip);
        let held = held() - before + size_of::<CompiledClip>() as isize;
        let reported = compiled.report().bytes as isize;
        // The report's own lists and spare room in lists of groups are not clip data: a kilobyte or two.
        assert!((held - reported).abs() <= reported / 50 + 3000, "{held} bytes are held, {reported} are reported");
    }
}

/// Feet on a hill, a hand that reaches, a tail that reaches and one that swings.
#[test]
fn limbs_feet_and_springs_allocate_nothing() {
    let skeleton = skeleton(Binds::OfRest);
    let rig = Rig::new(&skeleton);
    let leg = |thigh: u16| LegJoints { thigh, shin: thigh + 1, foot: thigh + 2, toes: Some(thigh + 3) };
    let feet = FeetRig::new(&rig, 0, &[leg(2), leg(8)]);
    let tracks: Vec<_> = clips().iter().map(|clip| ContactTrack::from_clip(clip, &skeleton, &feet)).collect();
    let options = LibraryOptions { contacts: tracks, ..LibraryOptions::default() };
    let library = AnimationClipLibrary::with_options(&rig, &clips(), options);
    let hill = |place: Vec3| Some(GroundPoint::new(0.2 * place.x, Vec3::new(-0.2, 1.0, 0.0)));
    let mut stack = ProceduralAnimationStack::default();
    stack.push(FootPlacement::new(feet));
    stack.push(TwoBoneIk::new(&rig, [20, 21, 22], Vec3::new(0.2, 0.3, 0.1)));
    stack.push(ChainIk::new(vec![30, 31, 32, 33], Vec3::new(0.2, -0.3, 0.1)));
    let ball = SpringCollider::sphere(0, Vec3::ZERO, 0.2);
    stack.push(SpringChain::new(vec![40, 41, 42, 43]).with_colliders([ball]));
    let clips = clips();
    let mut poses = skeleton.bind_pose();
    assert_quiet(2_000, |frame| {
        let time = frame as f32 / 60.0;
        let clip = frame as usize / 500 % clips.len();
        sample_pose(&clips[clip], &skeleton, time % 1.0, &mut poses);
        // With a teleport now and then.
        let place = Vec3::X * (time * 0.5 + (frame / 700) as f32 * 50.0);
        let context = ProceduralContext {
            dt: 1.0 / 60.0,
            elapsed: time,
            entity_position: place,
            entity_forward: Vec3::Z,
            velocity: Vec3::X,
        };
        let shown = [ShownClip::alone(clip, time % 1.0)];
        let surroundings = Surroundings {
            ground: Some(&hill),
            velocity: Vec3::X,
            ..Surroundings::at(Affine3A::from_translation(place))
        };
        let pose = ModelPose::new(&rig, &mut poses, surroundings.world_from_model).within(&surroundings);
        stack.apply_in_model(&context, &mut pose.showing(&shown, &library));
    });
}
