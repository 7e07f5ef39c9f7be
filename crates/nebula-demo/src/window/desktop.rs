//! Desktop windows.

use std::path::Path;
use std::process::ExitCode;

use super::app::App;
use super::run;
use super::steer::Steering;
use super::viewer::Viewer;
use super::watching::Watching;
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

/// Shows a file in a window until that is closed, with the frames of a recording of it if there is one.
///
/// # Errors
/// One line: a file that cannot be loaded, no display, no adapter.
pub fn view(file: &Path, recording: Option<&Path>) -> Result<ExitCode, String> {
    let mut viewer = Viewer::open(file)?;
    recording.map(|recording| viewer.show_recording(recording)).transpose()?;
    let hint = || format!("`nebula-demo render {}` draws it into a file", file.display());
    if !has_display() {
        return Err(format!("view needs a display, and there is none (DISPLAY, WAYLAND_DISPLAY); {}", hint()));
    }
    run::run(App::Viewer(Box::new(viewer))).map_err(|error| format!("{error}; {}", hint()))
}
