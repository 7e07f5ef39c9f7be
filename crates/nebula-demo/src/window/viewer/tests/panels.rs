//! What the panels of the recorded past show, and what they change.

use egui::PointerButton;
use glam::Vec3;
use nebula_animation::mixer::{
    FadeCurve, MachineDocument, Motion, ParameterId, ParameterValue, StateDocument, TransitionDocument,
};

use super::{Desk, asset};

fn desk() -> Desk {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    desk.size = egui::vec2(1400.0, 1300.0);
    desk.click_on("show/why");
    desk.frame(Vec::new());
    desk
}

/// A viewer whose character is driven by the machine of a document, opened by a click.
fn driven(document: &MachineDocument) -> (tempfile::TempDir, Desk) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    std::fs::copy(asset("simple_humanoid.glb"), &file).unwrap();
    std::fs::write(folder.path().join("hero.machine.json"), document.to_json().unwrap()).unwrap();
    let mut desk = Desk::new(&file);
    desk.size = egui::vec2(1400.0, 1300.0);
    desk.click_on("show/why");
    desk.frame(Vec::new());
    desk.click_on("tab/machine");
    desk.frame(Vec::new());
    desk.click_on("machine/open");
    (0..3).for_each(|_| desk.frame(Vec::new()));
    assert_eq!((desk.told("has_machine").as_str(), desk.told("message").as_str()), ("true", "none"));
    (folder, desk)
}

/// A flag and a trigger.
fn document() -> MachineDocument {
    MachineDocument::new("standing")
        .with_parameter("walks", ParameterValue::Bool(false))
        .with_parameter("jump", ParameterValue::Trigger(false))
        .with_state(StateDocument::clip("standing", "idle"))
        .with_state(StateDocument::clip("walking", "walk"))
        .with_state(StateDocument::clip("Jump_standing", "jump").once())
        .with_transition(TransitionDocument::new("standing", "walking").when("walks").with_fade(0.25))
        .with_transition(TransitionDocument::new("walking", "standing").when("!walks").with_fade(0.25))
        .with_transition(TransitionDocument::new("standing", "Jump_standing").when("jump").with_fade(0.1))
        .with_transition(TransitionDocument::new("Jump_standing", "walking").after(0.9).with_fade(0.2))
}

fn state(desk: &Desk) -> &str {
    desk.viewer.puppet.character.machines[0].state_name()
}

/// Against the frames, each restored by itself.
#[test]
fn curves_are_where_the_joint_was_in_each_frame() {
    let mut desk = desk();
    desk.click_on("clip/2");
    (0..50).for_each(|_| desk.frame(Vec::new()));
    desk.key(egui::Key::Space);
    desk.click(desk.joint("LeftFoot"));
    desk.click_on("tab/curves");
    desk.frame(Vec::new());
    let joint: u16 = desk.told("joint").parse().unwrap();
    let recorder = &desk.viewer.puppet.character;
    let (frames, mut past) = (recorder.tape().frames(), recorder.clone_character());
    let values = desk.viewer.inspector.curve_values().clone();
    let count = values[0].len();
    assert!(count >= 50 && values.iter().all(|curve| curve.len() == count), "{count} of {frames:?}");
    let rest = recorder.rig().joints[usize::from(joint)].bind_rotation;
    let mut extent = [f32::INFINITY, f32::NEG_INFINITY];
    for nth in (0..count).step_by(7) {
        recorder.tape().restore(frames.start + nth as u64, &mut past).unwrap();
        let place: Vec3 = past.frame().model_matrix(joint).w_axis.truncate();
        let turn = past.frame().local(joint).1.angle_between(rest).to_degrees();
        let shown = [values[0][nth], values[1][nth], values[2][nth], values[3][nth]];
        assert_eq!(shown, [place.x, place.y, place.z, turn], "frame {nth}");
        extent = [extent[0].min(place.z), extent[1].max(place.z)];
    }
    assert!(extent[1] - extent[0] > 0.1, "the foot goes back and forth: {extent:?}");
    // Another joint has other curves.
    desk.click_on("tab/why");
    desk.click(desk.joint("Head"));
    desk.click_on("tab/curves");
    desk.frame(Vec::new());
    assert_ne!(desk.viewer.inspector.curve_values()[1][..5], values[1][..5]);
}

#[test]
fn the_timeline_has_clips_fades_events_contacts_locks_and_states() {
    let (_folder, mut desk) = driven(&document());
    desk.click_on("show/feet");
    (0..20).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("parameter/walks");
    (0..90).for_each(|_| desk.frame(Vec::new()));
    let rows = desk.viewer.inspector.timeline_rows(&desk.viewer.puppet.character);
    let of = |name: &str| &rows.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{rows:?}")).1;
    let (idle, walk) = (of("idle"), of("walk"));
    assert!(idle[5] == 1.0 && walk[5] == 0.0 && *walk.last().unwrap() == 1.0);
    let begins = walk.iter().position(|weight| *weight > 0.0).unwrap();
    assert!(idle[begins] > 0.0 && idle[begins] < 1.0, "one takes over from the other");
    // The fade of a quarter of a second is there for 15 frames, and becomes less.
    let fade = of("fade left");
    let fading: Vec<f32> = fade.iter().copied().filter(|left| *left > 0.0).collect();
    assert!((13..=16).contains(&fading.len()), "{fading:?}");
    assert!(fading.windows(2).all(|pair| pair[1] < pair[0]), "{fading:?}");
    let (standing, walking) = (of("state standing"), of("state walking"));
    assert!(standing.iter().zip(walking).all(|(a, b)| a + b == 1.0), "one or the other");
    assert!((begins - 1..=begins + 1).contains(&walking.iter().position(|is_in| *is_in > 0.0).unwrap()));
    // A foot that is down is 0.4, and one that is locked to its print is 1; while walking both come and go.
    for foot in ["foot 0: down, locked", "foot 1: down, locked"] {
        let amounts = &of(foot)[begins + 20..];
        assert!(amounts.iter().all(|amount| [0.0, 0.4, 1.0].contains(amount)));
        assert!(amounts.contains(&0.0) && amounts.contains(&1.0), "{foot}: {amounts:?}");
    }
    let events = of("events");
    assert!(events[begins..].contains(&1.0) && events.contains(&0.0), "steps are marked in the clip: {events:?}");
}

