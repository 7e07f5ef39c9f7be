use std::ops::Range;

use super::clock::Clock;
use super::course::Course;
use crate::math::partition;

/// A named moment of a clip: a footstep, the frame in which a sword hits. [`Clock::markers_between`] finds when it is
/// passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// What happens; names need not be unique.
    pub name: String,
    /// When, in clip seconds. A marker outside the range that a clock plays is never passed.
    pub time: f64,
}

/// A marker that a clock has passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkerHit<'a> {
    /// The marker.
    pub marker: &'a Marker,
    /// Its index among the markers.
    pub index: usize,
    /// Number of the pass in which it was passed, from 0.
    pub pass: i64,
    /// The total time at the marker, in seconds.
    pub total_time: f64,
}

impl Clock {
    /// The markers passed in `from < total time <= to`, in order; in reverse order if `to` is less than `from`.
    ///
    /// Adjacent spans report every marker exactly once, however you cut time into steps. Total time 0 belongs to the
    /// span that ends there: let the first span begin at `-f64::MIN_POSITIVE` to include a marker at the very start. A
    /// marker at a ping-pong turning point is passed once per turn.
    ///
    /// `markers` must be sorted by time; otherwise the hits of a pass come in a different order. The iterator is lazy
    /// and does not allocate. [`MarkersBetween::total`] counts the hits without visiting them.
    ///
    /// ```
    /// use nebula_animation::{Clock, Marker};
    ///
    /// let steps = [Marker { name: "left".into(), time: 0.2 }, Marker { name: "right".into(), time: 0.7 }];
    /// let walk = Clock::looping(1.0);
    /// let met: Vec<&str> = walk.markers_between(&steps, 0.5, 1.5).map(|hit| hit.marker.name.as_str()).collect();
    /// assert_eq!(met, ["right", "left"]);
    /// assert_eq!(walk.markers_between(&steps, 0.0, 1e9).total(), 2_000_000_000);
    /// ```
    #[must_use]
    pub fn markers_between<'a>(&self, markers: &'a [Marker], from: f64, to: f64) -> MarkersBetween<'a> {
        MarkersBetween::new(Course::of(self), markers, from, to)
    }
}

/// The iterator returned by [`Clock::markers_between`].
#[derive(Debug, Clone)]
pub struct MarkersBetween<'a> {
    course: Course,
    markers: &'a [Marker],
    after: f64,
    until: f64,
    is_rewinding: bool,
    /// The passes that have not been looked at to the end.
    passes: Range<i64>,
    /// How many markers of the current pass have been looked at.
    visited: usize,
}

impl<'a> MarkersBetween<'a> {
    fn new(course: Course, markers: &'a [Marker], from: f64, to: f64) -> Self {
        let (after, until) = (from.min(to), from.max(to));
        let all = course.all_passes();
        let is_met = markers.iter().any(|marker| course.contains(marker.time));
        let passes = if is_met && course.rate > 0.0 {
            let first = partition(all.clone(), |pass| course.total_time(pass, course.length) <= after);
            first..partition(first..all.end, |pass| course.total_time(pass, 0.0) <= until)
        } else {
            0..0
        };
        Self { course, markers, after, until, is_rewinding: to < from, passes, visited: 0 }
    }

    /// The number of hits of the whole span, including those already returned. The cost depends on the number of
    /// markers, not on the length of the span.
    #[must_use]
    pub fn total(&self) -> u64 {
        let all = self.course.all_passes();
        if self.course.rate == 0.0 || all.is_empty() {
            return 0;
        }
        // Every second pass of a clock that goes back and forth meets a marker after the same way.
        let stride = if self.course.turns() { 2 } else { 1 };
        let mut total = 0_u64;
        for (index, marker) in self.markers.iter().enumerate().filter(|(_, marker)| self.course.contains(marker.time)) {
            for phase in 0..stride {
                let within = self.course.within(phase, marker.time);
                let hits = if self.course.turns() && within == 0.0 {
                    // Met as the end of the passes before; only the very first pass has none before it.
                    u64::from(phase == 0 && self.hit(0, index).is_some())
                } else {
                    let total_time = |n: i64| self.course.total_time(n * stride + phase, within);
                    let numbers = all.start / stride..(all.end - phase + stride - 1) / stride;
                    let first = partition(numbers.clone(), |n| !self.is_after(total_time(n)));
                    let end = partition(first..numbers.end, |n| total_time(n) <= self.until);
                    (end - first).unsigned_abs()
                };
                total = total.saturating_add(hits);
            }
        }
        total
    }

    /// Whether a total time lies after the beginning of the span, and is one at which the clock runs.
    fn is_after(&self, total_time: f64) -> bool {
        total_time > self.after && (self.course.passes.is_none() || total_time >= 0.0)
    }

    /// The hit of one marker in one pass, if it lies in the span.
    fn hit(&self, pass: i64, index: usize) -> Option<MarkerHit<'a>> {
        let marker = &self.markers[index];
        if !self.course.contains(marker.time) {
            return None;
        }
        let within = self.course.within(pass, marker.time);
        let total_time = self.course.total_time(pass, within);
        let is_first_pass = self.course.passes.is_some() && pass == 0;
        // A turning point is the end of one pass and the beginning of the next.
        if self.course.turns() && within == 0.0 && !is_first_pass {
            return None;
        }
        (self.is_after(total_time) && total_time <= self.until).then_some(MarkerHit { marker, index, pass, total_time })
    }
}

impl<'a> Iterator for MarkersBetween<'a> {
    type Item = MarkerHit<'a>;

    fn next(&mut self) -> Option<MarkerHit<'a>> {
        while !self.passes.is_empty() {
            let pass = if self.is_rewinding { self.passes.end - 1 } else { self.passes.start };
            while self.visited < self.markers.len() {
                let is_ascending = self.course.is_forward(pass) != self.is_rewinding;
                let index = if is_ascending { self.visited } else { self.markers.len() - 1 - self.visited };
                self.visited += 1;
                let hit = self.hit(pass, index);
                if hit.is_some() {
                    return hit;
                }
            }
            self.visited = 0;
            if self.is_rewinding {
                self.passes.end -= 1;
            } else {
                self.passes.start += 1;
            }
        }
        None
    }
}
