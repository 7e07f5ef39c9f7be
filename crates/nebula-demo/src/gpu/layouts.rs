//! Bind group layouts.

use nebula_animation::gpu::{Gpu, GpuMesh, GpuPalettes};
use nebula_animation::skinning::{Blending, Geometry};

use super::features::{MAPS, SurfaceData};
use super::frame::{FrameData, MapData};

/// The groups of bindings beside the palettes' and the morph targets'.
#[derive(Debug)]
pub(super) struct Layouts {
    pub(super) palettes: wgpu::BindGroupLayout,
    pub(super) morphs: wgpu::BindGroupLayout,
    /// The frame and its shadows.
    pub(super) light: wgpu::BindGroupLayout,
    /// A map that is drawn onto.
    pub(super) map: wgpu::BindGroupLayout,
    /// How a part of a model looks.
    pub(super) surface: wgpu::BindGroupLayout,
    /// A map and the copy before the one that is made.
    pub(super) pyramid: wgpu::BindGroupLayout,
    /// The samples of a picture.
    pub(super) samples: wgpu::BindGroupLayout,
    /// The camera of the overlay.
    pub(super) lines: wgpu::BindGroupLayout,
}

impl Layouts {
    /// OpenGL gets bindings that it can have: see `heights_fetched.wgsl` and `resolve_mixed.wgsl`.
    pub(super) fn new(gpu: &Gpu, palettes: &GpuPalettes, is_gl: bool) -> Result<Self, String> {
        let device = gpu.device();
        let layout = |label: &str, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let unfiltered = wgpu::TextureSampleType::Float { filterable: false };
        let filtered = wgpu::TextureSampleType::Float { filterable: true };
        // The layout of morph targets is the same for all meshes, and a mesh of nothing is the way to it.
        let nothing =
            GpuMesh::new(gpu, &Geometry::default(), 0, Blending::Linear).map_err(|error| error.to_string())?;
        Ok(Self {
            palettes: palettes.layout().clone(),
            morphs: nothing.morphs.layout().clone(),
            light: layout(
                "light",
                &[
                    uniform(0, both, size_of::<FrameData>()),
                    texture(1, fragment, if is_gl { unfiltered } else { wgpu::TextureSampleType::Depth }),
                    texture(2, fragment, filtered),
                    texture(3, fragment, filtered),
                    sampler(4, wgpu::SamplerBindingType::Filtering),
                    sampler(5, wgpu::SamplerBindingType::NonFiltering),
                ],
            ),
            map: layout("map", &[uniform(0, wgpu::ShaderStages::VERTEX, size_of::<MapData>())]),
            surface: layout(
                "surface",
                &std::iter::once(uniform(0, fragment, size_of::<SurfaceData>()))
                    .chain((0..MAPS as u32).flat_map(|map| {
                        let kind = wgpu::SamplerBindingType::Filtering;
                        [texture(1 + 2 * map, fragment, filtered), sampler(2 + 2 * map, kind)]
                    }))
                    .collect::<Vec<_>>(),
            ),
            pyramid: layout(
                "pyramid",
                &[
                    uniform(0, fragment, size_of::<MapData>()),
                    texture(1, fragment, unfiltered),
                    texture(2, fragment, filtered),
                    texture(3, fragment, unfiltered),
                    sampler(4, wgpu::SamplerBindingType::Filtering),
                    sampler(5, wgpu::SamplerBindingType::NonFiltering),
                ],
            ),
            samples: layout(
                "samples",
                &[wgpu::BindGroupLayoutEntry {
                    binding: 0,
                    visibility: fragment,
                    ty: wgpu::BindingType::Texture {
                        sample_type: unfiltered,
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: !is_gl,
                    },
                    count: None,
                }],
            ),
            lines: layout("lines", &[uniform(0, both, 96)]),
        })
    }
}

fn uniform(binding: u32, visibility: wgpu::ShaderStages, bytes: usize) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(bytes as u64),
    };
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn texture(
    binding: u32,
    visibility: wgpu::ShaderStages,
    sample_type: wgpu::TextureSampleType,
) -> wgpu::BindGroupLayoutEntry {
    let ty =
        wgpu::BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false };
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn sampler(binding: u32, kind: wgpu::SamplerBindingType) -> wgpu::BindGroupLayoutEntry {
    let visibility = wgpu::ShaderStages::FRAGMENT;
    wgpu::BindGroupLayoutEntry { binding, visibility, ty: wgpu::BindingType::Sampler(kind), count: None }
}

/// A bind group of these resources, numbered from zero.
pub(super) fn bind(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = resources
        .iter()
        .enumerate()
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding: binding as u32, resource: resource.clone() })
        .collect();
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
