//! `sheet`: all clips of a file in one picture, each from the front and from the side.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use glam::Vec3;

use super::figure::{Figure, Frame};
use super::font;
use super::model::Model;
use super::output::{Kind, Output, Size};
use super::renderer::{Choice, Renderer};
use super::stage::{FRONT, SIDE, Stage, Standing};
use crate::picture::{Canvas, write_png};

/// What to put on a contact sheet.
#[derive(Debug, Clone)]
pub struct Options {
    /// A .glb or .gltf file.
    pub file: PathBuf,
    /// The picture, a PNG.
    pub out: Output,
    /// Names or numbers of the clips; all of them if there are none.
    pub clips: Vec<String>,
    /// Poses of each clip, from its first moment to its last.
    pub frames: u16,
    /// Size of each pose.
    pub size: Size,
    /// Who draws it.
    pub renderer: Choice,
}

/// The most pixels in each direction of a sheet, and in all: what viewers show.
pub(super) const LONGEST: u32 = 16_384;
pub(super) const MOST_PIXELS: u32 = 64 << 20;

/// Draws a contact sheet.
///
/// # Errors
/// One line: a file that cannot be loaded, sizes that give no picture, an output that cannot be written.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    if options.out.kind != Kind::Png {
        return Err(format!("{}: a contact sheet is a PNG file", options.out.path.display()));
    }
    let columns = u32::from(options.frames);
    let Size { width, height } = options.size;
    let tallest = LONGEST.min(MOST_PIXELS / (columns * width));
    let fitting = (tallest / (height * 2)) as usize;
    if columns * width > LONGEST || fitting == 0 {
        return Err(format!("{columns} frames of {width}x{height} make too large a sheet"));
    }
    let model = Model::load(&options.file)?;
    let wanted: Result<Vec<usize>, String> = match options.clips.as_slice() {
        [] => Ok((0..model.asset.animations.len()).collect()),
        names => names.iter().map(|name| model.clip(name)).collect(),
    };
    let wanted = wanted.map_err(|problem| format!("{}: {problem}", options.file.display()))?;
    let mut clips: Vec<Option<usize>> = wanted.iter().copied().map(Some).take(fitting).collect();
    if clips.is_empty() {
        clips.push(None);
    }
    let mut figure = Figure::new(&model);
    let reach = reach(&mut figure, &clips, &model, options.frames);
    let Some(reach) = reach else { return Err(format!("{}: it has nothing to draw", options.file.display())) };
    options.out.check()?;
    for note in &model.notes {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    if clips.len() < wanted.len() {
        let _ = writeln!(std::io::stderr(), "note: only the first {} of {} clips fit", clips.len(), wanted.len());
    }
    let mut sheet = Canvas::new(columns * width, clips.len() as u32 * 2 * height);
    let mut cell = Canvas::new(width, height);
    let mut renderer = Renderer::new(options.renderer)?;
    let is_skeleton_shown = !figure.has_surface();
    for (row, &clip) in clips.iter().enumerate() {
        for (column, frame) in frames(&model, clip, options.frames).enumerate() {
            figure.take(frame);
            for (side, direction) in [FRONT, SIDE].into_iter().enumerate() {
                let top = (row * 2 + side) as u32 * height;
                let bounds = reach.around(&mut figure);
                // Whatever the side, the light comes from beside the camera.
                let side = model.side(direction);
                let stage = Stage::around(bounds, side, options.size.aspect()).lit_for(side);
                stage.draw(&figure, is_skeleton_shown, &mut renderer, &mut cell)?;
                sheet.paste(&cell, column as u32 * width, top);
            }
        }
        let label = clip.map_or("rest pose".into(), |clip| {
            let animation = &model.asset.animations[clip];
            format!("{} {:.2} s", animation.name, animation.duration)
        });
        font::write(&mut sheet, &label, 4, row as u32 * 2 * height + 4);
    }
    write_png(&options.out.path, &sheet).map_err(|error| options.out.problem(&error))?;
    let _ = writeln!(std::io::stdout(), "wrote {}", options.out.path.display());
    Ok(ExitCode::SUCCESS)
}

/// A clip from its first moment to its last.
fn frames(model: &Model, clip: Option<usize>, count: u16) -> impl Iterator<Item = Frame> {
    let duration = clip.map_or(0.0, |clip| model.asset.animations[clip].duration);
    let last = f32::from(count.saturating_sub(1).max(1));
    let count = if clip.is_some() { count } else { 1 };
    (0..count).map(move |step| clip.map(|clip| (clip, duration * f32::from(step) / last)))
}

/// How much room the figure takes in any pose.
struct Reach {
    /// The largest extent of a pose along x and z, halved.
    half: Vec3,
    /// The floor, and the highest point of all poses.
    low: f32,
    high: f32,
}

impl Reach {
    /// A box of this room around the figure wherever it has got to, so that every pose is drawn to the same scale and
    /// the floor stays level.
    fn around(&self, figure: &mut Figure) -> [Vec3; 2] {
        let [min, max] = figure.bounds().unwrap_or_default();
        let middle = (min + max) * 0.5;
        let [mut low, mut high] = [middle - self.half, middle + self.half];
        (low.y, high.y) = (self.low, self.high);
        [low, high]
    }
}

fn reach(figure: &mut Figure, clips: &[Option<usize>], model: &Model, count: u16) -> Option<Reach> {
    let mut reach: Option<Reach> = None;
    let mut standing = Standing::default();
    for frame in clips.iter().flat_map(|&clip| frames(model, clip, count)) {
        figure.take(frame);
        let Some([min, max]) = figure.bounds() else { continue };
        standing.see(figure, [min, max]);
        let half = (max - min) * 0.5;
        reach = Some(match reach {
            None => Reach { half, low: min.y, high: max.y },
            Some(all) => Reach { half: all.half.max(half), low: all.low.min(min.y), high: all.high.max(max.y) },
        });
    }
    reach.map(|reach| Reach { low: standing.floor(reach.low), ..reach })
}
