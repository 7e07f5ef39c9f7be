//! Materials, their textures and images.

use std::collections::HashMap;

use nebula_animation::Asset;
use nebula_animation::asset::{
    Alpha, Material, MaterialTexture, OutlineWidth, TextureFilter, TextureSampler, TextureWrap, Toon, UvTransform,
};
use serde_json::{Value, json};

use super::GltfDocument;
use super::error::GltfError;

/// What is written already.
pub(super) struct Materials<'a> {
    asset: &'a Asset,
    materials: Vec<(Material, usize)>,
    images: HashMap<usize, usize>,
    samplers: HashMap<TextureSampler, usize>,
    textures: HashMap<(usize, usize), usize>,
}

impl<'a> Materials<'a> {
    pub fn new(asset: &'a Asset) -> Self {
        Self {
            asset,
            materials: Vec::new(),
            images: HashMap::new(),
            samplers: HashMap::new(),
            textures: HashMap::new(),
        }
    }

    /// Writes a material that is not there yet, and returns its index; `None` for the one that glTF takes by default.
    pub fn write(&mut self, document: &mut GltfDocument, material: &Material) -> Result<Option<usize>, GltfError> {
        if *material == Material::default() {
            return Ok(None);
        }
        if let Some((_, index)) = self.materials.iter().find(|(known, _)| known == material) {
            return Ok(Some(*index));
        }
        let mut looks = json!({});
        if material.base_color_factor != [1.0; 4] {
            looks["baseColorFactor"] = json!(material.base_color_factor);
        }
        if material.metallic_factor != 1.0 {
            looks["metallicFactor"] = json!(material.metallic_factor);
        }
        if material.roughness_factor != 1.0 {
            looks["roughnessFactor"] = json!(material.roughness_factor);
        }
        self.put(document, &mut looks, "baseColorTexture", material.base_color_texture)?;
        self.put(document, &mut looks, "metallicRoughnessTexture", material.metallic_roughness_texture)?;
        let mut made = json!({ "pbrMetallicRoughness": looks });
        self.put(document, &mut made, "normalTexture", material.normal_texture)?;
        if material.normal_texture.is_some() && material.normal_scale != 1.0 {
            made["normalTexture"]["scale"] = json!(material.normal_scale);
        }
        self.put(document, &mut made, "occlusionTexture", material.occlusion_texture)?;
        if material.occlusion_texture.is_some() && material.occlusion_strength != 1.0 {
            made["occlusionTexture"]["strength"] = json!(material.occlusion_strength);
        }
        self.put(document, &mut made, "emissiveTexture", material.emissive_texture)?;
        self.emissive(document, material, &mut made)?;
        if material.is_unlit {
            made["extensions"]["KHR_materials_unlit"] = json!({});
            document.json.use_extension("KHR_materials_unlit", false)?;
        }
        if let Some(toon) = &material.toon {
            made["extensions"]["VRMC_materials_mtoon"] = self.toon(document, toon)?;
            document.json.use_extension("VRMC_materials_mtoon", false)?;
        }
        if !material.name.is_empty() {
            made["name"] = json!(material.name);
        }
        if material.is_double_sided {
            made["doubleSided"] = json!(true);
        }
        match material.alpha {
            Alpha::Opaque => {}
            Alpha::Mask(cutoff) => {
                made["alphaMode"] = json!("MASK");
                made["alphaCutoff"] = json!(cutoff);
            }
            Alpha::Blend => made["alphaMode"] = json!("BLEND"),
        }
        let index = document.json.push("materials", &made)?;
        self.materials.push((material.clone(), index));
        Ok(Some(index))
    }

    /// Light beyond what the format's own factor can say is a strength.
    fn emissive(&self, document: &mut GltfDocument, material: &Material, made: &mut Value) -> Result<(), GltfError> {
        let most = material.emissive_factor.into_iter().fold(1.0, f32::max);
        // A power of two divides without rounding.
        let most = if most > 1.0 { most.log2().ceil().exp2() } else { most };
        if material.emissive_factor != [0.0; 3] {
            made["emissiveFactor"] = json!(material.emissive_factor.map(|value| value / most));
        }
        if most > 1.0 {
            made["extensions"]["KHR_materials_emissive_strength"] = json!({ "emissiveStrength": most });
            document.json.use_extension("KHR_materials_emissive_strength", false)?;
        }
        Ok(())
    }

