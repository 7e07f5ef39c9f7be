//! Palettes and skinning on the GPU, on plain `wgpu` 28. The application picks the backends and owns the device.
//!
//! | type | what it does |
//! |---|---|
//! | [`Gpu`] | a device and its queue, watched for loss |
//! | [`GpuPalettes`] | palettes of any number of characters: storage buffer, uniform buffer or texture, whichever the device allows |
//! | [`GpuMesh`] | vertices, joints, weights and morph targets |
//! | [`Skinner`] | a compute pass that writes skinned vertices, for many passes to draw |
//! | [`Painter`], [`Canvas`] | a plain renderer, to see something at once |
//!
//! A renderer of your own binds [`GpuPalettes::bind_group`], takes the buffers of [`GpuMesh`] as vertex buffers, and includes
//! [`GpuPalettes::shader_options`]`(..).text()` in its vertex shader; [`shader`](crate::shader) documents the bytes.
//!
//! # When things go wrong
//! What exceeds a limit of the device is refused with the name of that limit. A lost device and exhausted memory come back as
//! [`GpuError`]s; nothing here holds data that the CPU side does not have, so that everything is made anew with a new [`Gpu`].

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
pub use painter::{Figure, Painter, Part};
pub use palettes::{GpuPalettes, PaletteOptions, Place, Upload};
pub use skinner::{SkinInstance, SkinnedMesh, Skinner};
