//! The program's windows: the viewer, the demo that one steers, and its scenes that one watches.
//!
//! What a window does is told apart from where it comes from: a `viewer`, or `steer` and `watching` for the demo, takes `event`s, lets time
//! pass, draws its panels with egui and says what is to be seen. `run` connects it with winit, `screen` with the surface of a real window, on
//! which `painter` draws the panels. `orbit` is the camera of the viewer, `overlay` what the two windows of the demo share; `trace` and `places`
//! let tests see what is going on.

mod event;
mod names;
mod orbit;
mod overlay;
mod painter;
mod places;
mod run;
mod screen;
mod steer;
mod trace;
pub mod viewer;
mod watching;

use std::path::Path;
use std::process::ExitCode;

use run::App;
use steer::Steering;
use viewer::Viewer;
use watching::Watching;

use crate::scene::Scene;

/// Whether there seems to be a display to open a window on.
#[must_use]
pub fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Shows the demo, or a part of it, in a window until that is closed.
///
/// # Errors
/// One line: no display, no adapter. The demo can still be drawn into a file then.
pub fn demo(scene: Option<Scene>) -> Result<ExitCode, String> {
    if !has_display() {
        return Err("there is no display (DISPLAY, WAYLAND_DISPLAY)".into());
    }
    run::run(match scene {
        None => App::Steering(Box::new(Steering::new()?)),
        Some(scene) => App::Watching(Box::new(Watching::new(scene)?)),
    })
}

/// Shows a file in a window until that is closed.
///
/// # Errors
/// One line: a file that cannot be loaded, no display, no adapter.
pub fn view(file: &Path) -> Result<ExitCode, String> {
    let viewer = Viewer::open(file)?;
    let hint = || format!("`nebula-demo render {}` draws it into a file", file.display());
    if !has_display() {
        return Err(format!("view needs a display, and there is none (DISPLAY, WAYLAND_DISPLAY); {}", hint()));
    }
    run::run(App::Viewer(Box::new(viewer))).map_err(|error| format!("{error}; {}", hint()))
}
