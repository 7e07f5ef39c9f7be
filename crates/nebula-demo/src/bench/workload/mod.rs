//! The workloads.

mod crowd;
mod ecs;
mod scene;
mod single;
mod whole;

use std::error::Error;
use std::ops::Range;

use glam::Mat4;
use nebula_animation::palette::PaletteRows;

use super::rig::Keys;
use crowd::CrowdWorkload;
use ecs::EcsWorkload;
use scene::{Form, Scene};
use single::{Order, SingleWorkload};
use whole::{Kind, WholeWorkload};

pub use scene::ClipFacts;

/// Work that is done by the plain path and by the fast path.
pub trait Workload {
    /// Characters in each frame.
    fn characters(&self) -> usize;

    /// Joints of each character.
    fn joints(&self) -> usize;

    /// Frames in a run of all slices of a stage.
    fn frames(&self) -> usize;

    /// How many poses a run of all slices of a stage makes.
    fn poses(&self, stage: Stage) -> usize {
        let _ = stage;
        self.frames() * self.characters()
    }

    /// The stages that it can run: always [`Stage::Plain`] and [`Stage::Fast`].
    fn stages(&self) -> &'static [Stage];

    /// Runs one of the [`Stage::slices`] of a stage; this is what is timed.
    fn run(&mut self, stage: Stage, slice: usize);

    /// The largest difference between the results of the two paths, which have run equally often; infinite where one of
    /// them is not a number.
    fn difference(&mut self) -> f32;

    /// The clips that are played.
    fn clip(&self) -> ClipFacts;

    /// How far the fast path may be from the plain one, in any component of any matrix. Lengths are metres.
    fn allowed_difference(&self) -> f32 {
        1e-4
    }
}

/// A part of a workload that is timed by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// All of the plain path.
    Plain,
    /// The plain path up to the local pose.
    PlainSample,
    /// All of the fast path.
    Fast,
    /// The fast path up to the local pose, for those who want it: the palettes of [`Stage::Fast`] do without.
    Sample,
    /// The fast path's mixer: from time to the pose in lanes.
    Mixer,
    /// Palettes from local poses.
    Palette,
}

impl Stage {
    /// In how many parts it is timed.
    ///
    /// The plain path takes about ten times as long. In one part, it would be interrupted by other programs more often
    /// than the fast path, and look slower than it is.
    pub fn slices(self) -> usize {
        match self {
            Self::Plain | Self::PlainSample => 8,
            Self::Fast | Self::Sample | Self::Mixer | Self::Palette => 1,
        }
    }

    /// Which of `count` things belong to a slice.
    fn range(self, slice: usize, count: usize) -> Range<usize> {
        count * slice / self.slices()..count * (slice + 1) / self.slices()
    }
}

/// A workload before it is set up.
#[derive(Debug)]
pub struct Plan {
    /// As in the report.
    pub name: &'static str,
    /// How many times as fast as the plain path the fast path has to be.
    pub target: f64,
    keys: Keys,
    form: Form,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Single(Order),
    Crowd(usize),
    CrossFade(usize),
    Ecs(usize),
    Whole(Kind, usize),
    /// Palettes are read back in every frame.
    Read(usize),
    #[cfg(feature = "parallel")]
    Threads(usize),
    #[cfg(feature = "parallel")]
    WholeThreads(usize),
}

