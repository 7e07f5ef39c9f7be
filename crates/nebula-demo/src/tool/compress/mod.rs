//! `compress`: how small clips become, how far off they are, and how fast.

mod compiled;
mod decoded;
mod input;
mod measure;
mod report;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use nebula_animation::Compression;

use super::print;
use input::Input;
use measure::Measured;

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
    let inputs: Vec<Input> =
        options.files.iter().map(|file| input::read(file, options)).collect::<Result<_, String>>()?;
    let jobs: Vec<(usize, usize)> = inputs
        .iter()
        .enumerate()
        .flat_map(|(file, input)| (0..input.clips.len()).map(move |clip| (file, clip)))
        .collect();
    if jobs.is_empty() {
        let files: Vec<String> = options.files.iter().map(|file| file.display().to_string()).collect();
        return Err(format!("{}: there are no clips", files.join(", ")));
    }
    let mut measured = on_all_cores(&jobs, |(file, clip)| measure::compress(&inputs[file], clip, &compression));
    // Alone on the machine, as far as this program goes.
    for (measured, (file, clip)) in measured.iter_mut().zip(&jobs) {
        measured.time(&inputs[*file], *clip, &compression);
    }
    match &options.out {
        Some(out) if compiled::is_meant(out) => compiled::write(out, &inputs, &compression)?,
        Some(out) => decoded::write(out, &inputs, &jobs, &measured)?,
        None => {}
    }
    print(&if options.is_json { report::json(&measured)? } else { report::table(&measured) })
}

/// How much is done.
fn bar(done: usize, all: usize) -> String {
    const WIDTH: usize = 30;
    let filled = WIDTH * done / all.max(1);
    format!("[{}{}] {done} of {all} clips", "#".repeat(filled), "-".repeat(WIDTH - filled))
}

/// Does all jobs on as many threads as the machine has, and tells on a terminal how many are done.
fn on_all_cores(jobs: &[(usize, usize)], work: impl Fn((usize, usize)) -> Measured + Sync) -> Vec<Measured> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(jobs.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(jobs.len())));
    let is_told = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let measured = work(*job);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((*job, measured));
                    if is_told {
                        let _ = write!(std::io::stderr(), "\r{}", bar(done.len(), jobs.len()));
                    }
                }
            });
        }
    });
    if is_told {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(job, _)| *job);
    done.into_iter().map(|(_, measured)| measured).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_bar_fills_up() {
        assert_eq!(super::bar(0, 2), format!("[{}] 0 of 2 clips", "-".repeat(30)));
        assert_eq!(super::bar(1, 2), format!("[{}{}] 1 of 2 clips", "#".repeat(15), "-".repeat(15)));
        assert_eq!(super::bar(2, 2), format!("[{}] 2 of 2 clips", "#".repeat(30)));
    }
}
