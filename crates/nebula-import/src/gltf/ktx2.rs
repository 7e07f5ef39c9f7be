//! Converts Basis Universal KTX2 images to PNG, which every reader supports.

use std::collections::HashMap;

use basisu::{DecodeFlags, TargetFormat, Transcoder};
use nebula_animation::Asset;
use serde_json::{Value, json};

use super::GltfDocument;
use super::error::GltfError;

const NAME: &str = "KHR_texture_basisu";
const MAGIC: [u8; 12] = [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];
/// What one image may unfold into.
const MOST_SIDE: u32 = 16_384;
const MOST_PIXELS: u64 = 1 << 26;
const MOST_BYTES: u64 = 256 << 20;
/// What all images of a document may unfold into.
const MOST_DOCUMENT_PIXELS: u64 = 1 << 28;

impl GltfDocument {
    /// `true` if the document has KTX2 images.
    #[must_use]
    pub fn has_ktx2(&self) -> bool {
        matches!(self.json.member("extensionsUsed"), Ok(Value::Array(used)) if used.iter().any(|name| name == NAME))
    }

    /// Replaces KTX2 images by PNG images with the same pixels, without mipmaps. An image that cannot be decoded is
    /// left as it is; the result says why. All images together may have 2^28 pixels, which take 1 GB while they are
    /// decoded one by one.
    ///
    /// # Errors
    /// The document is invalid.
    pub fn decode_ktx2(&mut self) -> Result<Vec<String>, GltfError> {
        let (mut notes, mut left) = (Vec::new(), MOST_DOCUMENT_PIXELS);
        // Images may share their bytes.
        let mut known: HashMap<usize, Result<usize, String>> = HashMap::new();
        for index in 0..self.json.count("images") {
            let mut image = self.json.get("images", index)?;
            let made = match (image.get("bufferView").and_then(Value::as_u64), image.get("uri").and_then(Value::as_str))
            {
                (Some(view), _) => {
                    let view = view as usize;
                    let Ok(bytes) = self.view_bytes(view) else { continue };
                    if !bytes.starts_with(&MAGIC) {
                        continue;
                    }
                    match known.get(&view) {
                        Some(made) => made.clone(),
                        None => {
                            let made = within(bytes, &mut left).map(|png| self.view(&png, None));
                            let made = made.map_or_else(Err, |view| view.map_err(|error| error.to_string()));
                            known.insert(view, made.clone());
                            made
                        }
                    }
                }
                (None, Some(uri)) if uri.starts_with("data:") => {
                    let Ok(bytes) = Asset::read_reference("", uri, MOST_BYTES) else { continue };
                    if !bytes.starts_with(&MAGIC) {
                        continue;
                    }
                    let made = within(&bytes, &mut left).map(|png| self.view(&png, None));
                    made.map_or_else(Err, |view| view.map_err(|error| error.to_string()))
                }
                _ => continue,
            };
            match made {
                Ok(view) => {
                    if let Some(members) = image.as_object_mut() {
                        members.remove("uri");
                    }
                    image["bufferView"] = json!(view);
                    image["mimeType"] = json!("image/png");
                    self.json.set("images", index, &image)?;
                }
                Err(problem) => notes.push(format!("image {index}: {problem}")),
            }
        }
        for index in 0..self.json.count("textures") {
            let mut texture = self.json.get("textures", index)?;
            let other = texture.get_mut("extensions").and_then(Value::as_object_mut);
            let Some(source) = other.and_then(|all| all.remove(NAME)).and_then(|it| it.get("source").cloned()) else {
                continue;
            };
            if texture.get("source").is_none() {
                texture["source"] = source;
            }
            self.json.set("textures", index, &texture)?;
        }
        self.json.drop_extension(NAME)?;
        Ok(notes)
    }
}

/// The picture as PNG, if as many pixels are left.
fn within(bytes: &[u8], left: &mut u64) -> Result<Vec<u8>, String> {
    let side = |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|word| u64::from(u32::from_le_bytes(*word)));
    let pixels = side(20).zip(side(24)).map_or(0, |(width, height)| width.saturating_mul(height));
    // What is too large by itself costs nothing: it is refused before it is decoded.
    if pixels <= MOST_PIXELS {
        *left = left.checked_sub(pixels).ok_or("with it, the pictures of the file are too large together")?;
    }
    png(bytes)
}

/// Converts a KTX2 image to PNG.
///
/// # Errors
/// It is not a KTX2 image, or exceeds 16,384 pixels per side.
pub fn png(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (width, height, pixels) = pixels(bytes)?;
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer.write_image_data(&pixels).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())?;
    Ok(png)
}

/// Width, height and the pixels as RGBA, row by row.
pub(crate) fn pixels(bytes: &[u8]) -> Result<(u32, u32, Vec<u8>), String> {
    let bytes = checked(bytes)?;
    let texture = Transcoder::new(&bytes).map_err(|error| format!("{error:?}"))?;
    let (width, height) = texture.base_dimensions();
    if width == 0 || height == 0 || width > MOST_SIDE || height > MOST_SIDE {
        return Err(format!("is {width} x {height} pixels"));
    }
    let pixels = texture.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE).map_err(|error| format!("{error:?}"))?;
    if pixels.len() as u64 != u64::from(width) * u64::from(height) * 4 {
        return Err(format!("{} bytes for {width} x {height} pixels", pixels.len()));
    }
    Ok((width, height, pixels))
}

/// The file with what no picture needs left out, if its header keeps to what it can hold: the decoder believes what it says.
fn checked(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let word = |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    let long = |at: usize| bytes.get(at..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word));
    let short = || "the file ends within its header".to_owned();
    if !bytes.starts_with(&MAGIC) {
        return Err("is no KTX2".into());
    }
    let [width, height, depth, layers, faces, levels] = [20, 24, 28, 32, 36, 40].map(|at| word(at).unwrap_or(u32::MAX));
    if word(76).is_none() {
        return Err(short());
    }
    if !(1..=MOST_SIDE).contains(&width) || !(1..=MOST_SIDE).contains(&height) {
        return Err(format!("is {width} x {height} pixels, expected 1 to {MOST_SIDE} a side"));
    }
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(format!("is {width} x {height} pixels, more than {MOST_PIXELS}"));
    }
    if depth > 1 || layers > 1 || faces != 1 || levels > 32 {
        return Err("is no plain picture: layers, faces or depth".into());
    }
    // What the header points at must be within the file: where formats are told, what all levels share, and each level. The decoder adds
    // offsets and lengths without a look at whether the sum fits.
    let is_within = |offset: u64, length: u64| offset.checked_add(length).is_some_and(|end| end <= bytes.len() as u64);
    let (Some(formats), Some(formats_length)) = (word(48), word(52)) else { return Err(short()) };
    let (Some(shared), Some(shared_length)) = (long(64), long(72)) else { return Err(short()) };
    if !is_within(formats.into(), formats_length.into()) || !is_within(shared, shared_length) {
        return Err("its header points beyond its end".into());
    }
    // The first level is the picture; it must unfold into no more than its pixels could take.
    for level in 0..levels.max(1) as usize {
        let at = 80 + 24 * level;
        let (Some(offset), Some(length), Some(unfolded)) = (long(at), long(at + 8), long(at + 16)) else {
            return Err(short());
        };
        if !is_within(offset, length) || unfolded > MOST_BYTES {
            return Err("its picture is not within the file".into());
        }
    }
    let mut kept = bytes.to_vec();
    // Keys and values say who made the file.
    kept[56..64].fill(0);
    Ok(kept)
}
