//! Devices to test on.

use std::io::Write;

use nebula_animation::gpu::Gpu;

/// What kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Vulkan with the limits of WebGPU.
    Vulkan,
    /// OpenGL with the limits of WebGL2: no storage buffers, no compute.
    WebGl2,
}

/// A device of a kind. `None` where there is none, which is said on the terminal; with `NEBULA_REQUIRE_GPU=1` it is a
/// failure.
pub fn gpu(test: &str, kind: Kind) -> Option<Gpu> {
    match open(kind) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            let is_required = std::env::var_os("NEBULA_REQUIRE_GPU").is_some_and(|value| value == "1");
            assert!(!is_required, "{test}: no {kind:?} device ({error}), and NEBULA_REQUIRE_GPU=1");
            // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
            let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no {kind:?} device ({error})");
            None
        }
    }
}

fn open(kind: Kind) -> Result<Gpu, String> {
    let (backends, required_limits) = match kind {
        Kind::Vulkan => (wgpu::Backends::VULKAN, wgpu::Limits::default()),
        Kind::WebGl2 => (wgpu::Backends::GL, wgpu::Limits::downlevel_webgl2_defaults()),
    };
    let instance = wgpu::Instance::new(&wgpu::InstanceDescriptor { backends, ..wgpu::InstanceDescriptor::default() });
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.map_err(|error| error.to_string())?;
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| error.to_string())?;
    // A mistake that no error scope catches must not pass unseen.
    device.on_uncaptured_error(std::sync::Arc::new(|error| panic!("uncaptured: {error}")));
    Ok(Gpu::new(device, queue))
}
