//! A curve as integers, and back.

use crate::compile::packed::{LEVELS, MOST_BITS, NUMBERS, SAMPLES, SCALES, SEGMENT, bits_of, level, sample};

/// One curve as it is packed.
#[derive(Debug, Clone, Default)]
pub(super) struct Curve {
    pub knots: Vec<i32>,
    pub numbers: Vec<[i32; NUMBERS]>,
}

impl Curve {
    /// Rounds samples to a step, knots to half of it, and puts what is decoded in their place. `None` where numbers do not fit.
    pub fn round(samples: &mut [f64], step: f64, scales: &[u8]) -> Option<Self> {
        let last = samples.len() - 1;
        let segments = last.div_ceil(SEGMENT);
        // Beyond the end the curve goes straight on: what is there is never seen.
        let slope = samples[last] - samples[last - 1];
        let at = |place: usize| {
            samples.get(place).map_or(samples[last] + slope * (place - last.min(place)) as f64, |at| *at)
        };
        let half = 0.5 * step;
        let knots = (0..=segments).map(|knot| whole(at(knot * SEGMENT) / half));
        let knots: Vec<i32> = knots.collect::<Option<_>>()?;
        let mut all = vec![[0; NUMBERS]; segments];
        for (segment, numbers) in all.iter_mut().enumerate() {
            let ends = [knots[segment], knots[segment + 1]].map(|knot| half * f64::from(knot));
            let finest = step * f64::from(SCALES[usize::from(scales[segment])]);
            let mut decoded = [0.0; NUMBERS];
            for index in 0..NUMBERS {
                let place = segment * SEGMENT + SAMPLES[index];
                if place > last {
                    continue;
                }
                numbers[index] = whole((samples[place] - sample(SAMPLES[index], ends, &decoded)) / finest)?;
                decoded[index] = finest * f64::from(numbers[index]);
                samples[place] = sample(SAMPLES[index], ends, &decoded);
            }
        }
        for (knot, value) in knots.iter().zip(samples.iter_mut().step_by(SEGMENT)) {
            *value = half * f64::from(*knot);
        }
        Some(Self { knots, numbers: all })
    }

    /// The bits of each level in each segment.
    pub fn widths(&self) -> Vec<[u8; LEVELS]> {
        let of_segment = |numbers: &[i32; NUMBERS]| {
            let mut widths = [0; LEVELS];
            for (index, number) in numbers.iter().enumerate() {
                widths[level(index)] = widths[level(index)].max(bits_of(*number) as u8);
            }
            widths
        };
        self.numbers.iter().map(of_segment).collect()
    }

    /// The bits of a knot.
    pub fn knot_width(&self) -> u8 {
        self.knots.iter().map(|knot| bits_of(*knot)).max().unwrap_or(0) as u8
    }
}

/// The nearest whole number, where it does not take too many bits.
fn whole(number: f64) -> Option<i32> {
    let rounded = number.round();
    (rounded.abs() < f64::from(1 << 30)).then_some(rounded as i32).filter(|whole| bits_of(*whole) <= MOST_BITS)
}
