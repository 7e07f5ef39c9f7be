//! The playback position of a clip, and how it advances: the one clock that players and actions share.

use super::clock::Clock;
use super::course::Course;
use super::position::{Moved, Position, SentTo};
use super::trip::Trip;
use crate::math::clean_seconds;
use crate::state::{Stateful, stateful};

/// How a clip is played, as far as it can change from one frame to the next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayRules {
    /// Whether it starts over without end.
    pub looping: bool,
    /// How often it is played if it does not loop; 0 not at all. Negative: once, not counting the passes while it was
    /// looping.
    pub repetitions: i32,
    /// Whether every second pass runs in the opposite direction.
    pub back_and_forth: bool,
    /// Multiplies the speed of the clock; negative plays backwards.
    pub speed: f32,
    /// Units of the clock per second at a speed of 1: 1 if it counts seconds.
    pub unit_rate: f64,
}

impl PlayRules {
    /// Units of the clock per second.
    pub fn rate(&self) -> f64 {
        f64::from(self.speed) * self.unit_rate
    }
}

/// Where a clip is being played: a position on the course that a range, a length and [`PlayRules`] make, exact to 106 bits.
///
/// Its owner exposes the time in a field that users can write. The rules are passed in with every call, so that they
/// cannot be out of date. The total times it went through are reported to a [`Trip`] on request.
#[derive(Debug, Clone)]
pub(crate) struct Playhead {
    position: Position,
    /// How the clip is played, if not from 0 to its length.
    range: Option<Box<Clock>>,
    /// Where the user last sent it: to be done when it is synced.
    sent_to: SentTo,
    /// Length of the clip as it was last seen, in units of the clock; finite and at least 0.
    length: f32,
    /// The time that was shown last: another value in the owner's field was written by the user.
    time: f32,
    /// Whether nothing has happened since a step around a plain loop, so that there is nothing to be taken over.
    is_settled: bool,
}

/// All but the length, which is the clip's.
impl Stateful for Playhead {
    stateful!(given { range, time } kept { position, sent_to } then unsettle);
}

impl Playhead {
    /// At the beginning of a clip of this length.
    pub fn new(length: f32) -> Self {
        let (position, sent_to) = (Position::default(), SentTo::Nowhere);
        Self { position, range: None, sent_to, length, time: 0.0, is_settled: false }
    }

    /// The position may have been changed.
    fn unsettle(&mut self) {
        self.is_settled = false;
    }

    /// Whether the clip goes round from 0 to its length, as most do.
    #[inline]
    fn is_plain(&self, rules: &PlayRules) -> bool {
        self.range.is_none() && rules.looping && !rules.back_and_forth
    }

    /// The time that is shown, as the owner's field has it.
    pub fn time(&self) -> f32 {
        self.time
    }

    /// Length of the clip as it was last seen.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// How the clip is played, if not from 0 to its length.
    pub fn range(&self) -> Option<&Clock> {
        self.range.as_deref()
    }

    /// Plays the clip by a custom clock, or from 0 to its length. The position stays until it is moved.
    pub fn set_range(&mut self, range: Option<Clock>) {
        self.range = range.map(Box::new);
        self.unsettle();
    }

    /// Number of the current pass, from 0; negative if an endless clock was rewound.
    pub fn pass(&self) -> i64 {
        self.position.pass
    }

    /// The clock by which the clip is played.
    pub fn clock(&self, rules: &PlayRules) -> Clock {
        let mut clock = self.range().copied().unwrap_or_else(|| Clock::looping(f64::from(self.length)));
        clock.reverse = rules.back_and_forth;
        clock.restarts_at_end &= !rules.back_and_forth;
        clock.repetitions = match rules.repetitions {
            _ if rules.looping => -1,
            0 => 0,
            repetitions => {
                // What ceases to loop finishes the pass that is running.
                let running = i32::try_from(self.position.pass.saturating_add(1)).unwrap_or(i32::MAX);
                repetitions.max(running.max(1))
            }
        };
        clock
    }

    /// What that clock comes to.
    fn course(&self, rules: &PlayRules) -> Course {
        if self.is_plain(rules) { Course::looping(f64::from(self.length)) } else { Course::of(&self.clock(rules)) }
    }

    /// Time of the clip that is shown, in units of the clock.
    pub fn seconds(&self, rules: &PlayRules) -> f64 {
        self.seconds_at(&self.course(rules), self.position.way())
    }

