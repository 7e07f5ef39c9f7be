//! Joints by meaning: hips, head, left foot, on whoever's character.

mod find;
mod words;

use thiserror::Error;

use super::{Skeleton, UnknownJoint};

pub(super) use words::split;

/// What a joint of a body like ours is for.
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
    /// A joint in the middle of the back; none where the back has one joint only.
    Chest,
    /// The highest joint of the back, which carries neck and arms; none where the back has less than three joints.
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
}

use HumanoidJoint as J;
use Side::{Left, Right};

/// Every meaning.
const ALL: [HumanoidJoint; 25] = [
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
    /// Every meaning, from the hips up and then down.
    pub const ALL: [Self; 25] = ALL;

    /// Whether [`HumanoidMap::find`] insists on it: what every human has, and every rig of one.
    #[must_use]
    pub fn is_required(self) -> bool {
        !matches!(self, J::Chest | J::UpperChest | J::Neck | J::Jaw | J::Eye(_) | J::Shoulder(_) | J::Toes(_))
    }

    fn place(self) -> usize {
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

/// Which joints of a skeleton are the hips, the head, the left foot.
///
/// [`find`](HumanoidMap::find) knows the names that Mixamo, Blender's Rigify, VRM, Unreal, 3ds Max, Daz and others give their joints, with
/// or without prefixes and numbers, and the hierarchy that comes with them. Where it errs, say it yourself:
/// [`with`](HumanoidMap::with), [`from_names`](HumanoidMap::from_names).
///
/// ```
/// use nebula_animation::{HumanoidJoint, HumanoidMap, load_skeleton_and_clips, skeleton::Side};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::path::Path::new("test_assets/simple_humanoid.glb");
/// let (skeleton, _) = load_skeleton_and_clips(path)?;
/// let humanoid = HumanoidMap::find(&skeleton)?;
/// let foot = humanoid.require(HumanoidJoint::Foot(Side::Left))?;
/// assert_eq!(skeleton.joints[usize::from(foot)].name, "LeftFoot");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HumanoidMap {
    joints: [Option<u16>; ALL.len()],
}

/// Joints that a humanoid should have, and that were not found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no {} among {joint_count} joints; name them with HumanoidMap::from_names", list(missing))]
pub struct MissingJoints {
    /// What was not found.
    pub missing: Vec<HumanoidJoint>,
    /// How many joints the skeleton has.
    pub joint_count: usize,
}

fn list(joints: &[HumanoidJoint]) -> String {
    joints.iter().map(ToString::to_string).collect::<Vec<_>>().join(", no ")
}

impl HumanoidMap {
    /// Finds the joints of a humanoid by the names that are in use.
    ///
    /// # Errors
    /// All joints that [are required](HumanoidJoint::is_required) and were not found.
    pub fn find(skeleton: &Skeleton) -> Result<Self, MissingJoints> {
        let map = Self::find_some(skeleton);
        let missing: Vec<_> =
            ALL.into_iter().filter(|joint| joint.is_required() && map.get(*joint).is_none()).collect();
        if missing.is_empty() { Ok(map) } else { Err(MissingJoints { missing, joint_count: skeleton.joints.len() }) }
    }

    /// Finds whatever joints of a humanoid there are: for half a body, or a robot with wheels.
    #[must_use]
    pub fn find_some(skeleton: &Skeleton) -> Self {
        find::find(skeleton)
    }

    /// Takes the joints that are named, and no others.
    ///
    /// # Errors
    /// The first name that no joint has.
    pub fn from_names<'a>(
        skeleton: &Skeleton,
        names: impl IntoIterator<Item = (HumanoidJoint, &'a str)>,
    ) -> Result<Self, UnknownJoint> {
        let mut map = Self::default();
        for (joint, name) in names {
            map = map.with(joint, skeleton.require_joint(name)?);
        }
        Ok(map)
    }

    /// The same with a joint given.
    #[must_use]
    pub fn with(mut self, joint: HumanoidJoint, index: u16) -> Self {
        self.joints[joint.place()] = Some(index);
        self
    }

    /// The same without a joint.
    #[must_use]
    pub fn without(mut self, joint: HumanoidJoint) -> Self {
        self.joints[joint.place()] = None;
        self
    }

    /// The index of a joint, if it is known.
    #[must_use]
    pub fn get(&self, joint: HumanoidJoint) -> Option<u16> {
        self.joints[joint.place()]
    }

    /// The index of a joint.
    ///
    /// # Errors
    /// That it is not known.
    pub fn require(&self, joint: HumanoidJoint) -> Result<u16, MissingJoints> {
        let joint_count = self.joints.iter().flatten().count();
        self.get(joint).ok_or_else(|| MissingJoints { missing: vec![joint], joint_count })
    }

    /// The joint that carries neck and arms, by whatever name: what breathes.
    #[must_use]
    pub fn ribcage(&self) -> Option<u16> {
        self.get(J::UpperChest).or_else(|| self.get(J::Chest)).or_else(|| self.get(J::Spine))
    }

    /// All joints that are known, from the hips up and then down.
    pub fn iter(&self) -> impl Iterator<Item = (HumanoidJoint, u16)> {
        ALL.into_iter().filter_map(|joint| Some((joint, self.get(joint)?)))
    }
}
