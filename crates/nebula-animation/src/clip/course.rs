use std::ops::Range;

use super::clock::{Clock, ClockState};
use crate::math::{clean_seconds, partition};

/// The passes of an endless clock, by number: more than any total time reaches with a distinguishable period.
const ENDLESS: Range<i64> = -(1 << 61)..1 << 61;

/// A clock's fields made safe and put in terms of the *way*: the seconds of the clip that were played, in whatever
/// direction, counted from the beginning of pass 0. The way grows with total time; pass `i` begins at `i * period`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course {
    start: f64,
    end: f64,
    /// Length of the played range; infinite without an end.
    pub length: f64,
    /// Way from the beginning of one pass to that of the next: the length and the hold.
    pub period: f64,
    /// Way at total time 0.
    pub origin: f64,
    /// Distance per second of total time; 0 stands still.
    pub rate: f64,
    is_first_pass_forward: bool,
    is_back_and_forth: bool,
    /// Whether the end of a period already belongs to the next pass.
    is_half_open: bool,
    /// Number of passes; `None` without end.
    pub passes: Option<i64>,
}

impl Course {
    /// As [`of`](Course::of) for [`Clock::looping`], which most clocks are.
    #[inline]
    pub fn looping(length: f64) -> Self {
        let length = clean_seconds(length);
        Self {
            start: 0.0,
            end: length,
            length,
            period: length,
            origin: 0.0,
            rate: 1.0,
            is_first_pass_forward: true,
            is_back_and_forth: false,
            is_half_open: true,
            passes: None,
        }
    }

    /// As [`of`](Course::of) for [`Clock::once`].
    #[inline]
    pub fn once(length: f64) -> Self {
        Self { is_half_open: false, passes: Some(1), ..Self::looping(length) }
    }

    pub fn of(clock: &Clock) -> Self {
        let start = clean_seconds(clock.start);
        let speed = if clock.speed.is_finite() { clock.speed } else { 1.0 };
        let length = clock.end.map_or(f64::INFINITY, |end| clean_seconds(end - start));
        let offset = clean_seconds(clock.offset).min(length);
        let hold = if clock.reverse { 0.0 } else { clean_seconds(clock.hold) };
        let course = Self {
            start,
            end: start + length,
            length,
            period: length + hold,
            origin: if speed > 0.0 { offset } else { length - offset },
            rate: speed.abs(),
            is_first_pass_forward: speed > 0.0,
            is_back_and_forth: clock.reverse,
            is_half_open: !clock.reverse && (hold > 0.0 || clock.restarts_at_end),
            passes: (clock.repetitions >= 0).then(|| i64::from(clock.repetitions)),
        };
        if clock.repetitions == 0 || speed == 0.0 {
            // Nothing moves: a pass of no length.
            let passes = (clock.repetitions == 0).then_some(1);
            course.with_range(start + offset, 0.0, passes)
        } else if length.is_finite() {
            // `start + (end - start)` may miss `end` by a rounding.
            Self { end: clock.end.filter(|end| end.is_finite()).unwrap_or(start).max(start), ..course }
        } else if speed > 0.0 {
            Self { origin: offset, ..course.with_range(start, f64::INFINITY, Some(1)) }
        } else {
            // Backwards and without an end, the only way is the one back to the start.
            course.with_range(start, offset, Some(1))
        }
    }

    /// The same clock with another range, from whose beginning it sets out.
    fn with_range(self, start: f64, length: f64, passes: Option<i64>) -> Self {
        Self { start, end: start + length, length, period: length, origin: 0.0, passes, ..self }
    }

