//! Reconstructs the samples of a segment from its numbers.
//!
//! The middle sample is the mean of the two knots plus a residual; the samples at the quarters are on the parabola
//! through the three known ones, plus a residual; the odd ones are on the cubic through four known ones, plus a
//! residual. So each residual is only what smooth motion does not predict, and each sample's error is the rounding of
//! its own residual, whatever the errors of the others. Two adjacent samples need five of the nine numbers.

/// Intervals between samples in a segment.
pub(in crate::compile) const SEGMENT: usize = 8;
/// The numbers of a segment beside its knots: of the samples 4; 2, 6; 1, 3, 5, 7.
pub(in crate::compile) const NUMBERS: usize = SEGMENT - 1;
/// Numbers of one level have as many bits as each other.
pub(in crate::compile) const LEVELS: usize = 3;
/// Numbers that two neighbouring samples need: two knots, and one of each level.
pub(super) const NEEDED: usize = 2 + LEVELS;

/// The sample that each number belongs to.
pub(in crate::compile) const SAMPLES: [usize; NUMBERS] = [4, 2, 6, 1, 3, 5, 7];

/// The level of a number.
pub(in crate::compile) const fn level(number: usize) -> usize {
    (number + 1).ilog2() as usize
}

/// For each sample, its parts of first knot, last knot, and of the number of each level that is nearest.
const ROWS: [[f32; NEEDED]; SEGMENT + 1] = {
    let mut rows = [[0.0; NEEDED]; SEGMENT + 1];
    rows[0][0] = 1.0;
    rows[8][1] = 1.0;
    rows[4] = [0.5, 0.5, 1.0, 0.0, 0.0];
    rows[2] = mix([rows[0], rows[4], rows[8], rows[8]], [0.375, 0.75, -0.125, 0.0], 3);
    rows[6] = mix([rows[8], rows[4], rows[0], rows[0]], [0.375, 0.75, -0.125, 0.0], 3);
    let near = [0.328_125, 0.875, -0.218_75, 0.015_625];
    let far = [-0.078_125, 0.625, 0.468_75, -0.015_625];
    rows[1] = mix([rows[0], rows[2], rows[4], rows[8]], near, 4);
    rows[3] = mix([rows[0], rows[2], rows[4], rows[8]], far, 4);
    rows[7] = mix([rows[8], rows[6], rows[4], rows[0]], near, 4);
    rows[5] = mix([rows[8], rows[6], rows[4], rows[0]], far, 4);
    rows
};

/// The sum of rows times factors, and a number of its own.
const fn mix(of: [[f32; NEEDED]; 4], factors: [f32; 4], own: usize) -> [f32; NEEDED] {
    let mut sum = [0.0; NEEDED];
    let mut part = 0;
    while part < NEEDED {
        sum[part] =
            of[0][part] * factors[0] + of[1][part] * factors[1] + of[2][part] * factors[2] + of[3][part] * factors[3];
        part += 1;
    }
    sum[own] = 1.0;
    sum
}

/// The parts of the numbers that the samples before and after an interval need.
#[inline(always)]
pub(super) fn around(interval: usize) -> [&'static [f32; NEEDED]; 2] {
    [&ROWS[interval], &ROWS[interval + 1]]
}

/// A sample by the knots and by those numbers that it needs; its own, where it has one, may be missing.
pub(in crate::compile) fn sample(sample: usize, knots: [f64; 2], numbers: &[f64; NUMBERS]) -> f64 {
    let row = &ROWS[sample];
    let interval = sample.min(SEGMENT - 1);
    let needed = [knots[0], knots[1], numbers[0], numbers[1 + interval / 4], numbers[3 + interval / 2]];
    // An even sample before the middle of two odd ones needs neither.
    row.iter().zip(needed).map(|(part, number)| f64::from(*part) * number).sum()
}
