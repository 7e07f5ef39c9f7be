//! One frame's palettes: a buffer or a texture.

use std::ops::Range;

use super::Gpu;
use crate::shader::PalettePath;

/// What a slot is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotShape {
    pub path: PalettePath,
    pub bytes_per_joint: u64,
    /// For uniform buffers: bytes that one draw sees.
    pub window: u64,
    /// For textures.
    pub width: u32,
}

impl SlotShape {
    fn texels_per_joint(&self) -> u64 {
        self.bytes_per_joint / 16
    }

    /// Rows of a texture for this many joints.
    pub fn height(&self, joints: usize) -> u64 {
        (joints as u64 * self.texels_per_joint()).div_ceil(u64::from(self.width)).max(1)
    }

    /// Bytes of a buffer for this many joints. A window may start at the last of them.
    pub fn bytes(&self, joints: usize) -> u64 {
        let beyond = if self.path == PalettePath::Uniform { self.window } else { 0 };
        (joints as u64 * self.bytes_per_joint).max(64) + beyond
    }
}

/// Memory for palettes.
#[derive(Debug)]
pub(super) enum Slot {
    Buffer(wgpu::Buffer),
    Texture(wgpu::Texture, wgpu::TextureView),
}

impl Slot {
    pub fn new(gpu: &Gpu, shape: &SlotShape, joints: usize) -> Self {
        let label = Some("nebula palettes");
        let usage = match shape.path {
            PalettePath::Storage => wgpu::BufferUsages::STORAGE,
            PalettePath::Uniform => wgpu::BufferUsages::UNIFORM,
            PalettePath::Texture => {
                let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                    label,
                    size: wgpu::Extent3d {
                        width: shape.width,
                        height: shape.height(joints) as u32,
                        depth_or_array_layers: 1,
                    },
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format: wgpu::TextureFormat::Rgba32Float,
                    usage: wgpu::TextureUsages::TEXTURE_BINDING
                        | wgpu::TextureUsages::COPY_DST
                        | wgpu::TextureUsages::COPY_SRC,
                    view_formats: &[],
                });
                let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
                return Self::Texture(texture, view);
            }
        };
        let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let size = shape.bytes(joints);
        let buffer = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false };
        Self::Buffer(gpu.device().create_buffer(&buffer))
    }

    pub fn binding<'a>(&'a self, shape: &SlotShape) -> wgpu::BindingResource<'a> {
        match self {
            Self::Buffer(buffer) => {
                let window = (shape.path == PalettePath::Uniform).then_some(shape.window);
                let size = window.and_then(wgpu::BufferSize::new);
                wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size })
            }
            Self::Texture(_, view) => wgpu::BindingResource::TextureView(view),
        }
    }

    /// Writes the joints of a range; `bytes` are those of all joints from 0 on. Gives the number of writes.
    pub fn write(&self, gpu: &Gpu, shape: &SlotShape, joints: Range<usize>, bytes: &[u8]) -> u32 {
        let at = |joint: usize| joint * shape.bytes_per_joint as usize;
        match self {
            Self::Buffer(buffer) => {
                let part = &bytes[at(joints.start)..at(joints.end)];
                gpu.queue().write_buffer(buffer, at(joints.start) as u64, part);
                1
            }
            Self::Texture(texture, _) => {
                // The rest of a first line, whole lines in one go, and what is left.
                let texels = |joint: usize| joint as u64 * shape.texels_per_joint();
                let (mut start, end) = (texels(joints.start), texels(joints.end));
                let width = u64::from(shape.width);
                let mut writes = 0;
                while start < end {
                    let (x, y) = (start % width, start / width);
                    let lines = if x == 0 { (end - start) / width } else { 0 };
                    let (columns, lines) = if lines > 0 { (width, lines) } else { ((end - start).min(width - x), 1) };
                    let stop = start + columns * lines;
                    gpu.queue().write_texture(
                        wgpu::TexelCopyTextureInfo {
                            texture,
                            mip_level: 0,
                            origin: wgpu::Origin3d { x: x as u32, y: y as u32, z: 0 },
                            aspect: wgpu::TextureAspect::All,
                        },
                        &bytes[start as usize * 16..stop as usize * 16],
                        wgpu::TexelCopyBufferLayout {
                            offset: 0,
                            bytes_per_row: Some(columns as u32 * 16),
                            rows_per_image: Some(lines as u32),
                        },
                        wgpu::Extent3d { width: columns as u32, height: lines as u32, depth_or_array_layers: 1 },
                    );
                    writes += 1;
                    start = stop;
                }
                writes
            }
        }
    }

    /// Copies this many joints from another slot on the GPU.
    pub fn copy_from(&self, encoder: &mut wgpu::CommandEncoder, other: &Self, shape: &SlotShape, joints: Range<usize>) {
        match (other, self) {
            (Self::Buffer(from), Self::Buffer(to)) => {
                let at = joints.start as u64 * shape.bytes_per_joint;
                encoder.copy_buffer_to_buffer(from, at, to, at, joints.len() as u64 * shape.bytes_per_joint);
            }
            (Self::Texture(from, _), Self::Texture(to, _)) => {
                // Whole lines: those that the range touches.
                let first = joints.start as u64 * shape.texels_per_joint() / u64::from(shape.width);
                let lines = (shape.height(joints.end) - first) as u32;
                let origin = wgpu::Origin3d { x: 0, y: first as u32, z: 0 };
                let info = |texture| wgpu::TexelCopyTextureInfo {
                    texture,
                    mip_level: 0,
                    origin,
                    aspect: wgpu::TextureAspect::All,
                };
                let size = wgpu::Extent3d { width: shape.width, height: lines, depth_or_array_layers: 1 };
                encoder.copy_texture_to_texture(info(from), info(to), size);
            }
            _ => {}
        }
    }
}
