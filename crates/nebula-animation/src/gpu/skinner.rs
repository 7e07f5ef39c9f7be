use super::limits::{BUFFER_SIZE, STORAGE_COUNT, STORAGE_SIZE, WORKGROUPS, within};
use super::{Gpu, GpuError, GpuMesh, GpuMorphs, GpuPalettes};
use crate::shader::{self, PalettePath, ShaderOptions};
use crate::skinning::Blending;

/// A compute pass that skins the vertices of meshes once, for all passes that draw them.
///
/// ```no_run
/// # fn frame(gpu: &nebula_animation::gpu::Gpu, palettes: &nebula_animation::gpu::GpuPalettes,
/// #     mesh: &nebula_animation::gpu::GpuMesh) -> Result<(), nebula_animation::gpu::GpuError> {
/// use nebula_animation::gpu::{SkinInstance, Skinner};
///
/// let skinner = Skinner::new(gpu, palettes)?;
/// let mut skinned = skinner.target(gpu, mesh, 1)?;
/// // Each frame, after the upload of the palettes:
/// let mut encoder = gpu.device().create_command_encoder(&Default::default());
/// skinner.skin(gpu, &mut encoder, palettes, mesh, &mut skinned, &[SkinInstance::default()])?;
/// gpu.queue().submit([encoder.finish()]);
/// // Draw with `skinned.vertices()` as the vertex buffer.
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Skinner {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    options: ShaderOptions,
}

/// One character to skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SkinInstance {
    /// Its first joint in the upload of the palettes, counting the joints of all characters before it.
    pub start_joint: usize,
    /// Its first weight in the upload of the morph weights.
    pub first_weight: u32,
}

/// Skinned vertices of a mesh, instance by instance, of this frame and the previous one.
#[derive(Debug)]
pub struct SkinnedMesh {
    outputs: [wgpu::Buffer; 2],
    bind_groups: [wgpu::BindGroup; 2],
    instances: wgpu::Buffer,
    dispatches: wgpu::Buffer,
    /// This frame's output.
    current: usize,
    is_skinned: bool,
    vertex_count: u32,
    instance_capacity: usize,
}

impl SkinnedMesh {
    /// This frame's vertices: [`GpuMesh::VERTEX_ATTRIBUTES`], [`GpuMesh::VERTEX_BYTES`] each; those of instance `i` start at
    /// vertex `i * vertex_count`.
    #[must_use]
    pub fn vertices(&self) -> &wgpu::Buffer {
        &self.outputs[self.current]
    }

    /// The previous frame's vertices, for motion vectors; after the first frame, the same as this frame's.
    #[must_use]
    pub fn previous_vertices(&self) -> &wgpu::Buffer {
        &self.outputs[1 - self.current]
    }
}

/// Bytes between the parameters of dispatches: what every device allows as a dynamic offset.
const DISPATCH_STRIDE: usize = 256;

