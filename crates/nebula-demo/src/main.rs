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

/// Ends the program after a mistake on the command line: one line about a value that cannot be understood or that does not go
/// with another, clap's page about everything else.
fn mistake(error: &clap::Error) -> ! {
    if matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue | ErrorKind::ArgumentConflict) {
        let said = error.to_string();
        // What was wrong and what is possible; how to get help comes after an empty line.
        let lines: Vec<&str> = said.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let _ = writeln!(std::io::stderr(), "{}", lines.join(" "));
        std::process::exit(2);
    }
    error.exit()
}
