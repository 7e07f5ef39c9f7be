use std::hint::black_box;
use std::ops::Range;

use glam::Mat4;
use nebula_animation::{
    Crowd, JointPose,
    crowd::{CrowdClipId, CrowdError, SecondClip},
    palette::{ClipAt, Evaluator, PaletteRows},
};

use super::{ClipFacts, Scene, Stage, Workload, difference};
use crate::bench::plain::{Plain, PlainLayer};

/// Seconds between two frames.
pub(super) const FRAME_SECS: f64 = 1.0 / 60.0;

/// Many characters in one buffer, each with its own time.
pub struct CrowdWorkload {
    scene: Scene,
    crowd: Crowd,
    jog: CrowdClipId,
    plain: PlainCrowd,
    /// What the separate stages work with.
    evaluator: Evaluator,
    pose: Vec<JointPose>,
    rows: Vec<PaletteRows>,
    is_threaded: bool,
    is_read: bool,
}

/// The same crowd for the plain path.
struct PlainCrowd {
    characters: Vec<PlainCharacter>,
    palettes: Vec<Mat4>,
    /// One for each thread.
    scratch: Vec<Plain>,
}

struct PlainCharacter {
    time: f64,
    fade: Option<Fade>,
}

#[derive(Clone, Copy)]
struct Fade {
    time: f64,
    weight: f32,
}

impl CrowdWorkload {
    /// A crowd that walks.
    pub fn new(scene: Scene, characters: usize) -> Result<Self, CrowdError> {
        let mut crowd = Crowd::new();
        let [walk, jog] = [&scene.walk, &scene.jog].map(|motion| crowd.add_clip(&scene.library, motion.id));
        let (walk, jog) = (walk?, jog?);
        for _ in 0..characters {
            crowd.spawn(walk)?;
        }
        for (index, character) in crowd.characters_mut().iter_mut().enumerate() {
            character.time = scattered(index, scene.walk.authored.duration);
        }
        let plain =
            |character: &nebula_animation::crowd::CrowdCharacter| PlainCharacter { time: character.time, fade: None };
        let joints = characters * scene.joint_count();
        Ok(Self {
            plain: PlainCrowd {
                characters: crowd.characters().iter().map(plain).collect(),
                palettes: vec![Mat4::IDENTITY; joints],
                scratch: vec![Plain::new(&scene.skeleton)],
            },
            evaluator: Evaluator::new(),
            pose: scene.skeleton.bind_pose(),
            rows: vec![PaletteRows::IDENTITY; joints],
            is_threaded: false,
            is_read: false,
            scene,
            crowd,
            jog,
        })
    }

    /// Every character is on its way from the walk to the jog, each at another point of it.
    pub fn cross_fading(mut self) -> Self {
        let pairs = self.crowd.characters_mut().iter_mut().zip(&mut self.plain.characters);
        for (index, (character, plain)) in pairs.enumerate() {
            let time = scattered(index + 1, self.scene.jog.authored.duration);
            let weight = 0.1 + 0.8 * scattered(index, 1.0) as f32;
            character.second = Some(SecondClip { clip: self.jog, time, weight });
            plain.fade = Some(Fade { time, weight });
        }
        self
    }

    /// The palettes of both paths are read in every frame, as whoever uploads them does.
    pub fn read_back(mut self) -> Self {
        self.is_read = true;
        self
    }

    /// Both paths on the threads of the current pool.
    #[cfg(feature = "parallel")]
    pub fn on_threads(mut self) -> Self {
        self.is_threaded = true;
        self.plain.scratch = vec![Plain::new(&self.scene.skeleton); rayon::current_num_threads().max(1)];
        self
    }

    fn update(&mut self) {
        #[cfg(feature = "parallel")]
        if self.is_threaded {
            self.crowd.advance(FRAME_SECS);
            self.crowd.evaluate_on_threads();
            return;
        }
        self.crowd.update(FRAME_SECS);
    }

    /// The local pose of each character at its present time.
    fn sample(&mut self) {
        let Self { scene, crowd, evaluator, pose, .. } = self;
        for character in crowd.characters() {
            let from = ClipAt { clip: scene.local(&scene.walk), time: character.time as f32 };
            match character.second {
                Some(second) => {
                    let to = ClipAt { clip: scene.local(&scene.jog), time: second.time as f32 };
                    evaluator.blended_pose(&scene.rig, from, to, second.weight, pose);
                }
                None => evaluator.pose(&scene.rig, from.clip, from.time, pose),
            }
            black_box(&mut *pose);
        }
    }

    /// Palettes for all, from one local pose.
    fn palettes(&mut self) {
        for rows in self.rows.chunks_mut(self.scene.joint_count()) {
            self.evaluator.palette_rows_of_pose(&self.scene.rig, black_box(&self.pose), rows);
        }
        black_box(&mut self.rows);
    }
}

impl Workload for CrowdWorkload {
    fn characters(&self) -> usize {
        self.plain.characters.len()
    }

    fn joints(&self) -> usize {
        self.scene.joint_count()
    }

    fn frames(&self) -> usize {
        frames(self.characters())
    }

