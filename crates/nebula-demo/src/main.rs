//! Nebula's demo and command-line tool for animated glTF characters.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
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

/// Ends the program after a mistake on the command line: one line about a value that cannot be understood, clap's page
/// about everything else.
fn mistake(error: &clap::Error) -> ! {
    if error.kind() == ErrorKind::ValueValidation {
        let said = error.to_string();
        let _ = writeln!(std::io::stderr(), "{}", said.lines().next().unwrap_or_default());
        std::process::exit(2);
    }
    error.exit()
}
