//! Materials, their textures and images.

use std::collections::HashMap;

use nebula_animation::Asset;
use nebula_animation::asset::{Alpha, Material, TextureFilter, TextureSampler, TextureWrap, UvTransform};
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
        // Without a word, glTF takes everything for metal.
        let mut looks = json!({ "metallicFactor": 0.0 });
        if material.base_color_factor != [1.0; 4] {
            looks["baseColorFactor"] = json!(material.base_color_factor);
        }
        if let Some(texture) = self.texture(document, material)? {
            looks["baseColorTexture"] = texture;
        }
        let mut made = json!({ "pbrMetallicRoughness": looks });
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

    fn texture(&mut self, document: &mut GltfDocument, material: &Material) -> Result<Option<Value>, GltfError> {
        let Some(image) = material.base_color_image.filter(|image| *image < self.asset.images.len()) else {
            return Ok(None);
        };
        let image = self.image(document, image)?;
        let sampler = match self.samplers.get(&material.base_color_sampler) {
            Some(known) => *known,
            None => {
                let made = document.json.push("samplers", &sampler(&material.base_color_sampler))?;
                self.samplers.insert(material.base_color_sampler, made);
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
        if material.base_color_uv != 0 {
            made["texCoord"] = json!(material.base_color_uv);
        }
        let transform = material.base_color_transform;
        if transform != UvTransform::default() {
            let UvTransform { offset, rotation, scale } = transform;
            made["extensions"] =
                json!({ "KHR_texture_transform": { "offset": offset, "rotation": rotation, "scale": scale } });
            document.json.use_extension("KHR_texture_transform", false)?;
        }
        Ok(Some(made))
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
