//! Frames into files, with a line that says how far it is.

use std::io::{IsTerminal, Write};

use super::output::{Output, Size};
use crate::picture::{Canvas, GifWriter, Palette, write_png};

/// Frames per second of every film: four hundredths of a second each, which GIF can say exactly.
pub const FRAMES_PER_SECOND: f32 = 25.0;

/// Frames that the colours of a film are chosen from.
const PALETTE_FRAMES: usize = 12;

/// How many frames a film of some seconds has.
pub fn frame_count(seconds: f32) -> usize {
    (seconds * FRAMES_PER_SECOND).round().max(1.0) as usize
}

/// Draws one picture and writes it as PNG.
///
/// # Errors
/// The file cannot be written.
pub fn write_still(output: &Output, size: Size, draw: impl FnOnce(&mut Canvas)) -> Result<(), String> {
    let mut canvas = Canvas::new(size.width, size.height);
    draw(&mut canvas);
    write_png(&output.path, &canvas).map_err(|error| output.problem(&error))
}

/// Draws `count` frames and writes them as a GIF that repeats. `draw` is called for some frames twice: the colours are
/// chosen first.
///
/// # Errors
/// The file cannot be written.
pub fn write_film(
    output: &Output,
    size: Size,
    count: usize,
    mut draw: impl FnMut(usize, &mut Canvas),
) -> Result<(), String> {
    let mut canvas = Canvas::new(size.width, size.height);
    let steps = PALETTE_FRAMES.min(count);
    let mut samples = Vec::with_capacity(steps);
    for step in 0..steps {
        draw(step * count / steps, &mut canvas);
        samples.push(canvas.clone());
    }
    let palette = Palette::from_frames(&samples);
    drop(samples);
    let problem = |error| output.problem(&error);
    let mut writer = GifWriter::create(&output.path, palette, FRAMES_PER_SECOND, true).map_err(problem)?;
    let progress = Progress::new(output, size, count);
    for frame in 0..count {
        draw(frame, &mut canvas);
        writer.push(&canvas).map_err(problem)?;
        progress.show(frame + 1);
    }
    writer.finish().map_err(problem)
}

/// A line on standard error. On a terminal it counts; elsewhere it is written once.
struct Progress {
    count: usize,
    is_counting: bool,
}

impl Progress {
    fn new(output: &Output, size: Size, count: usize) -> Self {
        let mut stderr = std::io::stderr();
        let Size { width, height } = size;
        let _ = writeln!(stderr, "drawing {count} frames of {width}x{height} into {}", output.path.display());
        Self { count, is_counting: stderr.is_terminal() }
    }

    fn show(&self, done: usize) {
        if self.is_counting {
            let end = if done == self.count { "\n" } else { "" };
            let _ = write!(std::io::stderr(), "\rframe {done} of {}{end}", self.count);
        }
    }
}
