//! Settings that are changed in the middle of a recording: frames before it and after it have their own.

use std::f32::consts::PI;
use std::path::Path;

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AimLayer, AnimationClipLibrary, BodyLean, BoneAttachment, BreathingLayer, Character, FootPlacement, GroundPoint,
    JointPose, LeanLayer, LookAtLayer, ProceduralContext, ProceduralLayer, Recorder, Rig, StateMachine,
    StateMachinePlayer, Surroundings, TargetId, load_skeleton_and_clips,
    mixer::{MachineDocument, StateDocument},
    procedural::{
        Faded,
        ik::{ChainIk, TwoBoneIk},
        springs::{SpringChain, SpringCollider},
    },
};

use super::seen;

const FRAME: f64 = 1.0 / 60.0;
/// The frame before which something is changed, and how many there are.
const HALF: u32 = 30;
const FRAMES: u32 = 75;

fn humanoid() -> Character {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the humanoid loads");
    let mut hero = Character::new(skeleton, &clips);
    hero.mixer.play("walk", 0.0).expect("a clip");
    hero
}

fn update(hero: &mut Recorder, frame: u32) {
    let time = frame as f32 / 60.0;
    let turn = Quat::from_rotation_y(0.8 * time);
    let targets = |target: TargetId| Some(Vec3::new(target.0 as f32 - 1.0, 1.2 + 0.2 * time, 0.8));
    let ground = |place: Vec3| Some(GroundPoint::level(0.06 * (4.0 * place.z).sin()));
    hero.update(
        FRAME,
        &Surroundings {
            world_from_model: Affine3A::from_rotation_translation(turn, Vec3::Z * time),
            velocity: turn * Vec3::new((3.0 * time).sin(), 0.0, 1.0),
            ground: Some(&ground),
            targets: Some(&targets),
            ..Surroundings::default()
        },
    );
}

/// The pose alone, bit by bit.
fn shown(character: &Character) -> Vec<u32> {
    character.palette().iter().flat_map(|matrix| matrix.to_cols_array()).map(f32::to_bits).collect()
}

/// What is seen of each frame of a character that is changed half way, and the poses alone.
fn run(make: &dyn Fn() -> Character, change: &dyn Fn(&mut Character)) -> (Recorder, Vec<u64>, Vec<Vec<u32>>) {
    // A whole state is written by nobody else.
    let mut hero = Recorder::new(make(), 1e9).with_states_every(100_000);
    let (mut sights, mut poses) = (Vec::new(), Vec::new());
    for frame in 0..FRAMES {
        if frame == HALF {
            change(&mut hero);
        }
        update(&mut hero, frame);
        sights.push(seen(&hero));
        poses.push(shown(&hero));
    }
    (hero, sights, poses)
}

