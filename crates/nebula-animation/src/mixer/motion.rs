use super::blend::Input;
use super::space::SpaceSlot;
use crate::compile::AnimationClipLibrary;
use crate::math::clean_seconds;
use crate::state::{StateError, StateReader, StateWriter, Stateful};

/// What an action plays.
///
/// This is data instead of a trait object: a motion refers to what it plays by index, and expands each frame into clips
/// with a time and a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Motion {
    /// A clip of the library, by index.
    Clip(usize),
    /// A blend space of the mixer, as numbered by [`add_blend_space`](super::AnimationMixer::add_blend_space). An
    /// action that plays one measures its time in passes, from 0 to 1, because the duration of a pass depends on the
    /// blend.
    Space(usize),
}

/// Which kind, and which of them, in one word.
impl Stateful for Motion {
    fn write_state(&self, writer: &mut StateWriter) {
        let (kind, index) = match *self {
            Self::Clip(index) => (0, index),
            Self::Space(index) => (1, index),
        };
        // No library has as many clips.
        writer.word(u32::try_from(index).map_or(u32::MAX, |index| index << 1 | kind));
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let word = reader.word()?;
        let index = (word >> 1) as usize;
        *self = if word & 1 == 0 { Self::Clip(index) } else { Self::Space(index) };
        Ok(())
    }
}

/// What motions refer to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MotionContext<'a> {
    /// The clips.
    pub library: &'a AnimationClipLibrary,
    /// The blend spaces.
    pub spaces: &'a [SpaceSlot],
}

/// The clock that a motion is played by, before the action's own speed.
///
/// A clip's clock counts its own seconds. A motion whose length changes while it plays (a blend of clips of different
/// lengths) counts its phase instead: a length of 1, and a rate of one over the seconds that a pass takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MotionClock {
    /// Length of a pass, in units of the clock; at least 0 and finite.
    pub length: f32,
    /// Units of the clock per second, at a speed of 1; at least 0 and finite.
    pub rate: f64,
}

impl MotionClock {
    /// The clock of a clip of this length in seconds; of length 0 if that is not positive.
    pub fn of_clip(duration: f32) -> Self {
        Self { length: clean_seconds(duration) as f32, rate: 1.0 }
    }
}

impl Motion {
    /// The duration of a pass; `None` if there is no such motion.
    pub(crate) fn clock(&self, context: &MotionContext) -> Option<MotionClock> {
        match *self {
            Self::Clip(index) => Some(MotionClock::of_clip(context.library.get(index)?.duration())),
            Self::Space(index) => Some(context.spaces.get(index)?.clock()),
        }
    }

    /// Calls `visit` with each clip that is shown when the motion's clock shows `time`, its time, and its weight; weights add up to
    /// one.
    pub(crate) fn visit(&self, context: &MotionContext, time: f64, mut visit: impl FnMut(usize, f32, f32)) {
        match *self {
            Self::Clip(clip) => visit(clip, time as f32, 1.0),
            Self::Space(index) => {
                if let Some(slot) = context.spaces.get(index) {
                    slot.visit(time, |clip, time, weight| visit(clip, time as f32, weight));
                }
            }
        }
    }

    /// Appends the clips that are shown at `time` of the motion's clock, with weights that sum to one. Appends nothing
    /// if there is no such motion.
    pub(crate) fn expand(&self, context: &MotionContext, time: f64, inputs: &mut Vec<Input>) {
        match *self {
            Self::Clip(clip) => {
                if clip < context.library.len() {
                    inputs.push(Input { clip, time: time as f32, weight: 1.0 });
                }
            }
            Self::Space(index) => {
                if let Some(slot) = context.spaces.get(index) {
                    slot.expand(time, inputs);
                }
            }
        }
    }
}
