//! The spans of total time that a clock went through, in which markers and root motion are found.

use crate::state::{Stateful, stateful};

/// Total times that a clock went through, in seconds: after `from`, up to `to`; `to` may be the smaller one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Span {
    pub from: f64,
    pub to: f64,
}

impl Span {
    /// From the end of the last span to another total time. If the moment `from` itself has not been reported yet (it
    /// is *fresh*), a forward span includes it.
    pub fn new(from: f64, is_fresh: bool, to: f64) -> Self {
        Self { from: if is_fresh && to > from { before(from) } else { from }, to }
    }
}

/// A total time just before another one.
pub(crate) fn before(total_time: f64) -> f64 {
    if total_time == 0.0 { -f64::MIN_POSITIVE } else { total_time.next_down() }
}

/// The way of a clock, span by span. Spans join, so that every moment lies in exactly one of them, until it jumps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trip {
    /// What the last frame went through: by scrubbing, then by the passing of time.
    spans: [Span; 2],
    /// The total time up to which spans have been reported.
    told: f64,
    /// Whether a marker at exactly that time has not been reported yet.
    is_fresh: bool,
    /// The total time at the end of the last frame.
    last_total: f64,
    /// Whether a step has moved it.
    has_started: bool,
}

impl Stateful for Trip {
    stateful!(flags { is_fresh, has_started } given {} kept { told, last_total } then begin);
}

impl Default for Trip {
    fn default() -> Self {
        Self { spans: [Span::default(); 2], told: 0.0, is_fresh: true, last_total: 0.0, has_started: false }
    }
}

impl Trip {
    /// What the last frame went through: by scrubbing, then by the passing of time.
    pub fn spans(&self) -> [Span; 2] {
        self.spans
    }

    /// The total times between which nothing has been reported yet; almost always the same value twice.
    pub fn gap(&self) -> [f64; 2] {
        [self.told, self.last_total]
    }

    /// Takes note of the present moment's total time, which is another one after the clock's own fields were changed.
    pub(super) fn rename(&mut self, here: f64) {
        if here != self.last_total {
            (self.told, self.is_fresh) = (here, false);
        }
    }

    /// Goes on at another place without coming by what lies between.
    pub(super) fn jump(&mut self, here: f64) {
        (self.told, self.is_fresh) = (here, true);
    }

    /// Begins a frame.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.spans = [Span { from: self.told, to: self.told }; 2];
    }

    /// Moves to another position by hand. Before it has ever moved, that is its start.
    pub(super) fn scrub(&mut self, here: f64) {
        if self.has_started {
            self.spans[0] = self.travel(here);
        } else {
            self.jump(here);
        }
    }

    /// Takes note of where the clock stands.
    pub(super) fn stand(&mut self, here: f64) {
        self.last_total = here;
    }

    /// Goes to another place as time passes, by `step`.
    pub(super) fn step(&mut self, here: f64, step: f64, is_at_end: bool) {
        if step != 0.0 {
            // Backwards, the first moment of all is come by on arrival.
            self.spans[1] = self.travel(if is_at_end && step < 0.0 { before(here) } else { here });
        }
        self.has_started = true;
        self.last_total = here;
    }

    /// Goes to another place by steps in which nothing was to be reported.
    pub(super) fn skip(&mut self, here: f64) {
        (self.told, self.last_total) = (here, here);
        self.begin();
    }

    /// The span from where the last one ended.
    fn travel(&mut self, to: f64) -> Span {
        let span = Span::new(self.told, self.is_fresh, to);
        self.is_fresh &= to == self.told;
        self.told = to;
        span
    }
}
