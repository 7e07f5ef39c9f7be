//! MToon: `VRMC_materials_mtoon` of VRM 1.0, and the shader properties of VRM 0.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::load::Reader;
use super::{Alpha, Material, MaterialTexture, OutlineWidth, Toon, ToonOutline};
use crate::asset::document::{self, Capped, Document, Lenient, Loose, Mtoon};
use crate::asset::error::AnimationLoadError;
use crate::asset::texture;

/// Puts what a file says of toons into a material.
pub(super) fn read(
    reader: &mut Reader,
    source: &document::Material,
    zero: Option<&RawValue>,
    material: &mut Material,
) -> Result<(), AnimationLoadError> {
    let one = match source.extensions.get() {
        Some(extensions) => reader.loose(&extensions.mtoon, "VRMC_materials_mtoon")?,
        None => None,
    };
    match one {
        Some(mtoon) => {
            let toon = of_one(reader, mtoon)?;
            let unseen = mtoon.unseen();
            if !unseen.is_empty() {
                reader.note(&format!("{} of MToon: not shown", unseen.join(", ")));
            }
            material.toon = Some(Box::new(toon));
            // Readers without MToon are given a plain picture of it.
            material.is_unlit = false;
        }
        None => of_zero(reader, zero, material)?,
    }
    Ok(())
}

fn of_one(reader: &mut Reader, source: &Mtoon) -> Result<Toon, AnimationLoadError> {
    let default = Toon::default();
    let mut number = |value: Option<f32>, default: f32, low: f32, high: f32| {
        let [value] = reader.numbers([value.unwrap_or(default)], [default], "a number of MToon")?;
        Ok::<_, AnimationLoadError>(value.clamp(low, high))
    };
    let shading_shift = number(source.shading_shift_factor, default.shading_shift, -1.0, 1.0)?;
    let shading_toony = number(source.shading_toony_factor, default.shading_toony, 0.0, 1.0)?;
    let rim_power = number(source.parametric_rim_fresnel_power_factor, default.rim_power, 0.0, 1000.0)?;
    let rim_lift = number(source.parametric_rim_lift_factor, default.rim_lift, 0.0, 1.0)?;
    let rim_lighting_mix = number(source.rim_lighting_mix_factor, default.rim_lighting_mix, 0.0, 1.0)?;
    let outline_width = number(source.outline_width_factor, 0.0, 0.0, WIDEST)?;
    let outline_mix = number(source.outline_lighting_mix_factor, 1.0, 0.0, 1.0)?;
    let mut color = |value: Option<[f32; 3]>, default: [f32; 3]| {
        reader.numbers(value.unwrap_or(default), default, "a colour of MToon")
    };
    let shade_color = color(source.shade_color_factor, default.shade_color)?;
    let matcap_factor = color(source.matcap_factor, default.matcap_factor)?;
    let rim_color = color(source.parametric_rim_color_factor, default.rim_color)?;
    let outline_color = color(source.outline_color_factor, [0.0; 3])?;
    let shade = reader.loose(&source.shade_multiply_texture, "shadeMultiplyTexture")?;
    let matcap = reader.loose(&source.matcap_texture, "matcapTexture")?;
    let mode = reader.loose(&source.outline_width_mode, "outlineWidthMode")?;
    let outline = match mode.map(String::as_str) {
        Some("worldCoordinates") => Some(OutlineWidth::World(outline_width)),
        Some("screenCoordinates") => Some(OutlineWidth::Screen(outline_width)),
        _ => None,
    };
    let outline = match outline.filter(|_| outline_width > 0.0) {
        Some(width) => {
            let map = reader.loose(&source.outline_width_multiply_texture, "outlineWidthMultiplyTexture")?;
            let width_texture = reader.texture(map, "outline width")?;
            Some(ToonOutline { width, width_texture, color: outline_color, lighting_mix: outline_mix })
        }
        None => None,
    };
    Ok(Toon {
        shade_color,
        shade_texture: reader.texture(shade, "shade")?,
        shading_shift,
        shading_toony,
        matcap_factor,
        matcap_texture: reader.texture(matcap, "matcap")?,
        rim_color,
        rim_power,
        rim_lift,
        rim_lighting_mix,
        outline,
    })
}

