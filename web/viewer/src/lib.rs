//! The viewer as a page: the functions that its script calls.
//!
//! Everything that is seen and done is `nebula_demo::window::page`; here are names and numbers of JavaScript.

#[path = "../../console.rs"]
mod console;

use js_sys::{Function, Uint8Array};
use nebula_demo::gpu::Device;
use nebula_demo::show::model::Model;
use nebula_demo::window::page::{GifOfPage, Page};
use wasm_bindgen::prelude::*;
use wgpu::web_sys::HtmlCanvasElement;

/// The viewer on a canvas.
#[wasm_bindgen]
pub struct Viewer {
    page: Page,
}

/// A viewer on a canvas: on WebGPU where the browser has it, and it is wanted, else on WebGL2.
///
/// # Errors
/// One line: the browser has neither.
#[wasm_bindgen(js_name = createViewer)]
pub async fn create_viewer(canvas: HtmlCanvasElement, wants_web_gpu: bool) -> Result<Viewer, JsError> {
    let backends =
        wgpu::Backends::GL | if wants_web_gpu { wgpu::Backends::BROWSER_WEBGPU } else { wgpu::Backends::empty() };
    let descriptor = wgpu::InstanceDescriptor { backends, ..wgpu::InstanceDescriptor::default() };
    let instance = wgpu::util::new_instance_with_webgpu_detection(&descriptor).await;
    let surface = instance.create_surface(wgpu::SurfaceTarget::Canvas(canvas)).map_err(exception)?;
    let device = Device::find(&instance, Some(&surface)).await.map_err(exception)?;
    Ok(Viewer { page: Page::new(surface, device).map_err(exception)? })
}

fn exception(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

#[wasm_bindgen]
impl Viewer {
    /// The adapter and its backend.
    #[must_use]
    pub fn adapter(&self) -> String {
        self.page.adapter()
    }

    /// Shows a file. `resolve` is given the relative paths of files that it refers to, and returns their bytes or nothing. Whether it is
    /// shown; what is wrong with it is part of the report.
    pub fn open(&mut self, name: &str, bytes: &[u8], resolve: &Function) -> bool {
        let mut fetch = |path: &str| {
            let found = resolve.call1(&JsValue::NULL, &path.into()).ok();
            let bytes = found.and_then(|found| found.dyn_into::<Uint8Array>().ok());
            bytes.map(|bytes| bytes.to_vec()).ok_or_else(|| std::io::Error::other(format!("no file {path} here")))
        };
        self.page.open(name, Model::from_files(name, bytes, &mut fetch))
    }

    /// Says what is wrong with a file that could not be had.
    pub fn complain(&mut self, error: String) {
        self.page.complain(error);
    }

    /// Shows the demo, or a part of it.
    ///
    /// # Errors
    /// One line: there is no such part.
    pub fn demo(&mut self, scene: &str) -> Result<(), JsError> {
        self.page.demo(scene).map_err(exception)
    }

    /// Shows what a link says.
    #[wasm_bindgen(js_name = followLink)]
    pub fn follow_link(&mut self, link: &str) {
        self.page.follow_link(link);
    }

    /// What a link says to show this.
    #[must_use]
    pub fn link(&self) -> String {
        self.page.link()
    }

    /// Does what a control of the page says.
    pub fn command(&mut self, name: &str, value: &str) {
        self.page.command(name, value);
    }

    /// What the page's controls show, as JSON.
    #[must_use]
    pub fn report(&self) -> String {
        self.page.report().to_string()
    }

    /// The pointer moved, in points.
    #[wasm_bindgen(js_name = pointerMoved)]
    pub fn pointer_moved(&mut self, x: f32, y: f32) {
        self.page.push(egui::Event::PointerMoved(egui::pos2(x, y)));
    }

    /// A button went down or up: the first, the second, the middle one.
    #[wasm_bindgen(js_name = pointerButton)]
    pub fn pointer_button(&mut self, x: f32, y: f32, button: u32, pressed: bool) {
        let button = match button {
            0 => egui::PointerButton::Primary,
            1 => egui::PointerButton::Middle,
            _ => egui::PointerButton::Secondary,
        };
        let modifiers = self.page.modifiers();
        self.page.push(egui::Event::PointerButton { pos: egui::pos2(x, y), button, pressed, modifiers });
    }

    /// The pointer left.
    #[wasm_bindgen(js_name = pointerGone)]
    pub fn pointer_gone(&mut self) {
        self.page.push(egui::Event::PointerGone);
    }

    /// The wheel was turned, by points.
    pub fn wheel(&mut self, x: f32, y: f32) {
        let modifiers = self.page.modifiers();
        self.page.push(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(x, y),
            phase: egui::TouchPhase::Move,
            modifiers,
        });
    }

    /// Two fingers went apart by this factor.
    pub fn pinch(&mut self, factor: f32) {
        if factor > 0.0 && factor.is_finite() {
            self.page.push(egui::Event::Zoom(factor));
        }
    }

    /// A key, by the name that browsers give it; whether it means something.
    pub fn key(&mut self, name: &str, pressed: bool, repeat: bool) -> bool {
        let name = if name == " " { "Space" } else { name };
        let key = egui::Key::from_name(name).or_else(|| egui::Key::from_name(&name.to_uppercase()));
        let Some(key) = key else { return false };
        let modifiers = self.page.modifiers();
        self.page.push(egui::Event::Key { key, physical_key: None, pressed, repeat, modifiers });
        true
    }

    /// Text that was typed.
    pub fn text(&mut self, text: String) {
        self.page.push(egui::Event::Text(text));
    }

    /// The keys that are held beside others.
    pub fn modifiers(&mut self, alt: bool, ctrl: bool, shift: bool, meta: bool) {
        self.page.set_modifiers(egui::Modifiers { alt, ctrl, shift, mac_cmd: meta, command: ctrl || meta });
    }

    /// Whether keys come to the canvas.
    pub fn focus(&mut self, is_focused: bool) {
        self.page.set_focused(is_focused);
    }

    /// Whether a file is held over the page.
    #[wasm_bindgen(js_name = fileOver)]
    pub fn file_over(&mut self, is_over: bool) {
        self.page.set_file_over(is_over);
    }

    /// Whether anything moves by itself.
    #[wasm_bindgen(js_name = isMoving)]
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.page.is_moving()
    }

    /// Lets time pass and shows a frame. Whether it wants to be drawn again soon.
    ///
    /// # Errors
    /// What the device has against it.
    pub fn frame(&mut self, dt: f64, width: u32, height: u32, scale: f32) -> Result<bool, JsError> {
        self.page.frame(dt, [width, height], scale).map_err(exception)
    }
}

/// Makes a GIF of pictures.
#[wasm_bindgen]
#[derive(Default)]
pub struct Gif(GifOfPage);

#[wasm_bindgen]
impl Gif {
    /// Without any yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a picture of four bytes a pixel.
    pub fn push(&mut self, width: u32, height: u32, bytes: &[u8]) {
        self.0.push(width, height, bytes);
    }

    /// The file.
    ///
    /// # Errors
    /// There are no pictures.
    pub fn finish(&self, frames_per_second: f32) -> Result<Vec<u8>, JsError> {
        self.0.finish(frames_per_second).map_err(exception)
    }
}
