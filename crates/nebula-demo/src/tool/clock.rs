//! `clock`: the time stamps of each `KHR_animation_clip` entry of a file, by total time.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use nebula_animation::asset::MeshSelection;
use nebula_animation::{Clock, asset::LoadOptions, clip::ClipEntry};
use serde::Serialize;

use super::{open, print};

/// More rows than anybody reads are a typing error in `--step`.
const MAX_ROWS: f64 = 1_000_000.0;

/// The times of the tables, in seconds.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Span {
    /// Last total time, in seconds.
    #[arg(long, default_value_t = 20.0, allow_negative_numbers = true)]
    until: f64,
    /// Seconds from one row to the next.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    step: f64,
    /// How long a plain loop holds its last keyframe before it starts over, in seconds: 0 loops seamlessly, 1 gives the
    /// tables in the extension's specification.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    hold: f64,
}

/// Prints a table for each entry.
pub fn run(file: &Path, span: Span, is_json: bool) -> Result<ExitCode, String> {
    let rows = span.rows()?;
    let options = LoadOptions { meshes: MeshSelection::None, ..LoadOptions::default() };
    let asset = open(file, options)?.asset;
    let clips: Vec<Clip> = asset.clip_entries.iter().map(|entry| Clip::new(entry, span, rows)).collect();
    let tables = Tables { clips };
    if is_json {
        let json = serde_json::to_string(&tables).map_err(|error| format!("{}: {error}", file.display()))?;
        return print(&format!("{json}\n"));
    }
    print(&tables.to_text(&file.display().to_string()))
}

impl Span {
    /// How many steps follow the row of total time 0.
    fn rows(self) -> Result<u32, String> {
        if !(self.step > 0.0 && self.step.is_finite()) {
            return Err(format!("--step is {}, expected a number above 0", self.step));
        }
        for (option, value) in [("--until", self.until), ("--hold", self.hold)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(format!("{option} is {value}, expected a number of at least 0"));
            }
        }
        // 2 s in steps of 0.1 s are 20 steps, although the division may round to a little less.
        let rows = (self.until / self.step * (1.0 + 4.0 * f64::EPSILON)).floor();
        if rows > MAX_ROWS {
            return Err(format!(
                "{} s in steps of {} s are {rows} rows, expected at most {MAX_ROWS}",
                self.until, self.step
            ));
        }
        Ok(rows as u32)
    }
}

#[derive(Serialize)]
struct Tables<'a> {
    clips: Vec<Clip<'a>>,
}

#[derive(Serialize)]
struct Clip<'a> {
    name: &'a str,
    table: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    total_time: f64,
    time_stamp: f64,
}

impl<'a> Clip<'a> {
    fn new(entry: &'a ClipEntry, span: Span, rows: u32) -> Self {
        let clock = Clock::from(entry).with_hold(span.hold);
        let row = |row: u32| {
            let total_time = f64::from(row) * span.step;
            Row { total_time, time_stamp: clock.at(total_time).time }
        };
        Self { name: &entry.name, table: (0..=rows).map(row).collect() }
    }
}

impl Tables<'_> {
    fn to_text(&self, file: &str) -> String {
        if self.clips.is_empty() {
            return format!("{file}: no entry of KHR_animation_clip\n");
        }
        let mut text = String::new();
        for (index, clip) in self.clips.iter().enumerate() {
            // Writing into a string cannot fail.
            let _ =
                writeln!(text, "{index} \"{}\"\n{:>12} {:>12}", clip.name.escape_debug(), "total time", "time stamp");
            for row in &clip.table {
                let _ = writeln!(text, "{:>12} {:>12}", row.total_time, row.time_stamp);
            }
        }
        text
    }
}
