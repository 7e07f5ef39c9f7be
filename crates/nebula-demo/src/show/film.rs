//! Writes frames to files, with a progress line.

use std::io::{self, IsTerminal, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::channel;
use std::thread;

use super::output::{Kind, Output, Size};
use crate::picture::{ApngWriter, Canvas, GifWriter, Palette, VideoWriter, write_png};

/// Frames per second of every film: four hundredths of a second each, which GIF can say exactly.
pub const FRAMES_PER_SECOND: f32 = 25.0;

/// Frames that the colours of a GIF are chosen from.
const PALETTE_FRAMES: usize = 12;

/// How many frames a film of some seconds has.
pub fn frame_count(seconds: f32) -> usize {
    (seconds * FRAMES_PER_SECOND).round().max(1.0) as usize
}

/// Draws one picture and writes it as PNG.
///
/// # Errors
/// One line: it cannot be drawn, or the file cannot be written.
pub fn write_still(
    output: &Output,
    size: Size,
    draw: impl FnOnce(&mut Canvas) -> Result<(), String>,
) -> Result<(), String> {
    let mut canvas = Canvas::new(size.width, size.height);
    draw(&mut canvas)?;
    write_png(&output.path, &canvas).map_err(|error| output.problem(&error))
}

/// Draws `count` frames and writes them as a film that repeats. `draw` may be called for some frames twice: the colours of
/// a GIF are chosen first.
///
/// # Errors
/// One line: a frame cannot be drawn, or the file cannot be written.
pub fn write_film(
    output: &Output,
    size: Size,
    count: usize,
    mut draw: impl FnMut(usize, &mut Canvas) -> Result<(), String>,
) -> Result<(), String> {
    let mut canvas = Canvas::new(size.width, size.height);
    let problem = |error| output.problem(&error);
    let mut writer = match output.kind {
        Kind::Gif => {
            let steps = PALETTE_FRAMES.min(count);
            let mut samples = Vec::with_capacity(steps);
            for step in 0..steps {
                draw(step * count / steps, &mut canvas)?;
                samples.push(canvas.clone());
            }
            let palette = Palette::from_frames(&samples);
            GifWriter::create(&output.path, palette, FRAMES_PER_SECOND, true).map(Writer::Gif)
        }
        Kind::Mp4 => VideoWriter::create(&output.path, [size.width, size.height], FRAMES_PER_SECOND).map(Writer::Video),
        Kind::Apng | Kind::Png => {
            let frame = [1, FRAMES_PER_SECOND as u16];
            ApngWriter::create(&output.path, [size.width, size.height], count as u32, frame).map(Writer::Apng)
        }
    }
    .map_err(problem)?;
    let progress = Progress::new(output, size, count);
    // While a frame is packed, the next one is drawn: two canvases go to and fro.
    let (drawn, to_write) = channel::<Canvas>();
    let (written, to_draw) = channel();
    let spare = Canvas::new(size.width, size.height);
    let _ = written.send(canvas).and_then(|()| written.send(spare));
    thread::scope(|scope| {
        let packing = scope.spawn(move || {
            for canvas in to_write {
                writer.push(&canvas)?;
                // Nobody takes it when the last frame has been drawn.
                let _ = written.send(canvas);
            }
            Ok(writer)
        });
        let drawing = (0..count).try_for_each(|frame| {
            // A writer that has failed gives no canvas back; it says why below.
            let Ok(mut canvas) = to_draw.recv() else { return Ok(()) };
            draw(frame, &mut canvas)?;
            progress.show(frame + 1);
            let _ = drawn.send(canvas);
            Ok(())
        });
        drop(drawn);
        let writer = packing.join().unwrap_or_else(|panic| resume_unwind(panic));
        drawing.and_then(|()| writer.and_then(Writer::finish).map_err(problem))
    })
}

/// A film that is being written.
enum Writer {
    Gif(GifWriter),
    Apng(ApngWriter),
    Video(VideoWriter),
}

impl Writer {
    fn push(&mut self, canvas: &Canvas) -> io::Result<()> {
        match self {
            Self::Gif(writer) => writer.push(canvas),
            Self::Apng(writer) => writer.push(canvas),
            Self::Video(writer) => writer.push(canvas),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Gif(writer) => writer.finish(),
            Self::Apng(writer) => writer.finish(),
            Self::Video(writer) => writer.finish(),
        }
    }
}

/// A line on standard error. On a terminal it is a bar that grows; elsewhere it is written once.
struct Progress {
    count: usize,
    is_counting: bool,
}

/// Letters of the bar.
const BAR: usize = 40;

impl Progress {
    fn new(output: &Output, size: Size, count: usize) -> Self {
        let mut stderr = io::stderr();
        let Size { width, height } = size;
        let _ = writeln!(stderr, "drawing {count} frames of {width}x{height} into {}", output.path.display());
        Self { count, is_counting: stderr.is_terminal() }
    }

    fn show(&self, done: usize) {
        if self.is_counting {
            let end = if done == self.count { "\n" } else { "" };
            let full = BAR * done / self.count.max(1);
            let bar = "#".repeat(full) + &"-".repeat(BAR - full);
            let _ = write!(io::stderr(), "\r[{bar}] {done} of {}{end}", self.count);
        }
    }
}
