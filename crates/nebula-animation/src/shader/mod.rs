//! Skinning in WGSL, as text: for the `gpu` module, and for renderers on any version of `wgpu` or another WebGPU
//! implementation. No feature is needed.
//!
//! Your own vertex shader includes [`ShaderOptions::text`](crate::shader::ShaderOptions::text) and calls its functions:
//!
//! ```
//! use nebula_animation::shader::{PalettePath, ShaderOptions};
//!
//! let options = ShaderOptions { path: PalettePath::Storage, palette_group: 1, ..ShaderOptions::default() };
//! let source = format!(
//!     "{}\n{}",
//!     options.text(),
//!     "
//! @vertex
//! fn vertex(
//!     @location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
//!     @location(2) joints: vec4<u32>, @location(3) weights: vec4<f32>, @location(4) first: u32,
//! ) -> @builtin(position) vec4<f32> {
//!     let model_from_mesh = nebula_linear4(nebula_joints4(first, joints), weights);
//!     let skinned = nebula_skinned(model_from_mesh, NebulaVertex(position, normal, vec4(0.0)));
//!     return vec4(skinned.position, 1.0); // times your camera's matrix
//! }"
//! );
//! assert!(source.contains("@group(1) @binding(0)"));
//! ```
//!
//! # Buffer layouts
//! | what | where | layout |
//! |---|---|---|
//! | palettes, [`PaletteFormat::Rows`](crate::shader::PaletteFormat::Rows) | storage, uniform | 48 bytes per joint: three rows of four `f32`, 16-byte aligned; the type [`PaletteRows`](crate::palette::PaletteRows) |
//! | palettes, [`PaletteFormat::Matrices`](crate::shader::PaletteFormat::Matrices) | storage, uniform | 64 bytes per joint: four columns of four `f32`; the type `glam::Mat4` |
//! | palettes | RGBA32F texture | the same vectors, one per texel, row by row; the width is a multiple of [`TEXTURE_STEP`](crate::shader::TEXTURE_STEP) |
//! | vertices | vertex or storage buffer | 40 bytes: position 3 x `f32`, normal 3 x `f32`, tangent 4 x `f32` |
//! | joints and weights | vertex or storage buffer | 24 bytes per four: 4 x `u16`, 4 x `f32`; eight follow each other, 48 bytes |
//! | morph targets | RGBA32F texture | target, vertex, then three texels: position, normal, tangent; the width is a multiple of 3 |
//! | morph weights | R32F texture | one per texel, row by row |
//! | morph counts | uniform, 16 bytes | targets `u32`, vertices `u32`, padding |
//!
//! Everything is little-endian, without further padding. In the palette's bind group, binding 0 is this frame's
//! palettes and binding 1 the previous frame's. In the morph targets' bind group, 0 is the offsets, 1 the weights, 2
//! the counts.

/// Palettes in storage buffers: bindings and `nebula_joint`, `nebula_joints4`.
pub const PALETTE_STORAGE: &str = concat!(
    include_str!("palette_storage.wgsl"),
    include_str!("palette_buffer.wgsl"),
    include_str!("palette_joints.wgsl"),
);
/// Palettes in uniform buffers.
pub const PALETTE_UNIFORM: &str = concat!(
    include_str!("palette_uniform.wgsl"),
    include_str!("palette_buffer.wgsl"),
    include_str!("palette_joints.wgsl"),
);
/// Palettes in RGBA32F textures.
pub const PALETTE_TEXTURE: &str = concat!(include_str!("palette_texture.wgsl"), include_str!("palette_joints.wgsl"));
/// Blending and transforming, without bindings.
pub const SKINNING: &str = include_str!("skinning.wgsl");
/// Morph targets: bindings and `nebula_morph`.
pub const MORPH: &str = include_str!("morph.wgsl");
/// The compute pass.
pub const COMPUTE: &str = include_str!("compute.wgsl");
/// The plain renderer.
pub const DRAW: &str = include_str!("draw.wgsl");

/// The width of a palette texture is a multiple of this, so that neither three nor four texels straddle two rows.
pub const TEXTURE_STEP: u32 = 12;

/// Where a shader reads palettes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PalettePath {
    /// A storage buffer: any number of characters. The best choice if the device has storage buffers.
    #[default]
    Storage,
    /// A uniform buffer, of which one draw call sees a window of at most the device's limit.
    Uniform,
    /// An RGBA32F texture: for WebGL2, which has no storage buffers.
    Texture,
}

impl std::fmt::Display for PalettePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Storage => "storage buffer",
            Self::Uniform => "uniform buffer",
            Self::Texture => "texture",
        })
    }
}

/// How a joint's matrix is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PaletteFormat {
    /// Its upper three rows, 48 bytes.
    #[default]
    Rows,
    /// All of it, column by column, 64 bytes.
    Matrices,
}

impl PaletteFormat {
    /// How many vectors of four `f32` a joint takes.
    #[must_use]
    pub const fn vectors_per_joint(self) -> u32 {
        match self {
            Self::Rows => 3,
            Self::Matrices => 4,
        }
    }

    /// How many bytes a joint takes.
    #[must_use]
    pub const fn bytes_per_joint(self) -> u64 {
        self.vectors_per_joint() as u64 * 16
    }
}

/// Options that determine the shader text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShaderOptions {
    /// Where the palettes are.
    pub path: PalettePath,
    /// How they are stored.
    pub format: PaletteFormat,
    /// Index of the palettes' bind group; default 0.
    pub palette_group: u32,
    /// Index of the morph targets' bind group; `None` (the default) leaves them out.
    pub morph_group: Option<u32>,
    /// For [`PalettePath::Uniform`], the size of the window in bytes: a multiple of 16, at most
    /// `max_uniform_buffer_binding_size`. 16,384 is allowed everywhere.
    pub uniform_bytes: u32,
}

impl Default for ShaderOptions {
    fn default() -> Self {
        Self {
            path: PalettePath::Storage,
            format: PaletteFormat::Rows,
            palette_group: 0,
            morph_group: None,
            uniform_bytes: 16 * 1024,
        }
    }
}

impl ShaderOptions {
    /// Everything that a vertex shader includes: palettes, skinning and, if requested, morph targets.
    #[must_use]
    pub fn text(&self) -> String {
        let palettes = match self.path {
            PalettePath::Storage => PALETTE_STORAGE,
            PalettePath::Uniform => PALETTE_UNIFORM,
            PalettePath::Texture => PALETTE_TEXTURE,
        };
        let vectors = self.format.vectors_per_joint();
        let palettes = palettes
            .replace("NEBULA_VECTORS_PER_JOINT: u32 = 3u", &format!("NEBULA_VECTORS_PER_JOINT: u32 = {vectors}u"))
            .replace("@group(0)", &format!("@group({})", self.palette_group))
            .replace("array<vec4<f32>, 1024>", &format!("array<vec4<f32>, {}>", (self.uniform_bytes / 16).max(1)));
        let mut text = format!("{palettes}\n{SKINNING}");
        if let Some(group) = self.morph_group {
            text.push('\n');
            text.push_str(&MORPH.replace("@group(1)", &format!("@group({group})")));
        }
        text
    }
}