    /// The same, this many seconds from now, without leaving the current pass.
    pub fn seconds_after(&self, rules: &PlayRules, ahead: f64) -> f64 {
        if ahead == 0.0 && self.is_plain(rules) {
            // What comes of a course that loops.
            return (0.0 + self.position.way()).clamp(0.0, clean_seconds(self.length));
        }
        let (course, way) = (self.course(rules), self.position.way());
        let step = ahead * rules.rate() * course.rate;
        let is_moving = step.is_finite() && step != 0.0;
        self.seconds_at(&course, if is_moving { (way + step).clamp(0.0, course.length.max(way)) } else { way })
    }

    /// The same, this many seconds from now, in whichever pass that is.
    pub fn seconds_ahead(&self, rules: &PlayRules, ahead: f64) -> f64 {
        let (course, rate) = (self.course(rules), rules.rate());
        let step = ahead * rate * course.rate;
        let mut position = self.position;
        if step.is_finite() && step != 0.0 {
            position.advance(&course, step, rate);
        }
        course.state(position.pass, position.way()).time.min(f64::from(self.length))
    }

    /// The position on a plain loop on which nothing has been changed; `None` elsewhere.
    pub fn on_plain_loop(&self, rules: &PlayRules, time: f32) -> Option<Position> {
        let is_settled = self.is_settled && matches!(self.sent_to, SentTo::Nowhere);
        let is_plain = is_settled && self.is_plain(rules) && time.to_bits() == self.time.to_bits();
        is_plain.then_some(self.position)
    }

    /// Takes over a position that went on within its pass, on the loop that [`on_plain_loop`](Playhead::on_plain_loop) told.
    pub fn go_on_from(&mut self, position: Position, trip: &mut Trip) {
        let length = clean_seconds(self.length);
        let (pass, way) = (position.pass, position.way());
        self.position = position;
        self.time = (if way >= length { length } else { 0.0 + way }).clamp(0.0, length) as f32;
        let total = if pass == 0 { way } else { (pass as f64).mul_add(length, way) };
        trip.skip(total.clamp(-f64::MAX, f64::MAX));
    }

    fn seconds_at(&self, course: &Course, way: f64) -> f64 {
        course.state(self.position.pass, way).time.min(f64::from(self.length))
    }

    /// Seconds of the clock since it was started.
    pub fn total_time(&self, rules: &PlayRules) -> f64 {
        self.total_on(&self.course(rules))
    }

    fn total_on(&self, course: &Course) -> f64 {
        course.total_time(self.position.pass, self.position.way())
    }

    /// Seconds until it reaches its end, and the seconds of the whole pass; `None` if it never reaches its end.
    pub fn seconds_left(&self, rules: &PlayRules) -> Option<(f64, f64)> {
        let course = self.course(rules);
        let (rate, last) = (rules.rate() * course.rate, course.last_way()?);
        let here = self.position.pass as f64 * course.period + self.position.way();
        let left = match rate {
            _ if rate > 0.0 => last - here,
            // As far back as a clock can be turned.
            _ if rate < 0.0 => here - if here < course.origin { 0.0 } else { course.origin },
            _ => return None,
        };
        let [left, total] = [left.max(0.0), last].map(|way| way / rate.abs());
        total.is_finite().then_some((left, total))
    }

    /// `true` if it is at its end, and would stay there.
    pub fn is_at_end(&self, rules: &PlayRules) -> bool {
        let mut position = self.position;
        position.advance(&self.course(rules), 0.0, rules.rate()).is_at_end
    }

    /// Passes per second, without a sign.
    pub fn pace(&self, rules: &PlayRules) -> f64 {
        let course = self.course(rules);
        let rate = (rules.rate() * course.rate).abs();
        // What has no length has no passes, and a rate that is not finite moves nothing.
        if rate.is_finite() && course.period > 0.0 { rate / course.period } else { 0.0 }
    }

    /// How many passes the position is away from the one that it counts from; less than two but where the course was changed since.
    pub fn passes_ahead(&self, rules: &PlayRules) -> f64 {
        let period = self.course(rules).period;
        if period > 0.0 { (self.position.way() / period).abs() } else { 0.0 }
    }

    /// Continues at the same time of another clip, from 0 to its length, which [`sync`](Playhead::sync) provides.
    pub fn carry_over(&mut self, rules: &PlayRules) {
        self.position = Position::new(0, self.seconds(rules));
        self.range = None;
        self.unsettle();
        // Whatever the other length is, the position is fitted to it.
        self.length = f32::NAN;
    }

    /// Goes somewhere the next time that it is synced. A number that is not finite is ignored.
    pub fn send(&mut self, place: SentTo) {
        if !matches!(place, SentTo::Time(time) if !time.is_finite()) {
            self.sent_to = place;
        }
    }

    /// Goes somewhere at once; and again when it is synced, unless that [is forgotten](Playhead::forget_sent).
    pub fn go_to(&mut self, place: SentTo, rules: &PlayRules) {
        self.send(place);
        let course = self.put(self.sent_to, rules);
        self.show(&course);
    }

