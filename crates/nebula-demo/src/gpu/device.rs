//! Chooses the device that draws, and handles its errors.

use std::sync::{Arc, Mutex};

use nebula_animation::gpu::Gpu;

/// How to get a driver that draws without a graphics card.
pub const DRIVER_HINT: &str = "a software Vulkan driver draws without a graphics card: `apt install mesa-vulkan-drivers` on Debian \
    and Ubuntu, `dnf install mesa-vulkan-drivers` on Fedora, `pacman -S vulkan-swrast` on Arch";

/// The first thing that a device had against a call, since it was last asked. Nothing panics for it.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<Option<String>>>);

impl Faults {
    fn note(&self, fault: &str) {
        // A thread that panicked while it held the lock leaves a message at worst.
        let mut first = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        first.get_or_insert_with(|| one_line(fault));
    }

    /// Takes the fault out.
    ///
    /// # Errors
    /// What the device said, in one line.
    pub fn check(&self) -> Result<(), String> {
        match self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }
}

/// A device that draws, and where it comes from.
#[derive(Debug, Clone)]
pub struct Device {
    /// The device.
    pub gpu: Gpu,
    /// What it was found on.
    pub adapter: wgpu::Adapter,
    /// What went wrong.
    pub faults: Faults,
}

impl Device {
    /// A device without a window. `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` are honoured.
    ///
    /// # Errors
    /// There is none, in one line.
    pub fn open() -> Result<Self, String> {
        Self::open_for(&instance(), None)
    }

    /// A device that can show pictures on a surface.
    ///
    /// # Errors
    /// There is none, in one line.
    pub fn open_for(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<Self, String> {
        pollster::block_on(Self::find(instance, surface))
    }

    /// The same without waiting for it: in a browser nobody may.
    ///
    /// # Errors
    /// There is none, in one line.
    pub async fn find(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<Self, String> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            force_fallback_adapter: false,
            compatible_surface: surface,
        };
        let problem = |error: &dyn std::fmt::Display| format!("no GPU adapter: {}", one_line(&error.to_string()));
        let adapter = instance.request_adapter(&options).await.map_err(|error| problem(&error))?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("nebula-demo"),
            // Whatever it has: files may hold large textures and many joints.
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| problem(&error))?;
        let faults = Faults::default();
        let noted = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error| noted.note(&error.to_string())));
        Ok(Self { gpu: Gpu::new(device, queue), adapter, faults })
    }

    /// The name of the adapter and its backend, for people.
    #[must_use]
    pub fn name(&self) -> String {
        let info = self.adapter.get_info();
        format!("{} ({})", info.name, info.backend)
    }

    /// Whether a program plays the part of the graphics card. It gets less to do: shadows are smoothed by one read of a texture where
    /// others take four, crowds darken the ground below their feet by their shadows alone, and windows get small pictures.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Whether OpenGL draws, WebGL2 included.
    #[must_use]
    pub fn is_gl(&self) -> bool {
        self.adapter.get_info().backend == wgpu::Backend::Gl
    }

    /// The size of a picture that can be drawn many times a second, where this one is wanted: the same, or as small and of the same shape.
    #[must_use]
    pub fn size_for_motion(&self, wanted: [u32; 2]) -> [u32; 2] {
        if self.is_software() { within(SOFTWARE_PIXELS, wanted) } else { wanted }
    }

    /// A buffer with these bytes, and room for four at least.
    pub(super) fn buffer(&self, label: &str, usage: wgpu::BufferUsages, bytes: &[u8]) -> wgpu::Buffer {
        let buffer = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: (bytes.len() as u64).next_multiple_of(4).max(16),
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        if !bytes.is_empty() {
            self.gpu.queue().write_buffer(&buffer, 0, bytes);
        }
        buffer
    }
}

/// Pixels that a software driver fills ten times a second on two cores, and more often on more.
const SOFTWARE_PIXELS: u32 = 640 * 360;

/// The largest size of the same shape with at most so many pixels, and no larger than this one.
fn within(pixels: u32, [width, height]: [u32; 2]) -> [u32; 2] {
    let scale = (f64::from(pixels) / (f64::from(width) * f64::from(height)).max(1.0)).sqrt().min(1.0);
    [width, height].map(|side| ((f64::from(side) * scale) as u32).clamp(side.min(1), side))
}

/// The way to all adapters that can do what is needed: those of Vulkan, Metal and Direct3D 12. Looking for others takes time, and writes
/// on the terminal where there is no desktop.
#[must_use]
pub fn instance() -> wgpu::Instance {
    let backends = wgpu::Backends::PRIMARY & wgpu::Backends::from_env().unwrap_or_default();
    wgpu::Instance::new(&wgpu::InstanceDescriptor { backends, ..wgpu::InstanceDescriptor::from_env_or_default() })
}

/// The first line that says something.
pub(crate) fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A buffer that is written every frame, and grows.
#[derive(Debug, Default)]
pub(super) struct Stream {
    buffer: Option<wgpu::Buffer>,
}

impl Stream {
    /// Writes the bytes from the start on.
    pub(super) fn write(&mut self, device: &Device, label: &str, usage: wgpu::BufferUsages, bytes: &[u8]) {
        match &self.buffer {
            Some(buffer) if buffer.size() >= bytes.len() as u64 => {
                if !bytes.is_empty() {
                    device.gpu.queue().write_buffer(buffer, 0, bytes);
                }
            }
            _ => self.buffer = Some(device.buffer(label, usage, bytes)),
        }
    }

    /// The buffer, once something was written.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::within;

    /// Sizes shrink in shape, never to nothing, and never grow.
    #[test]
    fn sizes_for_motion_keep_their_shape() {
        assert_eq!(within(640 * 360, [640, 360]), [640, 360]);
        assert_eq!(within(640 * 360, [1280, 720]), [640, 360]);
        assert_eq!(within(640 * 360, [200, 100]), [200, 100]);
        assert_eq!(within(640 * 360, [0, 100]), [0, 100]);
        for wanted in [[1100, 700], [16_384, 16_384], [4000, 300]] {
            let [width, height] = within(640 * 360, wanted);
            assert!((220_000..=640 * 360).contains(&(width * height)), "{wanted:?}: {width} {height}");
            let [shape, given] = [[width, height], wanted].map(|[width, height]| f64::from(width) / f64::from(height));
            assert!((shape / given - 1.0).abs() < 0.02, "{wanted:?}: {width} {height}");
        }
        assert_eq!(within(640 * 360, [1, 4_000_000]), [1, 960_000]);
    }
}
