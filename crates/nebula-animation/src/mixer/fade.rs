use crate::math::clean_weight;
use crate::state::{StateError, StateProblem, StateReader, StateWriter, Stateful, stateful};

/// How an action replaces what was shown before: over how much time, and along which curve.
///
/// A plain number is a linear fade of that many seconds; the default takes 0.3 s. A duration that is 0, negative or NaN
/// switches at once.
///
/// ```
/// use nebula_animation::{Fade, mixer::FadeCurve};
///
/// assert_eq!(Fade::from(0.5), Fade { seconds: 0.5, curve: FadeCurve::Linear });
/// assert_eq!(Fade::default().seconds, 0.3);
/// let soft = Fade::smooth(0.2);
/// let quick = Fade::inertialised(0.15);
/// # assert_ne!(soft, quick);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// Duration in seconds; default 0.3, at most a day.
    pub seconds: f32,
    /// The curve; default linear.
    pub curve: FadeCurve,
}

stateful!(Fade { seconds, curve });

/// The shape of a [`Fade`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "documents", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "documents", serde(rename_all = "snake_case"))]
pub enum FadeCurve {
    /// Both actions run, and the weight of the new one grows linearly (the default).
    #[default]
    Linear,
    /// Both actions run, and the weight of the new one grows along `3t^2 - 2t^3`: slow, fast, slow.
    Smooth,
    /// Only the new action runs. Its difference from what was shown, in pose and in velocity, decays: the previous
    /// motion carries on like a body's inertia.
    ///
    /// A difference `x` with velocity `v` becomes `x (1-s)^3 (1+3s-2s^2) + v T s (1-s)^4` at the fraction `s` of the
    /// duration `T`: at every moment a critically damped spring of rate `4 / T`, which comes to rest exactly at `T`.
    Inertialised,
}

/// The longest duration of a fade: a day.
pub(super) const LONGEST: f32 = 86_400.0;

impl Fade {
    /// The default duration of a fade.
    pub const DEFAULT_SECONDS: f32 = 0.3;

    /// Switches at once.
    pub const NONE: Self = Self { seconds: 0.0, curve: FadeCurve::Linear };

    /// A linear fade of this many seconds.
    #[must_use]
    pub const fn linear(seconds: f32) -> Self {
        Self { seconds, curve: FadeCurve::Linear }
    }

    /// A smooth fade of this many seconds.
    #[must_use]
    pub const fn smooth(seconds: f32) -> Self {
        Self { seconds, curve: FadeCurve::Smooth }
    }

    /// An inertialised fade of this many seconds.
    #[must_use]
    pub const fn inertialised(seconds: f32) -> Self {
        Self { seconds, curve: FadeCurve::Inertialised }
    }

    /// The length in seconds, made safe.
    pub(super) fn clean_seconds(&self) -> f32 {
        if self.seconds > 0.0 { self.seconds.min(LONGEST) } else { 0.0 }
    }
}

impl Default for Fade {
    fn default() -> Self {
        Self::linear(Self::DEFAULT_SECONDS)
    }
}

impl From<f32> for Fade {
    fn from(seconds: f32) -> Self {
        Self::linear(seconds)
    }
}

impl From<f64> for Fade {
    fn from(seconds: f64) -> Self {
        Self::linear(seconds as f32)
    }
}

impl FadeCurve {
    /// The weight of the new action at a progress from 0 to 1.
    pub(super) fn weight(self, progress: f32) -> f32 {
        let t = clean_weight(progress);
        match self {
            Self::Linear => t,
            Self::Smooth => t * t * (3.0 - 2.0 * t),
            // The difference dies away elsewhere.
            Self::Inertialised => 1.0,
        }
    }
}

impl Stateful for FadeCurve {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.word(match self {
            Self::Linear => 0,
            Self::Smooth => 1,
            Self::Inertialised => 2,
        });
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        *self = match reader.word()? {
            0 => Self::Linear,
            1 => Self::Smooth,
            2 => Self::Inertialised,
            other => return Err(StateProblem::OutOfRange(other.into()).into()),
        };
        Ok(())
    }
}

/// How far a fade has come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FadeIn {
    pub curve: FadeCurve,
    /// In seconds; 0 is over at once.
    pub seconds: f32,
    /// From 0 to 1.
    pub progress: f32,
    /// Which memory follows the signs of this action's rotations, if any does yet.
    pub track: Option<u8>,
}

impl Stateful for FadeIn {
    // Users may have written anything into the fields of the layer.
    stateful!(given { curve, seconds, progress } kept { track });
}

impl FadeIn {
    /// The weight of the new action `ahead` seconds from now.
    pub fn weight(&self, ahead: f64) -> f32 {
        self.curve.weight(self.progress_after(ahead))
    }

    pub fn progress_after(&self, dt: f64) -> f32 {
        if self.seconds > 0.0 { (self.progress + (dt / f64::from(self.seconds)) as f32).clamp(0.0, 1.0) } else { 1.0 }
    }

    pub fn is_done(&self) -> bool {
        // Also where a user wrote something that is not a number.
        !(self.progress < 1.0)
    }
}
