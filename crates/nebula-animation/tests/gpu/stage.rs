//! Skinned vertices read back, from the vertex stage and from the compute pass.

use glam::{Vec3, Vec4};
use nebula_animation::gpu::{Gpu, GpuError, GpuMesh, GpuPalettes, SkinInstance, Skinner};
use nebula_animation::skinning::Blending;

/// Vertices of all instances, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadBack {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    /// Only the compute pass gives them.
    pub tangents: Vec<Vec4>,
}

/// Through the compute pass.
pub fn computed(
    gpu: &Gpu,
    skinner: &Skinner,
    palettes: &GpuPalettes,
    mesh: &GpuMesh,
    instances: &[SkinInstance],
) -> Result<ReadBack, GpuError> {
    let mut target = skinner.target(gpu, mesh, instances.len())?;
    let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    skinner.skin(gpu, &mut encoder, palettes, mesh, &mut target, instances)?;
    gpu.queue().submit([encoder.finish()]);
    let numbers = read(gpu, target.vertices());
    let count = mesh.vertex_count() as usize * instances.len();
    let mut back = ReadBack::default();
    for vertex in numbers.as_chunks::<10>().0.iter().take(count) {
        let &[x, y, z, nx, ny, nz, tx, ty, tz, tw] = vertex;
        back.positions.push(Vec3::new(x, y, z));
        back.normals.push(Vec3::new(nx, ny, nz));
        back.tangents.push(Vec4::new(tx, ty, tz, tw));
    }
    assert_eq!(back.positions.len(), count);
    Ok(back)
}

/// The floats of a buffer.
pub fn read(gpu: &Gpu, buffer: &wgpu::Buffer) -> Vec<f32> {
    let copy = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: buffer.size(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, None);
    gpu.queue().submit([encoder.finish()]);
    mapped(gpu, &copy, buffer.size())
}

fn mapped(gpu: &Gpu, buffer: &wgpu::Buffer, bytes: u64) -> Vec<f32> {
    buffer.map_async(wgpu::MapMode::Read, ..bytes, |result| result.expect("the buffer is readable"));
    gpu.wait().expect("the device is there");
    let floats = |bytes: &[u8]| bytes.as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four)).collect();
    let numbers = floats(&buffer.get_mapped_range(..bytes));
    buffer.unmap();
    numbers
}

/// A vertex shader of its own, as a user would write it: each vertex becomes a pixel that holds its place.
pub struct VertexStage {
    four: wgpu::RenderPipeline,
    eight: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    uniforms: wgpu::Buffer,
    targets: [wgpu::Texture; 2],
    copies: [wgpu::Buffer; 2],
}

/// Pixels of a line, and lines of the targets.
const WIDTH: u32 = 512;
const HEIGHT: u32 = 512;
/// Draws in one pass.
const DRAWS: usize = 600;

const SHADER: &str = "
struct Draw { first: u32, first_weight: u32, blending: u32, targets: u32, pixel: u32, is_previous: u32 }
@group(2) @binding(0) var<uniform> draw: Draw;

struct Pixel {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) position: vec3<f32>,
    @location(1) @interpolate(flat) normal: vec3<f32>,
}

fn pixel(index: u32, matrix: mat3x4<f32>, at: vec3<f32>, normal: vec3<f32>) -> Pixel {
    var vertex = NebulaVertex(at, normal, vec4(0.0));
    if draw.targets > 0u {
        let delta = nebula_morph(draw.first_weight, index);
        vertex.position += delta[0];
        vertex.normal += delta[1];
    }
    let skinned = nebula_skinned(matrix, vertex);
    let place = draw.pixel + index;
    let x = (f32(place % 512u) + 0.5) / 256.0 - 1.0;
    let y = 1.0 - (f32(place / 512u) + 0.5) / 256.0;
    return Pixel(vec4(x, y, 0.5, 1.0), skinned.position, skinned.normal);
}

fn joints4(joints: vec4<u32>) -> array<mat3x4<f32>, 4> {
    if draw.is_previous == 1u {
        return nebula_previous_joints4(draw.first, joints);
    }
    return nebula_joints4(draw.first, joints);
}

@vertex
fn four(
    @builtin(vertex_index) index: u32, @location(0) at: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(3) joints: vec4<u32>, @location(4) weights: vec4<f32>,
) -> Pixel {
    if draw.blending == 1u {
        return pixel(index, nebula_dual_quaternion4(joints4(joints), weights), at, normal);
    }
    return pixel(index, nebula_linear4(joints4(joints), weights), at, normal);
}

@vertex
fn eight(
    @builtin(vertex_index) index: u32, @location(0) at: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(3) joints: vec4<u32>, @location(4) weights: vec4<f32>,
    @location(5) more_joints: vec4<u32>, @location(6) more_weights: vec4<f32>,
) -> Pixel {
    if draw.blending == 1u {
        return pixel(index, nebula_dual_quaternion8(joints4(joints), weights, joints4(more_joints), more_weights), at, normal);
    }
    return pixel(index, nebula_linear8(joints4(joints), weights, joints4(more_joints), more_weights), at, normal);
}

// Bits: WebGL2 draws no floats of 32 bits.
struct Colors { @location(0) position: vec4<u32>, @location(1) normal: vec4<u32> }

@fragment
fn fragment(pixel: Pixel) -> Colors {
    return Colors(bitcast<vec4<u32>>(vec4(pixel.position, 1.0)), bitcast<vec4<u32>>(vec4(pixel.normal, 1.0)));
}
";

