use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use super::Canvas;

/// Writes an animated PNG file frame by frame: every pixel as it was drawn, in a file that browsers show. It repeats.
pub struct ApngWriter {
    writer: png::Writer<BufWriter<File>>,
    width: u32,
    height: u32,
    /// Frames that are still to come.
    left: u32,
}

impl ApngWriter {
    /// Begins a file of so many frames, each to be shown for `seconds[0] / seconds[1]` of a second.
    ///
    /// # Errors
    /// The file cannot be created, or there is no frame, or it has no pixels.
    pub fn create(path: &Path, [width, height]: [u32; 2], count: u32, seconds: [u16; 2]) -> io::Result<Self> {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_animated(count, 0)?;
        encoder.set_frame_delay(seconds[0], seconds[1])?;
        Ok(Self { writer: encoder.write_header()?, width, height, left: count })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// The file cannot be written, the frame has another size, or it is one too many.
    pub fn push(&mut self, canvas: &Canvas) -> io::Result<()> {
        if (canvas.width(), canvas.height()) != (self.width, self.height) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "all frames must have the same size"));
        }
        let Some(left) = self.left.checked_sub(1) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there are more frames than were announced"));
        };
        self.left = left;
        Ok(self.writer.write_image_data(canvas.as_bytes())?)
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The file cannot be written, or frames are missing.
    pub fn finish(self) -> io::Result<()> {
        if self.left > 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "frames are missing"));
        }
        Ok(self.writer.finish()?)
    }
}
