//! A pose that comes from a single clip, frame after frame: its constant parts need not be written again.

use std::sync::atomic::{AtomicU64, Ordering};

use super::AnimationMixer;
use super::evaluate::Moment;
use super::layer::MixerLayer;
use super::motion::Motion;
use crate::compile::Moves;

/// Which clip has made a pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
    pub clip: usize,
    /// Tells apart from when on: no two of them have the same, but for clones.
    number: u64,
}

impl Held {
    pub fn new(clip: usize) -> Self {
        // Drawn when a clip begins to be alone, not in every frame: threads share it.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self { clip, number: COUNT.fetch_add(1, Ordering::Relaxed) }
    }
}

/// The clip, and its time in seconds, that is all there is to see where this layer is the only one, and nothing dies away.
pub(super) fn alone(base: &MixerLayer, moment: &Moment) -> Option<(usize, f32)> {
    let library = moment.context.library;
    let action = base.only_action().flatten()?;
    let Motion::Clip(clip) = action.motion() else { return None };
    let is_whole = base.mask.is_none() && base.clean_weight() == 1.0 && action.clean_weight() == 1.0;
    // What is not finite is repaired afterwards.
    let is_alone = is_whole && clip < library.len() && library.is_finite();
    is_alone.then(|| (clip, moment.seconds_of(action)))
}

impl AnimationMixer {
    /// Where one clip has made the pose of the last update: a number, which stays the same as long as what is at rest does, and what of each block is
    /// not at rest.
    pub(crate) fn held(&self) -> Option<(u64, &[Moves])> {
        let Held { clip, number } = self.held?;
        Some((number, &self.clips.get(clip)?.moves))
    }
}
