//! Tables of refusals: each case is a fault, and beside it the valid file that differs in one value.

use std::time::{Duration, Instant};

use nebula_animation::asset::LoadOptions;
use serde_json::Value;

use super::outcome::{Kind, finite_problem};
use super::{Gltf, rigs, strict, try_load_with};

/// One fault in [`rigs::chain`].
pub fn case(title: &'static str) -> Case {
    Case { title, edits: Vec::new(), bytes: Box::new(|g, _| g.glb()), expected: Expected::Loads }
}

/// Makes the file of a case. The flag says whether to put the fault in.
type Edit = Box<dyn Fn(&mut Gltf, bool)>;
/// Packs it, with or without a fault of the container.
type Pack = Box<dyn Fn(&Gltf, bool) -> Vec<u8>>;

pub struct Case {
    title: &'static str,
    edits: Vec<Edit>,
    bytes: Pack,
    expected: Expected,
}

enum Expected {
    Loads,
    Refused(Kind, &'static [&'static str]),
    Repaired(&'static [&'static str]),
    Noted(&'static [&'static str]),
}

impl Case {
    /// Changes the file; the flag says whether to put the fault in.
    pub fn edit(mut self, edit: impl Fn(&mut Gltf, bool) + 'static) -> Self {
        self.edits.push(Box::new(edit));
        self
    }

    /// A wrong value at a JSON pointer, and the right one.
    pub fn set(self, pointer: &'static str, wrong: impl Into<Value>, right: impl Into<Value>) -> Self {
        let (wrong, right) = (wrong.into(), right.into());
        self.edit(move |g, is_wrong| g.set(pointer, if is_wrong { wrong.clone() } else { right.clone() }))
    }

    /// A value at a JSON pointer that the valid file does not have, or has as the sample has it.
    pub fn put(self, pointer: &'static str, wrong: impl Into<Value>) -> Self {
        let wrong = wrong.into();
        self.edit(move |g, is_wrong| {
            if is_wrong {
                g.set(pointer, wrong.clone());
            }
        })
    }

    /// A member that only the valid file has.
    pub fn without(self, pointer: &'static str) -> Self {
        self.edit(move |g, is_wrong| {
            if is_wrong {
                g.remove(pointer);
            }
        })
    }

    /// A stored number: accessor, element, component, and the wrong and the right value.
    pub fn poke(self, accessor: usize, element: usize, part: usize, wrong: f64, right: f64) -> Self {
        self.edit(move |g, is_wrong| g.poke(accessor, element, part, if is_wrong { wrong } else { right }))
    }

    /// Another way to pack the file.
    pub fn bytes(mut self, bytes: impl Fn(&Gltf, bool) -> Vec<u8> + 'static) -> Self {
        self.bytes = Box::new(bytes);
        self
    }

    /// A `.gltf` with data URIs instead of a `.glb`.
    pub fn embedded(self) -> Self {
        self.bytes(|g, _| g.embedded())
    }

    /// The fault ends the load, with these words in the message.
    pub fn refused(mut self, kind: Kind, words: &'static [&'static str]) -> Self {
        self.expected = Expected::Refused(kind, words);
        self
    }

    /// The fault is repaired, with these words in one warning, and refused by strict loading.
    pub fn repaired(mut self, words: &'static [&'static str]) -> Self {
        self.expected = Expected::Repaired(words);
        self
    }

    /// No fault by the standard, but worth a warning with these words, also in strict loading.
    pub fn noted(mut self, words: &'static [&'static str]) -> Self {
        self.expected = Expected::Noted(words);
        self
    }

    fn judge(&self) -> Result<(), String> {
        let make = |is_wrong: bool| {
            let mut g = rigs::chain();
            self.edits.iter().for_each(|edit| edit(&mut g, is_wrong));
            (self.bytes)(&g, is_wrong)
        };
        match self.expected {
            Expected::Loads => {}
            Expected::Refused(kind, words) => refused(&make(true), &LoadOptions::default(), kind, words)?,
            Expected::Repaired(words) => {
                warned(&make(true), &LoadOptions::default(), words)?;
                refused(&make(true), &strict(), Kind::Malformed, words)?;
            }
            Expected::Noted(words) => {
                warned(&make(true), &LoadOptions::default(), words)?;
                warned(&make(true), &strict(), words)?;
            }
        }
        let valid = make(false);
        let asset = try_load_with(&valid, &strict()).map_err(|error| format!("the valid file is refused: {error}"))?;
        match (asset.warnings.first(), finite_problem(&asset)) {
            (Some(warning), _) => Err(format!("the valid file has a warning: {warning}")),
            (_, Some(what)) => Err(format!("the valid file is not finite in {what}")),
            _ => Ok(()),
        }
    }
}

/// Judges all cases and fails with the titles of those that came out otherwise.
#[track_caller]
pub fn check(cases: &[Case]) {
    let mut failures = Vec::new();
    for case in cases {
        let start = Instant::now();
        if let Err(problem) = case.judge() {
            failures.push(format!("{}: {problem}", case.title));
        } else if start.elapsed() > Duration::from_secs(8) {
            failures.push(format!("{}: took {:?}", case.title, start.elapsed()));
        }
    }
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn refused(bytes: &[u8], options: &LoadOptions, kind: Kind, words: &[&str]) -> Result<(), String> {
    let error = match try_load_with(bytes, options) {
        Ok(asset) => {
            return Err(format!(
                "loaded ({:?}), expected {kind:?}; warnings: {:?}",
                options.strictness, asset.warnings
            ));
        }
        Err(error) => error,
    };
    let message = error.to_string();
    if Kind::of(&error) != kind {
        return Err(format!("{:?} ({message}), expected {kind:?}", Kind::of(&error)));
    }
    missing_word(&message, words)
}

fn warned(bytes: &[u8], options: &LoadOptions, words: &[&str]) -> Result<(), String> {
    let asset =
        try_load_with(bytes, options).map_err(|error| format!("{:?} refuses it: {error}", options.strictness))?;
    if let Some(what) = finite_problem(&asset) {
        return Err(format!("not finite in {what}"));
    }
    let matches = |warning: &&_| missing_word(&ToString::to_string(warning), words).is_ok();
    match asset.warnings.iter().find(|warning| matches(&warning)) {
        Some(_) => Ok(()),
        None => Err(format!("no warning with {words:?} in {:?}", asset.warnings)),
    }
}

fn missing_word(message: &str, words: &[&str]) -> Result<(), String> {
    match words.iter().find(|word| !message.contains(**word)) {
        Some(word) => Err(format!("{message:?} does not say {word:?}")),
        None => Ok(()),
    }
}
