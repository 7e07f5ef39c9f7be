//! A mixer that plays one clip round and round: all that changes from frame to frame is a position.

use super::AnimationMixer;
use super::motion::Motion;
use crate::clip::Position;
use crate::math::ExactSum;

/// The position of a mixer that plays one looping clip, and nothing else. It goes on by itself for as long as the clip does not begin anew and
/// passes no marker; [`AnimationMixer::resume`] takes it back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steady {
    pub position: Position,
    /// Length of the clip, in seconds.
    pub length: f64,
    /// Seconds of the clip that pass in a second.
    pub rate: f64,
    /// The clip of the library.
    pub clip: usize,
}

impl AnimationMixer {
    /// What it plays, if that is one looping clip that runs forwards and nothing else goes on. What the last update reported is forgotten.
    pub(crate) fn steady(&mut self) -> Option<Steady> {
        let is_empty = |layer: &super::MixerLayer| {
            layer.only_action().is_some_and(|action| action.is_none()) && !layer.is_unshown_fade && !layer.is_cut
        };
        let base = &self.base;
        let is_quiet = !(self.differences_left > 0.0)
            && self.differences.get().is_empty()
            && self.layers.iter().all(|layer| is_empty(layer) && layer.is_shown && !layer.has_just_finished)
            && base.is_shown
            && !base.is_unshown_fade
            && !base.is_cut
            && !base.has_just_finished
            && !base.gives_way
            && !(base.fade_progress < 1.0)
            && base.fading_action.is_none();
        let action = base.only_action().flatten().filter(|_| is_quiet)?;
        let Motion::Clip(clip) = action.motion() else { return None };
        let (position, rate) = action.on_plain_loop()?;
        let (rate, length) = (rate * f64::from(self.time_scale), crate::math::clean_seconds(action.duration()));
        if !(rate >= 0.0 && rate.is_finite() && length > 0.0) {
            return None;
        }
        self.passed.clear();
        self.root = super::root::RootReport::default();
        Some(Steady { position, length, rate, clip })
    }

    /// Goes on where a [`Steady`] position has come to, after so many seconds.
    pub(crate) fn resume(&mut self, position: Position, seconds: ExactSum) {
        let [value, rest] = seconds.parts();
        self.elapsed.add(value * f64::from(self.time_scale));
        self.elapsed.add(rest * f64::from(self.time_scale));
        if let Some(action) = &mut self.base.current_action {
            action.resume(position);
        }
    }
}
