//! Full characters: everything that a `Character` does in a frame.

mod cast;
mod plain;

use std::hint::black_box;

use nebula_animation::{Character, Frame, palette::PaletteRows};

use super::crowd::{FRAME_SECS, frames};
use super::single::{Order, SingleWorkload};
use super::{ClipFacts, Scene, Stage, Workload, difference};
use cast::{Cast, around};
use plain::PlainCharacter;

pub use cast::Kind;

/// How many of the characters are followed by the plain path.
const FOLLOWED: usize = 8;

/// Characters, beside one clip on one character by the plain path: what all of them are measured in.
///
/// Some of the characters are followed by the plain path, which samples the authored clips, blends them joint by joint and makes a
/// `Mat4` of each; the procedural layers are the library's in both. It runs where results are compared, and is not timed.
pub struct WholeWorkload {
    cast: Cast,
    characters: Vec<Character>,
    /// How many frames they have run.
    frames_run: usize,
    followed: Vec<PlainCharacter>,
    /// The same characters again, for parts that are timed by themselves.
    parts: Vec<Character>,
    frame: Frame,
    reference: SingleWorkload,
    is_threaded: bool,
}

impl WholeWorkload {
    /// So many characters, each at another moment.
    pub fn new(kind: Kind, count: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let cast = Cast::new(kind)?;
        let characters = (0..count).map(|index| cast.character(index)).collect::<Result<Vec<_>, _>>()?;
        let followed = (0..FOLLOWED.min(count)).map(|nth| cast.plain(nth * count / FOLLOWED.min(count))).collect();
        let reference = SingleWorkload::new(Scene::new(super::Keys::Sparse, super::Form::Exact)?, Order::Sequential);
        let (parts, frame) = (characters.clone(), Frame::new(cast.rig()));
        Ok(Self { cast, characters, frames_run: 0, followed, parts, frame, reference, is_threaded: false })
    }

    /// The characters on the threads of the current pool; what they are measured in stays on one.
    #[cfg(feature = "parallel")]
    pub fn on_threads(mut self) -> Self {
        self.is_threaded = true;
        self
    }

    fn update(&mut self) {
        let Self { cast, characters, .. } = self;
        // All have run for as long.
        let elapsed = characters.first().map_or(0.0, Character::elapsed);
        let (ground, targets) = around(cast, elapsed + FRAME_SECS);
        let surroundings = cast::surroundings(&ground, &targets);
        #[cfg(feature = "parallel")]
        if self.is_threaded {
            return Character::update_all_on_threads(characters, FRAME_SECS, |_, _| {
                cast::surroundings(&ground, &targets)
            });
        }
        Character::update_all(characters, FRAME_SECS, |_, _| surroundings);
    }
}

impl Workload for WholeWorkload {
    fn characters(&self) -> usize {
        self.characters.len()
    }

    fn joints(&self) -> usize {
        self.cast.rig().joint_count()
    }

    fn frames(&self) -> usize {
        frames(self.characters())
    }

    fn poses(&self, stage: Stage) -> usize {
        match stage {
            Stage::Plain => self.reference.poses(stage),
            _ => self.frames() * self.characters(),
        }
    }

    fn stages(&self) -> &'static [Stage] {
        if self.is_threaded {
            &[Stage::Plain, Stage::Fast]
        } else {
            &[Stage::Plain, Stage::Fast, Stage::Mixer, Stage::Palette]
        }
    }

    fn run(&mut self, stage: Stage, slice: usize) {
        if stage == Stage::Plain {
            return self.reference.run(stage, slice);
        }
        for _ in 0..self.frames() {
            match stage {
                Stage::Mixer => {
                    Character::for_each(&mut self.parts, |_, character| {
                        character.advance(FRAME_SECS);
                    });
                    black_box(&mut self.parts);
                }
                Stage::Palette => {
                    for character in &self.parts {
                        character.mixer.write_frame(&mut self.frame);
                        self.frame.finish(&[]);
                        black_box(&mut self.frame);
                    }
                }
                _ => {
                    self.update();
                    self.frames_run += 1;
                    black_box(&mut self.characters);
                }
            }
        }
    }

    fn difference(&mut self) -> f32 {
        let Self { cast, characters, followed, frames_run, .. } = self;
        followed.iter_mut().fold(0.0, |worst, plain| {
            while plain.frames < *frames_run {
                cast.follow(plain);
            }
            let character = &characters[plain.index];
            let rows: Vec<PaletteRows> = character.palette().iter().map(PaletteRows::from_matrix).collect();
            let morphs = character.frame().morph_weights().iter().zip(&plain.morph_weights);
            let of_morphs = morphs.fold(0.0_f32, |worst, (a, b)| worst.max((a - b).abs()));
            worst.max(difference(&plain.palette, &rows)).max(of_morphs)
        })
    }

    fn clip(&self) -> ClipFacts {
        self.reference.clip()
    }
}
