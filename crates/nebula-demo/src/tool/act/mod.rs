//! `act`: plays a script and prints where the joints were, for tests and bug reports.

pub(crate) mod actor;
pub(crate) mod ground;
pub(crate) mod script;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use glam::{Mat4, Vec3};
use nebula_animation::GroundQuery;
use serde::Serialize;

use actor::{Actor, Shown};
use script::Script;

/// Prints what the character of a script does.
pub fn run(path: &Path) -> Result<ExitCode, String> {
    let script = read(path)?;
    let mut actor = Actor::new(&script, &character_file(&script, path))?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut actor, &mut out) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // A reader that has seen enough is no error.
        Err(Problem::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(Problem::Output(error)) => Err(format!("cannot write the output: {error}")),
        Err(Problem::Act(problem)) => Err(format!("{}: {problem}", path.display())),
    }
}

/// Reads a script; `-` is the standard input.
pub(crate) fn read(path: &Path) -> Result<Script, String> {
    let in_script = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|error| in_script(&error))?;
    let script: Script = serde_json::from_str(&text).map_err(|error| in_script(&error))?;
    script.check().map_err(|problem| in_script(&problem))?;
    Ok(script)
}

/// From the current folder, or beside the script.
pub(crate) fn character_file(script: &Script, path: &Path) -> PathBuf {
    let beside = path.parent().map(|folder| folder.join(&script.character));
    beside.filter(|beside| !script.character.exists() && beside.exists()).unwrap_or_else(|| script.character.clone())
}

enum Problem {
    Output(io::Error),
    Act(String),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

/// What is printed of a frame.
#[derive(Serialize)]
struct Frame<'a> {
    time: f64,
    entity: [f32; 16],
    world: &'a [[f32; 16]],
    feet: Vec<Foot>,
    target: Option<[f32; 3]>,
}

#[derive(Serialize)]
struct Foot {
    planted: bool,
    /// The height of the ground below the foot's joint.
    ground: f32,
}

/// One frame after the other: scripts may be long.
fn write(actor: &mut Actor<'_>, out: &mut impl Write) -> Result<(), Problem> {
    let names: Vec<&str> = actor.asset().skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    let nodes = serde_json::to_string(&actor.asset().joint_nodes)?;
    write!(out, "{{\"joints\":{},\"nodes\":{nodes},\"frames\":[", serde_json::to_string(&names)?)?;
    let mut matrices = Vec::new();
    let mut separator = "";
    while let Some(shown) = actor.next() {
        let shown = shown.map_err(Problem::Act)?;
        actor.world_matrices(&shown, &mut matrices);
        let world: Vec<[f32; 16]> = matrices.iter().map(Mat4::to_cols_array).collect();
        let frame = Frame {
            time: shown.time,
            entity: Mat4::from(shown.entity).to_cols_array(),
            world: &world,
            feet: feet(actor, &shown, &matrices),
            target: shown.target.map(Into::into),
        };
        write!(out, "{separator}\n{}", serde_json::to_string(&frame)?)?;
        separator = ",";
    }
    write!(out, "\n]}}\n")?;
    out.flush()?;
    Ok(())
}

fn feet(actor: &Actor<'_>, shown: &Shown, world: &[Mat4]) -> Vec<Foot> {
    let foot = |(index, foot): (usize, u16)| {
        let place = world.get(usize::from(foot)).map_or(Vec3::ZERO, |matrix| matrix.w_axis.truncate());
        let ground = shown.ground.ground(place).map_or(0.0, |ground| ground.height);
        Foot { planted: actor.is_planted(index), ground }
    };
    actor.legs().iter().map(|leg| leg.foot).enumerate().map(foot).collect()
}
