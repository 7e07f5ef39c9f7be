//! A long life: characters are loaded, play, fade, are bent, misused and unloaded at random, frame after frame. What is promised is
//! looked at all the while.

use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Affine3A, Vec3};
use log::{LevelFilter, Log, Metadata, Record};
use nebula_animation::{
    AimLayer, AnimationClip, AnimationClipLibrary, AnimationMixer, AnimationPlayer, Asset, BlendSpace, BoneAttachment,
    BreathingLayer, Character, ClipMarkers, Crowd, Fade, GroundPoint, LayerId, LibraryOptions, Marker, Rig, Skeleton,
    Surroundings,
    asset::LoadOptions,
    mixer::{FadeCurve, Motion},
    player::advance_and_sample,
    procedural::{AimJoint, springs::SpringChain},
};

/// Seconds of a frame: not a number that binary fractions hold, so that sums of it would drift.
const FRAME: f64 = 1.0 / 60.0;
/// Characters at any time.
const SLOTS: usize = 4;
/// Length of the clip that plays all the time.
const ETERNAL_SECONDS: f32 = 0.7;

/// What a run came to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    pub frames: u64,
    /// Files that were loaded, and characters that were unloaded.
    pub loads: u64,
    pub unloads: u64,
    pub fades: u64,
    /// Calls with arguments that make no sense.
    pub misuses: u64,
    pub warnings: u64,
    /// Markers that the action that plays all the time came by, and how many there were on its way.
    pub events: u64,
    pub expected_events: u64,
    /// Seconds by which the clocks that run all the time differ from the ideal one.
    pub drift: f64,
}

/// Warnings of the library.
static WARNINGS: AtomicU64 = AtomicU64::new(0);

struct Counter;

impl Log for Counter {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        if record.level() <= log::Level::Warn && record.target().starts_with("nebula_animation") {
            WARNINGS.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn flush(&self) {}
}

/// Runs so many frames; `look` is called with the number of every frame at which nothing but the eternal ones is alive.
pub fn run(frames: u64, seed: u64, mut look: impl FnMut(u64)) -> Report {
    // A second run in one process finds it set.
    let _ = log::set_logger(&Counter);
    log::set_max_level(LevelFilter::Warn);
    let warnings_before = WARNINGS.load(Ordering::Relaxed);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let files = [
        include_bytes!("../../test_assets/robot.glb").to_vec(),
        include_bytes!("../../test_assets/simple_humanoid.glb").to_vec(),
    ];
    let mut report = Report { frames, ..Report::default() };
    let mut eternal = Eternal::new();
    let mut slots: Vec<Slot> = Vec::with_capacity(SLOTS);
    fade_all_at_once(&files);
    // Often enough to see a leak, and seldom enough that life goes on between two of them.
    let pause = (frames / 40).max(1);
    for frame in 0..frames {
        if frame % pause == 0 {
            report.unloads += slots.len() as u64;
            slots.clear();
            look(frame);
        }
        while slots.len() < SLOTS {
            report.loads += 1;
            slots.push(Slot::load(&files[random.below(2)]));
        }
        for slot in &mut slots {
            slot.live(&mut random, &mut report);
        }
        if random.below(2_000) == 0 {
            report.unloads += 1;
            slots.swap_remove(random.below(SLOTS));
        }
        eternal.frame(&mut report);
    }
    slots.clear();
    look(frames);
    eternal.finish(&mut report);
    report.warnings = WARNINGS.load(Ordering::Relaxed) - warnings_before;
    report
}

/// Fails unless a run kept what is promised, memory apart.
pub fn check(report: &Report) {
    assert_eq!(report.events, report.expected_events, "an event was lost or told twice: {report:?}");
    assert!(report.drift < 1e-6, "the clocks drift: {report:?}");
    // A character may warn once of each kind of trouble, of which there are fewer than ten, and each of its actions once. A warning in
    // each frame of trouble would be some ten times as many.
    assert!(report.warnings <= 10 * report.loads + report.fades, "warnings are repeated: {report:?}");
    assert!(report.misuses * 10 > report.loads, "the run did nothing: {report:?}");
}

/// Small, quick, and the same on every machine (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    fn number(&mut self) -> f32 {
        [f32::NAN, f32::INFINITY, -1.0, 1e30, 0.0][self.below(5)]
    }
}

