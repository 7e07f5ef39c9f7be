//! The hostile corpora: every file gets its verdict, in time, within its memory, without a crash. The test profile has
//! overflow checks on, so that wrong arithmetic shows.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::corpus;

#[test]
fn made_files_are_refused_or_survived() {
    let Some(shared) = corpus::find("hostile/make_hostile.py") else { return };
    let folder = tempfile::tempdir().expect("a folder for the files");
    let files = folder.path().join("files");
    let made = corpus::python(&shared.join("hostile/make_hostile.py"), &[&files]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    judge(&shared, &files, folder.path(), 159);
}

#[test]
fn files_of_the_khronos_validator_are_refused_or_survived() {
    let Some(shared) = corpus::find("hostile/khronos-validator") else { return };
    let folder = tempfile::tempdir().expect("a folder for the loader");
    judge(&shared, &shared.join("hostile/khronos-validator"), folder.path(), 225);
}

fn judge(shared: &Path, files: &Path, scratch: &Path, count: usize) {
    let loader = loader_script(scratch);
    let verdict = corpus::python(&shared.join("hostile/run_corpus.py"), &[&loader, files]);
    let text = String::from_utf8_lossy(&verdict.stdout).into_owned();
    assert!(verdict.status.success(), "{text}{}", String::from_utf8_lossy(&verdict.stderr));
    assert_eq!(text.lines().next(), Some(&*format!("{count}/{count} pass")));
}

/// The judge wants a program that takes a file and exits with 0 when it could tell; `validate` exits with 1 on a bad file.
fn loader_script(folder: &Path) -> PathBuf {
    let script = folder.join("loader.sh");
    let text =
        format!("#!/bin/sh\n\"{}\" validate \"$1\"\ncode=$?\n[ $code -le 1 ] || exit $code\n", corpus::program());
    fs::write(&script, text).expect("the script is written");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("the script can run");
    script
}
