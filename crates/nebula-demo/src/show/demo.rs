//! The demo: what the program shows without arguments.

use std::io::Write;
use std::process::ExitCode;

use clap::ValueEnum;
use glam::Vec3;

use super::figure::Figure;
use super::film::{frame_count, write_film, write_still};
use super::output::{Kind, Output, Size};
use super::script::{Act, Humanoid, Moment, Script};
use super::stage::{Stage, THREE_QUARTER};
use crate::picture::{Canvas, Ground, Renderer};

/// A part of the demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scene {
    /// The character as it was modelled, seen from all around.
    Tpose,
    /// Walking, in a film that repeats without a seam.
    Walk,
}

/// What the demo is to show.
#[derive(Debug, Clone)]
pub struct Options {
    /// A part; everything by default.
    pub scene: Option<Scene>,
    /// Length of the film; by default what suits the scene.
    pub seconds: Option<f32>,
    /// Size of the pictures.
    pub size: Size,
    /// The file; by default a film and a still in the current folder.
    pub out: Option<Output>,
}

/// The whole demo in seconds.
const SECONDS: f32 = 12.0;

/// Seconds of one turn around the T-pose.
const TURN: f32 = 4.0;

/// Size by which the floor chooses the distance of its grid lines: 20 cm, of which the walk's stride is a multiple. So
/// the grid is the same after each cycle, and so is the picture.
const GRID: f32 = 1.9;

/// Draws the demo into files.
///
/// # Errors
/// One line: an output that cannot be written, or options that do not go together.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let outputs = match &options.out {
        Some(output) => vec![output.clone()],
        None => ["nebula-demo.gif", "nebula-demo.png"].into_iter().map(str::parse).collect::<Result<_, _>>()?,
    };
    if let ([Output { kind: Kind::Png, .. }], Some(_)) = (outputs.as_slice(), options.seconds) {
        return Err("a PNG shows one moment: --seconds needs an output that ends in .gif".into());
    }
    outputs.iter().try_for_each(Output::check)?;
    let humanoid = Humanoid::new()?;
    let film = Film::new(&humanoid, options)?;
    let mut figure = Figure::new(&humanoid.model);
    let mut renderer = Renderer::default();
    let mut draw = |frame: usize, canvas: &mut Canvas| film.draw(frame, &mut figure, &mut renderer, canvas);
    for output in &outputs {
        match output.kind {
            Kind::Gif => write_film(output, options.size, film.moments.len(), &mut draw)?,
            Kind::Png => write_still(output, options.size, |canvas| draw(film.still, canvas))?,
        }
    }
    let names: Vec<String> = outputs.iter().map(|output| output.path.display().to_string()).collect();
    let line = format!(
        "wrote {}; next: `nebula-demo render YOUR.glb` draws your character, `nebula-demo --help` shows the rest",
        names.join(" and ")
    );
    // A closed pipe is no error.
    let _ = writeln!(std::io::stdout(), "{line}");
    Ok(ExitCode::SUCCESS)
}

/// All frames of a scene.
struct Film {
    scene: Option<Scene>,
    moments: Vec<Moment>,
    /// The frame that stands for the whole.
    still: usize,
    aspect: f32,
}

impl Film {
    fn new(humanoid: &Humanoid, options: &Options) -> Result<Self, String> {
        let (script, seconds, still) = match options.scene {
            None => {
                let seconds = options.seconds.unwrap_or(SECONDS);
                (Script::all(humanoid, seconds)?, seconds, 0.57)
            }
            Some(Scene::Tpose) => (Script::of(Act::TPose), options.seconds.unwrap_or(TURN), 0.0),
            Some(Scene::Walk) => {
                let walk = humanoid.gait("walk")?;
                (Script::of(Act::Play(walk)), options.seconds.unwrap_or(walk.seconds), 0.18)
            }
        };
        let count = frame_count(seconds);
        let moments = script.moments(&humanoid.model, count);
        Ok(Self {
            scene: options.scene,
            moments,
            still: (count as f32 * still) as usize,
            aspect: options.size.aspect(),
        })
    }

    fn draw(&self, frame: usize, figure: &mut Figure, renderer: &mut Renderer, canvas: &mut Canvas) {
        let moment = &self.moments[frame];
        figure.take_mix(moment.from, moment.to, moment.amount, moment.offset);
        let fraction = frame as f32 / self.moments.len() as f32;
        self.stage(fraction).moved(moment.offset).draw(figure, false, renderer, canvas);
    }

    /// Camera and floor at a fraction of the film, for a figure at the origin.
    fn stage(&self, fraction: f32) -> Stage {
        let (half_width, direction) = match self.scene {
            Some(Scene::Tpose) => (0.9, around(0.5 + std::f32::consts::TAU * fraction)),
            Some(Scene::Walk) => (0.45, around(1.0)),
            // From the front, where the T-pose is best seen, to the side, where steps are.
            None => (0.9, around(0.4 + 0.7 * fraction * fraction * (3.0 - 2.0 * fraction))),
        };
        let half = Vec3::new(half_width, 0.0, 0.45);
        let stage = Stage::around([-half, half + Vec3::Y * 1.78], direction, self.aspect);
        Stage { ground: Ground { height: 0.0, size: GRID }, ..stage }
    }
}

/// A direction towards a camera that stands `angle` radians from the figure's front, to its left.
fn around(angle: f32) -> Vec3 {
    let level = THREE_QUARTER.y;
    Vec3::new(angle.sin(), level, angle.cos())
}