    /// First and last time of the played range.
    pub fn range(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    /// The way at a total time, within the first and the last pass.
    pub fn way_at(&self, total_time: f64) -> f64 {
        let total_time = if total_time.is_nan() { 0.0 } else { total_time.clamp(-f64::MAX, f64::MAX) };
        let way = (self.origin + self.rate * total_time).clamp(-f64::MAX, f64::MAX);
        match self.last_way() {
            Some(last) => way.max(self.origin).min(last.max(self.origin)),
            None => way,
        }
    }

    /// The way at which the last pass is over.
    pub fn last_way(&self) -> Option<f64> {
        self.passes.map(|passes| match passes {
            // Without an end, the period is infinite.
            1 => self.length,
            _ => (passes - 1) as f64 * self.period + self.length,
        })
    }

    /// The pass that contains a distance, and the distance since that pass began.
    pub fn split(&self, way: f64) -> (i64, f64) {
        self.carry(0, way)
    }

    /// The same for a distance that is counted from the beginning of any pass.
    pub fn carry(&self, pass: i64, way: f64) -> (i64, f64) {
        // What lies inside the pass, or at the beginning of the first one, is there already.
        if way < self.period && self.period.is_finite() && (way > 0.0 || (way.to_bits() == 0 && pass == 0)) {
            return (pass, way);
        }
        if !(self.period > 0.0) {
            return (self.passes.map_or(0, |passes| passes - 1), 0.0);
        }
        if self.period.is_infinite() {
            return (0, way);
        }
        let (passed, within) = div_rem(way, self.period);
        let pass = pass.saturating_add(passed);
        let is_last_pass_over = self.passes.is_some_and(|passes| pass >= passes);
        if within == 0.0 && pass > 0 && (!self.is_half_open || is_last_pass_over) {
            return (pass - 1, self.period);
        }
        (pass, within)
    }

    /// What is shown in a pass, so much way after it began.
    pub fn state(&self, pass: i64, within: f64) -> ClockState {
        let is_forward = self.is_forward(pass);
        let is_at_end = within >= self.length;
        let time = match (is_forward, is_at_end) {
            (true, true) => self.end,
            (true, false) => self.start + within,
            (false, true) => self.start,
            (false, false) => self.end - within,
        };
        // A clock without an end may run beyond every number.
        let time = time.clamp(self.start, self.end).min(f64::MAX);
        let is_finished = is_at_end && self.passes.is_some_and(|passes| pass >= passes - 1);
        ClockState { time, pass, is_forward, is_finished }
    }

    /// The way within a pass at which a time stamp is shown; beyond the range that of its nearer end.
    pub fn within(&self, pass: i64, time: f64) -> f64 {
        let time = time.clamp(self.start, self.end);
        if self.is_forward(pass) { time - self.start } else { self.end - time }
    }

    /// The time stamp inside the played range that a plain loop takes another one for.
    pub fn wrap(&self, time: f64) -> f64 {
        let is_wrapping = self.passes.is_none() && !self.is_back_and_forth && self.length > 0.0;
        if is_wrapping && !self.contains(time) {
            self.start + (time - self.start).rem_euclid(self.length)
        } else {
            time
        }
    }

    /// Whether a time stamp lies inside the played range.
    pub fn contains(&self, time: f64) -> bool {
        time >= self.start && time <= self.end
    }

    /// The total time at a position within a pass. Rounded once before the division, so that it never falls while the
    /// distance grows.
    pub fn total_time(&self, pass: i64, within: f64) -> f64 {
        if self.rate == 0.0 {
            return 0.0;
        }
        let way = if pass == 0 { within } else { (pass as f64).mul_add(self.period, within) };
        ((way - self.origin) / self.rate).clamp(-f64::MAX, f64::MAX)
    }

    pub fn is_forward(&self, pass: i64) -> bool {
        self.is_first_pass_forward != (self.is_back_and_forth && pass & 1 == 1)
    }

    /// Whether the end of one pass and the beginning of the next are the same moment *and* show the same time.
    pub fn turns(&self) -> bool {
        self.is_back_and_forth
    }

    /// Numbers of all passes.
    pub fn all_passes(&self) -> Range<i64> {
        match self.passes {
            _ if !(self.period > 0.0) => 0..0,
            Some(passes) => 0..passes,
            None => ENDLESS,
        }
    }

    /// How many passes but the first begin in `from < total time <= to`.
    pub fn starts_between(&self, from: f64, to: f64) -> u64 {
        let passes = self.all_passes();
        if self.rate == 0.0 || passes.is_empty() {
            return 0;
        }
        let first = if self.passes.is_some() { 1 } else { passes.start };
        let begun = |time: f64| partition(first..passes.end.max(first), |pass| self.total_time(pass, 0.0) <= time);
        begun(to).saturating_sub(begun(from)).unsigned_abs()
    }
}

/// How many whole periods fit into a distance, and the remainder: at least 0 and below the period. Exact, however large
/// the distance: the remainder of an IEEE division always is an `f64`, and only the sum that makes it positive rounds.
fn div_rem(way: f64, period: f64) -> (i64, f64) {
    // Every whole number up to here is an `f64`, so that one fused multiplication tells the remainder.
    const WHOLE: f64 = (1_i64 << 52) as f64;
    let count = (way / period).floor();
    if count.abs() < WHOLE {
        // The division may have rounded up to the next whole number.
        let count = if (-count).mul_add(period, way) < 0.0 { count - 1.0 } else { count };
        let rest = (-count).mul_add(period, way);
        return if rest < period { (count as i64, rest) } else { (count as i64 + 1, 0.0) };
    }
    let rest = way % period;
    let rest = if rest < 0.0 { rest + period } else { rest };
    // Saturates, as `as` does.
    let count = ((way - rest) / period).round() as i64;
    if rest < period { (count, rest) } else { (count.saturating_add(1), 0.0) }
}
