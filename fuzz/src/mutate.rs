//! Changes of glTF files. libFuzzer's own changes break the lengths of the container and the syntax of the JSON almost every time, so
//! that little behind them is reached; these keep both whole most of the time.

/// The plain mutator, `libfuzzer_sys::fuzzer_mutate`: bytes, how many of them count, how many there may be; how many count now.
pub type Plain = fn(&mut [u8], usize, usize) -> usize;

/// Changes an input of the `load` target in place; gives its new length.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    let mut dice = Dice(u64::from(seed) << 1 | 1);
    let parts = Parts::of(&data[..size]);
    let (Some(mut parts), false) = (parts, dice.one_in(12)) else { return plain(data, size, max_size) };
    let room = max_size.saturating_sub(64);
    for _ in 0..=dice.below(3) {
        match dice.below(16) {
            0 => parts.choice = dice.below(256) as u8,
            1..=4 if parts.binary.as_ref().is_some_and(|binary| !binary.is_empty()) => {
                if let Some(binary) = &mut parts.binary {
                    let most = room.saturating_sub(parts.json.len()).max(binary.len());
                    change(binary, most, plain);
                }
            }
            5 | 6 => {
                let most = room.saturating_sub(parts.binary.as_ref().map_or(0, Vec::len)).max(parts.json.len());
                change(&mut parts.json, most, plain);
            }
            _ => change_json(&mut parts.json, WORDS, &mut dice),
        }
    }
    let file = parts.pack(dice.one_in(64), &mut dice);
    if file.is_empty() || file.len() > max_size.min(data.len()) {
        return plain(data, size, max_size);
    }
    data[..file.len()].copy_from_slice(&file);
    file.len()
}

/// Changes a document of the `document` target in place; gives its new length.
pub fn mutate_text(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    let mut dice = Dice(u64::from(seed) << 1 | 1);
    if dice.one_in(4) {
        return plain(data, size, max_size);
    }
    let mut text = data[..size].to_vec();
    for _ in 0..=dice.below(3) {
        change_json(&mut text, DOCUMENT_WORDS, &mut dice);
    }
    if text.is_empty() || text.len() > max_size.min(data.len()) {
        return plain(data, size, max_size);
    }
    data[..text.len()].copy_from_slice(&text);
    text.len()
}

fn change(bytes: &mut Vec<u8>, most: usize, plain: Plain) {
    if most == 0 {
        return;
    }
    let size = bytes.len();
    bytes.resize(most, 0);
    let size = plain(bytes, size, most);
    bytes.truncate(size);
}

/// A file taken apart.
struct Parts {
    is_glb: bool,
    json: Vec<u8>,
    binary: Option<Vec<u8>>,
    choice: u8,
}

impl Parts {
    fn of(input: &[u8]) -> Option<Self> {
        let (&choice, file) = input.split_last()?;
        if !file.starts_with(b"glTF") {
            let is_json = file.first() == Some(&b'{');
            return is_json.then(|| Self { is_glb: false, json: file.to_vec(), binary: None, choice });
        }
        let length = u32::from_le_bytes(*file.get(12..)?.first_chunk()?) as usize;
        let (json, rest) = file.get(20..)?.split_at_checked(length)?;
        let json = json.trim_ascii_end().to_vec();
        Some(Self { is_glb: true, json, binary: rest.get(8..).map(<[u8]>::to_vec), choice })
    }

    fn pack(&self, is_wrong: bool, dice: &mut Dice) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.json.len() + 256);
        if !self.is_glb {
            file.extend(&self.json);
            file.push(self.choice);
            return file;
        }
        let padded = |length: usize| length.next_multiple_of(4);
        file.extend(b"glTF\x02\0\0\0\0\0\0\0");
        file.extend((padded(self.json.len()) as u32).to_le_bytes());
        file.extend(b"JSON");
        file.extend(&self.json);
        file.resize(20 + padded(self.json.len()), b' ');
        if let Some(binary) = &self.binary {
            file.extend((padded(binary.len()) as u32).to_le_bytes());
            file.extend(b"BIN\0");
            file.extend(binary);
            file.resize(padded(file.len()), 0);
        }
        let length = file.len() as u32;
        file[8..12].copy_from_slice(&length.to_le_bytes());
        if is_wrong {
            let at = [4, 8, 12, 16, 20 + padded(self.json.len())][dice.below(5)].min(file.len() - 1);
            file[at] = file[at].wrapping_add(dice.below(9) as u8).wrapping_sub(4);
        }
        file.push(self.choice);
        file
    }
}

