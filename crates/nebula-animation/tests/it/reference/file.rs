//! Containers and buffers.

use serde_json::Value;

use super::{index, list};

/// The JSON text and the binary chunk of a file.
pub fn split(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    if !bytes.starts_with(b"glTF") {
        return (bytes, None);
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while at < word(bytes, 8) {
        let length = word(bytes, at);
        let data = &bytes[at + 8..at + 8 + length];
        match &bytes[at + 4..at + 8] {
            b"JSON" => json = Some(data),
            b"BIN\0" => binary = Some(data),
            _ => {}
        }
        at += 8 + length;
    }
    (json.expect("a JSON chunk"), binary)
}

/// The data of every buffer; `None` where a buffer only stands for decompressed data.
pub fn buffers(json: &Value, binary: Option<&[u8]>, read: &dyn Fn(&str) -> Vec<u8>) -> Vec<Option<Vec<u8>>> {
    let buffer = |buffer: &Value| {
        let data = match buffer["uri"].as_str() {
            None => binary.map(<[u8]>::to_vec)?,
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => from_base64(data.split_once(";base64,").expect("base64").1),
                None => read(&from_percent(uri)),
            },
        };
        assert!(data.len() >= index(&buffer["byteLength"]), "a buffer shorter than it says");
        Some(data)
    };
    list(&json["buffers"]).iter().map(buffer).collect()
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}

fn from_base64(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut bit_count) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|&letter| letter != b'=') {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => panic!("not base64: {}", char::from(letter)),
        };
        bits = bits << 6 | u32::from(digit);
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            bytes.push((bits >> bit_count) as u8);
            bits &= (1 << bit_count) - 1;
        }
    }
    bytes
}

fn from_percent(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let (mut decoded, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at] == b'%' {
            decoded.push(u8::from_str_radix(&uri[at + 1..at + 3], 16).expect("two hexadecimal digits"));
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(decoded).expect("UTF-8")
}
