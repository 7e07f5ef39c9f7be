use crate::compile::{AnimationClipLibrary, RootDelta};
use crate::frame::LayerId;
use crate::mixer::AnimationMixer;
use crate::mixer::events::Passed;

/// The root motion that a mixer reports.
#[derive(Debug, Clone, Default)]
pub(in crate::mixer) struct RootReport {
    pub motion: RootDelta,
}

impl RootReport {
    /// Adds up what the actions of the base layer went through, by their mean shares.
    pub fn update(&mut self, library: &AnimationClipLibrary, passed: &[Passed]) {
        self.motion = RootDelta::ZERO;
        if !library.has_roots() {
            return;
        }
        let mut left = 1.0;
        let moving = passed.iter().filter(|passed| passed.layer == LayerId::BASE).filter_map(|passed| {
            let share = passed.mean_weight;
            left -= share;
            let track = library.get(passed.clip)?.root()?;
            let [scrubbed, played] = passed.spans.map(|span| track.motion(&passed.clock, span.from, span.to));
            Some((share, scrubbed.then(played)))
        });
        // What is left of the whole stands still.
        let mut sum = RootDelta::ZERO;
        let mut total = 0.0;
        for (share, motion) in moving {
            sum = RootDelta::mean([(total, sum), (share, motion)]);
            total += share;
        }
        self.motion = RootDelta::mean([(total, sum), (left.max(0.0), RootDelta::ZERO)]);
    }
}

impl AnimationMixer {
    /// The root motion of the last update, for a library with [root motion](crate::LibraryOptions::root_motion): the
    /// mean of the base layer's actions, weighted by their share of the pose.
    ///
    /// It follows time in either direction, and writes to [`time`](crate::AnimationAction::time), but not
    /// [`seek`](crate::AnimationAction::seek). With an inertialised fade, only the new action counts, from the start.
    /// Add up the motion of several updates with [`RootDelta::then`], or move the character every frame with
    /// [`RootDelta::applied_to`].
    #[must_use]
    pub fn root_motion(&self) -> RootDelta {
        self.root.motion
    }
}
