use std::time::Duration;

use bevy_ecs::resource::Resource;

use crate::math::ExactSum;

/// Animation time: the duration of the current frame, and the total. Advance it once per frame.
///
/// The total has 106 bits of precision and does not drift. If the resource is missing, systems insert a default one, in
/// which no time passes.
///
/// ```
/// use nebula_animation::ecs::Time;
///
/// let mut time = Time::default();
/// time.advance(0.25);
/// time.advance(0.5);
/// assert_eq!((time.delta_seconds(), time.elapsed_seconds()), (0.5, 0.75));
/// ```
#[derive(Debug, Clone, Copy, Default, Resource)]
pub struct Time {
    delta: f64,
    elapsed: ExactSum,
    has_warned: bool,
}

impl Time {
    /// Starts a frame of this many seconds (`f32` or `f64`). A number that is not finite counts as 0, and is logged
    /// once.
    pub fn advance(&mut self, seconds: impl Into<f64>) {
        let seconds = seconds.into();
        if !seconds.is_finite() && !self.has_warned {
            self.has_warned = true;
            log::warn!("a frame of {seconds} s is not finite: it counts as 0 s, as do later ones");
        }
        self.delta = if seconds.is_finite() { seconds } else { 0.0 };
        self.elapsed.add(self.delta);
    }

    /// Starts a frame of this duration.
    pub fn advance_by(&mut self, delta: Duration) {
        self.advance(delta.as_secs_f64());
    }

    /// Duration of the current frame in seconds; finite.
    #[must_use]
    pub fn delta_seconds(&self) -> f32 {
        (self.delta as f32).clamp(f32::MIN, f32::MAX)
    }

    /// Duration of the current frame in seconds, at the precision at which it was given; the systems use this.
    #[must_use]
    pub fn delta_seconds_f64(&self) -> f64 {
        self.delta
    }

    /// Seconds since the start, rounded to `f32`: after a day, to 1/128 s.
    #[must_use]
    pub fn elapsed_seconds(&self) -> f32 {
        (self.elapsed.value as f32).clamp(f32::MIN, f32::MAX)
    }

    /// Seconds since the start.
    #[must_use]
    pub fn elapsed_seconds_f64(&self) -> f64 {
        self.elapsed.value
    }
}
