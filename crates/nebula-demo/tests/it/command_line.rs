//! Output and exit codes.

use std::fs;

use serde_json::Value;

use crate::corpus::run;

const HUMANOID: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../nebula-animation/test_assets/simple_humanoid.glb");

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs a command that must fail: its exit code and the one line that it says.
fn failure(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("no signal"), said)
}

#[test]
fn mistakes_of_the_command_line_exit_with_2_and_one_line() {
    let mistakes: [(&[&str], &str); 23] = [
        (&["frobnicate"], "frobnicate"),
        (&["rendr", HUMANOID], "render"),
        (&["fox.glb"], "nebula-demo view fox.glb"),
        (&["inspect"], "<FILE>"),
        (&["view"], "<FILE>"),
        (&["render"], "<FILE>"),
        (&["render", ""], "<FILE>"),
        (&["render", HUMANOID, "other.glb"], "other.glb"),
        (&["render", HUMANOID, "--size", "0x0"], "WIDTHxHEIGHT"),
        (&["render", HUMANOID, "--size"], "--size"),
        (&["render", HUMANOID, "--time", "-1"], "0 or later"),
        (&["render", HUMANOID, "--seconds", "0"], "above 0"),
        (&["render", HUMANOID, "--sheet", "0"], "1..=100"),
        (&["render", HUMANOID, "--sheet", "4", "--time", "1"], "--time"),
        (&["render", HUMANOID, "--out", "x.bmp"], ".png"),
        (&["render", HUMANOID, "--skeletn"], "--skeleton"),
        (&["pose", HUMANOID], "--times"),
        (&["validate", HUMANOID, "--quick"], "--quick"),
        (&["bench", "--seconds", "0"], "0.01"),
        (&["--scene", "nope"], "tpose"),
        (&["--scene", "walk", "view", HUMANOID], "--scene"),
        (&["--renderer", "vulkan"], "cpu"),
        (&["--frobnicate"], "--frobnicate"),
    ];
    for (arguments, expected) in mistakes {
        let (code, said) = failure(arguments);
        assert_eq!(code, 2, "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
        assert!(said.starts_with("error: ") && said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn missing_and_bad_files_exit_with_1_and_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.glb");
    fs::write(&bad, b"glTF but no more").expect("written");
    let bad = bad.to_str().expect("UTF-8");
    for arguments in [
        &["inspect", "no such file.glb"][..],
        &["inspect", bad],
        &["inspect", "/"],
        &["report", "no such file.glb"],
        &["report", bad],
        &["clock", HUMANOID, "--hold", "-1"],
        &["render", HUMANOID, "--clip", "no such clip"],
        &["render", HUMANOID, "--out", "/no such folder/x.png"],
        &["render", HUMANOID, "--out", "x.png", "--seconds", "2"],
        &["view", "no such file.glb"],
        &["pose", HUMANOID, "--times", "no such times.json"],
        &["pose", HUMANOID, "--times", bad],
        &["pose", bad, "--times", "no such times.json"],
    ] {
        let (code, said) = failure(arguments);
        assert_eq!(code, 1, "{arguments:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.starts_with("error: "), "{said}");
    }
    assert!(failure(&["inspect", "no such file.glb"]).1.contains("no such file.glb"));
}

#[test]
fn validate_says_ok_warn_or_error() {
    assert!(stdout(&["validate", HUMANOID]).starts_with("OK "));

    let folder = tempfile::tempdir().expect("a folder");
    let odd = folder.path().join("odd.glb");
    let mut bytes = fs::read(HUMANOID).expect("the humanoid");
    bytes.extend([1, 2, 3, 4]);
    fs::write(&odd, &bytes).expect("written");
    assert!(stdout(&["validate", odd.to_str().expect("UTF-8")]).starts_with("WARN "));

    bytes.truncate(bytes.len() / 2);
    fs::write(&odd, &bytes).expect("written");
    let output = run(&["validate", odd.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    let line = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(line.starts_with("ERROR ") && line.contains("odd.glb") && line.lines().count() == 1, "{line}");
}

#[test]
fn inspect_shows_the_parts_of_a_file() {
    let text = stdout(&["inspect", HUMANOID]);
    for part in ["joints: 25", "skins: 1", "\"stroll\"  2.000 s", "rotation", "meshes: 1", "triangles", "warnings: 0"] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    let json: Value = serde_json::from_str(&stdout(&["inspect", HUMANOID, "--json"])).expect("JSON");
    assert_eq!(json["joints"].as_array().map(Vec::len), Some(25));
    assert_eq!(json["clips"][0]["name"], "stroll");
    assert_eq!(json["clips"][0]["duration"], 2.0);
}

#[test]
fn pose_prints_what_was_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let times = folder.path().join("times.json");
    fs::write(&times, r#"{"animations":[{"index":0,"times":[0.0,0.5]}]}"#).expect("written");
    let json = stdout(&["pose", HUMANOID, "--times", times.to_str().expect("UTF-8")]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let samples = json["animations"][0]["samples"].as_array().expect("samples");
    assert_eq!(samples.len(), 2);
    assert_eq!(samples[1]["time"], 0.5);
    assert_eq!(samples[1]["skins"][0]["palette"].as_array().map(Vec::len), Some(25));
    assert_ne!(samples[0]["skins"], samples[1]["skins"], "the character moves");

    fs::write(&times, r#"{"animations":[{"index":99,"times":[0.0]}]}"#).expect("written");
    let (code, said) = failure(&["pose", HUMANOID, "--times", times.to_str().expect("UTF-8")]);
    assert_eq!(code, 1);
    assert!(said.contains("animation 99"), "{said}");
}

#[test]
fn help_shows_examples() {
    assert!(stdout(&["--help"]).contains("Examples:"));
}
