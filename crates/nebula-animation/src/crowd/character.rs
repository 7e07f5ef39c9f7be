use super::CrowdClipId;

/// What one character of a crowd plays: a clip and its clock, and perhaps a second clip on top. At most 64 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdCharacter {
    /// The clip.
    pub clip: CrowdClipId,
    /// Seconds from the clip's start; kept within the clip.
    pub time: f64,
    /// Seconds of the clip per second; negative plays backwards; default 1. Ignored while not finite.
    pub speed: f32,
    /// Whether the clip starts over at its end; otherwise it stays there; default true.
    pub looping: bool,
    /// A second clip that is blended in.
    pub second: Option<SecondClip>,
}

/// A second clip, blended over the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SecondClip {
    /// The clip.
    pub clip: CrowdClipId,
    /// Seconds from the clip's start; advanced with the character's speed and looping.
    pub time: f64,
    /// How much of it is seen: 0 (only the first clip) to 1 (only this one); clamped.
    pub weight: f32,
}

impl CrowdCharacter {
    pub(super) fn new(clip: CrowdClipId) -> Self {
        Self { clip, time: 0.0, speed: 1.0, looping: true, second: None }
    }

    /// Advances both clocks by `seconds` of real time.
    pub(super) fn advance(&mut self, seconds: f64, duration: impl Fn(CrowdClipId) -> Option<f32>) {
        let step = seconds * f64::from(self.speed);
        if !step.is_finite() {
            return;
        }
        if let Some(duration) = duration(self.clip) {
            self.time = advanced(self.time, step, f64::from(duration), self.looping);
        }
        if let Some(second) = &mut self.second
            && let Some(duration) = duration(second.clip)
        {
            second.time = advanced(second.time, step, f64::from(duration), self.looping);
        }
    }
}

/// A time moved by a step, within a clip; finite whatever comes in.
fn advanced(time: f64, step: f64, duration: f64, looping: bool) -> f64 {
    let time = time + step;
    if !(duration > 0.0 && time.is_finite()) {
        0.0
    } else if looping {
        // The common case needs no division.
        if (0.0..duration).contains(&time) { time } else { time.rem_euclid(duration).min(duration) }
    } else {
        time.clamp(0.0, duration)
    }
}