/// A character with all that it can have.
struct Slot {
    character: Character,
    gait: Motion,
    place: f32,
}

impl Slot {
    fn load(file: &[u8]) -> Self {
        let no_file = &mut |uri: &str| Err(std::io::Error::other(format!("no file {uri}")));
        let asset = Asset::from_bytes("soak", file, &LoadOptions::default(), no_file)
            .unwrap_or_else(|error| panic!("the shipped files load: {error}"));
        let (rig, mut clips) = (asset.rig(), asset.clips());
        clips.push(AnimationClip::of_morph_weight("smile", 0, &[(0.0, 0.0), (0.2, 1.0)]));
        let steps = LibraryOptions { step_marker: Some("step".into()), ..LibraryOptions::default() };
        let library = AnimationClipLibrary::with_options(&rig, &clips, steps);
        let mut character = Character::of(library.clone());
        let gait = BlendSpace::line(&library, &[(0.0, 0), (1.0, library.len() - 1)]);
        let gait = gait.unwrap_or_else(|error| panic!("two clips: {error}"));
        let gait = character.mixer.add_blend_space(gait);
        character.mixer.add_masked_layer("face", rig.face());
        character.add_layer(BreathingLayer::new(2));
        character.add_layer(AimLayer::new([AimJoint::new(3), AimJoint::new(4)], Vec3::new(1.0, 1.5, 2.0)));
        character.add_layer(SpringChain::new(vec![5, 6]));
        if let Ok(feet) = rig.humanoid().foot_placement(&rig) {
            character.add_layer(feet);
        }
        if let Err(error) = character.attach(BoneAttachment::named(&rig.joints[4].name)) {
            panic!("its own joint: {error}");
        }
        Self { character, gait, place: 0.0 }
    }

    /// One frame.
    fn live(&mut self, random: &mut Random, report: &mut Report) {
        let mixer = &mut self.character.mixer;
        match random.below(64) {
            0 => {
                let curve = [FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised][random.below(3)];
                let fade = Fade { seconds: random.below(50) as f32 / 100.0, curve };
                let clip = random.below(mixer.clips().len() + 1);
                let motion = if random.below(4) == 0 { self.gait } else { Motion::Clip(clip) };
                report.fades += 1;
                report.misuses += u64::from(mixer.play(motion, fade).is_err());
            }
            1 => {
                report.fades += 1;
                mixer.stop(0.2);
            }
            2 if mixer.layers().count() < 3 => {
                mixer.add_layer("above");
            }
            3 => {
                if let Some(layer) = mixer.layer_mut(LayerId::new(random.below(3))) {
                    layer.weight = random.below(12) as f32 / 10.0;
                    report.fades += u64::from(layer.play_once(0, Fade::inertialised(0.1), 0.2).is_ok());
                }
            }
            4 => {
                report.misuses += 1;
                if let Some(action) = &mut mixer.current_action {
                    (action.speed, action.weight) = (random.number(), random.number());
                }
            }
            5 => {
                report.misuses += 1;
                self.character.update(random.number(), &Surroundings::default());
            }
            6 => {
                if let Some(action) = &mut self.character.mixer.current_action {
                    (action.speed, action.weight, action.playing) = (1.0, 1.0, true);
                    action.seek(0.1);
                }
            }
            _ => {}
        }
        self.place += FRAME as f32;
        let ground = |place: Vec3| Some(GroundPoint::level(0.1 * place.z));
        let surroundings = Surroundings {
            velocity: Vec3::Z,
            ground: Some(&ground),
            is_grounded: random.below(64) != 0,
            ..Surroundings::at(Affine3A::from_translation(Vec3::new(0.0, 0.1, 1.0) * self.place))
        };
        self.character.update(FRAME, &surroundings);
        let frame = self.character.frame();
        let is_finite = (0..frame.rig().joint_count() as u16).all(|joint| {
            let pose = frame.local(joint);
            pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite()
        });
        assert!(is_finite, "a pose is not finite");
        assert!(frame.palette().iter().all(|matrix| matrix.is_finite()), "a palette is not finite");
        assert!(frame.morph_weights().iter().all(|weight| weight.is_finite()), "a morph weight is not finite");
    }
}

