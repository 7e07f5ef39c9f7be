//! Picture files: PNG for stills, GIF for animations.

use std::borrow::{Borrow, Cow};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{Canvas, Palette};

/// Writes a PNG file.
///
/// # Errors
/// The file cannot be written, or the canvas is empty.
pub fn write_png(path: &Path, canvas: &Canvas) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(&mut file, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(canvas.as_bytes())?;
    writer.finish()?;
    file.flush()
}

/// Writes a GIF file of frames that are all in memory. A program that draws them one by one uses a [`GifWriter`].
///
/// # Errors
/// As for [`GifWriter`].
pub fn write_gif<I>(path: &Path, frames: I, frames_per_second: f32, looping: bool) -> io::Result<()>
where
    I: IntoIterator<Item: Borrow<Canvas>, IntoIter: Clone>,
{
    let frames = frames.into_iter();
    let palette = Palette::from_frames(frames.clone());
    let mut writer = GifWriter::create(path, palette, frames_per_second, looping)?;
    for frame in frames {
        writer.push(frame.borrow())?;
    }
    writer.finish()
}

/// Writes a GIF file frame by frame. Only what changes from frame to frame is stored.
///
/// Browsers show a frame for a fiftieth of a second at least, so above 50 frames per second some are left out: the
/// speed of the animation is kept.
pub struct GifWriter<W: Write = BufWriter<File>> {
    file: Option<W>,
    encoder: Option<gif::Encoder<W>>,
    palette: Palette,
    frames_per_second: f32,
    looping: bool,
    /// Number of frames so far.
    count: u32,
    /// The picture that a viewer shows after the frame at hand.
    shown: Option<Canvas>,
    /// A frame whose duration is not known yet: its time and its pixels.
    waiting: Option<(u32, Part)>,
}

/// The shortest time that browsers respect, in hundredths of a second, the unit of GIF.
const SHORTEST: u32 = 2;

/// A rectangle of palette indices.
#[derive(Debug, Default)]
struct Part {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
    indices: Vec<u8>,
}

impl GifWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// The file cannot be created, or the number of frames per second is not above zero.
    pub fn create(path: &Path, palette: Palette, frames_per_second: f32, looping: bool) -> io::Result<Self> {
        Self::to(BufWriter::new(File::create(path)?), palette, frames_per_second, looping)
    }
}

impl<W: Write> GifWriter<W> {
    /// Begins a file that is written to anything.
    ///
    /// # Errors
    /// The number of frames per second is not above zero.
    pub fn to(file: W, palette: Palette, frames_per_second: f32, looping: bool) -> io::Result<Self> {
        if !(frames_per_second > 0.0 && frames_per_second.is_finite()) {
            return Err(invalid("frames per second must be above zero"));
        }
        let file = Some(file);
        Ok(Self { file, encoder: None, palette, frames_per_second, looping, count: 0, shown: None, waiting: None })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// The file cannot be written, or the frame has another size than the first, or none, or one beyond 65535.
    pub fn push(&mut self, canvas: &Canvas) -> io::Result<()> {
        let time = self.time(self.count);
        self.count += 1;
        if self.waiting.as_ref().is_some_and(|(start, _)| time < start + SHORTEST) {
            return Ok(());
        }
        self.begin(canvas)?;
        let Some(part) = self.changes(canvas) else { return Ok(()) };
        if let Some((start, before)) = self.waiting.replace((time, part)) {
            self.write(&before, time - start)?;
        }
        Ok(())
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The file cannot be written, or there was no frame.
    pub fn finish(mut self) -> io::Result<()> {
        let end = self.time(self.count);
        let Some((start, part)) = self.waiting.take() else { return Err(invalid("an animation needs a frame")) };
        self.write(&part, end.saturating_sub(start).max(SHORTEST))?;
        match self.encoder.take() {
            Some(encoder) => encoder.into_inner().map_err(to_io_error)?.flush(),
            None => Ok(()),
        }
    }

    /// When a frame begins, in hundredths of a second. Rounded for each frame: the errors do not add up.
    fn time(&self, frame: u32) -> u32 {
        (f64::from(frame) * 100.0 / f64::from(self.frames_per_second)).round() as u32
    }

    /// Writes the header before the first frame and checks the size of the others.
    fn begin(&mut self, canvas: &Canvas) -> io::Result<()> {
        if let Some(shown) = &self.shown
            && (shown.width(), shown.height()) != (canvas.width(), canvas.height())
        {
            return Err(invalid("all frames must have the same size"));
        }
        let Some(file) = self.file.take() else { return Ok(()) };
        let (Ok(width @ 1..), Ok(height @ 1..)) = (u16::try_from(canvas.width()), u16::try_from(canvas.height()))
        else {
            return Err(invalid("a GIF has 1 to 65535 pixels in each direction"));
        };
        let mut encoder = gif::Encoder::new(file, width, height, self.palette.bytes()).map_err(to_io_error)?;
        if self.looping {
            encoder.set_repeat(gif::Repeat::Infinite).map_err(to_io_error)?;
        }
        self.encoder = Some(encoder);
        Ok(())
    }

    /// The part of a frame that differs from the picture before; none if nothing does.
    fn changes(&mut self, canvas: &Canvas) -> Option<Part> {
        let width = canvas.width() as usize;
        let unchanged = self.palette.unchanged();
        let Some(shown) = &mut self.shown else {
            let pixels = canvas.pixels().iter().enumerate();
            let indices =
                pixels.map(|(place, &pixel)| self.palette.index(pixel, place % width, place / width)).collect();
            self.shown = Some(canvas.clone());
            return Some(Part { width: width as u16, height: canvas.height() as u16, indices, ..Part::default() });
        };
        let rows = || shown.pixels().chunks_exact(width).zip(canvas.pixels().chunks_exact(width));
        let differs = |(before, after): (&[[u8; 4]], &[[u8; 4]])| before != after;
        let top = rows().position(differs)?;
        let bottom = canvas.height() as usize - rows().rev().position(differs)?;
        let (mut left, mut right) = (width, 0);
        for (before, after) in rows().take(bottom).skip(top) {
            let differs = |x: &usize| before[*x] != after[*x];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right..width).rev().find(differs).map_or(right, |x| x + 1);
        }
        let mut indices = Vec::with_capacity((right - left) * (bottom - top));
        for y in top..bottom {
            for x in left..right {
                let place = y * width + x;
                let (before, after) = (shown.pixels()[place], canvas.pixels()[place]);
                indices.push(if before == after { unchanged } else { self.palette.index(after, x, y) });
            }
        }
        shown.pixels_mut().copy_from_slice(canvas.pixels());
        let [left, top, right, bottom] = [left, top, right, bottom].map(|edge| edge as u16);
        Some(Part { left, top, width: right - left, height: bottom - top, indices })
    }

    fn write(&mut self, part: &Part, duration: u32) -> io::Result<()> {
        let Some(encoder) = &mut self.encoder else { return Ok(()) };
        let frame = gif::Frame {
            delay: u16::try_from(duration).unwrap_or(u16::MAX),
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(self.palette.unchanged()),
            left: part.left,
            top: part.top,
            width: part.width,
            height: part.height,
            buffer: Cow::Borrowed(&part.indices),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(to_io_error)
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn to_io_error(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}
