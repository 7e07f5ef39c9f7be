//! `render`: anyone's character as a picture or a film.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::figure::{Figure, Frame};
use super::film::{FRAMES_PER_SECOND, frame_count, write_film, write_still};
use super::model::Model;
use super::output::{Kind, Output, Size};
use super::stage::{Stage, THREE_QUARTER, bounds_over};
use crate::picture::Renderer;

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
    /// Size of the picture.
    pub size: Size,
    /// The file; by default one in the current folder with the name of the model.
    pub out: Option<Output>,
    /// Draw the joints on top.
    pub is_skeleton_shown: bool,
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
    let model = Model::load(&options.file)?;
    let file = options.file.display();
    let clip = match &options.clip {
        Some(name) => Some(model.clip(name).map_err(|problem| format!("{file}: {problem}"))?),
        None if model.asset.animations.is_empty() => None,
        None => Some(0),
    };
    let output = output(options, clip)?;
    let duration = clip.map_or(0.0, |clip| model.asset.animations[clip].duration);
    let frames: Vec<Frame> = match output.kind {
        Kind::Png => vec![clip.map(|clip| (clip, options.time.unwrap_or(0.0)))],
        Kind::Gif => {
            let count = frame_count(options.seconds.unwrap_or(duration.min(LONGEST)));
            let time = |frame: usize| (frame as f32 / FRAMES_PER_SECOND).rem_euclid(duration.max(f32::MIN_POSITIVE));
            (0..count).map(|frame| clip.map(|clip| (clip, time(frame)))).collect()
        }
    };
    let mut figure = Figure::new(&model);
    let framed = frames.iter().step_by(frames.len().div_ceil(FRAMED_POSES)).copied();
    let Some(bounds) = bounds_over(&mut figure, framed) else {
        return Err(format!("{file}: there is nothing to draw in it"));
    };
    output.check()?;
    for note in &model.notes {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    let stage = Stage::around(bounds, THREE_QUARTER, options.size.aspect());
    let has_surface = figure.surfaces().iter().any(|surface| !surface.positions.is_empty());
    let is_skeleton_shown = options.is_skeleton_shown || !has_surface;
    let mut renderer = Renderer::default();
    let mut draw = |frame: usize, canvas: &mut _| {
        figure.take(frames[frame]);
        stage.draw(&figure, is_skeleton_shown, &mut renderer, canvas);
    };
    match output.kind {
        Kind::Png => write_still(&output, options.size, |canvas| draw(0, canvas))?,
        Kind::Gif => write_film(&output, options.size, frames.len(), draw)?,
    }
    let _ = writeln!(std::io::stdout(), "wrote {}", output.path.display());
    Ok(ExitCode::SUCCESS)
}

/// The file to write: what was asked for, or a film where there is something to see in one.
fn output(options: &Options, clip: Option<usize>) -> Result<Output, String> {
    let is_film = options.time.is_none() && (clip.is_some() || options.seconds.is_some());
    let kind = if is_film { Kind::Gif } else { Kind::Png };
    match &options.out {
        None => Ok(Output::beside(&options.file, kind)),
        Some(Output { kind: Kind::Png, .. }) if options.seconds.is_some() => {
            Err("a PNG shows one moment: --seconds needs an output that ends in .gif, or take --time".into())
        }
        Some(Output { kind: Kind::Gif, .. }) if options.time.is_some() => {
            Err("a GIF shows a film: --time needs an output that ends in .png, or take --seconds".into())
        }
        Some(output) => Ok(output.clone()),
    }
}
