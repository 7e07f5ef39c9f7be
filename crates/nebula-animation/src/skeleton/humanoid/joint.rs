//! The roles of a human's joints.

use HumanoidJoint as J;
use Side::{Left, Right};

/// The role of a joint in a human body.
///
/// ```
/// use nebula_animation::{HumanoidJoint, skeleton::Side};
///
/// assert_eq!(HumanoidJoint::Foot(Side::Left).to_string(), "left foot");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "anatomy")]
pub enum HumanoidJoint {
    /// Where spine and legs meet.
    Hips,
    /// The lowest joint of the back.
    Spine,
    /// A joint in the middle of the back; missing if the back has a single joint.
    Chest,
    /// The highest joint of the back, which carries neck and arms; missing if the back has fewer than three joints.
    UpperChest,
    /// The lowest joint of the neck.
    Neck,
    Head,
    Jaw,
    Eye(Side),
    /// The collar bone.
    Shoulder(Side),
    UpperArm(Side),
    LowerArm(Side),
    /// The wrist.
    Hand(Side),
    /// The thigh.
    UpperLeg(Side),
    /// The shin, whose joint is the knee.
    LowerLeg(Side),
    /// The ankle.
    Foot(Side),
    /// The ball of the foot, where toes bend.
    Toes(Side),
}

/// The character's own left or right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "there are two")]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Left, right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Every meaning.
pub(super) const ALL: [HumanoidJoint; 25] = [
    J::Hips,
    J::Spine,
    J::Chest,
    J::UpperChest,
    J::Neck,
    J::Head,
    J::Jaw,
    J::Eye(Left),
    J::Eye(Right),
    J::Shoulder(Left),
    J::Shoulder(Right),
    J::UpperArm(Left),
    J::UpperArm(Right),
    J::LowerArm(Left),
    J::LowerArm(Right),
    J::Hand(Left),
    J::Hand(Right),
    J::UpperLeg(Left),
    J::UpperLeg(Right),
    J::LowerLeg(Left),
    J::LowerLeg(Right),
    J::Foot(Left),
    J::Foot(Right),
    J::Toes(Left),
    J::Toes(Right),
];

impl HumanoidJoint {
    /// All roles, from the hips up and then down.
    pub const ALL: [Self; 25] = ALL;

    /// `true` if [`HumanoidMap::find`](super::HumanoidMap::find) requires it: every human has it, and so has every rig
    /// of one.
    #[must_use]
    pub fn is_required(self) -> bool {
        !matches!(self, J::Chest | J::UpperChest | J::Neck | J::Jaw | J::Eye(_) | J::Shoulder(_) | J::Toes(_))
    }

    /// The same with its side mapped.
    pub(super) fn with_side(self, map: impl Fn(Side) -> Side) -> Self {
        match self {
            J::Eye(side) => J::Eye(map(side)),
            J::Shoulder(side) => J::Shoulder(map(side)),
            J::UpperArm(side) => J::UpperArm(map(side)),
            J::LowerArm(side) => J::LowerArm(map(side)),
            J::Hand(side) => J::Hand(map(side)),
            J::UpperLeg(side) => J::UpperLeg(map(side)),
            J::LowerLeg(side) => J::LowerLeg(map(side)),
            J::Foot(side) => J::Foot(map(side)),
            J::Toes(side) => J::Toes(map(side)),
            J::Hips | J::Spine | J::Chest | J::UpperChest | J::Neck | J::Head | J::Jaw => self,
        }
    }

    pub(super) fn place(self) -> usize {
        ALL.iter().position(|joint| *joint == self).unwrap_or(0)
    }
}

impl std::fmt::Display for HumanoidJoint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, side) = match self {
            J::Hips => ("hips", None),
            J::Spine => ("spine", None),
            J::Chest => ("chest", None),
            J::UpperChest => ("upper chest", None),
            J::Neck => ("neck", None),
            J::Head => ("head", None),
            J::Jaw => ("jaw", None),
            J::Eye(side) => ("eye", Some(side)),
            J::Shoulder(side) => ("shoulder", Some(side)),
            J::UpperArm(side) => ("upper arm", Some(side)),
            J::LowerArm(side) => ("lower arm", Some(side)),
            J::Hand(side) => ("hand", Some(side)),
            J::UpperLeg(side) => ("upper leg", Some(side)),
            J::LowerLeg(side) => ("lower leg", Some(side)),
            J::Foot(side) => ("foot", Some(side)),
            J::Toes(side) => ("toes", Some(side)),
        };
        match side {
            Some(Left) => write!(formatter, "left {name}"),
            Some(Right) => write!(formatter, "right {name}"),
            None => write!(formatter, "{name}"),
        }
    }
}

/// A finger of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "anatomy")]
pub enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

impl Finger {
    /// All fingers, starting with the thumb.
    pub const ALL: [Self; 5] = [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];
}

impl std::fmt::Display for Finger {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Thumb => "thumb",
            Self::Index => "index finger",
            Self::Middle => "middle finger",
            Self::Ring => "ring finger",
            Self::Little => "little finger",
        })
    }
}
