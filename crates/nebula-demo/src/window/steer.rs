//! The demo in a window: a hero that you steer over hills.

#[cfg(test)]
mod tests;
mod why;

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};
use nebula_animation::{AimLayer, BodyLean, BreathingLayer, FootPlacement, mixer::FadeCurve, procedural::Faded};

use super::event::{Event, Key};
use super::inspect::Inspector;
use super::overlay;
use super::places::Places;
use crate::gpu::{Look, Scenery};
use crate::picture::{Camera, Light, Line, View};
use crate::scene::cast::Cast;
use crate::scene::hero::Hero;
use crate::scene::terrain::Hills;
use crate::scene::walker::Input;
use crate::show::figure::skeleton_lines;
use crate::show::shot::{Body, Floor, Shot, Terrain};

/// The demo's state.
pub struct Steering {
    hero: Hero,
    cast: Arc<Cast>,
    terrain: Terrain,
    /// Where the terrain is finest.
    middle: Vec2,
    camera: Follower,
    held: Held,
    show: Show,
    /// Why it moves as it does.
    inspector: Inspector,
    /// What the recorded frames have beside the character.
    course: why::Course,
    picture: egui::Rect,
    places: Places,
    time: f32,
    lines: Vec<Line>,
}

/// Keys that are held down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Held {
    /// Away from the camera.
    pub forward: bool,
    /// Towards the camera.
    pub back: bool,
    /// To the left of the picture.
    pub left: bool,
    /// To its right.
    pub right: bool,
    /// Faster.
    pub run: bool,
}

/// What is shown beside the surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Show {
    skeleton: bool,
    names: bool,
    contacts: bool,
    wireframe: bool,
    is_waving: bool,
}

/// A camera that goes after the hero.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Follower {
    target: Vec3,
    turn: f32,
    rise: f32,
    distance: f32,
}

/// Metres along z after which the hills repeat.
const PERIOD: f32 = 40.0;

/// How far the finest triangles of the terrain go, how far it is seen, and how far the hero goes before it is made anew.
const NEAR: f32 = 9.0;
const FOG: f32 = 60.0;
const STRAY: f32 = 5.0;

/// Seconds of the T-pose at the start.
const T_POSE: f32 = 0.8;

