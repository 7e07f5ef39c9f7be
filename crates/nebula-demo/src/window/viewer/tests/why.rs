//! Explanations, the recorded past and the machine, clicked through.

use egui::{PointerButton, Pos2};
use nebula_animation::mixer::{MachineDocument, ParameterValue};
use nebula_animation::{AnimationClipLibrary, Asset, StateMachine, recorder::Recording};

use super::{Desk, Viewer, asset};
use crate::picture::View;

fn desk() -> Desk {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    desk.size = egui::vec2(1400.0, 900.0);
    desk.click_on("show/why");
    (0..90).for_each(|_| desk.frame(Vec::new()));
    desk
}

impl Viewer {
    pub(super) fn told(&self, name: &str) -> String {
        self.state().into_iter().find(|(known, _)| known == name).map(|(_, value)| value).unwrap_or_default()
    }
}

impl Desk {
    pub(super) fn told(&self, name: &str) -> String {
        self.viewer.told(name)
    }

    /// Where a joint is on the screen.
    pub(super) fn joint(&self, name: &str) -> Pos2 {
        let rect = self.viewer.picture();
        let view = View::new(&self.viewer.orbit.camera(), rect.width() as u32, rect.height() as u32);
        let joints = &self.viewer.puppet.model.asset.skeleton.joints;
        let index = joints.iter().position(|joint| joint.name == name).unwrap();
        let pixel = view.pixel_of(self.viewer.puppet.joints[index].w_axis.truncate()).unwrap();
        rect.min + egui::vec2(pixel.x, pixel.y)
    }
}

#[test]
fn a_joint_that_is_clicked_is_explained() {
    let mut desk = desk();
    assert!(desk.viewer.puppet.character.is_recording());
    desk.key(egui::Key::Space);
    desk.click(desk.joint("RightForeArm"));
    desk.frame(Vec::new());
    let joint: usize = desk.told("joint").parse().unwrap();
    assert_eq!(desk.viewer.puppet.model.asset.skeleton.joints[joint].name, "RightForeArm");
    let text = desk.viewer.inspector.told().unwrap().to_owned();
    assert!(text.starts_with("RightForeArm (joint") && text.contains("\"stroll\" at"), "{text}");
    let mut marks = 0;
    desk.viewer.draw(600, &mut |shot, _| marks = shot.lines.len());
    assert_eq!(marks, 1, "the joint is marked");
    // Turned off, nothing is recorded or drawn.
    desk.click_on("show/why");
    desk.frame(Vec::new());
    assert!(!desk.viewer.puppet.character.is_recording() && !desk.viewer.puppet.character.is_traced());
    desk.viewer.draw(600, &mut |shot, _| marks = shot.lines.len());
    assert_eq!(marks, 0);
}

#[test]
fn the_recorded_past_is_scrubbed_and_left() {
    let mut desk = desk();
    desk.click_on("clip/2");
    (0..60).for_each(|_| desk.frame(Vec::new()));
    let live = desk.viewer.puppet.joints.clone();
    let bar = desk.viewer.places().get("tracks");
    let (end, start) =
        (bar.right_center() - egui::vec2(4.0, 0.0), bar.left_center() + egui::vec2(bar.width() * 0.3, 0.0));
    desk.drag(end, start, PointerButton::Primary);
    let frame: u64 = desk.told("shown_frame").parse().unwrap();
    let frames = desk.viewer.puppet.character.tape().frames();
    let expected = frames.start + ((frames.end - frames.start) as f32 * 0.3) as u64;
    assert!(frame.abs_diff(expected) <= 2, "{frame} of {frames:?}");
    let past = desk.viewer.puppet.joints.clone();
    assert_ne!(past, live);
    (0..10).for_each(|_| desk.frame(Vec::new()));
    assert_eq!(desk.viewer.puppet.joints, past, "time stands");
    assert_eq!(desk.viewer.puppet.character.tape().frames(), frames, "and nothing is recorded");
    desk.click_on("past/back");
    assert_eq!(desk.told("shown_frame"), (frame - 1).to_string());
    desk.click_on("past/on");
    assert_eq!(desk.viewer.puppet.joints, past, "the same bits");
    desk.click_on("ghosts");
    let mut lines = 0;
    desk.viewer.draw(600, &mut |shot, _| lines = shot.lines.len());
    assert!(lines > 20, "{lines} lines of ghosts");
    desk.click_on("past/live");
    desk.frame(Vec::new());
    assert_eq!(desk.told("shown_frame"), "now");
    // Back again, and on from there.
    desk.drag(end, start, PointerButton::Primary);
    let frame: u64 = desk.told("shown_frame").parse().unwrap();
    desk.click_on("past/branch");
    let end = desk.viewer.puppet.character.tape().frames().end;
    assert!(desk.told("shown_frame") == "now" && end <= frame + 4, "{end} after {frame}");
}

/// A frame of the past was shown on the ground of the present, which had tilted on below its feet.
#[test]
fn a_past_frame_stands_on_the_ground_that_it_had() {
    let mut desk = desk();
    desk.click_on("show/feet");
    (0..60).for_each(|_| desk.frame(Vec::new()));
    let frame = desk.viewer.puppet.character.tape().frames().end - 1;
    let then = desk.viewer.terrain.normals[0];
    (0..90).for_each(|_| desk.frame(Vec::new()));
    assert!(then.angle_between(desk.viewer.terrain.normals[0]) > 0.05, "the ground tilts");
    let Viewer { inspector, puppet, .. } = &mut desk.viewer;
    inspector.go_to(&puppet.character, frame);
    for _ in 0..3 {
        desk.frame(Vec::new());
        let now = desk.viewer.terrain.normals[0];
        assert!(then.angle_between(now) < 1e-3, "{then} then, {now} now");
    }
}

