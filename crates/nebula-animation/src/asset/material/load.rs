//! Loads the materials of a file. An error in one affects only that property, never the file.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::{Alpha, Material, MaterialTexture, toon};
use crate::asset::document::{self, Document, Loose};
use crate::asset::error::AnimationLoadError;
use crate::asset::image::{ImageBytes, Images};
use crate::asset::names::Names;
use crate::asset::report::{Report, named};
use crate::asset::texture;

/// The materials of a file, each read once.
pub(in crate::asset) struct Materials<'a, 'r> {
    document: &'a Document<'a>,
    names: Names,
    images: Images<'a, 'r>,
    /// What VRM 0 says of them, in the same order.
    zero: Vec<&'a RawValue>,
    known: HashMap<usize, Material>,
}

impl<'a, 'r> Materials<'a, 'r> {
    pub fn new(document: &'a Document<'a>, names: Names, images: Images<'a, 'r>) -> Self {
        Self { document, names, images, zero: toon::of_file(document), known: HashMap::new() }
    }

    pub fn into_images(self) -> Vec<ImageBytes> {
        self.images.into_fetched()
    }

    /// The material of a primitive.
    pub fn of(&mut self, primitive: &document::Primitive, report: &mut Report) -> Result<Material, AnimationLoadError> {
        let Some(index) = primitive.material.map(|material| material.index()) else { return Ok(Material::default()) };
        if let Some(known) = self.known.get(&index) {
            return Ok(known.clone());
        }
        let reader = &mut Reader { document: self.document, index, images: &mut self.images, report };
        let source = &self.document.materials[index];
        let mut material = read(reader, source)?;
        self.names.cut(source.name.as_deref().unwrap_or_default()).clone_into(&mut material.name);
        toon::read(reader, source, self.zero.get(index).copied(), &mut material)?;
        self.known.insert(index, material.clone());
        Ok(material)
    }
}

/// What every material has.
fn read(reader: &mut Reader, source: &document::Material) -> Result<Material, AnimationLoadError> {
    let (pbr, default) = (&source.pbr_metallic_roughness, Material::default());
    let mut base_color_factor = pbr.base_color_factor.unwrap_or(default.base_color_factor);
    if base_color_factor.iter().any(|value| !value.is_finite()) {
        reader.repair("base colour is not finite: taken as white")?;
        base_color_factor = default.base_color_factor;
    }
    if matches!(source.extensions, Loose::Faulty) {
        reader.repair("extensions cannot be read: ignored")?;
    }
    let extensions = source.extensions.get();
    let normal = reader.loose(&source.normal_texture, "normalTexture")?;
    let occlusion = reader.loose(&source.occlusion_texture, "occlusionTexture")?;
    let strength = match extensions.map(|extensions| &extensions.emissive_strength) {
        Some(strength) => reader.loose(strength, "KHR_materials_emissive_strength")?,
        None => None,
    };
    let strength = strength.and_then(|strength| strength.emissive_strength).unwrap_or(1.0);
    let emissive = reader.loose(&source.emissive_factor, "emissiveFactor")?.copied().unwrap_or_default();
    let emissive_factor =
        reader.numbers(emissive.map(|value| value * strength), default.emissive_factor, "emissive light")?;
    let [metallic_factor] = reader.unit(&pbr.metallic_factor, default.metallic_factor, "metallicFactor")?;
    let [roughness_factor] = reader.unit(&pbr.roughness_factor, default.roughness_factor, "roughnessFactor")?;
    let scale = match normal {
        Some(texture) => reader.loose(&texture.scale, "scale of the normals")?.copied().unwrap_or(1.0),
        None => 1.0,
    };
    let [normal_scale] = reader.numbers([scale], [1.0], "scale of the normals")?;
    let [occlusion_strength] = match occlusion {
        Some(texture) => reader.unit(&texture.strength, 1.0, "strength of the occlusion")?,
        None => [1.0],
    };
    let metallic_roughness = reader.loose(&pbr.metallic_roughness_texture, "metallicRoughnessTexture")?;
    let emissive_texture = reader.loose(&source.emissive_texture, "emissiveTexture")?;
    Ok(Material {
        name: String::new(),
        base_color_factor,
        base_color_texture: reader.texture(pbr.base_color_texture.as_ref(), "base colour")?,
        metallic_factor,
        roughness_factor,
        metallic_roughness_texture: reader.texture(metallic_roughness, "roughness")?,
        normal_texture: reader.texture(normal, "normal")?,
        normal_scale,
        occlusion_texture: reader.texture(occlusion, "occlusion")?,
        occlusion_strength,
        // A light that takes light away is none.
        emissive_factor: emissive_factor.map(|value| value.max(0.0)),
        emissive_texture: reader.texture(emissive_texture, "emissive")?,
        is_unlit: extensions.is_some_and(|extensions| !matches!(extensions.unlit, Loose::Absent)),
        toon: None,
        is_double_sided: source.double_sided,
        alpha: match source.alpha_mode.as_deref() {
            // Zero keeps everything, which a cutoff without a number does too.
            Some("MASK") => {
                Alpha::Mask(source.alpha_cutoff.map_or(0.5, |cutoff| if cutoff > 0.0 { cutoff } else { 0.0 }))
            }
            Some("BLEND") => Alpha::Blend,
            _ => Alpha::Opaque,
        },
    })
}

