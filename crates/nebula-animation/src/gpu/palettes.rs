use super::limits::{self, BUFFER_SIZE, STORAGE_SIZE, TEXTURE_SIZE, UNIFORM_SIZE};
use super::slot::{Slot, SlotShape};
use super::{Gpu, GpuError};
use crate::frame::Frame;
use crate::palette::PaletteRows;
use crate::shader::{PaletteFormat, PalettePath, ShaderOptions, TEXTURE_STEP};
use crate::skinning::Palette;

/// How palettes are stored on the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PaletteOptions {
    /// Where they are stored; `None` picks the best that the device supports: a storage buffer, or else a texture.
    pub path: Option<PalettePath>,
    /// Rows (48 bytes per joint) or full matrices (64).
    pub format: PaletteFormat,
    /// Initial capacity in joints, of all characters together; it grows if needed.
    pub joint_capacity: usize,
    /// For textures, the maximum number of texels per row; rounded down to a multiple of [`TEXTURE_STEP`]. `None` is
    /// 2,040, or less if the device requires it.
    pub texture_width: Option<u32>,
}

/// Palettes of any number of characters on the GPU, of this frame and the previous one.
///
/// [`GpuPalettes::upload`] takes the palettes of all characters, concatenated as in
/// [`Crowd::palettes`](crate::Crowd::palettes), in one write. [`GpuPalettes::place`] tells a shader where a character's
/// palette is.
///
/// ```no_run
/// # fn frame(gpu: &nebula_animation::gpu::Gpu, crowd: &nebula_animation::Crowd) -> Result<(), nebula_animation::gpu::GpuError> {
/// use nebula_animation::gpu::{GpuPalettes, PaletteOptions};
///
/// let mut palettes = GpuPalettes::new(gpu, &PaletteOptions::default())?;
/// // Each frame:
/// palettes.upload(gpu, crowd.palettes())?;
/// let place = palettes.place(0, 67)?;
/// // pass.set_bind_group(0, palettes.bind_group(), place.offsets()); the shader is given `place.first`.
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct GpuPalettes {
    format: PaletteFormat,
    shape: SlotShape,
    layout: wgpu::BindGroupLayout,
    slots: [Slot; 2],
    /// With either slot as this frame's.
    bind_groups: [wgpu::BindGroup; 2],
    /// This frame's slot.
    current: usize,
    /// Joints that there is room for.
    capacity: usize,
    /// Joints of the last upload; `None` before the first.
    uploaded: Option<usize>,
    /// For palettes that come in the other form.
    rows: Vec<PaletteRows>,
    matrices: Vec<glam::Mat4>,
}

/// Statistics of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upload {
    /// Bytes of the palettes.
    pub bytes: u64,
    /// Calls of `write_buffer` or `write_texture`: one for buffers, whatever the size.
    pub writes: u32,
    /// Whether memory had to be reallocated, in which case the bind group has changed.
    pub has_grown: bool,
}

/// Where a shader finds a character's palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The argument `first` of the shader's functions.
    pub first: u32,
    offsets: [u32; 2],
    offset_count: usize,
}

impl Place {
    /// The dynamic offsets for [`GpuPalettes::bind_group`]: two for a uniform buffer, none otherwise.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets[..self.offset_count]
    }
}

impl GpuPalettes {
    /// Allocates memory for palettes.
    ///
    /// # Errors
    /// [`GpuError::Unavailable`] if the device lacks the requested path, [`GpuError::TooManyJoints`] if the capacity
    /// exceeds its limits, and errors of creating buffers.
    pub fn new(gpu: &Gpu, options: &PaletteOptions) -> Result<Self, GpuError> {
        let limits = gpu.limits();
        let path = options.path.unwrap_or_else(|| limits::best_path(limits));
        limits::check_path(limits, path)?;
        let widest = limits::texture_width(limits, TEXTURE_STEP);
        let width = options.texture_width.map_or(widest, |width| (width / TEXTURE_STEP * TEXTURE_STEP).min(widest));
        let shape = SlotShape {
            path,
            bytes_per_joint: options.format.bytes_per_joint(),
            // What all devices of this class have; a larger one would only cost memory.
            window: u64::from(limits.max_uniform_buffer_binding_size.min(64 << 10)) / 16 * 16,
            width: width.max(TEXTURE_STEP),
        };
        let capacity = options.joint_capacity.max(1);
        fits(gpu, &shape, capacity)?;
        let (layout, slots, bind_groups) = gpu.scoped(|| {
            let layout = layout(gpu, &shape);
            let slots = [Slot::new(gpu, &shape, capacity), Slot::new(gpu, &shape, capacity)];
            let bind_groups = bind_groups(gpu, &layout, &shape, &slots);
            (layout, slots, bind_groups)
        })?;
        Ok(Self {
            format: options.format,
            shape,
            layout,
            slots,
            bind_groups,
            current: 0,
            capacity,
            uploaded: None,
            rows: Vec::new(),
            matrices: Vec::new(),
        })
    }

