//! The overlay on the finished picture.

use super::device::{Device, Stream};
use super::frame::FrameData;
use super::layouts::{Layouts, bind};
use crate::picture::Line;
use crate::picture::lines::{OUTLINE, OUTLINE_COLOR};

/// Bytes of a line: two places, two widths, a colour.
pub(super) const LINE_BYTES: u64 = 48;

/// The lines of a frame.
#[derive(Debug)]
pub(super) struct Lines {
    instances: Stream,
    count: u32,
    /// The camera, for outlines and for the lines themselves.
    cameras: [wgpu::Buffer; 2],
    bind_groups: [wgpu::BindGroup; 2],
    bytes: Vec<f32>,
}

impl Lines {
    pub(super) fn new(device: &Device, layouts: &Layouts) -> Self {
        let cameras = [(); 2].map(|()| device.buffer("overlay", wgpu::BufferUsages::UNIFORM, &[0; 96]));
        let bind_groups = [0, 1]
            .map(|index: usize| bind(&device.gpu, "overlay", &layouts.lines, &[cameras[index].as_entire_binding()]));
        Self { instances: Stream::default(), count: 0, cameras, bind_groups, bytes: Vec::new() }
    }

    /// Uploads lines; those with numbers that are not finite are left out.
    pub(super) fn prepare<'a>(&mut self, device: &Device, frame: &FrameData, lines: impl Iterator<Item = &'a Line>) {
        self.bytes.clear();
        self.count = 0;
        for line in lines {
            let [start, end] = [line.start, line.end];
            let is_finite = start.is_finite() && end.is_finite() && line.color.is_finite();
            if is_finite && line.widths.iter().all(|width| width.is_finite()) {
                self.bytes.extend(start.to_array().into_iter().chain(end.to_array()));
                self.bytes.extend(line.widths.into_iter().chain(line.color.to_array()));
                self.count += 1;
            }
        }
        if self.count == 0 {
            return;
        }
        self.instances.write(device, "overlay", wgpu::BufferUsages::VERTEX, bytemuck::cast_slice(&self.bytes));
        for (camera, extra) in self.cameras.iter().zip([OUTLINE, 0.0]) {
            let [width, height, near, _] = frame.size;
            let numbers = [frame.clip_from_world.as_slice(), &[width, height, near, extra], &OUTLINE_COLOR.to_array()];
            device.gpu.queue().write_buffer(camera, 0, bytemuck::cast_slice(&numbers.concat()));
        }
    }

    /// Draws all outlines, then all lines: where lines meet, no outline cuts through them.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        let Some(buffer) = self.instances.buffer().filter(|_| self.count > 0) else { return };
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        for bind_group in &self.bind_groups {
            pass.set_bind_group(0, bind_group, &[]);
            pass.draw(0..4, 0..self.count);
        }
    }
}
