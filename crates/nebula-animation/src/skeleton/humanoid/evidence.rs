//! How a joint of a humanoid was found, and what speaks against a human.

/// What says that a joint is the one that a [`HumanoidMap`](super::HumanoidMap) takes it for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// Code said so: [`with`](super::HumanoidMap::with) and [`from_names`](super::HumanoidMap::from_names).
    Given,
    /// The file itself says so, as VRM's do.
    File,
    /// The joint's name.
    Name,
    /// Where it is among joints of known names: hips are where legs and back meet, the back is what lies between hips and head.
    Hierarchy,
    /// Where it is in the rest pose and in the hierarchy, whatever its name: two legs, two arms, a head above.
    Shape,
}

impl Evidence {
    /// How sure it makes, from 0 to 1.
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

/// Why a body with all joints of a human is none. Angles are in degrees, shares in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotHuman {
    /// The back does not go on where the legs end: on four legs it is level, and the head ahead.
    BackAcrossLegs {
        /// Between the way from hips to head and the way from feet to hips. A human stands with less than 20.
        degrees: u16,
    },
    /// The hands are as low as the feet.
    HandsOnGround,
    /// The arms are too short for one.
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
