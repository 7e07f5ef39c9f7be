use glam::dvec3;

use super::clips::{Travel, TravelMotion};
use super::figure::{ArmPose, Figure, FootPose, Lean};
use super::stand::{flat_foot, on_toes, standing};
use crate::author::curve::Curve;
use crate::author::schema::Marker;

const SECONDS: f64 = 1.6;
/// A moment of rest at either end.
const REST: f64 = 0.04;
/// When the toes leave the ground and when they touch it again.
const TAKE_OFF: f64 = 0.5;
const LANDING: f64 = 0.96;
/// Metres per second squared; the hips fly as a thrown ball does.
const GRAVITY: f64 = 9.81;
/// Where the hips are at take-off and landing, in metres above the T-pose: the legs are not quite straight yet, which
/// leaves the feet a moment to gather the speed of the body.
const LEAVING: f64 = 0.01;

/// A jump from standing to standing: crouch, flight, landing. `distance` metres forwards, 0 for the spot.
pub(super) fn jump(name: &'static str, distance: f64) -> TravelMotion {
    let travel = Curve::with_slopes(&travel_knots(distance));
    let along = travel.clone();
    TravelMotion {
        name,
        seconds: SECONDS,
        intervals: 96,
        distance,
        turn: 0.0,
        markers: vec![
            Marker { name: "left_up", time: TAKE_OFF },
            Marker { name: "right_up", time: TAKE_OFF },
            Marker { name: "left_down", time: LANDING },
            Marker { name: "right_down", time: LANDING },
        ],
        figure: Box::new(move |time| figure(time, distance, along.at(time))),
        travel: Box::new(move |time| Travel { forwards: travel.at(time), left: 0.0 }),
    }
}

/// The body gathers speed before it leaves, keeps it in the air, and loses it on landing.
fn travel_knots(distance: f64) -> [[f64; 3]; 4] {
    let flight = LANDING - TAKE_OFF;
    let (run_up, run_out) = (0.2, 0.2);
    // A speed that grows from nothing to v and back covers v / 2 times the time, before and after the flight.
    let speed = distance / (0.5 * run_up + flight + 0.5 * run_out);
    let leave = 0.5 * run_up * speed;
    [
        [TAKE_OFF - run_up, 0.0, 0.0],
        [TAKE_OFF, leave, speed],
        [LANDING, leave + speed * flight, speed],
        [LANDING + run_out, distance, 0.0],
    ]
}

fn figure(time: f64, distance: f64, travelled: f64) -> Figure {
    let base = standing();
    let rest = base.hips_shift.y;
    let launch_speed = speed_upwards(TAKE_OFF);
    let height = if (TAKE_OFF..=LANDING).contains(&time) {
        LEAVING + rise(time)
    } else {
        Curve::with_slopes(&[
            [REST, rest, 0.0],
            [0.3, -0.235, 0.0],
            [TAKE_OFF, LEAVING, launch_speed],
            [LANDING, LEAVING, -launch_speed],
            [1.12, -0.2, 0.0],
            [SECONDS - REST, rest, 0.0],
        ])
        .at(time)
    };
    let bow = Curve::once(&[
        (REST, 0.02),
        (0.3, 0.42),
        (0.5, 0.06),
        (0.72, 0.1),
        (0.96, 0.12),
        (1.14, 0.36),
        (SECONDS - REST, 0.02),
    ]);
    let chest =
        Curve::once(&[(REST, -0.02), (0.3, 0.22), (0.5, -0.1), (0.8, 0.05), (1.14, 0.18), (SECONDS - REST, -0.02)]);
    let head = Curve::once(&[(REST, 0.0), (0.3, 0.22), (0.52, -0.12), (0.9, 0.1), (1.15, 0.16), (SECONDS - REST, 0.0)]);
    // A crouch moves the hips back over the heels.
    let back =
        Curve::once(&[(REST, 0.0), (0.3, -0.1), (0.5, 0.03), (0.96, -0.02), (1.12, -0.09), (SECONDS - REST, 0.0)]);
    Figure {
        hips_shift: dvec3(0.0, height, back.at(time)),
        hips: Lean { forwards: bow.at(time), ..base.hips },
        chest: Lean { forwards: chest.at(time), ..base.chest },
        head: Lean { forwards: head.at(time), ..base.head },
        arms: [arm(time, &base.arms[0]); 2],
        feet: [1.0, -1.0].map(|sign| foot(sign, time, distance, travelled)),
    }
}

