/// How a [`Retarget`](super::Retarget) treats two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetargetOptions {
    /// Bones whose directions in the two rest poses differ by more than this many radians are rotated to the source's
    /// direction first: bodies that rest bent, fingers that rest clenched. Smaller differences are considered anatomy
    /// and kept. Arms and legs of humans are always aligned, so that A-poses and T-poses are equivalent. Default 0.35
    /// (20 degrees). Infinity or NaN disables alignment, including that of arms and legs.
    pub align_beyond: f32,
    /// Whether the body is moved up or down so that its lowest foot is as far from the ground as the source's, in
    /// proportion to the legs: feet of another shape neither float nor sink in. Default true.
    pub keeps_ground_contact: bool,
    /// How hands are placed; free by default.
    pub hands: HandPlaces,
}

/// How the hands of a retargeted human are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HandPlaces {
    /// Arms keep their directions: with longer arms, hands are further out.
    #[default]
    Free,
    /// Hands keep their place relative to the chest, in proportion to the height of hips and chest: hands on hips stay
    /// there. Arms that cannot reach are stretched out towards it.
    OnBody,
    /// Hands keep their place relative to each other, in proportion to the arms, about the point between them: hands
    /// that clap or hold a pole.
    Together,
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self { align_beyond: 0.35, keeps_ground_contact: true, hands: HandPlaces::Free }
    }
}
