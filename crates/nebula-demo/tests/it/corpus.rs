//! Where the corpora are, and what happens where they are not.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the corpora: `NEBULA_CORPORA`, or `shared` beside the repository.
///
/// `None` where there is none, which is said on the terminal; with `NEBULA_REQUIRE_CORPORA=1` it is a failure.
pub fn find(test: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("NEBULA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    if folder.join("conformance/SCHEMA.md").is_file() && folder.join("hostile/run_corpus.py").is_file() {
        // The judge compares real paths: symbolic links must not stand in between.
        return folder.canonicalize().ok();
    }
    let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
    assert!(!is_required, "{test}: no corpora in {}, and NEBULA_REQUIRE_CORPORA=1", folder.display());
    // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no corpora (set NEBULA_CORPORA to their folder)");
    None
}

/// Says on the terminal what did not run.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {why}");
}

/// The program under test.
pub fn program() -> &'static str {
    env!("CARGO_BIN_EXE_nebula-demo")
}

/// The program as in a container: without a folder for what belongs to a session, drivers complain as soon as they are looked for, and
/// mistakes are to be found before.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).env_remove("XDG_RUNTIME_DIR");
    command
}

/// Runs the program with arguments.
pub fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

/// Runs a Python script of the corpora.
pub fn python(script: &Path, arguments: &[&Path]) -> Output {
    Command::new("python3")
        .arg(script)
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 runs the scripts of the corpora")
}
