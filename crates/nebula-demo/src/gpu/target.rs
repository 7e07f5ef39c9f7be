//! Render targets.

use super::device::Device;
use super::layouts::{Layouts, bind};
use crate::picture::Canvas;

/// Format of the finished picture.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Format of its samples, which hold sRGB too: the shaders convert.
pub(super) const SAMPLED: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Format of its depth: one where the camera is nearest, zero in infinity.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples in each pixel.
pub(super) const SAMPLES: u32 = 4;

/// A picture in the GPU's memory.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) samples: wgpu::TextureView,
    /// What the device mixes them into, where no shader can read them.
    pub(super) mixed: Option<wgpu::TextureView>,
    /// The samples, for the pass that mixes them.
    pub(super) mix: wgpu::BindGroup,
    pub(super) depth: wgpu::TextureView,
    color: wgpu::Texture,
    pub(super) color_view: wgpu::TextureView,
    /// For reading it; made when first needed.
    pixels: Option<wgpu::Buffer>,
}

impl Target {
    pub(super) fn new(device: &Device, layouts: &Layouts, width: u32, height: u32) -> Self {
        let gpu = &device.gpu;
        let texture = |format, sample_count, usage| {
            gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("picture"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        };
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let none = wgpu::TextureUsages::empty();
        let read = wgpu::TextureUsages::TEXTURE_BINDING;
        let mixed = device.is_gl().then(|| view(&texture(SAMPLED, 1, read)));
        let samples = view(&texture(SAMPLED, SAMPLES, if mixed.is_some() { none } else { read }));
        let color = texture(COLOR, 1, wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::TEXTURE_BINDING);
        Self {
            width,
            height,
            mix: bind(
                gpu,
                "samples",
                &layouts.samples,
                &[wgpu::BindingResource::TextureView(mixed.as_ref().unwrap_or(&samples))],
            ),
            mixed,
            samples,
            depth: view(&texture(DEPTH, SAMPLES, none)),
            color_view: view(&color),
            color,
            pixels: None,
        }
    }

    /// Waits for the picture and copies it. The canvas has the same size.
    pub(super) fn read(&mut self, device: &Device, canvas: &mut Canvas) -> Result<(), String> {
        let gpu = &device.gpu;
        // Lines of a copy start at multiples of 256 bytes.
        let bytes_per_row = (self.width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let pixels = self.pixels.get_or_insert_with(|| {
            gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("pixels"),
                size: u64::from(bytes_per_row) * u64::from(self.height),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            })
        });
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            self.color.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: pixels,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(bytes_per_row),
                    rows_per_image: Some(self.height),
                },
            },
            wgpu::Extent3d { width: self.width, height: self.height, depth_or_array_layers: 1 },
        );
        gpu.queue().submit([encoder.finish()]);
        device.faults.check()?;
        let (sender, receiver) = std::sync::mpsc::channel();
        pixels.map_async(wgpu::MapMode::Read, .., move |result| {
            let _ = sender.send(result);
        });
        gpu.wait().map_err(|error| error.to_string())?;
        device.faults.check()?;
        match receiver.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(format!("the picture cannot be read: {error}")),
            Err(_) => return Err("the picture is not there after waiting for it".into()),
        }
        let lines = pixels.get_mapped_range(..);
        let length = self.width as usize * 4;
        let to = canvas.pixels_mut().chunks_exact_mut(self.width as usize);
        for (to, from) in to.zip(lines.chunks_exact(bytes_per_row as usize)) {
            to.as_flattened_mut().copy_from_slice(&from[..length]);
            // Blended overlays leave their alpha; a picture is opaque.
            to.iter_mut().for_each(|pixel| pixel[3] = 255);
        }
        drop(lines);
        pixels.unmap();
        Ok(())
    }
}
