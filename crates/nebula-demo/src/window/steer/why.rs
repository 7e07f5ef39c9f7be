//! Explanations of the hero's motion, and its recorded state.

use std::collections::VecDeque;
use std::path::Path;

use glam::{Vec2, Vec3};

use super::Steering;
use crate::picture::View;
use crate::scene::hero::Course as HeroCourse;

/// What each recorded frame had beside the character: a recorder keeps the character, the demo where it went.
#[derive(Default)]
pub(super) struct Course(VecDeque<Then>);

struct Then {
    frame: u64,
    hero: HeroCourse,
    time: f32,
    is_waving: bool,
}

impl Steering {
    /// Looks into the joint that is clicked on.
    pub(super) fn pick(&mut self, at: Vec2) {
        let size = self.picture.size();
        let view = View::new(&self.camera(), size.x.max(1.0) as u32, size.y.max(1.0) as u32);
        let places: Vec<Vec3> = self.hero.joints().map(|(_, place)| place).collect();
        self.inspector.pick(&view, at * Vec2::new(size.x, size.y), places.into_iter());
    }

    /// Keeps what the frame that was just recorded has beside the character.
    pub(super) fn note(&mut self) {
        let frames = self.hero.character.tape().frames();
        let Some(frame) = frames.end.checked_sub(1).filter(|_| self.hero.character.is_recording()) else {
            self.course.0.clear();
            return;
        };
        // It was recorded anew.
        if self.course.0.back().is_some_and(|then| then.frame >= frame) {
            self.course.0.clear();
        }
        let (hero, time, is_waving) = (self.hero.course(), self.time, self.show.is_waving);
        self.course.0.push_back(Then { frame, hero, time, is_waving });
        while self.course.0.front().is_some_and(|then| then.frame < frames.start) {
            self.course.0.pop_front();
        }
    }

    /// Why it moves as it does, in a window of its own.
    pub(super) fn inspect(&mut self, ui: &egui::Ui) {
        let Self { inspector, hero, places, .. } = self;
        if inspector.is_open {
            let corner = ui.max_rect().right_top() + egui::vec2(-480.0, 12.0);
            // As high as there is room for: machines have many rows.
            let height = (ui.max_rect().height() - 80.0).clamp(420.0, 1200.0);
            let window = egui::Window::new("Why").default_pos(corner).default_size([460.0, height]);
            window.show(ui.ctx(), |ui| {
                inspector.timeline(ui, &mut hero.character, places);
                ui.separator();
                inspector.ui(ui, &mut hero.character, places);
            });
        }
        self.follow_inspector();
    }

    /// Shows the frames of a recording of the hero.
    pub(super) fn open_recording(&mut self, file: &Path) {
        let Self { inspector, hero, .. } = self;
        let remade = |documents: &[_]| hero.remade(documents).map_err(|error| error.to_string());
        let mut recorder = hero.character.clone();
        match inspector.open_recording(file, "the hero of the demo", &mut recorder, &remade) {
            Ok(()) => {
                hero.character = recorder;
                hero.know(inspector.documents().to_vec());
                self.course.0.clear();
                self.follow_inspector();
            }
            Err(error) => inspector.tell(error),
        }
    }

    /// Records while the panels are open, shows what they show, and goes on from where they say.
    pub(super) fn follow_inspector(&mut self) {
        let Self { inspector, hero, .. } = self;
        if let Some(documents) = inspector.take_edited() {
            match hero.remade(&documents) {
                Ok(fresh) => {
                    inspector.adopt(&mut hero.character, fresh, documents.clone());
                    hero.know(documents);
                }
                Err(error) => inspector.tell(error.to_string()),
            }
        }
        inspector.watch_machines(hero.documents());
        if inspector.is_open != hero.character.is_recording() {
            hero.character.set_recording(inspector.is_open);
            hero.character.set_traced(inspector.is_open);
            inspector.go_live();
        }
        if let Some((frame, place)) = inspector.take_branched() {
            self.course.0.retain(|then| then.frame <= frame);
            match self.course.0.back() {
                Some(then) => {
                    self.hero.set_course(then.hero.clone());
                    (self.time, self.show.is_waving) = (then.time, then.is_waving);
                }
                // Of a recording, there is nothing beside the character.
                None => self.hero.set_course(self.hero.course().moved_to(place)),
            }
        }
        if let Some(file) = self.inspector.take_wanted() {
            self.open_recording(&file);
        }
        if let Some(past) = self.inspector.take_moved() {
            self.hero.show(past.map(|(frame, place)| (frame.clone(), place)));
        }
    }
}
