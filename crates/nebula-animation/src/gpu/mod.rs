//! Palettes and skinning on the GPU, on plain `wgpu` 28. The application picks the backends and owns the device.
//!
//! | type | what it does |
//! |---|---|
//! | [`Gpu`](crate::gpu::Gpu) | a device and its queue, watched for loss |
//! | [`GpuPalettes`](crate::gpu::GpuPalettes) | palettes of any number of characters: in a storage buffer, uniform buffer or texture, depending on the device |
//! | [`GpuMesh`](crate::gpu::GpuMesh) | vertices, joints, weights and morph targets |
//! | [`Skinner`](crate::gpu::Skinner) | a compute pass that writes skinned vertices, for many passes to draw |
//! | [`Painter`](crate::gpu::Painter), [`Canvas`](crate::gpu::Canvas) | a simple renderer, to see something quickly |
//!
//! Your own renderer binds [`GpuPalettes::bind_group`](crate::gpu::GpuPalettes::bind_group), uses the buffers of
//! [`GpuMesh`](crate::gpu::GpuMesh) as vertex buffers, and includes the text of
//! [`GpuPalettes::shader_options`](crate::gpu::GpuPalettes::shader_options) in its vertex shader;
//! [`shader`](crate::shader) documents the buffer layouts.
//!
//! # Errors and lost devices
//! What exceeds a device limit is refused with the name of that limit. A lost device or exhausted memory is returned as
//! [`GpuError`](crate::gpu::GpuError). Nothing here holds data that the CPU does not have, so everything can be created
//! again with a new [`Gpu`](crate::gpu::Gpu).

mod camera;
mod canvas;
mod context;
mod error;
mod limits;
mod mesh;
#[cfg(feature = "gltf")]
mod model;
mod morphs;
mod painter;
mod palettes;
mod skinner;
mod slot;

pub use camera::Camera;
pub use canvas::Canvas;
pub use context::{Gpu, LostFlag};
pub use error::GpuError;
pub use mesh::GpuMesh;
#[cfg(feature = "gltf")]
pub use model::Model;
pub use morphs::GpuMorphs;
pub use painter::{Figure, Painter, Part, Transparency};
pub use palettes::{GpuPalettes, PaletteOptions, Place, Upload};
pub use skinner::{SkinInstance, SkinnedMesh, Skinner};