/// What reads the parts of one material.
pub(super) struct Reader<'a, 'd, 'i, 'r> {
    pub document: &'a Document<'d>,
    pub index: usize,
    pub images: &'a mut Images<'i, 'r>,
    pub report: &'a mut Report,
}

impl Reader<'_, '_, '_, '_> {
    pub fn repair(&mut self, message: &str) -> Result<(), AnimationLoadError> {
        self.report.repair(self.object(), message)
    }

    /// Something that is no fault, and not shown.
    pub fn note(&mut self, message: &str) {
        self.report.note(self.object(), message);
    }

    fn object(&self) -> String {
        named("material", self.index, self.document.materials[self.index].name.as_deref())
    }

    /// A member that nothing depends on but looks.
    pub fn loose<'l, T>(&mut self, value: &'l Loose<T>, what: &str) -> Result<Option<&'l T>, AnimationLoadError> {
        if matches!(value, Loose::Faulty) {
            self.repair(&format!("{what} cannot be read: ignored"))?;
        }
        Ok(value.get())
    }

    /// Numbers, or others where one of them is not finite.
    pub fn numbers<const N: usize>(
        &mut self,
        values: [f32; N],
        default: [f32; N],
        what: &str,
    ) -> Result<[f32; N], AnimationLoadError> {
        if values.iter().all(|value| value.is_finite()) {
            return Ok(values);
        }
        self.repair(&format!("{what} is not finite: ignored"))?;
        Ok(default)
    }

    /// A number from 0 to 1.
    fn unit(&mut self, value: &Loose<f32>, default: f32, what: &str) -> Result<[f32; 1], AnimationLoadError> {
        let value = self.loose(value, what)?.copied().unwrap_or(default);
        Ok(self.numbers([value], [default], what)?.map(|value| value.clamp(0.0, 1.0)))
    }

    /// A texture, if its image can be had and lies on coordinates that are loaded.
    pub fn texture(
        &mut self,
        source: Option<&document::TextureInfo>,
        what: &str,
    ) -> Result<Option<MaterialTexture>, AnimationLoadError> {
        let Some(source) = source else { return Ok(None) };
        let transform = source.extensions.transform.as_ref();
        let tex_coord = transform.and_then(|transform| transform.tex_coord).unwrap_or(source.tex_coord);
        if tex_coord.index() > 1 {
            let message = format!("its {what} image uses TEXCOORD_{}: left out, only two sets are loaded", tex_coord.0);
            let object = self.object();
            self.report.note(object, message);
            return Ok(None);
        }
        let index = source.index.index();
        let Some(image) = self.images.of_texture(index, self.report)? else { return Ok(None) };
        let object = self.object();
        Ok(Some(MaterialTexture {
            image,
            uv: tex_coord.index(),
            sampler: texture::sampler(self.document, index),
            transform: texture::transform(source, || object, self.report)?,
        }))
    }
}
