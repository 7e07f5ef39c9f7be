use std::fmt::Write;

use thiserror::Error;

/// What is wrong with a [`MachineDocument`](super::MachineDocument), and where.
///
/// ```
/// use nebula_animation::{ClipMarkers, StateMachine, mixer::{MachineDocument, StateDocument}};
///
/// let document = MachineDocument::new("idle").with_state(StateDocument::clip("idle", "breathe"));
/// let error = StateMachine::new(&document, &[], &ClipMarkers::new()).unwrap_err();
/// assert_eq!(error.to_string(), r#"state "idle", clip: there is no "breathe""#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}{separator}{field}: {problem}", separator = if place.is_empty() || field.is_empty() { "" } else { ", " })]
pub struct MachineError {
    /// The state or transition, with its parents; empty for the machine itself.
    pub place: String,
    /// The field, for instance `clip` or `when[1]`.
    pub field: String,
    /// What was found, and what was expected.
    pub problem: String,
}

impl MachineError {
    pub(super) fn new(place: &str, field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), field: field.into(), problem: problem.into() }
    }
}

/// `there is no "x"`, with the names that there are.
pub(super) fn unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let mut text = format!("there is no {name:?}");
    let mut known = known.into_iter();
    for (index, other) in known.by_ref().take(SHOWN).enumerate() {
        let before = if index == 0 { ", only " } else { ", " };
        let _ = write!(text, "{before}{other:?}");
    }
    let left = known.count();
    if left > 0 {
        let _ = write!(text, " and {left} more");
    }
    text
}
