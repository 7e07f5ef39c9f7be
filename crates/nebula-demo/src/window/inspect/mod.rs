//! Panels that explain a character's motion, for any window that shows one.
//!
//! An [`Inspector`] watches a [`Recorder`]: it notes what each frame shows (`moments`), goes back to any of them (`past`), and draws what made
//! a joint's pose (`why`), the state machine (`graph`), what plays (`layers`), curves (`curves`) and a timeline (`tracks`). `machine` makes and
//! edits the documents of machines (`gaits`: of which clips), `saved` makes a file of the recorded frames, and opens one.

mod curves;
mod gaits;
mod graph;
mod layers;
mod machine;
mod moments;
mod past;
mod saved;
#[cfg(test)]
mod tests;
mod tracks;
mod why;

use std::path::PathBuf;

use glam::{Mat4, Vec3};
use nebula_animation::{Character, Frame, Recorder, mixer::MachineDocument};

use super::places::Places;
use crate::picture::{Line, View};
use curves::Curves;
use machine::MachineDesk;
use moments::Moments;
use past::Past;

/// Seconds that a window records.
pub const SECONDS: f64 = 20.0;

/// The panels' state.
#[derive(Default)]
pub struct Inspector {
    /// Whether the panels are shown.
    pub is_open: bool,
    tab: Tab,
    /// The joint that is looked at.
    joint: Option<u16>,
    moments: Moments,
    past: Option<Past>,
    /// Whether the frame that is shown is another one since the window asked last.
    has_moved: bool,
    /// The frame that the character was taken back to, and where it stood, until the window asks.
    branched: Option<(u64, Mat4)>,
    /// Whether whoever has the character makes its machines, and makes them anew where they are edited.
    is_driven: bool,
    /// The documents that were edited, until the window asks.
    edited: Option<Vec<MachineDocument>>,
    has_ghosts: bool,
    /// Where joints were in frames of the past, in the world.
    ghosts: Vec<Vec<Vec3>>,
    curves: Curves,
    desk: MachineDesk,
    /// Where the recorded frames are saved.
    recording: PathBuf,
    /// Whether those that were saved are to be shown, until the window asks.
    wants_saved: bool,
    /// What went wrong, or well, last.
    message: Option<String>,
    explanation: Option<(u64, u16, String)>,
    /// The arrows that the graphs mark.
    marked: String,
}

/// What the side panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tab {
    #[default]
    Why,
    Machine,
    Layers,
    Curves,
}

impl Inspector {
    /// Panels for a character whose machines somebody else makes.
    pub fn of_driven() -> Self {
        let mut inspector = Self { is_driven: true, ..Self::default() };
        inspector.save_beside("nebula-demo".as_ref());
        inspector
    }

    /// Notes what a frame shows, which the character has just made, of an entity that stands there.
    pub fn observe(&mut self, character: &Recorder, place: Mat4) {
        if self.is_open && self.past.is_none() {
            self.moments.note(character, place);
            if self.has_ghosts && character.tape().frames().end.is_multiple_of(10) {
                self.make_ghosts(character);
            }
        }
    }

    /// Begins anew with another character.
    pub fn reset(&mut self) {
        let Self { is_open, tab, has_ghosts, is_driven, .. } = *self;
        let recording = std::mem::take(&mut self.recording);
        *self = Self { is_open, tab, has_ghosts, is_driven, recording, ..Self::default() };
    }

    /// Whether a frame of the past is shown, and time stands.
    pub fn is_past(&self) -> bool {
        self.past.is_some()
    }

    /// Whether a state machine decides what plays.
    pub fn has_machine(&self) -> bool {
        self.desk.is_on
    }

    /// Lets somebody else decide what plays.
    pub fn stop_machine(&mut self, character: &mut Recorder) {
        if std::mem::take(&mut self.desk.is_on) {
            // A character of its own, as one that never had a machine: its recordings are those of the file alone.
            let mut plain = Character::of(character.mixer.clips().clone());
            plain.layers = character.layers.clone();
            plain.set_traced(character.is_traced());
            let shown = character.frame().shown().iter();
            let most = shown.max_by(|a, b| a.weight.total_cmp(&b.weight)).map(|shown| (shown.clip.index(), shown.time));
            if let Some((clip, time)) = most
                && let Ok(action) = plain.mixer.play(clip, 0.0)
            {
                action.seek(f64::from(time));
            }
            **character = plain;
            self.record_anew(character);
        }
    }

