use crate::state::stateful;

/// Limits of foot placement. Lengths are in leg lengths (thigh plus shin), so that they fit characters of any size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FootSettings {
    /// The steepest ground to stand on, in radians from level; default 0.87 (50 degrees). On steeper ground the foot is
    /// left as in the clip.
    pub max_slope: f32,
    /// How far the ground below a foot may be above or below the character's own level, in leg lengths; default 0.5.
    pub max_step: f32,
    /// How far the pelvis may be lowered, in leg lengths; default 0.4.
    pub max_drop: f32,
    /// How far a locked foot may be from where the clip has it before it is released, in leg lengths; default 0.35.
    pub max_slide: f32,
    /// How far a locked foot may be rotated relative to the clip before it is released, in radians; default 0.8.
    pub max_twist: f32,
    /// Seconds in which a foot is attached to the ground or released; default 0.25.
    pub fade_secs: f32,
    /// How fast the pelvis follows, in 1/s; default 20. It is a critically damped spring: most of a step is made up in
    /// `4 / rate` seconds.
    pub pelvis_rate: f32,
    /// How far a leg may stretch to reach lower ground, as a fraction of its full length; default 0.98. A leg that is
    /// straighter in the clip may stay so.
    pub max_stretch: f32,
}

stateful!(FootSettings { max_slope, max_step, max_drop, max_slide, max_twist, fade_secs, pelvis_rate, max_stretch });

impl Default for FootSettings {
    fn default() -> Self {
        Self {
            max_slope: 0.87,
            max_step: 0.5,
            max_drop: 0.4,
            max_slide: 0.35,
            max_twist: 0.8,
            fade_secs: 0.25,
            pelvis_rate: 20.0,
            max_stretch: 0.98,
        }
    }
}
