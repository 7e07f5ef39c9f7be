use glam::DVec3;

use super::rig::{Arm, HumanoidRig, Leg, landmarks};
use crate::author::field::smooth_step;
use crate::author::mesh::Influence;

/// The joints that carry a point of the T-pose and their shares.
///
/// Each chain of joints hands over from one to the next across a plane through the joint. The bands of hand-over are
/// about as wide as the limb is thick: wider ones make a bent elbow collapse, narrower ones crease it.
pub(super) fn body_influences(humanoid: &HumanoidRig, p: DVec3) -> Vec<Influence> {
    let side = usize::from(p.x < 0.0);
    let x = p.x.abs();
    let mut influences = Vec::new();

    // The plane between torso and arm leans, so that the flank under the armpit stays with the torso.
    let across_shoulder = (x - landmarks::UPPER_ARM.x) + 0.35 * (p.y - landmarks::UPPER_ARM.y).min(0.06);
    let arm_share = smooth_step(-0.065, 0.075, across_shoulder) * smooth_step(1.2, 1.3, p.y);
    // The plane between pelvis and thigh leans too: the hip's outside belongs to the leg further up than the crotch.
    let across_hip = (landmarks::THIGH.y - 0.025 - p.y) + 0.3 * (x - landmarks::THIGH.x);
    let leg_share = smooth_step(-0.085, 0.095, across_hip);

    if arm_share > 0.0 {
        push_arm(&mut influences, &humanoid.arms[side], x, arm_share);
    }
    if leg_share > 0.0 {
        // Around the midline both thighs share what the crotch leaves them.
        let own = smooth_step(-0.03, 0.03, x);
        push_leg(&mut influences, &humanoid.legs[side], p, leg_share * own);
        push_leg(&mut influences, &humanoid.legs[1 - side], p, leg_share * (1.0 - own));
    }
    let torso_share = (1.0 - arm_share) * (1.0 - leg_share);
    let collar_share = smooth_step(0.03, 0.14, x) * smooth_step(1.3, 1.42, p.y);
    influences.push((humanoid.arms[side].shoulder, torso_share * collar_share));
    push_torso(&mut influences, humanoid, p, torso_share * (1.0 - collar_share));
    influences.retain(|influence| influence.1 > 1e-4);
    influences
}

/// The head with its neck, which no arm may pull at.
pub(super) fn neck_influences(humanoid: &HumanoidRig, p: DVec3) -> Vec<Influence> {
    let mut influences = Vec::new();
    push_torso(&mut influences, humanoid, p, 1.0);
    influences.retain(|influence| influence.1 > 1e-4);
    influences
}

/// A shoe moves with the foot and bends at the ball; nothing else pulls at it, so that the sole stays flat. It bends behind the ball, where a
/// rising heel lifts it: ahead of it, what the foot pulls at would be pushed into the ground, and drag along it.
pub(super) fn shoe_influences(humanoid: &HumanoidRig, p: DVec3) -> Vec<Influence> {
    let leg = &humanoid.legs[usize::from(p.x < 0.0)];
    let toes = smooth_step(-0.044, 0.0, p.z - landmarks::TOES.z);
    vec![(leg.foot, 1.0 - toes), (leg.toes, toes)]
}

/// The chain of joints along an arm that stretches out sideways.
fn push_arm(influences: &mut Vec<Influence>, arm: &Arm, x: f64, share: f64) {
    let past_elbow = smooth_step(-0.036, 0.036, x - landmarks::LOWER_ARM.x);
    let past_wrist = smooth_step(-0.03, 0.02, x - landmarks::HAND.x);
    let past_knuckles = smooth_step(-0.012, 0.014, x - landmarks::FINGERS.x);
    influences.push((arm.upper, share * (1.0 - past_elbow)));
    influences.push((arm.lower, share * past_elbow * (1.0 - past_wrist)));
    influences.push((arm.hand, share * past_wrist * (1.0 - past_knuckles)));
    influences.push((arm.fingers, share * past_knuckles));
}

/// The chain of joints down a leg.
fn push_leg(influences: &mut Vec<Influence>, leg: &Leg, p: DVec3, share: f64) {
    let past_knee = smooth_step(-0.05, 0.05, landmarks::SHIN.y - p.y);
    let past_ankle = smooth_step(-0.03, 0.02, landmarks::FOOT.y - p.y);
    influences.push((leg.thigh, share * (1.0 - past_knee)));
    influences.push((leg.shin, share * past_knee * (1.0 - past_ankle)));
    influences.push((leg.foot, share * past_ankle));
}

/// The chain of joints from the hips up to the head.
fn push_torso(influences: &mut Vec<Influence>, humanoid: &HumanoidRig, p: DVec3, share: f64) {
    let [low, middle, chest] = humanoid.spine;
    let chain = [
        (low, landmarks::SPINE[0], 0.07),
        (middle, landmarks::SPINE[1], 0.065),
        (chest, landmarks::SPINE[2], 0.07),
        (humanoid.neck, landmarks::NECK, 0.035),
        (humanoid.head, landmarks::HEAD, 0.03),
    ];
    let mut carrier = humanoid.hips;
    let mut left = share;
    for (joint, at, half_width) in chain {
        // The head's plane leans back, so that the chin goes with the head and the nape with the neck.
        let lean = if joint == humanoid.head { 0.35 * p.z } else { 0.0 };
        let above = smooth_step(-half_width, half_width, p.y - at.y + lean);
        influences.push((carrier, left * (1.0 - above)));
        (carrier, left) = (joint, left * above);
    }
    influences.push((carrier, left));
}
