//! Which time of a clip is shown at which time of the world: closed forms, not sums of steps.

use super::course::Course;
use super::entry::ClipEntry;
use crate::state::stateful;

/// The rule by which time passes in a clip: the time stamp is a function of the *total time* since it was started.
///
/// Because it is a function, no frame rate changes the result, and scrubbing, rewinding or rolling back is asking for
/// another total time. It covers plain loops, clips that play once, and every entry of `KHR_animation_clip`.
///
/// A field that is out of its range counts as its default; no input makes a clock panic or answer with a number that
/// is not finite.
///
/// ```
/// use nebula_animation::{Clock, clip::ClipEntry};
///
/// // Back and forth between 1 s and 5 s, four times, the first time from the middle.
/// let entry = ClipEntry {
///     animations: vec![0],
///     start: 1.0,
///     end: Some(5.0),
///     offset: 2.0,
///     repetitions: 4,
///     reverse: true,
///     ..ClipEntry::default()
/// };
/// let clock = Clock::from(&entry);
/// assert_eq!(clock.at(3.0).time, 4.0);
/// assert!(!clock.at(3.0).is_forward);
/// assert_eq!(clock.finishes_at(), Some(14.0));
/// assert!(clock.at(1e9).is_finished);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// First time of the played range in seconds of the clip; finite, not negative; default 0.
    pub start: f64,
    /// Last time of the played range in seconds, at least `start`; `None` (the default) plays on without end.
    pub end: Option<f64>,
    /// Where the first pass starts, in seconds after `start`; at most the length of the range; default 0.
    pub offset: f64,
    /// Seconds of the clip per second; negative plays backwards from `start + offset`, 0 stands still; default 1.
    pub speed: f64,
    /// How often the range is played: -1 (the default) without end, 0 not at all. After the last pass the time stays
    /// at the end that it reached. A clock without `end` has one pass, whatever stands here.
    pub repetitions: i32,
    /// Whether every second pass runs in the opposite direction (back and forth); default false.
    pub reverse: bool,
    /// How long a pass that starts over shows its last keyframe first, in seconds of the clip; default 0, which loops
    /// without a seam. A clip that is keyed at whole seconds, and whose last keyframe is not its first one again,
    /// looks right with 1. Does nothing to a clock that goes back and forth.
    pub hold: f64,
    /// What a loop without `hold` shows at the very moment at which it starts over: its start (`true`, as the remainder
    /// of a division would) or its end (`false`, the default, as `KHR_animation_clip` says).
    pub restarts_at_end: bool,
}

stateful!(Clock { start, end, offset, speed, repetitions, reverse, hold, restarts_at_end });

/// What a [`Clock`] shows at one total time.
///
/// ```
/// use nebula_animation::Clock;
///
/// let state = Clock { end: Some(2.0), reverse: true, ..Clock::default() }.at(3.5);
/// assert_eq!((state.time, state.pass, state.is_forward, state.is_finished), (0.5, 1, false, false));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockState {
    /// The time stamp: the time of the clip that is shown, in seconds; finite, and inside the played range.
    pub time: f64,
    /// Number of the pass, from 0. Negative where an endless clock was turned back to before its start.
    pub pass: i64,
    /// Whether the time stamp grows in this pass.
    pub is_forward: bool,
    /// Whether the time stamp has reached the end of the last pass and stays there.
    pub is_finished: bool,
}

impl Default for Clock {
    /// Plays without end from 0.
    fn default() -> Self {
        Self {
            start: 0.0,
            end: None,
            offset: 0.0,
            speed: 1.0,
            repetitions: -1,
            reverse: false,
            hold: 0.0,
            restarts_at_end: false,
        }
    }
}

impl From<&ClipEntry> for Clock {
    /// The clock of an entry, with a `hold` of 0.
    fn from(entry: &ClipEntry) -> Self {
        Self {
            start: entry.start,
            end: entry.end,
            offset: entry.offset,
            speed: entry.speed,
            repetitions: entry.repetitions,
            reverse: entry.reverse,
            ..Self::default()
        }
    }
}

impl Clock {
    /// From 0 to `duration` seconds, over and over: the remainder of total time and duration.
    ///
    /// ```
    /// use nebula_animation::Clock;
    ///
    /// assert_eq!(Clock::looping(2.0).at(1e9 + 0.5).time, 0.5);
    /// assert_eq!(Clock::looping(2.0).at(-0.5).time, 1.5);
    /// ```
    #[must_use]
    pub fn looping(duration: f64) -> Self {
        Self { end: Some(duration), restarts_at_end: true, ..Self::default() }
    }

    /// From 0 to `duration` seconds, once; then the end is shown.
    ///
    /// ```
    /// use nebula_animation::Clock;
    ///
    /// assert_eq!(Clock::once(2.0).at(7.0).time, 2.0);
    /// ```
    #[must_use]
    pub fn once(duration: f64) -> Self {
        Self { end: Some(duration), repetitions: 1, ..Self::default() }
    }

    /// The same clock with a [`hold`](Clock::hold) of so many seconds.
    #[must_use]
    pub fn with_hold(self, hold: f64) -> Self {
        Self { hold, ..self }
    }

    /// What is shown at a total time, in seconds since the clock was started.
    ///
    /// Before 0 an endless clock runs on backwards; every other clock stands at its beginning. A total time that is not
    /// a number counts as 0.
    ///
    /// ```
    /// use nebula_animation::Clock;
    ///
    /// assert_eq!(Clock { speed: -0.5, end: Some(4.0), offset: 4.0, ..Clock::default() }.at(1.0).time, 3.5);
    /// ```
    #[must_use]
    pub fn at(&self, total_time: f64) -> ClockState {
        let course = Course::of(self);
        let (pass, way) = course.split(course.way_at(total_time));
        course.state(pass, way)
    }

    /// The total time in seconds from which on the last pass is over; `None` where there is no such time.
    #[must_use]
    pub fn finishes_at(&self) -> Option<f64> {
        let course = Course::of(self);
        course.last_way().filter(|way| way.is_finite()).map(|way| course.total_time(0, way).max(0.0))
    }

    /// First and last time of the played range, in seconds of the clip. Without an end, the second is infinite.
    pub(crate) fn played_range(&self) -> (f64, f64) {
        Course::of(self).range()
    }

    /// How many passes after the first begin in the span `from < total time <= to`: how often the clock loops or turns
    /// in it. The order of the two times does not matter, and their distance costs nothing. Where an endless clock is
    /// turned back to before 0, the passes of negative number and pass 0 count too.
    ///
    /// ```
    /// use nebula_animation::Clock;
    ///
    /// assert_eq!(Clock::looping(0.5).passes_between(0.0, 1e9), 2_000_000_000);
    /// ```
    #[must_use]
    pub fn passes_between(&self, from: f64, to: f64) -> u64 {
        Course::of(self).starts_between(from.min(to), from.max(to))
    }
}
