//! Key times, with a look-up whose cost does not depend on previous look-ups.

/// Sorted key times of one or many tracks; at least two.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Timeline {
    times: Box<[f32]>,
    lookup: Lookup,
}

#[derive(Debug, Clone, PartialEq)]
enum Lookup {
    /// Keys at equal distances, but for rounding: one multiplication finds a key, or its neighbour.
    Uniform { keys_per_second: f32 },
    /// Keys at any distances.
    Table(Stretches),
}

/// Keys that a stretch of time has, on average: few to search through, and a table that is small beside the times (half
/// of a byte for each), because compiled clips are to be no larger than flat keys.
pub(super) const KEYS_PER_STRETCH: usize = 4;

/// A place between two keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    /// The key before; there is always one after it.
    pub key: usize,
    /// How far towards the next key, from 0 to 1.
    pub fraction: f32,
    /// The distance of the two keys in seconds.
    pub seconds: f32,
    /// Whether the next key is reached, which only the last one ever is. A fraction of 1 does not say so: just before a
    /// key, it rounds to that.
    pub is_end: bool,
}

impl Timeline {
    /// `None` for fewer than two keys, or times that fall or are not numbers. All keys may be at one time: a step.
    pub fn new(times: &[f32]) -> Option<Self> {
        let (&first, &last) = (times.first()?, times.last()?);
        let span = last - first;
        if !(span >= 0.0) || times.len() < 2 {
            return None;
        }
        let intervals = (times.len() - 1) as f32;
        let keys_per_second = intervals / span;
        let is_uniform = keys_per_second.is_finite()
            && times
                .iter()
                .enumerate()
                .all(|(key, &time)| ((time - first) * keys_per_second - key as f32).abs() < 0.01);
        let lookup = if is_uniform { Lookup::Uniform { keys_per_second } } else { Lookup::Table(Stretches::of(times)) };
        // Zero without a sign: a time divided by the other one is infinite in the wrong direction.
        Some(Self { times: times.iter().map(|time| time + 0.0).collect(), lookup })
    }

    pub fn is_uniform(&self) -> bool {
        matches!(self.lookup, Lookup::Uniform { .. })
    }

    pub fn times(&self) -> &[f32] {
        &self.times
    }

    pub fn bytes(&self) -> usize {
        let table = match &self.lookup {
            Lookup::Uniform { .. } => 0,
            Lookup::Table(stretches) => size_of_val::<[u16]>(&stretches.keys),
        };
        size_of_val::<[f32]>(&self.times) + table
    }

    /// The keys around `time`; the first or the last two where it lies outside, or is not a number.
    #[inline]
    pub fn find(&self, time: f32) -> Place {
        let (first, last) = (self.times[0], self.times.len() - 1);
        if !(time > first) {
            return Place { key: 0, fraction: 0.0, seconds: self.times[1] - first, is_end: false };
        }
        if time >= self.times[last] {
            let seconds = self.times[last] - self.times[last - 1];
            return Place { key: last - 1, fraction: 1.0, seconds, is_end: true };
        }
        let key = match &self.lookup {
            Lookup::Uniform { keys_per_second } => ((time - first) * keys_per_second) as u32 as usize,
            Lookup::Table(stretches) => {
                let start = stretches.start(time - first);
                start + self.times[start..].partition_point(|&key| key <= time).saturating_sub(1)
            }
        };
        // Rounding may have missed by one key.
        let mut key = key.min(last - 1);
        while self.times[key] > time {
            key -= 1;
        }
        while self.times[key + 1] <= time {
            key += 1;
        }
        let seconds = self.times[key + 1] - self.times[key];
        Place { key, fraction: (time - self.times[key]) / seconds, seconds, is_end: false }
    }
}

/// Equal stretches of a timeline, with a key for each from which a search may begin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stretches {
    /// 0 where all times are equal, or too many for a table.
    pub per_second: f32,
    /// For each stretch, a key in an earlier one; the first key for the first. Never empty.
    pub keys: Box<[u16]>,
}

impl Stretches {
    /// Of sorted times.
    pub fn of(times: &[f32]) -> Self {
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
            return Self { per_second: 0.0, keys: [0].into() };
        };
        let per_second = (times.len() - 1) as f32 / (last - first) / KEYS_PER_STRETCH as f32;
        if !per_second.is_finite() || times.len() > usize::from(u16::MAX) {
            return Self { per_second: 0.0, keys: [0].into() };
        }
        let stretch_of = |time: f32| ((time - first) * per_second) as usize;
        let mut key = 0;
        let keys = (0..times.len().div_ceil(KEYS_PER_STRETCH)).map(|stretch| {
            // By the arithmetic of the search, so that rounding cannot lead past the key that is sought.
            while key + 1 < times.len() && stretch_of(times[key + 1]) < stretch {
                key += 1;
            }
            key as u16
        });
        Self { per_second, keys: keys.collect() }
    }

    /// A key at or before a time after the first one.
    #[inline]
    fn start(&self, seconds: f32) -> usize {
        usize::from(self.keys[((seconds * self.per_second) as usize).min(self.keys.len() - 1)])
    }
}
