//! Runs an application in a real window.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

use super::app::App;
use super::fonts;
use super::painter::Frame;
use super::screen::Screen;
use super::trace::Trace;
use crate::gpu::{DRIVER_HINT, Renderer};

/// While nothing moves, files are still looked at this often.
const IDLE: Duration = Duration::from_millis(250);

/// Opens a window and runs until it is closed.
///
/// # Errors
/// One line: no display, no adapter, or a device that failed.
pub fn run(app: App) -> Result<ExitCode, String> {
    let event_loop = EventLoop::new().map_err(|error| format!("no window can be opened: {error}"))?;
    let mut program = Program { app, open: None, trace: Trace::from_environment(), error: None };
    event_loop.run_app(&mut program).map_err(|error| format!("the window failed: {error}"))?;
    match program.error {
        Some(error) => Err(error),
        None => Ok(ExitCode::SUCCESS),
    }
}

struct Program {
    app: App,
    open: Option<Open>,
    trace: Trace,
    error: Option<String>,
}

/// What there is while a window is open.
struct Open {
    window: Arc<Window>,
    screen: Screen,
    renderer: Renderer,
    egui: egui_winit::State,
    last: Instant,
    title: String,
    /// When egui wants to be drawn again although nothing moves.
    repaint: Duration,
    frames: u64,
}

impl Open {
    fn new(event_loop: &ActiveEventLoop, title: &str) -> Result<Self, String> {
        let attributes = Window::default_attributes()
            .with_title(title)
            .with_inner_size(LogicalSize::new(1100.0, 700.0))
            .with_min_inner_size(LogicalSize::new(1.0, 1.0));
        let window =
            event_loop.create_window(attributes).map_err(|error| format!("no window can be opened: {error}"))?;
        let window = Arc::new(window);
        let (mut screen, device) = Screen::new(&window).map_err(|error| format!("{error}; {DRIVER_HINT}"))?;
        let size = window.inner_size();
        screen.resize(&device, size.width, size.height);
        let most = device.gpu.limits().max_texture_dimension_2d as usize;
        let renderer = Renderer::on(device)?;
        let scale = window.scale_factor() as f32;
        let egui =
            egui_winit::State::new(fonts::context(), egui::ViewportId::ROOT, &window, Some(scale), None, Some(most));
        Ok(Self {
            window,
            screen,
            renderer,
            egui,
            last: Instant::now(),
            title: title.to_owned(),
            repaint: Duration::ZERO,
            frames: 0,
        })
    }

    /// Draws a frame and shows it.
    fn frame(&mut self, app: &mut App, trace: &mut Trace) -> Result<(), String> {
        let Some(size) = self.screen.size() else { return Ok(()) };
        let now = Instant::now();
        let dt = now.duration_since(self.last).as_secs_f32();
        self.last = now;
        let input = self.egui.take_egui_input(&self.window);
        let context = self.egui.egui_ctx().clone();
        let output = context.run_ui(input, |ui| app.ui(ui));
        self.egui.handle_platform_output(&self.window, output.platform_output);
        let root = output.viewport_output.get(&egui::ViewportId::ROOT);
        self.repaint = root.map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        app.update(dt);
        let title = app.title();
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
        let scale = output.pixels_per_point;
        let primitives = context.tessellate(output.shapes, scale);
        let rect = app.picture();
        // The casts bound what is not a size.
        let size_on_screen = [rect.width() * scale, rect.height() * scale].map(|side| side.round() as u32);
        let [width, height] = self.renderer.device().size_for_motion(size_on_screen);
        let mut problem = None;
        let has_area = width > 0 && height > 0;
        let renderer = &mut self.renderer;
        if has_area {
            app.draw(height, &mut |shot, look| problem = renderer.draw(shot, look, width, height).err());
        }
        if let Some(problem) = problem {
            return Err(problem);
        }
        let picture = renderer.picture().filter(|_| has_area);
        let frame = Frame {
            picture,
            picture_rect: rect,
            primitives: &primitives,
            textures: &output.textures_delta,
            size,
            scale,
        };
        self.window.pre_present_notify();
        self.screen.show(renderer.device(), &frame)?;
        self.frames += 1;
        let (state, places) = app.state();
        trace.note(state);
        trace.note_places(places, scale);
        trace.note([
            ("size".into(), format!("{} {}", size[0], size[1])),
            ("frame".into(), self.frames.to_string()),
            ("has_drawn".into(), "true".into()),
        ]);
        Ok(())
    }
}

impl ApplicationHandler for Program {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        match Open::new(event_loop, &self.app.title()) {
            Ok(open) => {
                open.window.request_redraw();
                self.open = Some(open);
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else { return };
        let response = match event {
            // A window without an area has no panels.
            WindowEvent::Resized(size) if size.width == 0 || size.height == 0 => Default::default(),
            _ => open.egui.on_window_event(&open.window, &event),
        };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::Resized(size) => {
                open.screen.resize(open.renderer.device(), size.width, size.height);
                open.window.request_redraw();
            }
            WindowEvent::KeyboardInput { event, .. }
                if event.state.is_pressed()
                    && event.logical_key == Key::Named(NamedKey::Escape)
                    && !response.consumed =>
            {
                event_loop.exit();
            }
            WindowEvent::RedrawRequested => {
                if let Err(error) = open.frame(&mut self.app, &mut self.trace) {
                    self.fail(event_loop, error);
                }
            }
            _ if response.repaint => open.window.request_redraw(),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = &self.open else { return };
        let has_area = open.screen.size().is_some();
        let wait = if self.app.is_moving() { Duration::ZERO } else { open.repaint.min(IDLE) };
        let since = open.last.elapsed();
        if has_area && since >= wait {
            open.window.request_redraw();
        }
        let next = if has_area { wait.max(Duration::from_millis(1)) } else { IDLE };
        event_loop.set_control_flow(ControlFlow::WaitUntil(Instant::now() + next));
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.trace.note([("has_closed".into(), "true".into())]);
        self.open = None;
    }
}

impl Program {
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: String) {
        self.error.get_or_insert(error);
        event_loop.exit();
    }
}
