//! `explain`: why a joint of a character is where it is, at a moment of a script.

use std::path::Path;
use std::process::ExitCode;

use super::act::{actor::Actor, character_file, read};
use super::print;

/// What is to be explained.
pub struct Options<'a> {
    /// A script of `act`.
    pub script: &'a Path,
    /// Name of a joint.
    pub joint: &'a str,
    /// Seconds from the beginning of the script.
    pub time: f64,
    /// JSON instead of text.
    pub is_json: bool,
}

/// Prints everything that made the pose of a joint, at the last frame of a script up to a time.
pub fn run(options: &Options<'_>) -> Result<ExitCode, String> {
    let Options { script: path, joint, time, is_json } = *options;
    let script = read(path)?;
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
    let why = actor.explain(joint)?;
    if is_json {
        let json = serde_json::to_string_pretty(&why).map_err(|error| format!("{}: {error}", path.display()))?;
        return print(&format!("{json}\n"));
    }
    print(&format!("at {:.3} s of {}\n{why}", shown.unwrap_or(0.0), path.display()))
}
