use glam::{DMat3, DQuat, DVec3, dvec3};

use crate::author::pose::Limb;
use crate::author::rig::Rig;

/// The robot's joints.
#[derive(Clone, Debug)]
pub(super) struct RobotRig {
    pub rig: Rig,
    pub root: usize,
    pub pelvis: usize,
    pub torso: usize,
    pub head: usize,
    pub antenna: usize,
    /// Left, right.
    pub arms: [RobotArm; 2],
    /// Left, right.
    pub legs: [RobotLeg; 2],
}

/// The joints of one arm, with a gripper of two jaws.
#[derive(Clone, Copy, Debug)]
pub(super) struct RobotArm {
    pub upper: usize,
    pub lower: usize,
    pub gripper: usize,
    pub jaws: [usize; 2],
}

/// The joints of one leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct RobotLeg {
    pub thigh: usize,
    pub shin: usize,
    pub foot: usize,
    /// The rest place of the ankle.
    pub ankle: DVec3,
}

impl RobotLeg {
    /// Thigh, shin and foot as a limb whose knee bends backwards.
    pub fn limb(&self) -> Limb {
        Limb { upper: self.thigh, lower: self.shin, end: self.foot, hinge: DVec3::X }
    }
}

/// The robot's landmarks on its left side, in metres.
pub(super) mod landmarks {
    use glam::{DVec3, dvec3};

    pub const PELVIS: DVec3 = dvec3(0.0, 0.5, 0.0);
    pub const TORSO: DVec3 = dvec3(0.0, 0.6, 0.0);
    pub const HEAD: DVec3 = dvec3(0.0, 1.02, 0.0);
    pub const ANTENNA: DVec3 = dvec3(0.08, 1.3, -0.04);
    pub const UPPER_ARM: DVec3 = dvec3(0.27, 0.93, 0.0);
    pub const LOWER_ARM: DVec3 = dvec3(0.46, 0.74, -0.01);
    pub const GRIPPER: DVec3 = dvec3(0.67, 0.53, 0.0);
    pub const JAWS: [DVec3; 2] = [dvec3(0.725, 0.475, 0.035), dvec3(0.725, 0.475, -0.035)];
    pub const THIGH: DVec3 = dvec3(0.13, 0.46, 0.0);
    pub const SHIN: DVec3 = dvec3(0.13, 0.28, 0.012);
    pub const FOOT: DVec3 = dvec3(0.13, 0.09, -0.01);
}

/// Builds the rig: arms at a slant, every joint's X axis along its bone.
pub(super) fn robot_rig() -> RobotRig {
    use landmarks::*;

    let mut rig = Rig::default();
    let root = rig.add("root", None, DVec3::ZERO);
    let pelvis = rig.add_with_axes("pelvis", Some(root), PELVIS, along(DVec3::Y));
    let torso = rig.add_with_axes("torso", Some(pelvis), TORSO, along(DVec3::Y));
    let head = rig.add_with_axes("head", Some(torso), HEAD, along(DVec3::Y));
    let antenna = rig.add_with_axes("antenna", Some(head), ANTENNA, along(dvec3(0.2, 1.0, -0.1)));
    let arms = [("L", 1.0), ("R", -1.0)].map(|(side, sign)| {
        let at = |point: DVec3| dvec3(point.x * sign, point.y, point.z);
        let mut add = |part: &str, parent: usize, from: DVec3, to: DVec3| {
            rig.add_with_axes(&format!("{part}.{side}"), Some(parent), at(from), along(at(to) - at(from)))
        };
        let upper = add("upper_arm", torso, UPPER_ARM, LOWER_ARM);
        let lower = add("forearm", upper, LOWER_ARM, GRIPPER);
        let gripper = add("gripper", lower, GRIPPER, GRIPPER + (GRIPPER - LOWER_ARM));
        let jaws = [("jaw_front", JAWS[0]), ("jaw_back", JAWS[1])]
            .map(|(part, place)| add(part, gripper, place, place + (GRIPPER - LOWER_ARM)));
        RobotArm { upper, lower, gripper, jaws }
    });
    let legs = [("L", 1.0), ("R", -1.0)].map(|(side, sign)| {
        let at = |point: DVec3| dvec3(point.x * sign, point.y, point.z);
        let mut add = |part: &str, parent: usize, from: DVec3, to: DVec3| {
            rig.add_with_axes(&format!("{part}.{side}"), Some(parent), at(from), along(at(to) - at(from)))
        };
        let thigh = add("thigh", pelvis, THIGH, SHIN);
        let shin = add("shin", thigh, SHIN, FOOT);
        let foot = add("foot", shin, FOOT, FOOT + DVec3::Z);
        RobotLeg { thigh, shin, foot, ankle: at(FOOT) }
    });
    RobotRig { rig, root, pelvis, torso, head, antenna, arms, legs }
}

/// Axes whose X points along a bone and whose Z lies as close to the model's forward direction as it can.
fn along(direction: DVec3) -> DQuat {
    let x = direction.try_normalize().unwrap_or(DVec3::X);
    let hint = if x.z.abs() > 0.9 { DVec3::Y } else { DVec3::Z };
    let z = (hint - x * hint.dot(x)).try_normalize().unwrap_or(DVec3::Y);
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
}
