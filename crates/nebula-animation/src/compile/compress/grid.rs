//! The evenly spaced times at which a clip is sampled.

use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};

/// Times at equal distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    pub start: f32,
    pub per_second: f64,
    /// The number of the last sample, at least 1.
    pub last: usize,
}

/// How far a key may be from the grid, in samples, beside what rounding of its time makes.
const OFF: f64 = 2e-3;
/// More samples than these for each key of the channel that has the most are a waste.
const MOST_PER_KEY: usize = 4;

impl Grid {
    /// The grid that has the keys of as many channels as possible, of those that the nearest keys and the fullest channels suggest.
    pub fn of(clip: &AnimationClip) -> Option<Self> {
        let mut channels: Vec<Vec<f32>> = Vec::new();
        channels.extend(clip.rotation_channels.iter().filter_map(times));
        channels.extend(clip.translation_channels.iter().filter_map(times));
        let all = || channels.iter().flatten().copied();
        let start = all().fold(f32::INFINITY, f32::min);
        let end = all().fold(f32::NEG_INFINITY, f32::max);
        let most = channels.iter().map(Vec::len).max()?;
        let span = f64::from(end) - f64::from(start);
        let gaps = channels.iter().flat_map(|times| times.windows(2)).map(|pair| pair[1] - pair[0]);
        let nearest = f64::from(gaps.filter(|gap| *gap > 0.0).fold(f32::INFINITY, f32::min));
        let even = |count: f64| {
            let count = count.round();
            let is_fit = span > 0.0 && count >= 1.0 && count <= (MOST_PER_KEY * most) as f64;
            is_fit.then(|| Self { start, per_second: count / span, last: count as usize })
        };
        let candidates = [even(span / nearest), even((most - 1) as f64)].into_iter().flatten();
        let held = |grid: &Self| channels.iter().filter(|times| grid.holds(times)).count();
        // Of two that hold as many channels, the coarser one.
        candidates.filter(|grid| held(grid) > 0).max_by_key(|grid| (held(grid), usize::MAX - grid.last))
    }

    /// 30 samples a second of a clip that has no grid of its own.
    pub fn at_30_hertz(duration: f32) -> Self {
        let seconds = if duration.is_finite() { f64::from(duration.clamp(0.0, 3600.0)) } else { 0.0 };
        let last = ((30.0 * seconds) as usize).max(1);
        Self { start: 0.0, per_second: if seconds > 0.0 { last as f64 / seconds } else { 1.0 }, last }
    }

    /// The times half way between samples.
    pub fn between(&self) -> impl Iterator<Item = f32> + use<> {
        let Self { start, per_second, last } = *self;
        (0..last).map(move |sample| (f64::from(start) + (sample as f64 + 0.5) / per_second) as f32)
    }

    /// The times of the clip's keys, one for each sample: of the keys near a sample, the one that is farthest from it counts.
    pub fn keys(&self, clip: &AnimationClip) -> Vec<f32> {
        let mut keys: Vec<f32> = (0..=self.last).map(|sample| self.time(sample)).collect();
        let turns = clip.rotation_channels.iter().filter_map(times);
        let ways = clip.translation_channels.iter().filter_map(times);
        for time in turns.chain(ways).filter(|times| self.holds(times)).flatten() {
            let place = ((f64::from(time) - f64::from(self.start)) * self.per_second).round().max(0.0) as usize;
            let sample = self.time(place);
            if let Some(key) = keys.get_mut(place).filter(|key| (time - sample).abs() > (**key - sample).abs()) {
                *key = time;
            }
        }
        keys
    }

    /// The time of a sample.
    pub fn time(&self, sample: usize) -> f32 {
        (f64::from(self.start) + sample as f64 / self.per_second) as f32
    }

    /// Whether keys are on the grid.
    pub fn holds(&self, times: &[f32]) -> bool {
        times.iter().all(|&time| {
            let place = (f64::from(time) - f64::from(self.start)) * self.per_second;
            let rounding = f64::from(time.abs()) * f64::from(f32::EPSILON) * self.per_second;
            (place - place.round()).abs() <= OFF + rounding && place < self.last as f64 + 0.5
        })
    }
}

/// The times of a linear channel that moves: finite and rising.
pub(super) fn times<T: Clone + PartialEq>(channel: &Channel<T>) -> Option<Vec<f32>> {
    let keys = &channel.keyframes;
    let is_linear = channel.interpolation == Interpolation::Linear && keys.len() > 1;
    let is_rising = |pair: &[Keyframe<T>]| pair[0].time < pair[1].time;
    let is_plain = keys.iter().all(|key| key.time.is_finite()) && keys.windows(2).all(is_rising);
    let moves = keys.iter().any(|key| key.value != keys[0].value);
    (is_linear && is_plain && moves).then(|| keys.iter().map(|key| key.time).collect())
}