/// More clips than have rows of their own are told of together.
#[test]
fn what_has_no_row_of_its_own_is_counted() {
    let mut desk = desk();
    let count = desk.viewer.puppet.clips().count();
    for clip in 0..count {
        desk.viewer.play(clip);
        (0..3).for_each(|_| desk.frame(Vec::new()));
    }
    let rows = desk.viewer.inspector.timeline_rows(&desk.viewer.puppet.character);
    let own = rows.iter().filter(|(name, _)| desk.viewer.puppet.clips().any(|clip| clip == name)).count();
    let others = rows.iter().find(|(name, _)| name.contains("more clips"));
    match others {
        None => assert_eq!(own, count, "{rows:?}"),
        Some((name, amounts)) => {
            assert_eq!(*name, format!("and {} more clips", count - own));
            assert!(amounts.iter().any(|amount| *amount > 0.0));
        }
    }
    assert!(own >= 12.min(count));
}

#[test]
fn a_flag_is_clicked_and_the_arrow_of_its_transition_is_marked() {
    let (_folder, mut desk) = driven(&document());
    assert_eq!(state(&desk), "standing");
    desk.click_on("parameter/walks");
    (0..3).for_each(|_| desk.frame(Vec::new()));
    assert_eq!(state(&desk), "walking");
    assert_eq!(desk.told("marked"), "standing -> walking", "and not the one to Jump_standing");
    desk.click_on("parameter/walks");
    (0..3).for_each(|_| desk.frame(Vec::new()));
    assert_eq!((state(&desk), desk.told("marked").as_str()), ("standing", "walking -> standing"));
}

#[test]
fn the_curve_of_a_fade_is_chosen_and_saved() {
    let (folder, mut desk) = driven(&document());
    desk.click_on("curve/0");
    (0..2).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("curve/0/inertialised");
    (0..2).for_each(|_| desk.frame(Vec::new()));
    assert_eq!(desk.viewer.inspector.document().unwrap().transitions[0].curve, FadeCurve::Inertialised);
    desk.click_on("machine/save");
    desk.frame(Vec::new());
    let text = std::fs::read_to_string(folder.path().join("hero.machine.json")).unwrap();
    let saved = MachineDocument::from_json(&text).unwrap();
    assert_eq!(saved.transitions[0].curve, FadeCurve::Inertialised);
    assert_eq!(saved.transitions[1].curve, document().transitions[1].curve, "the others are as they were");
}

/// Somebody else's document stays as it is until one says that it may be replaced.
#[test]
fn a_file_that_is_there_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let (file, kept) = (folder.path().join("hero.glb"), folder.path().join("hero.machine.json"));
    std::fs::copy(asset("simple_humanoid.glb"), &file).unwrap();
    std::fs::write(&kept, "somebody's own").unwrap();
    let mut desk = Desk::new(&file);
    desk.size = egui::vec2(1400.0, 1300.0);
    desk.click_on("show/why");
    desk.frame(Vec::new());
    desk.click_on("tab/machine");
    desk.frame(Vec::new());
    desk.click_on("machine/make");
    desk.frame(Vec::new());
    desk.click_on("machine/save");
    desk.frame(Vec::new());
    assert!(desk.told("message").ends_with("hero.machine.json is there already"), "{}", desk.told("message"));
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "somebody's own");
    desk.click_on("machine/replace");
    desk.frame(Vec::new());
    assert!(desk.told("message").starts_with("saved "), "{}", desk.told("message"));
    let document = MachineDocument::from_json(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    assert_eq!(Some(&document), desk.viewer.inspector.document());
    // It is the viewer's own now.
    desk.click_on("machine/save");
    desk.frame(Vec::new());
    assert!(desk.told("message").starts_with("saved "), "{}", desk.told("message"));
}

/// The place of a blend is the machine's parameter.
#[test]
fn a_place_in_a_blend_is_dragged() {
    let mut desk = desk();
    desk.click_on("tab/machine");
    desk.frame(Vec::new());
    desk.click_on("machine/make");
    (0..5).for_each(|_| desk.frame(Vec::new()));
    desk.click_on("tab/layers");
    desk.frame(Vec::new());
    let line = desk.viewer.places().get("space/0");
    let at = |part: f32| line.left_center() + egui::vec2(10.0 + part * (line.width() - 20.0), 0.0);
    let blend = desk.viewer.inspector.document().unwrap().states[0].blend.clone().unwrap();
    let (first, last) = (blend.samples[0].x, blend.samples.last().unwrap().x);
    for part in [0.75, 0.25, 1.0] {
        desk.drag(at(0.5), at(part), PointerButton::Primary);
        let expected = first + part * (last - first);
        let character = &desk.viewer.puppet.character;
        let Some(ParameterValue::Float(speed)) = character.machines[0].value(ParameterId::new(0)) else { panic!() };
        let place = character.mixer.blend_position(Motion::Space(0)).unwrap().x;
        assert!((speed - expected).abs() < 0.05 * (last - first), "{speed}, expected {expected}");
        assert_eq!(place, speed, "the blend is there");
    }
}
