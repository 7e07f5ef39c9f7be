//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::{bench, tool};

/// Look into animated glTF characters: what is in a file, whether it is sound, which pose it takes.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "Examples:
  nebula-demo inspect fox.glb              joints, skins, clips, meshes and warnings
  nebula-demo inspect fox.glb --json       the same for programs
  nebula-demo validate fox.glb             one line: OK, WARN or ERROR
  nebula-demo pose fox.glb --times t.json  every joint's transform at the given times, as JSON
  nebula-demo bench                        how long a pose takes on this machine";

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what is in a file: joint tree, skins, clips, meshes, sizes, warnings.
    Inspect {
        /// A .glb or .gltf file.
        file: PathBuf,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Check a file: one line that begins with OK, WARN or ERROR. Exit code 1 on ERROR.
    ///
    /// Loads everything, samples every clip at 16 times and checks that every matrix is finite.
    Validate {
        /// A .glb or .gltf file.
        file: PathBuf,
        /// Refuse whatever breaks the standard, also where the repair is obvious.
        #[arg(long)]
        strict: bool,
    },
    /// Print poses as JSON: local transforms, world matrices, morph weights and palettes.
    Pose {
        /// A .glb or .gltf file.
        file: PathBuf,
        /// JSON with the times of each animation: {"animations":[{"index":0,"times":[0.0,0.5]}]}.
        #[arg(long)]
        times: PathBuf,
    },
    /// Write the characters that the repository ships: simple_humanoid.glb, robot.glb, sword.glb.
    Author {
        /// Where to; the folder is made if it is missing.
        folder: PathBuf,
    },
    /// Measure how long poses take, beside the plain path, and check that both agree. Takes half a minute.
    ///
    /// NEBULA_SIMD=scalar|sse2|avx2|avx512|neon picks the instruction set.
    Bench {
        /// Print JSON instead of a table.
        #[arg(long)]
        json: bool,
        /// How long to measure each workload, from 0.01 to 60 seconds.
        #[arg(long, default_value_t = 2.5, value_parser = seconds)]
        seconds: f64,
        /// Repeat each workload twice only: whether everything runs, not how fast.
        #[arg(long, conflicts_with = "seconds")]
        quick: bool,
    },
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=60.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number from 0.01 to 60".into()),
    }
}

impl Command {
    /// Runs the command; the error is one line for a person.
    ///
    /// # Errors
    /// Whatever went wrong, said in one line.
    pub fn run(self) -> Result<ExitCode, String> {
        match self {
            Self::Inspect { file, json } => tool::inspect::run(&file, json),
            Self::Validate { file, strict } => tool::validate::run(&file, strict),
            Self::Author { folder } => match crate::author::write_assets(&folder) {
                Ok(()) => Ok(ExitCode::SUCCESS),
                Err(error) => Err(format!("{}: {error}", folder.display())),
            },
            Self::Bench { json, seconds, quick } => {
                bench::run(bench::Options { is_json: json, seconds, is_quick: quick })
            }
            Self::Pose { file, times } => tool::pose::run(&file, &times),
        }
    }
}
