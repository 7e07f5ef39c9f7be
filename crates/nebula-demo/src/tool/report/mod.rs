//! `report`: what a technical artist wants to know about a file before it goes into a game.

mod body;
mod clip;
mod facts;
mod problems;
mod run;
mod seam;
mod soles;
mod text;
mod trial;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use super::print;
use facts::Facts;

/// Prints what there is to know about a file.
pub fn run(file: &Path, is_json: bool) -> Result<ExitCode, String> {
    let asset = nebula_import::open(file).map_err(|error| error.in_file(file))?.asset;
    let in_file = |problem: &dyn std::fmt::Display| format!("{}: {problem}", file.display());
    let facts = Facts::of(&Arc::new(asset), file).map_err(|problem| in_file(&problem))?;
    if is_json {
        let json = serde_json::to_string_pretty(&facts).map_err(|error| in_file(&error))?;
        print(&format!("{json}\n"))
    } else {
        print(&text::page(&facts))
    }
}
