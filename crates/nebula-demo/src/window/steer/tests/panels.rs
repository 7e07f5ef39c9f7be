//! The panels of the demo, clicked through: the machines that drive the hero, its layers, curves and ghosts, and its recordings.

use egui::{Event as Told, Modifiers, PointerButton, Pos2, RawInput, Rect};
use nebula_animation::LayerId;
use nebula_animation::mixer::{FadeCurve, MachineDocument};

use super::*;
use crate::window::fonts;

/// The demo with panels that a test can click.
struct Seat {
    steering: Steering,
    context: egui::Context,
    time: f64,
}

const SIZE: egui::Vec2 = egui::vec2(1500.0, 1500.0);

impl Seat {
    fn new() -> Self {
        let mut seat = Self { steering: Steering::new().unwrap(), context: fonts::context(), time: 0.0 };
        seat.steering.inspector.is_open = true;
        seat.pass(1.5);
        seat
    }

    fn frame(&mut self, events: Vec<Told>) {
        self.time += 1.0 / 60.0;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, SIZE));
        let input = RawInput { screen_rect, time: Some(self.time), events, ..RawInput::default() };
        let _ = self.context.clone().run_ui(input, |ui| self.steering.ui(ui));
        self.steering.update(1.0 / 60.0);
    }

    fn pass(&mut self, seconds: f32) {
        (0..(60.0 * seconds) as u32).for_each(|_| self.frame(Vec::new()));
    }

    fn press(&mut self, pos: Pos2, pressed: bool) {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        self.frame(vec![Told::PointerButton { pos, button, pressed, modifiers }]);
    }

    fn click(&mut self, place: Pos2) {
        self.frame(vec![Told::PointerMoved(place)]);
        self.press(place, true);
        self.press(place, false);
        self.frame(Vec::new());
    }

    fn click_on(&mut self, name: &str) {
        self.click(self.steering.places().get(name).center());
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.frame(vec![Told::PointerMoved(from)]);
        self.press(from, true);
        (1..=5).for_each(|step| self.frame(vec![Told::PointerMoved(from.lerp(to, step as f32 / 5.0))]));
        self.press(to, false);
        self.frame(Vec::new());
    }

    fn told(&self, name: &str) -> String {
        self.steering.state().into_iter().find(|(known, _)| known == name).map(|(_, value)| value).unwrap()
    }

    fn machine(&self, nth: usize) -> &str {
        self.steering.hero.character.machines[nth].state_name()
    }

    /// Holds a key for so many seconds.
    fn walk(&mut self, seconds: f32) {
        self.hold_forward(true);
        self.pass(seconds);
        self.hold_forward(false);
    }

    /// Presses the key to walk, or lets it go.
    fn hold_forward(&mut self, is_held: bool) {
        let key = |pressed| Told::Key {
            key: egui::Key::W,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        self.frame(vec![key(is_held)]);
    }

    fn lines(&mut self) -> usize {
        let mut count = 0;
        self.steering.draw(600, &mut |shot, _| count = shot.lines.len());
        count
    }
}

#[test]
fn a_joint_of_the_hero_is_clicked_and_explained() {
    let mut seat = Seat::new();
    let steering = &seat.steering;
    let view = View::new(&steering.camera(), SIZE.x as u32, SIZE.y as u32);
    let (joint, (_, place)) = steering.hero.joints().enumerate().find(|(_, (name, _))| *name == "LeftLeg").unwrap();
    let pixel = view.pixel_of(place).unwrap();
    let none = seat.lines();
    seat.click(Pos2::new(pixel.x, pixel.y));
    assert_eq!(seat.told("joint"), joint.to_string());
    let text = seat.steering.inspector.told().unwrap();
    assert!(text.starts_with("LeftLeg (joint") && text.contains("\"idle\" at"), "{text}");
    assert!(text.contains("in state \"idle\"") && text.contains("FootPlacement"), "{text}");
    assert_eq!(seat.lines(), none + 1, "it is marked");
    // Its curves, against the frames.
    seat.click_on("tab/curves");
    let steering = &seat.steering;
    let (tape, values) = (steering.hero.character.tape(), steering.inspector.curve_values());
    let mut past = steering.hero.character.clone_character();
    for nth in [0, 30, 60] {
        tape.restore(tape.frames().start + nth as u64, &mut past).unwrap();
        assert_eq!(values[1][nth], past.frame().model_matrix(joint as u16).w_axis.y, "frame {nth}");
    }
}

