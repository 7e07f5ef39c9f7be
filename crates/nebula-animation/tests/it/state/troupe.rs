//! Whole characters, made in the same way as often as one likes, and everything that can be seen of a frame.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationAction, AnimationClip, AnimationClipLibrary, Asset, BlendSpace, BoneAttachment, Character, CharacterState,
    ClipId, Fade, GroundPoint, LayerId, LibraryOptions, Marker, Rig, StateMachine, StateMachinePlayer, Surroundings,
    TargetId,
    clip::MorphLayout,
    compile::RootMotionOptions,
    mixer::{
        BlendDocument, BlendSampleDocument, Interruption, MachineDocument, Motion, ParameterValue, StateDocument,
        TransitionDocument,
    },
    procedural::springs::SpringChain,
    rig::RigOptions,
};

/// A file with what is made of it once.
pub struct Troupe {
    pub library: AnimationClipLibrary,
    /// Idle, walk and run.
    pub gaits: [ClipId; 3],
    /// A jump and a wave.
    pub shots: [ClipId; 2],
    /// Joints of an arm, from the shoulder.
    arm: Vec<u16>,
}

/// What a game keeps to steer a character.
pub struct Handles {
    pub gait: Motion,
    pub arms: LayerId,
    pub face: LayerId,
}

