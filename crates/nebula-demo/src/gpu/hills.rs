//! Terrain on the GPU.

use std::ops::Range;

use glam::{Mat4, Vec3};
use nebula_animation::skinning::Bounds;

use super::device::{Device, Stream};
use super::frame::FrameData;
use crate::show::bounds::corners;
use crate::show::shot::Terrain;

/// The hills of a shot. They are uploaded when they change.
#[derive(Debug, Default)]
pub(super) struct Hills {
    kept: Option<Terrain>,
    vertices: Stream,
    indices: Stream,
    chunks: Vec<Chunk>,
    /// Indices of what may be in the picture, out of the reach of shadows and in it, and of what is below the figures.
    open: Vec<Range<u32>>,
    shaded: Vec<Range<u32>>,
    below: Vec<Range<u32>>,
}

/// Triangles that are near each other: most of a terrain is outside the picture, and is left out by the hundreds.
#[derive(Debug)]
struct Chunk {
    bounds: Bounds,
    indices: Range<u32>,
}

/// The most triangles of a chunk: near the figures about a square metre, so that few pixels are asked for shadows in vain.
const CHUNK: usize = 64;

/// Which part of the hills is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// In the picture, and out of the reach of shadows.
    Open,
    /// In the picture, and maybe in a shadow.
    Shaded,
    /// Below the figures.
    Below,
}

impl Hills {
    /// Uploads a terrain, unless it is the one that is there, and finds what is seen of it. Nothing is drawn of one whose
    /// indices are out of range.
    pub(super) fn prepare(&mut self, device: &Device, terrain: Option<&Terrain>, frame: &FrameData) {
        self.open.clear();
        self.shaded.clear();
        self.below.clear();
        let Some(terrain) = terrain else { return };
        if self.kept.as_ref() != Some(terrain) {
            self.upload(device, terrain);
            self.kept = Some(terrain.clone());
        }
        let clip_from_world = Mat4::from_cols_array(&frame.clip_from_world);
        for chunk in &self.chunks {
            if may_be_seen(&clip_from_world, &chunk.bounds) {
                let is_shaded = [&frame.lit, &frame.above].iter().any(|map| map.may_reach(&chunk.bounds));
                add(if is_shaded { &mut self.shaded } else { &mut self.open }, &chunk.indices);
            }
            if frame.above.may_reach(&chunk.bounds) {
                add(&mut self.below, &chunk.indices);
            }
        }
    }

    fn upload(&mut self, device: &Device, terrain: &Terrain) {
        self.chunks.clear();
        let count = terrain.positions.len().min(terrain.normals.len()).min(terrain.colors.len());
        if terrain.indices.iter().any(|&index| index as usize >= count) {
            return;
        }
        let mut numbers: Vec<f32> = Vec::with_capacity(count * 10);
        for ((position, normal), color) in terrain.positions.iter().zip(&terrain.normals).zip(&terrain.colors) {
            numbers.extend_from_slice(&position.to_array());
            numbers.extend_from_slice(&normal.to_array());
            numbers.extend_from_slice(&color.to_array());
        }
        let mut triangles = terrain.indices.as_chunks::<3>().0.to_vec();
        self.chunks = chunks(&mut triangles, &terrain.positions);
        self.vertices.write(device, "hills", wgpu::BufferUsages::VERTEX, bytemuck::cast_slice(&numbers));
        self.indices.write(device, "hills", wgpu::BufferUsages::INDEX, bytemuck::cast_slice(triangles.as_flattened()));
    }

    /// Draws a part of them.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline, part: Part) {
        let (Some(vertices), Some(indices)) = (self.vertices.buffer(), self.indices.buffer()) else { return };
        let ranges = match part {
            Part::Open => &self.open,
            Part::Shaded => &self.shaded,
            Part::Below => &self.below,
        };
        if ranges.is_empty() {
            return;
        }
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for range in ranges {
            pass.draw_indexed(range.clone(), 0, 0..1);
        }
    }
}

