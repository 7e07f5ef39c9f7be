//! Reads bytes from disk, data URIs or a caller's resolver. A file cannot reach anything else on the machine.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

/// Reads a regular file of at most `limit` bytes.
///
/// Devices, pipes and folders are refused without waiting for them; a file that grows while it is read cannot exceed
/// the limit.
pub(super) fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_without_waiting(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("more than the limit of {limit} bytes"));
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let expected = usize::try_from(metadata.len()).map_err(|_| too_large())?;
    bytes.try_reserve_exact(expected.saturating_add(1)).map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Opening a pipe would wait for its other end.
#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    // Without a non-blocking open, look before opening.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    OpenOptions::new().read(true).open(path)
}

/// Reads a file that lies below `folder`, also after symbolic links are followed.
pub(super) fn read_below(folder: &Path, relative: &str, limit: u64) -> io::Result<Vec<u8>> {
    let folder = folder.canonicalize()?;
    let path = folder.join(relative).canonicalize()?;
    if !path.starts_with(&folder) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "leads out of the asset's folder"));
    }
    read_file(&path, limit)
}

/// The folder that a file's references are relative to.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// What a URI of a buffer or an image refers to.
pub(super) enum Reference<'a> {
    /// Bytes within the URI itself, and their MIME type.
    Data { mime_type: &'a str, bytes: Vec<u8> },
    /// A relative path with `/` between its parts, which stays within its folder.
    Path(Cow<'a, str>),
}

/// Reads a URI. Fails with the reason why it is not acceptable.
pub(super) fn parse_uri(uri: &str) -> Result<Reference<'_>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        return parse_data_uri(data);
    }
    if let Some((scheme, _)) = uri.split_once(':')
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    {
        return Err(format!("scheme {scheme}: is not followed, expected a relative path or a data URI"));
    }
    let path = percent_decode_str(uri).decode_utf8().map_err(|_| "is not UTF-8 after percent-decoding")?;
    if path.is_empty() {
        return Err("is empty".into());
    }
    if path.contains(['\0', '\\']) {
        return Err("holds a character that no portable path may have".into());
    }
    let mut depth = 0_usize;
    for component in Path::new(&*path).components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir => return Err("leads out of the asset's folder".into()),
            Component::RootDir | Component::Prefix(_) => return Err("is absolute, expected a relative path".into()),
        }
    }
    Ok(Reference::Path(path))
}

/// Exporters differ in whether they pad base64; neither way loses a bit.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

fn parse_data_uri(data: &str) -> Result<Reference<'_>, String> {
    let (header, body) = data.split_once(',').ok_or("is a data URI without a comma")?;
    let mime_type = header.strip_suffix(";base64").ok_or("is a data URI of another encoding, expected base64")?;
    // Some writers percent-encode `+`, `/` and `=`.
    let body: Cow<[u8]> =
        if body.contains('%') { percent_decode_str(body).collect() } else { Cow::Borrowed(body.as_bytes()) };
    let bytes = BASE64.decode(&body).map_err(|error| format!("is not base64: {error}"))?;
    Ok(Reference::Data { mime_type, bytes })
}
