use std::f64::consts::TAU;

use glam::dvec3;

use super::clips::{Motion, markers_in_order};
use super::figure::{ArmPose, Figure, Lean, RELAXED_ARM};
use super::gait::Gait;
use crate::author::curve::Curve;
use crate::author::schema::Marker;

/// Length of a cycle of two steps, in seconds.
const SECONDS: f64 = 1.0;
/// Metres in a cycle: 1.4 metres a second, as people walk who have somewhere to go.
const STRIDE: f64 = 1.4;
/// The fraction of the cycle for which each foot is on the ground; both are for the rest of the half.
const STANCE: f64 = 0.61;
/// When the sole is flat, and when the heel rises, as fractions of the cycle after landing.
const FLAT: f64 = 0.08;
const HEEL_OFF: f64 = 0.3;

/// Where in the cycle the clip begins, as in the stroll and the run, so that all can be blended in step.
const START: f64 = 0.33;

/// A walk: heel, sole, toes; hips that rise over the standing leg and fall between the steps, sway and turn with the legs; a chest that turns
/// against them, and arms that swing against the legs.
pub(super) fn walk() -> Motion {
    let gait = gait();
    Motion {
        name: "walk",
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
        (0.0, -0.34),
        (FLAT, 0.0),
        (HEEL_OFF, 0.0),
        (0.46, 0.36),
        (STANCE, 1.08),
        (0.65, 1.16),
        (0.73, 0.7),
        (0.82, 0.0),
        (0.92, -0.3),
    ];
    Gait {
        stride: STRIDE,
        stance: STANCE,
        landing: 0.325,
        half_width: 0.06,
        toe_out: 0.09,
        pitch: Curve::repeating(1.0, &pitch),
        swing_heights: vec![(0.66, 0.235), (0.71, 0.245), (0.77, 0.205), (0.86, 0.14), (0.95, 0.112)],
        toes_relax: 0.2,
        settle: 0.025,
    }
}

/// The pose at a moment of the cycle, which begins as the left heel lands.
fn figure(gait: &Gait, cycle: f64) -> Figure {
    let wave = |harmonic: f64, peak: f64| (TAU * harmonic * (cycle - peak)).cos();
    let tip = 0.065 * wave(1.0, 0.19);
    Figure {
        hips_shift: dvec3(0.02 * wave(1.0, 0.3), -0.04 + 0.022 * wave(2.0, 0.29), 0.012 * wave(2.0, 0.16)),
        hips: Lean { forwards: 0.06 + 0.02 * wave(2.0, 0.1), left: -0.1 * wave(1.0, 0.0), tip },
        // Against the hips: in the model's axes it turns by 10 degrees.
        chest: Lean { forwards: -0.02 + 0.02 * wave(2.0, 0.06), left: 0.275 * wave(1.0, 0.01), tip: -1.2 * tip },
        head: Lean { forwards: 0.02 * wave(2.0, 0.1), left: 0.02 * wave(1.0, 0.05), tip: -0.015 * wave(1.0, 0.25) },
        arms: [0.0, 0.5].map(|offset| arm(cycle + offset)),
        feet: [gait.foot(1.0, cycle), gait.foot(-1.0, cycle + 0.5)],
    }
}

/// An arm at a moment of the cycle of the leg on its own side: furthest back as that heel lands.
fn arm(cycle: f64) -> ArmPose {
    let wave = |peak: f64| (TAU * (cycle - peak)).cos();
    ArmPose {
        swing: 0.03 - 0.46 * wave(0.03),
        out: 0.16,
        elbow: 0.4 - 0.2 * wave(0.08),
        wrist: 0.06 + 0.06 * wave(0.2),
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
