//! Nebula's demo and command-line tool for animated glTF characters.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use nebula_demo::cli::Cli;

fn main() -> ExitCode {
    match Cli::try_parse().unwrap_or_else(|error| mistake(&error)).run() {
        Ok(code) => code,
        Err(message) => {
            // One line, whatever the message holds; a closed pipe is no reason to panic.
            let _ = writeln!(std::io::stderr(), "error: {}", message.replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}

/// Ends the program after a mistake on the command line with one line; help and version are printed as they are.
fn mistake(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let said = error.to_string();
    // What was wrong and what is possible comes first; after an empty line come advice and the usage.
    let mut line = said.lines().map(str::trim).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    for advice in said.lines().map(str::trim).filter(|line| line.starts_with("tip: ")) {
        line = format!("{line}; {}", advice.trim_start_matches("tip: "));
    }
    let file = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    let is_model = |name: &String| [".glb", ".gltf"].iter().any(|ending| name.to_lowercase().ends_with(ending));
    if let Some(file) = file.filter(is_model) {
        line = format!("{line}; `nebula-demo view {file}` shows a file, `nebula-demo render {file}` draws it");
    } else if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        line = format!("{line}; `nebula-demo --help` shows what there is");
    }
    let _ = writeln!(std::io::stderr(), "{line}");
    std::process::exit(2);
}
