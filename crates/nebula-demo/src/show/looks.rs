//! Converts materials of files for the renderers.

use glam::{Vec3, Vec4};
use nebula_animation::Asset;
use nebula_animation::asset::{Material, MaterialTexture};

use super::image::Decoder;
use super::model::Image;
use crate::picture::{Answer, Drawn, Looks, Map, Texture, affine};

/// What the values of an image are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Colours, as sRGB.
    Color,
    /// Numbers.
    Data,
}

/// All images of a material, with their use.
pub(super) fn maps(material: &Material) -> Vec<(MaterialTexture, Use)> {
    let mut maps = Vec::new();
    let mut add = |texture: &Option<MaterialTexture>, what: Use| maps.extend(texture.map(|texture| (texture, what)));
    add(&material.base_color_texture, Use::Color);
    if material.is_unlit {
        return maps;
    }
    add(&material.normal_texture, Use::Data);
    add(&material.emissive_texture, Use::Color);
    match &material.toon {
        Some(toon) => {
            add(&toon.shade_texture, Use::Color);
            add(&toon.matcap_texture, Use::Color);
        }
        None => {
            add(&material.metallic_roughness_texture, Use::Data);
            add(&material.occlusion_texture, Use::Data);
        }
    }
    maps
}

/// The images of an asset as far as its materials use them; what cannot be decoded is told in the notes.
pub(super) fn decoded(asset: &Asset, notes: &mut Vec<String>) -> Vec<Image> {
    let mut uses = vec![[false; 2]; asset.images.len()];
    let primitives = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter());
    let widths = |material: &Material| material.toon.as_ref()?.outline.as_ref()?.width_texture;
    let used = |material: &Material| maps(material).into_iter().chain(widths(material).map(|map| (map, Use::Data)));
    for (map, what) in primitives.flat_map(|primitive| used(&primitive.material)) {
        if let Some(uses) = uses.get_mut(map.image) {
            uses[usize::from(what == Use::Data)] = true;
        }
    }
    let mut decoder = Decoder::default();
    let decode = |(image, [is_color, is_data]): (&nebula_animation::asset::ImageBytes, [bool; 2])| {
        if !is_color && !is_data {
            return Image::default();
        }
        match decoder.pixels(&image.bytes) {
            Ok((width, height, rgba)) => {
                let (width, height) = (width as u32, height as u32);
                let made = Image {
                    color: is_color.then(|| Texture::new(width, height, &rgba)).flatten(),
                    data: is_data.then(|| Texture::data(width, height, &rgba)).flatten(),
                };
                if made.color.is_none() && made.data.is_none() {
                    notes.push(format!("image {} has no pixels", image.index));
                }
                made
            }
            Err(problem) => {
                notes.push(format!("image {} {problem}", image.index));
                Image::default()
            }
        }
    };
    asset.images.iter().zip(uses).map(decode).collect()
}

/// A material with the images that there are.
pub(super) fn of<'a>(material: &Material, image: impl Fn(&MaterialTexture, Use) -> Option<&'a Texture>) -> Looks<'a> {
    let map = |texture: &Option<MaterialTexture>, what: Use| {
        let source = texture.as_ref()?;
        let texture = image(source, what)?;
        Some(Map { texture, sampler: source.sampler, uv: source.uv, transform: affine(&source.transform) })
    };
    let mut looks = Looks {
        base_color: Vec4::from(material.base_color_factor),
        texture: map(&material.base_color_texture, Use::Color),
        metallic: material.metallic_factor,
        roughness: material.roughness_factor,
        ..Looks::default()
    };
    if material.is_unlit {
        return Looks { answer: Answer::Unlit, ..looks };
    }
    looks.normals = map(&material.normal_texture, Use::Data);
    looks.normal_scale = material.normal_scale;
    looks.emissive = Vec3::from(material.emissive_factor);
    looks.emissive_map = map(&material.emissive_texture, Use::Color);
    match &material.toon {
        Some(toon) => {
            looks.answer = Answer::Toon(Drawn {
                shade: Vec3::from(toon.shade_color),
                shade_map: map(&toon.shade_texture, Use::Color),
                shift: toon.shading_shift,
                toony: toon.shading_toony,
                ball: Vec3::from(toon.matcap_factor),
                ball_map: map(&toon.matcap_texture, Use::Color),
                rim: Vec3::from(toon.rim_color),
                rim_power: toon.rim_power,
                rim_lift: toon.rim_lift,
                rim_lighting: toon.rim_lighting_mix,
            });
        }
        None => {
            looks.metallic_roughness = map(&material.metallic_roughness_texture, Use::Data);
            looks.occlusion = map(&material.occlusion_texture, Use::Data);
            looks.occlusion_strength = material.occlusion_strength;
        }
    }
    looks
}
