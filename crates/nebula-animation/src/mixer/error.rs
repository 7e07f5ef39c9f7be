use std::fmt;

use super::motion::Motion;
use crate::compile::{AnimationClipLibrary, ClipId};
use crate::skeleton::edit_distance;

/// Names what is to be played: a clip by its name or its index, or any [`Motion`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue<'a> {
    /// The first clip of this name.
    Name(&'a str),
    /// A motion.
    Motion(Motion),
}

impl<'a> From<&'a str> for Cue<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for Cue<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for Cue<'_> {
    fn from(index: usize) -> Self {
        Self::Motion(Motion::Clip(index))
    }
}

impl From<ClipId> for Cue<'_> {
    fn from(clip: ClipId) -> Self {
        Self::Motion(Motion::Clip(clip.index()))
    }
}

impl From<Motion> for Cue<'_> {
    fn from(motion: Motion) -> Self {
        Self::Motion(motion)
    }
}

/// There is no such motion; whatever was playing goes on.
///
/// ```
/// use nebula_animation::{AnimationClip, AnimationClipLibrary, AnimationMixer, Rig, Skeleton};
///
/// let walk = AnimationClip { name: "walk".into(), ..Default::default() };
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &[walk]));
/// let error = mixer.play("Wlak", 0.3).expect_err("misspelt");
/// assert_eq!(error.to_string(), r#"there is no clip "Wlak": did you mean "walk"?"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayError {
    /// No clip has this name.
    UnknownClip {
        /// The name that was asked for.
        name: String,
        /// Up to three names that look like it, the nearest first.
        near: Vec<String>,
        /// Some names that there are, where none looks like it.
        others: Vec<String>,
    },
    /// The library has no clip of this index.
    NoSuchClip {
        /// The index that was asked for.
        index: usize,
        /// How many clips there are.
        count: usize,
    },
    /// The mixer has no blend space of this number.
    NoSuchSpace {
        /// The number that was asked for.
        index: usize,
        /// How many blend spaces there are.
        count: usize,
    },
}

impl std::error::Error for PlayError {}

impl fmt::Display for PlayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.escape_debug())).collect();
            names.join(" or ")
        };
        match self {
            Self::UnknownClip { name, near, others } => {
                write!(formatter, "there is no clip \"{}\"", name.escape_debug())?;
                if !near.is_empty() {
                    write!(formatter, ": did you mean {}?", quoted(near))
                } else if others.is_empty() {
                    write!(formatter, ": the library is empty")
                } else {
                    write!(formatter, ": there is {}", quoted(others))
                }
            }
            Self::NoSuchClip { index, count } => write!(formatter, "there is no clip {index}: the library has {count}"),
            Self::NoSuchSpace { index, count } => {
                write!(formatter, "there is no blend space {index}: the mixer has {count}")
            }
        }
    }
}

/// The error for a name that no clip has.
pub(super) fn unknown_clip(name: &str, clips: &AnimationClipLibrary) -> PlayError {
    const SHOWN: usize = 3;
    let wanted = name.to_lowercase();
    let letters: Vec<char> = wanted.chars().collect();
    // A third of the letters may be wrong.
    let limit = letters.len().div_ceil(3).clamp(1, 20);
    let mut near: Vec<(usize, &str)> = clips
        .iter()
        .map(|clip| {
            let known = clip.name().to_lowercase();
            // `Armature|walk` is what exporters make of `walk`.
            let is_part =
                wanted.len() >= 3 && (known.contains(&wanted) || (known.len() >= 3 && wanted.contains(&known)));
            let edits = if is_part { 1 } else { edit_distance(&letters, &known.chars().collect::<Vec<_>>()) };
            (edits, clip.name())
        })
        .filter(|(edits, _)| *edits <= limit)
        .collect();
    near.sort_unstable();
    near.dedup();
    let others = clips.iter().take(if near.is_empty() { SHOWN } else { 0 }).map(|clip| clip.name().to_owned()).collect();
    let near = near.into_iter().take(SHOWN).map(|(_, name)| name.to_owned()).collect();
    PlayError::UnknownClip { name: name.to_owned(), near, others }
}
