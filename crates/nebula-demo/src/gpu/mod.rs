//! GPU renderer: draws what [`picture`](crate::picture) draws without a GPU, with the same look.
//!
//! How a frame is made:
//! 1. `bodies` groups what is to be drawn by model, uploads all palettes in one write and lists the draws; a `resident` is a
//!    model in the GPU's memory and its textures (`image`).
//! 2. `shadow` draws all heights along the light and from above, and makes soft copies for the floor.
//! 3. One pass draws bodies, `hills` or floor, and sky into four samples a pixel.
//! 4. The samples are mixed in linear light, and `lines` draws the overlay onto the finished picture.
//!
//! `frame` is what all shaders know (and `constants`), `features` which of them a material needs, `layouts` and `pipelines` are what they are made of, `target` is drawn onto, and `device`
//! brings back errors. The library skins the vertices: its shader text is part of `body.wgsl`'s module.

mod bodies;
mod constants;
mod device;
mod features;
mod frame;
mod hills;
mod image;
mod layouts;
mod lines;
mod pipelines;
mod resident;
mod shadow;
mod target;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod web_tests;

use nebula_animation::asset::Topology;
use nebula_animation::gpu::{GpuPalettes, PaletteOptions};

pub use device::{DRIVER_HINT, Device, Faults, instance};
pub use frame::{Look, Scenery};

use crate::picture::{Canvas, Line, View};
use crate::show::shot::{Body, Floor, Shot};
use crate::show::surfaces::Surfaces;
use bodies::{Bodies, Prepared};
use frame::FrameData;
use hills::Hills;
use layouts::Layouts;
use lines::Lines;
use pipelines::Pipelines;
use shadow::Shadows;
use target::Target;

/// Draws shots with a GPU, and keeps what it made of their models.
#[derive(Debug)]
pub struct Renderer {
    device: Device,
    layouts: Layouts,
    pipelines: Pipelines,
    bodies: Bodies,
    hills: Hills,
    shadows: Shadows,
    lines: Lines,
    target: Option<Target>,
    /// Lines and points of the models, in the pose at hand, and the memory to find them.
    shapes: Vec<Line>,
    surfaces: Surfaces,
}

impl Renderer {
    /// A renderer on whatever adapter there is, without a window.
    ///
    /// # Errors
    /// There is no adapter, or it cannot do what is needed: one line.
    pub fn new() -> Result<Self, String> {
        Self::on(Device::open()?)
    }

    /// A renderer on a device.
    ///
    /// # Errors
    /// The device cannot do what is needed: one line.
    pub fn on(device: Device) -> Result<Self, String> {
        let gpu = &device.gpu;
        let palettes = GpuPalettes::new(gpu, &PaletteOptions::default()).map_err(|error| error.to_string())?;
        let layouts = Layouts::new(gpu, &palettes, device.is_gl())?;
        let pipelines = Pipelines::new(&device, &layouts, &palettes);
        let shadows = Shadows::new(&device, &layouts);
        let lines = Lines::new(&device, &layouts);
        device.faults.check()?;
        Ok(Self {
            bodies: Bodies::new(palettes),
            hills: Hills::default(),
            target: None,
            shapes: Vec::new(),
            surfaces: Surfaces::default(),
            layouts,
            pipelines,
            shadows,
            lines,
            device,
        })
    }

    /// The device that draws.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Draws a shot over the whole canvas. The same input gives the same bytes on the same device.
    ///
    /// # Errors
    /// What the device has against it, in one line.
    pub fn render(&mut self, shot: &Shot<'_>, look: &Look, canvas: &mut Canvas) -> Result<(), String> {
        if canvas.width() == 0 || canvas.height() == 0 {
            return Ok(());
        }
        self.draw(shot, look, canvas.width(), canvas.height())?;
        match &mut self.target {
            Some(target) => target.read(&self.device, canvas),
            None => Ok(()),
        }
    }

    /// The picture that was drawn last.
    #[must_use]
    pub fn picture(&self) -> Option<&wgpu::TextureView> {
        self.target.as_ref().map(|target| &target.color_view)
    }

