//! Draws egui's triangles over the scene's picture.

use std::collections::HashMap;

use egui::epaint::{ImageData, ImageDelta, Primitive, Vertex};
use egui::{ClippedPrimitive, Rect, TextureId, TexturesDelta};

use crate::gpu::Device;

/// What a frame of the window consists of.
pub struct Frame<'a> {
    /// The finished picture of the scene, sRGB.
    pub picture: Option<&'a wgpu::TextureView>,
    /// Where it goes, in points.
    pub picture_rect: Rect,
    /// The panels.
    pub primitives: &'a [ClippedPrimitive],
    /// Changes of the panels' textures.
    pub textures: &'a TexturesDelta,
    /// Size of the window in pixels.
    pub size: [u32; 2],
    /// Pixels in a point.
    pub scale: f32,
}

/// Draws panels and a picture.
pub struct Painter {
    panel: wgpu::RenderPipeline,
    picture: wgpu::RenderPipeline,
    screen: wgpu::Buffer,
    screen_group: wgpu::BindGroup,
    image_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    textures: HashMap<TextureId, (wgpu::Texture, wgpu::BindGroup)>,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    is_linear: bool,
}

/// The four corners of the picture come before the panels' vertices, its two triangles before their indices.
const CORNER_INDICES: [u32; 6] = [0, 1, 2, 2, 1, 3];

