use std::f64::consts::FRAC_PI_2;

use glam::{DVec3, dvec3};

use super::clips::{Travel, TravelMotion};
use super::figure::{ArmPose, Figure, FootPose, Lean};
use super::stand::{flat_foot, on_toes, standing};
use crate::author::curve::Curve;
use crate::author::schema::Marker;

const SECONDS: f64 = 1.6;
/// A moment of rest at either end.
const REST: f64 = 0.04;
/// A step: when the foot leaves the ground, when it lands, and which share of the turn it has made by then.
type Step = (f64, f64, f64);
const LEFT_STEPS: [Step; 2] = [(0.14, 0.48, 0.6), (1.08, 1.38, 1.0)];
const RIGHT_STEPS: [Step; 1] = [(0.58, 1.0, 1.0)];

/// A quarter turn to the left on the spot in three steps: the left foot opens, the right one comes round, the left one
/// closes.
pub(super) fn turn_left(name: &'static str) -> TravelMotion {
    let heading = Curve::once(&[(0.1, 0.0), (0.52, 0.36 * FRAC_PI_2), (0.95, 0.8 * FRAC_PI_2), (1.4, FRAC_PI_2)]);
    let own_heading = heading.clone();
    TravelMotion {
        name,
        seconds: SECONDS,
        intervals: 96,
        distance: 0.0,
        turn: FRAC_PI_2,
        markers: markers(),
        figure: Box::new(move |time| figure(time, own_heading.at(time))),
        travel: Box::new(move |time| Travel { forwards: 0.0, left: heading.at(time) }),
    }
}

fn markers() -> Vec<Marker> {
    let moments = |up: &'static str, down: &'static str, steps: &[Step]| -> Vec<Marker> {
        let both = |&(lift_off, landing, _): &Step| {
            [Marker { name: up, time: lift_off }, Marker { name: down, time: landing }]
        };
        steps.iter().flat_map(both).collect()
    };
    let mut markers = moments("left_up", "left_down", &LEFT_STEPS);
    markers.extend(moments("right_up", "right_down", &RIGHT_STEPS));
    markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    markers
}

/// The pose in the frame of a root that has turned by `heading`.
fn figure(time: f64, heading: f64) -> Figure {
    let base = standing();
    // Eyes first, then shoulders, then hips: the head leads by what it has in hand.
    let lead = Curve::once(&[(REST, 0.0), (0.3, 1.0), (0.75, 0.6), (1.3, 0.0)]).at(time);
    let onto_right = Curve::once(&[
        (REST, 0.0),
        (0.2, 1.0),
        (0.4, 1.0),
        (0.66, -1.0),
        (0.88, -1.0),
        (1.14, 0.9),
        (1.28, 0.9),
        (SECONDS - REST, 0.0),
    ])
    .at(time);
    let sink = Curve::once(&[(REST, 0.0), (0.3, 1.0), (0.54, 1.3), (1.04, 1.2), (SECONDS - REST, 0.0)]).at(time);
    let tip = -0.05 * onto_right;
    let arm = |sign: f64| ArmPose {
        swing: base.arms[0].swing - sign * 0.22 * lead,
        out: base.arms[0].out + 0.06 * lead,
        elbow: base.arms[0].elbow + 0.12 * lead,
        ..base.arms[0]
    };
    Figure {
        hips_shift: base.hips_shift + dvec3(-0.04 * onto_right, -0.012 * sink, 0.0),
        hips: Lean { tip, ..base.hips },
        chest: Lean { left: 0.16 * lead, tip: -1.2 * tip, ..base.chest },
        head: Lean { left: 0.5 * lead, forwards: 0.03 * lead, ..base.head },
        arms: [arm(1.0), arm(-1.0)],
        feet: [foot(&LEFT_STEPS, 1.0, time, heading), foot(&RIGHT_STEPS, -1.0, time, heading)],
    }
}

/// A foot that stands still in the world but for its steps, around a body that has turned by `heading`.
fn foot(steps: &[Step], sign: f64, time: f64, heading: f64) -> FootPose {
    let (mut turned, mut lift, mut pitch, mut before) = (0.0, 0.0, 0.0, 0.0);
    for &(up, down, share) in steps {
        let middle = 0.5 * (up + down);
        turned += Curve::once(&[(up, 0.0), (down, (share - before) * FRAC_PI_2)]).at(time);
        lift += Curve::once(&[(up, 0.0), (middle, 0.06), (down, 0.0)]).at(time);
        pitch += Curve::once(&[(up, 0.0), (up + 0.1, 0.22), (middle + 0.05, 0.0), (down, 0.0)]).at(time);
        before = share;
    }
    let placed = flat_foot(sign, DVec3::ZERO, turned - heading);
    let ankle = placed.ankle + on_toes(&placed, pitch) + dvec3(0.0, lift, 0.0);
    FootPose { ankle, pitch, toes: -pitch, ..placed }
}
