//! Khronos's validator, the package `gltf-validator` of npm, where node finds it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::corpus::skipped;

const PROGRAM: &str = "
const validator = require('gltf-validator');
const fs = require('fs');
const path = require('path');
const files = JSON.parse(fs.readFileSync(0, 'utf8'));
(async () => {
  const all = [];
  for (const file of files) {
    const folder = path.dirname(file);
    const read = uri => new Promise((resolve, reject) => fs.readFile(path.join(folder, decodeURIComponent(uri)),
      (error, data) => error ? reject(error.toString()) : resolve(new Uint8Array(data))));
    const errors = [];
    try {
      const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)),
        { uri: path.basename(file).replace(/\\.vrma?$/, '.glb'), externalResourceFunction: read, maxIssues: 0 });
      for (const message of report.issues.messages) if (message.severity === 0) errors.push(message.code);
    } catch (error) {
      errors.push('FAILED ' + error);
    }
    all.push([...new Set(errors)]);
  }
  console.log(JSON.stringify(all));
})();
";

/// The codes of the errors in each file; `None`, said aloud, where the validator is not installed (`NODE_PATH` tells where).
pub fn errors(files: &[PathBuf]) -> Option<Vec<Vec<String>>> {
    let is_there = Command::new("node").args(["-e", "require('gltf-validator')"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        let is_required = std::env::var_os("NEBULA_REQUIRE_VALIDATOR").is_some_and(|value| value == "1");
        assert!(!is_required, "no gltf-validator, and NEBULA_REQUIRE_VALIDATOR=1");
        skipped("validator: node finds no gltf-validator (npm install gltf-validator, and set NODE_PATH)");
        return None;
    }
    let mut node = Command::new("node")
        .args(["-e", PROGRAM])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let list = serde_json::to_vec(files).expect("paths");
    node.stdin.take().expect("a pipe").write_all(&list).expect("node reads");
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "node failed");
    let all: Vec<Vec<String>> = serde_json::from_slice(&output.stdout).expect("a list of lists");
    assert_eq!(all.len(), files.len());
    Some(all)
}
