//! Texture samplers and texture coordinates.

use super::document::{self, Document, Lenient};
use super::error::AnimationLoadError;
use super::report::Report;

/// How an image is sampled: glTF's texture sampler. Whatever a file omits or states wrongly takes the value of
/// [`Default`].
///
/// ```
/// use nebula_animation::asset::{TextureFilter, TextureSampler, TextureWrap};
///
/// let sampler = TextureSampler::default();
/// assert_eq!(sampler.wrap, [TextureWrap::Repeat; 2]);
/// assert_eq!(sampler.mipmaps, Some(TextureFilter::Linear));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextureSampler {
    /// Wrapping in the horizontal and vertical direction; glTF's `wrapS` and `wrapT`.
    pub wrap: [TextureWrap; 2],
    /// Magnification filter; glTF's `magFilter`.
    pub magnified: TextureFilter,
    /// Minification filter; the first half of glTF's `minFilter`.
    pub minified: TextureFilter,
    /// How mipmap levels are chosen: the nearest one, or a mix of two; `None` disables mipmaps. The second half of
    /// glTF's `minFilter`.
    pub mipmaps: Option<TextureFilter>,
}

/// What lies beyond an edge of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TextureWrap {
    /// The image again (the default).
    #[default]
    Repeat,
    /// The image repeated, every second time mirrored.
    Mirror,
    /// The edge pixels.
    Clamp,
}

/// How pixels are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TextureFilter {
    /// The surrounding pixels, interpolated (the default).
    #[default]
    Linear,
    /// The nearest pixel.
    Nearest,
}

impl Default for TextureSampler {
    fn default() -> Self {
        let (wrap, linear) = ([TextureWrap::Repeat; 2], TextureFilter::Linear);
        Self { wrap, magnified: linear, minified: linear, mipmaps: Some(linear) }
    }
}

/// A transform of texture coordinates: scale, rotate, then translate. `KHR_texture_transform`; the identity by default.
///
/// ```
/// use nebula_animation::asset::UvTransform;
///
/// // The lower left quarter of the image, as the extension's own example has it.
/// let quarter = UvTransform { offset: [0.0, 1.0], rotation: std::f32::consts::FRAC_PI_2, scale: [0.5, 0.5] };
/// let [u, v] = quarter.apply([1.0, 1.0]);
/// assert!((u - 0.5).abs() < 1e-6 && (v - 0.5).abs() < 1e-6);
/// assert_eq!(UvTransform::default().apply([0.25, 3.0]), [0.25, 3.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Translation, in widths and heights of the image.
    pub offset: [f32; 2],
    /// Rotation in radians, counter-clockwise as the image is seen.
    pub rotation: f32,
    /// Scale of both coordinates.
    pub scale: [f32; 2],
}

impl Default for UvTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] }
    }
}

impl UvTransform {
    /// Transforms a texture coordinate.
    #[must_use]
    pub fn apply(&self, uv: [f32; 2]) -> [f32; 2] {
        let [u, v] = [uv[0] * self.scale[0], uv[1] * self.scale[1]];
        // The second coordinate points downwards.
        let (sin, cos) = if self.rotation == 0.0 { (0.0, 1.0) } else { self.rotation.sin_cos() };
        [cos * u + sin * v + self.offset[0], cos * v - sin * u + self.offset[1]]
    }
}

const REPEAT: u32 = 10_497;
const CLAMP_TO_EDGE: u32 = 33_071;
const MIRRORED_REPEAT: u32 = 33_648;
const NEAREST: u32 = 9_728;
const LINEAR: u32 = 9_729;
const NEAREST_MIPMAP_NEAREST: u32 = 9_984;
const LINEAR_MIPMAP_NEAREST: u32 = 9_985;
const NEAREST_MIPMAP_LINEAR: u32 = 9_986;
const LINEAR_MIPMAP_LINEAR: u32 = 9_987;

