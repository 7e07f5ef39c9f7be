use super::limits::{BUFFER_SIZE, TEXTURE_SIZE, within};
use super::{Camera, Figure, Gpu, GpuError, GpuPalettes, Painter};

/// An off-screen picture on the GPU: draws figures and reads back the pixels.
#[derive(Debug)]
pub struct Canvas {
    painter: Painter,
    width: u32,
    height: u32,
    /// Background colour, linear RGBA from 0 to 1.
    pub background: [f64; 4],
    /// Smooth edges: four samples a pixel.
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    color: wgpu::Texture,
    pixels: wgpu::Buffer,
}

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth24Plus;
const SAMPLES: u32 = 4;

impl Canvas {
    /// Creates a canvas of this many pixels, for these palettes.
    ///
    /// # Errors
    /// [`GpuError::Limit`] for a size of zero or beyond the device's limit, and errors of creating textures.
    pub fn new(gpu: &Gpu, palettes: &GpuPalettes, width: u32, height: u32) -> Result<Self, GpuError> {
        let most = u64::from(gpu.limits().max_texture_dimension_2d);
        for side in [width, height] {
            within("pixels of a side", if side == 0 { u64::MAX } else { side.into() }, most, TEXTURE_SIZE)?;
        }
        let bytes = u64::from(bytes_per_row(width)) * u64::from(height);
        within("bytes of a picture", bytes, gpu.limits().max_buffer_size, BUFFER_SIZE)?;
        let painter = Painter::new(gpu, palettes, COLOR, DEPTH, SAMPLES)?;
        gpu.scoped(|| {
            let texture = |format, sample_count, usage| {
                gpu.device().create_texture(&wgpu::TextureDescriptor {
                    label: Some("nebula canvas"),
                    size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                    mip_level_count: 1,
                    sample_count,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                    view_formats: &[],
                })
            };
            let view = |texture: wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
            Self {
                painter,
                width,
                height,
                background: [0.045, 0.05, 0.065, 1.0],
                samples: view(texture(COLOR, SAMPLES, wgpu::TextureUsages::empty())),
                depth: view(texture(DEPTH, SAMPLES, wgpu::TextureUsages::empty())),
                color: texture(COLOR, 1, wgpu::TextureUsages::COPY_SRC),
                pixels: gpu.device().create_buffer(&wgpu::BufferDescriptor {
                    label: Some("nebula pixels"),
                    size: bytes,
                    usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                    mapped_at_creation: false,
                }),
            }
        })
    }

    /// Draws figures on the background, replacing the previous picture.
    ///
    /// # Errors
    /// Like [`Painter::prepare`].
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        palettes: &GpuPalettes,
        camera: &Camera,
        figures: &[Figure],
    ) -> Result<(), GpuError> {
        self.painter.prepare(gpu, palettes, camera, figures)?;
        let color = self.color.create_view(&wgpu::TextureViewDescriptor::default());
        let [r, g, b, a] = self.background;
        gpu.scoped(|| {
            let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            {
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("nebula canvas"),
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &self.samples,
                        depth_slice: None,
                        resolve_target: Some(&color),
                        ops: wgpu::Operations {
                            load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                            store: wgpu::StoreOp::Discard,
                        },
                    })],
                    depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                        view: &self.depth,
                        depth_ops: Some(wgpu::Operations {
                            load: wgpu::LoadOp::Clear(1.0),
                            store: wgpu::StoreOp::Discard,
                        }),
                        stencil_ops: None,
                    }),
                    ..wgpu::RenderPassDescriptor::default()
                });
                self.painter.paint(&mut pass, palettes, figures);
            }
            gpu.queue().submit([encoder.finish()]);
        })
    }

    /// The pixels as RGBA, 8 bits each, sRGB, row by row from the top. Waits for the GPU.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`], or [`GpuError::Refused`] if the memory cannot be read.
    pub fn pixels(&self, gpu: &Gpu) -> Result<Vec<u8>, GpuError> {
        gpu.scoped(|| {
            let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_texture_to_buffer(
                self.color.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &self.pixels,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(bytes_per_row(self.width)),
                        rows_per_image: Some(self.height),
                    },
                },
                wgpu::Extent3d { width: self.width, height: self.height, depth_or_array_layers: 1 },
            );
            gpu.queue().submit([encoder.finish()]);
        })?;
        let (sender, receiver) = std::sync::mpsc::channel();
        self.pixels.map_async(wgpu::MapMode::Read, .., move |result| {
            let _ = sender.send(result);
        });
        gpu.wait()?;
        match receiver.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(GpuError::Refused(error.to_string())),
            Err(_) => return Err(GpuError::Refused("the pixels are not there after waiting for them".into())),
        }
        let lines = self.pixels.get_mapped_range(..);
        let line = self.width as usize * 4;
        let pixels =
            lines.chunks_exact(bytes_per_row(self.width) as usize).flat_map(|bytes| &bytes[..line]).copied().collect();
        drop(lines);
        self.pixels.unmap();
        Ok(pixels)
    }
}

/// Lines of a copy start at multiples of 256 bytes.
fn bytes_per_row(width: u32) -> u32 {
    (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