impl Steering {
    /// The hero on a hill, in its T-pose.
    ///
    /// # Errors
    /// One line: the shipped character lacks something.
    pub fn new() -> Result<Self, String> {
        let cast = Cast::load()?;
        let hills = Hills::rolling(PERIOD);
        let hero = Hero::new(&cast, hills, Vec2::ZERO).map_err(|error| error.to_string())?;
        let target = hero.walker.place() + Vec3::Y;
        Ok(Self {
            terrain: hills.mesh(Vec2::ZERO, NEAR, FOG),
            middle: Vec2::ZERO,
            camera: Follower { target, turn: 0.6, rise: 0.14, distance: 5.0 },
            held: Held::default(),
            show: Show::default(),
            inspector: Inspector::of_driven(),
            course: why::Course::default(),
            picture: egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1100.0, 700.0)),
            places: Places::default(),
            time: 0.0,
            lines: Vec::new(),
            hero,
            cast,
        })
    }

    /// The keys that are held down from now on.
    pub fn hold(&mut self, held: Held) {
        self.held = held;
    }

    /// Does what a person asked for.
    pub fn handle(&mut self, event: Event) {
        let camera = &mut self.camera;
        match event {
            Event::Orbit(way) | Event::Pan(way) if way.is_finite() => {
                camera.turn = (camera.turn - way.x * 3.5).rem_euclid(std::f32::consts::TAU);
                camera.rise = (camera.rise + way.y * 3.5).clamp(-0.2, 1.5);
            }
            Event::Zoom(steps) if steps.is_finite() => {
                camera.distance = (camera.distance * (-0.15 * steps).exp()).clamp(1.5, 25.0);
            }
            Event::Click(at) => self.pick(at),
            Event::Drop(file) => self.open_recording(&file),
            Event::Key(Key::Space) => self.hero.jump(),
            Event::Key(Key::Skeleton) => self.show.skeleton = !self.show.skeleton,
            _ => {}
        }
    }

    /// Lets time pass.
    pub fn update(&mut self, dt: f32) {
        let dt = if dt.is_finite() { dt.clamp(0.0, 0.25) } else { 0.0 };
        if !self.inspector.is_past() {
            self.time += dt;
            if self.time >= T_POSE {
                self.hero.wake();
            }
            self.hero.gaze = self.lamp();
            let input = self.input();
            self.hero.update(dt, &input);
            self.inspector.observe(&self.hero.character, Mat4::from(self.hero.walker.world_from_model()));
            self.note();
        }
        let place = self.hero.walker.place();
        let flat = Vec2::new(place.x, place.z);
        if flat.distance(self.middle) > STRAY {
            self.terrain = self.hero.walker.hills.mesh(flat, NEAR, FOG);
            self.middle = flat;
        }
        // The camera follows softly, so that steps and bumps do not shake it.
        let wanted = place + Vec3::Y * 0.98;
        self.camera.target += (wanted - self.camera.target) * (1.0 - (-6.0 * dt).exp());
    }

    /// Where the keys send the hero, as seen from the camera.
    fn input(&self) -> Input {
        let axis = |plus: bool, minus: bool| f32::from(u8::from(plus)) - f32::from(u8::from(minus));
        let Held { forward, back, left, right, run } = self.held;
        let away = -Vec2::new(self.camera.turn.sin(), self.camera.turn.cos());
        let aside = Vec2::new(-away.y, away.x);
        let direction = away * axis(forward, back) + aside * axis(right, left);
        Input { direction: direction.normalize_or_zero(), is_running: run }
    }

    /// The flying light that the hero looks at.
    fn lamp(&self) -> Vec3 {
        let (sin, cos) = (self.time * 0.7).sin_cos();
        let front = self.hero.walker.forward();
        let side = Vec3::new(front.z, 0.0, -front.x);
        self.hero.walker.place() + front * 1.3 + side * (0.9 * sin) + Vec3::Y * (1.9 + 0.15 * cos)
    }

    fn camera(&self) -> Camera {
        let Follower { target, turn, rise, distance } = self.camera;
        let (sin, cos) = rise.sin_cos();
        let eye = target + Vec3::new(turn.sin() * cos, sin, turn.cos() * cos) * distance;
        // No closer to the ground than the knees.
        Camera { eye: self.hero.walker.hills.lifted(eye, 0.4), target, up: Vec3::Y, vertical_fov_radians: 0.6 }
    }

    /// What is to be seen in a picture of this height in pixels, and how.
    pub fn draw(&mut self, height: u32, draw: &mut dyn FnMut(&Shot<'_>, &Look)) {
        self.lines.clear();
        if self.show.skeleton {
            let joints: Vec<Vec3> = self.hero.joints().map(|(_, place)| place).collect();
            let rig = self.hero.character.rig();
            let parents = || rig.joints.iter().map(|joint| joint.parent.map(usize::from));
            self.lines.extend(skeleton_lines(height, |joint| joints[joint], parents));
        }
        if self.show.contacts {
            let width = (height as f32 / 180.0).clamp(2.0, 6.0);
            for (is_planted, foot) in self.hero.feet() {
                let color = if is_planted { Vec4::new(0.1, 0.9, 0.25, 1.0) } else { Vec4::new(0.9, 0.25, 0.1, 0.8) };
                let (hills, place) = (&self.hero.walker.hills, Vec2::new(foot.x, foot.z));
                let (start, end) = (hills.on(place), hills.on(place) + hills.normal(place) * 0.25);
                self.lines.push(Line { start, end, widths: [width, width * 0.4], color });
                self.lines.push(Line { start, end: start, widths: [width * 2.2; 2], color });
            }
        }
        if self.inspector.is_open {
            let joints: Vec<Vec3> = self.hero.joints().map(|(_, place)| place).collect();
            let parents: Vec<Option<u16>> = self.hero.character.rig().joints.iter().map(|joint| joint.parent).collect();
            self.inspector.lines(&parents, &joints, height, &mut self.lines);
        }
        let [humanoid, sword] = self.hero.bodies();
        let place = Mat4::from_translation(self.hero.gaze);
        let lamp = Body { model: &self.cast.lamp, palette: &[], place, morph_weights: &[] };
        let shot = Shot {
            camera: self.camera(),
            light: Light::default(),
            floor: Floor::Terrain(&self.terrain),
            bodies: &[humanoid, sword, lamp],
            lines: &self.lines,
        };
        let look = Look { is_wireframe: self.show.wireframe, scenery: Scenery::light() };
        draw(&shot, &look);
    }

    /// Draws the panel over the picture, and does what was asked for.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let events = overlay::picture(ui, &mut self.places);
        let rect = ui.max_rect();
        self.picture = rect;
        self.names(ui, rect);
        events.into_iter().for_each(|event| self.handle(event));
        let is_typing = ui.ctx().egui_wants_keyboard_input();
        let held = ui.input(|input| {
            let any = |keys: [egui::Key; 2]| !is_typing && keys.into_iter().any(|key| input.key_down(key));
            Held {
                forward: any([egui::Key::W, egui::Key::ArrowUp]),
                back: any([egui::Key::S, egui::Key::ArrowDown]),
                left: any([egui::Key::A, egui::Key::ArrowLeft]),
                right: any([egui::Key::D, egui::Key::ArrowRight]),
                run: input.modifiers.shift,
            }
        });
        self.hold(held);
        overlay::panel(ui, 250.0, |ui| self.panel(ui));
        self.inspect(ui);
    }

    fn panel(&mut self, ui: &mut egui::Ui) {
        ui.weak("WASD or arrows: walk, shift: run, space: jump");
        ui.weak("Drag: turn, wheel: zoom, Esc: end");
        ui.separator();
        ui.spacing_mut().slider_width = 90.0;
        let Hero { character, fade, .. } = &mut self.hero;
        let places = &mut self.places;
        let mut slider = |ui: &mut egui::Ui, value: &mut f32, most: f32, name: &str| {
            let response = ui.add(egui::Slider::new(value, 0.0..=most).text(name).fixed_decimals(2));
            places.note(name.replace(' ', "_"), response.rect);
        };
        slider(ui, &mut character.mixer.time_scale, 2.0, "time scale");
        if let Some(aim) = character.layer_mut::<Faded<AimLayer>>() {
            slider(ui, &mut aim.layer.weight, 1.0, "look at the light");
        }
        if let Some(lean) = character.layer_mut::<BodyLean>() {
            slider(ui, &mut lean.weight, 1.0, "lean into turns");
        }
        if let Some(breathing) = character.layer_mut::<Faded<BreathingLayer>>() {
            slider(ui, &mut breathing.layer.weight, 1.0, "breathe");
        }
        if let Some(feet) = character.layer_mut::<FootPlacement>() {
            slider(ui, &mut feet.weight, 1.0, "feet on ground");
        }
        slider(ui, &mut fade.seconds, 3.0, "fade length");
        ui.horizontal(|ui| {
            for (curve, name) in [
                (FadeCurve::Linear, "linear"),
                (FadeCurve::Smooth, "smooth"),
                (FadeCurve::Inertialised, "inertialised"),
            ] {
                let response = ui.selectable_value(&mut fade.curve, curve, name);
                places.note(format!("fade/{name}"), response.rect);
            }
        });
        ui.separator();
        let show = &mut self.show;
        let mut switch = |ui: &mut egui::Ui, value: &mut bool, name: &str, label: &str| {
            let response = ui.checkbox(value, label);
            places.note(format!("show/{name}"), response.rect);
            response.changed()
        };
        switch(ui, &mut show.skeleton, "skeleton", "Skeleton");
        ui.add_enabled_ui(show.skeleton, |ui| switch(ui, &mut show.names, "names", "Joint names"));
        switch(ui, &mut show.contacts, "contacts", "Ground contacts");
        switch(ui, &mut show.wireframe, "wireframe", "Wireframe");
        switch(ui, &mut self.inspector.is_open, "why", "Why? Explain and rewind");
        if switch(ui, &mut show.is_waving, "wave", "Wave, with one arm only") {
            self.hero.wave(show.is_waving);
        }
        ui.separator();
        ui.label(format!("{:.2} m/s", self.hero.walker.speed));
        for (name, shown) in self.hero.playing() {
            let layer = if shown.layer.index() == 0 { "" } else { " (arm)" };
            let text = egui::RichText::new(format!("{name}{layer} {:.2}", shown.weight)).small();
            ui.add(egui::ProgressBar::new(shown.weight).desired_height(14.0).text(text));
        }
    }

    /// Names beside the joints.
    fn names(&self, ui: &egui::Ui, rect: egui::Rect) {
        if self.show.names && self.show.skeleton {
            let view = View::new(&self.camera(), rect.width().max(1.0) as u32, rect.height().max(1.0) as u32);
            super::names::draw(ui, rect, &view, self.hero.joints(), false);
        }
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
        let place = self.hero.walker.place();
        let Show { skeleton, names, contacts, wireframe, is_waving } = self.show;
        let names_playing: Vec<&str> = self.hero.playing().map(|(name, _)| name).collect();
        [
            ("held", format!("{:?}", self.held)),
            ("place", format!("{:.1} {:.1}", place.x, place.z)),
            ("is_moving", (self.hero.walker.speed > 0.3).to_string()),
            ("is_running", (self.hero.walker.speed > 2.2).to_string()),
            ("playing", names_playing.join("+")),
            ("fade", format!("{:?}", self.hero.fade.curve)),
            ("time_scale", format!("{:.2}", self.hero.character.mixer.time_scale)),
            ("show", format!("{skeleton} {names} {contacts} {wireframe} {is_waving}")),
            ("camera", format!("{:.3} {:.3} {:.2}", self.camera.turn, self.camera.rise, self.camera.distance)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .chain(self.inspector.state())
        .collect()
    }
}
