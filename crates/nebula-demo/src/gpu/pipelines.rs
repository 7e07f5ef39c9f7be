//! Shaders and their pipelines.

use nebula_animation::gpu::{Gpu, GpuMesh, GpuPalettes};

use super::constants::constants;
use super::device::Device;
use super::features::Features;
use super::layouts::Layouts;
use super::lines::LINE_BYTES;
use super::target::{COLOR, DEPTH, SAMPLED, SAMPLES};

/// Format of the soft copies of shadow maps: cover, and cover times height.
pub(super) const SOFT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Format of the shadow maps.
pub(super) const HEIGHTS: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// How a part of a model is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Style {
    pub(super) has_eight: bool,
    pub(super) sides: Sides,
    pub(super) kind: Kind,
    pub(super) features: Features,
}

/// Which sides of triangles are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Sides {
    Both,
    /// Counter-clockwise ones.
    Front,
    /// Clockwise ones: the fronts of what is mirrored.
    MirroredFront,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Everything is covered.
    Opaque,
    /// Alpha cuts parts away, or lets light through.
    Cut,
    /// The edges of the triangles.
    Wire,
}

/// All pipelines; those of models are made when they are first needed.
#[derive(Debug)]
pub(super) struct Pipelines {
    surface_module: wgpu::ShaderModule,
    surface_layout: wgpu::PipelineLayout,
    surfaces: Vec<(Style, wgpu::RenderPipeline)>,
    /// By four or eight joints a vertex; keeping the highest, or the lowest.
    pub(super) casts: [[wgpu::RenderPipeline; 2]; 2],
    pub(super) pyramid_base: wgpu::RenderPipeline,
    pub(super) pyramid_halved: wgpu::RenderPipeline,
    pub(super) sky: wgpu::RenderPipeline,
    /// What shadows do not reach, and what they may.
    pub(super) floors: [wgpu::RenderPipeline; 2],
    pub(super) hills: [wgpu::RenderPipeline; 2],
    /// Hills as heights.
    pub(super) ground: wgpu::RenderPipeline,
    pub(super) lines: wgpu::RenderPipeline,
    pub(super) resolve: wgpu::RenderPipeline,
}