impl Painter {
    /// A painter for a window of this format.
    pub fn new(device: &Device, format: wgpu::TextureFormat) -> Self {
        let gpu = device.gpu.device();
        let module = gpu.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("panels"),
            source: wgpu::ShaderSource::Wgsl(include_str!("painter.wgsl").into()),
        });
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
        let layout = |entries: &[wgpu::BindGroupLayoutEntry]| {
            gpu.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("panels"), entries })
        };
        let screen_layout = layout(&[entry(
            0,
            wgpu::ShaderStages::VERTEX_FRAGMENT,
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: wgpu::BufferSize::new(16),
            },
        )]);
        let image_layout = layout(&[
            entry(
                0,
                wgpu::ShaderStages::FRAGMENT,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: true },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(1, wgpu::ShaderStages::FRAGMENT, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
        ]);
        let pipeline_layout = gpu.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("panels"),
            bind_group_layouts: &[&screen_layout, &image_layout],
            immediate_size: 0,
        });
        let pipeline = |entry_point, blend| {
            gpu.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("panels"),
                layout: Some(&pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[wgpu::VertexBufferLayout {
                        array_stride: size_of::<Vertex>() as u64,
                        step_mode: wgpu::VertexStepMode::Vertex,
                        attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4],
                    }],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(entry_point),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let screen = buffer(device, wgpu::BufferUsages::UNIFORM, 16);
        let screen_group = gpu.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("panels"),
            layout: &screen_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: screen.as_entire_binding() }],
        });
        let sampler = gpu.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("panels"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        Self {
            panel: pipeline("panel", Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING)),
            picture: pipeline("picture", None),
            screen,
            screen_group,
            image_layout,
            sampler,
            textures: HashMap::new(),
            vertices: buffer(device, wgpu::BufferUsages::VERTEX, 1 << 16),
            indices: buffer(device, wgpu::BufferUsages::INDEX, 1 << 16),
            is_linear: format.is_srgb(),
        }
    }

    /// Draws a frame onto the window.
    pub fn paint(&mut self, device: &Device, target: &wgpu::TextureView, frame: &Frame<'_>) {
        for (id, delta) in &frame.textures.set {
            self.set_texture(device, *id, delta);
        }
        let [width, height] = frame.size;
        let points = [width as f32 / frame.scale, height as f32 / frame.scale];
        let screen = [points[0], points[1], f32::from(u8::from(self.is_linear)), 0.0];
        device.gpu.queue().write_buffer(&self.screen, 0, bytemuck::cast_slice(&screen));
        self.upload(device, frame);
        let picture = frame.picture.map(|view| self.image_group(device, view));
        let mut encoder = device.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("window"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_bind_group(0, &self.screen_group, &[]);
            pass.set_vertex_buffer(0, self.vertices.slice(..));
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
            if let Some(picture) = &picture {
                pass.set_pipeline(&self.picture);
                pass.set_bind_group(1, picture, &[]);
                pass.draw_indexed(0..CORNER_INDICES.len() as u32, 0, 0..1);
            }
            pass.set_pipeline(&self.panel);
            let mut first_index = CORNER_INDICES.len() as u32;
            for ClippedPrimitive { clip_rect, primitive } in frame.primitives {
                let Primitive::Mesh(mesh) = primitive else { continue };
                let last_index = first_index + mesh.indices.len() as u32;
                let scissor = scissor(*clip_rect, frame.scale, frame.size);
                let texture = self.textures.get(&mesh.texture_id);
                if let (Some([x, y, width, height]), Some((_, group))) = (scissor, texture) {
                    pass.set_scissor_rect(x, y, width, height);
                    pass.set_bind_group(1, group, &[]);
                    pass.draw_indexed(first_index..last_index, 0, 0..1);
                }
                first_index = last_index;
            }
        }
        device.gpu.queue().submit([encoder.finish()]);
        for id in &frame.textures.free {
            self.textures.remove(id);
        }
    }

    /// Uploads the vertices of the picture and of all panels.
    fn upload(&mut self, device: &Device, frame: &Frame<'_>) {
        let rect = frame.picture_rect;
        let corner = |place: egui::Pos2, x: f32, y: f32| Vertex {
            pos: place,
            uv: egui::pos2(x, y),
            color: egui::Color32::WHITE,
        };
        let mut vertices = vec![
            corner(rect.left_top(), 0.0, 0.0),
            corner(rect.left_bottom(), 0.0, 1.0),
            corner(rect.right_top(), 1.0, 0.0),
            corner(rect.right_bottom(), 1.0, 1.0),
        ];
        let mut indices = CORNER_INDICES.to_vec();
        for ClippedPrimitive { primitive, .. } in frame.primitives {
            if let Primitive::Mesh(mesh) = primitive {
                // Counted from the start of the buffer: WebGL2 knows no other first vertex.
                let first = vertices.len() as u32;
                vertices.extend_from_slice(&mesh.vertices);
                indices.extend(mesh.indices.iter().map(|index| first + index));
            }
        }
        let (vertices, indices): (&[u8], &[u8]) = (bytemuck::cast_slice(&vertices), bytemuck::cast_slice(&indices));
        for (buffer_of, usage, bytes) in [
            (&mut self.vertices, wgpu::BufferUsages::VERTEX, vertices),
            (&mut self.indices, wgpu::BufferUsages::INDEX, indices),
        ] {
            if buffer_of.size() < bytes.len() as u64 {
                *buffer_of = buffer(device, usage, (bytes.len() as u64).next_power_of_two());
            }
            device.gpu.queue().write_buffer(buffer_of, 0, bytes);
        }
    }

    fn image_group(&self, device: &Device, view: &wgpu::TextureView) -> wgpu::BindGroup {
        device.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("panels"),
            layout: &self.image_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        })
    }

    fn set_texture(&mut self, device: &Device, id: TextureId, delta: &ImageDelta) {
        let ImageData::Color(image) = &delta.image;
        let [width, height] = image.size.map(|side| side as u32);
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let [x, y] = delta.pos.unwrap_or_default().map(|at| at as u32);
        if delta.pos.is_none() {
            let texture = device.gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("panels"),
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let group = self.image_group(device, &texture.create_view(&wgpu::TextureViewDescriptor::default()));
            self.textures.insert(id, (texture, group));
        }
        let Some((texture, _)) = self.textures.get(&id) else { return };
        device.gpu.queue().write_texture(
            wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() },
            bytemuck::cast_slice(&image.pixels),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: Some(height) },
            size,
        );
    }
}

/// A rectangle of points in pixels of the window: x, y, width, height; none if nothing of it is seen.
fn scissor(rect: Rect, scale: f32, [width, height]: [u32; 2]) -> Option<[u32; 4]> {
    // The casts bound what lies outside.
    let pixel = |points: f32, most: u32| ((points * scale).round() as u32).min(most);
    let (left, right) = (pixel(rect.min.x, width), pixel(rect.max.x, width));
    let (top, bottom) = (pixel(rect.min.y, height), pixel(rect.max.y, height));
    (right > left && bottom > top).then_some([left, top, right - left, bottom - top])
}

fn buffer(device: &Device, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    device.gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("panels"),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
