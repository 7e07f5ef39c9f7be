//! The viewer without a window: egui's input goes in, the state comes out.

mod avatar;
mod compare;
mod corpus;
pub(super) mod faces;
mod kept;
mod panels;
mod why;

use std::path::{Path, PathBuf};

use egui::{Event as Input, Modifiers, PointerButton, Pos2, RawInput, Rect};
use glam::Vec2;

use super::super::fonts;
use super::{Event, Key, Repeat, Viewer};

/// A viewer with panels that a test can click.
struct Desk {
    viewer: Viewer,
    context: egui::Context,
    size: egui::Vec2,
    time: f64,
}

impl Desk {
    fn new(file: &Path) -> Self {
        let mut desk = Self {
            viewer: Viewer::open(file).unwrap(),
            context: fonts::context(),
            size: egui::vec2(1000.0, 640.0),
            time: 0.0,
        };
        (0..3).for_each(|_| desk.frame(Vec::new()));
        desk
    }

    fn frame(&mut self, events: Vec<Input>) {
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        let output = self.context.clone().run_ui(input, |ui| self.viewer.ui(ui));
        assert!(output.shapes.len() < 100_000);
        self.viewer.update(1.0 / 60.0);
    }

    fn click(&mut self, place: Pos2) {
        let button = |pressed| Input::PointerButton {
            pos: place,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.frame(vec![Input::PointerMoved(place)]);
        self.frame(vec![button(true)]);
        self.frame(vec![button(false)]);
    }

    fn click_on(&mut self, name: &str) {
        self.click(self.viewer.places().get(name).center());
    }

    fn drag(&mut self, from: Pos2, to: Pos2, button: PointerButton) {
        let press = |pos, pressed| Input::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
        self.frame(vec![Input::PointerMoved(from)]);
        self.frame(vec![press(from, true)]);
        for step in 1..=5 {
            self.frame(vec![Input::PointerMoved(from.lerp(to, step as f32 / 5.0))]);
        }
        self.frame(vec![press(to, false)]);
        self.frame(Vec::new());
    }

    fn key(&mut self, key: egui::Key) {
        for pressed in [true, false] {
            self.frame(vec![Input::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            }]);
        }
    }

    fn clip(&mut self) -> Option<usize> {
        self.viewer.puppet.action().and_then(|action| action.clip())
    }
}

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets").join(name)
}

#[test]
fn clips_are_chosen_by_a_click_and_take_over_in_a_fade() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    assert_eq!(desk.clip(), Some(0));
    desk.click_on("clip/2");
    assert_eq!(desk.clip(), Some(2));
    assert!(desk.viewer.puppet.character.mixer.is_fading());
    (0..40).for_each(|_| desk.frame(Vec::new()));
    assert!(!desk.viewer.puppet.character.mixer.is_fading());
    desk.key(egui::Key::ArrowDown);
    assert_eq!(desk.clip(), Some(3));
    desk.key(egui::Key::ArrowUp);
    desk.key(egui::Key::ArrowUp);
    assert_eq!(desk.clip(), Some(1));
}

#[test]
fn space_and_the_button_pause_and_arrows_step() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    desk.key(egui::Key::Space);
    assert!(!desk.viewer.playback.is_playing);
    let before = desk.viewer.time();
    (0..10).for_each(|_| desk.frame(Vec::new()));
    assert_eq!(desk.viewer.time(), before, "it stands");
    desk.key(egui::Key::ArrowRight);
    assert!((desk.viewer.time() - before - 1.0 / 30.0).abs() < 1e-4, "{}", desk.viewer.time());
    desk.key(egui::Key::ArrowLeft);
    assert!((desk.viewer.time() - before).abs() < 1e-4);
    desk.key(egui::Key::Home);
    assert_eq!(desk.viewer.time(), 0.0);
    desk.click_on("play");
    assert!(desk.viewer.playback.is_playing);
    (0..5).for_each(|_| desk.frame(Vec::new()));
    assert!(desk.viewer.time() > 0.0);
}

