use super::AnimationPlayer;
use super::warnings::Trouble;
use crate::clip::{Clock, PlayRules, SentTo};
use crate::compile::Clips;
use crate::math::clean_seconds;

impl AnimationPlayer {
    /// Takes over what was written into the public fields and what has become of the clips since the last stage.
    /// Whether the clip exists.
    pub(super) fn sync(&mut self, clips: &(impl Clips + ?Sized)) -> bool {
        let shown = self.playhead.time();
        let Some(duration) = clips.clip_duration(self.clip_index) else {
            if self.warnings.is_first(Trouble::MissingClip) {
                log::warn!(
                    "clip {} does not exist (there are {}): the rest pose is shown",
                    self.clip_index,
                    clips.clip_count()
                );
                self.is_stale = true;
            }
            if !self.time.is_finite() {
                self.time = shown;
            }
            return false;
        };
        if self.warnings.contains(Trouble::MissingClip) {
            self.warnings.forget(Trouble::MissingClip);
            self.is_stale = true;
        }
        if self.clip_index != self.active_clip {
            self.playhead.carry_over(&self.rules());
            self.active_clip = self.clip_index;
            self.warnings.forget(Trouble::ZeroLength);
            self.is_stale = true;
        }
        let duration = clean_seconds(duration) as f32;
        if duration == 0.0 && self.warnings.is_first(Trouble::ZeroLength) {
            let name = clips.clip_name(self.clip_index).unwrap_or_default();
            log::warn!("clip \"{}\" has no length: its only pose is shown", name.escape_debug());
        }
        if duration == self.playhead.length() {
            // What was sought has been found: only another duration makes it another place.
            self.playhead.forget_sent();
        } else {
            self.is_stale = true;
        }
        if !self.time.is_finite() {
            self.warn_of_seek(f64::from(self.time));
        }
        self.playhead.sync(&self.rules(), duration, self.time, None);
        self.mirror_time(shown);
        true
    }

    /// The clock that the clip is played by. [`total_time`](AnimationPlayer::total_time) is a total time of this clock,
    /// for use with [`Clock::markers_between`] for instance.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.playhead.clock(&self.rules())
    }

    /// How the public fields, and the clock that it was given, say that the clip is played.
    pub(super) fn rules(&self) -> PlayRules {
        let range = self.playhead.range();
        PlayRules {
            looping: self.looping,
            repetitions: range.map_or(-1, |clock| clock.repetitions),
            back_and_forth: range.is_some_and(|clock| clock.reverse),
            speed: self.speed,
            unit_rate: 1.0,
        }
    }

    /// Moves to where the user sent it, as far as the clip is known.
    pub(super) fn go_to(&mut self, place: SentTo) {
        let shown = self.playhead.time();
        self.playhead.go_to(place, &self.rules());
        self.mirror_time(shown);
    }

    pub(super) fn warn_of_seek(&mut self, seconds: f64) {
        if self.warnings.is_first(Trouble::Seek) {
            log::warn!("seeking to {seconds} s is ignored: not a finite time");
        }
    }

    /// Lets `time` follow the playhead, which showed another time before.
    pub(super) fn mirror_time(&mut self, before: f32) {
        self.time = self.playhead.time();
        self.is_stale |= self.time.to_bits() != before.to_bits();
    }
}
