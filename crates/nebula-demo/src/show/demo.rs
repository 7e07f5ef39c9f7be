//! The demo: what the program draws without arguments.

use std::io::Write;
use std::process::ExitCode;

use super::film::{FRAMES_PER_SECOND, write_film, write_still};
use super::output::{Kind, Output, Size};
use super::renderer::{Choice, Renderer};
use crate::picture::Canvas;
use crate::scene::{Play, Scene};

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
    /// Who draws it.
    pub renderer: Choice,
}

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
        return Err("a PNG shows one moment: --seconds needs an output that ends in .gif, .apng or .mp4".into());
    }
    // First, as drivers may have much to say.
    outputs.iter().try_for_each(Output::check)?;
    let mut renderer = Renderer::new(options.renderer)?;
    // A still alone needs no more frames than those before it.
    let is_film = outputs.iter().any(|output| output.kind.is_film());
    let until_still = || Play::still_seconds(options.scene) + 1.0 / FRAMES_PER_SECOND;
    let mut play = Play::new(options.scene, if is_film { options.seconds } else { Some(until_still()) })?;
    let (count, still) = (play.frame_count(), play.still());
    let mut draw =
        |frame: usize, canvas: &mut Canvas| play.show(frame, options.size.aspect(), |shot| renderer.draw(shot, canvas));
    for output in &outputs {
        if output.kind.is_film() {
            write_film(output, options.size, count, &mut draw)?;
        } else {
            write_still(output, options.size, |canvas| draw(still, canvas))?;
        }
    }
    let names: Vec<String> = outputs.iter().map(|output| output.path.display().to_string()).collect();
    let line = format!(
        "wrote {}; next: `nebula-demo render YOUR.glb` draws your character, `nebula-demo --scene crowd` a thousand, \
         `nebula-demo --help` shows the rest",
        names.join(" and ")
    );
    // A closed pipe is no error.
    let _ = writeln!(std::io::stdout(), "{line}");
    Ok(ExitCode::SUCCESS)
}