#[test]
fn the_timeline_scrubs_and_playing_goes_on_from_there() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    let bar = desk.viewer.places().get("timeline");
    desk.key(egui::Key::Space);
    desk.drag(bar.left_center() + egui::vec2(20.0, 0.0), bar.center(), PointerButton::Primary);
    let middle = desk.viewer.duration() * 0.5;
    assert!((desk.viewer.time() - middle).abs() < 0.02, "{} of {middle}", desk.viewer.time());
    assert!(!desk.viewer.playback.is_playing && !desk.viewer.playback.is_scrubbing);
    desk.key(egui::Key::Space);
    (0..6).for_each(|_| desk.frame(Vec::new()));
    assert!(desk.viewer.time() > middle + 0.05, "{}", desk.viewer.time());
}

#[test]
fn a_clip_that_does_not_repeat_stops_and_begins_anew() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    desk.viewer.playback.repeat = Repeat::Once;
    desk.viewer.playback.speed = 4.0;
    (0..120).for_each(|_| desk.frame(Vec::new()));
    assert!(!desk.viewer.playback.is_playing, "it has come to its end");
    assert!((desk.viewer.time() - desk.viewer.duration()).abs() < 1e-3);
    desk.key(egui::Key::Space);
    assert!(desk.viewer.playback.is_playing);
    assert!(desk.viewer.time() < desk.viewer.duration() * 0.5, "{}", desk.viewer.time());
    desk.viewer.playback.repeat = Repeat::BackAndForth;
    let mut has_gone_back = false;
    for _ in 0..200 {
        let before = desk.viewer.time();
        desk.frame(Vec::new());
        has_gone_back |= desk.viewer.time() < before && desk.viewer.time() > 0.1;
    }
    assert!(has_gone_back && desk.viewer.playback.is_playing);
}

#[test]
fn the_mouse_turns_moves_and_zooms() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    let middle = desk.viewer.picture().center();
    let before = desk.viewer.orbit;
    desk.drag(middle, middle + egui::vec2(80.0, 0.0), PointerButton::Primary);
    assert_ne!(desk.viewer.orbit.turn, before.turn);
    assert_eq!(desk.viewer.orbit.target, before.target);
    desk.drag(middle, middle + egui::vec2(80.0, 0.0), PointerButton::Secondary);
    assert_ne!(desk.viewer.orbit.target, before.target);
    desk.viewer.handle(Event::Zoom(2.0));
    assert!(desk.viewer.orbit.distance < before.distance);
    desk.key(egui::Key::F);
    assert!((desk.viewer.orbit.distance - before.distance).abs() < before.distance * 0.3);
}

#[test]
fn switches_show_and_hide() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    let count = |desk: &mut Desk| {
        let mut count = 0;
        desk.viewer.draw(600, &mut |shot, _| count = shot.lines.len());
        count
    };
    assert_eq!(count(&mut desk), 0);
    desk.click_on("show/skeleton");
    let bones = count(&mut desk);
    assert!(bones > 25, "{bones}");
    desk.click_on("show/bounds");
    assert_eq!(count(&mut desk), bones + 12);
    desk.click_on("show/wireframe");
    desk.click_on("show/dark");
    let mut look = None;
    desk.viewer.draw(600, &mut |_, shown| look = Some(*shown));
    let look = look.unwrap();
    assert!(look.is_wireframe && look.scenery.is_dark());
    desk.click_on("show/names");
    assert!(desk.viewer.show.names);
    desk.click_on("show/feet");
    assert!(desk.viewer.show.feet);
    (0..60).for_each(|_| desk.frame(Vec::new()));
    let joints = &desk.viewer.puppet.joints;
    assert!(joints.iter().all(|joint| joint.is_finite()));
}

#[test]
fn the_head_follows_the_mouse() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    desk.viewer.handle(Event::Key(Key::Space));
    desk.click_on("show/aim");
    let skeleton = &desk.viewer.puppet.model.asset.skeleton;
    let head = skeleton.joints.iter().position(|joint| joint.name == "Head").unwrap();
    let mut look = |x: f32| {
        for _ in 0..120 {
            desk.viewer.handle(Event::Point(Some(Vec2::new(x, 0.3))));
            desk.viewer.update(1.0 / 60.0);
        }
        desk.viewer.puppet.joints[head].z_axis.truncate().try_normalize().unwrap()
    };
    let (left, right) = (look(0.05), look(0.95));
    assert!(left.angle_between(right) > 0.3, "{left} {right}");
}