/// Lets as many characters as there ever are fade in all layers at once, which are interrupted in every frame: so much memory for
/// fades the thread keeps from then on.
fn fade_all_at_once(files: &[Vec<u8>]) {
    for file in files {
        let mut slots: Vec<Slot> = (0..SLOTS).map(|_| Slot::load(file)).collect();
        for slot in &mut slots {
            slot.character.mixer.add_layer("above");
        }
        for frame in 0..24 {
            for slot in &mut slots {
                for layer in 0..3 {
                    // The last frames are of fades without a memory of signs.
                    let fade = if frame < 20 { Fade::linear(9.0) } else { Fade::inertialised(9.0) };
                    if let Some(layer) = slot.character.mixer.layer_mut(LayerId::new(layer)) {
                        let _ = layer.play(frame % 2, fade);
                    }
                }
                slot.character.update(FRAME, &Surroundings::default());
            }
        }
    }
}

/// What plays from the first frame to the last: a player, an action with a marker, and one of a crowd.
struct Eternal {
    clips: AnimationClipLibrary,
    player: AnimationPlayer,
    mixer: AnimationMixer,
    crowd: Crowd,
}

impl Eternal {
    fn new() -> Self {
        let rig = Rig::new(Skeleton::default());
        let clip = AnimationClip { name: "eternal".into(), duration: ETERNAL_SECONDS, ..AnimationClip::default() };
        let mut markers = ClipMarkers::new();
        markers.add(0, Marker { name: "step".into(), time: 0.35 });
        let options = LibraryOptions { markers, ..LibraryOptions::default() };
        let clips = AnimationClipLibrary::with_options(&rig, std::slice::from_ref(&clip), options);
        let mut mixer = AnimationMixer::new(clips.clone());
        if let Err(error) = mixer.play(0, 0.0) {
            panic!("there is a clip: {error}");
        }
        let mut crowd = Crowd::new();
        let clip = clips.ids().next().unwrap_or_else(|| panic!("there is a clip"));
        let clip = crowd.add_clip(&clips, clip).unwrap_or_else(|error| panic!("its own library: {error}"));
        crowd.spawn(clip).unwrap_or_else(|error| panic!("its own clip: {error}"));
        Self { player: AnimationPlayer::new(0, ETERNAL_SECONDS, 0), clips, mixer, crowd }
    }

    fn frame(&mut self, report: &mut Report) {
        advance_and_sample(&mut self.player, self.clips.rig(), &self.clips, FRAME);
        self.mixer.update(FRAME);
        report.events += self.mixer.events().count() as u64;
        self.crowd.update(FRAME);
    }

    /// Compares with the ideal clock: the product of the frames and their length.
    fn finish(&self, report: &mut Report) {
        let (total, length) = (report.frames as f64 * FRAME, f64::from(ETERNAL_SECONDS));
        report.expected_events = ((total - 0.35) / length).floor() as u64 + 1;
        let ideal = total.rem_euclid(length);
        let apart = |time: f64| {
            let way = (time - ideal).abs();
            way.min(length - way)
        };
        let action =
            self.mixer.current_action.as_ref().map_or(f64::NAN, |action| action.total_time().rem_euclid(length));
        report.drift = apart(self.player.seconds()).max(apart(action));
        assert!(self.crowd.characters()[0].time.is_finite());
    }
}
