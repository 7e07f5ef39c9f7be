//! Shadow maps and their blurred copies.

use super::bodies::Bodies;
use super::device::Device;
use super::frame::{FrameData, MapData};
use super::hills::{Hills, Part};
use super::layouts::{Layouts, bind};
use super::pipelines::{HEIGHTS, Pipelines, SOFT};
use crate::picture::pyramid::LEVELS;

/// Texels along a side: the largest map, and a rim that is always empty.
const LIT_SIDE: u32 = 512;
const ABOVE_SIDE: u32 = 192;

/// The same for crowds on hills.
const CROWD_SIDE: u32 = 1344;

/// The shadows of a frame.
#[derive(Debug)]
pub(super) struct Shadows {
    lit: Map,
    above: Map,
    frame: wgpu::Buffer,
    /// The frame and its shadows, for the passes that show colours.
    pub(super) light: wgpu::BindGroup,
}

/// One map.
#[derive(Debug)]
struct Map {
    data: MapData,
    uniform: wgpu::Buffer,
    heights: wgpu::TextureView,
    levels: Vec<wgpu::TextureView>,
    soft: wgpu::TextureView,
    target: wgpu::BindGroup,
    /// For making each level from the one before.
    sources: Vec<wgpu::BindGroup>,
    /// Whether the highest heights are kept, or the lowest.
    is_highest: bool,
    /// Heights of hills, for the map of the lowest ones.
    ground: wgpu::TextureView,
    side: u32,
}

impl Shadows {
    pub(super) fn new(device: &Device, layouts: &Layouts) -> Self {
        Self::with_side(device, layouts, LIT_SIDE)
    }

    fn with_side(device: &Device, layouts: &Layouts, side: u32) -> Self {
        let sampler = |filter, mipmap_filter| {
            device.gpu.device().create_sampler(&wgpu::SamplerDescriptor {
                label: Some("shadows"),
                mag_filter: filter,
                min_filter: filter,
                mipmap_filter,
                ..wgpu::SamplerDescriptor::default()
            })
        };
        let smooth = sampler(wgpu::FilterMode::Linear, wgpu::MipmapFilterMode::Linear);
        let texels = sampler(wgpu::FilterMode::Nearest, wgpu::MipmapFilterMode::Nearest);
        let samplers = [&smooth, &texels];
        let lit = Map::new(device, layouts, samplers, side, true);
        let above = Map::new(device, layouts, samplers, ABOVE_SIDE, false);
        let frame = device.buffer("frame", wgpu::BufferUsages::UNIFORM, &vec![0; size_of::<FrameData>()]);
        let light = bind(
            &device.gpu,
            "light",
            &layouts.light,
            &[
                frame.as_entire_binding(),
                wgpu::BindingResource::TextureView(&lit.heights),
                wgpu::BindingResource::TextureView(&lit.soft),
                wgpu::BindingResource::TextureView(&above.soft),
                wgpu::BindingResource::Sampler(&smooth),
                wgpu::BindingResource::Sampler(&texels),
            ],
        );
        Self { lit, above, frame, light }
    }

    pub(super) fn prepare(&mut self, device: &Device, layouts: &Layouts, frame: &FrameData) {
        let is_large = frame.lit.texels().is_some_and(|texels| texels.into_iter().any(|side| side > LIT_SIDE));
        let side = if is_large { CROWD_SIDE } else { LIT_SIDE };
        if side > self.lit.side {
            *self = Self::with_side(device, layouts, side);
        }
        device.gpu.queue().write_buffer(&self.frame, 0, bytemuck::bytes_of(frame));
        self.lit.prepare(device, frame.lit);
        self.above.prepare(device, frame.above);
    }

    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        bodies: &Bodies,
        hills: &Hills,
        has_floor: bool,
    ) {
        // Copies of the map along the light are for floors only, and so is the one from above.
        self.lit.draw(encoder, pipelines, bodies, has_floor);
        self.above.draw_ground(encoder, pipelines, hills);
        self.above.draw(encoder, pipelines, bodies, has_floor);
    }
}

impl Map {
    fn new(device: &Device, layouts: &Layouts, samplers: [&wgpu::Sampler; 2], side: u32, is_highest: bool) -> Self {
        let texture = |label, format, mip_level_count| {
            device.gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
                mip_level_count,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        };
        let soft = texture("soft shadows", SOFT, LEVELS as u32);
        let level = |base_mip_level| {
            let mip_level_count = Some(1);
            soft.create_view(&wgpu::TextureViewDescriptor { base_mip_level, mip_level_count, ..Default::default() })
        };
        let levels: Vec<wgpu::TextureView> = (0..LEVELS as u32).map(level).collect();
        let heights = texture("shadows", HEIGHTS, 1).create_view(&wgpu::TextureViewDescriptor::default());
        let uniform = device.buffer("map", wgpu::BufferUsages::UNIFORM, &[0; size_of::<MapData>()]);
        let ground = texture("ground", HEIGHTS, 1).create_view(&wgpu::TextureViewDescriptor::default());
        let target = bind(&device.gpu, "map", &layouts.map, &[uniform.as_entire_binding()]);
        let sources = (0..LEVELS).map(|made| {
            // The first one is made from the heights: any texture but itself will do beside them.
            let before = if made == 0 { 1 } else { made - 1 };
            let resources = [
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&heights),
                wgpu::BindingResource::TextureView(&levels[before]),
                wgpu::BindingResource::TextureView(&ground),
                wgpu::BindingResource::Sampler(samplers[0]),
                wgpu::BindingResource::Sampler(samplers[1]),
            ];
            bind(&device.gpu, "pyramid", &layouts.pyramid, &resources)
        });
        let sources = sources.collect();
        let soft = soft.create_view(&wgpu::TextureViewDescriptor::default());
        Self { data: MapData::NONE, uniform, heights, levels, soft, target, sources, is_highest, ground, side }
    }

    fn prepare(&mut self, device: &Device, data: MapData) {
        self.data = data;
        device.gpu.queue().write_buffer(&self.uniform, 0, bytemuck::bytes_of(&data));
    }

    /// Draws the hills below the figures, which are above them by so much less.
    fn draw_ground(&self, encoder: &mut wgpu::CommandEncoder, pipelines: &Pipelines, hills: &Hills) {
        let Some([width, height]) = self.data.texels() else { return };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("ground"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.ground,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_viewport(0.0, 0.0, width as f32, height as f32, 0.0, 1.0);
        pass.set_bind_group(0, &self.target, &[]);
        hills.draw(&mut pass, &pipelines.ground, Part::Below);
    }

    fn draw(&self, encoder: &mut wgpu::CommandEncoder, pipelines: &Pipelines, bodies: &Bodies, has_copies: bool) {
        let Some([width, height]) = self.data.texels() else { return };
        let nothing = if self.is_highest { 0.0 } else { 1.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadows"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.heights,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(nothing), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_viewport(0.0, 0.0, width as f32, height as f32, 0.0, 1.0);
        pass.set_bind_group(2, &self.target, &[]);
        bodies.cast(&mut pass, &pipelines.casts[usize::from(!self.is_highest)], !self.is_highest);
        drop(pass);
        if !has_copies {
            return;
        }
        for (made, (view, source)) in self.levels.iter().zip(&self.sources).enumerate() {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("soft shadows"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(if made == 0 { &pipelines.pyramid_base } else { &pipelines.pyramid_halved });
            pass.set_viewport(0.0, 0.0, (width >> made) as f32, (height >> made) as f32, 0.0, 1.0);
            pass.set_bind_group(0, source, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}
