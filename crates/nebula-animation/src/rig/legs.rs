//! The legs of animals and monsters: found by the shape of the rest pose, or given by name.

use glam::Vec3;
use thiserror::Error;

use super::{FeetRig, LegJoints, Rig};
use crate::skeleton::{HumanoidMap, MissingJoints, UnknownJoint};

/// Why joints cannot be used as legs.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LegError {
    /// There is no such joint.
    #[error(transparent)]
    Unknown(#[from] UnknownJoint),
    /// Hips or leg joints of a human are not known.
    #[error(transparent)]
    Missing(#[from] MissingJoints),
    /// A joint cannot have its role in a leg.
    #[error("joint \"{}\" cannot be the {part} of a leg: {reason}", joint.escape_debug())]
    Unusable {
        /// The joint's name.
        joint: String,
        /// What it was to be: pelvis, thigh, shin, foot or toes.
        part: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// There are no legs, or a leg is not three or four joints.
    #[error(
        "a leg has a thigh, a shin, a foot and possibly toes, and there is at least one: leg {leg} has {joints} joints"
    )]
    Count {
        /// The index of the leg.
        leg: usize,
        /// How many joints it has.
        joints: usize,
    },
}

/// The parts of a leg, from the hip down.
const PARTS: [&str; 4] = ["thigh", "shin", "foot", "toes"];

impl FeetRig {
    /// Any number of legs below a pelvis, by joint names: thigh, shin, foot and optionally toes. Four legs of a fox,
    /// two of a bird, six of an insect. The pelvis is the joint that carries all of them, and that is lowered.
    ///
    /// ```
    /// use nebula_animation::{Asset, rig::FeetRig};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let rig = Asset::load("test_assets/simple_humanoid.glb")?.rig();
    /// let legs: [&[&str]; 2] = [&["LeftUpLeg", "LeftLeg", "LeftFoot"], &["RightUpLeg", "RightLeg", "RightFoot"]];
    /// assert_eq!(FeetRig::named(&rig, "Hips", &legs)?.legs().len(), 2);
    ///
    /// let upside_down: [&[&str]; 1] = [&["LeftFoot", "LeftLeg", "LeftUpLeg"]];
    /// let error = FeetRig::named(&rig, "Hips", &upside_down).expect_err("a leg hangs from its thigh");
    /// assert_eq!(error.to_string(), "joint \"LeftLeg\" cannot be the shin of a leg: it is not below the thigh");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A joint with that name does not exist (similar names are listed), or cannot have its role in a leg (with the
    /// reason).
    pub fn named(rig: &Rig, pelvis: &str, legs: &[&[&str]]) -> Result<Self, LegError> {
        let pelvis = rig.require_joint(pelvis)?;
        let mut found = Vec::with_capacity(legs.len());
        for (leg, names) in legs.iter().enumerate() {
            let joints = names.iter().map(|name| rig.require_joint(name)).collect::<Result<Vec<u16>, _>>()?;
            let (thigh, shin, foot, toes) = match joints[..] {
                [thigh, shin, foot] => (thigh, shin, foot, None),
                [thigh, shin, foot, toes] => (thigh, shin, foot, Some(toes)),
                _ => return Err(LegError::Count { leg, joints: joints.len() }),
            };
            found.push(LegJoints { thigh, shin, foot, toes });
        }
        if found.is_empty() {
            return Err(LegError::Count { leg: 0, joints: 0 });
        }
        found.iter().try_for_each(|leg| check(rig, pelvis, leg))?;
        Ok(Self::new(rig, pelvis, &found))
    }

    /// The legs of whatever stands on some: those of a human, or chains of joints from the body to the ground, a left one for each right one.
    pub(crate) fn find(rig: &Rig, map: &HumanoidMap) -> Option<Self> {
        Self::of_humanoid(rig, map).ok().or_else(|| {
            let (pelvis, legs) = by_shape(rig)?;
            legs.iter().all(|leg| check(rig, pelvis, leg).is_ok()).then(|| Self::new(rig, pelvis, &legs))
        })
    }
}

