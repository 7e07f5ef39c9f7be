use super::limits::{self, TEXTURE_SIZE, within};
use super::{Gpu, GpuError};
use crate::skinning::Geometry;

/// The morph targets of a mesh, and the weights of its instances. A mesh without targets has an empty one, so that one
/// pipeline draws all meshes.
#[derive(Debug)]
pub struct GpuMorphs {
    target_count: usize,
    deltas: wgpu::TextureView,
    counts: wgpu::Buffer,
    weights: wgpu::Texture,
    /// Weights that there is room for.
    capacity: usize,
    layout: wgpu::BindGroupLayout,
    bind_group: wgpu::BindGroup,
    /// For lines that are not full.
    scratch: Vec<f32>,
}

/// Weights in a line of their texture.
const WEIGHTS_WIDTH: usize = 256;

impl GpuMorphs {
    pub(super) fn new(gpu: &Gpu, geometry: &Geometry) -> Result<Self, GpuError> {
        let (target_count, vertex_count) = (geometry.morph_targets.len(), geometry.positions.len());
        let texels = (target_count as u64).saturating_mul(vertex_count as u64).saturating_mul(3).max(3);
        let widest = limits::texture_width(gpu.limits(), 3).max(3);
        let width = u64::from(widest).min(texels);
        let height = texels.div_ceil(width);
        within(
            "lines of a texture of morph targets",
            height,
            gpu.limits().max_texture_dimension_2d.into(),
            TEXTURE_SIZE,
        )?;
        let mut data = vec![[0.0_f32; 4]; (width * height) as usize];
        for (target, deltas) in geometry.morph_targets.iter().enumerate() {
            for (part, vectors) in [deltas.positions, deltas.normals, deltas.tangents].into_iter().enumerate() {
                for (vertex, &[x, y, z]) in vectors.iter().enumerate() {
                    data[(target * vertex_count + vertex) * 3 + part] = [x, y, z, 0.0];
                }
            }
        }
        let capacity = WEIGHTS_WIDTH * target_count.div_ceil(WEIGHTS_WIDTH).max(1);
        gpu.scoped(|| {
            let deltas = texture(gpu, wgpu::TextureFormat::Rgba32Float, width as u32, height as u32);
            write_lines(gpu, &deltas, width as u32, 16, bytemuck::cast_slice(&data));
            let counts = [target_count as u32, vertex_count as u32, 0, 0];
            let counts =
                gpu.buffer_with("nebula morph counts", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&counts));
            let weights = weights_texture(gpu, capacity);
            write_lines(gpu, &weights, WEIGHTS_WIDTH as u32, 4, &vec![0; capacity * 4]);
            let layout = Self::layout_on(gpu);
            let deltas = deltas.create_view(&wgpu::TextureViewDescriptor::default());
            let bind_group = bind_group(gpu, &layout, &deltas, &weights, &counts);
            Self { target_count, deltas, counts, weights, capacity, layout, bind_group, scratch: Vec::new() }
        })
    }

    /// The number of targets.
    #[must_use]
    pub fn target_count(&self) -> usize {
        self.target_count
    }

    /// Uploads weights: one per target, instance by instance. The `first_weight` of an instance is its index times the
    /// number of targets.
    ///
    /// # Errors
    /// [`GpuError::MorphWeights`] for a number that is not a multiple of the targets, [`GpuError::Limit`] for more than
    /// the device allows, and errors of creating textures.
    pub fn upload_weights(&mut self, gpu: &Gpu, weights: &[f32]) -> Result<(), GpuError> {
        let targets = self.target_count;
        if weights.is_empty() || targets == 0 || !weights.len().is_multiple_of(targets) {
            if weights.is_empty() && targets == 0 {
                return Ok(());
            }
            return Err(GpuError::MorphWeights { found: weights.len(), targets });
        }
        gpu.check()?;
        let capacity = weights.len().next_multiple_of(WEIGHTS_WIDTH);
        if capacity > self.capacity {
            let lines = (capacity / WEIGHTS_WIDTH) as u64;
            within(
                "lines of a texture of morph weights",
                lines,
                gpu.limits().max_texture_dimension_2d.into(),
                TEXTURE_SIZE,
            )?;
            let texture = gpu.scoped(|| weights_texture(gpu, capacity))?;
            self.bind_group = bind_group(gpu, &self.layout, &self.deltas, &texture, &self.counts);
            (self.weights, self.capacity) = (texture, capacity);
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(weights);
        self.scratch.resize(capacity, 0.0);
        write_lines(gpu, &self.weights, WEIGHTS_WIDTH as u32, 4, bytemuck::cast_slice(&self.scratch));
        gpu.check()
    }

    /// Binding 0: offsets, 1: weights, 2: counts. It changes when more weights are uploaded than ever before.
    #[must_use]
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    /// The layout of the bind group, for pipelines; the same for all meshes of a device.
    #[must_use]
    pub fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    pub(super) fn layout_on(gpu: &Gpu) -> wgpu::BindGroupLayout {
        let mut visibility = wgpu::ShaderStages::VERTEX;
        if gpu.has_compute() {
            visibility |= wgpu::ShaderStages::COMPUTE;
        }
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let uniform = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
        gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("nebula morphs"),
            entries: &[entry(0, texture), entry(1, texture), entry(2, uniform)],
        })
    }
}

fn weights_texture(gpu: &Gpu, capacity: usize) -> wgpu::Texture {
    texture(gpu, wgpu::TextureFormat::R32Float, WEIGHTS_WIDTH as u32, (capacity / WEIGHTS_WIDTH) as u32)
}

fn texture(gpu: &Gpu, format: wgpu::TextureFormat, width: u32, height: u32) -> wgpu::Texture {
    gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("nebula morphs"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// Writes whole lines from the top.
fn write_lines(gpu: &Gpu, texture: &wgpu::Texture, width: u32, texel_bytes: u32, bytes: &[u8]) {
    let bytes_per_row = width * texel_bytes;
    let height = (bytes.len() / bytes_per_row as usize) as u32;
    gpu.queue().write_texture(
        texture.as_image_copy(),
        bytes,
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(bytes_per_row), rows_per_image: Some(height) },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
}

fn bind_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    deltas: &wgpu::TextureView,
    weights: &wgpu::Texture,
    counts: &wgpu::Buffer,
) -> wgpu::BindGroup {
    let weights = weights.create_view(&wgpu::TextureViewDescriptor::default());
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("nebula morphs"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(deltas) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&weights) },
            wgpu::BindGroupEntry { binding: 2, resource: counts.as_entire_binding() },
        ],
    })
}
