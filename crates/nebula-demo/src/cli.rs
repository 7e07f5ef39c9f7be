//! The command line.

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

/// Nebula's demo: a character walks and runs over hills. On a display it is a window in which you steer; elsewhere, or with --seconds or
/// --out, it is drawn into nebula-demo.gif and nebula-demo.png. With a command: look at your own glTF characters, draw them, or look into them.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do; the demo by default.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What the demo shows.
    #[command(flatten)]
    pub demo: DemoArguments,
}

/// Options of the demo.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// Show a part of the demo only.
    #[arg(long)]
    pub scene: Option<Scene>,
    /// Length of the film in seconds.
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub seconds: Option<f32>,
    /// Size of the pictures in pixels.
    #[arg(long, value_name = "WxH", default_value = "640x360")]
    pub size: Size,
    /// Write this file only: .png for a still; .gif, .apng or, where ffmpeg is installed, .mp4 for a film.
    #[arg(long, value_name = "FILE")]
    pub out: Option<Output>,
    /// What draws the pictures.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    pub renderer: Choice,
}

const EXAMPLES: &str = "Examples:
  nebula-demo                              the demo: a window, or nebula-demo.gif and nebula-demo.png
  nebula-demo --scene crowd                a part of it, in the same way
  nebula-demo --scene walk --out walk.gif  a part of it as a film
  nebula-demo view fox.glb                 your character in a window
  nebula-demo --scene crowd --out many.mp4 a thousand characters, by ffmpeg
  nebula-demo render fox.glb --clip Run    a film of your character
  nebula-demo render fox.glb --sheet 8     eight moments of a clip on one picture
  nebula-demo sheet fox.glb sheet.png      all of its clips on one picture
  nebula-demo inspect fox.glb              joints, skins, clips, meshes and warnings
  nebula-demo inspect fox.glb --json       the same for programs
  nebula-demo report hero.glb              how well its clips walk: speed, stride, loops, feet on slopes and stairs
  nebula-demo validate fox.glb             one line: OK, WARN or ERROR
  nebula-demo retarget walks.glb hero.glb --out hero-walks.glb   the clips of one file for the character of another
  nebula-demo convert dance.bvh hero-dances.glb --retarget-to hero.glb   any motion to any character
  nebula-demo compress walk.bvh --error 0.1mm   how small its clips become, and how far off
  nebula-demo pose fox.glb --times t.json  every joint's transform at the given times, as JSON
  nebula-demo act walk.json                lets a character walk, and prints where its joints were
  nebula-demo explain walk.json --joint LeftFoot --time 1.2   why it was there: clips, fades, masks, layers, limits
  nebula-demo explain fox.recording --character fox.glb --joint b_Head_05 --frame 40   the same of a recorded frame
  nebula-demo clock fox.glb --hold 1       when each KHR_animation_clip entry shows which time
  nebula-demo bench                        how long a pose takes on this machine";

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look at a file in a window: clips, timeline, skeleton, morph targets. Needs a display.
    #[cfg(feature = "window")]
    View {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Show the frames of a recording of it, as the viewer saves them.
        #[arg(long, value_name = "FILE.recording")]
        recording: Option<PathBuf>,
    },
    /// Draw a file: a film of a clip, a still, or several moments on one picture.
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
        /// Draw this many moments of the clip on one picture, from its first to its last.
        #[arg(long, value_name = "N", conflicts_with_all = ["time", "seconds"], value_parser = clap::value_parser!(u16).range(1..=100))]
        sheet: Option<u16>,
        /// Size of the picture in pixels, or of each one on a sheet.
        #[arg(long, value_name = "WxH", default_value = "640x480")]
        size: Size,
        /// The picture: .png for a still; .gif, .apng or .mp4 for a film [default: the name of the file, in the current folder].
        #[arg(long, value_name = "FILE")]
        out: Option<Output>,
        /// Draw the joints on top.
        #[arg(long)]
        skeleton: bool,
        /// What draws the picture.
        #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
        renderer: Choice,
    },
    /// Draw all clips of a file on one picture, each from the front and from the side.
    Sheet {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// The picture, a .png file.
        out: Output,
        /// Name or number of a clip; may be given several times [default: all clips].
        #[arg(long = "clip", value_name = "NAME|INDEX")]
        clips: Vec<String>,
        /// Poses of each clip, from its first moment to its last.
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
    Inspect {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Measure a file: which way it faces, what its joints are, its unit, and of each clip speed, stride, loop seam, contacts and feet.
    ///
    /// Walks and runs are tried with the library's feet on slopes, stairs and lifts. What is bad is said in plain words at the end.
    Report {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Check a file: one line that begins with OK, WARN or ERROR. Exit code 1 on ERROR.
    ///
    /// Loads everything, samples every clip at 16 times and checks that every matrix is finite.
    Validate {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Refuse whatever breaks the standard, also where the repair is obvious.
        #[arg(long)]
        strict: bool,
    },
    /// Write a character with the clips of another one: other names of joints, proportions, units, rest pose and front do not matter.
    Retarget {
        /// The file with the clips: .glb, .gltf, .vrm, .vrma, .bvh or .fbx.
        source: PathBuf,
        /// The file with the character: .glb, .gltf or .vrm. A clip of its own of the same name is replaced.
        target: PathBuf,
        /// Name or number of a clip; may be given several times [default: all clips].
        #[arg(long = "clip", value_name = "NAME|INDEX")]
        clips: Vec<String>,
        /// The file to write: a .glb, or a .vrm or .vrma of one, that holds everything itself.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Tell which joints are partners, which have none, and why.
        #[arg(long)]
        report: bool,
        /// What the hands keep where arms are longer or shorter.
        #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
        hands: tool::retarget::Hands,
    },
    /// Write any file as .glb, with other clips where you like: one command from a recording to clips on your character.
    ///
    /// Of glTF, all that is not changed stays as it is, extensions among it.
    Convert {
        /// The file with the character, or with the clips where --retarget-to names the character: .glb, .gltf, .vrm, .vrma, .bvh or .fbx.
        input: PathBuf,
        /// The file to write, a .glb that holds everything itself.
        out: PathBuf,
        /// The character that gets the clips: a file as above, which keeps its own clips too.
        #[arg(long, value_name = "CHARACTER")]
        retarget_to: Option<PathBuf>,
        /// Files with more clips for the character.
        #[arg(long, value_name = "FILE", num_args = 1..)]
        clips: Vec<PathBuf>,
        /// Samples a second that clips are brought to [default: keys as they are].
        #[arg(long, value_name = "HZ", value_parser = tool::compress::rate, allow_negative_numbers = true)]
        rate: Option<f64>,
        /// Leave out what stands still at both ends.
        #[arg(long)]
        trim: bool,
        /// Lead the end of each clip to its beginning, so that it can be repeated. The way along the ground stays.
        #[arg(long = "loop")]
        loops: bool,
        /// Leave out keys that straight lines do without.
        #[arg(long)]
        compress: bool,
        /// How far off they may be, in m, cm or mm.
        #[arg(long, value_name = "DISTANCE", default_value = "0.1mm", value_parser = tool::compress::distance, requires = "compress")]
        error: f32,
        /// How .bvh files are read.
        #[command(flatten)]
        bvh: tool::convert::BvhArguments,
    },
    /// Compress clips to within an error, and tell how small, how far off and how fast they are.
    ///
    /// Ratios are against 40 bytes a joint and sample. Errors are those of points 3 cm from each joint, in model space. The first frame of a
    /// .bvh file is left out where it is a T-pose, as in most databases.
    Compress {
        /// .glb, .gltf, .vrm or .bvh files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The largest error, in m, cm or mm.
        #[arg(long, value_name = "DISTANCE", default_value = "0.1mm", value_parser = tool::compress::distance)]
        error: f32,
        /// Samples a second that clips are reduced to [default: those of the file].
        #[arg(long, value_name = "HZ", value_parser = tool::compress::rate)]
        rate: Option<f64>,
        /// Write what is decoded: a .glb file, or a folder where there are several files. Or the compiled clips: a .clips file.
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
    Pose {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// JSON with the times of each animation: {"animations":[{"index":0,"times":[0.0,0.5]}]}.
        #[arg(long)]
        times: PathBuf,
    },
    /// Let a character act, and print what it did as JSON: where each joint was in the world, frame by frame.
    ///
    /// The script: {"character": "fox.glb", "hz": 60, "seconds": 2, "play": [{"at": 0, "clip": "Walk", "fade": 0.2, "curve": "smooth"}],
    /// "speed": 1.5 or "clip", "turn": 20, "ground": {"kind": "slope", "degrees": 10}, "feet": true, "aim": [0, 1.6, 5]}. Grounds: flat, slope,
    /// stairs (rise, run), lift (velocity, until), platform (velocity, until). It can also aim at {"circle": {"radius": 3, "height": 1.6, "degrees_per_second": 30}}.
    Act {
        /// A JSON file, or - for the standard input.
        script: PathBuf,
    },
    /// Tell why a joint is where it is at a moment of a script of `act`: clips, fades, masks, inertia, and what each layer changed, wanted and was
    /// limited by. The parts are those of the pose, in order.
    Explain {
        /// Of what.
        #[command(flatten)]
        what: tool::explain::What,
    },
    /// Print when each KHR_animation_clip entry shows which time: total time and time stamp, row by row.
    Clock {
        /// A .glb, .gltf, .vrm, .bvh or .fbx file.
        file: PathBuf,
        /// Which rows.
        #[command(flatten)]
        span: tool::clock::Span,
        /// Print JSON instead of text: {"clips":[{"name","table":[{"total_time","time_stamp"}]}]}.
        #[arg(long)]
        json: bool,
    },
    /// Write the characters that the repository ships: simple_humanoid.glb, robot.glb, sword.glb.
    Author {
        /// Where to; the folder is made if it is missing.
        folder: PathBuf,
    },
    /// Measure how long poses take, beside the plain path, and check that both agree. Takes half a minute.
    ///
    /// NEBULA_SIMD=scalar|sse2|avx2|avx512|neon|simd128 picks the instruction set.
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
