//! `explain`: why a joint is where it is, at a moment of a script or a recording.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nebula_animation::explain::Explanation;
use nebula_animation::{Character, Recorder};

use super::act::{actor::Actor, character_file, read};
use super::print;
use crate::show::played::{Played, driven, restore};

/// What to explain.
#[derive(Debug, clap::Args)]
pub struct What {
    /// A JSON script, - for the standard input, or a .recording saved by the viewer.
    #[arg(value_name = "SCRIPT")]
    file: PathBuf,
    /// Name of the joint.
    #[arg(long, value_name = "NAME")]
    joint: String,
    /// Seconds from the start of the script, or of the recorded character's own clock [default: the start of a script, the last frame of a
    /// recording].
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Number of a recorded frame.
    #[arg(long, value_name = "N", conflicts_with = "time", requires = "character")]
    frame: Option<u64>,
    /// The file of the recorded character.
    #[arg(long, value_name = "MODEL.glb")]
    character: Option<PathBuf>,
    /// Name of the tape in the recording [default: the first one of the character].
    #[arg(long, value_name = "NAME", requires = "character")]
    tape: Option<String>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// Prints everything that made the pose of a joint.
pub fn run(what: &What) -> Result<ExitCode, String> {
    let path = &what.file;
    let is_recording = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("recording"));
    let (when, why) = match (is_recording, &what.character) {
        (false, None) => of_script(what)?,
        (_, Some(model)) => of_recording(what, model)?,
        (true, None) => {
            return Err(format!("{}: a recording needs the character: --character MODEL.glb", path.display()));
        }
    };
    if what.json {
        let json = serde_json::to_string_pretty(&why).map_err(|error| format!("{}: {error}", path.display()))?;
        return print(&format!("{json}\n"));
    }
    print(&format!("{when} of {}\n{why}", path.display()))
}

/// The last frame of a script up to a time.
fn of_script(what: &What) -> Result<(String, Explanation), String> {
    let What { file: path, joint, .. } = what;
    let (script, time) = (read(path)?, what.time.unwrap_or(0.0));
    if !(0.0..=script.seconds).contains(&time) {
        return Err(format!("{}: there is no moment {time}: the script takes {} s", path.display(), script.seconds));
    }
    let mut actor = Actor::new(&script, &character_file(&script, path))?;
    // Before anything is worked out: a misspelt name is told at once.
    actor.rig().require_joint(joint).map_err(|error| error.to_string())?;
    actor.set_traced(true);
    let mut shown = None;
    let is_before = |next: f64| next <= time + 1e-9;
    while is_before(actor.next_time()) {
        let Some(frame) = actor.next() else { break };
        shown = Some(frame.map_err(|problem| format!("{}: {problem}", path.display()))?.time);
    }
    Ok((format!("at {:.3} s", shown.unwrap_or(0.0)), actor.explain(joint)?))
}

/// A frame of a recording.
fn of_recording(what: &What, model: &Path) -> Result<(String, Explanation), String> {
    let What { file: path, joint, time, frame, tape, .. } = what;
    // As the viewer opens it.
    let asset = nebula_import::open(model).map_err(|error| error.in_file(model))?.asset;
    let plain = Played::of(&asset).character;
    plain.rig().require_joint(joint).map_err(|error| error.to_string())?;
    let make = |documents: &[_]| driven(&plain, documents);
    let recorder = restore(path, tape.as_deref(), &model.display().to_string(), &make)?.recorder;
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let frame = match (*time, *frame) {
        (_, Some(frame)) => frame,
        (Some(time), None) => frame_at(&recorder, time).map_err(|problem| told(&problem))?,
        (None, None) => recorder.tape().frames().end.saturating_sub(1),
    };
    let mut past = recorder.clone_character();
    recorder.tape().restore(frame, &mut past).map_err(|error| told(&error))?;
    let why = past.explain(joint).map_err(|error| error.to_string())?;
    Ok((format!("at {:.3} s, frame {frame}", past.elapsed()), why))
}

/// The first frame at which the character's clock has come to a time.
fn frame_at(recorder: &Recorder, time: f64) -> Result<u64, String> {
    let mut past: Character = recorder.clone_character();
    past.set_traced(false);
    let frames = recorder.tape().frames();
    let mut playback = recorder.tape().playback(frames.start).map_err(|error| error.to_string())?;
    let (mut first, mut last) = (None, 0.0);
    while playback.step(&mut past).map_err(|error| error.to_string())? {
        last = past.elapsed();
        let first = *first.get_or_insert(last);
        if first <= time + 1e-9 && last >= time - 1e-9 {
            return Ok(playback.next_frame() - 1);
        }
    }
    Err(format!("there is no moment {time}: its frames are from {:.3} to {last:.3} s", first.unwrap_or(0.0)))
}
