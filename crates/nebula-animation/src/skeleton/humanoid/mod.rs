//! Joints by role: hips, head, left foot, on any humanoid.

mod body;
mod evidence;
mod find;
mod fingers;
mod joint;
mod shape;
mod words;

use thiserror::Error;

use super::{Skeleton, UnknownJoint};
use body::Body;
use joint::ALL;

pub use evidence::{Evidence, NotHuman};
pub use joint::{Finger, HumanoidJoint, Side};
pub(super) use words::split;

use HumanoidJoint as J;

/// Joints of a finger, from the hand outwards.
pub(crate) const FINGER_JOINTS: usize = 3;

/// Maps the roles of a humanoid (hips, head, left foot) to joints of a skeleton.
///
/// [`find`](HumanoidMap::find) knows the joint names and hierarchies of Mixamo, Blender's Rigify, Auto-Rig Pro, VRM,
/// Unreal, 3ds Max, Daz, SMPL, motion capture and others, with or without prefixes and numbers. Where names do not
/// help, it analyses the shape of the rest pose. If the file itself declares its joints, as VRM files do, that is used
/// ([`Asset::rig`](crate::Asset::rig)). [`evidence`](HumanoidMap::evidence) tells which of these applied. If it is
/// wrong, assign joints with [`with`](HumanoidMap::with) or [`from_names`](HumanoidMap::from_names).
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
    joints: [Option<(u16, Evidence)>; ALL.len()],
    fingers: [[[Option<u16>; FINGER_JOINTS]; 5]; 2],
}

/// Required joints of a humanoid that were not found, or the reasons why the body is not human.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", said(missing, *joint_count, unlike))]
pub struct MissingJoints {
    /// The joints that were not found.
    pub missing: Vec<HumanoidJoint>,
    /// How many joints the skeleton has.
    pub joint_count: usize,
    /// What about the rest pose is not human, as far as joints were found.
    pub unlike: Vec<NotHuman>,
}

fn said(missing: &[HumanoidJoint], joint_count: usize, unlike: &[NotHuman]) -> String {
    let mut said = Vec::new();
    if !missing.is_empty() {
        let list = missing.iter().map(ToString::to_string).collect::<Vec<_>>().join(", no ");
        said.push(format!("no {list} among {joint_count} joints"));
    }
    if !unlike.is_empty() {
        let reasons = unlike.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        said.push(format!("not built like a human: {reasons}"));
    }
    said.push("name them with HumanoidMap::from_names".into());
    said.join("; ")
}

impl HumanoidMap {
    /// Finds the joints of a humanoid: by common names, and by the shape of the rest pose where names do not help.
    ///
    /// # Errors
    /// Lists all [required](HumanoidJoint::is_required) joints that were not found, and what about the rest pose is not
    /// human. Animals on four legs and monsters with tiny arms are refused, even if their joints are called arms and
    /// legs.
    pub fn find(skeleton: &Skeleton) -> Result<Self, MissingJoints> {
        let map = Self::find_some(skeleton);
        map.check(skeleton).map(|()| map)
    }

    /// Finds whatever joints of a humanoid exist: for half a body, or a robot on wheels. Some are also found on
    /// animals.
    #[must_use]
    pub fn find_some(skeleton: &Skeleton) -> Self {
        let mut map = find::find(skeleton);
        if !map.missing().is_empty() {
            let body = Body::of(skeleton);
            if let Some(shape) = shape::find(&body) {
                map.complete(&shape);
            }
        }
        map
    }