/// Says what is wrong with a leg.
pub(super) fn check(rig: &Rig, pelvis: u16, leg: &LegJoints) -> Result<(), LegError> {
    let joints = [Some(leg.thigh), Some(leg.shin), Some(leg.foot), leg.toes];
    let unusable = |part: usize, reason| {
        let joint = joints[part].and_then(|joint| rig.joints.get(usize::from(joint)));
        Err(LegError::Unusable { joint: joint.map_or(String::new(), |j| j.name.clone()), part: PARTS[part], reason })
    };
    let [hip, knee, ankle] = [leg.thigh, leg.shin, leg.foot].map(|joint| rig.position(joint));
    let length = hip.distance(knee) + knee.distance(ankle);
    if !rig.is_below(leg.thigh, pelvis) {
        return unusable(0, "it is not below the pelvis");
    }
    if !rig.is_below(leg.shin, leg.thigh) {
        return unusable(1, "it is not below the thigh");
    }
    if !(knee.distance(hip) > 0.05 * length) {
        return unusable(1, "it is where the thigh is, so that there is nothing to bend");
    }
    // A foot beside its leg, for animators to drag, still is where the shin ends.
    if [leg.thigh, leg.shin].contains(&leg.foot) || rig.is_below(leg.shin, leg.foot) {
        return unusable(2, "it is a part of the leg itself");
    }
    if !(ankle.distance(knee) > 0.05 * length) {
        return unusable(2, "it is where the shin is, so that there is nothing to bend");
    }
    if !(ankle.y < hip.y) {
        return unusable(2, "it is no lower than the thigh in the rest pose");
    }
    match leg.toes {
        Some(toes) if !rig.is_below(toes, leg.foot) => unusable(3, "it is not below the foot"),
        _ => Ok(()),
    }
}

/// How low the tip of a leg is, how much its joints may be out of symmetry, and how low an ankle is, all in parts of the height of the body or leg.
const LOW: f32 = 0.12;
const ALIKE: f32 = 0.08;
const ANKLE: f32 = 0.4;

fn by_shape(rig: &Rig) -> Option<(u16, Vec<LegJoints>)> {
    let count = u16::try_from(rig.joint_count()).ok()?;
    let height = |joint: u16| rig.position(joint).y;
    let lowest = (0..count).map(height).fold(f32::INFINITY, f32::min);
    let tall = (0..count).map(height).fold(f32::NEG_INFINITY, f32::max) - lowest;
    if !(tall > 0.0) || !tall.is_finite() {
        return None;
    }
    let front = rig.front().unwrap_or(Vec3::Z);
    let side = Vec3::Y.cross(front).try_normalize()?;
    let tips = (0..count).filter(|&joint| rig.children(joint).is_empty() && height(joint) < lowest + LOW * tall);
    let mut legs: Vec<LegJoints> = Vec::new();
    for leg in tips.filter_map(|tip| chain(rig, tip, lowest, tall)) {
        if !legs.iter().any(|known| known.thigh == leg.thigh) {
            legs.push(leg);
        }
    }
    // For each leg the one on the other side.
    let mirrored = |place: Vec3| place - 2.0 * side * place.dot(side);
    let is_pair = |a: &LegJoints, b: &LegJoints| {
        let near = |a: u16, b: u16| rig.position(a).distance(mirrored(rig.position(b))) < ALIKE * tall;
        a.thigh != b.thigh && near(a.thigh, b.thigh) && near(a.foot, b.foot)
    };
    let paired: Vec<LegJoints> =
        legs.iter().filter(|leg| legs.iter().any(|other| is_pair(leg, other))).copied().collect();
    if paired.len() < 2 || !paired.len().is_multiple_of(2) {
        return None;
    }
    let mut legs = paired;
    // From the front to the back, the left one first.
    legs.sort_by(|a, b| {
        let [(a_along, a_side), (b_along, b_side)] = [a, b].map(|leg| {
            let place = rig.position(leg.thigh);
            (place.dot(front), place.dot(side))
        });
        let row = |along: f32| (along / (ALIKE * tall)).round();
        row(b_along).total_cmp(&row(a_along)).then(b_side.total_cmp(&a_side))
    });
    // The joint above all of them.
    let mut pelvis = rig.parent(legs[0].thigh)?;
    while !legs.iter().all(|leg| rig.is_below(leg.thigh, pelvis)) {
        pelvis = rig.parent(pelvis)?;
    }
    Some((pelvis, legs))
}

/// The leg that ends in a joint on the ground.
fn chain(rig: &Rig, tip: u16, lowest: f32, tall: f32) -> Option<LegJoints> {
    let height = |joint: u16| rig.position(joint).y - lowest;
    let mut joints = vec![tip];
    // Up to where the body begins, which other limbs hang from; toes hang from a foot, too.
    while let Some(parent) = joints.last().and_then(|&joint| rig.parent(joint)) {
        if rig.children(parent).len() > 1 && height(parent) > 2.0 * LOW * tall {
            break;
        }
        joints.push(parent);
    }
    joints.reverse();
    let top = joints.first().map(|&joint| height(joint)).filter(|top| *top > 2.0 * LOW * tall)?;
    let ankle = joints.iter().position(|&joint| height(joint) < ANKLE * top)?.max(2);
    let (&thigh, &shin, &foot) = (joints.get(ankle - 2)?, joints.get(ankle - 1)?, joints.get(ankle)?);
    // Where the foot bends on the ground.
    let toes = joints[ankle + 1..].iter().copied().find(|&joint| height(joint) < 0.5 * LOW * tall);
    Some(LegJoints { thigh, shin, foot, toes })
}