    fn toon(&mut self, document: &mut GltfDocument, toon: &Toon) -> Result<Value, GltfError> {
        let mut made = json!({
            "specVersion": "1.0",
            "shadeColorFactor": toon.shade_color,
            "shadingShiftFactor": toon.shading_shift,
            "shadingToonyFactor": toon.shading_toony,
            "matcapFactor": toon.matcap_factor,
            "parametricRimColorFactor": toon.rim_color,
            "parametricRimFresnelPowerFactor": toon.rim_power,
            "parametricRimLiftFactor": toon.rim_lift,
            "rimLightingMixFactor": toon.rim_lighting_mix,
        });
        self.put(document, &mut made, "shadeMultiplyTexture", toon.shade_texture)?;
        self.put(document, &mut made, "matcapTexture", toon.matcap_texture)?;
        if let Some(outline) = &toon.outline {
            let (mode, width) = match outline.width {
                OutlineWidth::World(width) => ("worldCoordinates", width),
                OutlineWidth::Screen(width) => ("screenCoordinates", width),
            };
            made["outlineWidthMode"] = json!(mode);
            made["outlineWidthFactor"] = json!(width);
            made["outlineColorFactor"] = json!(outline.color);
            made["outlineLightingMixFactor"] = json!(outline.lighting_mix);
            self.put(document, &mut made, "outlineWidthMultiplyTexture", outline.width_texture)?;
        }
        Ok(made)
    }

    /// Writes a texture, where there is one, as a member.
    fn put(
        &mut self,
        document: &mut GltfDocument,
        object: &mut Value,
        member: &str,
        texture: Option<MaterialTexture>,
    ) -> Result<(), GltfError> {
        if let Some(texture) = texture.filter(|texture| texture.image < self.asset.images.len()) {
            object[member] = self.texture(document, &texture)?;
        }
        Ok(())
    }

    fn texture(&mut self, document: &mut GltfDocument, source: &MaterialTexture) -> Result<Value, GltfError> {
        let image = self.image(document, source.image)?;
        let sampler = match self.samplers.get(&source.sampler) {
            Some(known) => *known,
            None => {
                let made = document.json.push("samplers", &sampler(&source.sampler))?;
                self.samplers.insert(source.sampler, made);
                made
            }
        };
        let texture = match self.textures.get(&(image, sampler)) {
            Some(known) => *known,
            None => {
                let mut texture = json!({ "source": image, "sampler": sampler });
                let kind = document.json.get("images", image)?;
                let other = match kind.get("mimeType").and_then(Value::as_str) {
                    Some("image/webp") => Some("EXT_texture_webp"),
                    Some("image/avif") => Some("EXT_texture_avif"),
                    Some("image/ktx2") => Some("KHR_texture_basisu"),
                    _ => None,
                };
                if let Some(extension) = other {
                    texture = json!({ "sampler": sampler, "extensions": { extension: { "source": image } } });
                    document.json.use_extension(extension, true)?;
                }
                let made = document.json.push("textures", &texture)?;
                self.textures.insert((image, sampler), made);
                made
            }
        };
        let mut made = json!({ "index": texture });
        if source.uv != 0 {
            made["texCoord"] = json!(source.uv);
        }
        if source.transform != UvTransform::default() {
            let UvTransform { offset, rotation, scale } = source.transform;
            made["extensions"] =
                json!({ "KHR_texture_transform": { "offset": offset, "rotation": rotation, "scale": scale } });
            document.json.use_extension("KHR_texture_transform", false)?;
        }
        Ok(made)
    }

    fn image(&mut self, document: &mut GltfDocument, image: usize) -> Result<usize, GltfError> {
        if let Some(known) = self.images.get(&image) {
            return Ok(*known);
        }
        let source = &self.asset.images[image];
        let view = document.view(&source.bytes, None)?;
        let kind = source.mime_type.as_deref().unwrap_or("image/png");
        let made = document.json.push("images", &json!({ "bufferView": view, "mimeType": kind }))?;
        self.images.insert(image, made);
        Ok(made)
    }
}

fn sampler(sampler: &TextureSampler) -> Value {
    let wrap = |wrap: TextureWrap| match wrap {
        TextureWrap::Repeat => 10_497,
        TextureWrap::Clamp => 33_071,
        TextureWrap::Mirror => 33_648,
    };
    let smaller = match (sampler.minified, sampler.mipmaps) {
        (TextureFilter::Nearest, None) => 9_728,
        (TextureFilter::Linear, None) => 9_729,
        (TextureFilter::Nearest, Some(TextureFilter::Nearest)) => 9_984,
        (TextureFilter::Linear, Some(TextureFilter::Nearest)) => 9_985,
        (TextureFilter::Nearest, Some(TextureFilter::Linear)) => 9_986,
        (TextureFilter::Linear, Some(TextureFilter::Linear)) => 9_987,
    };
    let larger = if sampler.magnified == TextureFilter::Nearest { 9_728 } else { 9_729 };
    json!({
        "wrapS": wrap(sampler.wrap[0]), "wrapT": wrap(sampler.wrap[1]), "magFilter": larger, "minFilter": smaller,
    })
}