#[test]
fn ghosts_of_the_hero_are_where_it_was() {
    let mut seat = Seat::new();
    seat.walk(2.0);
    let none = seat.lines();
    seat.click_on("ghosts");
    let bones = seat.steering.hero.character.rig().joints.iter().filter(|joint| joint.parent.is_some()).count();
    assert_eq!(seat.lines() - none, 6 * bones, "six of them");
    let (mut farthest, place) = (0.0_f32, seat.steering.hero.walker.place());
    seat.steering.draw(600, &mut |shot, _| {
        farthest = shot.lines.iter().map(|line| line.start.with_y(0.0).distance(place.with_y(0.0))).fold(0.0, f32::max);
    });
    // 72 frames ago, at a stroll of 0.6 m/s, with arms that hang.
    assert!((0.5..1.5).contains(&farthest), "{farthest} m");
}

#[test]
fn the_arm_has_a_layer_of_its_own() {
    let mut seat = Seat::new();
    seat.steering.hero.wave(true);
    seat.pass(1.0);
    assert_eq!(seat.machine(1), "wave");
    seat.click_on("tab/layers");
    let weight = |seat: &Seat| seat.steering.hero.character.mixer.layer(LayerId::new(1)).unwrap().weight;
    assert_eq!(weight(&seat), 1.0);
    let slider = seat.steering.places().get("layer/1");
    seat.click(slider.left_center() + egui::vec2(25.0, 0.0));
    assert!((0.05..0.6).contains(&weight(&seat)), "{}", weight(&seat));
    assert_eq!(seat.steering.hero.character.mixer.weight, 1.0, "the body has another layer");
}

#[test]
fn the_machine_of_the_hero_lives_in_its_tab() {
    let mut seat = Seat::new();
    seat.click_on("tab/machine");
    for name in ["asleep", "idle", "gait", "jump"] {
        assert!(seat.steering.places().get(&format!("state/{name}")).is_positive(), "{name}");
    }
    assert!(seat.steering.places().get("state/1:wave").is_positive(), "that of the arm");
    let has = |seat: &Seat, name: &str| seat.steering.places().iter().any(|(known, _)| known == name);
    assert!(!has(&seat, "machine/off") && !has(&seat, "machine/make"), "inputs decide what the hero does");
    assert_eq!((seat.machine(0), seat.told("marked").as_str()), ("idle", "asleep -> idle"));
    seat.hold_forward(true);
    seat.pass(1.0);
    assert_eq!((seat.machine(0), seat.told("marked").as_str()), ("gait", "idle -> gait"));
    seat.hold_forward(false);
    seat.pass(1.0);
    seat.click_on("parameter/jump");
    assert_eq!(seat.machine(0), "jump");
    seat.pass(2.5);
    assert_eq!(seat.machine(0), "idle", "it has landed");
    // The timeline tells of it all.
    let rows = seat.steering.inspector.timeline_rows(&seat.steering.hero.character);
    for row in ["state idle", "state gait", "state jump", "state as the body"] {
        assert!(rows.iter().any(|(name, _)| name == row), "no {row} among {rows:?}");
    }
}

