use std::f64::consts::TAU;

use glam::dvec3;

use super::clips::{Motion, markers_in_order};
use super::figure::{ArmPose, Figure, Lean, RELAXED_ARM};
use super::gait::Gait;
use crate::author::curve::Curve;
use crate::author::schema::Marker;

/// Length of a cycle of two steps, in seconds.
const SECONDS: f64 = 2.0;
/// Metres in a cycle: a stroll of 0.6 metres a second.
const STRIDE: f64 = 1.2;
/// The fraction of the cycle for which each foot is on the ground; both are for the rest of the half.
const STANCE: f64 = 0.64;
/// When the sole is flat, and when the heel rises, as fractions of the cycle after landing.
const FLAT: f64 = 0.09;
const HEEL_OFF: f64 = 0.34;

/// Where in the cycle the clip begins: the left foot flat, the right one ahead of it. Nothing speeds up or slows down much at that
/// moment, which hides the seam of the loop.
const START: f64 = 0.33;

/// An unhurried walk: heel, sole, toes; hips that sway over the standing leg and bob twice a cycle; arms against the legs.
pub(super) fn stroll() -> Motion {
    let gait = gait();
    Motion {
        name: "stroll",
        seconds: SECONDS,
        intervals: 300,
        distance: STRIDE,
        turn: 0.0,
        markers: markers(),
        figure: Box::new(move |time| figure(&gait, START + time / SECONDS)),
    }
}

fn gait() -> Gait {
    let pitch = [
        (0.0, -0.3),
        (FLAT, 0.0),
        (HEEL_OFF, 0.0),
        (0.5, 0.25),
        (STANCE, 0.98),
        (0.67, 1.04),
        (0.75, 0.6),
        (0.83, 0.0),
        (0.93, -0.26),
    ];
    Gait {
        stride: STRIDE,
        stance: STANCE,
        landing: 0.308,
        half_width: 0.075,
        toe_out: 0.1,
        pitch: Curve::repeating(1.0, &pitch),
        swing_heights: vec![(0.69, 0.196), (0.73, 0.208), (0.78, 0.19), (0.86, 0.14), (0.95, 0.1125)],
        toes_relax: 0.24,
        settle: 0.0,
    }
}

/// The pose at a moment of the cycle, which begins as the left heel lands.
fn figure(gait: &Gait, cycle: f64) -> Figure {
    let wave = |harmonic: f64, peak: f64| (TAU * harmonic * (cycle - peak)).cos();
    let yaw = -0.1 * wave(1.0, 0.02);
    let chest_yaw = 0.17 * wave(1.0, 0.04);
    let tip = 0.055 * wave(1.0, 0.2);
    Figure {
        hips_shift: dvec3(0.024 * wave(1.0, 0.31), -0.029 + 0.014 * wave(2.0, 0.31), 0.006 * wave(2.0, 0.16)),
        hips: Lean { forwards: 0.05 + 0.012 * wave(2.0, 0.1), left: yaw, tip },
        chest: Lean { forwards: -0.025 + 0.018 * wave(2.0, 0.06), left: chest_yaw, tip: -1.15 * tip },
        head: Lean { forwards: 0.015 * wave(2.0, 0.1), left: 0.015 * wave(1.0, 0.05), tip: -0.012 * wave(1.0, 0.25) },
        arms: [0.0, 0.5].map(|offset| arm(cycle + offset)),
        feet: [gait.foot(1.0, cycle), gait.foot(-1.0, cycle + 0.5)],
    }
}

/// An arm at a moment of the cycle of the leg on its own side: furthest back as that heel lands.
fn arm(cycle: f64) -> ArmPose {
    let wave = |peak: f64| (TAU * (cycle - peak)).cos();
    ArmPose {
        swing: 0.0 - 0.32 * wave(0.04),
        out: 0.15,
        elbow: 0.28 - 0.13 * wave(0.1),
        wrist: 0.06 + 0.05 * wave(0.2),
        ..RELAXED_ARM
    }
}

fn markers() -> Vec<Marker> {
    let moments = [("left_down", 0.0), ("left_flat", FLAT), ("left_heel_off", HEEL_OFF), ("left_up", STANCE)];
    let right = [
        ("right_down", 0.5),
        ("right_flat", 0.5 + FLAT),
        ("right_heel_off", 0.5 + HEEL_OFF),
        ("right_up", STANCE - 0.5),
    ];
    markers_in_order(SECONDS, START, &[moments, right].concat())
}
