//! How surfaces look: glTF's metallic-roughness materials, and toons.

mod load;
mod toon;

use super::texture::{TextureSampler, UvTransform};

pub(super) use load::Materials;

/// How a surface looks: glTF's metallic-roughness material, and what of its extensions is shown.
///
/// [`Default`] is the material of a primitive without one, by glTF a rough white metal.
///
/// ```
/// use nebula_animation::asset::Material;
///
/// let cloth = Material { base_color_factor: [0.4, 0.05, 0.05, 1.0], metallic_factor: 0.0, ..Material::default() };
/// assert_eq!((cloth.roughness_factor, cloth.normal_texture), (1.0, None));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name in the file, may be empty.
    pub name: String,
    /// Linear RGBA that multiplies the base colour; white by default.
    pub base_color_factor: [f32; 4],
    /// The base colour as sRGB, with alpha; white where there is none.
    pub base_color_texture: Option<MaterialTexture>,
    /// How much of a metal it is, from 0 to 1 (the default).
    pub metallic_factor: f32,
    /// How rough it is, from 0, a mirror, to 1 (the default).
    pub roughness_factor: f32,
    /// Multiplies roughness by its green, and metal by its blue values, which are linear.
    pub metallic_roughness_texture: Option<MaterialTexture>,
    /// Normals in the space of tangents, each component from -1 to 1 as linear values from 0 to 1.
    pub normal_texture: Option<MaterialTexture>,
    /// Multiplies the first two components of those normals; 1 by default.
    pub normal_scale: f32,
    /// How much of the light from all around arrives, by its red values, which are linear.
    pub occlusion_texture: Option<MaterialTexture>,
    /// How much of that texture counts, from 0 to 1 (the default).
    pub occlusion_strength: f32,
    /// Linear RGB of the light that it sends out by itself, 0 or above, `KHR_materials_emissive_strength` included; black by default.
    pub emissive_factor: [f32; 3],
    /// Multiplies that light, as sRGB.
    pub emissive_texture: Option<MaterialTexture>,
    /// Whether its base colour is shown as it is, in no light; `KHR_materials_unlit`.
    pub is_unlit: bool,
    /// The look of drawings, in place of metal and roughness: MToon's (`VRMC_materials_mtoon`, and that of VRM 0).
    pub toon: Option<Box<Toon>>,
    /// Whether both sides of a face are visible.
    pub is_double_sided: bool,
    /// What the alpha of its colour means.
    pub alpha: Alpha,
}

/// An image of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialTexture {
    /// Index of the image in [`Asset::images`](crate::Asset::images).
    pub image: usize,
    /// Which set of [`Primitive::uvs`](super::Primitive::uvs) it uses: 0 or 1.
    pub uv: usize,
    /// How it is read beyond its edges, and between its pixels.
    pub sampler: TextureSampler,
    /// How it lies on the surface: what becomes of texture coordinates before it is looked up.
    pub transform: UvTransform,
}

/// The look of drawings: two colours with a step between them instead of light that falls off. MToon's names and meaning.
///
/// The step lies where `dot(normal, light) + shading_shift` passes through the range of `1 - shading_toony` around 0: the shade is shown
/// below it, the base colour above.
#[derive(Debug, Clone, PartialEq)]
pub struct Toon {
    /// Linear RGB of what the light does not reach; black by default, as the base colour is that of what it reaches.
    pub shade_color: [f32; 3],
    /// Multiplies the shade, as sRGB.
    pub shade_texture: Option<MaterialTexture>,
    /// Moves the step, from -1 (all shade) to 1 (all light); 0 by default.
    pub shading_shift: f32,
    /// How sharp the step is, from 0 (none) to 1 (a line); 0.9 by default.
    pub shading_toony: f32,
    /// Linear RGB that multiplies the image of the ball; white by default.
    pub matcap_factor: [f32; 3],
    /// The image of a ball, looked up by the normal as the camera sees it, and added; sRGB. Its texture coordinates do not count.
    pub matcap_texture: Option<MaterialTexture>,
    /// Linear RGB that outlines get; black, the default, for none.
    pub rim_color: [f32; 3],
    /// How narrow the rim is: an exponent, 0 or above; 5 by default.
    pub rim_power: f32,
    /// Added to the rim before the exponent, from 0 (the default) to 1.
    pub rim_lift: f32,
    /// How much ball and rim depend on the light, from 0 to 1 (the default).
    pub rim_lighting_mix: f32,
    /// The line around it; none by default.
    pub outline: Option<ToonOutline>,
}

/// The line around a toon: its surface once more, moved out along the normals, of which the side away from the camera is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToonOutline {
    /// How wide it is.
    pub width: OutlineWidth,
    /// Multiplies the width by its green, which is no sRGB.
    pub width_texture: Option<MaterialTexture>,
    /// Linear RGB; black by default.
    pub color: [f32; 3],
    /// How much of the colour is multiplied by what the surface shows there, from 0 (the colour as it is) to 1 (the default).
    pub lighting_mix: f32,
}

/// The width of a toon's outline, above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OutlineWidth {
    /// Metres in the world.
    World(f32),
    /// A part of the picture's height, wherever the camera is.
    Screen(f32),
}

/// What the alpha of a material's colour means; glTF's `alphaMode`. A mode that is not known is opaque.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Alpha {
    /// Nothing (the default).
    #[default]
    Opaque,
    /// The surface is cut away where alpha is below this value, glTF's `alphaCutoff`: 0 or above, 0.5 by default.
    Mask(f32),
    /// The surface lets light through where alpha is below 1.
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
