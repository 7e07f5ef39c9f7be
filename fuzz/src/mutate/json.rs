//! Changes of JSON text that leave it JSON.

use super::dice::Dice;
use super::words::NUMBERS;

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

/// One change of the text that keeps it JSON.
pub fn change_json(json: &mut Vec<u8>, words: &[&str], dice: &mut Dice) {
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