    /// Forgets the position to which it was sent.
    pub fn forget_sent(&mut self) {
        self.sent_to = SentTo::Nowhere;
    }

    /// Takes over what has been changed since the last frame: the rules, the clip's length, and the owner's `time` where the
    /// user wrote it. A `time` that is not finite is ignored.
    pub fn sync(&mut self, rules: &PlayRules, length: f32, time: f32, mut trip: Option<&mut Trip>) {
        if self.is_settled
            && self.is_plain(rules)
            && matches!(self.sent_to, SentTo::Nowhere)
            && length == self.length
            && time.to_bits() == self.time.to_bits()
        {
            // What follows finds everything as it is.
            return trip.into_iter().for_each(Trip::begin);
        }
        self.unsettle();
        let place = std::mem::take(&mut self.sent_to);
        let is_sent = !matches!(place, SentTo::Nowhere);
        if length != self.length {
            self.length = length;
            if !is_sent && self.range.is_none() {
                let course = self.course(rules);
                self.position.fit(&course);
            }
        }
        self.settle_passes(rules);
        let mut course = self.course(rules);
        if let Some(trip) = &mut trip {
            trip.rename(self.total_on(&course));
        }
        if is_sent {
            course = self.put(place, rules);
            if let Some(trip) = &mut trip {
                trip.jump(self.total_on(&course));
            }
        }
        if let Some(trip) = &mut trip {
            trip.begin();
        }
        if time.to_bits() != self.time.to_bits() && time.is_finite() {
            course = self.put(SentTo::Time(f64::from(time)), rules);
            if let Some(trip) = &mut trip {
                trip.scrub(self.total_on(&course));
            }
        }
        if let Some(trip) = trip {
            trip.stand(self.total_on(&course));
        }
        self.show(&course);
    }

    /// Lets `dt` seconds pass, after [`sync`](Playhead::sync). `None` where the step is not finite: it is ignored.
    pub fn advance(&mut self, rules: &PlayRules, dt: f64, trip: Option<&mut Trip>) -> Option<Moved> {
        if self.is_plain(rules) {
            return self.go_round(dt * rules.rate(), trip);
        }
        self.unsettle();
        let course = self.course(rules);
        let rate = rules.rate();
        // The product of two `f32` is exact in `f64`.
        let step = dt * rate * course.rate;
        if !step.is_finite() {
            return None;
        }
        let moved = self.position.advance(&course, step, rate);
        if let Some(trip) = trip {
            trip.step(self.total_on(&course), step, moved.is_at_end);
        }
        self.show(&course);
        Some(moved)
    }

    /// As [`advance`](Playhead::advance) by a step around a plain loop: what comes of its course.
    fn go_round(&mut self, step: f64, trip: Option<&mut Trip>) -> Option<Moved> {
        if !step.is_finite() {
            return None;
        }
        let length = clean_seconds(self.length);
        let passes = self.position.go_round(length, step);
        let (pass, way) = (self.position.pass, self.position.way());
        if let Some(trip) = trip {
            let total = if pass == 0 { way } else { (pass as f64).mul_add(length, way) };
            trip.step(total.clamp(-f64::MAX, f64::MAX), step, false);
        }
        let time = if way >= length { length } else { 0.0 + way };
        self.time = time.clamp(0.0, length) as f32;
        self.is_settled = true;
        Some(Moved { passes, is_at_end: false })
    }

    /// What does not loop has passes from 0 on: those that an endless clock came by are forgotten.
    fn settle_passes(&mut self, rules: &PlayRules) {
        let pass = self.position.pass;
        if !rules.looping && pass != 0 && (rules.repetitions < 0 || pass < 0) {
            self.position.pass = if rules.back_and_forth { pass & 1 } else { 0 };
        }
    }

    /// Sets the position, within the course. Returns the resulting course.
    fn put(&mut self, place: SentTo, rules: &PlayRules) -> Course {
        self.unsettle();
        if let SentTo::Start = place {
            self.position = Position::default();
        }
        let course = self.course(rules);
        let pass = self.position.pass;
        let (pass, way) = match place {
            SentTo::Nowhere => return course,
            SentTo::Start if rules.speed < 0.0 && self.range.is_none() => (0, course.length),
            SentTo::Start => course.split(course.origin),
            SentTo::Time(time) => (pass, course.within(pass, course.wrap(time))),
            SentTo::Total(total_time) => course.split(course.way_at(total_time)),
        };
        self.position = Position::new(pass, way);
        self.course(rules)
    }

    /// Lets the time that is shown follow the position.
    fn show(&mut self, course: &Course) {
        self.time = self.seconds_at(course, self.position.way()) as f32;
    }
}
