//! Materials: glTF's metallic-roughness model, and MToon.

mod load;
mod toon;

use super::texture::{TextureSampler, UvTransform};

pub(super) use load::Materials;

/// The appearance of a surface: glTF's metallic-roughness material, and the supported extensions.
///
/// [`Default`] is the material of a primitive without one: a rough white metal, according to glTF.
///
/// ```
/// use nebula_animation::asset::Material;
///
/// let cloth = Material { base_color_factor: [0.4, 0.05, 0.05, 1.0], metallic_factor: 0.0, ..Material::default() };
/// assert_eq!((cloth.roughness_factor, cloth.normal_texture), (1.0, None));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name in the file; may be empty.
    pub name: String,
    /// Linear RGBA that multiplies the base colour; white by default.
    pub base_color_factor: [f32; 4],
    /// Base colour texture as sRGB with alpha; white if there is none.
    pub base_color_texture: Option<MaterialTexture>,
    /// Metalness, from 0 to 1 (the default).
    pub metallic_factor: f32,
    /// Roughness, from 0 (a mirror) to 1 (the default).
    pub roughness_factor: f32,
    /// Its green channel multiplies the roughness and its blue channel the metalness; linear values.
    pub metallic_roughness_texture: Option<MaterialTexture>,
    /// Tangent-space normal map: components from -1 to 1, stored as linear values from 0 to 1.
    pub normal_texture: Option<MaterialTexture>,
    /// Multiplies the first two components of the normal map; 1 by default.
    pub normal_scale: f32,
    /// Ambient occlusion in the red channel; linear values.
    pub occlusion_texture: Option<MaterialTexture>,
    /// Strength of the ambient occlusion, from 0 to 1 (the default).
    pub occlusion_strength: f32,
    /// Emissive colour, linear RGB, 0 or above, including `KHR_materials_emissive_strength`; black by default.
    pub emissive_factor: [f32; 3],
    /// Multiplies the emissive colour; sRGB.
    pub emissive_texture: Option<MaterialTexture>,
    /// Whether the base colour is shown without lighting: `KHR_materials_unlit`.
    pub is_unlit: bool,
    /// Toon shading instead of metalness and roughness: MToon (`VRMC_materials_mtoon`, and that of VRM 0).
    pub toon: Option<Box<Toon>>,
    /// Whether both sides of a face are visible.
    pub is_double_sided: bool,
    /// How alpha is interpreted.
    pub alpha: Alpha,
}

/// A texture of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialTexture {
    /// Index of the image in [`Asset::images`](crate::Asset::images).
    pub image: usize,
    /// The set of [`Primitive::uvs`](super::Primitive::uvs) that it uses: 0 or 1.
    pub uv: usize,
    /// How it is sampled.
    pub sampler: TextureSampler,
    /// The transform of its texture coordinates.
    pub transform: UvTransform,
}

/// Toon shading: two colours with a step between them instead of gradual lighting. The names and their meaning are
/// those of MToon.
///
/// The step is where `dot(normal, light) + shading_shift` passes through the range of `1 - shading_toony` around 0:
/// shade colour below, base colour above.
#[derive(Debug, Clone, PartialEq)]
pub struct Toon {
    /// Linear RGB of the shaded side; black by default.
    pub shade_color: [f32; 3],
    /// Multiplies the shade, as sRGB.
    pub shade_texture: Option<MaterialTexture>,
    /// Moves the step, from -1 (all shade) to 1 (all light); 0 by default.
    pub shading_shift: f32,
    /// How sharp the step is, from 0 (none) to 1 (a line); 0.9 by default.
    pub shading_toony: f32,
    /// Linear RGB that multiplies the matcap; white by default.
    pub matcap_factor: [f32; 3],
    /// The matcap texture, looked up by the view-space normal and added; sRGB. Its texture coordinates are ignored.
    pub matcap_texture: Option<MaterialTexture>,
    /// Linear RGB of rim lighting; black, the default, for none.
    pub rim_color: [f32; 3],
    /// How narrow the rim is: an exponent, 0 or above; 5 by default.
    pub rim_power: f32,
    /// Added to the rim before the exponent, from 0 (the default) to 1.
    pub rim_lift: f32,
    /// How much matcap and rim depend on the light, from 0 to 1 (the default).
    pub rim_lighting_mix: f32,
    /// The outline; none by default.
    pub outline: Option<ToonOutline>,
}

/// The outline of a toon: its surface drawn once more, moved out along the normals, with only back faces visible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToonOutline {
    /// Its width.
    pub width: OutlineWidth,
    /// Multiplies the width by its green channel, which is linear.
    pub width_texture: Option<MaterialTexture>,
    /// Linear RGB; black by default.
    pub color: [f32; 3],
    /// How much the colour is multiplied by the surface's shading, from 0 (not at all) to 1 (the default).
    pub lighting_mix: f32,
}

/// The width of a toon's outline, above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OutlineWidth {
    /// Metres in world space.
    World(f32),
    /// A fraction of the picture's height, whatever the distance.
    Screen(f32),
}

/// How the alpha of a material's colour is interpreted: glTF's `alphaMode`. An unknown mode is opaque.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Alpha {
    /// Alpha is ignored (the default).
    #[default]
    Opaque,
    /// The surface is cut out where alpha is below this value, glTF's `alphaCutoff`: 0 or above, 0.5 by default.
    Mask(f32),
    /// The surface is transparent where alpha is below 1.
    Blend,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive_factor: [0.0; 3],
            emissive_texture: None,
            is_unlit: false,
            toon: None,
            is_double_sided: false,
            alpha: Alpha::Opaque,
        }
    }
}

impl Default for Toon {
    fn default() -> Self {
        Self {
            shade_color: [0.0; 3],
            shade_texture: None,
            shading_shift: 0.0,
            shading_toony: 0.9,
            matcap_factor: [1.0; 3],
            matcap_texture: None,
            rim_color: [0.0; 3],
            rim_power: 5.0,
            rim_lift: 0.0,
            rim_lighting_mix: 1.0,
            outline: None,
        }
    }
}
