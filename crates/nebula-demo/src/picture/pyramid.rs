//! A two-channel picture and increasingly blurred copies of it.

use glam::{IVec2, Vec2};

/// Copies of half the size each; every one is softer than the one before.
#[derive(Debug, Default)]
pub(super) struct Pyramid {
    levels: [Level; LEVELS],
}

/// Number of copies.
pub(crate) const LEVELS: usize = 4;

#[derive(Debug, Default)]
struct Level {
    width: usize,
    height: usize,
    values: Vec<Vec2>,
    /// Working memory: the level before, already of half the width.
    narrowed: Vec<Vec2>,
}

impl Pyramid {
    /// Makes all copies from rows of equal length.
    pub(super) fn build<'a>(
        &mut self,
        width: usize,
        rows: impl Iterator<Item = &'a [f32]>,
        value: impl Fn(f32) -> Vec2,
    ) {
        let base = &mut self.levels[0];
        base.width = width;
        base.values.clear();
        base.values.extend(rows.flatten().map(|&height| value(height)));
        base.height = base.values.len().checked_div(width).unwrap_or(0);
        for index in 1..LEVELS {
            let (before, after) = self.levels.split_at_mut(index);
            after[0].shrink(&before[index - 1]);
        }
    }

    /// The values at a place in texels of the first level, at a softness that lies between two levels.
    pub(super) fn sample(&self, place: Vec2, softness: f32) -> Vec2 {
        let softness = softness.clamp(0.0, (LEVELS - 1) as f32);
        let first = softness as usize;
        let fraction = softness - first as f32;
        let scale = 1.0 / (1 << first) as f32;
        let sharper = self.levels[first].sample(place * scale);
        match self.levels.get(first + 1) {
            Some(softer) if fraction > 0.0 => sharper.lerp(softer.sample(place * (scale * 0.5)), fraction),
            _ => sharper,
        }
    }
}

/// Weights of the texels around the two that become one: close to a bell curve.
const KERNEL: [f32; 4] = [0.125, 0.375, 0.375, 0.125];

impl Level {
    /// Becomes a copy of half the size of another level. Texels outside are zero.
    fn shrink(&mut self, other: &Self) {
        (self.width, self.height) = (other.width / 2, other.height / 2);
        self.narrowed.clear();
        if self.width == 0 || self.height == 0 {
            self.values.clear();
            return;
        }
        for row in other.values.chunks_exact(other.width) {
            self.narrowed.extend((0..self.width).map(|x| {
                let at = |offset: usize| {
                    (x * 2 + offset).checked_sub(1).and_then(|x| row.get(x)).copied().unwrap_or(Vec2::ZERO)
                };
                at(0) * KERNEL[0] + at(1) * KERNEL[1] + at(2) * KERNEL[2] + at(3) * KERNEL[3]
            }));
        }
        self.values.clear();
        self.values.resize(self.width * self.height, Vec2::ZERO);
        for (y, row) in self.values.chunks_exact_mut(self.width).enumerate() {
            for (offset, weight) in KERNEL.into_iter().enumerate() {
                let Some(source) = (y * 2 + offset).checked_sub(1) else { continue };
                let Some(source) = self.narrowed.chunks_exact(self.width).nth(source) else { continue };
                for (value, source) in row.iter_mut().zip(source) {
                    *value += *source * weight;
                }
            }
        }
    }

    /// The mix of the nine texels around a place, with weights that change smoothly: between four texels, the
    /// texels of the softest copies could be made out.
    fn sample(&self, place: Vec2) -> Vec2 {
        let corner = IVec2::new(floor(place.x), floor(place.y));
        let fraction = place - corner.as_vec2();
        let (x, y) = (corner.x.saturating_sub(1), corner.y.saturating_sub(1));
        let weights = |t: f32| [0.5 * (1.0 - t) * (1.0 - t), 0.5 + t * (1.0 - t), 0.5 * t * t];
        let (columns, rows) = (weights(fraction.x), weights(fraction.y));
        let mut sum = Vec2::ZERO;
        for (row, row_weight) in rows.into_iter().enumerate() {
            let values = self.three(x, y.saturating_add(row as i32));
            sum += (values[0] * columns[0] + values[1] * columns[1] + values[2] * columns[2]) * row_weight;
        }
        sum
    }

    /// Three neighbouring texels of a row; texels outside are zero.
    fn three(&self, x: i32, y: i32) -> [Vec2; 3] {
        let row = match usize::try_from(y) {
            Ok(y) if y < self.height => &self.values[y * self.width..(y + 1) * self.width],
            _ => return [Vec2::ZERO; 3],
        };
        match usize::try_from(x).ok().and_then(|x| row.get(x..)?.first_chunk()) {
            Some(three) => *three,
            None => [0, 1, 2].map(|offset| {
                usize::try_from(x.saturating_add(offset)).ok().and_then(|x| row.get(x)).copied().unwrap_or(Vec2::ZERO)
            }),
        }
    }
}

/// The next whole number below, without a call into the mathematics library. What does not fit is bounded.
pub(super) fn floor(value: f32) -> i32 {
    let cut = value as i32;
    cut.saturating_sub(i32::from(value < cut as f32))
}
