/// A clip that a pose comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShownClip {
    /// Index of the mixer's layer; 0 is the base layer.
    pub layer: usize,
    /// Index of the clip in the character's library.
    pub clip: usize,
    /// The time of the clip that is shown, in seconds.
    pub time: f32,
    /// Its share of the layer's pose, from 0 to 1, after fades and weights.
    pub weight: f32,
    /// Its share of what the feet do, from 0 to 1: layers above whose masks leave out the feet do not count.
    pub feet_weight: f32,
}

impl ShownClip {
    /// A clip that is all there is to see.
    #[must_use]
    pub fn alone(clip: usize, time: f32) -> Self {
        Self { layer: 0, clip, time, weight: 1.0, feet_weight: 1.0 }
    }
}