/// What is changed, by name, and how.
type Change<L> = (&'static str, fn(&mut L));

/// Changes one setting of a layer at a time, and goes back to both sides: with today's settings, and with those at the beginning.
fn check<L: ProceduralLayer>(layer: impl Fn(&Rig) -> L, changes: &[Change<L>]) {
    let make = || {
        let mut hero = humanoid();
        let rig = hero.rig().clone();
        hero.add_layer(layer(&rig));
        hero
    };
    let (_, unchanged, left_alone) = run(&make, &|_| {});
    for (name, change) in changes {
        let changes_it = |hero: &mut Character| change(hero.layer_mut::<L>().expect("the layer"));
        let (hero, sights, poses) = run(&make, &changes_it);
        assert!(poses != left_alone, "{name}: nothing shows that it was changed, so this test shows nothing");
        assert_eq!(sights[..HALF as usize], unchanged[..HALF as usize], "{name}");
        for mut past in [hero.clone_character(), make()] {
            for frame in [50, 10, HALF - 1, HALF, FRAMES - 1, 0] {
                let restored = hero.tape().restore(frame.into(), &mut past);
                restored.unwrap_or_else(|error| panic!("{name}, frame {frame}: {error}"));
                assert_eq!(seen(&past), sights[frame as usize], "{name}, frame {frame}");
            }
        }
    }
}

fn joint(rig: &Rig, name: &str) -> u16 {
    rig.require_joint(name).expect("a joint")
}

#[test]
fn those_of_the_layers_of_one_joint() {
    check::<LookAtLayer>(
        |rig| LookAtLayer {
            joint_index: joint(rig, "Head"),
            target: Vec3::new(2.0, 2.0, 1.0),
            max_angle: 1.0,
            weight: 0.8,
        },
        &[
            ("joint_index", |layer| layer.joint_index -= 1),
            ("target", |layer| layer.target = Vec3::new(-2.0, 1.0, 1.0)),
            ("max_angle", |layer| layer.max_angle = 0.2),
            ("weight", |layer| layer.weight = 0.3),
        ],
    );
    check::<LeanLayer>(
        |rig| LeanLayer::new(joint(rig, "Spine2")),
        &[
            ("joint_index", |layer| layer.joint_index -= 1),
            ("max_lean_angle", |layer| layer.max_lean_angle = 0.001),
            ("responsiveness", |layer| layer.responsiveness *= 0.5),
            ("weight", |layer| layer.weight = 0.3),
        ],
    );
    check::<Faded<LeanLayer>>(
        |rig| Faded::shown(LeanLayer::new(joint(rig, "Spine2"))),
        &[("joint_index", |faded| faded.layer.joint_index -= 1), ("fade", |faded| faded.fade.fade_to(0.0, 0.5))],
    );
    check::<BreathingLayer>(
        |rig| BreathingLayer::new(joint(rig, "Spine2")),
        &[
            ("joint_index", |layer| layer.joint_index -= 1),
            ("frequency", |layer| layer.frequency *= 2.0),
            ("amplitude", |layer| layer.amplitude *= 2.0),
            ("weight", |layer| layer.weight = 0.3),
        ],
    );
    check::<BodyLean>(
        |rig| BodyLean::new(joint(rig, "Spine2")),
        &[
            ("joint", |layer| layer.joint -= 1),
            ("weight", |layer| layer.weight = 0.3),
            ("max_side", |layer| layer.max_side = 0.01),
            ("max_forward", |layer| layer.max_forward = 0.001),
            ("settle_secs", |layer| layer.settle_secs = 2.0),
        ],
    );
}

#[test]
fn those_of_an_aim() {
    check::<AimLayer>(
        |rig| rig.humanoid().aim(rig, Vec3::new(2.0, 2.0, 1.0)).expect("a head"),
        &[
            ("target", |layer| layer.target = Vec3::new(-2.0, 1.0, 1.0)),
            ("follows", |layer| layer.follows = Some(TargetId(2))),
            ("weight", |layer| layer.weight = 0.3),
            ("follow_secs", |layer| (layer.target, layer.follow_secs) = (Vec3::new(-2.0, 1.0, 1.0), 2.0)),
            ("max_speed", |layer| (layer.target, layer.max_speed) = (Vec3::new(-2.0, 1.0, 1.0), 0.2)),
            ("max_acceleration", |layer| (layer.target, layer.max_acceleration) = (Vec3::new(-2.0, 1.0, 1.0), 0.5)),
            ("limit", |layer| layer.limit = 0.3),
            ("hysteresis", |layer| (layer.target, layer.hysteresis) = (Vec3::new(-0.5, 1.5, -3.0), 0.0)),
            ("eye", |layer| layer.eye += Vec3::Y * 0.1),
            ("share of a joint", |layer| layer.chain_mut()[0].share *= 3.0),
            ("limit of a joint", |layer| layer.chain_mut().iter_mut().for_each(|joint| joint.limit = 0.05)),
            ("axis of a joint", |layer| layer.chain_mut()[0].axis = Some(Vec3::X)),
            ("joint", |layer| layer.chain_mut()[0].joint -= 1),
        ],
    );
}

#[test]
fn those_of_limbs_and_chains() {
    check::<TwoBoneIk>(
        |rig| {
            let arm = ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| joint(rig, name));
            TwoBoneIk::new(rig, arm, Vec3::new(0.4, 1.2, 0.8))
        },
        &[
            ("joints", |layer| layer.joints = layer.joints.map(|joint| joint + 4)),
            ("target", |layer| layer.target = Vec3::new(0.2, 1.5, 1.0)),
            ("follows", |layer| layer.follows = Some(TargetId(1))),
            ("pole", |layer| layer.pole = Some(Vec3::new(3.0, 3.0, 0.0))),
            ("end_rotation", |layer| layer.end_rotation = Some(Quat::from_rotation_x(1.0))),
            ("hinge", |layer| layer.hinge = Vec3::Y),
            ("limits", |layer| layer.limits.min_bend = 1.5),
            ("weight", |layer| layer.weight = 0.3),
        ],
    );
    check::<ChainIk>(
        |rig| {
            let spine = ["Hips", "Spine", "Spine1", "Spine2", "Neck"].map(|name| joint(rig, name));
            ChainIk::new(spine.to_vec(), Vec3::new(0.1, 1.25, 0.75))
        },
        &[
            ("target", |layer| layer.target = Vec3::new(-0.2, 1.3, 1.0)),
            ("tolerance", |layer| layer.settings.tolerance = 0.2),
            ("max_iterations", |layer| layer.settings.max_iterations = 1),
            ("max_bend", |layer| layer.settings.max_bend = 0.1),
            ("weight", |layer| layer.weight = 0.3),
        ],
    );
}

