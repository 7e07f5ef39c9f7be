use nebula_animation::{Fade, mixer::FadeCurve};

/// What a panel can change about the hero. Weights are from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knobs {
    /// Seconds that pass for it in a second, from 0 to 10; default 1.
    pub time_scale: f32,
    /// How much chest, neck and head turn to what it looks at; default 1.
    pub aim: f32,
    /// How much it leans into turns; default 1.
    pub lean: f32,
    /// How much it breathes; default 1.
    pub breathing: f32,
    /// How much its feet follow the ground; default 1.
    pub feet: f32,
    /// How one gait takes over from another; default smooth.
    pub fade: FadeCurve,
    /// How long that takes, as a factor of what suits the gait; default 1. 0 switches at once.
    pub fade_length: f32,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            time_scale: 1.0,
            aim: 1.0,
            lean: 1.0,
            breathing: 1.0,
            feet: 1.0,
            fade: FadeCurve::Smooth,
            fade_length: 1.0,
        }
    }
}

impl Knobs {
    /// A fade of so many seconds, as the knobs want it.
    pub(super) fn fade(&self, seconds: f32) -> Fade {
        Fade { seconds: seconds * self.fade_length, curve: self.fade }
    }
}
