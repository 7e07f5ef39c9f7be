//! `nebula-demo explain`: why a joint is where it is, at a moment of a script.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::corpus;

fn explain(script: &Value, arguments: &[&str]) -> Output {
    let mut child = Command::new(corpus::program())
        .args(["explain", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(script.to_string().as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn script() -> Value {
    let humanoid = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/simple_humanoid.glb");
    json!({
        "character": humanoid, "hz": 60, "seconds": 3, "feet": true, "aim": [3, 1.6, 1],
        "ground": {"kind": "slope", "degrees": 10},
        "play": [{"clip": "walk"}, {"at": 1, "clip": "run", "fade": 0.5, "curve": "linear"}],
    })
}

#[test]
fn text_names_clips_fades_and_layers() {
    let output = explain(&script(), &["--joint", "LeftFoot", "--time", "1.25"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("at 1.250 s of -\nLeftFoot (joint"), "{text}");
    for part in ["\"walk\" at", "\"run\" at", "linear fade of 0.500 s, 53 % through", "+ FootPlacement"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn json_has_the_same_as_data() {
    let output = explain(&script(), &["--joint", "Head", "--time", "1.25", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["name"], "Head");
    let levels = json["mixer"]["layers"][0]["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 2);
    assert!((levels[1]["fade"]["progress"].as_f64().expect("a number") - 16.0 / 30.0).abs() < 1e-3, "{json}");
    assert_eq!(levels[1]["source"]["Action"]["clips"][0]["name"], "run");
    assert_eq!(json["changes"][0]["layer"], "AimLayer");
    assert!(json["pose"]["rotation"].as_array().is_some_and(|numbers| numbers.len() == 4));
}

#[test]
fn what_cannot_be_is_told() {
    let told = |arguments: &[&str]| {
        let output = explain(&script(), arguments);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).expect("text")
    };
    let error = told(&["--joint", "LeftFot", "--time", "1"]);
    assert!(error.contains("there is no joint \"LeftFot\"") && error.contains("\"LeftFoot\""), "{error}");
    let error = told(&["--joint", "LeftFoot", "--time", "9"]);
    assert!(error.contains("there is no moment 9: the script takes 3 s"), "{error}");
}