    /// Uploads the palettes of all characters, concatenated, for this frame. Those of the last upload become the
    /// previous frame. New characters at the end have the same palette in both.
    ///
    /// # Errors
    /// [`GpuError::TooManyJoints`] if they exceed the device's limits (nothing is uploaded then),
    /// [`GpuError::DeviceLost`], [`GpuError::OutOfMemory`].
    pub fn upload<'p>(&mut self, gpu: &Gpu, palettes: impl Into<Palette<'p>>) -> Result<Upload, GpuError> {
        gpu.check()?;
        let palettes = palettes.into();
        let joints = palettes.len();
        let has_grown = joints > self.capacity;
        if has_grown {
            self.grow(gpu, joints)?;
        }
        let (mut rows, mut matrices) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.matrices));
        let bytes: &[u8] = match (self.format, palettes) {
            (PaletteFormat::Rows, Palette::Rows(rows)) => bytemuck::cast_slice(rows),
            (PaletteFormat::Matrices, Palette::Matrices(matrices)) => bytemuck::cast_slice(matrices),
            (PaletteFormat::Rows, Palette::Matrices(given)) => {
                rows.clear();
                rows.extend(given.iter().map(PaletteRows::from_matrix));
                bytemuck::cast_slice(&rows)
            }
            (PaletteFormat::Matrices, Palette::Rows(given)) => {
                matrices.clear();
                matrices.extend(given.iter().map(PaletteRows::to_matrix));
                bytemuck::cast_slice(&matrices)
            }
        };
        let before = self.uploaded.unwrap_or(0);
        let (previous, current) = (self.current, 1 - self.current);
        let mut writes = 0;
        if joints > 0 {
            writes = self.slots[current].write(gpu, &self.shape, 0..joints, bytes);
        }
        if joints > before {
            if self.shape.path == PalettePath::Texture {
                writes += self.slots[previous].write(gpu, &self.shape, before..joints, bytes);
            } else {
                let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                let [a, b] = &self.slots;
                let (from, to) = if current == 0 { (a, b) } else { (b, a) };
                to.copy_from(&mut encoder, from, &self.shape, before..joints);
                gpu.queue().submit([encoder.finish()]);
            }
        }
        let report = Upload { bytes: bytes.len() as u64, writes, has_grown };
        (self.rows, self.matrices) = (rows, matrices);
        self.current = current;
        self.uploaded = Some(joints);
        gpu.check()?;
        Ok(report)
    }

    /// Like [`upload`](GpuPalettes::upload), for frames.
    ///
    /// # Errors
    /// Like [`upload`](GpuPalettes::upload).
    pub fn upload_frames<'f>(
        &mut self,
        gpu: &Gpu,
        frames: impl IntoIterator<Item = &'f Frame>,
    ) -> Result<Upload, GpuError> {
        let matrices = frames.into_iter().flat_map(Frame::palette);
        match self.format {
            PaletteFormat::Rows => {
                let mut rows = std::mem::take(&mut self.rows);
                rows.clear();
                rows.extend(matrices.map(PaletteRows::from_matrix));
                let upload = self.upload(gpu, &rows);
                self.rows = rows;
                upload
            }
            PaletteFormat::Matrices => {
                let mut all = std::mem::take(&mut self.matrices);
                all.clear();
                all.extend(matrices);
                let upload = self.upload(gpu, &all);
                self.matrices = all;
                upload
            }
        }
    }

    /// Makes room for more joints, and keeps the palettes of the last upload.
    fn grow(&mut self, gpu: &Gpu, joints: usize) -> Result<(), GpuError> {
        fits(gpu, &self.shape, joints)?;
        // Twice the room where that is allowed, so that a growing crowd does not grow the memory every frame.
        let doubled = self.capacity.saturating_mul(2).max(joints);
        let capacity = if fits(gpu, &self.shape, doubled).is_ok() { doubled } else { joints };
        let (slots, bind_groups) = gpu.scoped(|| {
            let slots = [Slot::new(gpu, &self.shape, capacity), Slot::new(gpu, &self.shape, capacity)];
            if let Some(uploaded) = self.uploaded.filter(|&uploaded| uploaded > 0) {
                let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                slots[self.current].copy_from(&mut encoder, &self.slots[self.current], &self.shape, 0..uploaded);
                gpu.queue().submit([encoder.finish()]);
            }
            let bind_groups = bind_groups(gpu, &self.layout, &self.shape, &slots);
            (slots, bind_groups)
        })?;
        (self.slots, self.bind_groups, self.capacity) = (slots, bind_groups, capacity);
        Ok(())
    }

    /// Where the palette of a character is, given its first joint in the upload.
    ///
    /// # Errors
    /// [`GpuError::NotUploaded`] for joints beyond the last upload; [`GpuError::TooManyJoints`] if a uniform buffer's
    /// window cannot hold them all.
    pub fn place(&self, start: usize, joint_count: usize) -> Result<Place, GpuError> {
        let (end, uploaded) = (start.saturating_add(joint_count), self.uploaded.unwrap_or(0));
        if end > uploaded {
            return Err(GpuError::NotUploaded { start, end, uploaded });
        }
        let byte = start as u64 * self.shape.bytes_per_joint;
        if self.shape.path != PalettePath::Uniform {
            return Ok(Place { first: (byte / 16) as u32, offsets: [0; 2], offset_count: 0 });
        }
        // Every device allows offsets of 256 bytes.
        let offset = byte / 256 * 256;
        if byte - offset + joint_count as u64 * self.shape.bytes_per_joint > self.shape.window {
            return Err(self.too_many(joint_count));
        }
        Ok(Place { first: ((byte - offset) / 16) as u32, offsets: [offset as u32; 2], offset_count: 2 })
    }

    fn too_many(&self, joints: usize) -> GpuError {
        let limit = (self.shape.window / self.shape.bytes_per_joint) as usize;
        GpuError::TooManyJoints { joints, limit, path: self.shape.path, limit_name: UNIFORM_SIZE }
    }

    /// Binding 0: this frame's palettes; binding 1: the previous frame's. It changes with every upload: call this every
    /// frame.
    #[must_use]
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_groups[self.current]
    }

    /// The layout of the bind group, for pipelines.
    #[must_use]
    pub fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// Where the palettes are stored.
    #[must_use]
    pub fn path(&self) -> PalettePath {
        self.shape.path
    }

    /// The format in which they are stored.
    #[must_use]
    pub fn format(&self) -> PaletteFormat {
        self.format
    }

    /// The number of joints in the last upload.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.uploaded.unwrap_or(0)
    }

    /// The options of the shader text that matches these palettes.
    #[must_use]
    pub fn shader_options(&self, palette_group: u32, morph_group: Option<u32>) -> ShaderOptions {
        let uniform_bytes = self.shape.window as u32;
        ShaderOptions { path: self.shape.path, format: self.format, palette_group, morph_group, uniform_bytes }
    }
}

