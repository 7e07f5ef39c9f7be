//! Anyone's characters with everything that a game may give them, and games that do anything with them.

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::{Affine3A, Quat, Vec2, Vec3};
use nebula_animation::{
    AimLayer, AnimationClip, AnimationClipLibrary, Asset, BlendSpace, BreathingLayer, Channel, Character, ClipMarkers,
    Fade, FootPlacement, GroundPoint, Interpolation, Joint, JointMask, Keyframe, LayerId, LookAtLayer, Recorder,
    Retarget, Rig, StateMachine, StateMachinePlayer, Surroundings, TargetId,
    mixer::{BlendMode, FadeCurve, MachineDocument, Motion, ParameterValue, StateDocument, TransitionDocument},
    procedural::{
        Faded,
        ik::TwoBoneIk,
        springs::{SpringChain, SpringJoints},
    },
};

use crate::characters::Random;

/// The files of characters: ours, and those of other authors. That these are missing is said.
pub fn files(test: &str) -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets");
    let mut files = vec![own.join("simple_humanoid.glb"), own.join("robot.glb")];
    let folder = match std::env::var_os("NEBULA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let Ok(found) = std::fs::read_dir(folder.join("characters")) else {
        let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
        assert!(!is_required, "{test}: no corpora, and NEBULA_REQUIRE_CORPORA=1");
        // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
        let _ = writeln!(std::io::stderr(), "SKIPPED part of {test}: no corpora (set NEBULA_CORPORA to their folder)");
        return files;
    };
    let is_file = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "glb" || kind == "vrm");
    files.extend(found.filter_map(|entry| Some(entry.ok()?.path())).filter(is_file));
    files.sort();
    files
}

/// How many of so many moments come to each file, so that those of other authors have all of them between them.
pub fn share(total: u64, files: &[PathBuf]) -> u64 {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets");
    let others = files.iter().filter(|file| !file.starts_with(&own)).count();
    total.div_ceil(if others > 0 { others } else { files.len() } as u64)
}

pub struct Actor {
    pub character: Recorder,
    pub clips: Vec<AnimationClip>,
    space: Option<Motion>,
    layers: [LayerId; 2],
}

impl Actor {
    /// The character of a file, with whatever it can be given. One whose file has no clips gets those of the shipped humanoid.
    pub fn new(file: &Path, random: &mut Random) -> Self {
        let asset = Asset::load(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let rig = asset.rig();
        let clips = Some(asset.clips()).filter(|clips| !clips.is_empty()).unwrap_or_else(|| borrowed_clips(&rig));
        let library = AnimationClipLibrary::new(&rig, &clips);
        let mut character = Character::of(library.clone());
        let places: Vec<(f32, usize)> = (0..clips.len().min(4)).map(|clip| (clip as f32, clip)).collect();
        let space = BlendSpace::line(&library, &places).ok().map(|space| character.mixer.add_blend_space(space));
        let joint = |random: &mut Random| random.below(rig.joint_count()) as u16;
        let mut mask = JointMask::none(&rig);
        for _ in 0..2 {
            let name = rig.joints[usize::from(joint(random))].name.clone();
            mask = mask.with_subtree(&rig, &name, random.between(0.2, 1.0)).expect("the joint is there");
        }
        let first = character.mixer.add_masked_layer("part", mask);
        let second = character.mixer.add_layer("deciding");
        character.machines.push(StateMachinePlayer::new(machine(&clips)).on_layer(second));
        character.mixer.play(0, 0.0).expect("the first clip");
        give_layers(&mut character, &rig, random);
        for chain in asset.avatar.into_iter().flat_map(|avatar| avatar.springs) {
            character.add_layer(SpringJoints::new(chain));
        }
        character.set_traced(true);
        Self { character: Recorder::new(character, 1e9), clips, space, layers: [first, second] }
    }

    /// What a game does before a frame.
    pub fn act(&mut self, random: &mut Random) {
        let clip = Motion::Clip(random.below(self.clips.len()));
        let motion = self.space.filter(|_| random.chance(0.4)).unwrap_or(clip);
        let layer = [LayerId::BASE, self.layers[0]][random.below(2)];
        let mixer = &mut self.character.mixer;
        match random.below(12) {
            0 | 1 => mixer.play_on(layer, motion, fade(random)).map(|_| ()).expect("it is there"),
            2 => mixer.layer_mut(layer).expect("a layer").stop(fade(random)),
            3 => mixer.layer_mut(self.layers[0]).expect("a layer").weight = random.between(0.0, 1.1),
            4 => {
                let mode = if random.chance(0.3) { BlendMode::Additive } else { BlendMode::Override };
                mixer.layer_mut(self.layers[0]).expect("a layer").mode = mode;
            }
            5 => {
                if let Some(space) = self.space {
                    mixer.set_blend_position(space, Vec2::X * random.between(-0.5, 3.5)).expect("it was added");
                }
            }
            6 => {
                if let Some(action) = &mut mixer.layer_mut(layer).expect("a layer").current_action {
                    (action.speed, action.weight) = (random.between(-1.5, 2.0), random.between(0.3, 1.2));
                }
            }
            7 | 8 => {
                let player = &mut self.character.machines[0];
                let [go, speed] = ["go", "speed"].map(|name| player.parameter(name).expect("a parameter"));
                player.set_float(speed, random.between(0.0, 2.0)).expect("a number");
                if random.chance(0.5) {
                    player.trigger(go).expect("a trigger");
                }
            }
            9 => {
                if let Some(aim) = self.character.layer_mut::<AimLayer>() {
                    (aim.target, aim.weight) = (random.vector(4.0) + Vec3::Y, random.unit());
                }
            }
            10 => {
                if let Some(springs) = self.character.layer_mut::<SpringChain>() {
                    springs.weight = random.unit();
                }
            }
            _ => {
                if let Some(breathing) = self.character.layer_mut::<Faded<BreathingLayer>>() {
                    breathing.fade.fade_to(random.unit(), 0.2);
                }
            }
        }
    }

    pub fn update(&mut self, frame: u32, dt: f64) {
        let time = frame as f32 / 60.0;
        let place = Vec3::new(time.sin(), 0.0, 0.8 * time);
        let hills = |place: Vec3| Some(GroundPoint::new(0.1 * (2.0 * place.z).sin(), Vec3::new(0.0, 1.0, -0.1)));
        let targets = |_: TargetId| (frame % 100 < 80).then(|| place + Vec3::new(2.0 * time.cos(), 1.5, 1.0));
        self.character.update(
            dt,
            &Surroundings {
                world_from_model: Affine3A::from_rotation_translation(Quat::from_rotation_y(time.sin()), place),
                velocity: Vec3::new(time.cos(), 0.0, 0.8),
                ground: Some(&hills),
                is_grounded: frame % 90 < 80,
                targets: Some(&targets),
            },
        );
    }
}

/// The shipped humanoid's clips on a human of others.
fn borrowed_clips(rig: &Rig) -> Vec<AnimationClip> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let lender = Asset::load(&own).expect("the humanoid loads");
    match Retarget::new(&lender.rig(), rig) {
        Ok(retarget) => lender.clips().iter().take(8).map(|clip| retarget.clip(clip)).collect(),
        // No human: it shakes all of its joints.
        Err(_) => [0.2, 0.5, -0.8].map(|turn| shaking(rig, turn)).to_vec(),
    }
}

