/// A sum of `f64` that keeps what rounding would lose: 106 bits instead of 53.
///
/// A frame's step is some 1e-2 s; added up for a month as plain `f64`, its rounding is the same in every frame and can
/// grow to milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ExactSum {
    /// The sum, rounded to `f64`.
    pub value: f64,
    /// What the rounding left out: at most half a unit in the last place of `value`.
    rest: f64,
}

impl ExactSum {
    pub const ZERO: Self = Self { value: 0.0, rest: 0.0 };

    pub fn new(value: f64) -> Self {
        Self { value, rest: 0.0 }
    }

    /// Value and rest, for records.
    pub fn parts(&self) -> [f64; 2] {
        [self.value, self.rest]
    }

    /// From what [`parts`](ExactSum::parts) gave; `None` where the rest is no rest.
    pub fn from_parts([value, rest]: [f64; 2]) -> Option<Self> {
        (value + rest == value).then_some(Self { value, rest })
    }

    /// Knuth's two-sum, and again for the rest, so that `value` stays the rounded sum.
    pub fn add(&mut self, step: f64) {
        let (sum, lost) = two_sum(self.value, step);
        (self.value, self.rest) = two_sum(sum, self.rest + lost);
    }

    /// Replaces the value by one that lies a known exact distance away, as a remainder does, and keeps the rest.
    pub fn rebase(&mut self, value: f64) {
        (self.value, self.rest) = two_sum(value, self.rest);
    }
}

/// `a + b` rounded, and the exact error of the rounding.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let lost = (a - (sum - b_part)) + (b - b_part);
    // Only an overflow makes the error of a sum not finite.
    (sum, if lost.is_finite() { lost } else { 0.0 })
}
