//! Terrain on the GPU.

use super::device::{Device, Stream};
use crate::show::shot::Terrain;

/// The hills of a shot. They are uploaded when they change.
#[derive(Debug, Default)]
pub(super) struct Hills {
    kept: Option<Terrain>,
    vertices: Stream,
    indices: Stream,
    count: u32,
}

impl Hills {
    /// Uploads a terrain, unless it is the one that is there. Nothing is drawn of one whose indices are out of range.
    pub(super) fn prepare(&mut self, device: &Device, terrain: Option<&Terrain>) {
        let Some(terrain) = terrain else {
            self.count = 0;
            return;
        };
        self.count = terrain.indices.len() as u32 / 3 * 3;
        if self.kept.as_ref() == Some(terrain) {
            return;
        }
        let vertices = terrain.positions.len().min(terrain.normals.len()).min(terrain.colors.len());
        if terrain.indices.iter().any(|&index| index as usize >= vertices) {
            self.count = 0;
            self.kept = None;
            return;
        }
        let mut numbers: Vec<f32> = Vec::with_capacity(vertices * 10);
        for ((position, normal), color) in terrain.positions.iter().zip(&terrain.normals).zip(&terrain.colors) {
            numbers.extend_from_slice(&position.to_array());
            numbers.extend_from_slice(&normal.to_array());
            numbers.extend_from_slice(&color.to_array());
        }
        self.vertices.write(device, "hills", wgpu::BufferUsages::VERTEX, bytemuck::cast_slice(&numbers));
        self.indices.write(device, "hills", wgpu::BufferUsages::INDEX, bytemuck::cast_slice(&terrain.indices));
        self.kept = Some(terrain.clone());
    }

    /// Draws them with the pipeline that is set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        let (Some(vertices), Some(indices)) = (self.vertices.buffer(), self.indices.buffer()) else { return };
        if self.count > 0 {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..self.count, 0, 0..1);
        }
    }
}
