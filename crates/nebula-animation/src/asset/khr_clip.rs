//! The root extension `KHR_animation_clip`. An error in it drops an entry, never the file.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::Document;
use super::error::{AnimationLoadError, escaped};
use super::report::{Report, named};
use crate::clip::ClipEntry;

/// The valid entries of the extension, in file order.
pub(super) fn load(document: &Document, report: &mut Report) -> Result<Vec<ClipEntry>, AnimationLoadError> {
    const OBJECT: &str = "KHR_animation_clip";
    let Some(extension) = document.extensions.animation_clip else { return Ok(Vec::new()) };
    let list: List = match serde_json::from_str(extension.get()) {
        Ok(list) => list,
        Err(error) => {
            report.repair(OBJECT, format!("{}: ignored", escaped(&error.to_string())))?;
            return Ok(Vec::new());
        }
    };
    let mut entries = Vec::new();
    for (index, entry) in list.clips.into_iter().enumerate() {
        let parsed: Result<RawEntry, _> = serde_json::from_str(entry.get());
        let (entry, name) = match parsed {
            Ok(raw) => (raw.to_entry(), raw.name),
            Err(error) => (Err(error.to_string()), None),
        };
        let checked = entry.and_then(|entry| match entry.check(document.animations.len()) {
            Ok(()) => Ok(ClipEntry { name: name.clone().unwrap_or_default(), ..entry }),
            Err(error) => Err(error.to_string()),
        });
        match checked {
            Ok(entry) => entries.push(entry),
            Err(problem) => {
                let object = named("KHR_animation_clip, entry", index, name.as_deref());
                report.repair(object, format!("{}: entry dropped", escaped(&problem)))?;
            }
        }
    }
    Ok(entries)
}

#[derive(Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    clips: Vec<&'a RawValue>,
}

/// An entry as written. Older drafts of the extension have other names for some members.
#[derive(Deserialize)]
struct RawEntry {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    animations: Vec<f64>,
    #[serde(default)]
    start: f64,
    end: Option<f64>,
    #[serde(default, alias = "timestamp")]
    offset: f64,
    #[serde(default = "one", alias = "direction")]
    speed: f64,
    #[serde(default = "endless", alias = "counter")]
    repetitions: f64,
    #[serde(default, alias = "bounce")]
    reverse: bool,
}

fn one() -> f64 {
    1.0
}

fn endless() -> f64 {
    -1.0
}

impl RawEntry {
    /// Integers may be written `2.0`.
    fn to_entry(&self) -> Result<ClipEntry, String> {
        let whole = |value: f64, member: &str| {
            if value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX) {
                Ok(value as i32)
            } else {
                Err(format!("{member}: {value} is not an integer"))
            }
        };
        let mut animations = Vec::with_capacity(self.animations.len());
        for &animation in &self.animations {
            let index = usize::try_from(whole(animation, "animations")?);
            animations.push(index.map_err(|_| format!("animations: {animation} is negative"))?);
        }
        Ok(ClipEntry {
            name: String::new(),
            animations,
            start: self.start,
            end: self.end,
            offset: self.offset,
            speed: self.speed,
            repetitions: whole(self.repetitions, "repetitions")?,
            reverse: self.reverse,
        })
    }
}
