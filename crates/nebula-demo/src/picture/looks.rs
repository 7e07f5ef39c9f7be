//! Surface appearance: colours, maps and the shading model.

use glam::{Affine2, Vec2, Vec3, Vec4};
use nebula_animation::asset::{TextureSampler, UvTransform};

use super::Texture;

/// How a surface looks: glTF's metallic-roughness material, or another kind of answer to the light.
#[derive(Debug, Clone, Copy)]
pub struct Looks<'a> {
    /// Multiplies the colours of vertices and texture, linear.
    pub base_color: Vec4,
    /// Multiplies the colour too; an image of sRGB.
    pub texture: Option<Map<'a>>,
    /// How much of a metal it is, from 0 to 1.
    pub metallic: f32,
    /// How rough it is, from 0, a mirror, to 1.
    pub roughness: f32,
    /// Multiplies roughness by green, metal by blue; an image of data.
    pub metallic_roughness: Option<Map<'a>>,
    /// Normals in the space of tangents; an image of data.
    pub normals: Option<Map<'a>>,
    /// Multiplies the first two components of those normals.
    pub normal_scale: f32,
    /// How much of the light from all around arrives, by red; an image of data.
    pub occlusion: Option<Map<'a>>,
    /// How much of that counts, from 0 to 1.
    pub occlusion_strength: f32,
    /// Light that the surface sends out by itself, linear.
    pub emissive: Vec3,
    /// Multiplies it; an image of sRGB.
    pub emissive_map: Option<Map<'a>>,
    /// How it answers.
    pub answer: Answer<'a>,
}

/// What the light does to a surface.
#[derive(Debug, Clone, Copy, Default)]
pub enum Answer<'a> {
    /// It falls off, and is mirrored.
    #[default]
    Lit,
    /// Nothing: the base colour is shown.
    Unlit,
    /// It decides between two colours.
    Toon(Drawn<'a>),
}

/// What a toon has beyond its base colour; [`Toon`](nebula_animation::asset::Toon) says what the fields mean.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// Colour of what the light does not reach, linear.
    pub shade: Vec3,
    /// Multiplies it; an image of sRGB.
    pub shade_map: Option<Map<'a>>,
    /// Where the step lies.
    pub shift: f32,
    /// How sharp it is.
    pub toony: f32,
    /// Multiplies the image of the ball, linear.
    pub ball: Vec3,
    /// That image, looked up by the normal; an image of sRGB.
    pub ball_map: Option<Map<'a>>,
    /// Colour of the rim, linear.
    pub rim: Vec3,
    /// How narrow the rim is.
    pub rim_power: f32,
    /// Added to the rim before the power.
    pub rim_lift: f32,
    /// How much ball and rim depend on the light.
    pub rim_lighting: f32,
}

/// An image on a surface.
#[derive(Debug, Clone, Copy)]
pub struct Map<'a> {
    /// The image.
    pub texture: &'a Texture,
    /// How it is read.
    pub sampler: TextureSampler,
    /// Which of the mesh's texture coordinates it uses.
    pub uv: usize,
    /// What becomes of them before it is looked up.
    pub transform: Affine2,
}

impl<'a> Map<'a> {
    /// An image on the first texture coordinates, as they are.
    #[must_use]
    pub fn new(texture: &'a Texture) -> Self {
        Self { texture, sampler: TextureSampler::default(), uv: 0, transform: Affine2::IDENTITY }
    }
}

/// A transform of texture coordinates as a matrix.
#[must_use]
pub fn affine(transform: &UvTransform) -> Affine2 {
    let at = |u: f32, v: f32| Vec2::from(transform.apply([u, v]));
    let origin = at(0.0, 0.0);
    Affine2::from_cols(at(1.0, 0.0) - origin, at(0.0, 1.0) - origin, origin)
}

impl Default for Looks<'_> {
    /// White paint, somewhat rough.
    fn default() -> Self {
        Self {
            base_color: Vec4::ONE,
            texture: None,
            metallic: 0.0,
            roughness: 0.8,
            metallic_roughness: None,
            normals: None,
            normal_scale: 1.0,
            occlusion: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_map: None,
            answer: Answer::Lit,
        }
    }
}
