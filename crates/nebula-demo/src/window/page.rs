//! A web page as a window: canvas events go in, pictures and the state of the page's controls come out.
//!
//! Nothing here knows of JavaScript; `web/viewer` does.

use std::io;

use clap::ValueEnum;
use serde_json::Value;

use super::app::App;
use super::fonts;
use super::painter::Frame;
use super::screen::Screen;
use super::steer::Steering;
use super::viewer::Viewer;
use super::watching::Watching;
use crate::gpu::{Device, Renderer};
use crate::picture::{Canvas, GifWriter, Palette};
use crate::scene::Scene;
use crate::show::model::Model;

/// The canvas of a page, and what is shown on it.
pub struct Page {
    app: Option<App>,
    screen: Screen,
    renderer: Renderer,
    egui: egui::Context,
    events: Vec<egui::Event>,
    modifiers: egui::Modifiers,
    is_file_over: bool,
    /// Whether keys come here.
    is_focused: bool,
    /// Seconds since the start.
    time: f64,
    /// Pixels of the canvas in a point.
    scale: f32,
    size: [u32; 2],
    /// What the page was told of the last file while nothing could be shown.
    error: Option<String>,
}

impl Page {
    /// A page that shows nothing yet, on a surface.
    ///
    /// # Errors
    /// The device cannot do what is needed: one line.
    pub fn new(surface: wgpu::Surface<'static>, device: Device) -> Result<Self, String> {
        let screen = Screen::on(surface, &device)?;
        Ok(Self {
            app: None,
            screen,
            renderer: Renderer::on(device)?,
            egui: fonts::context(),
            events: Vec::new(),
            modifiers: egui::Modifiers::NONE,
            is_file_over: false,
            is_focused: true,
            time: 0.0,
            scale: 1.0,
            size: [1, 1],
            error: None,
        })
    }

    /// The adapter and its backend.
    #[must_use]
    pub fn adapter(&self) -> String {
        self.renderer.device().name()
    }

    /// Shows a model, or says what is wrong with it; the last good one is still shown then. Whether it is shown.
    pub fn open(&mut self, name: &str, model: Result<Model, String>) -> bool {
        self.error = None;
        if let Some(App::Viewer(viewer)) = &mut self.app {
            return viewer.show(name, model);
        }
        match model.and_then(|model| Viewer::showing(name, model)) {
            Ok(viewer) => self.app = Some(App::Viewer(Box::new(viewer))),
            Err(error) => self.error = Some(error),
        }
        self.error.is_none()
    }

    /// Says what is wrong with a file that could not be had.
    pub fn complain(&mut self, error: String) {
        match &mut self.app {
            Some(App::Viewer(viewer)) => viewer.complain(error),
            _ => self.error = Some(error),
        }
    }

    /// Shows the demo, or a part of it by its name.
    ///
    /// # Errors
    /// One line: there is no such part.
    pub fn demo(&mut self, scene: &str) -> Result<(), String> {
        self.app = Some(if scene.is_empty() {
            App::Steering(Box::new(Steering::new()?))
        } else {
            App::Watching(Box::new(Watching::new(Scene::from_str(scene, true)?)?))
        });
        self.error = None;
        Ok(())
    }

    /// Shows what a link says of clip, time and camera.
    pub fn follow_link(&mut self, link: &str) {
        if let Some(App::Viewer(viewer)) = &mut self.app {
            viewer.follow_link(link);
        }
    }

    /// What a link says to show this; nothing for the demo.
    #[must_use]
    pub fn link(&self) -> String {
        match &self.app {
            Some(App::Viewer(viewer)) => viewer.link(),
            _ => String::new(),
        }
    }

    /// Does what a control of the page says.
    pub fn command(&mut self, name: &str, value: &str) {
        if name == "dismiss" {
            self.error = None;
        }
        if let Some(App::Viewer(viewer)) = &mut self.app {
            viewer.command(name, value);
        }
    }

    /// What the page's controls show, where the picture is, and what went wrong.
    #[must_use]
    pub fn report(&self) -> Value {
        let mut report = match &self.app {
            Some(App::Viewer(viewer)) => viewer.report(),
            _ => serde_json::json!({ "clips": [], "error": null }),
        };
        if let Some(error) = &self.error {
            report["error"] = error.as_str().into();
        }
        let rect = self.app.as_ref().map_or(egui::Rect::ZERO, App::picture);
        let corner = [rect.min.x, rect.min.y, rect.width(), rect.height()].map(|side| side * self.scale);
        report["picture"] = serde_json::json!(corner);
        report["title"] = self.app.as_ref().map_or_else(|| "Nebula".into(), App::title).into();
        report
    }