/// The widest outline, in metres or heights of the picture.
const WIDEST: f32 = 10.0;

/// The materials of `VRM`, versions 0.x: in the order of glTF's.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Zero<'a> {
    #[serde(borrow)]
    material_properties: Capped<&'a RawValue, 65_536>,
}

/// A material by the names that its shader has for everything.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Properties {
    shader: String,
    float_properties: HashMap<String, Loose<f32>>,
    vector_properties: HashMap<String, Loose<Vec<f32>>>,
    texture_properties: HashMap<String, Lenient>,
}

impl Properties {
    fn number(&self, name: &str, default: f32) -> f32 {
        let value = self.float_properties.get(name).and_then(Loose::get).copied();
        value.filter(|value| value.is_finite()).unwrap_or(default)
    }

    /// A colour that is written as sRGB.
    fn color(&self, name: &str, default: [f32; 3]) -> [f32; 3] {
        let value = self.vector_properties.get(name).and_then(Loose::get);
        let Some([red, green, blue, ..]) = value.map(Vec::as_slice) else { return default };
        let linear = |value: f32| if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
        let color = [*red, *green, *blue].map(linear);
        if color.iter().all(|value| value.is_finite()) { color } else { default }
    }

    fn texture(&self, name: &str, reader: &mut Reader) -> Result<Option<MaterialTexture>, AnimationLoadError> {
        let Some(index) = self.texture_properties.get(name).and_then(|texture| texture.index()) else {
            return Ok(None);
        };
        let image = reader.images.of_texture(index, reader.report)?;
        // One transform is for all textures: that of the main one.
        Ok(image.map(|image| MaterialTexture {
            image,
            uv: 0,
            sampler: texture::sampler(reader.document, index),
            transform: Default::default(),
        }))
    }
}

/// What VRM 0 says of the materials of a file, in their order; nothing for other files.
pub(super) fn of_file<'a>(document: &Document<'a>) -> Vec<&'a RawValue> {
    let extensions = &document.extensions;
    let Some(vrm) = extensions.vrm.filter(|_| extensions.vrmc_vrm.is_none()) else { return Vec::new() };
    let zero: Zero = serde_json::from_str(vrm.get()).unwrap_or_default();
    zero.material_properties.to_vec()
}

/// What the older shader knows and nothing here shows.
const UNSEEN_TEXTURES: [&str; 4] =
    ["_ShadingGradeTexture", "_ReceiveShadowTexture", "_RimTexture", "_UvAnimMaskTexture"];
const UNSEEN_SPEEDS: [&str; 3] = ["_UvAnimScrollX", "_UvAnimScrollY", "_UvAnimRotation"];

