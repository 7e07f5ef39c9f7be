//! The command line.

mod examples;

#[cfg(feature = "window")]
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::scene::Scene;
use crate::show::output::{Output, Size, parse_seconds, parse_time};
use crate::show::renderer::Choice;
use crate::show::{demo, render, sheet};
use crate::{bench, tool};

/// Nebula's demo: a character walks and runs over hills. On a display it is a window in which you steer. Without one, or with --seconds or
/// --out, it is drawn into nebula-demo.gif and nebula-demo.png. With a command, it views, draws, checks and converts your own characters.
#[derive(Debug, Parser)]
#[command(version, after_help = examples::ALL, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// The command; the demo by default.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of the demo.
    #[command(flatten)]
    pub demo: DemoArguments,
}

/// Options of the demo.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// Show only one part of the demo.
    #[arg(long)]
    pub scene: Option<Scene>,
    /// Length of the film in seconds.
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub seconds: Option<f32>,
    /// Size of the pictures in pixels.
    #[arg(long, value_name = "WxH", default_value = "640x360")]
    pub size: Size,
    /// Write only this file: .png for a still; .gif, .apng or, if ffmpeg is installed, .mp4 for a film.
    #[arg(long, value_name = "FILE")]
    pub out: Option<Output>,
    /// What draws the pictures.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    pub renderer: Choice,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// View a file in a window: clips, timeline, skeleton, morph targets. Needs a display.
    #[cfg(feature = "window")]
    #[command(after_help = examples::VIEW)]
    View {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Open a recording of this character, as saved by the viewer.
        #[arg(long, value_name = "FILE.recording")]
        recording: Option<PathBuf>,
    },
    /// Draw a file: a film of a clip, a still, or several moments in one picture.
    #[command(after_help = examples::RENDER)]
    Render {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Name or number of the clip [default: the first one].
        #[arg(long, value_name = "NAME|INDEX")]
        clip: Option<String>,
        /// Draw a still at this time of the clip, in seconds.
        #[arg(long, value_name = "T", value_parser = parse_time, allow_negative_numbers = true, conflicts_with = "seconds")]
        time: Option<f32>,
        /// Length of the film in seconds [default: once through the clip, 10 at most].
        #[arg(long, value_name = "S", value_parser = parse_seconds, allow_negative_numbers = true)]
        seconds: Option<f32>,
        /// Draw this many moments of the clip in one picture, from first to last.
        #[arg(long, value_name = "N", conflicts_with_all = ["time", "seconds"], value_parser = clap::value_parser!(u16).range(1..=100))]
        sheet: Option<u16>,
        /// Size of the picture in pixels; with --sheet, of each moment.
        #[arg(long, value_name = "WxH", default_value = "640x480")]
        size: Size,
        /// The file to write: .png for a still; .gif, .apng or .mp4 for a film [default: named after the input, in the current folder].
        #[arg(long, value_name = "FILE")]
        out: Option<Output>,
        /// Draw the skeleton on top.
        #[arg(long)]
        skeleton: bool,
        /// What draws the picture.
        #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
        renderer: Choice,
    },
    /// Draw all clips of a file in one picture, each from the front and from the side.
    #[command(after_help = examples::SHEET)]
    Sheet {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// The file to write: a .png.
        out: Output,
        /// Name or number of a clip; may be given several times [default: all clips].
        #[arg(long = "clip", value_name = "NAME|INDEX")]
        clips: Vec<String>,
        /// Poses per clip, from first to last.
        #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u16).range(1..=100))]
        frames: u16,
        /// Size of each pose in pixels.
        #[arg(long, value_name = "WxH", default_value = "120x150")]
        size: Size,
        /// What draws the picture.
        #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
        renderer: Choice,
    },
    /// Show what is in a file: joint tree, skins, clips, meshes, sizes, warnings.
    #[command(after_help = examples::INSPECT)]
    Inspect {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Measure a file: facing, humanoid joints and unit; speed, stride, loop seam, contacts and foot sliding of each clip.
    ///
    /// Walks and runs are tried with foot placement on slopes, stairs and lifts. The report ends with a list of problems.
    #[command(after_help = examples::REPORT)]
    Report {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Check a file: prints one line that begins with OK, WARN or ERROR. Exit code 1 on ERROR.
    ///
    /// Loads everything, samples every clip at 16 times and checks that every matrix is finite.
    #[command(after_help = examples::VALIDATE)]
    Validate {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Refuse every violation of the standard, even if the repair is obvious.
        #[arg(long)]
        strict: bool,
    },
    /// Write a character with the clips of another one, whatever its joint names, proportions, unit, rest pose and facing.
    #[command(after_help = examples::RETARGET)]
    Retarget {
        /// The file with the clips: .glb, .gltf, .vrm, .vrma, .bvh or .fbx.
        source: PathBuf,
        /// The file with the character: .glb, .gltf or .vrm. Its own clips with the same names are replaced.
        target: PathBuf,
        /// Name or number of a clip; may be given several times [default: all clips].
        #[arg(long = "clip", value_name = "NAME|INDEX")]
        clips: Vec<String>,
        /// The file to write: a .glb, .vrm or .vrma with everything embedded.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// List which joints are paired, which are not, and why.
        #[arg(long)]
        report: bool,
        /// How hands are placed if the arms have another length.
        #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
        hands: tool::retarget::Hands,
    },
    /// Convert any file to .glb, optionally with other clips: from a recording to clips on your character in one command.
    ///
    /// Everything in a glTF file that is not changed stays as it is, including extensions.
    #[command(after_help = examples::CONVERT)]
    Convert {
        /// The file with the character or, with --retarget-to, the clips: .glb, .gltf, .vrm, .vrma, .bvh or .fbx.
        input: PathBuf,
        /// The file to write: a .glb with everything embedded.
        out: PathBuf,
        /// The character that gets the clips: any file as above. It keeps its own clips too.
        #[arg(long, value_name = "CHARACTER")]
        retarget_to: Option<PathBuf>,
        /// Files with more clips for the character.
        #[arg(long, value_name = "FILE", num_args = 1..)]
        clips: Vec<PathBuf>,
        /// Resample clips to this many samples per second [default: keep the keys].
        #[arg(long, value_name = "HZ", value_parser = tool::compress::rate, allow_negative_numbers = true)]
        rate: Option<f64>,
        /// Trim parts without motion at both ends.
        #[arg(long)]
        trim: bool,
        /// Blend the end of each clip to its beginning, so that it loops. The distance along the ground is kept.
        #[arg(long = "loop")]
        loops: bool,
        /// Drop keys that linear interpolation does not need.
        #[arg(long)]
        compress: bool,
        /// The largest error of --compress, in m, cm or mm.
        #[arg(long, value_name = "DISTANCE", default_value = "0.1mm", value_parser = tool::compress::distance, requires = "compress")]
        error: f32,
        /// How to read .bvh files.
        #[command(flatten)]
        bvh: tool::convert::BvhArguments,
    },
    /// Compress clips within an error bound, and report their size, error and speed.
    ///
    /// Ratios are against 40 bytes per joint and sample. Errors are measured in model space, at points 3 cm from each joint. The first frame
    /// of a .bvh file is dropped if it is a T-pose, as in most databases.
    #[command(after_help = examples::COMPRESS)]
    Compress {
        /// .glb, .gltf, .vrm or .bvh files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The largest error, in m, cm or mm.
        #[arg(long, value_name = "DISTANCE", default_value = "0.1mm", value_parser = tool::compress::distance)]
        error: f32,
        /// Resample clips to this many samples per second [default: that of the file].
        #[arg(long, value_name = "HZ", value_parser = tool::compress::rate)]
        rate: Option<f64>,
        /// Write the decoded clips to a .glb file (for several inputs, a folder), or the compiled clips to a .clips file.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Keep the first frame of .bvh files.
        #[arg(long)]
        keep_first: bool,
        /// Print JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Print poses as JSON: local transforms, world matrices, morph weights and palettes.
    #[command(after_help = examples::POSE)]
    Pose {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// JSON with the times of each animation: {"animations":[{"index":0,"times":[0.0,0.5]}]}.
        #[arg(long)]
        times: PathBuf,
    },
    /// Play a script, and print where each joint was in the world, frame by frame, as JSON.
    ///
    /// A script: {"character": "fox.glb", "hz": 60, "seconds": 2, "play": [{"at": 0, "clip": "Walk", "fade": 0.2, "curve": "smooth"}],
    /// "speed": 1.5 or "clip", "turn": 20, "ground": {"kind": "slope", "degrees": 10}, "feet": true, "aim": [0, 1.6, 5]}. Grounds: flat, slope,
    /// stairs (rise, run), lift (velocity, until), platform (velocity, until). It can also aim at {"circle": {"radius": 3, "height": 1.6, "degrees_per_second": 30}}.
    #[command(after_help = examples::ACT)]
    Act {
        /// A JSON file, or - for the standard input.
        script: PathBuf,
    },
    /// Explain why a joint is where it is, at a moment of a script or a recording.
    ///
    /// Lists clips, fades, masks, inertia, and what each layer wanted, what it changed and what limited it, in order.
    #[command(after_help = examples::EXPLAIN)]
    Explain {
        /// What to explain.
        #[command(flatten)]
        what: tool::explain::What,
    },
    /// Print which time each KHR_animation_clip entry shows when: total time and time stamp, row by row.
    #[command(after_help = examples::CLOCK)]
    Clock {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// The rows to print.
        #[command(flatten)]
        span: tool::clock::Span,
        /// Print JSON instead of text: {"clips":[{"name","table":[{"total_time","time_stamp"}]}]}.
        #[arg(long)]
        json: bool,
    },
    /// Write the included characters: simple_humanoid.glb, robot.glb, sword.glb.
    #[command(after_help = examples::AUTHOR)]
    Author {
        /// The folder to write to; created if it does not exist.
        folder: PathBuf,
    },
    /// Measure how long poses take, against the plain path, and check that both agree. Takes about 45 seconds.
    ///
    /// NEBULA_SIMD=scalar|sse2|avx2|avx512|neon|simd128 selects the instruction set.
    #[command(after_help = examples::BENCH)]
    Bench {
        /// Print JSON instead of a table.
        #[arg(long)]
        json: bool,
        /// How long to measure each workload, from 0.01 to 60 seconds.
        #[arg(long, default_value_t = 2.5, value_parser = seconds)]
        seconds: f64,
        /// Repeat each workload only twice, to check that everything runs.
        #[arg(long, conflicts_with = "seconds")]
        quick: bool,
        /// Measure only this workload; may be given several times.
        #[arg(long = "workload", value_name = "NAME", value_parser = bench::workload_name)]
        workloads: Vec<&'static str>,
    },
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=60.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number from 0.01 to 60".into()),
    }
}

impl Cli {
    /// Runs the command, or the demo; the error is one line for a person.
    ///
    /// # Errors
    /// Whatever went wrong, said in one line.
    pub fn run(self) -> Result<ExitCode, String> {
        let DemoArguments { scene, seconds, size, out, renderer } = self.demo;
        match self.command {
            Some(command) => command.run(),
            None => {
                // Whoever asks for a film gets files; otherwise a window says more.
                #[cfg(feature = "window")]
                if seconds.is_none() && out.is_none() && renderer != Choice::Cpu && crate::window::has_display() {
                    match crate::window::demo(scene) {
                        Ok(code) => return Ok(code),
                        Err(problem) => {
                            let _ = writeln!(std::io::stderr(), "note: drawing into files, {problem}");
                        }
                    }
                }
                demo::run(&demo::Options { scene, seconds, size, out, renderer })
            }
        }
    }
}

impl Command {
    /// Runs the command; the error is one line for a person.
    ///
    /// # Errors
    /// Whatever went wrong, said in one line.
    pub fn run(self) -> Result<ExitCode, String> {
        match self {
            Self::Render { file, clip, time, seconds, sheet, size, out, skeleton, renderer } => {
                let is_skeleton_shown = skeleton;
                render::run(&render::Options {
                    file,
                    clip,
                    time,
                    seconds,
                    sheet,
                    size,
                    out,
                    is_skeleton_shown,
                    renderer,
                })
            }
            #[cfg(feature = "window")]
            Self::View { file, recording } => crate::window::view(&file, recording.as_deref()),
            Self::Sheet { file, out, clips, frames, size, renderer } => {
                sheet::run(&sheet::Options { file, out, clips, frames, size, renderer })
            }
            Self::Inspect { file, json } => tool::inspect::run(&file, json),
            Self::Report { file, json } => tool::report::run(&file, json),
            Self::Validate { file, strict } => tool::validate::run(&file, strict),
            Self::Author { folder } => match crate::author::write_assets(&folder) {
                Ok(()) => Ok(ExitCode::SUCCESS),
                Err(error) => Err(format!("{}: {error}", folder.display())),
            },
            Self::Bench { json, seconds, quick, workloads } => {
                bench::run(&bench::Options { is_json: json, seconds, is_quick: quick, workloads })
            }
            Self::Act { script } => tool::act::run(&script),
            Self::Explain { what } => tool::explain::run(&what),
            Self::Retarget { source, target, clips, out, report, hands } => {
                tool::retarget::run(&tool::retarget::Options { source, target, clips, out, is_told: report, hands })
            }
            Self::Convert { input, out, retarget_to, clips, rate, trim, loops, compress, error, bvh } => {
                let error = compress.then_some(error);
                tool::convert::run(&tool::convert::Options {
                    input,
                    out,
                    retarget_to,
                    clips,
                    rate,
                    trims: trim,
                    loops,
                    error,
                    bvh,
                })
            }
            Self::Compress { files, error, rate, out, keep_first, json } => {
                let drops_first = !keep_first;
                tool::compress::run(&tool::compress::Options { files, error, rate, out, drops_first, is_json: json })
            }
            Self::Pose { file, times } => tool::pose::run(&file, &times),
            Self::Clock { file, span, json } => tool::clock::run(&file, span, json),
        }
    }
}
