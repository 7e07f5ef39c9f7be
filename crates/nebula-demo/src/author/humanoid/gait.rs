use glam::{DQuat, DVec3, dvec3};

use super::figure::FootPose;
use super::rig::landmarks::{FOOT, TOES};
use super::shoe::{HEEL_CENTRE_Z, HEEL_RADIUS};
use crate::author::curve::Curve;

/// How a foot travels in a gait. Times are fractions of a cycle, counted from the foot's own landing.
#[derive(Clone, Debug)]
pub(super) struct Gait {
    /// Metres that the ground passes in one cycle.
    pub stride: f64,
    /// The fraction of the cycle for which the foot is on the ground.
    pub stance: f64,
    /// Where the foot lands, in metres ahead of the root.
    pub landing: f64,
    /// Half the distance between the two tracks.
    pub half_width: f64,
    /// How far the toes point outwards.
    pub toe_out: f64,
    /// Toes down over the whole cycle. While the foot is on the ground a negative value stands on the heel, zero on the
    /// whole sole, a positive value on the toes.
    pub pitch: Curve,
    /// Height of the ankle at moments of the swing, between lift-off and landing.
    pub swing_heights: Vec<(f64, f64)>,
    /// By how much of the cycle the bent toes straighten after lift-off.
    pub toes_relax: f64,
    /// For how much of the cycle before it lands the foot already goes with the ground, which it only comes down to.
    pub settle: f64,
}

/// A place and how fast it changes with the phase of the cycle.
struct Moving {
    place: DVec3,
    velocity: DVec3,
}

impl Gait {
    /// The foot of `sign` (left 1, right -1) at a moment of its own cycle, in a root that walks along.
    pub fn foot(&self, sign: f64, phase: f64) -> FootPose {
        let phase = phase.rem_euclid(1.0);
        let ankle = if phase <= self.stance { self.planted(sign, phase).place } else { self.swung(sign, phase) };
        FootPose { ankle, left: sign * self.toe_out, pitch: self.pitch.at(phase), toes: self.toes(phase) }
    }

    /// The ankle over a foot on the ground: the sole's origin moves back with the ground; the ankle turns about the heel's
    /// round edge, which rolls, or about the ball.
    fn planted(&self, sign: f64, phase: f64) -> Moving {
        let (pitch, rate) = (self.pitch.at(phase), self.pitch.slope(phase));
        let (pivot, roll) = if pitch < 0.0 {
            (dvec3(0.0, HEEL_RADIUS, HEEL_CENTRE_Z), HEEL_RADIUS)
        } else {
            (dvec3(0.0, TOES.y, TOES.z), 0.0)
        };
        let sole = dvec3(sign * self.half_width, 0.0, self.landing - self.stride * phase);
        let outwards = DQuat::from_rotation_y(sign * self.toe_out);
        let arm = DQuat::from_rotation_x(pitch) * (dvec3(0.0, FOOT.y, FOOT.z) - pivot);
        Moving {
            place: sole + outwards * (pivot + DVec3::Z * roll * pitch + arm),
            velocity: DVec3::NEG_Z * self.stride + outwards * (DVec3::Z * roll + DVec3::X.cross(arm)) * rate,
        }
    }

    /// The ankle in the air: leaves and arrives with the place and the velocity of the planted foot, and over the ground it has them a
    /// moment before.
    fn swung(&self, sign: f64, phase: f64) -> DVec3 {
        let (leave, land) = (self.planted(sign, self.stance), self.planted(sign, 0.0));
        let settled = self.planted(sign, -self.settle);
        let along = |axis: usize| {
            if phase > 1.0 - self.settle {
                return self.planted(sign, phase - 1.0).place[axis];
            }
            let from = [self.stance, leave.place[axis], leave.velocity[axis]];
            Curve::with_slopes(&[from, [1.0 - self.settle, settled.place[axis], settled.velocity[axis]]]).at(phase)
        };
        let ends = [(self.stance, leave.place.y), (1.0, land.place.y)];
        let through = Curve::once(&[&ends[..1], self.swing_heights.as_slice(), &ends[1..]].concat());
        let mut heights = vec![[self.stance, leave.place.y, leave.velocity.y]];
        heights.extend(self.swing_heights.iter().map(|&(time, height)| [time, height, through.slope(time)]));
        heights.push([1.0, land.place.y, land.velocity.y]);
        dvec3(along(0), Curve::with_slopes(&heights).at(phase), along(2))
    }

    /// The toes stay flat while the heel rises and straighten after lift-off.
    fn toes(&self, phase: f64) -> f64 {
        if phase <= self.stance {
            return -self.pitch.at(phase).max(0.0);
        }
        let bent = -self.pitch.at(self.stance);
        let rate = -self.pitch.slope(self.stance);
        let relaxed = self.stance + self.toes_relax;
        Curve::with_slopes(&[[self.stance, bent, rate], [relaxed, 0.0, 0.0], [1.0, 0.0, 0.0]]).at(phase)
    }
}
