//! Images of materials: located and read, but not decoded. An error in one never prevents loading.

use std::collections::HashMap;
use std::sync::Arc;

use super::accessor::Accessors;
use super::buffer::Resources;
use super::document::Document;
use super::error::{AnimationLoadError, escaped};
use super::report::Report;

/// An encoded image from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageBytes {
    /// Index of the image in the file.
    pub index: usize,
    /// MIME type according to the file, for instance `image/png`; if it has none, detected from the first bytes.
    pub mime_type: Option<String>,
    /// The encoded bytes: PNG, JPEG, WebP, KTX2 and so on.
    pub bytes: Arc<[u8]>,
}

/// Fetches each image once.
pub(super) struct Images<'a, 'r> {
    document: &'a Document<'a>,
    accessors: &'a Accessors<'a>,
    resources: &'a mut Resources<'r>,
    /// Position in `fetched` by image of the file; `None` if it could not be read.
    positions: HashMap<usize, Option<usize>>,
    fetched: Vec<ImageBytes>,
}

impl<'a, 'r> Images<'a, 'r> {
    pub fn new(document: &'a Document<'a>, accessors: &'a Accessors<'a>, resources: &'a mut Resources<'r>) -> Self {
        Self { document, accessors, resources, positions: HashMap::new(), fetched: Vec::new() }
    }

    pub fn into_fetched(self) -> Vec<ImageBytes> {
        self.fetched
    }

    /// The image of a texture, as a position in the fetched ones.
    pub fn of_texture(&mut self, texture: usize, report: &mut Report) -> Result<Option<usize>, AnimationLoadError> {
        let Some(texture) = self.document.textures.get(texture) else { return Ok(None) };
        let extensions = &texture.extensions;
        // The plain image is the one that every decoder knows.
        let other = [&extensions.webp, &extensions.avif, &extensions.basisu];
        let others = other.into_iter().flatten().filter_map(|other| other.source);
        let image = texture.source.into_iter().chain(others).map(|source| source.index()).next();
        let Some(image) = image.filter(|&image| image < self.document.images.len()) else { return Ok(None) };
        if let Some(&known) = self.positions.get(&image) {
            return Ok(known);
        }
        let position = match self.fetch(image, report) {
            Ok(fetched) => {
                self.fetched.push(fetched);
                Some(self.fetched.len() - 1)
            }
            Err(limit @ AnimationLoadError::LimitExceeded { .. }) => return Err(limit),
            Err(error) => {
                report.repair(format!("image {image}"), format!("is left out: {error}"))?;
                None
            }
        };
        self.positions.insert(image, position);
        Ok(position)
    }

    fn fetch(&mut self, image: usize, report: &Report) -> Result<ImageBytes, AnimationLoadError> {
        let source = &self.document.images[image];
        let object = format!("image {image}");
        let stated = source.mime_type.as_deref().map(escaped);
        if let Some(uri) = &source.uri {
            let (bytes, mime_type) = self.resources.read(uri, &object, report)?;
            self.accessors.budget().charge(bytes.len() as u64, report)?;
            let mime_type = stated.or(mime_type).or_else(|| told(&bytes));
            return Ok(ImageBytes { index: image, mime_type, bytes: bytes.into() });
        }
        match source.buffer_view.map(|view| view.index()) {
            Some(view) if view < self.document.buffer_views.len() => {
                let bytes = self.accessors.view_bytes(view, report)?;
                self.accessors.budget().charge(bytes.len() as u64, report)?;
                let mime_type = stated.or_else(|| told(bytes));
                Ok(ImageBytes { index: image, mime_type, bytes: bytes.into() })
            }
            Some(view) => Err(report.malformed(object, format!("refers to buffer view {view}, which does not exist"))),
            None => Err(report.malformed(object, "has neither a URI nor a buffer view")),
        }
    }
}

/// The MIME type of an image by its first bytes.
fn told(bytes: &[u8]) -> Option<String> {
    let mime_type = match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', ..] => "image/ktx2",
        _ => return None,
    };
    Some(mime_type.into())
}
