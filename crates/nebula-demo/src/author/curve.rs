/// A smooth curve through given points: continuous in value and slope, never beyond its points, and exactly flat between
/// two equal ones. A planted foot needs the last property.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// Time, value and slope, in the order of time.
    knots: Vec<[f64; 3]>,
    /// The length of one round, if the curve repeats.
    period: Option<f64>,
}

impl Curve {
    /// A curve that rests at its first and last value.
    pub fn once(points: &[(f64, f64)]) -> Self {
        let slope = |i: usize| {
            if i == 0 || i + 1 == points.len() { 0.0 } else { gentle_slope(points[i - 1], points[i], points[i + 1]) }
        };
        Self { knots: (0..points.len()).map(|i| [points[i].0, points[i].1, slope(i)]).collect(), period: None }
    }

    /// A curve that repeats after `period`; the points lie within one period and the first one is repeated by itself.
    pub fn repeating(period: f64, points: &[(f64, f64)]) -> Self {
        let count = points.len();
        let point = |i: isize| {
            let round = i.div_euclid(count as isize);
            let (time, value) = points[i.rem_euclid(count as isize) as usize];
            (time + round as f64 * period, value)
        };
        let knot = |i: isize| {
            let (time, value) = point(i);
            [time, value, gentle_slope(point(i - 1), point(i), point(i + 1))]
        };
        Self { knots: (0..=count as isize).map(knot).collect(), period: Some(period) }
    }

    /// A curve with the slopes given at every point: `[time, value, slope]`.
    pub fn with_slopes(knots: &[[f64; 3]]) -> Self {
        Self { knots: knots.to_vec(), period: None }
    }

    /// The value at a time; before the first and after the last point of a curve that does not repeat, theirs.
    pub fn at(&self, time: f64) -> f64 {
        let (u, span, [v0, s0, v1, s1]) = self.piece(time);
        let (u2, u3) = (u * u, u * u * u);
        let ends = v0 * (2.0 * u3 - 3.0 * u2 + 1.0) + v1 * (3.0 * u2 - 2.0 * u3);
        ends + span * (s0 * (u3 - 2.0 * u2 + u) + s1 * (u3 - u2))
    }

    /// The slope at a time within the points.
    pub fn slope(&self, time: f64) -> f64 {
        let (u, span, [v0, s0, v1, s1]) = self.piece(time);
        let u2 = u * u;
        6.0 * (v1 - v0) * (u - u2) / span + s0 * (3.0 * u2 - 4.0 * u + 1.0) + s1 * (3.0 * u2 - 2.0 * u)
    }

    /// The piece between two points that holds a time: how far into it, its length, and value and slope at both ends.
    fn piece(&self, time: f64) -> (f64, f64, [f64; 4]) {
        let first = self.knots[0][0];
        let time = match self.period {
            Some(period) => first + (time - first).rem_euclid(period),
            None => time,
        };
        let next = self.knots.partition_point(|knot| knot[0] <= time).clamp(1, self.knots.len() - 1);
        let ([t0, v0, s0], [t1, v1, s1]) = (self.knots[next - 1], self.knots[next]);
        (((time - t0) / (t1 - t0)).clamp(0.0, 1.0), t1 - t0, [v0, s0, v1, s1])
    }
}

/// The harmonic mean of the slopes on both sides, zero at a peak or at the end of a flat stretch (Fritsch and Butland).
fn gentle_slope(before: (f64, f64), here: (f64, f64), after: (f64, f64)) -> f64 {
    let left = (here.1 - before.1) / (here.0 - before.0);
    let right = (after.1 - here.1) / (after.0 - here.0);
    if left * right <= 0.0 { 0.0 } else { 2.0 * left * right / (left + right) }
}