    /// Something that happened on the canvas, in points.
    pub fn push(&mut self, event: egui::Event) {
        self.events.push(event);
    }

    /// The keys that are held beside others.
    pub fn set_modifiers(&mut self, modifiers: egui::Modifiers) {
        self.modifiers = modifiers;
    }

    /// The keys that are held beside others.
    #[must_use]
    pub fn modifiers(&self) -> egui::Modifiers {
        self.modifiers
    }

    /// Whether keys come here. Those that were held are let go of when they do not: nobody tells when they are.
    pub fn set_focused(&mut self, is_focused: bool) {
        if self.is_focused != is_focused {
            self.is_focused = is_focused;
            self.modifiers = egui::Modifiers::NONE;
            self.push(egui::Event::WindowFocused(is_focused));
        }
    }

    /// Whether a file is held over the page.
    pub fn set_file_over(&mut self, is_over: bool) {
        self.is_file_over = is_over;
    }

    /// Whether anything moves by itself, or waits to be told.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        !self.events.is_empty() || self.is_file_over || self.app.as_ref().is_some_and(App::is_moving)
    }

    /// Lets time pass and shows a frame on a canvas of this size in pixels. Whether it wants to be drawn again soon.
    ///
    /// # Errors
    /// What the device has against it, in one line.
    pub fn frame(&mut self, dt: f64, size: [u32; 2], scale: f32) -> Result<bool, String> {
        let device = self.renderer.device();
        if self.screen.size() != Some(size) {
            self.screen.resize(device, size[0], size[1]);
        }
        (self.size, self.scale) = (size, if scale > 0.0 { scale } else { 1.0 });
        let (Some(app), Some(size)) = (&mut self.app, self.screen.size()) else { return Ok(false) };
        self.time += dt.clamp(0.0, 1.0);
        let most = device.gpu.limits().max_texture_dimension_2d as usize;
        let points = egui::vec2(size[0] as f32, size[1] as f32) / self.scale;
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, points)),
            time: Some(self.time),
            max_texture_side: Some(most),
            modifiers: self.modifiers,
            events: std::mem::take(&mut self.events),
            hovered_files: if self.is_file_over { vec![egui::HoveredFile::default()] } else { Vec::new() },
            focused: self.is_focused,
            ..egui::RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        let output = self.egui.run_ui(input, |ui| app.ui(ui));
        let wait = output.viewport_output.get(&egui::ViewportId::ROOT).map(|viewport| viewport.repaint_delay);
        app.update(dt as f32);
        let primitives = self.egui.tessellate(output.shapes, output.pixels_per_point);
        let rect = app.picture();
        let on_screen = [rect.width() * self.scale, rect.height() * self.scale].map(|side| side.round() as u32);
        let [width, height] = device.size_for_motion(on_screen);
        let has_area = width > 0 && height > 0;
        let mut problem = None;
        let renderer = &mut self.renderer;
        if has_area {
            app.draw(height, &mut |shot, look| problem = renderer.draw(shot, look, width, height).err());
        }
        if let Some(problem) = problem {
            return Err(problem);
        }
        let frame = Frame {
            picture: renderer.picture().filter(|_| has_area),
            picture_rect: rect,
            primitives: &primitives,
            textures: &output.textures_delta,
            size,
            scale: output.pixels_per_point,
        };
        self.screen.show(renderer.device(), &frame)?;
        Ok(wait.is_some_and(|wait| wait.as_secs_f32() < 0.25))
    }
}

/// Makes a GIF of pictures of the page.
#[derive(Default)]
pub struct GifOfPage {
    frames: Vec<Canvas>,
}

impl GifOfPage {
    /// Adds a picture of four bytes a pixel, one line after the other. One that does not fit is left out.
    pub fn push(&mut self, width: u32, height: u32, bytes: &[u8]) {
        let mut canvas = Canvas::new(width, height);
        if canvas.pixels().len() * 4 == bytes.len() {
            canvas.pixels_mut().as_flattened_mut().copy_from_slice(bytes);
            self.frames.push(canvas);
        }
    }

    /// The file.
    ///
    /// # Errors
    /// There are no pictures, or they have several sizes.
    pub fn finish(&self, frames_per_second: f32) -> io::Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut writer = GifWriter::to(&mut file, Palette::from_frames(&self.frames), frames_per_second, true)?;
        for frame in &self.frames {
            writer.push(frame)?;
        }
        writer.finish()?;
        Ok(file)
    }
}
