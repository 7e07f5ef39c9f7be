//! Every file of the conformance corpus takes the pose that glTF 2.0 asks for.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::corpus;

/// How many files the corpus holds; fewer would mean that something was not looked at.
const FILES: usize = 75;

#[test]
fn every_file_agrees_with_the_expected_poses() {
    let Some(shared) = corpus::find("conformance") else { return };
    let folder = shared.join("conformance");
    let output = tempfile::tempdir().expect("a folder for the output");
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(folder.join("expected")).expect("expected poses") {
        let expected = entry.expect("a directory entry").path();
        count += 1;
        if let Err(problem) = compare(&folder, &expected, output.path()) {
            failures.push(problem);
        }
    }
    assert!(failures.is_empty(), "{} of {count} fail:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= FILES, "{count} expected files, the corpus has {FILES}");
}

fn compare(folder: &Path, expected: &Path, output: &Path) -> Result<(), String> {
    let name = expected.file_name().expect("a file name");
    let text = fs::read_to_string(expected).map_err(|error| error.to_string())?;
    let document: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let asset = document["asset"]["publicFile"].as_str().ok_or("no asset")?;
    let posed = Command::new(corpus::program())
        .arg("pose")
        .arg(folder.join(asset))
        .arg("--times")
        .arg(folder.join("times").join(name))
        .output()
        .map_err(|error| error.to_string())?;
    if !posed.status.success() {
        return Err(format!("{asset}: {}", String::from_utf8_lossy(&posed.stderr)));
    }
    let actual = output.join(name);
    fs::write(&actual, posed.stdout).map_err(|error| error.to_string())?;
    let verdict = corpus::python(&folder.join("compare.py"), &[expected, &actual, "--split".as_ref()]);
    let line = String::from_utf8_lossy(&verdict.stdout).into_owned();
    if verdict.status.success() && line.starts_with("PASS") { Ok(()) } else { Err(line) }
}
