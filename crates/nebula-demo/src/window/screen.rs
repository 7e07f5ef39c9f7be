//! The window's surface.

#[cfg(not(target_arch = "wasm32"))]
use std::sync::Arc;

#[cfg(not(target_arch = "wasm32"))]
use winit::window::Window;

use super::painter::{Frame, Painter};
use crate::gpu::Device;
#[cfg(not(target_arch = "wasm32"))]
use crate::gpu::instance;

/// What pictures are shown on.
pub struct Screen {
    surface: wgpu::Surface<'static>,
    format: wgpu::TextureFormat,
    alpha_mode: wgpu::CompositeAlphaMode,
    /// The size that the surface was set up for; none while the window has no area.
    size: Option<[u32; 2]>,
    painter: Painter,
}

impl Screen {
    /// A surface for a window, and a device that can draw on it.
    ///
    /// # Errors
    /// One line: there is none.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new(window: &Arc<Window>) -> Result<(Self, Device), String> {
        let instance = instance();
        let surface = instance
            .create_surface(Arc::clone(window))
            .map_err(|error| format!("the window cannot be drawn on: {error}"))?;
        let device = Device::open_for(&instance, Some(&surface))?;
        Ok((Self::on(surface, &device)?, device))
    }

    /// The same for a surface that a device can draw on.
    ///
    /// # Errors
    /// One line: it cannot.
    pub fn on(surface: wgpu::Surface<'static>, device: &Device) -> Result<Self, String> {
        let capabilities = surface.get_capabilities(&device.adapter);
        // egui mixes colours as they are stored: a format without a conversion is what it expects.
        let format = capabilities.formats.iter().find(|format| !format.is_srgb()).or(capabilities.formats.first());
        let Some(&format) = format else { return Err("the adapter cannot show pictures in this window".into()) };
        let alpha_mode = capabilities.alpha_modes.first().copied().unwrap_or(wgpu::CompositeAlphaMode::Auto);
        let painter = Painter::new(device, format);
        device.faults.check()?;
        Ok(Self { surface, format, alpha_mode, size: None, painter })
    }

    /// Sets the surface up for a size of the window. One without an area shows nothing.
    pub fn resize(&mut self, device: &Device, width: u32, height: u32) {
        let most = device.gpu.limits().max_texture_dimension_2d;
        let [width, height] = [width.min(most), height.min(most)];
        self.size = (width > 0 && height > 0).then_some([width, height]);
        if self.size.is_some() {
            self.surface.configure(
                device.gpu.device(),
                &wgpu::SurfaceConfiguration {
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                    format: self.format,
                    width,
                    height,
                    present_mode: wgpu::PresentMode::AutoVsync,
                    desired_maximum_frame_latency: 2,
                    alpha_mode: self.alpha_mode,
                    view_formats: Vec::new(),
                },
            );
        }
    }

    /// Size in pixels; none while the window has no area.
    pub fn size(&self) -> Option<[u32; 2]> {
        self.size
    }

    /// Shows a frame. One that the surface is not ready for is left out, and the surface is set up again.
    ///
    /// # Errors
    /// One line: there is no memory left, or the device has something against it.
    pub fn show(&mut self, device: &Device, frame: &Frame<'_>) -> Result<(), String> {
        let Some([width, height]) = self.size else { return Ok(()) };
        let texture = match self.surface.get_current_texture() {
            Ok(texture) => texture,
            Err(wgpu::SurfaceError::Lost | wgpu::SurfaceError::Outdated) => {
                self.resize(device, width, height);
                // What a window that just went away says about it is of no interest.
                let _ = device.faults.check();
                return device.gpu.check().map_err(|error| error.to_string());
            }
            Err(wgpu::SurfaceError::Timeout | wgpu::SurfaceError::Other) => return Ok(()),
            Err(wgpu::SurfaceError::OutOfMemory) => return Err("the GPU has no memory left".into()),
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.painter.paint(device, &view, frame);
        texture.present();
        device.faults.check()
    }
}