/// The file of another author; `None` where it is not there, which is said.
pub fn robot_file(test: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("NEBULA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let file = folder.join("characters/robot-expressive.glb");
    if file.is_file() {
        return Some(file);
    }
    let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
    assert!(!is_required, "{test}: no {}, and NEBULA_REQUIRE_CORPORA=1", file.display());
    // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
    let _ = writeln!(std::io::stderr(), "SKIPPED part of {test}: no corpora (set NEBULA_CORPORA to their folder)");
    None
}

impl Troupe {
    /// The shipped humanoid, with a face that it has not in the file.
    pub fn humanoid(options: LibraryOptions) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
        let asset = Asset::load(&path).expect("the humanoid loads");
        let mut clips = asset.clips();
        clips.push(frown());
        let morphs = MorphLayout::of_clips(&clips);
        let rig = Rig::with_options(asset.skeleton.clone(), RigOptions { morphs, ..RigOptions::default() });
        let has_root_motion = options.root_motion.is_some();
        let gaits = if has_root_motion { ["walk_root_motion", "run_root_motion"] } else { ["walk", "run"] };
        let names = [["idle", gaits[0], gaits[1]], ["jump", "wave", ""]];
        Self::new(&rig, &clips, options, names, &["RightArm", "RightForeArm", "RightHand"])
    }

    /// A robot of another author, with a face of its own.
    pub fn robot(path: &Path, options: LibraryOptions) -> Self {
        let asset = Asset::load(path).expect("the robot loads");
        let mut clips = asset.clips();
        clips.push(frown());
        let names = [["Idle", "Walking", "Running"], ["Jump", "Wave", ""]];
        Self::new(&asset.rig(), &clips, options, names, &["UpperArm.R", "LowerArm.R", "Palm2.R"])
    }

    fn new(
        rig: &Arc<Rig>,
        clips: &[AnimationClip],
        mut options: LibraryOptions,
        names: [[&str; 3]; 2],
        arm: &[&str],
    ) -> Self {
        // Clips that keep step by markers which lie elsewhere in each of them.
        for (name, shares) in [(names[0][1], [0.1, 0.6]), (names[0][2], [0.3, 0.7])] {
            let clip = clips.iter().position(|clip| clip.name == name).expect("the file has this clip");
            for (side, share) in SIDES.into_iter().zip(shares) {
                let time = share * f64::from(clips[clip].duration);
                options.markers.add(clip, Marker { name: side.into(), time });
            }
        }
        let library = AnimationClipLibrary::with_options(rig, clips, options);
        let find = |name: &str| library.find(name).expect("the file has this clip");
        let (gaits, shots) = (names[0].map(find), [names[1][0], names[1][1]].map(find));
        let arm = arm.iter().map(|name| library.rig().joint_by_name(name).expect("an arm")).collect();
        Self { gaits, shots, arm, library }
    }

    pub fn name(&self, clip: ClipId) -> &str {
        self.library[clip].name()
    }

    /// Blend space, masked layer, face: no machines and no layers yet.
    pub fn bare(&self) -> (Character, Handles) {
        let (mut character, rig) = (Character::of(self.library.clone()), self.library.rig());
        let gait = BlendSpace::by_speed(&self.library, &self.gaits).expect("three speeds");
        let gait = gait.synchronised(&self.library, self.library.markers(), &SIDES).expect("both markers or none");
        let gait = character.mixer.add_blend_space(gait);
        let arms = character.mixer.add_masked_layer("arms", rig.upper_body().expect("a chest"));
        let face = character.mixer.add_masked_layer("face", rig.face());
        character.mixer.play(gait, 0.0).expect("it was just added");
        character.mixer.set_blend_position(gait, Vec2::X * self.walking()).expect("a space of its own");
        (character, Handles { gait, arms, face })
    }

    /// All of it: with a machine for the arms, layers, and something in the hand.
    pub fn whole(&self) -> (Character, Handles) {
        let (mut character, handles) = self.bare();
        character.machines.push(StateMachinePlayer::new(self.machine()).on_layer(handles.arms));
        let rig = self.library.rig();
        let humanoid = rig.humanoid();
        character.add_layer(humanoid.breathing().expect("a chest"));
        character.add_layer(humanoid.aim(rig, Vec3::new(2.0, 2.0, 9.0)).expect("a head").following(TargetId(1)));
        character.add_layer(SpringChain::new(self.arm.clone()));
        character.add_layer(humanoid.foot_placement(rig).expect("legs"));
        let hand = &rig.joints[usize::from(*self.arm.last().expect("a hand"))].name;
        let sword = BoneAttachment::named(hand).at(Vec3::Y * 0.05, Quat::IDENTITY);
        character.attach(sword).expect("the joint is there");
        (character, handles)
    }

    /// As in the goals: blend space, masked layer, aim and feet.
    pub fn usual(&self) -> (Character, Handles) {
        let (mut character, handles) = self.bare();
        let rig = self.library.rig();
        character.add_layer(rig.humanoid().aim(rig, Vec3::new(2.0, 2.0, 9.0)).expect("a head"));
        character.add_layer(rig.humanoid().foot_placement(rig).expect("legs"));
        (character, handles)
    }

    /// The speed at which it walks.
    pub fn walking(&self) -> f32 {
        self.library[self.gaits[1]].velocity().length()
    }

    /// Rests, waves, or moves by speed within a machine of its own.
    pub fn machine(&self) -> StateMachine {
        let sample = |clip, x| BlendSampleDocument { clip: self.name(clip).into(), x, y: 0.0 };
        let samples = vec![sample(self.gaits[0], 0.0), sample(self.gaits[1], 1.0), sample(self.gaits[2], 2.0)];
        let blend = BlendDocument { x: "speed".into(), samples, ..BlendDocument::default() };
        let inner = MachineDocument::new("slow")
            .with_state(StateDocument::blend("slow", blend))
            .with_state(StateDocument::clip("fast", self.name(self.gaits[2])))
            .with_transition(TransitionDocument::new("slow", "fast").when("speed > 1.5").with_fade(Fade::smooth(0.4)))
            .with_transition(TransitionDocument::new("fast", "slow").when("speed <= 1.5"));
        let document = MachineDocument::new("nothing")
            .with_parameter("speed", ParameterValue::Float(0.0))
            .with_parameter("busy", ParameterValue::Bool(false))
            .with_parameter("wave", ParameterValue::Trigger(false))
            .with_parameter("cheer", ParameterValue::Trigger(false))
            .with_state(StateDocument::empty("nothing"))
            .with_state(StateDocument::machine("moving", inner))
            .with_state(StateDocument::clip("waving", self.name(self.shots[1])).once())
            .with_transition(
                TransitionDocument::new("nothing", "waving")
                    .when("wave")
                    .with_fade(0.3)
                    .interrupted_by(Interruption::Both),
            )
            .with_transition(
                TransitionDocument::new("nothing", "moving").when("busy").with_fade(Fade::inertialised(0.3)),
            )
            .with_transition(TransitionDocument::new("moving", "nothing").when("!busy").with_fade(0.2))
            .with_transition(
                TransitionDocument::new("*", "waving").when("cheer").after(0.3).with_fade(Fade::smooth(0.2)),
            )
            .with_transition(TransitionDocument::new("waving", "nothing").after(0.8).with_fade(0.3));
        StateMachine::new(&document, &self.library, self.library.markers()).expect("a sound machine")
    }
}

/// Markers by which gaits keep step.
const SIDES: [&str; 2] = ["left", "right"];

