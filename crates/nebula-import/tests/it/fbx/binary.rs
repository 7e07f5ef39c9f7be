//! The text of a scene as a binary file, which is what Mixamo and most programs write: nodes with ends and properties with types.

use std::iter::Peekable;

/// A node of the text: what stands behind its name, and what is in its braces.
#[derive(Debug, Default)]
struct Node {
    name: String,
    values: Vec<Value>,
    below: Vec<Node>,
}

#[derive(Debug, Clone)]
enum Value {
    Number(String),
    Text(String),
}

/// The bytes of a text with this version of the format: ends of nodes have 32 bits below 7500, else 64.
pub fn binary(text: &str, version: u32) -> Vec<u8> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
    let nodes = nodes(&mut lines.peekable());
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(version.to_le_bytes());
    for node in &nodes {
        write(node, "", version >= 7500, &mut bytes);
    }
    bytes.extend(vec![0; if version >= 7500 { 25 } else { 13 }]);
    // What stands at the end of every file.
    bytes.extend([0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e]);
    bytes.resize((bytes.len() + 4).next_multiple_of(16), 0);
    bytes.extend(version.to_le_bytes());
    bytes.extend([0; 120]);
    bytes.extend([0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b]);
    bytes
}

/// The nodes up to the end of the text or of the braces.
fn nodes<'a>(lines: &mut Peekable<impl Iterator<Item = &'a str>>) -> Vec<Node> {
    let mut all = Vec::new();
    while let Some(line) = lines.next() {
        if line == "}" {
            break;
        }
        let (name, rest) = line.split_once(':').expect("a name");
        let rest = rest.trim();
        let (rest, is_open) = rest.strip_suffix('{').map_or((rest, false), |rest| (rest.trim(), true));
        let mut node = Node { name: name.trim().into(), values: values(rest), below: Vec::new() };
        if is_open {
            node.below = nodes(lines);
        }
        all.push(node);
    }
    all
}

fn values(text: &str) -> Vec<Value> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let value = |part: &str| match part.strip_prefix('"') {
        Some(text) => Value::Text(text.trim_end_matches('"').into()),
        None => Value::Number(part.into()),
    };
    parts.map(value).collect()
}

fn write(node: &Node, above: &str, is_wide: bool, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let width = if is_wide { 8 } else { 4 };
    bytes.resize(start + 3 * width, 0);
    bytes.push(node.name.len() as u8);
    bytes.extend(node.name.as_bytes());
    let from = bytes.len();
    // An array is a node of its own in text, and a property here.
    let is_array = node.below.len() == 1 && node.below[0].name == "a";
    let count = if is_array {
        array(&node.name, &node.below[0].values, bytes);
        1
    } else {
        for (place, value) in node.values.iter().enumerate() {
            property(node, above, place, value, bytes);
        }
        node.values.len()
    };
    let length = bytes.len() - from;
    if !is_array && !node.below.is_empty() {
        for below in &node.below {
            write(below, &node.name, is_wide, bytes);
        }
        bytes.extend(vec![0; if is_wide { 25 } else { 13 }]);
    }
    let end = bytes.len();
    for (place, number) in [end, count, length].into_iter().enumerate() {
        let at = start + place * width;
        bytes[at..at + width].copy_from_slice(&(number as u64).to_le_bytes()[..width]);
    }
}

fn property(node: &Node, above: &str, place: usize, value: &Value, bytes: &mut Vec<u8>) {
    let number = match value {
        Value::Text(text) => {
            // "Model::Hips" is the other way round, with a mark between both.
            let text = match text.split_once("::") {
                Some((kind, name)) => format!("{name}\0\u{1}{kind}"),
                None => text.clone(),
            };
            bytes.push(b'S');
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
            return;
        }
        Value::Number(number) => number,
    };
    let kind = match &node.values[..] {
        [Value::Text(_), Value::Text(kind), ..] if node.name == "P" => kind.as_str(),
        _ => "",
    };
    let is_id = node.name == "C" || (above == "Objects" && place == 0);
    let is_whole = ["bool", "int", "enum"].contains(&kind) || (node.name != "P" && node.name != "DeformPercent");
    if is_id || kind == "KTime" {
        bytes.push(b'L');
        bytes.extend(number.parse::<i64>().expect("a whole number").to_le_bytes());
    } else if is_whole {
        bytes.push(b'I');
        bytes.extend(number.parse::<i32>().expect("a whole number").to_le_bytes());
    } else {
        bytes.push(b'D');
        bytes.extend(number.parse::<f64>().expect("a number").to_le_bytes());
    }
}

fn array(name: &str, values: &[Value], bytes: &mut Vec<u8>) {
    let numbers = values.iter().map(|value| match value {
        Value::Number(number) => number.as_str(),
        Value::Text(text) => panic!("{text} in an array"),
    });
    let mut data: Vec<u8> = Vec::new();
    let whole = |number: &str| number.parse::<i64>().expect("a whole number");
    let kind = match name {
        "KeyTime" => b'l',
        "KeyValueFloat" | "KeyAttrDataFloat" => b'f',
        "PolygonVertexIndex" | "Indexes" | "KeyAttrFlags" | "KeyAttrRefCount" => b'i',
        _ => b'd',
    };
    for number in numbers {
        match kind {
            b'l' => data.extend(whole(number).to_le_bytes()),
            b'i' => data.extend((whole(number) as i32).to_le_bytes()),
            // In text, these are the bits of the numbers.
            b'f' if name == "KeyAttrDataFloat" => data.extend((whole(number) as u32).to_le_bytes()),
            b'f' => data.extend(number.parse::<f32>().expect("a number").to_le_bytes()),
            _ => data.extend(number.parse::<f64>().expect("a number").to_le_bytes()),
        }
    }
    // Long ones are compressed, as the programs do.
    let is_packed = values.len() > 4;
    let packed = if is_packed { zlib(&data) } else { data };
    bytes.push(kind);
    for number in [values.len() as u32, u32::from(is_packed), packed.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(packed);
}

/// A stream that says everything as it is.
fn zlib(data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).expect("small");
    let mut stream = vec![0x78, 0x01, 0x01];
    stream.extend(length.to_le_bytes());
    stream.extend((!length).to_le_bytes());
    stream.extend(data);
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    stream.extend(((b << 16) | a).to_be_bytes());
    stream
}
