use super::delta::RootDelta;
use crate::clip::Clock;

/// The root's extracted position and heading at each time of a clip.
///
/// [`extract_root_motion`](super::extract_root_motion) creates it. Its result depends on two points in time and is not
/// a sum of frames, so neither frame rate, loops, speed nor direction make it drift.
///
/// ```
/// use glam::DVec3;
/// use nebula_animation::{Clock, compile::{RootDelta, RootTrack}};
///
/// let walk = RootTrack::from_keys([(0.0, RootDelta::ZERO), (2.0, RootDelta { translation: DVec3::Z, yaw: 0.0 })]);
/// let way = walk.motion(&Clock::looping(2.0), 0.5, 1000.5);
/// assert_eq!(way.translation.z, 500.0);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RootTrack {
    /// Ascending.
    times: Vec<f64>,
    places: Vec<RootDelta>,
}

/// How many keys a straight way replaces at most: all of them are looked at for each one that is added.
const FARTHEST: usize = 256;

impl RootTrack {
    /// A track from times in seconds, ascending, and the positions at those times, interpolated linearly. Keys that are
    /// not finite or out of order are dropped.
    #[must_use]
    pub fn from_keys(keys: impl IntoIterator<Item = (f64, RootDelta)>) -> Self {
        let mut track = Self::default();
        for (time, place) in keys {
            let is_finite = time.is_finite() && place.translation.is_finite() && place.yaw.is_finite();
            if is_finite && track.times.last().is_none_or(|last| *last <= time) {
                track.times.push(time);
                track.places.push(place);
            }
        }
        track
    }

    /// The times and the places at them.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = (f64, RootDelta)> {
        self.times.iter().copied().zip(self.places.iter().copied())
    }

    /// The track without keys that are not needed: the way between those that are left is never farther from it than a bound in
    /// the file's unit (metres), and the turn than what moves a point a metre away by as much.
    /// Without a bound it is as it is.
    pub(crate) fn thinned(self, bound: Option<f32>) -> Self {
        let Some(bound) = bound.filter(|bound| *bound > 0.0).map(f64::from) else { return self };
        let keys: Vec<(f64, RootDelta)> = self.keys().collect();
        let mut kept = Self::default();
        let mut start = 0;
        while let Some((time, place)) = keys.get(start) {
            kept.times.push(*time);
            kept.places.push(*place);
            // As far as a straight way reaches.
            let is_straight = |end: usize| {
                let ends = Self::from_keys([keys[start], keys[end]]);
                keys[start + 1..end].iter().all(|(time, place)| {
                    let there = ends.place(*time);
                    there.translation.distance(place.translation) <= bound && (there.yaw - place.yaw).abs() <= bound
                })
            };
            let last = keys.len() - 1;
            let mut end = start + 1;
            while end < last.min(start + FARTHEST) && is_straight(end + 1) {
                end += 1;
            }
            start = end;
        }
        kept
    }

    /// Bytes that the track takes in memory beside itself.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.times[..]) + size_of_val(&self.places[..])
    }

    /// `true` if nothing moves.
    #[must_use]
    pub fn is_still(&self) -> bool {
        self.places.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The position at `seconds` of the clip, relative to the root's rest position; clamped to the clip.
    #[must_use]
    pub fn place(&self, seconds: f64) -> RootDelta {
        let after = self.times.partition_point(|time| *time <= seconds);
        let (Some(before), Some(&end)) = (after.checked_sub(1), self.times.get(after)) else {
            let nearest = if after == 0 { self.places.first() } else { self.places.last() };
            return nearest.copied().unwrap_or(RootDelta::ZERO);
        };
        let (start, from, to) = (self.times[before], self.places[before], self.places[after]);
        let fraction = (seconds - start) / (end - start);
        RootDelta {
            translation: from.translation.lerp(to.translation, fraction),
            yaw: from.yaw + (to.yaw - from.yaw) * fraction,
        }
    }

    /// The motion between two times of the clip, in seconds, of the same pass.
    #[must_use]
    pub fn between(&self, from: f64, to: f64) -> RootDelta {
        self.place(from).inverse().then(self.place(to))
    }

    /// The motion while a clock goes from one total time to another, in seconds since its start. In reverse if the
    /// second one is earlier.
    ///
    /// When a loop wraps, the root continues from where it is. With ping-pong, it goes back.
    #[must_use]
    pub fn motion(&self, clock: &Clock, from: f64, to: f64) -> RootDelta {
        let (first, last) = (clock.at(from), clock.at(to));
        let passes = last.pass.saturating_sub(first.pass);
        if clock.reverse || passes == 0 {
            return self.between(first.time, last.time);
        }
        let (start, end) = clock.played_range();
        let (entry, exit) = if first.is_forward { (start, end) } else { (end, start) };
        // To the end of the first pass, whole passes, and into the last one. Each is a motion within the clip, so that
        // the number of passes before costs no precision.
        let whole = self.between(entry, exit).repeated(passes.saturating_sub(1));
        let whole = if passes > 0 { whole } else { self.between(entry, exit).repeated(passes.saturating_add(1)) };
        if passes > 0 {
            self.between(first.time, exit).then(whole).then(self.between(entry, last.time))
        } else {
            self.between(first.time, entry).then(whole).then(self.between(exit, last.time))
        }
    }
}
