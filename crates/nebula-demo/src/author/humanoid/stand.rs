use std::f64::consts::TAU;

use glam::{DQuat, DVec3, dvec3};

use super::clips::Motion;
use super::figure::{ArmPose, Figure, FootPose, Lean, RELAXED_ARM};
use super::rig::landmarks::{FOOT, TOES};

/// Half the distance between the feet of a standing person, and how far their toes point outwards.
pub(super) const HALF_WIDTH: f64 = 0.098;
pub(super) const TOE_OUT: f64 = 0.14;

/// The person at ease, from which `idle`, `jump`, `turn_left` and `wave` start and to which they return.
pub(super) fn standing() -> Figure {
    Figure {
        hips_shift: dvec3(0.0, -0.006, 0.0),
        hips: Lean { forwards: 0.02, ..Lean::default() },
        chest: Lean { forwards: -0.02, ..Lean::default() },
        head: Lean::default(),
        arms: [RELAXED_ARM; 2],
        feet: [1.0, -1.0].map(|sign| flat_foot(sign, DVec3::ZERO, 0.0)),
    }
}

/// A foot flat on the ground, with the whole stance moved to `at` and turned to the left.
pub(super) fn flat_foot(sign: f64, at: DVec3, left: f64) -> FootPose {
    let stance = DQuat::from_rotation_y(left);
    let own = left + sign * TOE_OUT;
    // The ankle lies behind the middle of the foot, so it moves inwards as the toes turn out.
    let ankle = DQuat::from_rotation_y(own) * dvec3(0.0, FOOT.y, FOOT.z);
    FootPose { ankle: at + stance * dvec3(sign * HALF_WIDTH, 0.0, 0.0) + ankle, left: own, pitch: 0.0, toes: 0.0 }
}

/// How the ankle moves when the heel rises over toes that stay where they are.
pub(super) fn on_toes(foot: &FootPose, pitch: f64) -> DVec3 {
    let about_ball = dvec3(0.0, FOOT.y - TOES.y, FOOT.z - TOES.z);
    let raised = DQuat::from_rotation_x(pitch) * about_ball;
    DQuat::from_rotation_y(foot.left) * (raised - about_ball)
}

const SECONDS: f64 = 6.0;

/// Breathing twice, and the weight going from one leg to the other and back.
pub(super) fn idle() -> Motion {
    Motion {
        name: "idle",
        seconds: SECONDS,
        intervals: 24,
        distance: 0.0,
        turn: 0.0,
        markers: Vec::new(),
        figure: Box::new(|time| idle_figure(time / SECONDS)),
    }
}

fn idle_figure(cycle: f64) -> Figure {
    let sway = (TAU * cycle).sin();
    let breath = 0.5 - 0.5 * (TAU * 2.0 * cycle).cos();
    let look = (TAU * cycle + 0.9).sin();
    let tip = 0.045 * sway;
    let standing = standing();
    let arm = |sign: f64| ArmPose {
        swing: 0.03 + 0.02 * breath + 0.012 * sign * look,
        out: 0.14 + 0.015 * breath - 0.02 * sign * sway,
        elbow: 0.22 + 0.03 * breath,
        shrug: 0.035 * breath,
        ..RELAXED_ARM
    };
    Figure {
        hips_shift: standing.hips_shift + dvec3(0.026 * sway, 0.003 * breath - 0.003 * sway * sway, 0.006 * look),
        hips: Lean { forwards: 0.02, left: 0.03 * sway, tip },
        chest: Lean { forwards: -0.015 - 0.035 * breath, left: -0.025 * sway, tip: -1.3 * tip },
        head: Lean { forwards: 0.01 * breath, left: 0.1 * look, tip: 0.012 * sway },
        arms: [arm(1.0), arm(-1.0)],
        ..standing
    }
}