    /// Says something above the panels.
    pub fn tell(&mut self, message: String) {
        self.message = Some(message);
    }

    /// The documents of the machines.
    pub fn documents(&self) -> &[MachineDocument] {
        &self.desk.documents
    }

    /// The frame of the past that is to be shown from now on, or that none is; `None` where nothing has changed.
    pub fn take_moved(&mut self) -> Option<Option<(&Frame, Mat4)>> {
        std::mem::take(&mut self.has_moved).then(|| self.past.as_ref().map(|past| (past.character.frame(), past.place)))
    }

    /// The frame that the character goes on from, and where it stood then, since the window asked last: whatever moves along with it goes back as well.
    pub fn take_branched(&mut self) -> Option<(u64, Mat4)> {
        self.branched.take()
    }

    /// Takes the joint that is nearest to a place of the picture, in points from its corner.
    pub fn pick(&mut self, view: &View, at: glam::Vec2, joints: impl Iterator<Item = Vec3>) {
        /// Points within which a joint counts as clicked on.
        const NEAR: f32 = 24.0;
        if !self.is_open {
            return;
        }
        let away = |place: Vec3| view.pixel_of(place).map(|pixel| pixel.distance(at));
        let all = joints.enumerate().filter_map(|(joint, place)| Some((joint, away(place)?)));
        let nearest = all.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, away)| *away < NEAR);
        if let Some((joint, _)) = nearest {
            self.joint = u16::try_from(joint).ok();
            self.tab = if self.tab == Tab::Curves { Tab::Curves } else { Tab::Why };
        }
    }

    /// The joint that is looked at, and ghosts of the past, for a picture of this height.
    pub fn lines(&self, parents: &[Option<u16>], joints: &[Vec3], height: u32, lines: &mut Vec<Line>) {
        if self.is_open {
            past::lines(&self.ghosts, parents, height, lines);
            if let Some(place) = self.joint.and_then(|joint| joints.get(usize::from(joint))) {
                lines.push(past::mark(*place, height));
            }
        }
    }

    /// The side panel.
    pub fn ui(&mut self, ui: &mut egui::Ui, character: &mut Recorder, places: &mut Places) {
        ui.horizontal_wrapped(|ui| {
            for (tab, name) in
                [(Tab::Why, "Why"), (Tab::Machine, "Machine"), (Tab::Layers, "Layers"), (Tab::Curves, "Curves")]
            {
                let response = ui.selectable_value(&mut self.tab, tab, name);
                places.note(format!("tab/{}", name.to_lowercase()), response.rect);
            }
            let response = ui.checkbox(&mut self.has_ghosts, "Ghosts");
            places.note("ghosts", response.rect);
            if response.changed() {
                self.make_ghosts(character);
            }
        });
        // Above what scrolls, which takes all the room that is left.
        if let Some(message) = &self.message {
            ui.small(message);
        }
        ui.separator();
        egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| match self.tab {
            Tab::Why => self.why(ui, character, places),
            Tab::Machine => self.graph(ui, character, places),
            Tab::Layers => self.layers(ui, character, places),
            Tab::Curves => self.curves(ui, character, places),
        });
    }

    /// What a test from outside may know.
    pub fn state(&self) -> Vec<(String, String)> {
        let shown = self.past.as_ref().map_or("now".into(), |past| past.frame.to_string());
        let joint = self.joint.map_or("none".into(), |joint| joint.to_string());
        let tab = format!("{:?}", self.tab);
        [
            ("inspector", self.is_open.to_string()),
            ("tab", tab),
            ("joint", joint),
            ("shown_frame", shown),
            ("has_machine", self.desk.is_on.to_string()),
            ("machine", self.desk.told()),
            ("marked", self.marked.clone()),
            ("message", self.message.clone().unwrap_or_else(|| "none".into())),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}
