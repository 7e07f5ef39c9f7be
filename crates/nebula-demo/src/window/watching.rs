//! A scene of the demo in a window: it plays by itself, and you watch it from any side.

use std::f32::consts::TAU;

use clap::ValueEnum;
use glam::Vec3;

use super::event::{Event, Key};
use super::overlay;
use super::places::Places;
use crate::gpu::Look;
use crate::picture::Camera;
use crate::scene::terrain::Hills;
use crate::scene::{Play, Scene};
use crate::show::shot::Shot;

/// A scene that is being shown.
pub struct Watching {
    scene: Scene,
    play: Play,
    /// Seconds since the scene began.
    time: f64,
    speed: f32,
    is_paused: bool,
    is_wireframe: bool,
    aside: Aside,
    picture: egui::Rect,
    places: Places,
    /// Seconds from one picture to the next, about.
    pace: f32,
    problem: Option<String>,
}

/// How far a person has moved the camera off its way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Aside {
    /// Radians to the side, and up.
    turn: f32,
    rise: f32,
    /// Times the distance.
    zoom: f32,
}

impl Aside {
    const NONE: Self = Self { turn: 0.0, rise: 0.0, zoom: 1.0 };

    /// The camera there, above the ground.
    fn moved(self, camera: Camera, hills: &Hills) -> Camera {
        let from = camera.eye - camera.target;
        if self == Self::NONE || !(from.length() > 0.0) {
            return camera;
        }
        let turn = from.x.atan2(from.z) + self.turn;
        let rise = ((from.y / from.length()).clamp(-1.0, 1.0).asin() + self.rise).clamp(-0.2, 1.5);
        let direction = Vec3::new(turn.sin() * rise.cos(), rise.sin(), turn.cos() * rise.cos());
        let eye = camera.target + direction * (from.length() * self.zoom);
        // No closer to the ground than the knees.
        Camera { eye: hills.lifted(eye, 0.4), ..camera }
    }
}

