//! A curve as whole numbers, and back.

use crate::compile::packed::{MOST_KNOT_BITS, MOST_WAVE_BITS, SCALES, SEGMENT, WAVES, bits_of, wave};

/// One curve as it is packed.
#[derive(Debug, Clone, Default)]
pub(super) struct Curve {
    pub knots: Vec<i32>,
    pub waves: Vec<[i32; WAVES]>,
}

impl Curve {
    /// Rounds samples to a step, knots to half of it, and puts what is decoded in their place. `None` where numbers do not fit.
    pub fn round(samples: &mut [f64], step: f64, scales: &[u8]) -> Option<Self> {
        let last = samples.len() - 1;
        let segments = last.div_ceil(SEGMENT);
        // Beyond the end the curve goes straight on: what is there is never seen, and costs little.
        let slope = samples[last] - samples[last - 1];
        let beyond = |sample: usize| samples[last] + slope * (sample - last) as f64;
        let at = |sample: usize| if sample <= last { samples[sample] } else { beyond(sample) };
        let half = 0.5 * step;
        let knots = (0..=segments).map(|knot| whole(at(knot * SEGMENT) / half, MOST_KNOT_BITS));
        let knots: Vec<i32> = knots.collect::<Option<_>>()?;
        let mut waves = vec![[0; WAVES]; segments];
        for (segment, waves) in waves.iter_mut().enumerate() {
            let chord = |sample: usize| {
                let part = sample as f64 / SEGMENT as f64;
                half * (f64::from(knots[segment]) * (1.0 - part) + f64::from(knots[segment + 1]) * part)
            };
            let rest: [f64; SEGMENT] = std::array::from_fn(|sample| at(segment * SEGMENT + sample) - chord(sample));
            let finest = step * f64::from(SCALES[usize::from(scales[segment])]);
            for (index, number) in waves.iter_mut().enumerate() {
                let sum: f64 = (1..SEGMENT).map(|sample| rest[sample] * wave(index, sample)).sum();
                *number = whole(sum / finest, MOST_WAVE_BITS)?;
            }
        }
        let curve = Self { knots, waves };
        for (sample, value) in samples.iter_mut().enumerate() {
            *value = curve.at(sample, step, scales);
        }
        Some(curve)
    }

    /// The value of a sample.
    fn at(&self, sample: usize, step: f64, scales: &[u8]) -> f64 {
        let segment = (sample / SEGMENT).min(self.waves.len() - 1);
        let place = sample - segment * SEGMENT;
        let part = place as f64 / SEGMENT as f64;
        let chord = f64::from(self.knots[segment]) * (1.0 - part) + f64::from(self.knots[segment + 1]) * part;
        let waves = &self.waves[segment];
        let bend: f64 = (0..WAVES).map(|index| f64::from(waves[index]) * wave(index, place)).sum();
        step * (0.5 * chord + bend * f64::from(SCALES[usize::from(scales[segment])]))
    }

    /// Whether the curve is zero everywhere.
    pub fn is_zero(&self) -> bool {
        self.knots.iter().all(|knot| *knot == 0) && self.waves.iter().flatten().all(|number| *number == 0)
    }
}

/// The nearest whole number, where it takes no more than so many bits.
fn whole(number: f64, most_bits: usize) -> Option<i32> {
    let rounded = number.round();
    (rounded.abs() < f64::from(1 << 30)).then_some(rounded as i32).filter(|whole| bits_of(*whole) <= most_bits)
}
