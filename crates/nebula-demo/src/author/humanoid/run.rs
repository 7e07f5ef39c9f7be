use std::f64::consts::TAU;

use glam::dvec3;

use super::clips::{Motion, markers_in_order};
use super::figure::{ArmPose, Figure, Lean};
use super::gait::Gait;
use crate::author::curve::Curve;
use crate::author::schema::Marker;

/// Length of a cycle of two steps, in seconds.
const SECONDS: f64 = 0.7;
/// Metres in a cycle: a little over 2.4 metres a second.
const STRIDE: f64 = 1.7;
/// Less than half: between the steps both feet are in the air, for a twentieth of a second each time.
const STANCE: f64 = 0.43;
/// When the sole is flat, and when the heel rises, as fractions of the cycle after landing.
const FLAT: f64 = 0.05;
const HEEL_OFF: f64 = 0.17;

/// Where in the cycle the clip begins, as in the walk, so that both can be blended in step.
const START: f64 = 0.33;

/// An easy run: the body falls on a bent leg and is thrown off the toes, elbows at right angles.
pub(super) fn run() -> Motion {
    let gait = gait();
    Motion {
        name: "run",
        seconds: SECONDS,
        intervals: 252,
        distance: STRIDE,
        turn: 0.0,
        markers: markers(),
        figure: Box::new(move |time| figure(&gait, START + time / SECONDS)),
    }
}

fn gait() -> Gait {
    let pitch = [
        (0.0, -0.2),
        (FLAT, 0.0),
        (HEEL_OFF, 0.0),
        (0.32, 0.42),
        (STANCE, 1.02),
        (0.54, 1.5),
        (0.63, 1.4),
        (0.82, 0.25),
        (0.94, -0.17),
    ];
    Gait {
        stride: STRIDE,
        stance: STANCE,
        landing: 0.25,
        half_width: 0.05,
        toe_out: 0.05,
        pitch: Curve::repeating(1.0, &pitch),
        swing_heights: vec![
            (0.46, 0.192),
            (0.5, 0.237),
            (0.56, 0.31),
            (0.65, 0.37),
            (0.73, 0.34),
            (0.85, 0.2),
            (0.94, 0.114),
            (0.965, 0.101),
        ],
        toes_relax: 0.12,
        settle: 0.0,
    }
}

/// The pose at a moment of the cycle, which begins as the left foot lands.
fn figure(gait: &Gait, cycle: f64) -> Figure {
    let wave = |harmonic: f64, peak: f64| (TAU * harmonic * (cycle - peak)).cos();
    let tip = 0.05 * wave(1.0, 0.17);
    Figure {
        hips_shift: dvec3(0.012 * wave(1.0, 0.19), -0.067 + 0.03 * wave(2.0, 0.45), 0.01 * wave(2.0, 0.05)),
        hips: Lean { forwards: 0.14 + 0.02 * wave(2.0, 0.12), left: -0.13 * wave(1.0, 0.93), tip },
        chest: Lean { forwards: 0.03 + 0.025 * wave(2.0, 0.15), left: 0.3 * wave(1.0, 0.95), tip: -1.1 * tip },
        head: Lean { forwards: 0.04 + 0.02 * wave(2.0, 0.2), left: 0.02 * wave(1.0, 0.95), tip: 0.0 },
        arms: [0.0, 0.5].map(|offset| arm(cycle + offset)),
        feet: [gait.foot(1.0, cycle), gait.foot(-1.0, cycle + 0.5)],
    }
}

/// An arm at a moment of the cycle of the leg on its own side: furthest back as that foot lands.
fn arm(cycle: f64) -> ArmPose {
    let wave = |peak: f64| (TAU * (cycle - peak)).cos();
    ArmPose {
        swing: -0.12 - 0.62 * wave(0.97),
        // The hand comes in front of the chest and swings out past the hip.
        out: 0.27 + 0.07 * wave(0.97),
        twist: -0.12 + 0.2 * wave(0.97),
        elbow: 1.5 - 0.16 * wave(0.02),
        wrist: 0.05,
        curl: 1.15,
        shrug: 0.03,
    }
}

fn markers() -> Vec<Marker> {
    let left = [("left_down", 0.0), ("left_flat", FLAT), ("left_heel_off", HEEL_OFF), ("left_up", STANCE)];
    let right = [
        ("right_down", 0.5),
        ("right_flat", 0.5 + FLAT),
        ("right_heel_off", 0.5 + HEEL_OFF),
        ("right_up", 0.5 + STANCE),
    ];
    markers_in_order(SECONDS, START, &[left, right].concat())
}