impl Watching {
    /// A scene from its beginning.
    ///
    /// # Errors
    /// One line: the shipped character lacks something.
    pub fn new(scene: Scene) -> Result<Self, String> {
        Ok(Self {
            scene,
            play: Play::smooth(Some(scene))?,
            time: 0.0,
            speed: 1.0,
            is_paused: false,
            is_wireframe: false,
            aside: Aside::NONE,
            picture: egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1100.0, 700.0)),
            places: Places::default(),
            pace: 0.0,
            problem: None,
        })
    }

    /// Does what a person asked for.
    pub fn handle(&mut self, event: Event) {
        let aside = &mut self.aside;
        match event {
            Event::Orbit(way) | Event::Pan(way) if way.is_finite() => {
                aside.turn = (aside.turn - way.x * 3.5).rem_euclid(TAU);
                aside.rise = (aside.rise + way.y * 3.5).clamp(-1.5, 1.5);
            }
            Event::Zoom(steps) if steps.is_finite() => {
                aside.zoom = (aside.zoom * (-0.15 * steps).exp()).clamp(0.2, 4.0);
            }
            Event::Key(Key::Space) => self.is_paused = !self.is_paused,
            Event::Key(Key::Left) => self.step(-1.0),
            Event::Key(Key::Right) => self.step(1.0),
            Event::Key(Key::Up) => self.choose(self.neighbour(-1)),
            Event::Key(Key::Down) => self.choose(self.neighbour(1)),
            Event::Key(Key::Home) => self.time = 0.0,
            Event::Key(Key::Frame) => *aside = Aside::NONE,
            Event::Key(Key::Wireframe) => self.is_wireframe = !self.is_wireframe,
            _ => {}
        }
    }

    /// Stands still, so many frames further.
    fn step(&mut self, frames: f64) {
        self.is_paused = true;
        self.time += frames / f64::from(self.play.frame_rate());
    }

    /// The scene before or after this one.
    fn neighbour(&self, way: isize) -> Scene {
        let all = Scene::value_variants();
        let at = all.iter().position(|scene| *scene == self.scene).unwrap_or(0);
        let next = (at as isize + way).rem_euclid(all.len() as isize);
        all[next as usize]
    }

    fn choose(&mut self, scene: Scene) {
        if scene == self.scene {
            return;
        }
        match Play::smooth(Some(scene)) {
            Ok(play) => (self.scene, self.play, self.time, self.problem) = (scene, play, 0.0, None),
            Err(problem) => self.problem = Some(problem),
        }
    }

    /// Lets time pass.
    pub fn update(&mut self, dt: f32) {
        let dt = if dt.is_finite() { dt.clamp(0.0, 1.0) } else { 0.0 };
        self.pace += (dt - self.pace) * if self.pace > 0.0 { 0.1 } else { 1.0 };
        if !self.is_paused {
            self.time += f64::from(dt * self.speed);
        }
    }

    /// The frame that is shown; after the last one comes the first.
    fn frame(&self) -> usize {
        let frame = (self.time * f64::from(self.play.frame_rate())).floor();
        frame.rem_euclid(self.play.frame_count() as f64) as usize
    }

    /// What is to be seen.
    pub fn draw(&mut self, draw: &mut dyn FnMut(&Shot<'_>, &Look)) {
        let (frame, aside) = (self.frame(), self.aside);
        let aspect = self.picture.aspect_ratio();
        let look = Look { is_wireframe: self.is_wireframe, ..Look::default() };
        let moved = |camera: Camera, hills: &Hills| aside.moved(camera, hills);
        self.play.show_from(frame, aspect, &moved, |shot| draw(shot, &look));
    }

    /// Draws the panel over the picture, and does what was asked for.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        self.picture = ui.max_rect();
        overlay::picture(ui, &mut self.places).into_iter().for_each(|event| self.handle(event));
        overlay::panel(ui, 210.0, |ui| self.panel(ui));
    }

    fn panel(&mut self, ui: &mut egui::Ui) {
        let mut chosen = self.scene;
        for scene in Scene::value_variants() {
            let name = name(*scene);
            let response = ui.selectable_value(&mut chosen, *scene, &name);
            self.places.note(format!("scene/{name}"), response.rect);
        }
        self.choose(chosen);
        ui.separator();
        ui.horizontal(|ui| {
            let response = ui.button(if self.is_paused { "Play" } else { "Pause" });
            self.places.note("pause", response.rect);
            self.is_paused ^= response.clicked();
            ui.spacing_mut().slider_width = 80.0;
            let response = ui.add(egui::Slider::new(&mut self.speed, 0.0..=2.0).text("speed").fixed_decimals(2));
            self.places.note("speed", response.rect);
        });
        let response = ui.checkbox(&mut self.is_wireframe, "Wireframe");
        self.places.note("wireframe", response.rect);
        if let Some(problem) = &self.problem {
            ui.colored_label(egui::Color32::LIGHT_RED, problem);
        }
        ui.separator();
        ui.label(format!("{:.0} pictures a second", 1.0 / self.pace.max(1e-3)));
        ui.weak("Drag: turn, wheel: zoom, F: as it was");
        ui.weak("Space, arrows, Home, Esc: end");
    }

    /// Whether pictures change by themselves.
    pub fn is_moving(&self) -> bool {
        !self.is_paused
    }

    /// The name of the window.
    pub fn title(&self) -> String {
        format!("Nebula: {}", name(self.scene))
    }

    /// Where the picture goes, in points.
    pub fn picture(&self) -> egui::Rect {
        self.picture
    }

    /// Where the parts of the panel are.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// What a test from outside may know: names and values.
    pub fn state(&self) -> Vec<(String, String)> {
        let Aside { turn, rise, zoom } = self.aside;
        [
            ("scene", name(self.scene)),
            ("is_paused", self.is_paused.to_string()),
            ("shown", self.frame().to_string()),
            ("camera", format!("{turn:.3} {rise:.3} {zoom:.2}")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}

/// What the command line calls a scene.
fn name(scene: Scene) -> String {
    scene.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    /// What is seen: the camera, and where the first body's first joint is.
    fn seen(watching: &mut Watching) -> (Camera, Option<glam::Mat4>) {
        let mut seen = None;
        watching.draw(&mut |shot, _| {
            seen = Some((shot.camera, shot.bodies.first().and_then(|body| body.palette.first().copied())));
        });
        seen.expect("something is drawn")
    }

    #[test]
    fn scenes_play_pause_step_and_repeat() {
        let mut watching = Watching::new(Scene::Walk).unwrap();
        let start = seen(&mut watching).1;
        watching.update(0.2);
        assert_ne!(seen(&mut watching).1, start, "it moves");
        watching.handle(Event::Key(Key::Space));
        let paused = seen(&mut watching).1;
        watching.update(0.5);
        assert_eq!(seen(&mut watching).1, paused);
        watching.handle(Event::Key(Key::Right));
        assert_ne!(seen(&mut watching).1, paused, "a step on");
        watching.handle(Event::Key(Key::Left));
        assert_eq!(seen(&mut watching).1, paused, "and back");
        watching.handle(Event::Key(Key::Home));
        assert_eq!(seen(&mut watching).1, start);
        watching.handle(Event::Key(Key::Left));
        assert_eq!(watching.frame(), watching.play.frame_count() - 1, "before the first frame is the last one");
    }

    /// The frames of films are among those of windows.
    #[test]
    fn windows_show_what_films_show() {
        for scene in [Scene::Slope, Scene::Crowd] {
            let mut film = Play::new(Some(scene), None).unwrap();
            let mut watching = Watching::new(scene).unwrap();
            for frame in [0, 7, film.frame_count() - 1] {
                watching.time = (frame as f64 + 0.25) / f64::from(film.frame_rate());
                let of_film = film.show(frame, watching.picture.aspect_ratio(), |shot| {
                    (shot.camera, shot.bodies.first().and_then(|body| body.palette.first().copied()))
                });
                assert_eq!(seen(&mut watching), of_film, "{scene:?} {frame}");
            }
        }
    }

    #[test]
    fn cameras_are_moved_and_stay_above_the_ground() {
        let mut watching = Watching::new(Scene::Tpose).unwrap();
        let before = seen(&mut watching).0;
        watching.handle(Event::Orbit(Vec2::new(0.1, 0.0)));
        watching.handle(Event::Zoom(2.0));
        let after = seen(&mut watching).0;
        assert!(after.eye.distance(after.target) < before.eye.distance(before.target) * 0.9);
        for way in [Vec2::NAN, Vec2::splat(-1e20), Vec2::new(-3.0, -40.0), Vec2::new(0.3, 40.0)] {
            watching.handle(Event::Orbit(way));
            watching.handle(Event::Zoom(way.x));
            let camera = seen(&mut watching).0;
            let height = std::cell::Cell::new(f32::NAN);
            let measure = |given: Camera, hills: &Hills| {
                height.set(hills.height(Vec2::new(camera.eye.x, camera.eye.z)));
                given
            };
            watching.play.show_from(0, 1.0, &measure, |_| ());
            assert!(camera.eye.is_finite() && camera.eye.y > height.get() + 0.3, "{way} {camera:?}");
        }
        watching.handle(Event::Key(Key::Frame));
        assert_eq!(seen(&mut watching).0, before);
    }

    #[test]
    fn arrows_go_through_all_scenes() {
        let mut watching = Watching::new(Scene::Tpose).unwrap();
        let count = Scene::value_variants().len();
        watching.handle(Event::Key(Key::Up));
        assert_eq!(watching.scene, *Scene::value_variants().last().unwrap());
        for _ in 0..count {
            watching.handle(Event::Key(Key::Down));
        }
        assert_eq!(watching.scene, *Scene::value_variants().last().unwrap());
    }
}
