//! The character of `nebula-demo bench`, played by other animation runtimes of the Rust world and by nebula, in one program.
//!
//! ```sh
//! cd peers && cargo run --release               # a table; --json for programs, --seconds for longer runs
//! ```
//!
//! The rig has 67 joints, 15 deep, a walk and a jog at 30 keys a second. Each workload is run by all runtimes in turn, on
//! one thread: a frame to warm the caches, then a timed repetition, and again. Reported are nanoseconds per joint and
//! frame, the 5th percentile of all repetitions, by the wall clock and by the time that the thread was on a core. On a
//! quiet machine the two agree; where they do not, the machine was busy and the second is nearer to the truth.
//!
//! Every runtime is driven as its users would, and each does a little different work (`Contender::scope`):
//! - `bevy_animation`: entities as its glTF loader spawns them, an `AnimationPlayer` and an `AnimationGraph`. Timed is the
//!   `PostUpdate` schedule: clocks, curves, blending, writing `Transform`s, propagating `GlobalTransform`s. Not in it: the
//!   other schedules of an app, and the skinning matrices, which bevy makes when it extracts meshes for rendering. Its
//!   crates are built without `multi_threaded`.
//! - `fyrox-animation`: `Animation::tick`, or a state machine that blends two animations. Sampling only: the crate has
//!   no hierarchy, so nothing is written into a scene and no matrix is made. Its fair neighbour is nebula's row
//!   of local poses.
//! - `nebula`: all the way to palettes, `model_from_joint * inverse_bind`.
//!
//! Before and after, the results of characters from all over the crowd are compared with nebula's plain path at the time
//! that the runtime's own clock shows, which has to be the time that has passed: local rotations and model matrices
//! (bevy), local rotations and positions (fyrox; its fades with nlerp, which is its formula, where all others slerp),
//! palettes (nebula). A runtime more than 1e-3 off ends the run with an error.

mod bevy;
mod fyrox;
mod measure;
mod nebula;
mod report;
mod scene;

use std::process::ExitCode;

use clap::Parser;
use nebula_animation::compile::Isa;
use report::{Report, RuntimeReport, WorkloadReport};
use scene::{Runtime, Scene};

/// Plays one character through several animation runtimes and compares how long they take.
#[derive(Debug, Parser)]
struct Arguments {
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Seconds for each workload, shared by all runtimes.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
}

/// What all of them do.
struct Workload {
    name: &'static str,
    characters: usize,
    is_fading: bool,
    /// Frames of a repetition: enough of them to be long beside the clock's grain.
    frames: usize,
}

const WORKLOADS: [Workload; 3] = [
    Workload { name: "sequential", characters: 1, is_fading: false, frames: 128 },
    Workload { name: "crowd-1000", characters: 1_000, is_fading: false, frames: 1 },
    Workload { name: "cross-fade-1000", characters: 1_000, is_fading: true, frames: 1 },
];

type Built = Result<Option<Box<dyn Runtime>>, String>;

/// A row of the table.
pub struct Contender {
    pub name: &'static str,
    pub scope: &'static str,
    /// Nothing where the runtime does not do the workload.
    build: fn(Scene) -> Built,
}

pub const CONTENDERS: [Contender; 6] = [
    Contender { name: "bevy_animation 0.18.1", scope: bevy::SCOPE, build: |scene| boxed(bevy::Bevy::new(&scene)?) },
    Contender { name: "fyrox-animation 1.0.1", scope: fyrox::SCOPE, build: |scene| boxed(fyrox::Fyrox::new(&scene)) },
    Contender {
        name: "plain path",
        scope: nebula::PlainPath::SCOPE,
        build: |scene| boxed(nebula::PlainPath::new(scene)),
    },
    Contender {
        name: "nebula, local poses",
        scope: nebula::LocalPoses::SCOPE,
        build: |scene| boxed(nebula::LocalPoses::new(scene)),
    },
    Contender {
        name: "nebula, components",
        scope: nebula::Components::SCOPE,
        build: |scene| if scene.is_fading() { Ok(None) } else { boxed(nebula::Components::new(&scene)) },
    },
    Contender {
        name: "nebula",
        scope: nebula::Single::SCOPE,
        build: |scene| {
            if scene.starts.len() == 1 && !scene.is_fading() {
                boxed(nebula::Single::new(scene).ok_or("no character")?)
            } else {
                boxed(nebula::Many::new(&scene).ok_or("the crowd takes no more")?)
            }
        },
    },
];

fn boxed(runtime: impl Runtime + 'static) -> Built {
    Ok(Some(Box::new(runtime)))
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<String, String> {
    let workloads: Result<Vec<_>, String> = WORKLOADS.iter().map(|workload| compare(workload, arguments)).collect();
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let report = Report { simd: Isa::best().to_string(), build, workloads: workloads? };
    if arguments.json {
        serde_json::to_string_pretty(&report).map_err(|error| format!("cannot write JSON: {error}"))
    } else {
        Ok(report::table(&report))
    }
}

/// Measures all runtimes that do a workload.
fn compare(workload: &Workload, arguments: &Arguments) -> Result<WorkloadReport, String> {
    let new_scene = || Scene::new(workload.characters, workload.is_fading);
    let scene = new_scene();
    let mut runtimes = Vec::new();
    for contender in &CONTENDERS {
        if let Some(runtime) = (contender.build)(new_scene()).map_err(|fault| format!("{}: {fault}", contender.name))? {
            runtimes.push((contender.name, runtime));
        }
    }
    let measured = measure::measure(&scene, &mut runtimes, workload.frames, arguments.seconds)
        .map_err(|fault| format!("{}: {fault}", workload.name))?;
    let reports = runtimes.iter().zip(measured).map(|(&(name, _), measured)| RuntimeReport::new(name, measured));
    Ok(WorkloadReport {
        name: workload.name,
        characters: workload.characters,
        joints: scene.joint_count(),
        runtimes: reports.collect(),
    })
}
