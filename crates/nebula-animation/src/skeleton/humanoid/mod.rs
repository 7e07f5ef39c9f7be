//! Joints by meaning: hips, head, left foot, on whoever's character.

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

/// Which joints of a skeleton are the hips, the head, the left foot.
///
/// [`find`](HumanoidMap::find) knows the names that Mixamo, Blender's Rigify, Auto-Rig Pro, VRM, Unreal, 3ds Max, Daz, SMPL, motion
/// capture and others give their joints, with or without prefixes and numbers, and the hierarchy that comes with them; where names fail
/// it looks at the shape of the rest pose. A file that says so itself, as VRM's do, is believed ([`Asset::rig`](crate::Asset::rig)).
/// [`evidence`](HumanoidMap::evidence) tells which it was. Where it errs, say it yourself:
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
    joints: [Option<(u16, Evidence)>; ALL.len()],
    fingers: [[[Option<u16>; FINGER_JOINTS]; 5]; 2],
}

/// Joints that a humanoid should have and that were not found, or why what was found is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", said(missing, *joint_count, unlike))]
pub struct MissingJoints {
    /// What was not found.
    pub missing: Vec<HumanoidJoint>,
    /// How many joints the skeleton has.
    pub joint_count: usize,
    /// What about the rest pose is not that of a human, as far as joints were found.
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
    /// Finds the joints of a humanoid: by the names that are in use, and what names do not tell by the shape of the rest pose.
    ///
    /// # Errors
    /// All joints that [are required](HumanoidJoint::is_required) and were not found, and what of the rest pose is not that of a
    /// human: animals on four legs and monsters with tiny arms are refused, also where their joints are called arms and legs.
    pub fn find(skeleton: &Skeleton) -> Result<Self, MissingJoints> {
        let map = Self::find_some(skeleton);
        map.check(skeleton).map(|()| map)
    }

    /// Finds whatever joints of a humanoid there are: for half a body, or a robot with wheels. An animal has some too.
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

    /// Whether the joints make a human of this skeleton: all that [are required](HumanoidJoint::is_required) are known, and the rest
    /// pose is that of a body which stands on two legs. Where code or the file itself says all of them, it is believed.
    ///
    /// # Errors
    /// What is missing, and what the rest pose has against it.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), MissingJoints> {
        let missing = self.missing();
        // Whoever says so knows, whatever the rest pose looks like.
        let is_said = |joint: J| matches!(self.evidence(joint), Some(Evidence::Given | Evidence::File));
        let is_certain = missing.is_empty() && ALL.into_iter().filter(|joint| joint.is_required()).all(is_said);
        let unlike = if is_certain { Vec::new() } else { shape::unlike(self, &Body::of(skeleton)) };
        let is_human = missing.is_empty() && unlike.is_empty();
        if is_human { Ok(()) } else { Err(MissingJoints { missing, joint_count: skeleton.joints.len(), unlike }) }
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
        self.set(joint, index, Evidence::Given);
        self
    }

    /// The same without a joint.
    #[must_use]
    pub fn without(mut self, joint: HumanoidJoint) -> Self {
        self.joints[joint.place()] = None;
        self
    }

    /// The same with the joints of a finger, from the hand outwards.
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

    /// What says that a joint is the one that [`get`](HumanoidMap::get) returns.
    #[must_use]
    pub fn evidence(&self, joint: HumanoidJoint) -> Option<Evidence> {
        self.joints[joint.place()].map(|(_, evidence)| evidence)
    }

    /// How sure it is that the joints that a human must have are these, from 0 (some are not known) to 1: the mean of the
    /// [`Evidence`] for each of them.
    #[must_use]
    pub fn certainty(&self) -> f32 {
        let required = ALL.into_iter().filter(|joint| joint.is_required());
        let each: Option<Vec<f32>> = required.map(|joint| self.evidence(joint).map(Evidence::certainty)).collect();
        each.map_or(0.0, |each| each.iter().sum::<f32>() / each.len() as f32)
    }

    /// The joints of a finger, from the hand outwards: a thumb's metacarpal, proximal and distal one, of the others the proximal,
    /// intermediate and distal one. `None` from where the rig has no more.
    #[must_use]
    pub fn finger(&self, side: Side, finger: Finger) -> [Option<u16>; 3] {
        self.fingers[side as usize][finger as usize]
    }

    /// The index of a joint.
    ///
    /// # Errors
    /// That it is not known.
    pub fn require(&self, joint: HumanoidJoint) -> Result<u16, MissingJoints> {
        let joint_count = self.joints.iter().flatten().count();
        self.get(joint).ok_or_else(|| MissingJoints { missing: vec![joint], joint_count, unlike: Vec::new() })
    }

    /// The joint that carries neck and arms, by whatever name: what breathes.
    #[must_use]
    pub fn ribcage(&self) -> Option<u16> {
        self.get(J::UpperChest).or_else(|| self.get(J::Chest)).or_else(|| self.get(J::Spine))
    }

    /// All joints that are known, from the hips up and then down; fingers are not among them.
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
