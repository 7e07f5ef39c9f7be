use super::course::Course;
use crate::math::ExactSum;
use crate::state::{StateError, StateProblem, StateReader, StateWriter, Stateful, stateful};

/// The position of a clock on its course: a pass, and the distance since that pass began.
///
/// Counted within the pass, so that a year of playing, or one step of 1e30 s, costs the next step no precision.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Position {
    pub pass: i64,
    way: ExactSum,
}

stateful!(Position { pass, way });

/// A place on the course that does not depend on the clip's duration.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum SentTo {
    #[default]
    Nowhere,
    /// The end that the speed moves away from.
    Start,
    /// A time stamp.
    Time(f64),
    /// A total time.
    Total(f64),
}

impl Stateful for SentTo {
    fn write_state(&self, writer: &mut StateWriter) {
        match *self {
            Self::Nowhere => writer.word(0),
            Self::Start => writer.word(1),
            Self::Time(time) => writer.write(&(2_u32, time)),
            Self::Total(total_time) => writer.write(&(3_u32, total_time)),
        }
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let kind = reader.word()?;
        let mut seconds = 0.0;
        if kind == 2 || kind == 3 {
            reader.read(&mut seconds)?;
        }
        *self = match kind {
            0 => Self::Nowhere,
            1 => Self::Start,
            2 => Self::Time(seconds),
            3 => Self::Total(seconds),
            other => return Err(StateProblem::OutOfRange(other.into()).into()),
        };
        Ok(())
    }
}

/// What a step did.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moved {
    /// How many times a pass ended and another began; stops counting at `u32::MAX`.
    pub passes: u32,
    /// Whether the position is at the end that it moves towards.
    pub is_at_end: bool,
}

stateful!(Moved { passes, is_at_end });

impl Position {
    /// The beginning of the first pass.
    pub const START: Self = Self { pass: 0, way: ExactSum::ZERO };

    pub fn new(pass: i64, way: f64) -> Self {
        Self { pass, way: ExactSum::new(way) }
    }

    /// The way since the pass began, in seconds of the clip.
    pub fn way(&self) -> f64 {
        self.way.value
    }

    /// Moves by `step` seconds of the clip; a step of 0 looks in the direction of `heading`.
    pub fn advance(&mut self, course: &Course, step: f64, heading: f64) -> Moved {
        let heading = if step == 0.0 { heading } else { step };
        let before = self.pass;
        let limits = course.passes.map(|passes| {
            // A clock cannot be turned back to before its origin, unless it is there already.
            let origin = course.split(course.origin);
            (if (before, self.way()) < origin { (0, 0.0) } else { origin }, passes)
        });
        if step != 0.0 {
            self.way.add(step);
            self.carry(course);
        }
        let mut is_at_end = false;
        if let Some((first, passes)) = limits {
            let is_past = self.pass >= passes || (self.pass == passes - 1 && self.way() >= course.length);
            let is_before = (self.pass, self.way()) <= first;
            if is_past && heading > 0.0 {
                *self = Self::new(passes - 1, course.length);
                is_at_end = true;
            } else if is_before && heading < 0.0 {
                *self = Self::new(first.0, first.1);
                is_at_end = true;
            }
        }
        Moved { passes: self.passes_since(before), is_at_end }
    }

    /// As [`advance`](Position::advance) on [`Course::looping`]; how many times a pass ended and another began.
    #[inline]
    pub fn go_round(&mut self, length: f64, step: f64) -> u32 {
        let before = self.pass;
        if step != 0.0 {
            self.way.add(step);
            if !(self.way() > 0.0 && self.way() < length) {
                self.carry(&Course::looping(length));
            }
        }
        self.passes_since(before)
    }

    #[inline]
    fn passes_since(&self, before: i64) -> u32 {
        u32::try_from(before.abs_diff(self.pass)).unwrap_or(u32::MAX)
    }

    /// Moves to the pass that contains the distance.
    fn carry(&mut self, course: &Course) {
        if !self.way().is_finite() {
            self.way = ExactSum::new(self.way().clamp(-f64::MAX, f64::MAX));
        }
        let way = self.way();
        if way > 0.0 && way < course.period {
            return;
        }
        let (pass, within) = course.carry(self.pass, way);
        self.pass = pass;
        self.way.rebase(within);
        if !(self.way() >= 0.0) && course.period.is_finite() {
            self.way = ExactSum::new(0.0);
        }
    }

    /// Puts a position that was on another course onto this one.
    pub fn fit(&mut self, course: &Course) {
        if self.way() > course.length {
            let (pass, within) = course.carry(self.pass, self.way());
            *self = if course.passes.is_some() { Self::new(self.pass, course.length) } else { Self::new(pass, within) };
        }
    }
}
