//! The scenes of the demo, with the included character.
//!
//! `hero` is the character: what it plays, layers that bend its pose, a sword in its hand. A `walker` is where it is on the hills of
//! `terrain`, steered by whoever calls [`Hero::update`](crate::scene::hero::Hero::update): a window, or a `script`. `solo` simulates a
//! script and says what is seen of it in each frame; `many` does so for a crowd of a thousand. `cast` holds the models,
//! of which `simplify` makes ones with fewer triangles.

pub mod cast;
pub mod hero;
pub mod many;
pub mod script;
mod simplify;
pub mod solo;
pub mod terrain;
#[cfg(test)]
mod tests;
pub mod walker;

use clap::ValueEnum;
use solo::Pace;
use terrain::Hills;

use crate::picture::Camera;
use crate::show::film::{FRAMES_PER_SECOND, frame_count};
use crate::show::shot::Shot;

/// A part of the demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub enum Scene {
    /// The character in its T-pose, from all sides.
    Tpose,
    /// Walking along a hillside, in a seamless loop.
    Walk,
    /// Walking uphill and downhill, with a close look at the feet.
    Slope,
    /// Cross-fades, some of them interrupted.
    Crossfade,
    /// A thousand characters.
    Crowd,
    /// A sword in the hand.
    Attach,
}

/// A scene, or the whole demo, frame by frame.
pub struct Play {
    scene: Option<Scene>,
    count: usize,
    /// Frames in a second.
    rate: f32,
    stage: Stage,
}

/// Steps of the simulation in each frame of a film.
const STEPS: usize = 2;

enum Stage {
    Solo(Box<solo::Solo>),
    Many(Box<many::Many>),
}

impl Play {
    /// A scene, or the whole demo, of so many seconds; by default what suits it, after which it repeats.
    ///
    /// # Errors
    /// One line: the shipped character lacks something.
    pub fn new(scene: Option<Scene>, seconds: Option<f32>) -> Result<Self, String> {
        Self::with_steps(scene, seconds, STEPS)
    }

    /// The same with all the frames there are, for a window.
    ///
    /// # Errors
    /// One line: the shipped character lacks something.
    pub fn smooth(scene: Option<Scene>) -> Result<Self, String> {
        Self::with_steps(scene, None, 1)
    }

    fn with_steps(scene: Option<Scene>, seconds: Option<f32>, steps: usize) -> Result<Self, String> {
        let cast = cast::Cast::load()?;
        let pace = Pace { rate: FRAMES_PER_SECOND * STEPS as f32, steps };
        let count = frame_count(seconds.unwrap_or_else(|| script::Script::of(scene).seconds)) * STEPS / steps;
        let stage = match scene {
            Some(Scene::Crowd) => Stage::Many(Box::new(many::Many::new(&cast).map_err(|error| error.to_string())?)),
            _ => Stage::Solo(Box::new(solo::Solo::new(scene, &cast, count, pace)?)),
        };
        Ok(Self { scene, count, rate: pace.frame_rate(), stage })
    }

    /// Frames in a second.
    #[must_use]
    pub fn frame_rate(&self) -> f32 {
        self.rate
    }

    /// How many frames there are.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.count
    }

    /// The frame that stands for the whole.
    #[must_use]
    pub fn still(&self) -> usize {
        ((Self::still_seconds(self.scene) * self.rate) as usize).min(self.count - 1)
    }

    /// The moment of a scene that stands for the whole, in seconds.
    #[must_use]
    pub fn still_seconds(scene: Option<Scene>) -> f32 {
        match scene {
            None => 7.4,
            Some(Scene::Tpose) => 0.0,
            Some(Scene::Walk) => 0.36,
            Some(Scene::Slope) => 2.5,
            Some(Scene::Crossfade) => 2.3,
            Some(Scene::Crowd) => 1.0,
            Some(Scene::Attach) => 2.0,
        }
    }

    /// Shows a frame for a picture of this shape (width divided by height). The same frame is the same shot, in whatever order
    /// they are asked for.
    pub fn show<R>(&mut self, frame: usize, aspect: f32, show: impl FnOnce(&Shot) -> R) -> R {
        self.show_from(frame, aspect, &|camera, _| camera, show)
    }

    /// The same from where `moved` says, which is given the camera's place in the film, and the ground.
    pub fn show_from<R>(
        &mut self,
        frame: usize,
        aspect: f32,
        moved: &dyn Fn(Camera, &Hills) -> Camera,
        show: impl FnOnce(&Shot) -> R,
    ) -> R {
        match &mut self.stage {
            Stage::Solo(solo) => solo.show(frame, aspect, moved, show),
            Stage::Many(many) => many.show(frame as f64 / f64::from(self.rate), aspect, moved, show),
        }
    }
}
