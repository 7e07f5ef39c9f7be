//! How a joint of a humanoid was identified, and what suggests that a body is not human.

/// Why a [`HumanoidMap`](super::HumanoidMap) identifies a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// It was assigned in code, with [`with`](super::HumanoidMap::with) or
    /// [`from_names`](super::HumanoidMap::from_names).
    Given,
    /// The file itself states it, as VRM files do.
    File,
    /// The joint's name.
    Name,
    /// Its position among joints with known names: hips are where legs and back meet, the back is between hips and
    /// head.
    Hierarchy,
    /// Its position in the rest pose and the hierarchy, whatever its name: two legs, two arms, a head above.
    Shape,
}

impl Evidence {
    /// How certain this makes the identification, from 0 to 1.
    #[must_use]
    pub fn certainty(self) -> f32 {
        match self {
            Self::Given | Self::File => 1.0,
            Self::Name => 0.95,
            Self::Hierarchy => 0.85,
            Self::Shape => 0.6,
        }
    }
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Given => "given",
            Self::File => "said by the file",
            Self::Name => "by name",
            Self::Hierarchy => "by hierarchy",
            Self::Shape => "by shape",
        })
    }
}

/// Why a body that has all joints of a human is not one. Angles are in degrees, ratios in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotHuman {
    /// The back does not continue upwards where the legs end: on four legs it is level, with the head in front.
    BackAcrossLegs {
        /// Between the line from hips to head and the line from feet to hips. A standing human has less than 20.
        degrees: u16,
    },
    /// The hands are as low as the feet.
    HandsOnGround,
    /// The arms are too short for a human.
    ShortArms {
        /// Of the length of the legs. A human's have about 75, a gnome's more.
        percent: u16,
    },
}

impl std::fmt::Display for NotHuman {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BackAcrossLegs { degrees } => {
                write!(formatter, "the head is not above the hips: back and legs meet at {degrees} degrees")
            }
            Self::HandsOnGround => formatter.write_str("the hands stand on the ground like feet"),
            Self::ShortArms { percent } => write!(formatter, "the arms have {percent} percent of the legs' length"),
        }
    }
}
