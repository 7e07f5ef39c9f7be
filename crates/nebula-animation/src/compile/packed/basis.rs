//! The waves that a segment is a sum of.

/// Intervals between samples in a segment.
pub(in crate::compile) const SEGMENT: usize = 8;
/// The waves of a segment.
pub(in crate::compile) const WAVES: usize = SEGMENT - 1;

/// `sin(pi (k + 1) j / 8) / 2` for sample `j`, wave `k`: of unit length over the samples of a segment, and zero at its ends.
const ROWS: [[f32; WAVES]; SEGMENT + 1] = {
    const A: f32 = 0.191_341_71;
    const B: f32 = 0.353_553_4;
    const C: f32 = 0.461_939_76;
    const D: f32 = 0.5;
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [A, B, C, D, C, B, A],
        [B, D, B, 0.0, -B, -D, -B],
        [C, B, -A, -D, -A, B, C],
        [D, 0.0, -D, 0.0, D, 0.0, -D],
        [C, -B, -A, D, -A, -B, C],
        [B, -D, B, 0.0, -B, D, -B],
        [A, -B, C, -D, C, -B, A],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]
};

/// A wave at a sample.
pub(in crate::compile) fn wave(wave: usize, sample: usize) -> f64 {
    f64::from(ROWS[sample][wave])
}

/// The waves at a place between two samples, as straight lines.
#[inline(always)]
pub(super) fn between(place: f32) -> [f32; WAVES] {
    let sample = (place as usize).min(SEGMENT - 1);
    let fraction = place - sample as f32;
    let (before, after) = (&ROWS[sample], &ROWS[sample + 1]);
    let mut factors = [0.0; WAVES];
    for ((factor, before), after) in factors.iter_mut().zip(before).zip(after) {
        *factor = before * (1.0 - fraction) + after * fraction;
    }
    factors
}
