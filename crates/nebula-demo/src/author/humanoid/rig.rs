use glam::{DVec3, dvec3};

use crate::author::pose::Limb;
use crate::author::rig::Rig;

/// The person's 25 joints. The names follow the convention that most motion libraries use, so that their clips find
/// the joints; `Root` stands on the ground and carries the motion through the world.
#[derive(Clone, Debug)]
pub(in crate::author) struct HumanoidRig {
    pub rig: Rig,
    pub root: usize,
    pub hips: usize,
    /// The three joints between hips and neck, from below.
    pub spine: [usize; 3],
    pub neck: usize,
    pub head: usize,
    /// Left, right.
    pub arms: [Arm; 2],
    /// Left, right.
    pub legs: [Leg; 2],
}

/// The joints of one arm.
#[derive(Clone, Copy, Debug)]
pub(in crate::author) struct Arm {
    pub shoulder: usize,
    pub upper: usize,
    pub lower: usize,
    pub hand: usize,
    pub fingers: usize,
}

/// The joints of one leg.
#[derive(Clone, Copy, Debug)]
pub(in crate::author) struct Leg {
    pub thigh: usize,
    pub shin: usize,
    pub foot: usize,
    pub toes: usize,
}

impl Leg {
    /// Thigh, shin and foot as a limb whose knee bends backwards.
    pub fn limb(&self) -> Limb {
        Limb { upper: self.thigh, lower: self.shin, end: self.foot, hinge: DVec3::X }
    }
}

/// The body's landmarks on its left side, in metres: Y up, the person faces +Z, so that left is +X.
pub(in crate::author) mod landmarks {
    use glam::{DVec3, dvec3};

    pub const HIPS: DVec3 = dvec3(0.0, 0.96, 0.0);
    pub const SPINE: [DVec3; 3] = [dvec3(0.0, 1.06, -0.005), dvec3(0.0, 1.18, -0.012), dvec3(0.0, 1.31, -0.018)];
    pub const NECK: DVec3 = dvec3(0.0, 1.465, -0.018);
    pub const HEAD: DVec3 = dvec3(0.0, 1.545, 0.0);
    pub const SHOULDER: DVec3 = dvec3(0.03, 1.42, -0.005);
    pub const UPPER_ARM: DVec3 = dvec3(0.175, 1.415, -0.015);
    pub const LOWER_ARM: DVec3 = dvec3(0.445, 1.415, -0.02);
    pub const HAND: DVec3 = dvec3(0.69, 1.415, -0.01);
    pub const FINGERS: DVec3 = dvec3(0.78, 1.41, -0.008);
    pub const THIGH: DVec3 = dvec3(0.092, 0.915, 0.0);
    pub const SHIN: DVec3 = dvec3(0.092, 0.5, 0.01);
    pub const FOOT: DVec3 = dvec3(0.092, 0.085, -0.015);
    pub const TOES: DVec3 = dvec3(0.092, 0.025, 0.115);
}

/// Builds the rig in its T-pose.
pub(in crate::author) fn humanoid_rig() -> HumanoidRig {
    use landmarks::*;

    let mut rig = Rig::default();
    let root = rig.add("Root", None, DVec3::ZERO);
    let hips = rig.add("Hips", Some(root), HIPS);
    let low = rig.add("Spine", Some(hips), SPINE[0]);
    let middle = rig.add("Spine1", Some(low), SPINE[1]);
    let chest = rig.add("Spine2", Some(middle), SPINE[2]);
    let neck = rig.add("Neck", Some(chest), NECK);
    let head = rig.add("Head", Some(neck), HEAD);
    let arms = [("Left", 1.0), ("Right", -1.0)].map(|(side, sign)| {
        let mut add = |part: &str, parent, at: DVec3| {
            rig.add(&format!("{side}{part}"), Some(parent), dvec3(at.x * sign, at.y, at.z))
        };
        let shoulder = add("Shoulder", chest, SHOULDER);
        let upper = add("Arm", shoulder, UPPER_ARM);
        let lower = add("ForeArm", upper, LOWER_ARM);
        let hand = add("Hand", lower, HAND);
        Arm { shoulder, upper, lower, hand, fingers: add("Fingers", hand, FINGERS) }
    });
    let legs = [("Left", 1.0), ("Right", -1.0)].map(|(side, sign)| {
        let mut add = |part: &str, parent, at: DVec3| {
            rig.add(&format!("{side}{part}"), Some(parent), dvec3(at.x * sign, at.y, at.z))
        };
        let thigh = add("UpLeg", hips, THIGH);
        let shin = add("Leg", thigh, SHIN);
        let foot = add("Foot", shin, FOOT);
        Leg { thigh, shin, foot, toes: add("ToeBase", foot, TOES) }
    });
    HumanoidRig { rig, root, hips, spine: [low, middle, chest], neck, head, arms, legs }
}