    /// Checks that the joints make this skeleton a human: all [required](HumanoidJoint::is_required) ones are known,
    /// and the rest pose is that of a body standing on two legs. If all of them were assigned in code or declared by
    /// the file, the rest pose is not examined.
    ///
    /// # Errors
    /// What is missing, and what about the rest pose is not human.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), MissingJoints> {
        let missing = self.missing();
        // Whoever says so knows, whatever the rest pose looks like.
        let is_said = |joint: J| matches!(self.evidence(joint), Some(Evidence::Given | Evidence::File));
        let is_certain = missing.is_empty() && ALL.into_iter().filter(|joint| joint.is_required()).all(is_said);
        let unlike = if is_certain { Vec::new() } else { shape::unlike(self, &Body::of(skeleton)) };
        let is_human = missing.is_empty() && unlike.is_empty();
        if is_human { Ok(()) } else { Err(MissingJoints { missing, joint_count: skeleton.joints.len(), unlike }) }
    }

    /// Assigns the named joints, and no others.
    ///
    /// # Errors
    /// A name that no joint has (the first one).
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

    /// The same map with one joint assigned.
    #[must_use]
    pub fn with(mut self, joint: HumanoidJoint, index: u16) -> Self {
        self.set(joint, index, Evidence::Given);
        self
    }

    /// The same map with one joint removed.
    #[must_use]
    pub fn without(mut self, joint: HumanoidJoint) -> Self {
        self.joints[joint.place()] = None;
        self
    }

    /// The same map with the joints of a finger, from the hand outwards.
    #[must_use]
    pub fn with_finger(mut self, side: Side, finger: Finger, joints: [Option<u16>; 3]) -> Self {
        self.fingers[side as usize][finger as usize] = joints;
        self
    }

    /// The index of a joint, if it is known.
    #[must_use]
    pub fn get(&self, joint: HumanoidJoint) -> Option<u16> {
        self.joints[joint.place()].map(|(index, _)| index)
    }

    /// Why a joint was identified as the one that [`get`](HumanoidMap::get) returns.
    #[must_use]
    pub fn evidence(&self, joint: HumanoidJoint) -> Option<Evidence> {
        self.joints[joint.place()].map(|(_, evidence)| evidence)
    }

    /// How certain the required joints are, from 0 (some are unknown) to 1: the mean of the [`Evidence`] for each.
    #[must_use]
    pub fn certainty(&self) -> f32 {
        let required = ALL.into_iter().filter(|joint| joint.is_required());
        let each: Option<Vec<f32>> = required.map(|joint| self.evidence(joint).map(Evidence::certainty)).collect();
        each.map_or(0.0, |each| each.iter().sum::<f32>() / each.len() as f32)
    }

    /// The joints of a finger, from the hand outwards: metacarpal, proximal and distal for the thumb; proximal,
    /// intermediate and distal for the others. `None` from where the rig has no more.
    #[must_use]
    pub fn finger(&self, side: Side, finger: Finger) -> [Option<u16>; 3] {
        self.fingers[side as usize][finger as usize]
    }

    /// The index of a joint that must exist.
    ///
    /// # Errors
    /// The joint is not known.
    pub fn require(&self, joint: HumanoidJoint) -> Result<u16, MissingJoints> {
        let joint_count = self.joints.iter().flatten().count();
        self.get(joint).ok_or_else(|| MissingJoints { missing: vec![joint], joint_count, unlike: Vec::new() })
    }

    /// The joint that carries neck and arms, whatever its role: the one that breathes.
    #[must_use]
    pub fn ribcage(&self) -> Option<u16> {
        self.get(J::UpperChest).or_else(|| self.get(J::Chest)).or_else(|| self.get(J::Spine))
    }

    /// All known joints, from the hips up and then down, without fingers.
    pub fn iter(&self) -> impl Iterator<Item = (HumanoidJoint, u16)> {
        ALL.into_iter().filter_map(|joint| Some((joint, self.get(joint)?)))
    }

    pub(crate) fn set(&mut self, joint: HumanoidJoint, index: u16, evidence: Evidence) {
        self.joints[joint.place()] = Some((index, evidence));
    }

    /// Fills in what a map of a file's own words leaves out and names tell: eyes, toes, fingers, and what is required.
    #[cfg(feature = "gltf")]
    pub(crate) fn complete_by_names(&mut self, skeleton: &Skeleton) {
        let named = Self::find_some(skeleton);
        let is_free = |map: &Self, index: u16| !map.joints.iter().flatten().any(|(taken, _)| *taken == index);
        let is_open = |joint: &J| joint.is_required() || matches!(joint, J::Jaw | J::Eye(_) | J::Toes(_));
        for joint in ALL.into_iter().filter(is_open) {
            if let (None, Some((index, evidence))) = (self.get(joint), named.joints[joint.place()])
                && is_free(self, index)
            {
                self.set(joint, index, evidence);
            }
        }
        for (own, named) in self.fingers.iter_mut().flatten().zip(named.fingers.iter().flatten()) {
            if own.iter().all(Option::is_none) {
                *own = *named;
            }
        }
    }

    fn missing(&self) -> Vec<HumanoidJoint> {
        ALL.into_iter().filter(|joint| joint.is_required() && self.get(*joint).is_none()).collect()
    }

    /// Takes over what another map knows and this one does not. Which side is left is for the names to say.
    fn complete(&mut self, other: &Self) {
        let of = |map: &Self, joint: fn(Side) -> J, side| map.get(joint(side));
        let limbs: [fn(Side) -> J; 4] = [J::UpperArm, J::Hand, J::UpperLeg, J::Foot];
        let is_swapped = limbs.iter().any(|limb| {
            let (own, others) = (of(self, *limb, Side::Left), of(other, *limb, Side::Right));
            own.is_some() && own == others
        });
        let side = |side: Side| if is_swapped { side.other() } else { side };
        let taken: Vec<u16> = self.joints.iter().flatten().map(|(index, _)| *index).collect();
        for joint in ALL {
            if let (None, Some(index)) = (self.get(joint), other.get(joint.with_side(side)))
                && !taken.contains(&index)
            {
                self.set(joint, index, Evidence::Shape);
            }
        }
    }
}