impl Pipelines {
    /// Software drivers get shaders that read textures less often.
    pub(super) fn new(device: &Device, layouts: &Layouts, palettes: &GpuPalettes) -> Self {
        let (gpu, is_software, is_gl) = (&device.gpu, device.is_software(), device.is_gl());
        let device = gpu.device();
        let module = |label: &str, parts: &[&str]| {
            let text = [&[constants(is_software).as_str()], parts].concat().join("\n");
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            })
        };
        let layout = |label: &str, bind_group_layouts: &[&wgpu::BindGroupLayout]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts,
                immediate_size: 0,
            })
        };
        let library = palettes.shader_options(0, Some(1)).text();
        let frame = include_str!("frame.wgsl");
        let heights = if is_gl { include_str!("heights_fetched.wgsl") } else { include_str!("heights_gathered.wgsl") };
        let light = &[heights, include_str!("light.wgsl")].join("\n");
        let body = include_str!("body.wgsl");
        let surface_module = module(
            "surface",
            &[&library, frame, light, body, include_str!("looks.wgsl"), include_str!("surface.wgsl")],
        );
        let surface_layout = layout("surface", &[&layouts.palettes, &layouts.morphs, &layouts.light, &layouts.surface]);

        let cast_module = module("cast", &[&library, frame, body, include_str!("cast.wgsl")]);
        let cast_layout = layout("cast", &[&layouts.palettes, &layouts.morphs, &layouts.map]);
        let cast = |has_eight: bool, compare| {
            let mut plan = Plan::new("cast", &cast_module, &cast_layout, if has_eight { "cast8" } else { "cast4" });
            let [vertices, influences, _, _, instances] = body_buffers(has_eight);
            let buffers = [vertices, influences, instances];
            plan.buffers = &buffers;
            plan.depth = Some((HEIGHTS, compare, true));
            plan.make(gpu)
        };
        let both = |compare| [cast(false, compare), cast(true, compare)];

        let pyramid_module = module("pyramid", &[frame, include_str!("pyramid.wgsl")]);
        let pyramid_layout = layout("pyramid", &[&layouts.pyramid]);
        let pyramid = |entry| {
            let mut plan = Plan::new("pyramid", &pyramid_module, &pyramid_layout, "everywhere");
            plan.fragment = Some((entry, SOFT.into()));
            plan.make(gpu)
        };

        // Neither palettes nor morph targets here: the frame is the first group.
        let light = light.replace("@group(2)", "@group(0)");
        let backdrop_module =
            module("backdrop", &[frame, &light, include_str!("backdrop.wgsl"), include_str!("hills.wgsl")]);
        let backdrop_layout = layout("backdrop", &[&layouts.light]);
        let backdrop = |vertex, fragment, compare, buffers: &[wgpu::VertexBufferLayout<'_>], cull| {
            let mut plan = Plan::new("backdrop", &backdrop_module, &backdrop_layout, vertex);
            plan.buffers = buffers;
            plan.fragment = Some((fragment, SAMPLED.into()));
            plan.depth = Some((DEPTH, compare, true));
            plan.samples = SAMPLES;
            plan.cull = cull;
            plan.make(gpu)
        };
        let (nearer, as_near) = (wgpu::CompareFunction::Greater, wgpu::CompareFunction::GreaterEqual);
        let hill = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];
        let hill = buffer(40, wgpu::VertexStepMode::Vertex, &hill);

        let lines_module = module("lines", &[include_str!("lines.wgsl")]);
        let lines_layout = layout("lines", &[&layouts.lines]);
        let line = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Float32x4];
        let mut lines = Plan::new("lines", &lines_module, &lines_layout, "stroke_vertex");
        let line = [buffer(LINE_BYTES, wgpu::VertexStepMode::Instance, &line)];
        lines.buffers = &line;
        lines.topology = wgpu::PrimitiveTopology::TriangleStrip;
        lines.fragment = Some(("stroke", blended(COLOR)));
        Self {
            casts: [both(nearer), both(wgpu::CompareFunction::Less)],
            pyramid_base: pyramid("base"),
            pyramid_halved: pyramid("halved"),
            sky: backdrop("sky_vertex", "sky", as_near, &[], None),
            floors: ["open_floor", "shaded_floor"]
                .map(|fragment| backdrop("floor_vertex", fragment, nearer, &[], None)),
            hills: ["open_hill", "shaded_hill"].map(|fragment| {
                backdrop("hill_vertex", fragment, nearer, std::slice::from_ref(&hill), Some(wgpu::Face::Back))
            }),
            ground: {
                let module = module("ground", &[frame, include_str!("ground.wgsl")]);
                let layout = layout("ground", &[&layouts.map]);
                let mut plan = Plan::new("ground", &module, &layout, "ground");
                let buffers = [wgpu::VertexBufferLayout { attributes: &hill.attributes[..1], ..hill.clone() }];
                plan.buffers = &buffers;
                plan.depth = Some((HEIGHTS, wgpu::CompareFunction::Always, true));
                plan.make(gpu)
            },
            lines: lines.make(gpu),
            resolve: {
                let text = if is_gl { include_str!("resolve_mixed.wgsl") } else { include_str!("resolve.wgsl") };
                let module = module("resolve", &[text]);
                let layout = layout("resolve", &[&layouts.samples]);
                let mut plan = Plan::new("resolve", &module, &layout, "everywhere");
                plan.fragment = Some(("resolve", COLOR.into()));
                plan.make(gpu)
            },
            surface_module,
            surface_layout,
            surfaces: Vec::new(),
        }
    }

    /// Makes the pipeline of a style, if it is not there yet.
    pub(super) fn need(&mut self, gpu: &Gpu, style: Style) {
        if self.surface(style).is_some() {
            return;
        }
        let entry = match (style.kind, style.has_eight) {
            (Kind::Wire, false) => "wire4",
            (Kind::Wire, true) => "wire8",
            (_, false) => "draw4",
            (_, true) => "draw8",
        };
        let mut plan = Plan::new("surface", &self.surface_module, &self.surface_layout, entry);
        let buffers = body_buffers(style.has_eight);
        plan.buffers = &buffers;
        plan.depth = Some((DEPTH, wgpu::CompareFunction::Greater, style.kind != Kind::Wire));
        plan.samples = SAMPLES;
        plan.fragment = Some(match style.kind {
            Kind::Opaque => ("opaque", SAMPLED.into()),
            Kind::Cut => ("cut", SAMPLED.into()),
            Kind::Wire => ("wire", blended(SAMPLED)),
        });
        let constants = style.features.constants();
        // The shader of edges knows no looks.
        plan.constants = if style.kind == Kind::Wire { &[] } else { &constants };
        if style.kind == Kind::Wire {
            plan.topology = wgpu::PrimitiveTopology::LineList;
        }
        plan.cull = (style.sides != Sides::Both).then_some(wgpu::Face::Back);
        if style.sides == Sides::MirroredFront {
            plan.front = wgpu::FrontFace::Cw;
        }
        let pipeline = plan.make(gpu);
        self.surfaces.push((style, pipeline));
    }

    /// The pipeline of a style, if it has been made.
    pub(super) fn surface(&self, style: Style) -> Option<&wgpu::RenderPipeline> {
        self.surfaces.iter().find(|(made, _)| *made == style).map(|(_, pipeline)| pipeline)
    }
}

