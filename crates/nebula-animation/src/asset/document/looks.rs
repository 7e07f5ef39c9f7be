//! Materials, textures and images: the parts of a file that do not affect poses.

use serde::Deserialize;

use super::{Lenient, Loose, Text, Uint};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Material<'a> {
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    pub pbr_metallic_roughness: PbrMetallicRoughness,
    pub normal_texture: Loose<TextureInfo>,
    pub occlusion_texture: Loose<TextureInfo>,
    pub emissive_texture: Loose<TextureInfo>,
    pub emissive_factor: Loose<[f32; 3]>,
    pub double_sided: bool,
    #[serde(borrow)]
    pub alpha_mode: Option<Text<'a>>,
    pub alpha_cutoff: Option<f32>,
    pub extensions: Loose<MaterialExtensions>,
}

impl Material<'_> {
    /// All textures that it names, those of extensions included.
    pub fn textures(&self) -> impl Iterator<Item = &TextureInfo> {
        let pbr = &self.pbr_metallic_roughness;
        let loose =
            [&pbr.metallic_roughness_texture, &self.normal_texture, &self.occlusion_texture, &self.emissive_texture];
        let toon = self.extensions.get().and_then(|extensions| extensions.mtoon.get());
        let toon = toon.into_iter().flat_map(|toon| {
            [&toon.shade_multiply_texture, &toon.matcap_texture, &toon.outline_width_multiply_texture]
        });
        pbr.base_color_texture.iter().chain(loose.into_iter().chain(toon).filter_map(Loose::get))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct PbrMetallicRoughness {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Loose<f32>,
    pub roughness_factor: Loose<f32>,
    pub metallic_roughness_texture: Loose<TextureInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub emissive_strength: Loose<EmissiveStrength>,
    /// Any value: only its presence matters.
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Loose<serde::de::IgnoredAny>,
    #[serde(rename = "VRMC_materials_mtoon")]
    pub mtoon: Loose<Mtoon>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct EmissiveStrength {
    pub emissive_strength: Option<f32>,
}

/// `VRMC_materials_mtoon`, the supported part.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Mtoon {
    pub shade_color_factor: Option<[f32; 3]>,
    pub shade_multiply_texture: Loose<TextureInfo>,
    pub shading_shift_factor: Option<f32>,
    pub shading_toony_factor: Option<f32>,
    pub matcap_factor: Option<[f32; 3]>,
    pub matcap_texture: Loose<TextureInfo>,
    pub parametric_rim_color_factor: Option<[f32; 3]>,
    pub parametric_rim_fresnel_power_factor: Option<f32>,
    pub parametric_rim_lift_factor: Option<f32>,
    pub rim_lighting_mix_factor: Option<f32>,
    pub outline_width_mode: Loose<String>,
    pub outline_width_factor: Option<f32>,
    pub outline_width_multiply_texture: Loose<TextureInfo>,
    pub outline_color_factor: Option<[f32; 3]>,
    pub outline_lighting_mix_factor: Option<f32>,
    // Not shown, and said so.
    pub shading_shift_texture: Loose<serde::de::IgnoredAny>,
    pub rim_multiply_texture: Loose<serde::de::IgnoredAny>,
    pub uv_animation_mask_texture: Loose<serde::de::IgnoredAny>,
    pub uv_animation_scroll_x_speed_factor: Loose<f32>,
    pub uv_animation_scroll_y_speed_factor: Loose<f32>,
    pub uv_animation_rotation_speed_factor: Loose<f32>,
    pub gi_equalization_factor: Loose<f32>,
    pub transparent_with_z_write: Loose<bool>,
    pub render_queue_offset_number: Loose<f32>,
}

impl Mtoon {
    /// The members that say something which is not shown.
    pub fn unseen(&self) -> Vec<&'static str> {
        let is_other = |number: &Loose<f32>, default: f32| number.get().is_some_and(|number| *number != default);
        let all = [
            ("shadingShiftTexture", self.shading_shift_texture.get().is_some()),
            ("rimMultiplyTexture", self.rim_multiply_texture.get().is_some()),
            ("uvAnimationMaskTexture", self.uv_animation_mask_texture.get().is_some()),
            ("uvAnimationScrollXSpeedFactor", is_other(&self.uv_animation_scroll_x_speed_factor, 0.0)),
            ("uvAnimationScrollYSpeedFactor", is_other(&self.uv_animation_scroll_y_speed_factor, 0.0)),
            ("uvAnimationRotationSpeedFactor", is_other(&self.uv_animation_rotation_speed_factor, 0.0)),
            ("giEqualizationFactor", is_other(&self.gi_equalization_factor, 0.9)),
            ("transparentWithZWrite", self.transparent_with_z_write.get() == Some(&true)),
            ("renderQueueOffsetNumber", is_other(&self.render_queue_offset_number, 0.0)),
        ];
        all.into_iter().filter(|(_, is_said)| *is_said).map(|(name, _)| name).collect()
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureInfo {
    pub index: Uint,
    #[serde(default)]
    pub tex_coord: Uint,
    /// Of a normal texture.
    #[serde(default)]
    pub scale: Loose<f32>,
    /// Of an occlusion texture.
    #[serde(default)]
    pub strength: Loose<f32>,
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
