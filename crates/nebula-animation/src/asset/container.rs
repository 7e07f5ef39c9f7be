//! The binary container (`.glb`): a header, a JSON chunk, and perhaps a chunk of binary data.

/// The parts of a file that are not JSON objects yet.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    /// The binary chunk.
    pub binary: Option<&'a [u8]>,
    /// What is odd about the container but does no harm.
    pub oddities: Vec<String>,
}

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: &[u8; 4] = b"JSON";
const BINARY_CHUNK: &[u8; 4] = b"BIN\0";
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// Splits a file into its chunks. A file that does not start with the magic number is taken as plain JSON.
///
/// Fails with what was found and what was expected.
pub(super) fn parse(file: &[u8]) -> Result<Container<'_>, String> {
    if !file.starts_with(MAGIC) {
        return Ok(Container { json: file, binary: None, oddities: Vec::new() });
    }
    let (version, length) = match (read_u32(file, 4), read_u32(file, 8)) {
        (Some(version), Some(length)) => (version, length as usize),
        _ => return Err(format!("GLB header: {} bytes, expected {HEADER_BYTES}", file.len())),
    };
    if version != 2 {
        return Err(format!("GLB header: version {version}, expected 2"));
    }
    if length < HEADER_BYTES + CHUNK_HEADER_BYTES {
        return Err(format!("GLB header: length {length}, expected at least {}", HEADER_BYTES + CHUNK_HEADER_BYTES));
    }
    if length > file.len() {
        return Err(format!("GLB header: length {length}, but the file ends after {} bytes", file.len()));
    }
    let mut oddities = Vec::new();
    if length < file.len() {
        oddities.push(format!("{} bytes after the end of the GLB are ignored", file.len() - length));
    }

    let (mut json, mut binary) = (None, None);
    let mut rest = &file[HEADER_BYTES..length];
    while !rest.is_empty() {
        let (kind, data, after) = split_chunk(rest)?;
        match (kind, json, binary) {
            (JSON_CHUNK, None, _) => json = Some(data),
            (_, None, _) => {
                return Err(format!("GLB: the first chunk is {}, expected JSON", shown(kind)));
            }
            (BINARY_CHUNK, _, None) => binary = Some(data),
            (JSON_CHUNK | BINARY_CHUNK, ..) => return Err(format!("GLB: a second {} chunk", shown(kind))),
            _ => oddities.push(format!("unknown GLB chunk {} is ignored", shown(kind))),
        }
        rest = after;
    }
    let mut json = json.ok_or("GLB: no JSON chunk")?;
    if json.ends_with(&[0]) {
        let length = json.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        oddities.push("the JSON chunk is padded with zeros instead of spaces".into());
        json = &json[..length];
    }
    Ok(Container { json, binary, oddities })
}

/// The type and the data of a chunk, and what follows it.
type Chunk<'a> = (&'a [u8; 4], &'a [u8], &'a [u8]);

/// Takes the first chunk off `bytes`.
fn split_chunk(bytes: &[u8]) -> Result<Chunk<'_>, String> {
    let (length, kind) = match (read_u32(bytes, 0), bytes.get(4..).and_then(|kind| kind.first_chunk::<4>())) {
        (Some(length), Some(kind)) => (length as usize, kind),
        _ => return Err(format!("GLB: {} stray bytes, expected a chunk header of 8", bytes.len())),
    };
    let data = &bytes[CHUNK_HEADER_BYTES..];
    if length > data.len() {
        return Err(format!("GLB chunk {}: length {length}, but only {} bytes follow", shown(kind), data.len()));
    }
    let (data, after) = data.split_at(length);
    Ok((kind, data, after))
}

fn read_u32(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}

/// A chunk type for a message: letters where they are printable.
fn shown(kind: &[u8; 4]) -> String {
    format!("\"{}\"", kind.escape_ascii())
}
