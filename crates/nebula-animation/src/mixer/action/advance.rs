//! How time passes in an action.

use super::{AnimationAction, CourseKey, Span};
use crate::clip::Course;
use crate::mixer::motion::MotionContext;
use crate::player::position::{Position, SentTo};

impl AnimationAction {
    /// Units of the action's clock per second.
    pub(super) fn rate(&self) -> f64 {
        f64::from(self.speed) * self.motion_clock.rate
    }

    /// Follows changes of the fields that make the clock.
    pub(super) fn update_course(&mut self) {
        let key = self.key();
        if key != self.course_key {
            self.course = Course::of(&self.clock());
            self.course_key = key;
        }
    }

    pub(super) fn key(&self) -> CourseKey {
        CourseKey {
            looping: self.looping,
            back_and_forth: self.back_and_forth,
            repetitions: self.repetitions,
            length: self.motion_clock.length.to_bits(),
            pass: if self.looping { 0 } else { self.position.pass },
            is_known: true,
        }
    }

    /// The total time of the course that is known.
    fn here(&self) -> f64 {
        self.course.total_time(self.position.pass, self.position.way())
    }

    /// Takes over what was written into the public fields, and what has become of the motion.
    pub(in crate::mixer) fn sync(&mut self, context: &MotionContext) {
        if let Some(motion_clock) = self.motion.clock(context) {
            let is_other_length = motion_clock.length != self.motion_clock.length;
            self.motion_clock = motion_clock;
            if is_other_length && self.range.is_none() {
                self.position.fit(&Course::of(&self.clock()));
            }
        }
        let is_moved = self.time.to_bits() != self.mirrored_time.to_bits();
        if !is_moved && matches!(self.sent_to, SentTo::Nowhere) && self.key() == self.course_key {
            // Nothing was written: everything is as the last step left it.
            self.spans = [Span { from: self.reported, to: self.reported }; 2];
            return;
        }
        self.settle_passes();
        self.update_course();
        let here = self.here();
        if here != self.last_total {
            // The clock's own fields were changed, so that this moment has another name.
            (self.reported, self.is_fresh) = (here, false);
        }
        match std::mem::take(&mut self.sent_to) {
            SentTo::Nowhere => {}
            place => self.jump(place),
        }
        self.spans = [Span { from: self.reported, to: self.reported }; 2];
        if is_moved && self.time.is_finite() {
            let place = SentTo::Time(f64::from(self.time));
            // Before it has ever moved, this is where it begins.
            if self.has_started {
                self.go_to(place);
                self.spans[0] = self.travel(self.here());
            } else {
                self.jump(place);
            }
        }
        self.update_course();
        self.end_step(self.here());
    }

    /// Goes to another place without coming by what lies between.
    fn jump(&mut self, place: SentTo) {
        self.go_to(place);
        (self.reported, self.is_fresh) = (self.here(), true);
    }

    /// The span from where the last one ended.
    fn travel(&mut self, to: f64) -> Span {
        let is_forward = to > self.reported;
        let from = if self.is_fresh && is_forward { before(self.reported) } else { self.reported };
        self.is_fresh &= to == self.reported;
        self.reported = to;
        Span { from, to }
    }

    /// Keeps what is shown at the total time `here`, and what the next step is compared with.
    fn end_step(&mut self, here: f64) {
        self.last_total = here;
        self.shown = self.time_at(self.position.way());
        (self.time, self.mirrored_time) = (self.shown as f32, self.shown as f32);
    }

    /// An action that does not loop has passes from 0 on: those that an endless one came by are forgotten.
    fn settle_passes(&mut self) {
        if !self.looping && self.position.pass < 0 {
            self.position.pass = if self.back_and_forth { self.position.pass & 1 } else { 0 };
        }
    }

    fn go_to(&mut self, place: SentTo) {
        if let SentTo::Start = place {
            self.position = Position::default();
            self.update_course();
        }
        let course = self.course;
        let pass = self.position.pass;
        match place {
            SentTo::Nowhere => {}
            SentTo::Start if self.speed < 0.0 && self.range.is_none() => {
                self.position = Position::new(0, course.length);
            }
            SentTo::Start => {
                let (pass, way) = course.split(course.origin);
                self.position = Position::new(pass, way);
            }
            SentTo::Time(time) => self.position = Position::new(pass, course.within(pass, course.wrap(time))),
            SentTo::Total(total_time) => {
                let (pass, way) = course.split(course.way_at(total_time));
                self.position = Position::new(pass, way);
            }
        }
        self.update_course();
    }

    /// Lets `dt` seconds pass.
    pub(in crate::mixer) fn advance(&mut self, dt: f64) {
        (self.passes, self.is_finished) = (0, false);
        if !self.playing {
            return;
        }
        let rate = self.rate();
        let step = dt * rate * self.course.rate;
        if !step.is_finite() {
            if !std::mem::replace(&mut self.has_warned, true) {
                log::warn!("a step of {dt} s at speed {} is not finite: ignored, as all later ones", self.speed);
            }
            return;
        }
        let moved = self.position.advance(&self.course, step, rate);
        self.update_course();
        let here = self.here();
        // Backwards, the first moment of all is come by on arrival.
        let is_at_start = moved.is_at_end && step < 0.0;
        if step != 0.0 {
            self.spans[1] = self.travel(if is_at_start { before(here) } else { here });
        }
        self.has_started = true;
        self.passes = u32::try_from(moved.passes).unwrap_or(u32::MAX);
        self.is_finished = moved.is_at_end;
        if moved.is_at_end {
            self.playing = false;
        }
        self.end_step(here);
    }
}

/// A total time just before another one.
pub(in crate::mixer) fn before(total_time: f64) -> f64 {
    if total_time == 0.0 { -f64::MIN_POSITIVE } else { total_time.next_down() }
}