#[test]
fn those_of_springs_and_feet() {
    check::<SpringChain>(
        |rig| {
            let arm = ["RightArm", "RightForeArm", "RightHand", "RightFingers"].map(|name| joint(rig, name));
            SpringChain::new(arm.to_vec()).with_colliders([SpringCollider::sphere(joint(rig, "Hips"), Vec3::ZERO, 0.1)])
        },
        &[
            ("stiffness", |layer| layer.settings.stiffness *= 0.2),
            ("damping", |layer| layer.settings.damping *= 0.2),
            ("gravity", |layer| layer.settings.gravity = Vec3::X * 5.0),
            ("radius", |layer| layer.settings.radius = 0.3),
            ("a collider", |layer| layer.colliders[0].radius = 0.6),
            ("the joint of a collider", |layer| (layer.colliders[0].joint, layer.colliders[0].radius) = (1, 0.5)),
            ("more colliders", |layer| {
                let collider = layer.colliders[0];
                layer.colliders.push(SpringCollider::capsule(collider.joint, [Vec3::ZERO, Vec3::Y], 0.5));
            }),
            ("no colliders", |layer| (layer.settings.stiffness, layer.colliders) = (1.0, Vec::new())),
            ("tip", |layer| layer.tip = Some(Vec3::X)),
            ("weight", |layer| layer.weight = 0.3),
        ],
    );
    check::<FootPlacement>(
        |rig| rig.humanoid().foot_placement(rig).expect("legs"),
        &[
            ("weight", |layer| layer.weight = 0.3),
            ("max_step", |layer| layer.settings.max_step = 0.0),
            ("pelvis_rate", |layer| layer.settings.pelvis_rate *= 0.2),
        ],
    );
}

/// A layer of somebody else's, who has not thought of states.
#[derive(Clone)]
struct Nod {
    joint: u16,
    angle: f32,
    weight: f32,
}

impl ProceduralLayer for Nod {
    fn evaluate(&self, context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::from_rotation_x(self.angle * (PI * context.elapsed).sin()), Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joint
    }

    fn weight(&self) -> f32 {
        self.weight
    }
}

#[test]
fn those_that_nobody_writes_are_refused_and_not_taken_for_todays() {
    let make = || {
        let mut hero = humanoid();
        let head = joint(hero.rig(), "Head");
        hero.add_layer(Nod { joint: head, angle: 0.5, weight: 1.0 });
        hero
    };
    let changes: [Change<Nod>; 4] = [
        ("nothing", |_| {}),
        ("angle", |nod| nod.angle = 0.6),
        ("joint", |nod| nod.joint -= 1),
        ("weight", |nod| nod.weight = 0.9),
    ];
    for (name, change) in changes {
        let (mut hero, sights, _) = run(&make, &|hero| change(hero.layer_mut::<Nod>().expect("the layer")));
        let (mut today, mut then) = (hero.clone_character(), make());
        hero.tape().restore(50, &mut today).expect("it has the settings of that frame");
        assert_eq!(seen(&today), sights[50]);
        hero.tape().restore(10, &mut then).expect("it has the settings of that frame");
        assert_eq!(seen(&then), sights[10]);
        for (frame, character) in [(10, &mut today), (50, &mut then)] {
            let (before, restored) = (seen(character), hero.tape().restore(frame, character));
            if name == "nothing" {
                restored.expect("nothing was changed");
                assert_eq!(seen(character), sights[frame as usize]);
                continue;
            }
            let error = restored.expect_err(name).to_string();
            assert!(error.starts_with("layer 0, Nod: its settings differ"), "{name}: {error}");
            assert_eq!(seen(character), before, "it is as it was");
        }
        if name != "nothing" {
            hero.rewind(10).expect_err("not of these settings");
            hero.rewind(HALF.into()).expect("of these settings");
        }
    }
}

/// What a character is made of is no part of a recording: frames of it with other parts are refused, by name.
#[test]
fn what_is_added_half_way_is_told() {
    let machine = |hero: &mut Character| {
        let document = MachineDocument::new("standing").with_state(StateDocument::clip("standing", "idle"));
        let library: AnimationClipLibrary = hero.mixer.clips().clone();
        let machine = StateMachine::new(&document, &library, library.markers()).expect("a sound machine");
        hero.machines.push(StateMachinePlayer::new(machine));
    };
    let layer = |hero: &mut Character| {
        hero.add_layer(BreathingLayer::new(2));
    };
    let attachment = |hero: &mut Character| {
        hero.attach(BoneAttachment::named("RightHand")).expect("a joint");
    };
    let cases: [&dyn Fn(&mut Character); 3] = [&layer, &machine, &attachment];
    for (name, add) in ["layers", "machines", "attachments"].into_iter().zip(cases) {
        let (mut hero, sights, _) = run(&humanoid, add);
        let mut past = hero.clone_character();
        for frame in [HALF, FRAMES - 1] {
            hero.tape().restore(frame.into(), &mut past).expect("it has what it had then");
            assert_eq!(seen(&past), sights[frame as usize], "{name}, frame {frame}");
        }
        let error = hero.tape().restore(10, &mut past).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains("the record has 0, the character 1"), "{error}");
        let mut without = humanoid();
        hero.tape().restore(10, &mut without).expect("it has what it had then");
        assert_eq!(seen(&without), sights[10], "{name}");
        let error = hero.tape().restore(50, &mut without).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains("the record has 1, the character 0"), "{error}");
        // Nothing has happened to the one that could not go back.
        let now = seen(&hero);
        hero.rewind(10).expect_err(name);
        assert_eq!((seen(&hero), hero.tape().frames()), (now, 0..u64::from(FRAMES)));
        update(&mut hero, FRAMES);
        hero.tape().restore(u64::from(FRAMES), &mut past).expect("it goes on");
        assert_eq!(seen(&past), seen(&hero));
    }
}