#[test]
fn curves_and_layers_are_drawn_and_changed() {
    let mut desk = desk();
    desk.click(desk.joint("LeftFoot"));
    desk.click_on("tab/curves");
    desk.frame(Vec::new());
    assert!(desk.viewer.places().get("curve/turn (°)").is_positive());
    desk.click_on("tab/layers");
    desk.frame(Vec::new());
    let slider = desk.viewer.places().get("layer/0");
    desk.click(slider.left_center() + egui::vec2(20.0, 0.0));
    assert!(desk.viewer.puppet.character.mixer.weight < 0.9, "{}", desk.viewer.puppet.character.mixer.weight);
}

#[test]
fn a_machine_is_made_run_edited_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    std::fs::copy(asset("simple_humanoid.glb"), &file).unwrap();
    let mut desk = Desk::new(&file);
    desk.size = egui::vec2(1400.0, 1600.0);
    desk.click_on("show/why");
    desk.frame(Vec::new());
    desk.click_on("tab/machine");
    desk.frame(Vec::new());
    desk.click_on("machine/make");
    (0..20).for_each(|_| desk.frame(Vec::new()));
    assert_eq!((desk.told("has_machine").as_str(), desk.told("message").as_str()), ("true", "none"));
    assert!(desk.viewer.places().get("state/moving").is_positive());
    // A parameter: the blend goes elsewhere.
    let slider = desk.viewer.places().get("parameter/speed");
    desk.click(slider.left_center() + egui::vec2(30.0, 0.0));
    desk.frame(Vec::new());
    let value =
        |desk: &Desk| desk.viewer.puppet.character.machines[0].value(nebula_animation::mixer::ParameterId::new(0));
    let Some(ParameterValue::Float(speed)) = value(&desk) else { panic!("a number") };
    assert!(speed > 0.1, "{speed}");
    // A trigger: another state.
    let document = desk.viewer.inspector.document().unwrap().clone();
    let (name, _) =
        document.parameters.iter().find(|(_, value)| *value == ParameterValue::Trigger(false)).unwrap().clone();
    desk.click_on(&format!("parameter/{name}"));
    (0..3).for_each(|_| desk.frame(Vec::new()));
    assert_eq!(desk.viewer.puppet.character.machines[0].state_name(), name);
    // A fade and a sample of the blend are dragged, and saved.
    let place = desk.viewer.places().get("fade/0").center();
    desk.drag(place, place + egui::vec2(40.0, 0.0), PointerButton::Primary);
    let place = desk.viewer.places().get("sample/moving/1").center();
    desk.drag(place, place + egui::vec2(30.0, 0.0), PointerButton::Primary);
    desk.click_on("machine/save");
    desk.frame(Vec::new());
    assert!(desk.told("message").starts_with("saved "), "{}", desk.told("message"));
    let text = std::fs::read_to_string(folder.path().join("hero.machine.json")).unwrap();
    let saved = MachineDocument::from_json(&text).unwrap();
    assert!(saved.transitions[0].fade > document.transitions[0].fade + 0.05, "{}", saved.transitions[0].fade);
    let x = |document: &MachineDocument| document.states[0].blend.as_ref().unwrap().samples[1].x;
    assert!(x(&saved) > x(&document) + 0.05, "{} after {}", x(&saved), x(&document));
    assert!(matches!(saved.parameters[0].1, ParameterValue::Float(now) if (now - speed).abs() < 1e-6));
    let loaded = Asset::load(&file).unwrap();
    let library = AnimationClipLibrary::new(&loaded.rig(), &loaded.clips());
    StateMachine::from_json(&text, &library, library.markers()).unwrap();
    // The timeline tells of states; a clip of the list takes over.
    desk.click_on("clip/0");
    assert_eq!(desk.told("has_machine"), "false");
}

/// What is saved shows every frame again, elsewhere.
#[test]
fn the_recorded_frames_are_saved_and_shown_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    std::fs::copy(asset("simple_humanoid.glb"), &file).unwrap();
    let mut desk = Desk::new(&file);
    desk.size = egui::vec2(1400.0, 900.0);
    desk.click_on("show/why");
    (0..30).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("clip/2");
    (0..30).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("past/save");
    let recorder = &desk.viewer.puppet.character;
    assert!(desk.told("message").starts_with("saved "), "{}", desk.told("message"));
    let bytes = std::fs::read(folder.path().join("hero.recording")).unwrap();
    let recording = Recording::from_bytes(&bytes).unwrap();
    let tape = recording.tape("hero").unwrap();
    assert!(tape.frames().count() >= 60, "{:?}", tape.frames());
    // The character of another viewer that has opened the file.
    let mut other = Desk::new(&file);
    other.size = desk.size;
    other.click_on("show/why");
    let mut elsewhere = other.viewer.puppet.character.clone_character();
    let mut here = recorder.clone_character();
    for frame in tape.frames().step_by(7) {
        tape.restore(frame, &mut elsewhere).unwrap();
        recorder.tape().restore(frame, &mut here).unwrap();
        assert_eq!(elsewhere.palette(), here.palette(), "frame {frame}");
    }
    // What cannot be written is told.
    std::fs::remove_dir_all(folder.path()).unwrap();
    desk.click_on("past/save");
    assert!(desk.told("message").contains("hero.recording: "), "{}", desk.told("message"));
}
