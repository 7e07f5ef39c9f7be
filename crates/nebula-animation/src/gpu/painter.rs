use glam::{Mat4, Vec3};

use super::{Camera, Gpu, GpuError, GpuMesh, GpuMorphs, GpuPalettes};
use crate::palette::PaletteRows;
use crate::shader::{self, ShaderOptions};
use crate::skinning::Blending;

/// A simple renderer of skinned meshes: one light, double-sided, with colours, emissive light and alpha, without
/// textures. Use it to see something quickly, and as an example for your own renderer.
///
/// Each frame, call [`Painter::prepare`], then [`Painter::paint`] in your render pass. A [`Canvas`](super::Canvas) does
/// both.
#[derive(Debug)]
pub struct Painter {
    module: wgpu::ShaderModule,
    pipeline_layout: wgpu::PipelineLayout,
    layout: wgpu::BindGroupLayout,
    options: ShaderOptions,
    target: Target,
    /// By topology, 4 or 8 influences, and alpha; made when they are first needed.
    pipelines: [[[Option<wgpu::RenderPipeline>; 3]; 2]; 3],
    frame: Option<Frame>,
}

/// What is drawn onto.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Target {
    color: wgpu::TextureFormat,
    depth: wgpu::TextureFormat,
    samples: u32,
}

/// A mesh with everything else that a [`Painter`] needs.
#[derive(Debug)]
pub struct Part {
    /// The vertices.
    pub mesh: GpuMesh,
    /// `u32` indices.
    pub indices: wgpu::Buffer,
    /// The number of indices.
    pub index_count: u32,
    /// Linear RGBA per vertex: four `f32` from 0 to 1, 16 bytes.
    pub colors: wgpu::Buffer,
    /// Linear RGBA from 0 to 1 that multiplies those.
    pub color: [f32; 4],
    /// Emissive colour, linear RGB, 0 or above.
    pub emissive: [f32; 3],
    /// Whether its colour is shown without lighting.
    pub is_unlit: bool,
    /// How alpha is interpreted. Transparent parts are drawn last, in their order.
    pub transparency: Transparency,
    /// Triangles, lines or points, as lists.
    pub topology: wgpu::PrimitiveTopology,
    /// Whether the mesh has no normals of its own, so that face normals are used.
    pub is_flat: bool,
}

/// How the alpha of a [`Part`] is interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Transparency {
    /// Alpha is ignored (the default).
    #[default]
    Opaque,
    /// It is cut out where alpha is below this value.
    Mask(f32),
    /// It is blended with what is behind it.
    Blend,
}

/// Something to draw.
#[derive(Debug, Clone, Copy)]
pub struct Figure<'a> {
    /// Its parts.
    pub parts: &'a [Part],
    /// The transform from model space to world space.
    pub world_from_model: Mat4,
    /// Its first joint in the upload of the palettes, counting the joints of all characters before it.
    pub start_joint: usize,
    /// Which set of morph weights it uses, in the uploads of its parts, from 0.
    pub morph_instance: usize,
}

/// What was prepared.
#[derive(Debug)]
struct Frame {
    uniforms: wgpu::BindGroup,
    instances: wgpu::Buffer,
    draws: Vec<Draw>,
}

#[derive(Debug)]
struct Draw {
    figure: usize,
    part: usize,
    /// Where its instance and its surface are.
    index: u32,
    offsets: [u32; 2],
    offset_count: usize,
}

/// Bytes between the parameters of surfaces, and of the camera before them.
const STRIDE: usize = 256;

/// Rows of the world's matrix, then the first vector of the palette and the first morph weight.
const INSTANCE_BYTES: usize = 56;

