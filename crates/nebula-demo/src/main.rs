//! Nebula's demo and command-line tool for animated glTF characters.

mod cli;
mod tool;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().command.run() {
        Ok(code) => code,
        Err(message) => {
            // One line, whatever the message holds; a closed pipe is no reason to panic.
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "error: {}", message.replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}
