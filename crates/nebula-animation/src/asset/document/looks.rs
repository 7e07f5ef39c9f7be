//! Materials, textures and images: what a file looks like, on which no pose depends.

use serde::Deserialize;

use super::{Lenient, Text, Uint};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Material<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    pub pbr_metallic_roughness: PbrMetallicRoughness,
    pub double_sided: bool,
    #[serde(borrow)]
    pub alpha_mode: Option<Text<'a>>,
    pub alpha_cutoff: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct PbrMetallicRoughness {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureInfo {
    pub index: Uint,
    #[serde(default)]
    pub tex_coord: Uint,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<Box<TextureTransform>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct TextureTransform {
    pub offset: Option<[f32; 2]>,
    pub rotation: Option<f32>,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<Uint>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Texture {
    pub sampler: Lenient,
    pub source: Option<Uint>,
    pub extensions: TextureExtensions,
}

/// How textures are read: numbers of WebGL's, each absent by default. Whatever else stands here changes no pose.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct TextureSampler {
    pub mag_filter: Lenient,
    pub min_filter: Lenient,
    pub wrap_s: Lenient,
    pub wrap_t: Lenient,
}

/// Other encodings of the same picture; each names an image.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TextureExtensions {
    #[serde(rename = "EXT_texture_webp")]
    pub webp: Option<TextureSource>,
    #[serde(rename = "EXT_texture_avif")]
    pub avif: Option<TextureSource>,
    #[serde(rename = "KHR_texture_basisu")]
    pub basisu: Option<TextureSource>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TextureSource {
    pub source: Option<Uint>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Image<'a> {
    #[serde(borrow)]
    pub uri: Option<Text<'a>>,
    pub buffer_view: Option<Uint>,
    pub mime_type: Option<Text<'a>>,
}