fn shaking(rig: &Rig, turn: f32) -> AnimationClip {
    let channel = |joint: &Joint| {
        let key = |time: f32, turn: f32| {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][usize::from(joint.index) % 3];
            Keyframe { time, value: joint.bind_rotation * Quat::from_axis_angle(axis, turn), tangents: None }
        };
        let keyframes = vec![key(0.0, 0.0), key(0.4, turn), key(1.0, 0.0)];
        Channel { joint_index: joint.index, keyframes, interpolation: Interpolation::Linear }
    };
    let rotation_channels = rig.joints.iter().map(channel).collect();
    AnimationClip { name: format!("shake {turn}"), duration: 1.0, rotation_channels, ..AnimationClip::default() }
}

fn give_layers(character: &mut Character, rig: &std::sync::Arc<Rig>, random: &mut Random) {
    let joint = |random: &mut Random| random.below(rig.joint_count()) as u16;
    character.add_layer(Faded::shown(BreathingLayer::new(joint(random))));
    if let Ok(mut aim) = rig.humanoid().aim(rig, Vec3::Z) {
        aim.follows = random.chance(0.5).then_some(TargetId(1));
        character.add_layer(aim);
    } else {
        let target = random.vector(5.0);
        character.add_layer(LookAtLayer { joint_index: joint(random), target, max_angle: 0.7, weight: 0.8 });
    }
    let tip = joint(random);
    if let Some([parent, above]) = rig.parent(tip).and_then(|parent| Some([parent, rig.parent(parent)?])) {
        character.add_layer(SpringChain::new(vec![above, parent, tip]));
        let mut limb = TwoBoneIk::new(rig, [above, parent, tip], random.vector(1.0) + Vec3::Y);
        (limb.weight, limb.follows) = (0.5, random.chance(0.5).then_some(TargetId(2)));
        character.add_layer(limb);
    }
    if let Some(feet) = rig.feet() {
        character.add_layer(FootPlacement::new(feet.clone()));
    }
}

fn machine(clips: &[AnimationClip]) -> StateMachine {
    let clip = |index: usize| clips[index % clips.len()].name.as_str();
    let document = MachineDocument::new("nothing")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_parameter("go", ParameterValue::Trigger(false))
        .with_state(StateDocument::empty("nothing"))
        .with_state(StateDocument::clip("one", clip(1)))
        .with_state(StateDocument::clip("two", clip(2)).once())
        .with_transition(TransitionDocument::new("nothing", "one").when("go").with_fade(0.2))
        .with_transition(
            TransitionDocument::new("one", "two").when("speed > 1").after(0.1).with_fade(Fade::inertialised(0.3)),
        )
        .with_transition(TransitionDocument::new("*", "nothing").when("speed < 0.2").with_fade(Fade::smooth(0.3)))
        .with_transition(TransitionDocument::new("two", "one").after(0.9));
    StateMachine::new(&document, clips, &ClipMarkers::new()).expect("a sound machine")
}

fn fade(random: &mut Random) -> Fade {
    let curve = [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised][random.below(3)];
    Fade { seconds: [0.0, 0.1, 0.4, 1.0][random.below(4)] * random.between(0.5, 1.5), curve }
}
