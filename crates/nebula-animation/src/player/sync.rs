use std::mem::take;

use super::AnimationPlayer;
use super::position::{Position, SentTo};
use super::warnings::Trouble;
use crate::clip::{Clock, Course};
use crate::compile::Clips;

/// A clip's length in seconds, or 0 where it is no positive number.
pub(super) fn clean_duration(duration: f32) -> f32 {
    if duration > 0.0 && duration.is_finite() { duration } else { 0.0 }
}

impl AnimationPlayer {
    /// Takes over what was written into the public fields and what has become of the clips since the last stage.
    /// Whether the clip exists.
    pub(super) fn sync(&mut self, clips: &(impl Clips + ?Sized)) -> bool {
        let Some(duration) = clips.clip_duration(self.clip_index) else {
            if self.warnings.is_first(Trouble::MissingClip) {
                log::warn!("clip {} of {}: there is none, the bind pose is shown", self.clip_index, clips.clip_count());
                self.is_stale = true;
            }
            if !self.time.is_finite() {
                self.time = self.mirrored_time;
            }
            return false;
        };
        if self.warnings.contains(Trouble::MissingClip) {
            self.warnings.forget(Trouble::MissingClip);
            self.is_stale = true;
        }
        if self.clip_index != self.active_clip {
            self.position = Position::new(0, self.seconds());
            self.active_clip = self.clip_index;
            self.custom_clock = None;
            self.warnings.forget(Trouble::ZeroLength);
            self.is_stale = true;
            // Whatever the new duration is, the position is fitted to it.
            self.duration = f32::NAN;
        }
        let duration = clean_duration(duration);
        if duration == 0.0 && self.warnings.is_first(Trouble::ZeroLength) {
            let name = clips.clip_name(self.clip_index).unwrap_or_default();
            log::warn!("clip \"{}\" has no length: its only pose is shown", name.escape_debug());
        }
        self.settle_passes();
        let sent_to = take(&mut self.sent_to);
        if duration != self.duration {
            self.duration = duration;
            self.is_stale = true;
            // A time that the user wrote is still to be sought.
            let written = (self.time.to_bits() != self.mirrored_time.to_bits()).then_some(self.time);
            self.go_to(sent_to);
            self.time = written.unwrap_or(self.time);
        }
        if self.time.to_bits() != self.mirrored_time.to_bits() {
            self.go_to(SentTo::Time(f64::from(self.time)));
        }
        true
    }

    /// The clock by which the clip is played now. Total times of this clock are what
    /// [`total_time`](AnimationPlayer::total_time) tells, for [`Clock::markers_between`] for instance.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let mut clock = match &self.custom_clock {
            Some(clock) => **clock,
            None => Clock::looping(f64::from(self.duration)),
        };
        if self.looping {
            clock.repetitions = -1;
        } else if clock.repetitions != 0 {
            // A player that ceases to loop finishes the pass that is running.
            let running = i32::try_from(self.position.pass.saturating_add(1)).unwrap_or(i32::MAX);
            clock.repetitions = clock.repetitions.max(running.max(1));
        }
        clock
    }

    /// What that clock comes to.
    pub(super) fn course(&self) -> Course {
        match &self.custom_clock {
            None if self.looping => Course::looping(f64::from(self.duration)),
            _ => Course::of(&self.clock()),
        }
    }

    /// A player that does not loop has passes from 0 on: those that an endless one came by are forgotten.
    fn settle_passes(&mut self) {
        let is_endless = self.custom_clock.as_ref().is_none_or(|clock| clock.repetitions < 0);
        if !self.looping && self.position.pass != 0 && (is_endless || self.position.pass < 0) {
            let is_turning = self.custom_clock.as_ref().is_some_and(|clock| clock.reverse);
            self.position.pass = if is_turning { self.position.pass & 1 } else { 0 };
        }
    }

    /// Puts the position where the user sent it, as far as the course goes.
    pub(super) fn go_to(&mut self, place: SentTo) {
        if let SentTo::Start = place {
            self.position = Position::default();
        }
        let course = self.course();
        let pass = self.position.pass;
        match place {
            SentTo::Nowhere if self.custom_clock.is_none() => self.position.fit(&course),
            SentTo::Nowhere => {}
            SentTo::Start if self.speed < 0.0 && self.custom_clock.is_none() => {
                self.position = Position::new(0, course.length);
            }
            SentTo::Start => {
                let (pass, way) = course.split(course.origin);
                self.position = Position::new(pass, way);
            }
            SentTo::Time(time) if !time.is_finite() => {
                if self.warnings.is_first(Trouble::Seek) {
                    log::warn!("seeking to {time} s is ignored: not a finite time");
                }
            }
            SentTo::Time(time) => self.position = Position::new(pass, course.within(pass, course.wrap(time))),
            SentTo::Total(total_time) => {
                let (pass, way) = course.split(course.way_at(total_time));
                self.position = Position::new(pass, way);
            }
        }
        self.mirror_time(&course);
    }

    /// Lets `time` and its mirror follow the position.
    pub(super) fn mirror_time(&mut self, course: &Course) {
        let shown = course.state(self.position.pass, self.position.way()).time;
        let time = shown.min(f64::from(self.duration)) as f32;
        self.is_stale |= time.to_bits() != self.mirrored_time.to_bits();
        (self.time, self.mirrored_time) = (time, time);
    }
}
