//! Textures of files: PNG and JPEG, the two formats of glTF's core.

use std::io::Cursor;

use png::{BitDepth, ColorType, Transformations};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The most pixels that all images of a file may have together: 256 MiB. A few bytes can claim to be a picture of any
/// size.
const MOST_PIXELS: u64 = 64 << 20;

/// The most pixels along a side of an image.
const LARGEST: usize = 16_384;

/// Decodes images while they fit into the memory that one file may take.
#[derive(Debug)]
pub struct Decoder {
    pixels_left: u64,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { pixels_left: MOST_PIXELS }
    }
}

impl Decoder {
    /// Width, height and the bytes of red, green, blue and alpha of each pixel.
    ///
    /// # Errors
    /// Why it cannot be shown, to be read after the number of the image.
    pub(super) fn pixels(&mut self, bytes: &[u8]) -> Result<(usize, usize, Vec<u8>), String> {
        if bytes.starts_with(b"\x89PNG") {
            self.png(bytes)
        } else if bytes.starts_with(&[0xFF, 0xD8]) {
            self.jpeg(bytes)
        } else {
            Err("is neither PNG nor JPEG".into())
        }
    }

    fn reserve(&mut self, width: usize, height: usize) -> Result<(), String> {
        let pixels = width as u64 * height as u64;
        if width > LARGEST || height > LARGEST || pixels > self.pixels_left {
            return Err(format!("is too large: {width} x {height} pixels"));
        }
        self.pixels_left -= pixels;
        Ok(())
    }

    fn png(&mut self, bytes: &[u8]) -> Result<(usize, usize, Vec<u8>), String> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
        let mut reader = decoder.read_info().map_err(|error| format!("is no PNG that can be read: {error}"))?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        self.reserve(width, height)?;
        let Some(length) = reader.output_buffer_size() else { return Err("is too large".into()) };
        let mut bytes = vec![0; length];
        let frame = reader.next_frame(&mut bytes).map_err(|error| format!("is no PNG that can be read: {error}"))?;
        if frame.bit_depth != BitDepth::Eight {
            return Err(format!("has an unexpected depth: {:?}", frame.bit_depth));
        }
        let rgba = match frame.color_type {
            ColorType::Rgba => bytes,
            ColorType::Rgb => expand(&bytes, |[red, green, blue]| [red, green, blue, 255]),
            ColorType::GrayscaleAlpha => expand(&bytes, |[gray, alpha]| [gray, gray, gray, alpha]),
            ColorType::Grayscale => expand(&bytes, |[gray]| [gray, gray, gray, 255]),
            ColorType::Indexed => return Err("has colours that are not expanded".into()),
        };
        Ok((width, height, rgba))
    }

    fn jpeg(&mut self, bytes: &[u8]) -> Result<(usize, usize, Vec<u8>), String> {
        let options = DecoderOptions::default()
            .set_max_width(LARGEST)
            .set_max_height(LARGEST)
            .jpeg_set_out_colorspace(ColorSpace::RGBA);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
        let problem = |error| format!("is no JPEG that can be read: {error}");
        decoder.decode_headers().map_err(problem)?;
        let Some((width, height)) = decoder.dimensions() else { return Err("has no size".into()) };
        self.reserve(width, height)?;
        Ok((width, height, decoder.decode().map_err(problem)?))
    }
}

fn expand<const N: usize>(bytes: &[u8], rgba: impl Fn([u8; N]) -> [u8; 4]) -> Vec<u8> {
    bytes.as_chunks::<N>().0.iter().flat_map(|&pixel| rgba(pixel)).collect()
}