/// A value or a key in JSON text.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Text,
    Key,
    Container,
}

/// Numbers at which something changes.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "12",
    "15",
    "16",
    "17",
    "36",
    "64",
    "100",
    "255",
    "256",
    "1000",
    "65535",
    "65536",
    "65537",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "1e20",
    "-1",
    "-0",
    "0.5",
    "1.5",
    "2.0",
    "1e-7",
    "1e-30",
    "1e-45",
    "1e30",
    "3.4028234e38",
    "-3.4028234e38",
    "1e39",
    "1e308",
    "1e999",
    "5120",
    "5121",
    "5122",
    "5123",
    "5125",
    "5126",
    "20000000",
    "100000",
];

/// Words of glTF: keys, and texts with a meaning.
const WORDS: &[&str] = &[
    "accessors",
    "animations",
    "asset",
    "attributes",
    "buffer",
    "bufferView",
    "bufferViews",
    "buffers",
    "byteLength",
    "byteOffset",
    "byteStride",
    "channels",
    "children",
    "componentType",
    "count",
    "extensions",
    "extensionsRequired",
    "extensionsUsed",
    "images",
    "index",
    "indices",
    "input",
    "interpolation",
    "inverseBindMatrices",
    "joints",
    "material",
    "materials",
    "matrix",
    "max",
    "mesh",
    "meshes",
    "min",
    "mode",
    "name",
    "node",
    "nodes",
    "normalized",
    "output",
    "path",
    "primitives",
    "rotation",
    "sampler",
    "samplers",
    "scale",
    "scene",
    "scenes",
    "skeleton",
    "skin",
    "skins",
    "source",
    "sparse",
    "target",
    "targets",
    "textures",
    "translation",
    "type",
    "uri",
    "values",
    "version",
    "minVersion",
    "weights",
    "pointer",
    "LINEAR",
    "STEP",
    "CUBICSPLINE",
    "SCALAR",
    "VEC2",
    "VEC3",
    "VEC4",
    "MAT2",
    "MAT3",
    "MAT4",
    "POSITION",
    "NORMAL",
    "TANGENT",
    "TEXCOORD_0",
    "COLOR_0",
    "JOINTS_0",
    "WEIGHTS_0",
    "JOINTS_1",
    "WEIGHTS_1",
    "KHR_animation_clip",
    "KHR_animation_pointer",
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_draco_mesh_compression",
    "clips",
    "start",
    "end",
    "offset",
    "speed",
    "repetitions",
    "reverse",
    "filter",
    "NONE",
    "OCTAHEDRAL",
    "QUATERNION",
    "EXPONENTIAL",
    "ATTRIBUTES",
    "TRIANGLES",
    "INDICES",
    "/nodes/0/rotation",
    "/nodes/1/translation",
    "/nodes/0/weights",
    "data:application/octet-stream;base64,AAAA",
    "a.bin",
    "../a.bin",
    "2.0",
    "1.0",
    "extras",
    "targetNames",
    "mimeType",
    "image/png",
];

/// Words of state machines: fields, names of clips and markers, conditions.
const DOCUMENT_WORDS: &[&str] = &[
    "parameters",
    "start",
    "states",
    "transitions",
    "name",
    "clip",
    "blend",
    "machine",
    "speed",
    "speed_by",
    "looping",
    "x",
    "y",
    "samples",
    "sync",
    "from",
    "to",
    "when",
    "exit_time",
    "fade",
    "curve",
    "interruption",
    "keeps_phase",
    "idle",
    "walk",
    "run",
    "jump",
    "pose",
    "left",
    "right",
    "trigger",
    "linear",
    "smooth",
    "inertialised",
    "never",
    "target",
    "source",
    "both",
    "*",
    "speed > 0.1",
    "!speed",
    "speed <= 2",
    "go",
    "!go",
    "speed == 0",
    "speed !=",
];