/// Refuses joints that the device has no room for.
fn fits(gpu: &Gpu, shape: &SlotShape, joints: usize) -> Result<(), GpuError> {
    let limits = gpu.limits();
    let bytes = shape.bytes(joints);
    let refuse = |most_bytes: u64, limit_name| {
        let limit = (most_bytes / shape.bytes_per_joint) as usize;
        Err(GpuError::TooManyJoints { joints, limit, path: shape.path, limit_name })
    };
    let most_binding = u64::from(limits.max_storage_buffer_binding_size);
    match shape.path {
        PalettePath::Texture => {
            let most_lines = u64::from(limits.max_texture_dimension_2d);
            if shape.height(joints) > most_lines {
                return refuse(most_lines * u64::from(shape.width) * 16, TEXTURE_SIZE);
            }
        }
        PalettePath::Storage if bytes > most_binding => return refuse(most_binding, STORAGE_SIZE),
        _ if bytes > limits.max_buffer_size => return refuse(limits.max_buffer_size, BUFFER_SIZE),
        // Dynamic offsets are `u32`.
        PalettePath::Uniform if bytes > u64::from(u32::MAX) => return refuse(u64::from(u32::MAX), BUFFER_SIZE),
        _ => {}
    }
    Ok(())
}

fn layout(gpu: &Gpu, shape: &SlotShape) -> wgpu::BindGroupLayout {
    let mut visibility = wgpu::ShaderStages::VERTEX;
    if gpu.has_compute() {
        visibility |= wgpu::ShaderStages::COMPUTE;
    }
    let ty = match shape.path {
        PalettePath::Storage => wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        PalettePath::Uniform => wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: true,
            min_binding_size: wgpu::BufferSize::new(shape.window),
        },
        PalettePath::Texture => wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
    };
    let entry = |binding| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("nebula palettes"),
        entries: &[entry(0), entry(1)],
    })
}

fn bind_groups(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    shape: &SlotShape,
    slots: &[Slot; 2],
) -> [wgpu::BindGroup; 2] {
    [0, 1].map(|current: usize| {
        gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("nebula palettes"),
            layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: slots[current].binding(shape) },
                wgpu::BindGroupEntry { binding: 1, resource: slots[1 - current].binding(shape) },
            ],
        })
    })
}
