use std::f64::consts::TAU;

use super::figure::{ArmPose, RELAXED_ARM};
use crate::author::curve::Curve;

pub(super) const SECONDS: f64 = 2.4;
/// The clip begins and ends with a moment of rest, so that it joins on to anything, itself included.
const REST: f64 = 0.04;
/// When the hand is up, and when it goes down again.
const UP: f64 = 0.55;
const DOWN: f64 = 1.85;

/// The waving arm at a moment: it rises, the forearm swings to and fro three times, and it sinks again.
pub(super) fn waving_arm(time: f64) -> ArmPose {
    let raised = Curve::once(&[(REST, 0.0), (UP, 1.0), (DOWN, 1.0), (SECONDS - REST, 0.0)]).at(time);
    let swinging = Curve::once(&[(UP - 0.1, 0.0), (UP + 0.12, 1.0), (DOWN - 0.12, 1.0), (DOWN + 0.1, 0.0)]).at(time);
    let to_and_fro = swinging * (TAU * 3.0 * (time - UP) / (DOWN - UP)).sin();
    let between = |low: f64, high: f64| low + (high - low) * raised;
    ArmPose {
        swing: between(RELAXED_ARM.swing, 0.42),
        out: between(RELAXED_ARM.out, 1.22),
        twist: between(RELAXED_ARM.twist, 1.15),
        elbow: between(RELAXED_ARM.elbow, 1.55) + 0.38 * to_and_fro,
        wrist: between(RELAXED_ARM.wrist, -0.08) + 0.12 * to_and_fro,
        curl: between(RELAXED_ARM.curl, 0.02),
        shrug: between(RELAXED_ARM.shrug, 0.14),
    }
}