/// Back in the crouch, up with the leap, down to balance the landing.
fn arm(time: f64, relaxed: &ArmPose) -> ArmPose {
    let swing = Curve::once(&[
        (REST, relaxed.swing),
        (0.28, -0.85),
        (0.54, 1.75),
        (0.74, 1.5),
        (1.0, 0.6),
        (1.2, 0.25),
        (SECONDS - REST, relaxed.swing),
    ]);
    let out = Curve::once(&[
        (REST, relaxed.out),
        (0.28, 0.2),
        (0.55, 0.3),
        (0.8, 0.5),
        (1.1, 0.42),
        (SECONDS - REST, relaxed.out),
    ]);
    let elbow = Curve::once(&[
        (REST, relaxed.elbow),
        (0.28, 0.35),
        (0.45, 0.9),
        (0.6, 0.5),
        (1.1, 0.7),
        (SECONDS - REST, relaxed.elbow),
    ]);
    ArmPose { swing: swing.at(time), out: out.at(time), elbow: elbow.at(time), ..*relaxed }
}

/// How far a body has risen since take-off.
fn rise(time: f64) -> f64 {
    let airborne = time - TAKE_OFF;
    speed_upwards(TAKE_OFF) * airborne - 0.5 * GRAVITY * airborne * airborne
}

/// The speed that brings it back to the same height at landing.
fn speed_upwards(time: f64) -> f64 {
    GRAVITY * (0.5 * (TAKE_OFF + LANDING) - time)
}

/// Planted on its toes until take-off and from landing on; in the air it follows the hips, tucked up a little.
fn foot(sign: f64, time: f64, distance: f64, travelled: f64) -> FootPose {
    let pitch = Curve::once(&[
        (REST, 0.0),
        (0.36, 0.0),
        (TAKE_OFF, 0.8),
        (0.62, 0.95),
        (LANDING, 0.45),
        (1.03, 0.0),
        (SECONDS - REST, 0.0),
    ])
    .at(time);
    // The legs stretch as the feet are drawn after the body, tuck up at the top, and stretch for the ground.
    let (drawn, stretched, top) = (TAKE_OFF + 0.08, LANDING - 0.1, 0.5 * (TAKE_OFF + LANDING));
    let lift = Curve::with_slopes(&[
        [TAKE_OFF, 0.0, 0.0],
        [drawn, rise(drawn) - 0.035, speed_upwards(drawn)],
        [top, rise(top) + 0.07, 0.0],
        [stretched, rise(stretched) - 0.012 + 0.045 * distance, speed_upwards(stretched)],
        // Unlike everything else here a landing is abrupt.
        [LANDING, 0.0, -1.0],
    ])
    .at(time);
    let share = ((time - TAKE_OFF) / (LANDING - TAKE_OFF)).clamp(0.0, 1.0);
    let planted_at = distance * share * share * (3.0 - 2.0 * share) - travelled;
    let base = flat_foot(sign, dvec3(0.0, 0.0, planted_at), 0.0);
    FootPose {
        ankle: base.ankle + on_toes(&base, pitch) + dvec3(0.0, lift, 0.0),
        pitch,
        toes: toes(time, pitch),
        ..base
    }
}

/// On the ground the toes stay flat; in the air they hang.
fn toes(time: f64, pitch: f64) -> f64 {
    let flat = Curve::once(&[(TAKE_OFF, 1.0), (0.62, 0.0), (0.88, 0.0), (LANDING, 1.0)]).at(time);
    -flat * pitch
}