/// All workloads, in the order of the report.
pub fn plans() -> Vec<Plan> {
    use Keys::{Dense, Irregular, Sparse};
    use Shape::{CrossFade, Crowd, Ecs, Read, Single, Whole};

    let plan = |name, keys, shape, target| Plan { name, target, keys, form: Form::Exact, shape };
    let compressed = |name, shape, target| Plan { name, target, keys: Sparse, form: Form::Compressed, shape };
    vec![
        plan("sequential", Sparse, Single(Order::Sequential), 10.5),
        plan("seek", Sparse, Single(Order::Seek), 10.5),
        plan("crowd-1000", Sparse, Crowd(1_000), 12.0),
        plan("crowd-10000", Sparse, Crowd(10_000), 11.0),
        plan("crowd-10000-read", Sparse, Read(10_000), 8.0),
        plan("cross-fade-1000", Sparse, CrossFade(1_000), 16.0),
        plan("ecs-1000", Sparse, Ecs(1_000), 6.5),
        plan("dense-sequential", Dense, Single(Order::Sequential), 9.0),
        plan("dense-crowd-1000", Dense, Crowd(1_000), 9.0),
        plan("irregular-sequential", Irregular, Single(Order::Sequential), 6.0),
        plan("irregular-crowd-1000", Irregular, Crowd(1_000), 6.0),
        compressed("compressed-sequential", Single(Order::Sequential), 5.8),
        compressed("compressed-seek", Single(Order::Seek), 5.8),
        compressed("compressed-crowd-1000", Crowd(1_000), 6.7),
        plan("mixed-1000", Sparse, Whole(Kind::Mixed, 1_000), 4.5),
        plan("morph-100", Sparse, Whole(Kind::Morph, 100), 4.5),
        plan("full-32", Sparse, Whole(Kind::Full, 32), 2.4),
        plan("full-1000", Sparse, Whole(Kind::Full, 1_000), 2.0),
        plan("feet-1000", Sparse, Whole(Kind::Feet, 1_000), 1.5),
        #[cfg(feature = "parallel")]
        plan("crowd-10000-threads", Sparse, Shape::Threads(10_000), 9.0),
        #[cfg(feature = "parallel")]
        plan("full-1000-threads", Sparse, Shape::WholeThreads(1_000), 3.4),
    ]
}

impl Plan {
    /// Makes the characters and the memory for their palettes.
    pub fn build(&self) -> Result<Box<dyn Workload>, Box<dyn Error>> {
        let scene = || Scene::new(self.keys, self.form);
        Ok(match self.shape {
            Shape::Single(order) => Box::new(SingleWorkload::new(scene()?, order)),
            Shape::Crowd(characters) => Box::new(CrowdWorkload::new(scene()?, characters)?),
            Shape::Read(characters) => Box::new(CrowdWorkload::new(scene()?, characters)?.read_back()),
            Shape::CrossFade(characters) => Box::new(CrowdWorkload::new(scene()?, characters)?.cross_fading()),
            Shape::Ecs(characters) => Box::new(EcsWorkload::new(scene()?, characters)),
            Shape::Whole(kind, characters) => Box::new(WholeWorkload::new(kind, characters)?),
            #[cfg(feature = "parallel")]
            Shape::Threads(characters) => Box::new(CrowdWorkload::new(scene()?, characters)?.on_threads()),
            #[cfg(feature = "parallel")]
            Shape::WholeThreads(characters) => Box::new(WholeWorkload::new(Kind::Full, characters)?.on_threads()),
        })
    }
}

/// The largest difference in any component; infinite where one is not a number, or the lengths differ.
fn difference(plain: &[Mat4], fast: &[PaletteRows]) -> f32 {
    if plain.len() != fast.len() {
        return f32::INFINITY;
    }
    let differences = plain.iter().zip(fast).map(|(plain, fast)| {
        let columns = (*plain - fast.to_matrix()).to_cols_array();
        columns.into_iter().fold(
            0.0,
            |worst: f32, difference| {
                if difference.is_nan() { f32::INFINITY } else { worst.max(difference.abs()) }
            },
        )
    });
    differences.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_the_whole() {
        for count in [1, 7, 1_000] {
            let slices = (0..Stage::Plain.slices()).flat_map(|slice| Stage::Plain.range(slice, count));
            assert!(slices.eq(0..count), "{count}");
        }
    }

    #[test]
    fn differences_are_seen() {
        let plain = [Mat4::IDENTITY; 3];
        let mut fast = [PaletteRows::IDENTITY; 3];
        assert_eq!(difference(&plain, &fast), 0.0);
        assert_eq!(difference(&plain, &fast[..2]), f32::INFINITY);
        fast[1].0[2][3] = -0.25;
        assert_eq!(difference(&plain, &fast), 0.25);
        fast[1].0[2][3] = f32::NAN;
        assert_eq!(difference(&plain, &fast), f32::INFINITY);
    }
}
