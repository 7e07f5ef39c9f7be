//! Entries of `KHR_animation_clip`: how a file wants its animations to be played.

use std::collections::HashSet;

use thiserror::Error;

/// One entry of the `KHR_animation_clip` extension: which animations play together, and with which clock.
///
/// The rules of a valid entry, which [`ClipEntry::check`] enforces:
/// 1. `animations` is not empty, has no duplicate, and every index is below the number of animations.
/// 2. `start` and `offset` are finite and not negative; `end`, if present, is finite and at least `start`.
/// 3. With an `end`, `offset` is at most `end - start`.
/// 4. `speed` is finite, also as `f32`.
/// 5. `repetitions` is at least -1.
///
/// ```
/// use nebula_animation::clip::ClipEntry;
///
/// let mut twice = ClipEntry { animations: vec![0], end: Some(4.0), ..ClipEntry::default() };
/// twice.repetitions = 2;
/// assert!(twice.check(1).is_ok());
/// assert_eq!(twice.check(0).unwrap_err().to_string(), "animations: 0 is not below 0, the number of animations");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ClipEntry {
    /// Name of the entry; empty if the file has none.
    pub name: String,
    /// The animations that play together, as indices in file order; at least one, no duplicates.
    pub animations: Vec<usize>,
    /// Start of the played range, in animation seconds; default 0.
    pub start: f64,
    /// End of the played range in seconds; `None` plays on for ever.
    pub end: Option<f64>,
    /// Where the first pass starts, in seconds after `start`; default 0.
    pub offset: f64,
    /// Animation seconds per second; negative plays backwards, 0 freezes; default 1.
    pub speed: f64,
    /// How often the range plays: -1 for ever (the default), 0 not at all.
    pub repetitions: i32,
    /// Ping-pong: every second pass runs in the opposite direction; default false.
    pub reverse: bool,
}

impl Default for ClipEntry {
    fn default() -> Self {
        Self {
            name: String::new(),
            animations: Vec::new(),
            start: 0.0,
            end: None,
            offset: 0.0,
            speed: 1.0,
            repetitions: -1,
            reverse: false,
        }
    }
}

/// What is wrong with a [`ClipEntry`], and in which field.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{field}: {problem}")]
pub struct ClipEntryError {
    /// Name of the field.
    pub field: &'static str,
    /// What was found and what was expected.
    pub problem: String,
}

impl ClipEntry {
    /// Checks the rules listed above for a file with `animation_count` animations.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self, animation_count: usize) -> Result<(), ClipEntryError> {
        let fail = |field, problem: String| Err(ClipEntryError { field, problem });
        if self.animations.is_empty() {
            return fail("animations", "is empty, expected at least one index".into());
        }
        let mut listed = HashSet::new();
        for &index in &self.animations {
            if index >= animation_count {
                return fail("animations", format!("{index} is not below {animation_count}, the number of animations"));
            }
            if !listed.insert(index) {
                return fail("animations", format!("{index} is listed twice"));
            }
        }
        for (field, value) in [("start", self.start), ("offset", self.offset)] {
            if !(value >= 0.0 && value.is_finite()) {
                return fail(field, format!("is {value}, expected a finite number of at least 0"));
            }
        }
        if let Some(end) = self.end {
            if !(end >= self.start && end.is_finite()) {
                return fail("end", format!("is {end}, expected a finite number of at least start = {}", self.start));
            }
            if self.offset > end - self.start {
                return fail(
                    "offset",
                    format!("is {}, expected at most end - start = {}", self.offset, end - self.start),
                );
            }
        }
        if !(self.speed as f32).is_finite() {
            return fail("speed", format!("is {}, expected a number that is finite as f32", self.speed));
        }
        if self.repetitions < -1 {
            return fail("repetitions", format!("is {}, expected -1 (endless) or more", self.repetitions));
        }
        Ok(())
    }
}