/// What a pipeline is made of.
struct Plan<'a> {
    label: &'a str,
    module: &'a wgpu::ShaderModule,
    layout: &'a wgpu::PipelineLayout,
    vertex: &'a str,
    buffers: &'a [wgpu::VertexBufferLayout<'a>],
    fragment: Option<(&'a str, wgpu::ColorTargetState)>,
    /// Of the fragments' shader.
    constants: &'a [(&'a str, f64)],
    depth: Option<(wgpu::TextureFormat, wgpu::CompareFunction, bool)>,
    samples: u32,
    topology: wgpu::PrimitiveTopology,
    cull: Option<wgpu::Face>,
    front: wgpu::FrontFace,
}

impl<'a> Plan<'a> {
    fn new(label: &'a str, module: &'a wgpu::ShaderModule, layout: &'a wgpu::PipelineLayout, vertex: &'a str) -> Self {
        Self {
            label,
            module,
            layout,
            vertex,
            buffers: &[],
            fragment: None,
            constants: &[],
            depth: None,
            samples: 1,
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: None,
            front: wgpu::FrontFace::Ccw,
        }
    }

    fn make(&self, gpu: &Gpu) -> wgpu::RenderPipeline {
        let targets = self.fragment.as_ref().map(|(_, target)| [Some(target.clone())]);
        gpu.device().create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: self.topology,
                front_face: self.front,
                cull_mode: self.cull,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: self.depth.map(|(format, depth_compare, depth_write_enabled)| wgpu::DepthStencilState {
                format,
                depth_write_enabled,
                depth_compare,
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.samples, ..wgpu::MultisampleState::default() },
            fragment: self.fragment.as_ref().zip(targets.as_ref()).map(|((entry, _), targets)| wgpu::FragmentState {
                module: self.module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: self.constants,
                    ..wgpu::PipelineCompilationOptions::default()
                },
                targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The vertex buffers of a model: vertices, joints, colours, texture coordinates, instances.
fn body_buffers(has_eight: bool) -> [wgpu::VertexBufferLayout<'static>; 5] {
    const VERTICES: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 9 => Float32x4];
    const FOUR: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![2 => Uint16x4, 3 => Float32x4];
    const EIGHT: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![2 => Uint16x4, 3 => Float32x4, 7 => Uint16x4, 8 => Float32x4];
    const COLORS: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![5 => Float32x4];
    const UVS: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![6 => Float32x4];
    const INSTANCES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Uint32x4];
    let vertex = wgpu::VertexStepMode::Vertex;
    [
        buffer(GpuMesh::VERTEX_BYTES, vertex, &VERTICES),
        if has_eight { buffer(48, vertex, &EIGHT) } else { buffer(24, vertex, &FOUR) },
        buffer(16, vertex, &COLORS),
        buffer(16, vertex, &UVS),
        buffer(16, wgpu::VertexStepMode::Instance, &INSTANCES),
    ]
}

fn buffer(
    array_stride: u64,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride, step_mode, attributes }
}

/// A target that colours are mixed into by their alpha.
fn blended(format: wgpu::TextureFormat) -> wgpu::ColorTargetState {
    let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
    wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL }
}
