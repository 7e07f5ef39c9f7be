//! Converts total time to clip time in closed form, without summing steps.

use super::course::Course;
use super::entry::ClipEntry;
use crate::state::stateful;

/// How time passes in a clip: the clip time is a function of the *total time* since the start.
///
/// Because it is a function, the frame rate does not change the result, and scrubbing, rewinding or rolling back just
/// means asking for a different total time. It covers plain loops, clips that play once, and every entry of
/// `KHR_animation_clip`.
///
/// A field that is out of range counts as its default. No input makes a clock panic or return a number that is not
/// finite.
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
    /// Start of the played range in clip seconds; finite, not negative; default 0.
    pub start: f64,
    /// End of the played range in clip seconds, at least `start`; `None` (the default) plays on for ever.
    pub end: Option<f64>,
    /// Where the first pass starts, in seconds after `start`; at most the length of the range; default 0.
    pub offset: f64,
    /// Clip seconds per second; negative plays backwards from `start + offset`, 0 freezes; default 1.
    pub speed: f64,
    /// How often the range plays: -1 (the default) for ever, 0 not at all. After the last pass, the time stays at the
    /// end it reached. A clock without `end` has a single pass, whatever the value.
    pub repetitions: i32,
    /// Ping-pong: every second pass runs in the opposite direction; default false.
    pub reverse: bool,
    /// How long a pass that starts over first holds its last keyframe, in clip seconds; default 0, which loops
    /// seamlessly. For a clip with keys at whole seconds whose last keyframe does not repeat the first, 1 looks right.
    /// No effect with ping-pong.
    pub hold: f64,
    /// What a loop without `hold` shows at the exact moment it wraps: its start (`true`, like the remainder of a
    /// division) or its end (`false`, the default, as `KHR_animation_clip` specifies).
    pub restarts_at_end: bool,
}

stateful!(Clock { start, end, offset, speed, repetitions, reverse, hold, restarts_at_end });

/// The state of a [`Clock`] at one total time.
///
/// ```
/// use nebula_animation::Clock;
///
/// let state = Clock { end: Some(2.0), reverse: true, ..Clock::default() }.at(3.5);
/// assert_eq!((state.time, state.pass, state.is_forward, state.is_finished), (0.5, 1, false, false));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockState {
    /// The clip time that is shown, in seconds; finite, and inside the played range.
    pub time: f64,
    /// Number of the pass, from 0. Negative if an endless clock was rewound past its start.
    pub pass: i64,
    /// Whether clip time increases in this pass.
    pub is_forward: bool,
    /// Whether the last pass has ended.
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
    /// Loops over 0 to `duration` seconds: the remainder of total time divided by duration.
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

    /// Plays 0 to `duration` seconds once; then the end is shown.
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

    /// The same clock with a [`hold`](Clock::hold) of this many seconds.
    #[must_use]
    pub fn with_hold(self, hold: f64) -> Self {
        Self { hold, ..self }
    }

    /// The state at a total time, in seconds since the start.
    ///
    /// Before 0, an endless clock runs backwards; every other clock stays at its beginning. NaN counts as 0.
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

    /// The total time in seconds at which the last pass ends; `None` if it never does.
    #[must_use]
    pub fn finishes_at(&self) -> Option<f64> {
        let course = Course::of(self);
        course.last_way().filter(|way| way.is_finite()).map(|way| course.total_time(0, way).max(0.0))
    }

    /// First and last time of the played range, in seconds of the clip. Without an end, the second is infinite.
    pub(crate) fn played_range(&self) -> (f64, f64) {
        Course::of(self).range()
    }

    /// How many passes after the first begin in `from < total time <= to`: how often the clock loops or reverses in
    /// that span. The order of the two times does not matter, and the cost does not depend on their distance. If an
    /// endless clock is rewound past 0, passes with negative numbers and pass 0 count too.
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
