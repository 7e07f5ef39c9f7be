//! The program's windows: the viewer, the demo that you steer, and the scenes that you watch.
//!
//! What a window does is told apart from where it comes from: a `viewer`, or `steer` and `watching` for the demo, takes `event`s, lets time
//! pass, draws its panels with egui and says what is to be seen. An `app` is any of them. `run` connects it with winit, `page` with a page of a
//! browser, `screen` with the surface of either, on which `painter` draws the panels. `orbit` is the camera of the viewer, `fonts` what the panels are written in, `overlay` what the two windows of the demo share; `trace` and `places`
//! let tests see what is going on.

mod app;
mod event;
mod fonts;
mod inspect;
mod names;
mod orbit;
mod overlay;
pub mod page;
mod painter;
mod places;
#[cfg(not(target_arch = "wasm32"))]
mod run;
mod screen;
mod steer;
#[cfg(not(target_arch = "wasm32"))]
mod trace;
pub mod viewer;
mod watching;

#[cfg(not(target_arch = "wasm32"))]
pub use desktop::{demo, has_display, view};

/// Windows of a desktop.
#[cfg(not(target_arch = "wasm32"))]
mod desktop;
