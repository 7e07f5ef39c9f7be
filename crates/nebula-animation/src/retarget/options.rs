/// How a [`Retarget`](super::Retarget) treats two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetargetOptions {
    /// Bones whose directions in the two rest poses differ by more than this many radians are turned to the source's
    /// direction first: bodies that rest bent, fingers that rest clenched. Smaller angles are taken for anatomy and left alone.
    /// Arms and legs of humans are turned by any angle: arms that rest at the sides (A-pose) and arms that rest stretched out
    /// (T-pose) do the same. Default 0.35 (20 degrees); infinite, or not a number, for never, arms and legs included.
    pub align_beyond: f32,
    /// Whether the body is moved up or down so that its lowest foot is as far from the ground as the source's, in
    /// proportion to the legs: feet of other shapes neither float nor sink in. Default true.
    pub keeps_ground_contact: bool,
    /// Where hands are kept; free by default.
    pub hands: HandPlaces,
}

/// What the hands of a retargeted human keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HandPlaces {
    /// The directions of their arms: with longer arms, hands are further out.
    #[default]
    Free,
    /// Their place about the chest, in proportion to the height of hips and chest: hands on hips stay there. Arms that
    /// cannot reach so far are stretched out towards it.
    OnBody,
    /// Their place about each other, in proportion to the arms, about the point that is between them: hands that clap or hold a pole.
    Together,
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self { align_beyond: 0.35, keeps_ground_contact: true, hands: HandPlaces::Free }
    }
}