/// Edited while it stands: it goes on as it was, and then by what was edited.
#[test]
fn fades_and_samples_of_the_hero_are_edited_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut seat = Seat::new();
    seat.steering.inspector.save_beside(&folder.path().join("hero.glb"));
    seat.click_on("tab/machine");
    seat.walk(1.5);
    seat.pass(1.0);
    let before = seat.steering.hero.documents().to_vec();
    let fade = seat.steering.places().get("fade/4").center();
    seat.drag(fade, fade + egui::vec2(40.0, 0.0));
    let sample = seat.steering.places().get("sample/gait/1").center();
    seat.drag(sample, sample + egui::vec2(30.0, 0.0));
    let documents = seat.steering.hero.documents().to_vec();
    assert!(documents[0].transitions[4].fade > before[0].transitions[4].fade + 0.05);
    let x = |documents: &[MachineDocument]| documents[0].states[2].blend.as_ref().unwrap().samples[1].x;
    assert!(x(&documents) > x(&before) + 0.05, "{} after {}", x(&documents), x(&before));
    assert_eq!(seat.machine(0), "idle");
    // Another one, of which nobody has changed anything, in the same frames.
    let mut other = Seat::new();
    other.click_on("tab/machine");
    other.walk(1.5);
    other.pass(1.0);
    (0..2).for_each(|_| other.drag(Pos2::new(700.0, 1400.0), Pos2::new(700.0, 1400.0)));
    let shown = |seat: &Seat| seat.steering.hero.character.frame().shown().to_vec();
    assert_eq!(shown(&seat), shown(&other), "the same clips at the same times");
    // A foot that was left behind when it stopped steps below the body.
    let is_leg = |name: &str| ["Leg", "Foot", "Toe"].iter().any(|part| name.contains(part));
    let joints = |seat: &Seat| -> Vec<Vec3> {
        let joints = seat.steering.hero.joints().filter(|(name, _)| !is_leg(name));
        joints.map(|(_, place)| place).collect()
    };
    let moved = joints(&seat).iter().zip(joints(&other)).map(|(now, then)| now.distance(then)).fold(0.0, f32::max);
    assert!(moved < 0.03, "it stands as it would have: {moved} m away");
    seat.click_on("machine/save");
    assert!(seat.told("message").starts_with("saved "), "{}", seat.told("message"));
    for (name, document) in ["hero.machine.json", "hero.2.machine.json"].iter().zip(&documents) {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let saved = MachineDocument::from_json(&text).unwrap();
        assert_eq!((&saved.transitions, &saved.states), (&document.transitions, &document.states), "{name}");
    }
    // It still listens.
    seat.hold_forward(true);
    seat.pass(1.0);
    assert_eq!(seat.machine(0), "gait");
    seat.hold_forward(false);
    // The buttons for the curve of fades are about the machine, too.
    seat.click_on("fade/linear");
    seat.pass(0.1);
    assert!(seat.steering.hero.documents()[0].transitions.iter().all(|way| way.curve == FadeCurve::Linear));
    assert_eq!(x(seat.steering.hero.documents()), x(&documents), "where clips lie stays");
}

/// A recording of the demo is shown in the demo, and gone on from.
#[test]
fn a_recording_of_the_hero_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut seat = Seat::new();
    seat.steering.inspector.save_beside(&folder.path().join("hero.glb"));
    seat.walk(2.0);
    seat.click_on("past/save");
    assert!(seat.told("message").starts_with("saved "), "{}", seat.told("message"));
    let mut other = Seat::new();
    other.steering.handle(Event::Drop(folder.path().join("hero.recording")));
    other.frame(Vec::new());
    let end = other.steering.hero.character.tape().frames().end;
    assert_eq!(other.told("shown_frame"), (end - 1).to_string(), "{}", other.told("message"));
    let frame = end - 60;
    for seat in [&mut seat, &mut other] {
        let Steering { inspector, hero, .. } = &mut seat.steering;
        inspector.go_to(&hero.character, frame);
        seat.steering.follow_inspector();
    }
    let shown = |seat: &Seat| {
        let [body, sword] = seat.steering.hero.bodies();
        (body.palette.to_vec(), body.place, sword.place)
    };
    assert_eq!(shown(&other), shown(&seat), "it is as it was, where it was");
    let stood = shown(&other).1.w_axis.truncate();
    other.click_on("past/branch");
    other.pass(0.1);
    assert_eq!(other.told("shown_frame"), "now");
    assert!(other.steering.hero.walker.place().distance(stood) < 0.3);
    // One that is none is refused.
    let file = folder.path().join("other.recording");
    std::fs::write(&file, b"NBRC").unwrap();
    other.steering.handle(Event::Drop(file));
    other.frame(Vec::new());
    assert!(other.told("message").contains("other.recording: the recording is too short"), "{}", other.told("message"));
}
