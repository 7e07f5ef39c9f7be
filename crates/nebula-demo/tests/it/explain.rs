//! `nebula-demo explain`: why a joint is where it is, at a moment of a script.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use nebula_animation::{Asset, Recorder, Surroundings};
use nebula_demo::show::played::{Played, recording};
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

fn humanoid() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/simple_humanoid.glb")
}

/// A recording of the humanoid that walks and then runs, as the viewer saves it, and the character.
fn recorded(folder: &Path) -> (PathBuf, Recorder) {
    let mut character = Played::of(&Asset::load(humanoid()).expect("it loads")).character;
    character.set_traced(true);
    let mut hero = Recorder::new(character, 20.0);
    for frame in 0..90 {
        match frame {
            0 => _ = hero.mixer.play("walk", 0.0).expect("a clip"),
            40 => _ = hero.mixer.play("run", 0.5).expect("a clip"),
            _ => {}
        }
        hero.update(1.0 / 60.0, &Surroundings::default());
    }
    let file = folder.join("hero.recording");
    let bytes = recording("hero", hero.tape(), &[]).expect("no machine").to_bytes();
    std::fs::write(&file, bytes).expect("a file");
    (file, hero)
}

fn explained(file: &Path, model: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(corpus::program());
    command.arg("explain").arg(file).arg("--character").arg(model).args(arguments);
    command.output().expect("the program runs")
}

#[test]
fn a_frame_of_a_recording_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, hero) = recorded(folder.path());
    let text = |arguments: &[&str]| {
        let output = explained(&file, &humanoid(), arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let mut past = hero.clone_character();
    for frame in [0, 39, 55, 89] {
        hero.tape().restore(frame, &mut past).expect("a frame of the tape");
        let expected = format!(
            "at {:.3} s, frame {frame} of {}\n{}",
            past.elapsed(),
            file.display(),
            past.explain("LeftFoot").expect("a joint")
        );
        let number = frame.to_string();
        assert_eq!(text(&["--joint", "LeftFoot", "--frame", &number]), expected);
        let seconds = format!("{}", past.elapsed());
        assert_eq!(text(&["--joint", "LeftFoot", "--time", &seconds, "--tape", "hero"]), expected);
    }
    assert!(text(&["--joint", "LeftFoot"]).starts_with("at 1.500 s, frame 89 of "), "the last one");
    let both = text(&["--joint", "LeftFoot", "--frame", "55"]);
    assert!(both.contains("\"walk\" at") && both.contains("\"run\" at"), "{both}");
    let json: Value = serde_json::from_str(&text(&["--joint", "LeftFoot", "--frame", "55", "--json"])).expect("JSON");
    assert_eq!(json["mixer"]["layers"][0]["levels"][1]["source"]["Action"]["clips"][0]["name"], "run");
}

#[test]
fn recordings_that_cannot_be_explained_are_told_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = recorded(folder.path());
    let told = |model: &Path, arguments: &[&str]| {
        let output = explained(&file, model, arguments);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).expect("text")
    };
    let robot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/robot.glb");
    for (model, arguments, expected) in [
        (&humanoid(), &["--joint", "LeftFot"][..], "there is no joint \"LeftFot\""),
        (&humanoid(), &["--joint", "LeftFoot", "--tape", "hera"], "there is no tape \"hera\": did you mean \"hero\"?"),
        (&humanoid(), &["--joint", "LeftFoot", "--frame", "90"], "there is no frame 90: the tape has 90 from 0 on"),
        (
            &humanoid(),
            &["--joint", "LeftFoot", "--time", "9"],
            "there is no moment 9: its frames are from 0.017 to 1.500 s",
        ),
        (&folder.path().join("missing.glb"), &["--joint", "LeftFoot"], "missing.glb"),
    ] {
        let error = told(model, arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let joint = Asset::load(&robot).expect("it loads").skeleton.joints[0].name.clone();
    let error = told(&robot, &["--joint", &joint]);
    assert!(
        error.contains("hero.recording: tape \"hero\": it was recorded on another skeleton than that of"),
        "{error}"
    );
    let output = Command::new(corpus::program()).arg("explain").arg(&file).args(["--joint", "Head"]).output();
    let error = String::from_utf8(output.expect("it runs").stderr).expect("text");
    assert!(error.contains("a recording needs the character: --character MODEL.glb"), "{error}");
    std::fs::write(&file, b"NBRC\x09\0\0\0").expect("a file");
    let error = told(&humanoid(), &["--joint", "Head"]);
    assert!(error.contains("hero.recording: the recording has version 9, expected 3"), "{error}");
}