impl Painter {
    /// Creates a painter for these palettes, and for render passes with these formats and this sample count.
    ///
    /// # Errors
    /// Errors of creating shaders.
    pub fn new(
        gpu: &Gpu,
        palettes: &GpuPalettes,
        color: wgpu::TextureFormat,
        depth: wgpu::TextureFormat,
        samples: u32,
    ) -> Result<Self, GpuError> {
        let options = palettes.shader_options(0, Some(1));
        let (module, pipeline_layout, layout) = gpu.scoped(|| {
            let device = gpu.device();
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("nebula painter"),
                source: wgpu::ShaderSource::Wgsl(format!("{}\n{}", options.text(), shader::DRAW).into()),
            });
            let layout = layout(gpu);
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("nebula painter"),
                bind_group_layouts: &[palettes.layout(), &GpuMorphs::layout_on(gpu), &layout],
                immediate_size: 0,
            });
            (module, pipeline_layout, layout)
        })?;
        let target = Target { color, depth, samples };
        Ok(Self { module, pipeline_layout, layout, options, target, pipelines: Default::default(), frame: None })
    }

    /// Uploads everything that the figures need besides their palettes.
    ///
    /// # Errors
    /// [`GpuError::NotUploaded`] and [`GpuError::TooManyJoints`] as for [`GpuPalettes::place`], [`GpuError::Mismatch`]
    /// for palettes of another kind, [`GpuError::DeviceLost`], [`GpuError::OutOfMemory`].
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        palettes: &GpuPalettes,
        camera: &Camera,
        figures: &[Figure],
    ) -> Result<(), GpuError> {
        if palettes.shader_options(0, Some(1)) != self.options {
            return Err(GpuError::Mismatch("the palettes are not of the kind that this painter was made for"));
        }
        let mut uniforms = vec![0_u8; STRIDE];
        let light = camera.light.try_normalize().unwrap_or(Vec3::Y);
        let numbers = [camera.clip_from_world.to_cols_array().as_slice(), &camera.eye.extend(1.0).to_array()].concat();
        uniforms[..80].copy_from_slice(bytemuck::cast_slice(&numbers));
        uniforms[80..92].copy_from_slice(bytemuck::cast_slice(&light.to_array()));
        let (mut instances, mut draws) = (Vec::new(), Vec::new());
        for (figure_index, figure) in figures.iter().enumerate() {
            let world = PaletteRows::from_matrix(&figure.world_from_model);
            for (part_index, part) in figure.parts.iter().enumerate() {
                let mesh = &part.mesh;
                // A mesh without joints needs no palette; the first window will do.
                let start = if mesh.influence_count() == 0 { 0 } else { figure.start_joint };
                let place = palettes.place(start, mesh.joint_count())?;
                let first_weight = (figure.morph_instance * mesh.morphs.target_count()) as u32;
                instances.extend_from_slice(bytemuck::bytes_of(&world));
                instances.extend_from_slice(bytemuck::cast_slice(&[place.first, first_weight]));
                let blending = u32::from(mesh.blending == Blending::DualQuaternion);
                let flags = [u32::from(part.is_flat), u32::from(part.is_unlit)];
                let counts = [blending, mesh.morphs.target_count() as u32, flags[0], flags[1]];
                let [r, g, b] = part.emissive;
                let cutoff = if let Transparency::Mask(cutoff) = part.transparency { cutoff } else { 0.0 };
                let at = uniforms.len();
                uniforms.resize(at + STRIDE, 0);
                uniforms[at..at + 16].copy_from_slice(bytemuck::cast_slice(&part.color));
                uniforms[at + 16..at + 32].copy_from_slice(bytemuck::cast_slice(&counts));
                uniforms[at + 32..at + 48].copy_from_slice(bytemuck::cast_slice(&[r, g, b, cutoff]));
                let mut offsets = [0; 2];
                offsets[..place.offsets().len()].copy_from_slice(place.offsets());
                let (index, offset_count) = (draws.len() as u32, place.offsets().len());
                draws.push(Draw { figure: figure_index, part: part_index, index, offsets, offset_count });
                self.need_pipeline(gpu, part)?;
            }
        }
        // What lets light through comes after what is behind it.
        draws.sort_by_key(|draw| figures[draw.figure].parts[draw.part].transparency == Transparency::Blend);
        self.frame = Some(gpu.scoped(|| {
            let instances = gpu.buffer_with("nebula instances", wgpu::BufferUsages::VERTEX, &instances);
            // Room for one surface at least, which the binding asks for.
            uniforms.resize(uniforms.len().max(2 * STRIDE), 0);
            let buffer = gpu.buffer_with("nebula surfaces", wgpu::BufferUsages::UNIFORM, &uniforms);
            let binding = |offset, size| {
                let size = wgpu::BufferSize::new(size);
                wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &buffer, offset, size })
            };
            let uniforms = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("nebula painter"),
                layout: &self.layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: binding(0, 96) },
                    wgpu::BindGroupEntry { binding: 1, resource: binding(STRIDE as u64, 48) },
                ],
            });
            Frame { uniforms, instances, draws }
        })?);
        Ok(())
    }

    /// Draws the prepared figures, which must be passed again, into a render pass with the painter's formats.
    pub fn paint(&self, pass: &mut wgpu::RenderPass, palettes: &GpuPalettes, figures: &[Figure]) {
        let Some(frame) = &self.frame else { return };
        for draw in &frame.draws {
            let Some(part) = figures.get(draw.figure).and_then(|figure| figure.parts.get(draw.part)) else { continue };
            let [topology, influences, alpha] = slots(part);
            let Some(pipeline) = &self.pipelines[topology][influences][alpha] else { continue };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, palettes.bind_group(), &draw.offsets[..draw.offset_count]);
            pass.set_bind_group(1, part.mesh.morphs.bind_group(), &[]);
            pass.set_bind_group(2, &frame.uniforms, &[draw.index * STRIDE as u32]);
            pass.set_vertex_buffer(0, part.mesh.vertices().slice(..));
            pass.set_vertex_buffer(1, part.mesh.influences().slice(..));
            pass.set_vertex_buffer(2, part.colors.slice(..));
            let at = u64::from(draw.index) * INSTANCE_BYTES as u64;
            pass.set_vertex_buffer(3, frame.instances.slice(at..at + INSTANCE_BYTES as u64));
            pass.set_index_buffer(part.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..part.index_count, 0, 0..1);
        }
    }

    fn need_pipeline(&mut self, gpu: &Gpu, part: &Part) -> Result<(), GpuError> {
        let [topology, influences, alpha] = slots(part);
        if self.pipelines[topology][influences][alpha].is_none() {
            let pipeline = gpu.scoped(|| self.pipeline(gpu, part, influences == 1))?;
            self.pipelines[topology][influences][alpha] = Some(pipeline);
        }
        Ok(())
    }

    fn pipeline(&self, gpu: &Gpu, part: &Part, has_eight: bool) -> wgpu::RenderPipeline {
        let (entry, blend) = match part.transparency {
            Transparency::Opaque => ("nebula_shade", None),
            Transparency::Mask(_) => ("nebula_shade_cut", None),
            Transparency::Blend => ("nebula_shade_blend", Some(wgpu::BlendState::ALPHA_BLENDING)),
        };
        let color_target = wgpu::ColorTargetState { blend, ..self.target.color.into() };
        let four = wgpu::vertex_attr_array![3 => Uint16x4, 4 => Float32x4];
        let eight = wgpu::vertex_attr_array![3 => Uint16x4, 4 => Float32x4, 10 => Uint16x4, 11 => Float32x4];
        let color = wgpu::vertex_attr_array![5 => Float32x4];
        let instance = wgpu::vertex_attr_array![6 => Float32x4, 7 => Float32x4, 8 => Float32x4, 9 => Uint32x2];
        let buffer = |array_stride, attributes| wgpu::VertexBufferLayout {
            array_stride,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes,
        };
        let influences: (u64, &[_]) = if has_eight { (48, &eight) } else { (24, &four) };
        let instances = wgpu::VertexBufferLayout {
            step_mode: wgpu::VertexStepMode::Instance,
            ..buffer(INSTANCE_BYTES as u64, &instance)
        };
        let compilation_options = wgpu::PipelineCompilationOptions::default();
        gpu.device().create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("nebula painter"),
            layout: Some(&self.pipeline_layout),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some(if has_eight { "nebula_draw8" } else { "nebula_draw4" }),
                compilation_options: compilation_options.clone(),
                buffers: &[
                    buffer(GpuMesh::VERTEX_BYTES, &GpuMesh::VERTEX_ATTRIBUTES),
                    buffer(influences.0, influences.1),
                    buffer(16, &color),
                    instances,
                ],
            },
            primitive: wgpu::PrimitiveState { topology: part.topology, ..wgpu::PrimitiveState::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: self.target.depth,
                depth_write_enabled: blend.is_none(),
                depth_compare: wgpu::CompareFunction::Less,
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.target.samples, ..wgpu::MultisampleState::default() },
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(entry),
                compilation_options,
                targets: &[Some(color_target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// Which pipeline draws a part: by topology, by four or eight influences, and by alpha.
fn slots(part: &Part) -> [usize; 3] {
    let topology = match part.topology {
        wgpu::PrimitiveTopology::PointList => 0,
        wgpu::PrimitiveTopology::LineList => 1,
        _ => 2,
    };
    let alpha = match part.transparency {
        Transparency::Opaque => 0,
        Transparency::Mask(_) => 1,
        Transparency::Blend => 2,
    };
    [topology, usize::from(part.mesh.influence_count() == 8), alpha]
}

fn layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    let entry = |binding, has_dynamic_offset, size| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset,
            min_binding_size: wgpu::BufferSize::new(size),
        },
        count: None,
    };
    gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("nebula painter"),
        entries: &[entry(0, false, 96), entry(1, true, 48)],
    })
}
