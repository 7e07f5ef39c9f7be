//! Nebula's demo and command-line tool for animated glTF characters.

use std::process::ExitCode;

use clap::Parser;
use nebula_demo::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(code) => code,
        Err(message) => {
            // One line, whatever the message holds; a closed pipe is no reason to panic.
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "error: {}", message.replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}