fn frown() -> AnimationClip {
    AnimationClip::of_morph_weight("frown", 1, &[(0.0, 0.0), (0.3, 1.0), (0.7, 0.25)])
}

/// With events; and with steps of the root where that is asked for.
pub fn options(has_root_motion: bool) -> LibraryOptions {
    LibraryOptions {
        step_marker: Some("step".into()),
        root_motion: has_root_motion.then(RootMotionOptions::default),
        ..LibraryOptions::default()
    }
}

fn hills(place: Vec3) -> Option<GroundPoint> {
    let slope = 0.15 * (3.0 * place.z).cos();
    Some(GroundPoint::new(0.05 * (3.0 * place.z).sin(), Vec3::new(0.0, 1.0, -slope)))
}

/// What is around a character in a frame: its number decides.
pub fn surrounded<T>(frame: u32, use_them: impl FnOnce(&Surroundings<'_>) -> T) -> T {
    let time = frame as f32 / 60.0;
    let place = Vec3::new((0.5 * time).sin(), 0.0, 0.6 * time);
    let targets = |_: TargetId| (frame % 200 < 150).then(|| place + Vec3::new(time.cos(), 1.5, 1.0 + time.sin()));
    use_them(&Surroundings {
        world_from_model: Affine3A::from_rotation_translation(Quat::from_rotation_y(0.5 * time.sin()), place),
        velocity: Vec3::new(0.5 * (0.5 * time).cos(), 0.0, 0.6),
        ground: Some(&hills),
        is_grounded: frame % 300 < 270,
        targets: Some(&targets),
    })
}

/// Everything that can be seen of a frame, bit by bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    pub numbers: Vec<u32>,
    pub words: String,
    /// Whether the pose is.
    pub is_finite: bool,
}

impl Sight {
    pub fn of(character: &Character) -> Self {
        let frame = character.frame();
        let held = character.attachment(first_attachment());
        let palette = character.palette().iter().flat_map(Mat4::to_cols_array);
        let pose: Vec<f32> = palette.chain(frame.morph_weights().iter().copied()).collect();
        let is_finite = pose.iter().all(|number| number.is_finite());
        let numbers = pose.into_iter().chain(held.to_cols_array()).map(f32::to_bits).collect();
        let machines: Vec<_> = character
            .machines
            .iter()
            .map(|machine| (machine.state(), machine.changes(), machine.transitions_taken()))
            .collect();
        // As text, numbers that differ are different, zeros of different signs included.
        let events: Vec<_> = character.events().take(1000).collect();
        let mut words = format!("{:?} {:?} {events:?} {machines:?}", frame.shown(), frame.root_step());
        words += &played(character);
        Self { numbers, words, is_finite }
    }
}

/// What plays, and what the last update did to it.
pub fn played(character: &Character) -> String {
    let told = |(action, share): (&AnimationAction, f32)| {
        let place = (action.time, action.pass(), action.total_time());
        (action.id(), place, action.passes(), action.has_just_finished(), share)
    };
    let layers = character.mixer.layers();
    let actions = layers.map(|layer| (layer.fade_progress, layer.actions().map(told).collect::<Vec<_>>()));
    format!("{:?}", actions.collect::<Vec<_>>())
}

/// All characters of the troupe hold one thing at most.
pub fn first_attachment() -> nebula_animation::character::AttachmentId {
    use std::sync::LazyLock;
    static FIRST: LazyLock<nebula_animation::character::AttachmentId> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
        let (skeleton, clips) = nebula_animation::load_skeleton_and_clips(&path).expect("the humanoid loads");
        Character::new(skeleton, &clips).attach(BoneAttachment::named("Head")).expect("a head")
    });
    *FIRST
}

/// One frame, and what it came to.
pub fn step(character: &mut Character, frame: u32, seconds: f64) -> Sight {
    surrounded(frame, |surroundings| character.update(seconds, surroundings));
    Sight::of(character)
}

/// To bytes and back.
pub fn sent(state: &CharacterState) -> CharacterState {
    CharacterState::from_bytes(&state.to_bytes()).expect("what was written is read")
}

/// Compares, without printing thousands of numbers.
pub fn assert_same(own: &Sight, other: &Sight, what: &dyn std::fmt::Display) {
    assert_eq!(own.words, other.words, "{what}");
    let differs = own.numbers.iter().zip(&other.numbers).position(|(a, b)| a != b);
    assert!(own.numbers.len() == other.numbers.len() && differs.is_none(), "{what}: number {differs:?} differs");
}