impl Skinner {
    /// Creates the pipeline for these palettes.
    ///
    /// # Errors
    /// [`GpuError::Unavailable`] on a device without compute shaders, and errors of creating pipelines.
    pub fn new(gpu: &Gpu, palettes: &GpuPalettes) -> Result<Self, GpuError> {
        let limits = gpu.limits();
        let lacks = |limit_name| Err(GpuError::Unavailable { what: "compute pass for skinning".into(), limit_name });
        let buffers = if palettes.path() == PalettePath::Storage { 6 } else { 4 };
        if !gpu.has_compute() {
            return lacks(WORKGROUPS);
        }
        if limits.max_storage_buffers_per_shader_stage < buffers {
            return lacks(STORAGE_COUNT);
        }
        let options = palettes.shader_options(0, Some(1));
        let (pipeline, layout) = gpu.scoped(|| {
            let device = gpu.device();
            let layout = layout(gpu);
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("nebula skinner"),
                bind_group_layouts: &[palettes.layout(), &GpuMorphs::layout_on(gpu), &layout],
                immediate_size: 0,
            });
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("nebula skinner"),
                source: wgpu::ShaderSource::Wgsl(format!("{}\n{}", options.text(), shader::COMPUTE).into()),
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("nebula skinner"),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some("nebula_skin"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
            (pipeline, layout)
        })?;
        Ok(Self { pipeline, layout, options })
    }

    /// Allocates memory for the skinned vertices of this many instances of a mesh.
    ///
    /// # Errors
    /// [`GpuError::Limit`] for more than the device allows, and errors of creating buffers.
    pub fn target(&self, gpu: &Gpu, mesh: &GpuMesh, instances: usize) -> Result<SkinnedMesh, GpuError> {
        let capacity = instances.max(1);
        let limits = gpu.limits();
        let bytes =
            u64::from(mesh.vertex_count()).saturating_mul(GpuMesh::VERTEX_BYTES).saturating_mul(capacity as u64);
        let most = u64::from(limits.max_storage_buffer_binding_size);
        within("bytes of skinned vertices", bytes, most, STORAGE_SIZE)?;
        within("bytes of skinned vertices", bytes, limits.max_buffer_size, BUFFER_SIZE)?;
        let source = u64::from(mesh.vertex_count()) * mesh.influence_stride();
        within("bytes of joints and weights", source, most, STORAGE_SIZE)?;
        gpu.scoped(|| {
            let device = gpu.device();
            let buffer = |label, size: u64, usage| {
                let size = size.max(16);
                device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some(label),
                    size,
                    usage,
                    mapped_at_creation: false,
                })
            };
            let copied = wgpu::BufferUsages::COPY_DST;
            let usage = wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::VERTEX
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST;
            let outputs = [0, 1].map(|_| buffer("nebula skinned vertices", bytes, usage));
            let instances = buffer("nebula instances", capacity as u64 * 8, wgpu::BufferUsages::STORAGE | copied);
            // A uniform buffer may need a dispatch for each instance.
            let dispatches = capacity.max(1) * DISPATCH_STRIDE;
            let dispatches = buffer("nebula dispatches", dispatches as u64, wgpu::BufferUsages::UNIFORM | copied);
            let bind_groups = [0, 1].map(|current: usize| {
                let size = wgpu::BufferSize::new(24);
                let dispatch = wgpu::BufferBinding { buffer: &dispatches, offset: 0, size };
                let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("nebula skinner"),
                    layout: &self.layout,
                    entries: &[
                        entry(0, mesh.vertices.as_entire_binding()),
                        entry(1, mesh.influences.as_entire_binding()),
                        entry(2, instances.as_entire_binding()),
                        entry(3, outputs[current].as_entire_binding()),
                        entry(4, wgpu::BindingResource::Buffer(dispatch)),
                    ],
                })
            });
            SkinnedMesh {
                outputs,
                bind_groups,
                instances,
                dispatches,
                current: 0,
                is_skinned: false,
                vertex_count: mesh.vertex_count(),
                instance_capacity: capacity,
            }
        })
    }

    /// Records the skinning of a mesh for these instances. The target must belong to this mesh; skin it once per frame.
    ///
    /// # Errors
    /// [`GpuError::Limit`] for more instances than the target has room for, [`GpuError::NotUploaded`] and
    /// [`GpuError::TooManyJoints`] as for [`GpuPalettes::place`], [`GpuError::Mismatch`] for a target of another mesh
    /// or palettes of another kind, [`GpuError::DeviceLost`]. Nothing is recorded then.
    pub fn skin(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        palettes: &GpuPalettes,
        mesh: &GpuMesh,
        target: &mut SkinnedMesh,
        instances: &[SkinInstance],
    ) -> Result<(), GpuError> {
        gpu.check()?;
        if palettes.shader_options(0, Some(1)) != self.options {
            return Err(GpuError::Mismatch("the palettes are not of the kind that this skinner was made for"));
        }
        if mesh.vertex_count() != target.vertex_count {
            return Err(GpuError::Mismatch("the target was made for another mesh"));
        }
        within("instances", instances.len() as u64, target.instance_capacity as u64, "the target's capacity")?;
        let plan = Plan::new(gpu, palettes, mesh, instances)?;
        let current = 1 - target.current;
        gpu.queue().write_buffer(&target.instances, 0, bytemuck::cast_slice(&plan.places));
        gpu.queue().write_buffer(&target.dispatches, 0, &plan.parameters);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(1, mesh.morphs.bind_group(), &[]);
            for (index, dispatch) in plan.dispatches.iter().enumerate() {
                pass.set_bind_group(0, palettes.bind_group(), &dispatch.offsets[..dispatch.offset_count]);
                pass.set_bind_group(2, &target.bind_groups[current], &[(index * DISPATCH_STRIDE) as u32]);
                pass.dispatch_workgroups(plan.columns, plan.rows, dispatch.instance_count);
            }
        }
        if !target.is_skinned {
            encoder.copy_buffer_to_buffer(&target.outputs[current], 0, &target.outputs[1 - current], 0, None);
        }
        (target.current, target.is_skinned) = (current, true);
        gpu.check()
    }
}