/// Appends a range to the last one where it follows it.
fn add(ranges: &mut Vec<Range<u32>>, range: &Range<u32>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range.clone()),
    }
}

/// Sorts triangles into chunks: halves along x or z, and halves of those, until they are small.
fn chunks(triangles: &mut [[u32; 3]], positions: &[Vec3]) -> Vec<Chunk> {
    let middle = |triangle: &[u32; 3]| triangle.map(|corner| positions[corner as usize]).into_iter().sum::<Vec3>();
    let mut chunks = Vec::new();
    let mut waiting = Vec::from([Range { start: 0, end: triangles.len() }]);
    while let Some(range) = waiting.pop() {
        let part = &mut triangles[range.clone()];
        let Some(bounds) = Bounds::around(part.as_flattened().iter().map(|&corner| positions[corner as usize])) else {
            continue;
        };
        if part.len() <= CHUNK {
            chunks.push(Chunk { bounds, indices: range.start as u32 * 3..range.end as u32 * 3 });
            continue;
        }
        let is_along_x = bounds.size().x > bounds.size().z;
        let key = |triangle: &[u32; 3]| if is_along_x { middle(triangle).x } else { middle(triangle).z };
        let half = part.len() / 2;
        part.select_nth_unstable_by(half, |a, b| key(a).total_cmp(&key(b)));
        waiting.extend([range.start + half..range.end, range.start..range.start + half]);
    }
    chunks
}

/// Whether a box may be in the picture: not all of its corners are beyond one of the edges.
fn may_be_seen(clip_from_world: &Mat4, bounds: &Bounds) -> bool {
    let corners = corners([bounds.min, bounds.max]).map(|corner| *clip_from_world * corner.extend(1.0));
    let is_beyond = |is_out: &dyn Fn(&glam::Vec4) -> bool| corners.iter().all(is_out);
    !(is_beyond(&|at| at.x < -at.w)
        || is_beyond(&|at| at.x > at.w)
        || is_beyond(&|at| at.y < -at.w)
        || is_beyond(&|at| at.y > at.w)
        || is_beyond(&|at| at.w < at.z))
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::picture::{Camera, View};
    use crate::scene::terrain::Hills as SceneHills;

    /// Every triangle is in exactly one chunk, and every vertex that a camera sees is in a chunk that may be seen.
    #[test]
    fn chunks_hold_everything_that_is_seen() {
        let terrain = SceneHills::rolling(40.0).mesh(Vec2::ZERO, 6.0, 40.0);
        let mut triangles = terrain.indices.as_chunks::<3>().0.to_vec();
        let chunks = chunks(&mut triangles, &terrain.positions);
        let mut sorted = triangles.clone();
        sorted.sort_unstable();
        let mut expected = terrain.indices.as_chunks::<3>().0.to_vec();
        expected.sort_unstable();
        assert_eq!(sorted, expected);
        assert_eq!(chunks.iter().map(|chunk| chunk.indices.len()).sum::<usize>(), terrain.indices.len());
        let camera = Camera { eye: Vec3::new(3.0, 2.0, 4.0), target: Vec3::Y, up: Vec3::Y, vertical_fov_radians: 0.6 };
        let view = View::new(&camera, 160, 90);
        let matrix = view.clip_from_world();
        let (mut seen, mut unseen) = (0, 0);
        for chunk in &chunks {
            let is_seen = may_be_seen(&matrix, &chunk.bounds);
            *(if is_seen { &mut seen } else { &mut unseen }) += 1;
            for &corner in &triangles.as_flattened()[chunk.indices.start as usize..chunk.indices.end as usize] {
                let pixel = view.pixel_of(terrain.positions[corner as usize]);
                let is_inside =
                    pixel.is_some_and(|at| at.cmpgt(Vec2::ZERO).all() && at.cmplt(Vec2::new(160.0, 90.0)).all());
                assert!(is_seen || !is_inside, "{pixel:?}");
            }
        }
        assert!(unseen > seen, "{seen} seen, {unseen} not");
    }
}