/// Reports the numbers of samplers that mean nothing.
pub(super) fn check(document: &Document, report: &mut Report) -> Result<(), AnimationLoadError> {
    for (index, sampler) in document.samplers.iter().enumerate() {
        let members = [
            ("magFilter", sampler.mag_filter, magnified(sampler).is_some()),
            ("minFilter", sampler.min_filter, minified(sampler).is_some()),
            ("wrapS", sampler.wrap_s, wrap(sampler.wrap_s).is_some()),
            ("wrapT", sampler.wrap_t, wrap(sampler.wrap_t).is_some()),
        ];
        for (member, number, is_known) in members {
            if let (Some(number), false) = (number.0, is_known) {
                let message = format!("{member}: {number} is not a valid mode: the default is used");
                report.repair(format!("sampler {index}"), message)?;
            }
        }
    }
    Ok(())
}

/// How a texture of the file is read.
pub(super) fn sampler(document: &Document, texture: usize) -> TextureSampler {
    let index = document.textures.get(texture).and_then(|texture| texture.sampler.index());
    let Some(source) = index.and_then(|index| document.samplers.get(index)) else { return TextureSampler::default() };
    let default = TextureSampler::default();
    let (minified, mipmaps) = minified(source).unwrap_or((default.minified, default.mipmaps));
    TextureSampler {
        wrap: [source.wrap_s, source.wrap_t].map(|number| wrap(number).unwrap_or_default()),
        magnified: magnified(source).unwrap_or_default(),
        minified,
        mipmaps,
    }
}

/// How a texture lies on the surfaces of a material.
pub(super) fn transform(
    texture: &document::TextureInfo,
    material: impl FnOnce() -> String,
    report: &mut Report,
) -> Result<UvTransform, AnimationLoadError> {
    let default = UvTransform::default();
    let Some(source) = &texture.extensions.transform else { return Ok(default) };
    let transform = UvTransform {
        offset: source.offset.unwrap_or(default.offset),
        rotation: source.rotation.unwrap_or(default.rotation),
        scale: source.scale.unwrap_or(default.scale),
    };
    let numbers = [transform.offset, transform.scale, [transform.rotation; 2]];
    if numbers.as_flattened().iter().all(|number| number.is_finite()) {
        return Ok(transform);
    }
    report.repair(material(), "KHR_texture_transform is not finite: ignored")?;
    Ok(default)
}

/// The constant of WebGL that a number is.
fn constant(number: Lenient) -> Option<u32> {
    // What is no whole number becomes none of the constants.
    number.0.map(|number| if number.fract() == 0.0 { number as u32 } else { 0 })
}

fn wrap(number: Lenient) -> Option<TextureWrap> {
    Some(match constant(number)? {
        REPEAT => TextureWrap::Repeat,
        CLAMP_TO_EDGE => TextureWrap::Clamp,
        MIRRORED_REPEAT => TextureWrap::Mirror,
        _ => return None,
    })
}

fn magnified(sampler: &document::TextureSampler) -> Option<TextureFilter> {
    Some(match constant(sampler.mag_filter)? {
        LINEAR => TextureFilter::Linear,
        NEAREST => TextureFilter::Nearest,
        _ => return None,
    })
}

fn minified(sampler: &document::TextureSampler) -> Option<(TextureFilter, Option<TextureFilter>)> {
    Some(match constant(sampler.min_filter)? {
        NEAREST => (TextureFilter::Nearest, None),
        LINEAR => (TextureFilter::Linear, None),
        NEAREST_MIPMAP_NEAREST => (TextureFilter::Nearest, Some(TextureFilter::Nearest)),
        LINEAR_MIPMAP_NEAREST => (TextureFilter::Linear, Some(TextureFilter::Nearest)),
        NEAREST_MIPMAP_LINEAR => (TextureFilter::Nearest, Some(TextureFilter::Linear)),
        LINEAR_MIPMAP_LINEAR => (TextureFilter::Linear, Some(TextureFilter::Linear)),
        _ => return None,
    })
}
