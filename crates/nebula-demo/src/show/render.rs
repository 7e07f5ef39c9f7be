//! `render`: a character as a picture, a film or a contact sheet.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use glam::Vec3;

use super::course::Course;
use super::figure::{Figure, Frame};
use super::film::{FRAMES_PER_SECOND, frame_count, write_film, write_still};
use super::model::Model;
use super::output::{Kind, Output, Size};
use super::renderer::{Choice, Renderer};
use super::sheet::{LONGEST as LONGEST_SIDE, MOST_PIXELS};
use super::side;
use super::stage::{Stage, bounds_over};
use crate::picture::Canvas;

/// What to draw of a file.
#[derive(Debug, Clone)]
pub struct Options {
    /// A .glb or .gltf file.
    pub file: PathBuf,
    /// Name or number of the clip; the first one by default.
    pub clip: Option<String>,
    /// Draw a still at this time of the clip.
    pub time: Option<f32>,
    /// Length of the film; once through the clip by default.
    pub seconds: Option<f32>,
    /// Draw so many moments of the clip side by side, from its first to its last.
    pub sheet: Option<u16>,
    /// Size of the picture, or of each moment on a sheet.
    pub size: Size,
    /// The file; by default one in the current folder with the name of the model.
    pub out: Option<Output>,
    /// Draw the joints on top.
    pub is_skeleton_shown: bool,
    /// Who draws it.
    pub renderer: Choice,
}

/// Once through a clip takes no more than this.
const LONGEST: f32 = 10.0;

/// Poses of a film that the camera has to show whole.
const FRAMED_POSES: usize = 24;

/// Draws a file.
///
/// # Errors
/// One line: a file that cannot be loaded, a clip that is not there, an output that cannot be written.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let sheet = options.sheet.map(|count| Sheet::new(count, options.size)).transpose()?;
    let model = Model::load(&options.file)?;
    let file = options.file.display();
    let clip = match &options.clip {
        Some(name) => Some(model.clip(name).map_err(|problem| format!("{file}: {problem}"))?),
        None if model.asset.animations.is_empty() => None,
        None => Some(0),
    };
    let output = output(options, clip)?;
    let duration = clip.map_or(0.0, |clip| model.asset.animations[clip].duration);
    let at = |time: f32| clip.map(|clip| (clip, time));
    let frames: Vec<Frame> = if let Some(count) = options.sheet {
        let last = f32::from(count.saturating_sub(1).max(1));
        (0..count).map(|step| at(duration * f32::from(step) / last)).collect()
    } else if output.kind.is_film() {
        let count = frame_count(options.seconds.unwrap_or(duration.min(LONGEST)));
        let time = |frame: usize| (frame as f32 / FRAMES_PER_SECOND).rem_euclid(duration.max(f32::MIN_POSITIVE));
        (0..count).map(|frame| at(time(frame))).collect()
    } else {
        vec![at(options.time.unwrap_or(0.0))]
    };
    let mut figure = Figure::new(&model);
    let framed = frames.iter().step_by(frames.len().div_ceil(FRAMED_POSES)).copied();
    // A still needs no way, and a clip that travels would be a dot on the whole of it.
    let course = clip.filter(|_| frames.len() > 1).and_then(|clip| Course::of(&mut figure, clip, duration));
    let bounds = course.as_ref().map(|course| course.room(0.0)).or_else(|| bounds_over(&mut figure, framed));
    let Some(bounds) = bounds else {
        return Err(format!("{file}: it has nothing to draw"));
    };
    output.check()?;
    let mut renderer = Renderer::new(options.renderer)?;
    for note in &model.notes {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    figure.take(frames.first().copied().flatten());
    let stage = Stage::around(bounds, side::best(&figure.body()), options.size.aspect()).lit_for(model.side(Vec3::Z));
    let is_skeleton_shown = options.is_skeleton_shown || !figure.has_surface();
    let mut draw = |frame: usize, canvas: &mut Canvas| {
        figure.take(frames[frame]);
        let gone = course.as_ref().zip(frames[frame]).map(|(course, (_, time))| course.gone(time));
        stage.moved(gone.unwrap_or_default()).draw(&figure, is_skeleton_shown, &mut renderer, canvas)
    };
    match &sheet {
        Some(sheet) => write_still(&output, sheet.whole, |canvas| sheet.draw(canvas, &mut draw))?,
        None if output.kind.is_film() => write_film(&output, options.size, frames.len(), draw)?,
        None => write_still(&output, options.size, |canvas| draw(0, canvas))?,
    }
    let _ = writeln!(std::io::stdout(), "wrote {}", output.path.display());
    Ok(ExitCode::SUCCESS)
}

/// The file to write: what was asked for, or a film where there is something to see in one.
fn output(options: &Options, clip: Option<usize>) -> Result<Output, String> {
    let is_still = options.time.is_some() || options.sheet.is_some();
    let is_film = !is_still && (clip.is_some() || options.seconds.is_some());
    let kind = if is_film { Kind::Gif } else { Kind::Png };
    match &options.out {
        None => Ok(Output::beside(&options.file, kind)),
        Some(output) if output.kind == Kind::Png && options.seconds.is_some() => {
            Err("a PNG shows one moment: --seconds needs an output that ends in .gif, .apng or .mp4".into())
        }
        Some(output) if output.kind.is_film() && is_still => {
            Err("--time and --sheet draw one picture: the output must end in .png".into())
        }
        Some(output) => Ok(output.clone()),
    }
}

/// A contact sheet: moments in rows, a little wider than high.
struct Sheet {
    cell: Size,
    whole: Size,
    columns: u32,
    count: u32,
}

impl Sheet {
    fn new(count: u16, cell: Size) -> Result<Self, String> {
        let count = u32::from(count.max(1));
        let columns = (1..=count)
            .find(|columns| columns * columns * cell.width * 10 >= count * cell.height * 16)
            .unwrap_or(count);
        // As many rows as these columns need, and no more columns than these rows need.
        let rows = count.div_ceil(columns);
        let columns = count.div_ceil(rows);
        let whole = Size { width: columns * cell.width, height: rows * cell.height };
        if whole.width.max(whole.height) > LONGEST_SIDE || whole.width > MOST_PIXELS / whole.height {
            return Err(format!("{count} pictures of {}x{} make too large a sheet", cell.width, cell.height));
        }
        Ok(Self { cell, whole, columns, count })
    }

    fn draw(
        &self,
        whole: &mut Canvas,
        draw: &mut impl FnMut(usize, &mut Canvas) -> Result<(), String>,
    ) -> Result<(), String> {
        let Size { width, height } = self.cell;
        let mut cell = Canvas::new(width, height);
        for index in 0..self.count {
            draw(index as usize, &mut cell)?;
            whole.paste(&cell, index % self.columns * width, index / self.columns * height);
        }
        Ok(())
    }
}
