//! Command-line arguments for pictures: size, length, file.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::picture::VideoWriter;

/// The most pixels in each direction: what a screen wall shows, and what fits into the memory of a small machine.
const LARGEST: u32 = 4096;

/// The longest film in seconds.
const LONGEST: f32 = 600.0;

/// Size of a picture in pixels, 1 to 4096 in each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl Size {
    /// Width divided by height.
    #[must_use]
    pub fn aspect(self) -> f32 {
        self.width as f32 / self.height as f32
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST).contains(side));
        let sides = text.split_once(['x', 'X']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
        match sides {
            Some((width, height)) => Ok(Self { width, height }),
            None => Err(format!("expected WIDTHxHEIGHT with 1 to {LARGEST} pixels each, for instance 640x360")),
        }
    }
}

/// Kinds of picture files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A still.
    Png,
    /// A film of 255 colours.
    Gif,
    /// A film of all colours.
    Apng,
    /// A film, by `ffmpeg`.
    Mp4,
}

impl Kind {
    /// Whether it shows more than one moment.
    #[must_use]
    pub fn is_film(self) -> bool {
        self != Self::Png
    }
}

/// A picture file that will be written. The ending of its name says which kind it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Where it goes.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let kind = match ending.as_deref() {
            Some("png") => Kind::Png,
            Some("gif") => Kind::Gif,
            Some("apng") => Kind::Apng,
            Some("mp4") => Kind::Mp4,
            _ => return Err("expected a file name that ends in .png, .gif, .apng or .mp4".into()),
        };
        Ok(Self { path, kind })
    }
}

impl Output {
    /// A file in the current folder, named after another one.
    pub(crate) fn beside(file: &Path, kind: Kind) -> Self {
        let stem = file.file_stem().unwrap_or("model".as_ref());
        let ending = match kind {
            Kind::Png => "png",
            Kind::Gif => "gif",
            Kind::Apng => "apng",
            Kind::Mp4 => "mp4",
        };
        Self { path: Path::new(stem).with_extension(ending), kind }
    }

    /// Fails at once where the file cannot be written, rather than after the drawing.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.kind == Kind::Mp4 {
            VideoWriter::check().map_err(|error| self.problem(&error))?;
        }
        let is_new = !self.path.exists();
        OpenOptions::new().append(true).create(true).open(&self.path).map_err(|error| self.problem(&error))?;
        if is_new {
            // What comes next may fail, and leaves nothing then.
            let _ = fs::remove_file(&self.path);
        }
        Ok(())
    }

    /// The line about a file that could not be written.
    pub(crate) fn problem(&self, error: &std::io::Error) -> String {
        format!("cannot write {}: {error}", self.path.display())
    }
}

/// Seconds of a film, above zero.
///
/// # Errors
/// One line that says what was expected.
pub fn parse_seconds(text: &str) -> Result<f32, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= LONGEST);
    seconds.ok_or_else(|| format!("expected a number of seconds above 0, up to {LONGEST}"))
}

/// A moment of a clip in seconds, zero or later.
///
/// # Errors
/// One line that says what was expected.
pub fn parse_time(text: &str) -> Result<f32, String> {
    let time = text.parse().ok().filter(|time: &f32| *time >= 0.0 && time.is_finite());
    time.ok_or_else(|| "expected a time in seconds, 0 or later".into())
}