    fn stages(&self) -> &'static [Stage] {
        if self.is_threaded {
            &[Stage::Plain, Stage::Fast]
        } else {
            &[Stage::Plain, Stage::Fast, Stage::PlainSample, Stage::Sample, Stage::Palette]
        }
    }

    fn run(&mut self, stage: Stage, slice: usize) {
        let range = stage.range(slice, self.plain.characters.len());
        for _ in 0..self.frames() {
            match stage {
                Stage::Plain => {
                    self.plain.update(&self.scene, range.clone());
                    if self.is_read {
                        let joints = self.scene.joint_count();
                        let palettes = &self.plain.palettes[range.start * joints..range.end * joints];
                        black_box(palettes.iter().fold(0, |sum, matrix| read(sum, matrix.as_ref())));
                    }
                    black_box(&mut self.plain.palettes);
                }
                Stage::PlainSample => self.plain.sample(&self.scene, range.clone()),
                Stage::Fast => {
                    self.update();
                    if self.is_read {
                        let palettes = self.crowd.palettes();
                        black_box(palettes.iter().fold(0, |sum, rows| read(sum, rows.0.as_flattened())));
                    }
                    black_box(self.crowd.palettes());
                }
                Stage::Sample => self.sample(),
                Stage::Palette => self.palettes(),
                Stage::Mixer => {}
            }
        }
    }

    fn difference(&mut self) -> f32 {
        difference(&self.plain.palettes, self.crowd.palettes())
    }

    fn allowed_difference(&self) -> f32 {
        self.scene.allowed_difference()
    }

    fn clip(&self) -> ClipFacts {
        let Scene { walk, jog, .. } = &self.scene;
        let is_fading = self.plain.characters.iter().any(|character| character.fade.is_some());
        if is_fading { self.scene.facts(&[walk, jog]) } else { self.scene.facts(&[walk]) }
    }
}

impl PlainCrowd {
    /// Advances some characters by a frame and evaluates their palettes.
    fn update(&mut self, scene: &Scene, range: Range<usize>) {
        let joints = scene.joint_count();
        let palettes = &mut self.palettes[range.start * joints..range.end * joints];
        let characters = &mut self.characters[range];
        let scratch = &mut self.scratch;
        #[cfg(feature = "parallel")]
        if scratch.len() > 1 {
            use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
            use rayon::slice::ParallelSliceMut;

            let each = characters.len().div_ceil(scratch.len()).max(1);
            let parts = characters.par_chunks_mut(each).zip(palettes.par_chunks_mut(each * joints));
            parts.zip(scratch.par_iter_mut()).for_each(|((characters, palettes), scratch)| {
                update_part(scene, characters, palettes, scratch);
            });
            return;
        }
        update_part(scene, characters, palettes, &mut scratch[0]);
    }

    /// The local poses of some characters at their present times.
    fn sample(&mut self, scene: &Scene, range: Range<usize>) {
        let scratch = &mut self.scratch[0];
        for character in &self.characters[range] {
            character.sample(scene, scratch);
            black_box(&mut scratch.pose);
        }
    }
}

fn update_part(scene: &Scene, characters: &mut [PlainCharacter], palettes: &mut [Mat4], scratch: &mut Plain) {
    for (character, palette) in characters.iter_mut().zip(palettes.chunks_mut(scene.joint_count())) {
        character.advance(scene);
        character.sample(scene, scratch);
        scratch.palette(&scene.skeleton, palette);
    }
}

impl PlainCharacter {
    fn advance(&mut self, scene: &Scene) {
        self.time = advanced(self.time, scene.walk.authored.duration);
        if let Some(fade) = &mut self.fade {
            fade.time = advanced(fade.time, scene.jog.authored.duration);
        }
    }

    fn sample(&self, scene: &Scene, scratch: &mut Plain) {
        let from = PlainLayer { clip: &scene.walk.authored, time: self.time as f32 };
        match self.fade {
            Some(fade) => {
                let to = PlainLayer { clip: &scene.jog.authored, time: fade.time as f32 };
                scratch.blend(&scene.skeleton, from, to, fade.weight);
            }
            None => scratch.sample(&scene.skeleton, from),
        }
    }
}

/// Reads a matrix, and leaves a trace of every number in the sum.
fn read(sum: u32, matrix: &[f32]) -> u32 {
    matrix.iter().fold(sum, |sum, number| sum.wrapping_add(number.to_bits()))
}

/// A time one frame later, in a loop.
fn advanced(time: f64, duration: f32) -> f64 {
    let (time, duration) = (time + FRAME_SECS, f64::from(duration));
    if time < duration { time } else { time % duration }
}

/// How many frames of a crowd are a repetition: some, so that a path is measured with its own data in the caches, not with
/// that of the path before it. (Seven megabytes of players are back in them after some five frames.)
pub(super) fn frames(characters: usize) -> usize {
    (32_000 / characters.max(1)).clamp(1, 32)
}

/// A time for each character, with neighbours far apart: multiples of the golden ratio.
pub(super) fn scattered(index: usize, duration: f32) -> f64 {
    (index as f64 * 0.618_033_988_749_894_9).fract() * f64::from(duration)
}
