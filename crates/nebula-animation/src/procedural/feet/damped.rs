//! Critically damped motion, without overshoot, at any frame rate.

use std::ops::{Add, Mul, Sub};

use crate::math::trig::decay;
use crate::state::{Stateful, stateful};

/// A value that follows a target as a critically damped spring does.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Damped<T> {
    pub value: T,
    pub velocity: T,
}

impl<T: Stateful> Stateful for Damped<T> {
    stateful!(given {} kept { value, velocity });
}

impl<T: Copy + Default + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T>> Damped<T> {
    /// At rest at a value.
    pub fn at(value: T) -> Self {
        Self { value, velocity: T::default() }
    }

    /// Lets a time pass on the way to a target at which it comes to rest after so many seconds, with as little acceleration as that takes.
    pub fn arrive(&mut self, target: T, secs: f32, dt: f32) {
        if !(secs > dt) {
            *self = Self::at(target);
            return;
        }
        let away = target - self.value;
        let part = dt / secs;
        let (square, cube) = (part * part, part * part * part);
        let moved = self.velocity * (secs * (part - 2.0 * square + cube)) + away * (3.0 * square - 2.0 * cube);
        self.velocity = self.velocity * (1.0 - 4.0 * part + 3.0 * square) + away * ((6.0 * part - 6.0 * square) / secs);
        self.value = self.value + moved;
    }

    /// Lets a time pass, in closed form.
    pub fn follow(&mut self, target: T, pace: Pace) {
        let away = self.value - target;
        let push = self.velocity + away * pace.rate;
        self.value = target + (away + push * pace.dt) * pace.left;
        self.velocity = (self.velocity - push * (pace.rate * pace.dt)) * pace.left;
    }
}

/// How far a spring gets in a time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Pace {
    rate: f32,
    dt: f32,
    /// `e^(-rate dt)`.
    left: f32,
}

impl Pace {
    /// `rate` is how fast springs follow, in 1/s: after `4 / rate` seconds less than a tenth of the way is left.
    pub fn new(rate: f32, dt: f32) -> Self {
        Self { rate, dt, left: decay(rate * dt) }
    }
}

/// The springs of foot placement, recomputed only when the frame's time or the settings change.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Paces {
    dt: f32,
    pelvis_rate: f32,
    /// For what is left of jumps.
    pub settling: Pace,
    /// For a foot that the ground has risen above.
    pub rising: Pace,
    /// For a foot that swings, and that the ground has fallen away below.
    pub falling: Pace,
    /// For a body whose entity jumps from stair to stair.
    pub climbing: Pace,
    /// For the pelvis, on its way down and up.
    pub lowering: Pace,
    pub lifting: Pace,
    /// How many seconds the pelvis has to look ahead.
    pub foresight: f32,
    /// By how many seconds a body whose entity does so lags behind.
    pub lead: f32,
}

/// How fast jumps die down, in 1/s: most of one is gone in a third of a second.
const SETTLE_RATE: f32 = 13.0;
/// How fast a foot comes up that the ground has risen above.
const RISE_RATE: f32 = 26.0;
/// How fast a foot that swings comes down to ground that has fallen away below it: it should be there when it lands.
const FALL_RATE: f32 = 20.0;
/// How fast a body follows its entity from stair to stair.
const CLIMB_RATE: f32 = 10.0;
/// How much slower the pelvis comes up than it goes down.
const LIFT: f32 = 0.25;

impl Paces {
    pub fn update(&mut self, dt: f32, pelvis_rate: f32) {
        if self.dt == dt && self.pelvis_rate == pelvis_rate && self.settling.left > 0.0 {
            return;
        }
        let rate = if pelvis_rate > 0.0 { pelvis_rate.min(1e6) } else { 0.0 };
        *self = Self {
            dt,
            pelvis_rate,
            settling: Pace::new(SETTLE_RATE, dt),
            rising: Pace::new(RISE_RATE, dt),
            falling: Pace::new(FALL_RATE, dt),
            climbing: Pace::new(CLIMB_RATE, dt),
            // By so much a critically damped spring lags behind a steady motion.
            foresight: 2.0 / pelvis_rate.max(1.0),
            lead: 2.0 / CLIMB_RATE,
            lowering: Pace::new(rate, dt),
            lifting: Pace::new(rate * LIFT, dt),
        };
    }
}
