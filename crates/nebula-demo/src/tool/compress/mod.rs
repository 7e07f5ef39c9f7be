//! `compress`: size, error and speed of compressed clips.

mod compiled;
mod decoded;
mod input;
mod measure;
mod out;
mod progress;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use nebula_animation::Compression;

use super::print;
use input::Input;
use measure::Measured;
use out::Out;
use progress::{Bar, on_all_cores, terminal};

/// What is to be done.
#[derive(Debug)]
pub struct Options {
    /// The files with the clips.
    pub files: Vec<PathBuf>,
    /// The largest error in metres.
    pub error: f32,
    /// Samples a second; those of the file where it is not told.
    pub rate: Option<f64>,
    /// Where decoded clips go, or compiled ones.
    pub out: Option<PathBuf>,
    /// Whether the first frame of BVH files is left out where it is a T-pose.
    pub drops_first: bool,
    /// JSON instead of a table.
    pub is_json: bool,
}

/// A distance with its unit: `0.1mm`, `1 cm`, `0.001`. In metres.
pub(crate) fn distance(text: &str) -> Result<f32, String> {
    let text = text.trim();
    let units = [("mm", 0.001), ("cm", 0.01), ("m", 1.0), ("", 1.0)];
    let (number, unit) =
        units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit))).unwrap_or((text, 1.0));
    match number.trim().parse::<f64>() {
        Ok(number) if (1e-6..=1.0).contains(&(number * unit)) => Ok((number * unit) as f32),
        _ => Err("expected a distance from 0.001mm to 1m".into()),
    }
}

/// Samples a second.
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if (1.0..=1000.0).contains(&rate) => Ok(rate),
        _ => Err("expected a number from 1 to 1000".into()),
    }
}

/// Compresses all clips of all files and tells about them.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let compression = Compression { error: options.error, ..Compression::default() };
    // Before anything is worked out, which may take minutes.
    let out = options.out.as_deref().map(|out| Out::of(out, &options.files)).transpose()?;
    let files = Bar::new(terminal(), "read", options.files.len());
    let inputs = on_all_cores(&options.files, files, |file| input::read(file, options));
    let inputs: Vec<Input> = inputs.into_iter().collect::<Result<_, String>>()?;
    let jobs: Vec<(usize, usize)> = inputs
        .iter()
        .enumerate()
        .flat_map(|(file, input)| (0..input.clips.len()).map(move |clip| (file, clip)))
        .collect();
    if jobs.is_empty() {
        let files: Vec<String> = options.files.iter().map(|file| file.display().to_string()).collect();
        return Err(format!("{}: there are no clips", files.join(", ")));
    }
    let clips = Bar::new(terminal(), "compressed", jobs.len());
    let mut measured: Vec<Measured> =
        on_all_cores(&jobs, clips, |(file, clip)| measure::compress(&inputs[*file], *clip, &compression));
    // One after the other: alone on the machine, as far as this program goes.
    let mut timed = Bar::new(terminal(), "timed", jobs.len());
    for (measured, (file, clip)) in measured.iter_mut().zip(&jobs) {
        measured.time(&inputs[*file], *clip);
        timed.advance();
    }
    drop(timed);
    if let Some(out) = out {
        out.write(&inputs, &jobs, &measured, &compression)?;
    }
    print(&if options.is_json { report::json(&measured)? } else { report::table(&measured) })
}