impl VertexStage {
    pub fn new(gpu: &Gpu, palettes: &GpuPalettes, mesh: &GpuMesh) -> Self {
        let device = gpu.device();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[palettes.layout(), mesh.morphs.layout(), &layout],
            immediate_size: 0,
        });
        let text = format!("{}\n{SHADER}", palettes.shader_options(0, Some(1)).text());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let four = wgpu::vertex_attr_array![3 => Uint16x4, 4 => Float32x4];
        let eight = wgpu::vertex_attr_array![3 => Uint16x4, 4 => Float32x4, 5 => Uint16x4, 6 => Float32x4];
        let pipeline = |entry_point, array_stride, attributes: &[wgpu::VertexAttribute]| {
            let buffer = |array_stride, attributes| wgpu::VertexBufferLayout {
                array_stride,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes,
            };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: None,
                layout: Some(&pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(entry_point),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[
                        buffer(GpuMesh::VERTEX_BYTES, &GpuMesh::VERTEX_ATTRIBUTES),
                        wgpu::VertexBufferLayout { array_stride, step_mode: wgpu::VertexStepMode::Vertex, attributes },
                    ],
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::PointList,
                    ..wgpu::PrimitiveState::default()
                },
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fragment"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[
                        Some(wgpu::TextureFormat::Rgba32Uint.into()),
                        Some(wgpu::TextureFormat::Rgba32Uint.into()),
                    ],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let (four, eight) = (pipeline("four", 24, &four), pipeline("eight", 48, &eight));
        let size = wgpu::Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 };
        let target = |_| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba32Uint,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        };
        let buffer = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let uniforms = buffer(DRAWS as u64 * 256, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST);
        let copy = |_| {
            let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
            buffer(u64::from(WIDTH * HEIGHT) * 16, usage)
        };
        Self { four, eight, layout, uniforms, targets: [0, 1].map(target), copies: [0, 1].map(copy) }
    }

    /// Skins a mesh for some instances; by the palettes of the frame before where asked for.
    pub fn skinned(
        &self,
        gpu: &Gpu,
        palettes: &GpuPalettes,
        mesh: &GpuMesh,
        instances: &[SkinInstance],
        is_previous: bool,
    ) -> Result<ReadBack, GpuError> {
        let vertices = mesh.vertex_count();
        let most = ((WIDTH * HEIGHT / vertices.max(1)) as usize).min(DRAWS);
        assert!(most > 0, "{vertices} vertices are too many for this test");
        let mut back = ReadBack::default();
        for instances in instances.chunks(most) {
            self.draw(gpu, palettes, mesh, instances, is_previous)?;
            let count = vertices as usize * instances.len();
            let mut read = self.copies.iter().map(|copy| {
                let numbers = mapped(gpu, copy, (count.max(1) * 16) as u64);
                let pixel = |pixel: &[f32; 4]| {
                    assert_eq!(pixel[3], 1.0, "every vertex was drawn");
                    Vec3::new(pixel[0], pixel[1], pixel[2])
                };
                numbers.as_chunks::<4>().0.iter().take(count).map(pixel).collect::<Vec<_>>()
            });
            back.positions.extend(read.next().expect("positions"));
            back.normals.extend(read.next().expect("normals"));
        }
        Ok(back)
    }

    fn draw(
        &self,
        gpu: &Gpu,
        palettes: &GpuPalettes,
        mesh: &GpuMesh,
        instances: &[SkinInstance],
        is_previous: bool,
    ) -> Result<(), GpuError> {
        let device = gpu.device();
        let size = wgpu::BufferSize::new(24);
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &self.uniforms,
                    offset: 0,
                    size,
                }),
            }],
        });
        let mut bytes = vec![0_u8; instances.len() * 256];
        let mut places = Vec::new();
        for (index, instance) in instances.iter().enumerate() {
            let place = palettes.place(instance.start_joint, mesh.joint_count())?;
            let blending = u32::from(mesh.blending == Blending::DualQuaternion);
            let pixel = index as u32 * mesh.vertex_count();
            let targets = mesh.morphs.target_count() as u32;
            let draw = [place.first, instance.first_weight, blending, targets, pixel, u32::from(is_previous)];
            let numbers = draw.iter().flat_map(|number| number.to_le_bytes());
            bytes[index * 256..].iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
            places.push(place);
        }
        gpu.queue().write_buffer(&self.uniforms, 0, &bytes);
        let views = [0, 1].map(|index: usize| self.targets[index].create_view(&wgpu::TextureViewDescriptor::default()));
        let attachments = [0, 1].map(|index: usize| {
            Some(wgpu::RenderPassColorAttachment {
                view: &views[index],
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &attachments,
                ..wgpu::RenderPassDescriptor::default()
            });
            pass.set_pipeline(if mesh.influence_count() == 8 { &self.eight } else { &self.four });
            pass.set_bind_group(1, mesh.morphs.bind_group(), &[]);
            pass.set_vertex_buffer(0, mesh.vertices().slice(..));
            pass.set_vertex_buffer(1, mesh.influences().slice(..));
            for (index, place) in places.iter().enumerate() {
                pass.set_bind_group(0, palettes.bind_group(), place.offsets());
                pass.set_bind_group(2, &bind_group, &[index as u32 * 256]);
                pass.draw(0..mesh.vertex_count(), 0..1);
            }
        }
        for (target, copy) in self.targets.iter().zip(&self.copies) {
            // Only the lines that hold something.
            let lines = (instances.len() as u32 * mesh.vertex_count()).div_ceil(WIDTH).max(1);
            encoder.copy_texture_to_buffer(
                target.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: copy,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(WIDTH * 16),
                        rows_per_image: Some(lines),
                    },
                },
                wgpu::Extent3d { width: WIDTH, height: lines, depth_or_array_layers: 1 },
            );
        }
        gpu.queue().submit([encoder.finish()]);
        Ok(())
    }
}
