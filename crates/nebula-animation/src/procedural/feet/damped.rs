//! Motion that dies down without overshooting, the same at every frame rate.

use std::ops::{Add, Mul, Sub};

/// A value that follows a target as a critically damped spring does.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Damped<T> {
    pub value: T,
    pub velocity: T,
}

impl<T: Copy + Default + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T>> Damped<T> {
    /// At rest at a value.
    pub fn at(value: T) -> Self {
        Self { value, velocity: T::default() }
    }

    /// Lets `dt` seconds pass, in closed form. `rate` is how fast it follows, in 1/s: after `4 / rate` seconds less than a
    /// tenth of the way is left.
    pub fn follow(&mut self, target: T, rate: f32, dt: f32) {
        let away = self.value - target;
        let push = self.velocity + away * rate;
        let left = decay(rate * dt);
        self.value = target + (away + push * dt) * left;
        self.velocity = (self.velocity - push * (rate * dt)) * left;
    }
}

/// `e^-x` for `x` from 0, to 3e-7 of its value; from arithmetic alone, so that it is the same number on every machine.
pub(super) fn decay(x: f32) -> f32 {
    if !(x > 0.0) {
        return 1.0;
    }
    let halvings = x * std::f32::consts::LOG2_E;
    if halvings >= 126.0 {
        return 0.0;
    }
    let whole = halvings as u32;
    // 2^-f for f from 0 to 1 as a power series in -f ln 2.
    let y = (halvings - whole as f32) * -std::f32::consts::LN_2;
    const SERIES: [f32; 8] =
        [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0];
    let mut sum = 0.0;
    for factor in SERIES.into_iter().rev() {
        sum = sum * y + factor;
    }
    sum * f32::from_bits((127 - whole) << 23)
}
