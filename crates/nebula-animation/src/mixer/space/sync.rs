use super::BlendSpaceError;
use super::weights::BlendWeights;
use crate::clip::Marker;
use crate::math::clean_seconds;
use crate::state::stateful;

/// One clip's cycle, cut into as many pieces as there are markers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SyncTrack {
    duration: f64,
    /// Seconds at which the pieces begin, ascending from the first marker on, and at last the first marker of the next pass.
    cuts: Vec<f64>,
}

/// A place in the cycle: whole cycles since the first marker, a piece, and how much of it has passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
pub(in crate::mixer) struct Place {
    cycle: f64,
    piece: usize,
    fraction: f64,
}

stateful!(Place { cycle, piece, fraction });

impl Place {
    /// What part of a piece or a cycle counts as nothing: more than rounding makes of it, and less than anybody sees.
    pub const NEXT: f64 = 1e-9;

    /// Whether it is a position in a cycle of this many segments, and within this many cycles of another one.
    pub(super) fn is_near(self, other: Self, pieces: usize, cycles: f64) -> bool {
        let is_inside = self.piece < pieces && (0.0..=1.0).contains(&self.fraction);
        is_inside && (self.cycle - other.cycle).abs() < cycles
    }

    /// The place, or one just behind the cut that it is at: each clip rounds the moment of a cut in its own way, and all have to
    /// agree on which side of it they are.
    pub(super) fn beyond_cut(self, pieces: usize) -> Self {
        let Self { mut cycle, mut piece, mut fraction } = self;
        if fraction > 1.0 - Self::NEXT {
            (piece, fraction) = (piece + 1, 0.0);
            if piece >= pieces {
                (cycle, piece) = (cycle + 1.0, 0);
            }
        }
        Self { cycle, piece, fraction: fraction.max(Self::NEXT) }
    }
}

impl SyncTrack {
    /// Pieces of equal length, from the clip's start.
    pub fn even(duration: f32, pieces: usize) -> Self {
        let duration = clean_seconds(duration);
        Self { duration, cuts: (0..=pieces).map(|cut| duration * (cut as f64 / pieces as f64)).collect() }
    }

    pub fn by_markers(
        (clip, duration): (&str, f32),
        markers: &[Marker],
        names: &[impl AsRef<str>],
    ) -> Result<Self, BlendSpaceError> {
        let even = Self::even(duration, names.len());
        let duration = even.duration;
        if !markers.iter().any(|marker| names.iter().any(|name| name.as_ref() == marker.name)) {
            return Ok(even);
        }
        let mut cuts: Vec<f64> = Vec::with_capacity(names.len() + 1);
        for (index, name) in names.iter().enumerate() {
            let name = name.as_ref();
            let mut named = markers.iter().filter(|marker| marker.name == name);
            let (Some(marker), None) = (named.next(), named.next()) else {
                let count = markers.iter().filter(|marker| marker.name == name).count();
                return Err(BlendSpaceError::Marker { clip: clip.to_owned(), marker: name.to_owned(), count });
            };
            let time = marker.time.clamp(0.0, duration);
            // What lies before the first marker belongs to the end of the cycle.
            let is_before = cuts.first().is_some_and(|first| time < *first);
            let time = if is_before { time + duration } else { time };
            if let Some(before) = index.checked_sub(1).filter(|before| time < cuts[*before]) {
                return Err(BlendSpaceError::Order {
                    clip: clip.to_owned(),
                    marker: name.to_owned(),
                    before: names[before].as_ref().to_owned(),
                });
            }
            cuts.push(time);
        }
        cuts.push(cuts[0] + duration);
        Ok(Self { duration, cuts })
    }

    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Seconds at which the pieces begin, and at last those at which the first one does in the next pass.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    pub fn pieces(&self) -> usize {
        self.cuts.len() - 1
    }

    fn piece(&self, piece: usize) -> f64 {
        self.cuts[piece + 1] - self.cuts[piece]
    }

    /// How far into its duration the first marker is.
    fn first(&self) -> f64 {
        if self.duration > 0.0 { self.cuts[0] / self.duration } else { 0.0 }
    }

    /// Seconds since the start of the first pass.
    pub fn seconds(&self, place: Place) -> f64 {
        place.cycle * self.duration + self.cuts[place.piece] + place.fraction * self.piece(place.piece)
    }

    /// The time in the clip.
    pub fn time(&self, place: Place) -> f64 {
        let seconds = self.seconds(place);
        if self.duration > 0.0 && !(0.0..=self.duration).contains(&seconds) {
            seconds.rem_euclid(self.duration)
        } else {
            seconds.clamp(0.0, self.duration)
        }
    }
}

/// Lets all clips begin a pass at about the same phase: the first one's.
pub(super) fn align(tracks: &mut [SyncTrack]) {
    let first = tracks.first().map_or(0.0, SyncTrack::first);
    for track in tracks {
        let passes = (first - track.first()).round();
        for cut in &mut track.cuts {
            *cut += passes * track.duration;
        }
    }
}

pub(super) fn duration(tracks: &[SyncTrack], weights: &BlendWeights) -> f64 {
    mean(tracks, weights, |track| track.duration)
}

/// What of a blend does not depend on the phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Means {
    /// How far into the cycle the first marker is.
    first: f64,
    /// Seconds that a cycle takes.
    pub duration: f64,
}

impl Means {
    pub fn of(tracks: &[SyncTrack], weights: &BlendWeights) -> Self {
        Self { first: mean(tracks, weights, SyncTrack::first), duration: duration(tracks, weights) }
    }
}

/// Where phases end, in either direction.
const LAST_PHASE: f64 = 1e15;

/// The place at a phase. Every piece takes the mean of what it takes in each clip, so that the pace of a clip on its own is
/// its own.
pub(super) fn locate(tracks: &[SyncTrack], weights: &BlendWeights, means: &Means, phase: f64) -> Place {
    // Beyond it, an `f64` has no fraction of a cycle left.
    let phase = if phase.is_finite() { phase.clamp(-LAST_PHASE, LAST_PHASE) } else { 0.0 };
    let since_first = phase - means.first;
    // Most are in their first cycle, whose number is 0.
    let cycle = if since_first > 0.0 && since_first < 1.0 { 0.0 } else { since_first.floor() };
    let pieces = tracks.first().map_or(1, SyncTrack::pieces);
    let mut left = (since_first - cycle) * means.duration;
    for piece in 0..pieces {
        let length = mean(tracks, weights, |track| track.piece(piece));
        if left < length || piece == pieces - 1 {
            let fraction = if length > 0.0 { (left / length).min(1.0) } else { 0.0 };
            return Place { cycle, piece, fraction };
        }
        left -= length;
    }
    Place { cycle, piece: 0, fraction: 0.0 }
}

fn mean(tracks: &[SyncTrack], weights: &BlendWeights, of: impl Fn(&SyncTrack) -> f64) -> f64 {
    let part = |&(index, weight): &(usize, f32)| tracks.get(index).map_or(0.0, |track| f64::from(weight) * of(track));
    weights.iter().map(part).sum()
}