#[test]
fn a_bad_file_is_told_and_the_good_one_stays() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.glb");
    std::fs::write(&bad, b"glTF but not really").unwrap();
    desk.viewer.handle(Event::Drop(bad));
    assert!(desk.viewer.error.as_ref().unwrap().contains("bad.glb"), "{:?}", desk.viewer.error);
    assert_eq!(desk.viewer.title(), "simple_humanoid.glb - Nebula");
    assert_eq!(desk.viewer.puppet.clips().count(), 12);
    (0..3).for_each(|_| desk.frame(Vec::new()));
    assert!(desk.viewer.places().get("error").is_positive());
    desk.viewer.handle(Event::Drop(asset("robot.glb")));
    assert_eq!((desk.viewer.error.as_deref(), desk.viewer.title().as_str()), (None, "robot.glb - Nebula"));
}

#[test]
fn a_file_that_is_written_again_is_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    std::fs::copy(asset("simple_humanoid.glb"), &file).unwrap();
    let mut desk = Desk::new(&file);
    desk.click_on("clip/2");
    let camera = desk.viewer.orbit;
    std::fs::write(&file, b"glTF half of it").unwrap();
    (0..90).for_each(|_| desk.frame(Vec::new()));
    assert!(desk.viewer.error.is_some(), "a half-written file is told");
    std::fs::copy(asset("simple_humanoid.glb"), &file).unwrap();
    let id = desk.viewer.puppet.model.id;
    (0..90).for_each(|_| desk.frame(Vec::new()));
    assert_eq!(desk.viewer.error, None);
    assert_ne!(desk.viewer.puppet.model.id, id);
    assert_eq!((desk.clip(), desk.viewer.orbit), (Some(2), camera), "where one was looking");
}

#[test]
fn windows_of_any_size_have_panels() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    desk.viewer.show.skeleton = true;
    desk.viewer.show.names = true;
    for size in [[1.0, 1.0], [0.0, 0.0], [40.0, 900.0], [3000.0, 20.0], [1000.0, 640.0]] {
        desk.size = size.into();
        (0..2).for_each(|_| desk.frame(Vec::new()));
        desk.viewer.draw(1, &mut |shot, _| assert!(shot.camera.eye.is_finite()));
        desk.key(egui::Key::F);
    }
}

/// The camera goes along with a clip that travels, sees it as large as one on the spot, and comes back after it.
#[test]
fn whoever_travels_stays_in_the_picture() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    let clip = |viewer: &Viewer, name: &str| viewer.puppet.clips().position(|clip| clip == name).unwrap();
    let start = desk.viewer.orbit.target;
    for (name, way) in [("run_root_motion", 1.7), ("jump_root_motion", 1.0)] {
        let clip = clip(&desk.viewer, name);
        desk.viewer.play(clip);
        desk.viewer.handle(Event::Key(Key::Space));
        desk.viewer.handle(Event::Key(Key::End));
        (0..60).for_each(|_| desk.frame(Vec::new()));
        let gone = desk.viewer.orbit.target - start;
        assert!((gone.z - way).abs() < 0.15 && gone.x.abs() < 0.1, "{name}: {gone}");
        desk.viewer.handle(Event::Key(Key::Frame));
        let [min, max] = desk.viewer.framed;
        assert!((max - min).max_element() < 2.6, "{name}: {min} {max}");
        let [low, high] = desk.viewer.puppet.bounds().unwrap();
        let middle = 0.5 * (low + high) - desk.viewer.orbit.target;
        assert!(middle.x.abs().max(middle.z.abs()) < 0.4, "{name}: {middle}");
        desk.viewer.handle(Event::Key(Key::Home));
        (0..3).for_each(|_| desk.frame(Vec::new()));
    }
    let idle = clip(&desk.viewer, "idle");
    desk.viewer.play(idle);
    (0..120).for_each(|_| desk.frame(Vec::new()));
    assert!(desk.viewer.gone.length() < 0.01, "{}", desk.viewer.gone);
}
