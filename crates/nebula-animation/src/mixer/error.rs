use std::fmt;

use super::motion::Motion;
use crate::compile::{AnimationClipLibrary, ClipId};
use crate::frame::LayerId;
use crate::skeleton::{near_names, quoted};

/// Identifies what to play: a clip by name or index, or any [`Motion`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue<'a> {
    /// The first clip with this name.
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

/// The requested motion cannot be played; whatever was playing continues.
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
        /// The requested name.
        name: String,
        /// Up to three similar names, best first.
        near: Vec<String>,
        /// Some existing names, if none is similar.
        others: Vec<String>,
    },
    /// The library has no clip with this index.
    NoSuchClip {
        /// The requested index.
        index: usize,
        /// The number of clips.
        count: usize,
    },
    /// The mixer has no blend space with this number.
    NoSuchSpace {
        /// The requested number.
        index: usize,
        /// The number of blend spaces.
        count: usize,
    },
    /// The motion is a clip, which has no blend position.
    NotASpace {
        /// The motion that was given.
        motion: Motion,
    },
    /// The mixer has no such layer.
    NoSuchLayer {
        /// The requested layer.
        layer: LayerId,
        /// The number of layers, including the base layer.
        count: usize,
    },
    /// The state machine has no such state: it belongs to another machine.
    NoSuchState {
        /// Index of the requested state.
        index: usize,
        /// The number of states.
        count: usize,
    },
    /// The state machine was built for a different library than the mixer's.
    OtherClips {
        /// Index of the first clip that differs.
        index: usize,
        /// Its name when the machine was built.
        expected: String,
        /// Its name in the mixer's library; `None` if that has fewer clips.
        found: Option<String>,
    },
}

impl std::error::Error for PlayError {}

impl fmt::Display for PlayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownClip { name, near, others } => {
                write!(formatter, "there is no clip \"{}\"", name.escape_debug())?;
                if !near.is_empty() {
                    write!(formatter, ": did you mean {}?", quoted(near, " or "))
                } else if others.is_empty() {
                    write!(formatter, ": the library is empty")
                } else {
                    write!(formatter, ": there is {}", quoted(others, " or "))
                }
            }
            Self::NoSuchClip { index, count } => write!(formatter, "there is no clip {index}: the library has {count}"),
            Self::NoSuchSpace { index, count } => {
                write!(formatter, "there is no blend space {index}: the mixer has {count}")
            }
            Self::NotASpace { motion } => write!(formatter, "{motion:?} is not a blend space: it has no position"),
            Self::NoSuchLayer { layer, count } => {
                write!(formatter, "there is no layer {}: the mixer has {count}", layer.index())
            }
            Self::NoSuchState { index, count } => {
                write!(formatter, "there is no state {index}: the machine has {count}")
            }
            Self::OtherClips { index, expected, found } => {
                let expected = expected.escape_debug();
                write!(formatter, "the machine was made for other clips: clip {index} was \"{expected}\", ")?;
                match found {
                    Some(found) => write!(formatter, "in the mixer it is \"{}\"", found.escape_debug()),
                    None => write!(formatter, "and the mixer has no such clip"),
                }
            }
        }
    }
}

/// The error for a name that no clip has.
pub(super) fn unknown_clip(name: &str, clips: &AnimationClipLibrary) -> PlayError {
    const SHOWN: usize = 3;
    let names = || clips.iter().map(|clip| clip.name());
    let mut near = near_names(name, names());
    near.truncate(SHOWN);
    let others = names().take(if near.is_empty() { SHOWN } else { 0 }).map(str::to_owned).collect();
    PlayError::UnknownClip { name: name.to_owned(), near, others }
}

/// There is no layer, state, parameter or tape with that name.
///
/// ```
/// use nebula_animation::{AnimationClipLibrary, AnimationMixer};
///
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::default());
/// mixer.add_layer("right arm");
/// let error = mixer.layer_named("right_am").expect_err("misspelt");
/// assert_eq!(error.to_string(), r#"there is no layer "right_am": did you mean "right arm"?"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The kind of name: `"layer"`, `"state"`, `"parameter"` or `"tape"`.
    pub what: &'static str,
    /// The requested name.
    pub name: String,
    /// Similar names, best first; at most five.
    pub near: Vec<String>,
}

impl UnknownName {
    pub(crate) fn new<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        Self { what, name: name.to_owned(), near: near_names(name, known) }
    }
}

impl std::error::Error for UnknownName {}

impl fmt::Display for UnknownName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "there is no {} \"{}\"", self.what, self.name.escape_debug())?;
        match &*self.near {
            [] => Ok(()),
            near => write!(formatter, ": did you mean {}?", quoted(near, " or ")),
        }
    }
}
