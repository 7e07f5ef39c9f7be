//! Motion that dies down without overshooting, the same at every frame rate.

use std::ops::{Add, Mul, Sub};

use crate::math::trig::decay;

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
