use glam::{DQuat, DVec3, dvec3};

use super::rig::HumanoidRig;
use crate::author::pose::Pose;

/// A pose of the person in an animator's terms. Angles are in radians, places in metres in the root's frame.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// Displacement of the hips from their place in the T-pose.
    pub hips_shift: DVec3,
    pub hips: Lean,
    /// The chest against the hips, shared by the three joints of the spine.
    pub chest: Lean,
    /// The head in the root's frame, whatever the chest does: people keep their eyes level.
    pub head: Lean,
    /// Left, right.
    pub arms: [ArmPose; 2],
    /// Left, right.
    pub feet: [FootPose; 2],
}

/// A rotation as a person would describe it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lean {
    /// Bowing forwards.
    pub forwards: f64,
    /// Turning to the person's left.
    pub left: f64,
    /// Tipping towards the person's right side, which raises the left one.
    pub tip: f64,
}

/// One arm, counted from hanging straight down. All angles are the same for both sides of a symmetric pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArmPose {
    /// Forwards, about the axis through both shoulders.
    pub swing: f64,
    /// Away from the body to the side.
    pub out: f64,
    /// The upper arm about its own length; positive turns the crook of the elbow outwards and up.
    pub twist: f64,
    pub elbow: f64,
    /// The hand towards the palm.
    pub wrist: f64,
    pub curl: f64,
    /// The collar bone up.
    pub shrug: f64,
}

/// Where one foot is and how it is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootPose {
    pub ankle: DVec3,
    /// Turning to the person's left.
    pub left: f64,
    /// Toes down, heel up.
    pub pitch: f64,
    /// The toes against the foot; positive points them down.
    pub toes: f64,
}

impl Lean {
    pub fn rotation(self) -> DQuat {
        DQuat::from_rotation_y(self.left) * DQuat::from_rotation_x(self.forwards) * DQuat::from_rotation_z(self.tip)
    }
}

/// An arm that hangs at ease.
pub(super) const RELAXED_ARM: ArmPose =
    ArmPose { swing: 0.03, out: 0.14, twist: 0.0, elbow: 0.22, wrist: 0.06, curl: 0.42, shrug: 0.0 };

impl Figure {
    /// Turns the description into joint rotations: legs by inverse kinematics, everything else directly.
    pub fn pose(&self, humanoid: &HumanoidRig) -> Pose {
        let mut pose = Pose::rest(&humanoid.rig);
        pose.shifts[humanoid.hips] = self.hips_shift;
        pose.turns[humanoid.hips] = self.hips.rotation();
        let third = DQuat::IDENTITY.slerp(self.chest.rotation(), 1.0 / 3.0);
        for joint in humanoid.spine {
            pose.turns[joint] = third;
        }
        let chest_turn = self.hips.rotation() * self.chest.rotation();
        // Neck and head share the way from the chest's turn to the head's.
        let half = DQuat::IDENTITY.slerp(chest_turn.inverse() * self.head.rotation(), 0.5);
        pose.turns[humanoid.neck] = half;
        pose.turns[humanoid.head] = half;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            self.arms[side].apply(&mut pose, humanoid, side, sign);
            let (foot, leg) = (&self.feet[side], &humanoid.legs[side]);
            let turn = DQuat::from_rotation_y(foot.left) * DQuat::from_rotation_x(foot.pitch);
            // The knee points where the foot does, a little outwards.
            let pole = DQuat::from_rotation_y(0.6 * foot.left + 0.4 * self.hips.left) * dvec3(0.05 * sign, 0.0, 1.0);
            pose.reach(&humanoid.rig, &leg.limb(), foot.ankle, pole, turn);
            pose.turns[leg.toes] = DQuat::from_rotation_x(foot.toes);
        }
        pose
    }
}

impl ArmPose {
    fn apply(&self, pose: &mut Pose, humanoid: &HumanoidRig, side: usize, sign: f64) {
        let arm = &humanoid.arms[side];
        // From the T-pose an arm comes down by a quarter turn less its distance from the body.
        let down = DQuat::from_rotation_z(-sign * (std::f64::consts::FRAC_PI_2 - self.out));
        let twist = DQuat::from_rotation_x(-self.twist);
        pose.turns[arm.shoulder] = DQuat::from_rotation_z(sign * self.shrug);
        pose.turns[arm.upper] = DQuat::from_rotation_x(-self.swing) * down * twist;
        pose.turns[arm.lower] = DQuat::from_rotation_y(-sign * self.elbow);
        pose.turns[arm.hand] = DQuat::from_rotation_z(-sign * self.wrist);
        pose.turns[arm.fingers] = DQuat::from_rotation_z(-sign * self.curl);
    }
}
