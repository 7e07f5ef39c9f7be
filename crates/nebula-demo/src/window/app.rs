//! An application that a window can show.

use super::places::Places;
use super::steer::Steering;
use super::viewer::Viewer;
use super::watching::Watching;
use crate::gpu::Look;
use crate::show::shot::Shot;

/// What a window shows.
pub enum App {
    /// Someone's file.
    Viewer(Box<Viewer>),
    /// The demo.
    Steering(Box<Steering>),
    /// A part of it.
    Watching(Box<Watching>),
}

impl App {
    /// The name of the window.
    pub fn title(&self) -> String {
        match self {
            Self::Viewer(viewer) => viewer.title(),
            Self::Steering(_) => "Nebula".into(),
            Self::Watching(watching) => watching.title(),
        }
    }

    /// Draws the panels.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        match self {
            Self::Viewer(viewer) => viewer.ui(ui),
            Self::Steering(steering) => steering.ui(ui),
            Self::Watching(watching) => watching.ui(ui),
        }
    }

    /// Lets time pass.
    pub fn update(&mut self, dt: f32) {
        match self {
            Self::Viewer(viewer) => viewer.update(dt),
            Self::Steering(steering) => steering.update(dt),
            Self::Watching(watching) => watching.update(dt),
        }
    }

    /// What is to be seen, and how.
    pub fn draw(&mut self, height: u32, draw: &mut dyn FnMut(&Shot<'_>, &Look)) {
        match self {
            Self::Viewer(viewer) => viewer.draw(height, draw),
            Self::Steering(steering) => steering.draw(height, draw),
            Self::Watching(watching) => watching.draw(draw),
        }
    }

    /// Where the picture goes, in points.
    pub fn picture(&self) -> egui::Rect {
        match self {
            Self::Viewer(viewer) => viewer.picture(),
            Self::Steering(steering) => steering.picture(),
            Self::Watching(watching) => watching.picture(),
        }
    }

    /// Whether anything moves by itself.
    pub fn is_moving(&self) -> bool {
        match self {
            Self::Viewer(viewer) => viewer.is_moving(),
            Self::Steering(_) => true,
            Self::Watching(watching) => watching.is_moving(),
        }
    }

    /// What a test from outside may know, and where the parts of the panels are.
    #[cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "pages are asked for reports"))]
    pub fn state(&self) -> (Vec<(String, String)>, &Places) {
        match self {
            Self::Viewer(viewer) => (viewer.state(), viewer.places()),
            Self::Steering(steering) => (steering.state(), steering.places()),
            Self::Watching(watching) => (watching.state(), watching.places()),
        }
    }
}
