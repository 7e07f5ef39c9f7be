//! The viewer: any file, in a window.
//!
//! A [`Viewer`] knows nothing of windows: it is told what a person did ([`Viewer::handle`]), how much time passed
//! ([`Viewer::update`]), draws its panels with egui ([`Viewer::ui`]) and says what is to be seen ([`Viewer::draw`]).

mod compare;
mod controls;
mod file;
mod ground;
mod overlay;
mod panel;
mod playback;
pub mod puppet;
mod remote;
#[cfg(test)]
mod tests;
mod timeline;
mod watch;

use std::path::{Path, PathBuf};

use glam::{Mat4, Vec2, Vec3};

use super::event::{Event, Key};
use super::inspect::Inspector;
use super::orbit::Orbit;
use super::places::Places;
use crate::gpu::{Look, Scenery};
use crate::picture::{Ground, Light, Line, View};
use crate::show::course::Course;
use crate::show::shot::{Body, Floor, Shot, Terrain};
use crate::show::side;
use compare::Compare;
use file::{first_clip, load};
use playback::{Playback, Repeat, STEP};
use puppet::{Bending, Puppet};
use watch::Watch;

/// The viewer's state.
pub struct Viewer {
    /// The last file that could be loaded.
    puppet: Puppet,
    /// Where it is.
    file: PathBuf,
    watch: Watch,
    /// Why it moves as it does.
    inspector: Inspector,
    /// What is wrong with the file that was asked for last; the one before is still shown.
    error: Option<String>,
    /// How clips are played.
    playback: Playback,
    /// What is shown beside the surfaces.
    show: Show,
    orbit: Orbit,
    /// The way of the clip that plays, where it travels, and how far the camera has gone along with it.
    course: Option<Course>,
    gone: Vec3,
    /// The box that the camera was last asked to show.
    framed: [Vec3; 2],
    /// Whether a link has placed the camera: no window frames the model then.
    is_placed: bool,
    /// Where the mouse is over the picture, from 0 to 1.
    pointer: Option<Vec2>,
    /// The picture's place, in points, and its shape.
    picture: egui::Rect,
    places: Places,
    /// Seconds since the start.
    time: f32,
    terrain: Terrain,
    lines: Vec<Line>,
    /// The compressed clip beside the original.
    compare: Compare,
}

/// What is shown beside the surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Show {
    skeleton: bool,
    names: bool,
    bounds: bool,
    wireframe: bool,
    floor: bool,
    is_dark: bool,
    /// Look at the mouse.
    aim: bool,
    /// Feet on a ground that tilts by up to this many degrees.
    feet: bool,
    tilt: f32,
    /// Joints of this skin only.
    skin: Option<usize>,
}

impl Default for Show {
    fn default() -> Self {
        Self {
            skeleton: false,
            names: false,
            bounds: false,
            wireframe: false,
            floor: true,
            is_dark: false,
            aim: false,
            feet: false,
            tilt: 12.0,
            skin: None,
        }
    }
}

impl Viewer {
    /// Shows a file.
    ///
    /// # Errors
    /// The loader's message.
    pub fn open(file: &Path) -> Result<Self, String> {
        Ok(Self::of(file, load(file)?))
    }