    /// Draws a shot into a texture of this size, sRGB, for a window to show.
    ///
    /// # Errors
    /// What the device has against it, in one line.
    pub fn draw(
        &mut self,
        shot: &Shot<'_>,
        look: &Look,
        width: u32,
        height: u32,
    ) -> Result<&wgpu::TextureView, String> {
        let largest = self.device.gpu.limits().max_texture_dimension_2d;
        let (width, height) = (width.clamp(1, largest), height.clamp(1, largest));
        self.device.gpu.check().map_err(|error| error.to_string())?;
        let view = View::new(&shot.camera, width, height);
        let is_wireframe = look.is_wireframe;
        let Prepared { bounds, count } =
            self.bodies.prepare(&self.device, &self.layouts, &mut self.pipelines, &view, shot, is_wireframe)?;
        let frame = FrameData::new(shot, look, &view, bounds, count, self.device.is_software());
        self.shadows.prepare(&self.device, &self.layouts, &frame);
        let terrain = if let Floor::Terrain(terrain) = shot.floor { Some(terrain) } else { None };
        self.hills.prepare(&self.device, terrain, &frame);
        self.shapes.clear();
        for body in shot.bodies.iter().filter(|body| has_shapes(body)) {
            self.surfaces.deform(body);
            self.surfaces.add_lines(body.model, (height as f32 / 180.0).max(1.0), &mut self.shapes);
        }
        self.lines.prepare(&self.device, &frame, self.shapes.iter().chain(shot.lines));
        let target = match self.target.take() {
            Some(target) if (target.width, target.height) == (width, height) => target,
            _ => Target::new(&self.device, &self.layouts, width, height),
        };
        let target = self.target.insert(target);

        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("picture") };
        let mut encoder = self.device.gpu.device().create_command_encoder(&descriptor);
        let has_floor = !matches!(shot.floor, Floor::None);
        self.shadows.draw(&mut encoder, &self.pipelines, &self.bodies, &self.hills, has_floor);
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("picture"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target.samples,
                    depth_slice: None,
                    resolve_target: target.mixed.as_ref(),
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &target.depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            // What is in front comes first: what it hides is not lit.
            pass.set_bind_group(2, &self.shadows.light, &[]);
            self.bodies.draw(&mut pass, &self.pipelines);
            pass.set_bind_group(0, &self.shadows.light, &[]);
            let [open, shaded] = &self.pipelines.hills;
            self.hills.draw(&mut pass, shaded, hills::Part::Shaded);
            self.hills.draw(&mut pass, open, hills::Part::Open);
            if frame.has_floor() {
                draw_floor(&mut pass, &self.pipelines.floors, &frame, [width, height]);
            }
            pass.set_pipeline(&self.pipelines.sky);
            pass.draw(0..3, 0..1);
        }
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("overlay"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target.color_view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(&self.pipelines.resolve);
            pass.set_bind_group(0, &target.mix, &[]);
            pass.draw(0..3, 0..1);
            self.lines.draw(&mut pass, &self.pipelines.lines);
        }
        self.device.gpu.queue().submit([encoder.finish()]);
        self.device.faults.check()?;
        Ok(&target.color_view)
    }
}

/// Draws the floor: where shadows may fall, and above, below and beside.
fn draw_floor(
    pass: &mut wgpu::RenderPass<'_>,
    [open, shaded]: &[wgpu::RenderPipeline; 2],
    frame: &FrameData,
    [width, height]: [u32; 2],
) {
    let [left, top, right, bottom] = frame.shaded_floor();
    let parts = [
        (shaded, [left, top, right, bottom]),
        (open, [0, 0, width, top]),
        (open, [0, bottom, width, height]),
        (open, [0, top, left, bottom]),
        (open, [right, top, width, bottom]),
    ];
    for (pipeline, [left, top, right, bottom]) in parts {
        if left < right && top < bottom {
            pass.set_pipeline(pipeline);
            pass.set_scissor_rect(left, top, right - left, bottom - top);
            pass.draw(0..12, 0..1);
        }
    }
    pass.set_scissor_rect(0, 0, width, height);
}

/// Whether a body has lines or points.
fn has_shapes(body: &Body<'_>) -> bool {
    let mut parts = body.model.parts.iter();
    parts.any(|part| body.model.primitive(part).topology != Topology::Triangles)
}