/// Which dispatches skin which instances.
struct Plan {
    /// For each instance, the first vector of its palette and its first weight.
    places: Vec<[u32; 2]>,
    dispatches: Vec<Dispatch>,
    /// The bytes of their parameters.
    parameters: Vec<u8>,
    /// Workgroups of a dispatch.
    columns: u32,
    rows: u32,
}

struct Dispatch {
    offsets: [u32; 2],
    offset_count: usize,
    first_instance: u32,
    instance_count: u32,
}

/// Vertices of a workgroup, as in the shader.
const WORKGROUP: u32 = 64;

impl Plan {
    fn new(gpu: &Gpu, palettes: &GpuPalettes, mesh: &GpuMesh, instances: &[SkinInstance]) -> Result<Self, GpuError> {
        let most = gpu.limits().max_compute_workgroups_per_dimension;
        let row_length = mesh.vertex_count().min(most.saturating_mul(WORKGROUP)).max(1);
        let rows = mesh.vertex_count().div_ceil(row_length);
        within("rows of workgroups", rows.into(), most.into(), WORKGROUPS)?;
        let mut plan = Self {
            places: Vec::with_capacity(instances.len()),
            dispatches: Vec::new(),
            parameters: Vec::new(),
            columns: row_length.div_ceil(WORKGROUP),
            rows,
        };
        for (index, instance) in instances.iter().enumerate() {
            // A mesh without joints needs no palette; the first window will do.
            let start = if mesh.influence_count() == 0 { 0 } else { instance.start_joint };
            let place = palettes.place(start, mesh.joint_count())?;
            plan.places.push([place.first, instance.first_weight]);
            let mut offsets = [0; 2];
            offsets[..place.offsets().len()].copy_from_slice(place.offsets());
            match plan.dispatches.last_mut() {
                Some(last) if last.offsets == offsets && last.instance_count < most => last.instance_count += 1,
                _ => plan.dispatches.push(Dispatch {
                    offsets,
                    offset_count: place.offsets().len(),
                    first_instance: index as u32,
                    instance_count: 1,
                }),
            }
        }
        plan.parameters = vec![0; plan.dispatches.len() * DISPATCH_STRIDE];
        for (dispatch, bytes) in plan.dispatches.iter().zip(plan.parameters.chunks_exact_mut(DISPATCH_STRIDE)) {
            let blending = u32::from(mesh.blending == Blending::DualQuaternion);
            let targets = mesh.morphs.target_count() as u32;
            let parameters =
                [mesh.vertex_count(), mesh.influence_count(), blending, targets, dispatch.first_instance, row_length];
            bytes[..24].copy_from_slice(bytemuck::cast_slice(&parameters));
        }
        Ok(plan)
    }
}

fn layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    let entry = |binding, ty, has_dynamic_offset, size| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: wgpu::BufferSize::new(size) },
        count: None,
    };
    let read = wgpu::BufferBindingType::Storage { read_only: true };
    gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("nebula skinner"),
        entries: &[
            entry(0, read, false, 4),
            entry(1, read, false, 4),
            entry(2, read, false, 8),
            entry(3, wgpu::BufferBindingType::Storage { read_only: false }, false, 4),
            entry(4, wgpu::BufferBindingType::Uniform, true, 24),
        ],
    })
}
