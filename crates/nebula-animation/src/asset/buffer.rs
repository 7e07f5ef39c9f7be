//! The buffers of a file: from the binary chunk, data URIs or external files.

use std::borrow::Cow;

use super::document::Document;
use super::error::AnimationLoadError;
use super::report::Report;
use super::source::{Reference, parse_uri};

/// Reads external files: takes the relative path, and the number of bytes still allowed.
pub(super) type Resolve<'r> = &'r mut dyn FnMut(&str, u64) -> std::io::Result<Vec<u8>>;

/// Reads what an asset refers to, within the limit for all files together.
pub(super) struct Resources<'r> {
    resolve: Resolve<'r>,
    bytes_left: u64,
    limit: u64,
}

impl<'r> Resources<'r> {
    pub fn new(resolve: Resolve<'r>, bytes_used: u64, limit: u64) -> Self {
        Self { resolve, bytes_left: limit.saturating_sub(bytes_used), limit }
    }

    /// The bytes behind a URI, and the MIME type where the URI states one.
    pub fn read(
        &mut self,
        uri: &str,
        object: &str,
        report: &Report,
    ) -> Result<(Vec<u8>, Option<String>), AnimationLoadError> {
        match parse_uri(uri).map_err(|problem| report.resource(object, uri, problem))? {
            Reference::Data { mime_type, bytes } => {
                Ok((bytes, (!mime_type.is_empty()).then(|| super::error::escaped(mime_type))))
            }
            Reference::Path(path) => {
                let bytes = (self.resolve)(&path, self.bytes_left).map_err(|error| match error.kind() {
                    std::io::ErrorKind::FileTooLarge => {
                        report.limit("bytes of all files", self.limit.saturating_add(1), self.limit)
                    }
                    _ => report.resource(object, uri, error),
                })?;
                let Some(bytes_left) = self.bytes_left.checked_sub(bytes.len() as u64) else {
                    return Err(report.limit("bytes of all files", self.limit.saturating_add(1), self.limit));
                };
                self.bytes_left = bytes_left;
                Ok((bytes, None))
            }
        }
    }
}

/// Reads every buffer. A buffer that only exists for loaders without meshopt, and has no data, comes out empty.
pub(super) fn read_buffers<'a>(
    document: &Document<'a>,
    binary: Option<&'a [u8]>,
    resources: &mut Resources<'_>,
    report: &mut Report,
) -> Result<Vec<Cow<'a, [u8]>>, AnimationLoadError> {
    let mut buffers = Vec::with_capacity(document.buffers.len());
    for (index, buffer) in document.buffers.iter().enumerate() {
        let object = format!("buffer {index}");
        let is_fallback = buffer.extensions.ext_meshopt.fallback || buffer.extensions.khr_meshopt.fallback;
        let mut bytes = match (&buffer.uri, binary) {
            (Some(uri), _) => match resources.read(uri, &object, report) {
                Err(_) if is_fallback => Cow::Borrowed(&[][..]),
                read => Cow::Owned(read?.0),
            },
            (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
            (None, _) if is_fallback => Cow::Borrowed(&[][..]),
            (None, _) => return Err(report.malformed(object, "has no URI, and the file has no binary chunk for it")),
        };
        let expected = buffer.byte_length.index();
        if bytes.len() < expected && !is_fallback {
            let problem = format!("holds {} bytes, but byteLength is {}", bytes.len(), buffer.byte_length.0);
            return Err(report.malformed(object, problem));
        }
        if bytes.len().saturating_sub(expected) > 3 && buffer.uri.is_none() {
            let problem = format!("the binary chunk is {} bytes longer than byteLength", bytes.len() - expected);
            report.note(&object, problem);
        }
        // What lies beyond byteLength does not belong to the buffer.
        match &mut bytes {
            Cow::Borrowed(bytes) => *bytes = &bytes[..expected.min(bytes.len())],
            Cow::Owned(bytes) => bytes.truncate(expected),
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}
