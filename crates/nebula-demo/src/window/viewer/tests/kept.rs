//! Recordings that were saved, in another viewer: all of their frames, through the same panels.

use std::path::Path;

use nebula_animation::mixer::ParameterValue;

use super::{Desk, Event, asset};

/// A viewer of a copy of the humanoid in a folder, which records.
fn desk(folder: &Path) -> Desk {
    let file = folder.join("hero.glb");
    if !file.exists() {
        std::fs::copy(asset("simple_humanoid.glb"), &file).unwrap();
    }
    let mut desk = Desk::new(&file);
    desk.size = egui::vec2(1400.0, 1200.0);
    desk.click_on("show/why");
    desk.frame(Vec::new());
    desk
}

/// All frames of two viewers are the same, and shown the same.
fn show_the_same(here: &Desk, other: &mut Desk) {
    let (tape, others) = (here.viewer.puppet.character.tape(), other.viewer.puppet.character.tape().clone());
    let mut past = here.viewer.puppet.character.clone_character();
    let frames = others.frames();
    assert!(frames.clone().count() >= 60, "{frames:?}");
    for frame in frames.clone().step_by(13).chain([frames.start, frames.end - 1]) {
        let Desk { viewer, .. } = other;
        viewer.inspector.go_to(&viewer.puppet.character, frame);
        viewer.follow_past();
        tape.restore(frame, &mut past).unwrap();
        assert_eq!(viewer.puppet.body().palette, past.palette(), "frame {frame}");
        assert_eq!(viewer.told("shown_frame"), frame.to_string());
    }
    // The rows of the timeline tell the same of the frames that both have.
    let [mine, theirs] = [here, other].map(|desk| desk.viewer.inspector.timeline_rows(&desk.viewer.puppet.character));
    let kept = frames.end - frames.start;
    for (name, amounts) in theirs {
        let own = mine.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no row {name}"));
        assert_eq!(amounts.len() as u64, kept, "{name}");
        assert_eq!(own.1[..amounts.len()], amounts[..], "{name}");
    }
}

#[test]
fn a_recording_is_dropped_on_a_viewer_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.click_on("clip/2");
    (0..60).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("past/save");
    let mut other = self::desk(folder.path());
    // Nobody looks into it before.
    other.click_on("show/why");
    other.viewer.handle(Event::Drop(folder.path().join("hero.recording")));
    other.frame(Vec::new());
    assert_eq!((other.told("error").as_str(), other.told("inspector").as_str()), ("none", "true"));
    let end = other.viewer.puppet.character.tape().frames().end;
    assert_eq!(other.told("shown_frame"), (end - 1).to_string(), "it stands at the last frame");
    show_the_same(&desk, &mut other);
    // Gone on from, as one's own.
    other.viewer.inspector.go_to(&other.viewer.puppet.character, 40);
    other.frame(Vec::new());
    other.click_on("past/branch");
    (0..5).for_each(|_| other.frame(Vec::new()));
    let frames = other.viewer.puppet.character.tape().frames();
    assert!((44..=50).contains(&frames.end), "{frames:?}, {}", other.told("message"));
    // The button opens what was saved beside the file.
    other.click_on("past/open");
    other.frame(Vec::new());
    assert_eq!(other.told("shown_frame"), (end - 1).to_string());
}

#[test]
fn a_machine_comes_along_with_its_recording() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    desk.click_on("tab/machine");
    desk.frame(Vec::new());
    desk.click_on("machine/make");
    (0..20).for_each(|_| desk.frame(Vec::new()));
    let slider = desk.viewer.places().get("parameter/speed");
    desk.click(slider.left_center() + egui::vec2(40.0, 0.0));
    (0..20).for_each(|_| desk.frame(Vec::new()));
    let document = desk.viewer.inspector.document().unwrap().clone();
    let is_trigger = |(_, value): &&(String, ParameterValue)| *value == ParameterValue::Trigger(false);
    let (name, _) = document.parameters.iter().find(is_trigger).unwrap();
    desk.click_on(&format!("parameter/{name}"));
    (0..30).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("past/save");
    assert!(desk.told("message").starts_with("saved "), "{}", desk.told("message"));
    let mut other = self::desk(folder.path());
    other.viewer.handle(Event::Drop(folder.path().join("hero.recording")));
    other.frame(Vec::new());
    assert_eq!((other.told("error").as_str(), other.told("has_machine").as_str()), ("none", "true"));
    assert_eq!(other.viewer.inspector.document(), Some(&document));
    show_the_same(&desk, &mut other);
    other.click_on("tab/machine");
    other.frame(Vec::new());
    assert!(other.viewer.places().get(&format!("state/{name}")).is_positive(), "the graph of that machine");
    // After the machine is turned off, what is recorded is the file's character again.
    desk.click_on("tab/machine");
    desk.frame(Vec::new());
    desk.click_on("machine/off");
    (0..70).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("past/save");
    let mut third = self::desk(folder.path());
    third.viewer.handle(Event::Drop(folder.path().join("hero.recording")));
    third.frame(Vec::new());
    assert_eq!((third.told("error").as_str(), third.told("has_machine").as_str()), ("none", "false"));
    show_the_same(&desk, &mut third);
}

#[test]
fn recordings_of_others_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = desk(folder.path());
    (0..60).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("past/save");
    let file = folder.path().join("hero.recording");
    let bytes = std::fs::read(&file).unwrap();
    // Another model.
    let mut robot = Desk::new(&asset("robot.glb"));
    let before = robot.viewer.puppet.joints.clone();
    robot.viewer.handle(Event::Drop(file));
    let error = robot.told("error");
    assert!(
        error.contains("hero.recording: tape \"hero\": it was recorded on another skeleton than that of robot.glb"),
        "{error}"
    );
    assert_eq!((robot.viewer.puppet.joints.clone(), robot.told("inspector").as_str()), (before, "false"));
    // Another version, damage, and something else.
    let told = |desk: &mut Desk, bytes: &[u8]| {
        let file = folder.path().join("other.recording");
        std::fs::write(&file, bytes).unwrap();
        desk.viewer.handle(Event::Drop(file));
        desk.told("error")
    };
    let mut other = bytes.clone();
    other[4] = 9;
    let error = told(&mut desk, &other);
    assert!(error.contains("other.recording: the recording has version 9, expected 3"), "{error}");
    let middle = bytes.len() / 2;
    other.clone_from(&bytes);
    other[middle] ^= 1;
    assert!(told(&mut desk, &other).ends_with("the bytes have changed since they were written"));
    assert!(told(&mut desk, b"glTF").ends_with("these bytes are not a recording"));
    desk.viewer.handle(Event::Drop(folder.path().join("missing.recording")));
    assert!(desk.told("error").contains("missing.recording: "), "{}", desk.told("error"));
    assert_eq!(told(&mut desk, &bytes), "none");
}
