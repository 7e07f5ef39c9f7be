//! `nebula-demo clock` prints the tables of the `KHR_animation_clip` document.
#![allow(clippy::expect_used, reason = "a test that cannot go on panics, helper functions included")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The document's examples: the members of the entry, and the time stamps at the total times 0 to 20 s.
const EXAMPLES: [(&str, [u8; 21]); 6] = [
    (
        r#""start":0.0,"end":4.0,"offset":0.0,"speed":1.0,"repetitions":-1,"reverse":false"#,
        [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0],
    ),
    (
        r#""start":2.0,"offset":0.0,"speed":1.0,"repetitions":-1,"reverse":false"#,
        [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22],
    ),
    (
        r#""start":3.0,"end":8.0,"offset":0.0,"speed":1.0,"repetitions":-1,"reverse":false"#,
        [3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 3, 4, 5],
    ),
    (
        r#""start":0.0,"end":4.0,"offset":0.0,"speed":1.0,"repetitions":1,"reverse":false"#,
        [0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
    ),
    (
        r#""start":1.0,"end":5.0,"offset":2.0,"speed":1.0,"repetitions":4,"reverse":true"#,
        [3, 4, 5, 4, 3, 2, 1, 2, 3, 4, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1],
    ),
    (
        r#""start":0.0,"end":4.0,"offset":4.0,"speed":-0.5,"repetitions":2,"reverse":true"#,
        [4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4],
    ),
];

/// A file with one animation, which has no channels, and these entries.
fn write_file(folder: &Path, entries: &[String]) -> PathBuf {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"root"}}],
            "animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}],
                            "samplers":[{{"input":0,"output":1}}]}}],
            "accessors":[{{"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[0]}},
                         {{"componentType":5126,"count":2,"type":"VEC3"}}],
            "extensionsUsed":["KHR_animation_clip"],
            "extensions":{{"KHR_animation_clip":{{"clips":[{}]}}}}}}"#,
        entries.join(",")
    );
    let path = folder.join("clips.gltf");
    std::fs::write(&path, json).expect("the folder can be written to");
    path
}

fn clock(file: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nebula-demo"))
        .arg("clock")
        .arg(file)
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn tables(file: &Path, arguments: &[&str]) -> Vec<(String, Vec<(f64, f64)>)> {
    let output = clock(file, &[&["--json"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |row: &Value, member: &str| row[member].as_f64().expect("a number");
    let clips = json["clips"].as_array().expect("a list of clips");
    let table = |clip: &Value| {
        let rows = clip["table"].as_array().expect("a table");
        rows.iter().map(|row| (number(row, "total_time"), number(row, "time_stamp"))).collect()
    };
    clips.iter().map(|clip| (clip["name"].as_str().expect("a name").to_owned(), table(clip))).collect()
}

fn example_file(folder: &Path) -> PathBuf {
    let entries: Vec<String> = EXAMPLES
        .iter()
        .enumerate()
        .map(|(index, (members, _))| format!(r#"{{"animations":[0],"name":"Example {}",{members}}}"#, index + 1))
        .collect();
    write_file(folder, &entries)
}

#[test]
fn the_six_tables_come_out_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = example_file(folder.path());
    let whole = tables(&file, &["--hold", "1"]);
    assert_eq!(whole.len(), 6);
    for (index, ((name, table), (_, expected))) in whole.iter().zip(EXAMPLES).enumerate() {
        assert_eq!(*name, format!("Example {}", index + 1));
        assert_eq!(table.len(), 21);
        for (second, (&(total_time, time_stamp), expected)) in table.iter().zip(expected).enumerate() {
            assert_eq!(total_time, second as f64);
            // The last example is shown in whole keyframes, rounded against the direction of travel.
            let shown = if index < 5 {
                time_stamp
            } else if second < 8 {
                time_stamp.ceil()
            } else {
                time_stamp.floor()
            };
            assert_eq!(shown, f64::from(expected), "{name} at {second} s");
        }
    }
    // At steps of 1/64 s, every 64th row is the same.
    let fine = tables(&file, &["--hold", "1", "--step", "0.015625"]);
    for ((_, whole), (_, fine)) in whole.iter().zip(&fine) {
        assert!(fine.iter().step_by(64).eq(whole));
    }
}

#[test]
fn text_has_a_row_per_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = clock(&example_file(folder.path()), &["--until", "2", "--step", "0.1"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), 6 * (2 + 21), "{text}");
    assert!(text.starts_with("0 \"Example 1\"\n"), "{text}");
}

#[test]
fn files_without_entries_are_no_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write_file(folder.path(), &[]);
    assert!(tables(&file, &[]).is_empty());
    assert!(String::from_utf8_lossy(&clock(&file, &[]).stdout).contains("no entry"));
}

#[test]
fn numbers_out_of_range_are_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = example_file(folder.path());
    for arguments in
        [["--step", "0"], ["--step", "NaN"], ["--step", "1e-9"], ["--until", "inf"], ["--hold=-1", "--json"]]
    {
        let output = clock(&file, &arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.starts_with("error: --") || message.contains("rows"), "{arguments:?}: {message}");
    }
}