    /// Shows a character.
    fn of(file: &Path, puppet: Puppet) -> Self {
        let framed = puppet.reach(first_clip(&puppet));
        let mut viewer = Self {
            orbit: Orbit::framing(framed, 1.5),
            course: None,
            gone: Vec3::ZERO,
            framed,
            puppet,
            file: file.to_owned(),
            watch: Watch::new(file),
            inspector: Inspector::default(),
            error: None,
            playback: Playback::default(),
            show: Show::default(),
            is_placed: false,
            pointer: None,
            picture: egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(900.0, 600.0)),
            places: Places::default(),
            time: 0.0,
            terrain: Terrain::default(),
            lines: Vec::new(),
            compare: Compare::default(),
        };
        viewer.inspector.save_beside(file);
        viewer.start();
        viewer.orbit.look_from(side::best(&viewer.puppet.body()));
        viewer.frame();
        viewer
    }

    /// The name of the window.
    pub fn title(&self) -> String {
        let name = self.file.file_name().unwrap_or(self.file.as_os_str());
        format!("{} - Nebula", name.to_string_lossy())
    }

    /// Does what a person asked for.
    pub fn handle(&mut self, event: Event) {
        match event {
            Event::Orbit(way) => self.orbit.orbit(way),
            Event::Pan(way) => self.orbit.pan(way),
            Event::Zoom(steps) => self.orbit.zoom(steps),
            Event::Click(at) => self.pick(at),
            Event::Point(pointer) => self.pointer = pointer,
            Event::Drop(file) => self.load(&file),
            Event::Key(key) => self.press(key),
        }
    }

    fn press(&mut self, key: Key) {
        match key {
            Key::Space => self.toggle_playing(),
            Key::Left => self.step(-STEP),
            Key::Right => self.step(STEP),
            Key::Up => self.play_beside(-1),
            Key::Down => self.play_beside(1),
            Key::Home => self.scrub(0.0),
            Key::End => self.scrub(self.duration()),
            Key::Frame => self.frame(),
            Key::Theme => self.show.is_dark = !self.show.is_dark,
            Key::Skeleton => self.show.skeleton = !self.show.skeleton,
            Key::Wireframe => self.show.wireframe = !self.show.wireframe,
        }
    }

    /// Lets time pass.
    pub fn update(&mut self, dt: f32) {
        let dt = if dt.is_finite() { dt.clamp(0.0, 0.25) } else { 0.0 };
        self.time += dt;
        if self.watch.update(dt) {
            let file = self.file.clone();
            self.load(&file);
        }
        let aim = self.show.aim.then(|| self.pointed_at()).flatten();
        // The ground goes by the clock of who is shown: a frame of the past stands on the ground that it had.
        let shown = self.inspector.shown(&self.puppet.character).elapsed() as f32;
        let slope = ground::Slope::at(shown + if self.inspector.is_past() { 0.0 } else { dt }, self.show.tilt);
        let ground = (self.show.feet && self.puppet.no_feet.is_none()).then_some(slope);
        if ground.is_some() {
            self.terrain = ground::plane(slope, self.orbit.size);
        }
        if !self.inspector.is_past() {
            self.apply_playback();
            self.puppet.update(dt, &Bending { aim, ground });
            self.inspector.observe(&self.puppet.character, Mat4::IDENTITY);
        }
        self.follow(dt);
        let clip = self.puppet.action().and_then(|action| action.clip());
        let (time, aside) = (self.time(), self.aside());
        self.compare.update(&self.puppet, clip, time, aside);
        // An action that does not repeat has come to its end.
        if let Some(action) = self.puppet.action().filter(|_| !self.inspector.has_machine()) {
            self.playback.is_playing &= action.playing || self.playback.is_scrubbing;
        }
    }

    /// Lets the camera go along with a clip that travels, and come back after it.
    fn follow(&mut self, dt: f32) {
        let back = self.gone * (-6.0 * dt).exp();
        let gone = self.course.as_ref().map_or(back, |course| course.gone(self.time()));
        self.orbit.target += gone - self.gone;
        self.gone = gone;
    }

    /// Whether anything moves by itself.
    pub fn is_moving(&self) -> bool {
        self.playback.is_playing || self.puppet.character.mixer.is_fading() || self.show.aim || self.show.feet
    }

    /// What is to be seen in a picture of this height in pixels, and how.
    pub fn draw(&mut self, height: u32, draw: &mut dyn FnMut(&Shot<'_>, &Look)) {
        self.lines.clear();
        let asset = &self.puppet.model.asset;
        let has_surface =
            self.puppet.model.parts.iter().any(|part| !self.puppet.model.primitive(part).indices.is_empty());
        if self.show.skeleton || !has_surface {
            let mut lines = std::mem::take(&mut self.lines);
            let is_shown = |joint| self.is_joint_shown(joint);
            overlay::skeleton(&asset.skeleton, &self.puppet.joints, is_shown, height, &mut lines);
            self.lines = lines;
        }
        if let Some(bounds) = self.puppet.bounds().filter(|_| self.show.bounds) {
            overlay::edges(bounds, height, &mut self.lines);
        }
        let joints: Vec<Vec3> = self.puppet.joints.iter().map(|joint| joint.w_axis.truncate()).collect();
        let parents: Vec<Option<u16>> = asset.skeleton.joints.iter().map(|joint| joint.parent).collect();
        self.inspector.lines(&parents, &joints, height, &mut self.lines);
        let floor = match (self.show.feet && self.puppet.no_feet.is_none(), self.show.floor) {
            (true, _) => Floor::Terrain(&self.terrain),
            (false, true) => Floor::Grid(Ground::below(self.framed[0], self.framed[1])),
            (false, false) => Floor::None,
        };
        self.compare.lines(&self.puppet, height, &mut self.lines);
        let bodies: Vec<Body<'_>> =
            [Some(self.puppet.body()), self.compare.body(&self.puppet)].into_iter().flatten().collect();
        let light = Light::default().seen_from(self.puppet.model.side(Vec3::Z));
        let shot = Shot { camera: self.orbit.camera(), light, floor, bodies: &bodies, lines: &self.lines };
        let scenery = if self.show.is_dark { Scenery::dark() } else { Scenery::light() };
        draw(&shot, &Look { scenery, is_wireframe: self.show.wireframe });
    }

    /// Where the picture goes, in points.
    pub fn picture(&self) -> egui::Rect {
        self.picture
    }

    /// Where the parts of the panels are.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// What a test from outside may know: names and values.
    pub fn state(&self) -> Vec<(String, String)> {
        let mixer = &self.puppet.character.mixer;
        let action = mixer.current_action.as_ref();
        let clip = action.and_then(|action| action.clip()).and_then(|clip| self.puppet.clips().nth(clip));
        let time =
            action.filter(|_| !self.playback.is_playing).map_or("-".into(), |action| format!("{:.3}", action.time));
        let Playback { is_playing, speed, repeat, .. } = self.playback;
        let Show { skeleton, names, bounds, wireframe, is_dark, aim, feet, .. } = self.show;
        let Orbit { turn, rise, distance, .. } = self.orbit;
        [
            ("file", self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()),
            ("error", self.error.clone().unwrap_or_else(|| "none".into())),
            ("clip", clip.unwrap_or("none").to_owned()),
            ("is_playing", is_playing.to_string()),
            ("is_fading", mixer.is_fading().to_string()),
            ("time", time),
            ("speed", format!("{speed:.2}")),
            ("repeat", format!("{repeat:?}")),
            ("show", format!("{skeleton} {names} {bounds} {wireframe} {is_dark} {aim} {feet}")),
            ("camera", format!("{turn:.3} {rise:.3} {distance:.4}")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .chain(self.inspector.state())
        .collect()
    }

    /// Looks into the joint that is clicked on.
    fn pick(&mut self, at: Vec2) {
        let size = self.picture.size();
        let view = View::new(&self.orbit.camera(), size.x.max(1.0) as u32, size.y.max(1.0) as u32);
        let places = self.puppet.joints.iter().map(|joint| joint.w_axis.truncate());
        self.inspector.pick(&view, at * Vec2::new(size.x, size.y), places);
    }

    /// Records while somebody looks into it, and not otherwise.
    fn record(&mut self) {
        if self.inspector.is_open != self.puppet.character.is_recording() {
            self.puppet.character.set_recording(self.inspector.is_open);
            self.puppet.character.set_traced(self.inspector.is_open);
        }
    }

    /// Whether a joint belongs to the skin that was chosen.
    fn is_joint_shown(&self, joint: usize) -> bool {
        let skin = self.show.skin.and_then(|skin| self.puppet.model.asset.skins.get(skin));
        skin.is_none_or(|skin| skin.joints.iter().any(|shown| usize::from(*shown) == joint))
    }

    /// Plays the first clip of a file that was just loaded.
    fn start(&mut self) {
        if let Some(clip) = first_clip(&self.puppet) {
            self.play(clip);
        }
        self.framed = self.puppet.reach(first_clip(&self.puppet));
        self.update(0.0);
    }

    fn current_clip(&self) -> Option<usize> {
        self.puppet.character.mixer.current_action.as_ref()?.clip()
    }

    fn current_clip_name(&self) -> Option<String> {
        self.puppet.clips().nth(self.current_clip()?).map(str::to_owned)
    }

    /// Shows the model whole.
    fn frame(&mut self) {
        let clip = self.puppet.action().and_then(|action| action.clip());
        self.framed = self.puppet.reach(clip).map(|corner| corner + self.gone);
        let aside = if self.compare.is_on { self.aside() } else { Vec3::ZERO };
        let [low, high] = self.framed;
        self.orbit.frame([low + aside.min(Vec3::ZERO), high + aside.max(Vec3::ZERO)], self.picture.aspect_ratio());
    }

    /// To the right in the picture, as far as a model is wide.
    fn aside(&self) -> Vec3 {
        let camera = self.orbit.camera();
        let right = (camera.target - camera.eye).cross(camera.up).normalize_or(Vec3::X);
        right * (1.1 * (self.framed[1] - self.framed[0]).with_y(0.0).length())
    }

    /// The place that the mouse points at: as far from the camera as a model's size before the eyes.
    fn pointed_at(&self) -> Option<Vec3> {
        let pointer = self.pointer?;
        let size = self.picture.size();
        let view = View::new(&self.orbit.camera(), size.x.max(1.0) as u32, size.y.max(1.0) as u32);
        let eyes = self.puppet.eyes()?;
        let to_eyes = eyes.distance(view.eye.into());
        let depth = (to_eyes - self.orbit.size).max(to_eyes * 0.3);
        let ray = view.ray(pointer.x * size.x, pointer.y * size.y);
        Some(Vec3::from(view.eye + ray * depth))
    }
}