/// One change of the text that keeps it JSON.
fn change_json(json: &mut Vec<u8>, words: &[&str], dice: &mut Dice) {
    let spans = spans(json);
    if spans.is_empty() {
        return;
    }
    let pick = |dice: &mut Dice, kind: Kind| {
        let start = dice.below(spans.len());
        let turned = spans[start..].iter().chain(&spans[..start]);
        turned.copied().find(|span| span.kind == kind)
    };
    let any = |dice: &mut Dice| spans[dice.below(spans.len())];
    match dice.below(12) {
        0..=3 => {
            let Some(span) = pick(dice, Kind::Number) else { return };
            let new = match dice.below(4) {
                0 | 1 => NUMBERS[dice.below(NUMBERS.len())].as_bytes().to_vec(),
                2 => pick(dice, Kind::Number).map_or(Vec::new(), |other| json[other.start..other.end].to_vec()),
                _ => stepped(&json[span.start..span.end], dice),
            };
            json.splice(span.start..span.end, new);
        }
        4 => {
            let kind = if dice.one_in(2) { Kind::Key } else { Kind::Text };
            let Some(span) = pick(dice, kind) else { return };
            let new = format!("\"{}\"", words[dice.below(words.len())]);
            json.splice(span.start..span.end, new.into_bytes());
        }
        5 | 6 => {
            // One value instead of another.
            let (from, to) = (any(dice), any(dice));
            if from.kind != Kind::Key && to.kind != Kind::Key {
                let new = json[from.start..from.end].to_vec();
                json.splice(to.start..to.end, new);
            }
        }
        7 | 8 => {
            // An element once more, some times over.
            let span = any(dice);
            if span.kind != Kind::Key && is_element(json, span.start) {
                let new = [b",", &json[span.start..span.end]].concat();
                let times = if dice.one_in(8) { 1 + dice.below(24) } else { 1 };
                json.splice(span.end..span.end, new.repeat(times));
            }
        }
        9 => {
            // A member or an element less.
            let span = any(dice);
            remove(json, span);
        }
        10 => {
            // A member more, with a value from elsewhere.
            let (Some(place), value) = (pick(dice, Kind::Container), any(dice)) else { return };
            if json[place.start] == b'{' && value.kind != Kind::Key {
                let comma =
                    if json[place.start + 1..place.end].trim_ascii_start().starts_with(b"}") { "" } else { "," };
                let mut new = format!("\"{}\":", words[dice.below(words.len())]).into_bytes();
                new.extend(&json[value.start..value.end]);
                new.extend(comma.as_bytes());
                json.splice(place.start + 1..place.start + 1, new);
            }
        }
        _ => {
            // Members of one object in the place of another's key.
            let (Some(a), Some(b)) = (pick(dice, Kind::Key), pick(dice, Kind::Key)) else { return };
            let new = json[a.start..a.end].to_vec();
            json.splice(b.start..b.end, new);
        }
    }
}

/// A number a little larger or smaller, or of another sign.
fn stepped(number: &[u8], dice: &mut Dice) -> Vec<u8> {
    let value: f64 = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let new = match dice.below(6) {
        0 | 1 => value + 1.0,
        2 | 3 => value - 1.0,
        4 => -value,
        _ => value * 2.0,
    };
    if new.is_finite() { format!("{new}").into_bytes() } else { b"0".to_vec() }
}

/// Whether what starts here is an element of an array, as far as the letter before it tells.
fn is_element(json: &[u8], start: usize) -> bool {
    let before = json[..start].trim_ascii_end().last();
    before == Some(&b'[') || before == Some(&b',')
}

fn remove(json: &mut Vec<u8>, span: Span) {
    let (mut start, mut end) = (span.start, span.end);
    if span.kind == Kind::Key {
        // With its value.
        let after = spans(json).into_iter().find(|value| value.start > span.start && value.kind != Kind::Key);
        let Some(value) = after else { return };
        end = value.end;
    } else if !is_element(json, start) {
        return;
    }
    let gap = json[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if json.get(end + gap) == Some(&b',') {
        end += gap + 1;
    } else if let Some(comma) = json[..start].trim_ascii_end().strip_suffix(b",") {
        start = comma.len();
    }
    json.drain(start..end);
}

/// Every value and key, in the order of their starts.
fn spans(json: &[u8]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::with_capacity(json.len() / 8);
    let mut open = Vec::new();
    let mut at = 0;
    while at < json.len() {
        let start = at;
        at += 1;
        match json[start] {
            b'"' => {
                while at < json.len() && json[at] != b'"' {
                    at += if json[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(json.len());
                let is_key = json[at..].trim_ascii_start().first() == Some(&b':');
                spans.push(Span { start, end: at, kind: if is_key { Kind::Key } else { Kind::Text } });
            }
            b'-' | b'0'..=b'9' => {
                while at < json.len() && matches!(json[at], b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') {
                    at += 1;
                }
                spans.push(Span { start, end: at, kind: Kind::Number });
            }
            b'{' | b'[' => {
                open.push(spans.len());
                spans.push(Span { start, end: json.len(), kind: Kind::Container });
            }
            b'}' | b']' => {
                if let Some(index) = open.pop() {
                    spans[index].end = at;
                }
            }
            _ => {}
        }
    }
    spans
}

/// Numbers that look random: xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}
