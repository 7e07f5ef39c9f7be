//! Which public functions there are, by the text of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Functions that cannot be misused, whatever they are given, or that rows elsewhere misuse.
const LEFT_OUT: [(&str, &str); 2] = [
    ("add_animation_systems", "takes a schedule, and a schedule of any kind is one; the systems themselves have rows"),
    ("add_animation_systems_on", "the same"),
];

/// Fails unless every public function with arguments has a row, and every row is about one.
pub fn check(called: &BTreeSet<&'static str>) {
    let functions = functions();
    assert!(functions.len() > 200, "this is not the source: {} functions", functions.len());
    let is_left_out = |name: &str| LEFT_OUT.iter().any(|(left_out, _)| *left_out == name);
    let missing: Vec<_> =
        functions.iter().filter(|(name, _)| !called.contains(name.as_str()) && !is_left_out(name)).collect();
    assert!(missing.is_empty(), "{} public functions without a row: {missing:#?}", missing.len());
    let unknown: Vec<_> = called.iter().filter(|name| !functions.contains_key(**name)).collect();
    assert!(unknown.is_empty(), "rows about functions that are not there: {unknown:?}");
}

/// The public functions and methods that take an argument besides `self`, with the file each is in. Those of the GPU, which
/// need a device, have their own tests.
fn functions() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = files(&root);
    let public: BTreeSet<&str> = files.iter().flat_map(|(path, text)| public_names(path, text)).collect();
    let mut functions = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| !path.starts_with("gpu/") && !path.contains("/tests")) {
        let mut owner = None;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("impl") {
                owner = if line.contains(" for ") { None } else { owner_of(line) };
            } else if line.starts_with('}') {
                owner = None;
            }
            let Some(rest) = line.trim_start().strip_prefix("pub ") else { continue };
            let Some(rest) = rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ") else { continue };
            let name = word(rest);
            let mut signature = rest.to_owned();
            while !signature.contains('{') {
                signature += lines.next().expect("a signature ends");
            }
            let is_method = line.starts_with(' ');
            let (full, visible) = match owner.filter(|_| is_method) {
                Some(owner) => (format!("{owner}::{name}"), public.contains(owner)),
                None => (name.to_owned(), !is_method && public.contains(name)),
            };
            if visible && has_arguments(&signature) {
                functions.insert(full, path.clone());
            }
        }
    }
    functions
}

/// The source, with paths from `src/`.
fn files(root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the source is readable") {
            let path = entry.expect("the source is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
                if let Ok(text) = std::fs::read_to_string(&path) {
                    files.push((relative, text));
                }
            }
        }
    }
    files.retain(|(path, _)| path.ends_with(".rs"));
    files
}

/// What the modules show to the outside: names after `pub use`, and what they define themselves.
fn public_names<'a>(path: &str, text: &'a str) -> Vec<&'a str> {
    if !(path == "lib.rs" || path.ends_with("mod.rs")) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for piece in text.split("\npub ").skip(1) {
        let (kind, rest) = piece.split_once(' ').unwrap_or_default();
        match kind {
            "use" => {
                let list = rest.split(';').next().unwrap_or_default();
                names.extend(list.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')));
            }
            "struct" | "enum" | "fn" => names.push(word(rest)),
            _ => {}
        }
    }
    names
}

/// The type of `impl<...> Type<...> {`.
fn owner_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let mut depth = 0_i32;
    let end = rest.find(|letter: char| {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        depth == 0
    })?;
    Some(word(rest[end..].trim_start_matches(['>', ' ']))).filter(|name| !name.is_empty())
}

/// The word at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(text.len());
    &text[..end]
}

/// Whether there is an argument besides `self`.
fn has_arguments(signature: &str) -> bool {
    let inside = signature.split_once('(').map_or("", |(_, rest)| rest);
    let inside = inside.split_once(')').map_or(inside, |(inside, _)| inside).trim();
    !matches!(inside, "" | "self" | "&self" | "&mut self" | "mut self")
}