fn of_zero(reader: &mut Reader, zero: Option<&RawValue>, material: &mut Material) -> Result<(), AnimationLoadError> {
    let Some(raw) = zero else { return Ok(()) };
    let Ok(properties) = serde_json::from_str::<Properties>(raw.get()) else {
        return reader.repair("its properties in VRM cannot be read: ignored");
    };
    if properties.shader != "VRM/MToon" {
        return Ok(());
    }
    let default = Toon::default();
    // The older shader names the ends of the step's range; MToon 1.0 its middle and its width.
    let low = properties.number("_ShadeShift", 0.0).clamp(-1.0, 1.0);
    let high = 1.0 + (low - 1.0) * properties.number("_ShadeToony", 0.9).clamp(0.0, 1.0);
    // There, the ball is added in full light; here, the mix says so too.
    material.toon = Some(Box::new(Toon {
        shade_color: properties.color("_ShadeColor", [0.97, 0.81, 0.86]),
        shade_texture: properties.texture("_ShadeTexture", reader)?,
        shading_shift: (-0.5 * (low + high)).clamp(-1.0, 1.0),
        shading_toony: (1.0 - 0.5 * (high - low)).clamp(0.0, 1.0),
        matcap_factor: [1.0; 3],
        matcap_texture: properties.texture("_SphereAdd", reader)?,
        rim_color: properties.color("_RimColor", default.rim_color),
        rim_power: properties.number("_RimFresnelPower", 1.0).clamp(0.0, 1000.0),
        rim_lift: properties.number("_RimLift", 0.0).clamp(0.0, 1.0),
        rim_lighting_mix: properties.number("_RimLightingMix", 0.0).clamp(0.0, 1.0),
        outline: outline_of_zero(reader, &properties)?,
    }));
    material.is_unlit = false;
    let textures = UNSEEN_TEXTURES.into_iter().filter(|name| properties.texture_properties.contains_key(*name));
    let speeds = UNSEEN_SPEEDS.into_iter().filter(|name| properties.number(name, 0.0) != 0.0);
    let unseen: Vec<&str> = textures.chain(speeds).collect();
    if !unseen.is_empty() {
        reader.note(&format!("{} of MToon: not shown", unseen.join(", ")));
    }
    let [red, green, blue] = properties.color("_Color", [1.0; 3]);
    if properties.vector_properties.contains_key("_Color") {
        let alpha = properties.vector_properties.get("_Color").and_then(Loose::get).and_then(|color| color.get(3));
        let alpha = alpha.copied().filter(|alpha| alpha.is_finite()).unwrap_or(1.0);
        material.base_color_factor = [red, green, blue, alpha];
    }
    let transform = material.base_color_texture.map(|texture| texture.transform);
    if let Some(main) = properties.texture("_MainTex", reader)? {
        material.base_color_texture = Some(MaterialTexture { transform: transform.unwrap_or_default(), ..main });
    }
    if let Some(normals) = properties.texture("_BumpMap", reader)? {
        material.normal_texture = Some(normals);
        material.normal_scale = properties.number("_BumpScale", 1.0);
    }
    if let Some(emissive) = properties.texture("_EmissionMap", reader)? {
        material.emissive_texture = Some(emissive);
    }
    if properties.vector_properties.contains_key("_EmissionColor") {
        material.emissive_factor = properties.color("_EmissionColor", [0.0; 3]).map(|value| value.max(0.0));
    }
    material.alpha = match properties.number("_BlendMode", 0.0) as u32 {
        0 => Alpha::Opaque,
        1 => Alpha::Mask(properties.number("_Cutoff", 0.5).max(0.0)),
        _ => Alpha::Blend,
    };
    material.is_double_sided = properties.number("_CullMode", 2.0) == 0.0;
    Ok(())
}

/// Widths are centimetres, or hundredths of half of the picture's height; a colour that is fixed takes no light.
fn outline_of_zero(reader: &mut Reader, properties: &Properties) -> Result<Option<ToonOutline>, AnimationLoadError> {
    let width = properties.number("_OutlineWidth", 0.5).clamp(0.0, 100.0 * WIDEST) * 0.01;
    let width = match properties.number("_OutlineWidthMode", 0.0) as u32 {
        1 => OutlineWidth::World(width),
        2 => OutlineWidth::Screen(width * 0.5),
        _ => return Ok(None),
    };
    if matches!(width, OutlineWidth::World(0.0) | OutlineWidth::Screen(0.0)) {
        return Ok(None);
    }
    let is_mixed = properties.number("_OutlineColorMode", 0.0) as u32 == 1;
    let mix = properties.number("_OutlineLightingMix", 1.0).clamp(0.0, 1.0);
    Ok(Some(ToonOutline {
        width,
        width_texture: properties.texture("_OutlineWidthTexture", reader)?,
        color: properties.color("_OutlineColor", [0.0; 3]),
        lighting_mix: if is_mixed { mix } else { 0.0 },
    }))
}
