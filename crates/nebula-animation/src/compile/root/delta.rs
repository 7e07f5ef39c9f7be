use std::f64::consts::TAU;

use glam::{DVec2, DVec3, Quat, Vec3};

/// A motion of a character over the ground: a step in the character's own space, followed by a rotation about the
/// vertical axis.
///
/// It uses `f64`, because a thousand steps of a walk are added up.
///
/// ```
/// use glam::DVec3;
/// use nebula_animation::compile::RootDelta;
///
/// let quarter = RootDelta { translation: DVec3::Z, yaw: std::f64::consts::FRAC_PI_2 };
/// let half = quarter.then(quarter);
/// assert!(half.translation.abs_diff_eq(DVec3::new(1.0, 0.0, 1.0), 1e-12));
/// assert!(quarter.repeated(4).translation.length() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RootDelta {
    /// The step, in model axes before the rotation; in metres, or the file's unit.
    pub translation: DVec3,
    /// The rotation about +Y in radians, to the left; can exceed half a turn.
    pub yaw: f64,
}

impl RootDelta {
    /// No motion.
    pub const ZERO: Self = Self { translation: DVec3::ZERO, yaw: 0.0 };

    /// This motion, followed by another one.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let translation = self.translation + turned(next.translation, self.yaw);
        Self { translation, yaw: self.yaw + next.yaw }
    }

    /// The inverse motion.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { translation: turned(-self.translation, -self.yaw), yaw: -self.yaw }
    }

    /// The same motion this many times in a row; in reverse if the number is negative. In closed form: a billion passes
    /// cost the same as one.
    #[must_use]
    pub fn repeated(self, times: i64) -> Self {
        if times < 0 {
            return self.inverse().repeated(times.saturating_neg());
        }
        let count = times as f64;
        let yaw = self.yaw * count;
        if self.yaw == 0.0 || times == 0 {
            return Self { translation: self.translation * count, yaw };
        }
        // A sum of turned steps: a geometric series of complex numbers. Whole turns do not matter to them.
        let half = 0.5 * (self.yaw - (self.yaw / TAU).round() * TAU);
        let length = if half.sin() == 0.0 { count } else { (half * count).sin() / half.sin() };
        let flat = DVec2::from_angle(half * (count - 1.0)).rotate(flat(self.translation)) * length;
        Self { translation: unflat(flat, self.translation.y * count), yaw }
    }

    /// A fraction of the motion, at constant speed and angular velocity. Half of it twice is all of it.
    #[must_use]
    pub fn scaled(self, fraction: f64) -> Self {
        let steady = self.steady();
        Self { translation: steady.translation * fraction, yaw: steady.yaw * fraction }.in_an_arc()
    }

    /// The weighted mean of simultaneous motions, with weights of at least 0; zero if all weights are 0. Speeds and
    /// angular velocities are averaged, so that it does not matter how time is divided into steps.
    ///
    /// ```
    /// use glam::DVec3;
    /// use nebula_animation::compile::RootDelta;
    ///
    /// let walk = RootDelta { translation: DVec3::Z, yaw: 0.0 };
    /// let mean = RootDelta::mean([(1.0, walk), (1.0, RootDelta::ZERO)]);
    /// assert_eq!(mean.translation.z, 0.5);
    /// ```
    #[must_use]
    pub fn mean(motions: impl IntoIterator<Item = (f64, Self)>) -> Self {
        let (mut sum, mut total) = (Self::ZERO, 0.0);
        for (weight, motion) in motions.into_iter().filter(|(weight, _)| *weight > 0.0 && weight.is_finite()) {
            let steady = motion.steady();
            sum.translation += steady.translation * weight;
            sum.yaw += steady.yaw * weight;
            total += weight;
        }
        if !(total > 0.0) {
            return Self::ZERO;
        }
        Self { translation: sum.translation / total, yaw: sum.yaw / total }.in_an_arc()
    }

    /// The rotation as a quaternion.
    #[must_use]
    pub fn rotation(self) -> Quat {
        glam::DQuat::from_rotation_y(self.yaw).as_quat()
    }

    /// Applies the motion to a world-space position, in metres, and rotation.
    #[must_use]
    pub fn applied_to(self, translation: Vec3, rotation: Quat) -> (Vec3, Quat) {
        let step = rotation.as_dquat() * self.translation;
        ((translation.as_dvec3() + step).as_vec3(), rotation * self.rotation())
    }

    /// The straight step that has the same effect while turning steadily.
    fn steady(self) -> Self {
        let Some((chord, half)) = arc(self.yaw) else { return self };
        let flat = DVec2::from_angle(-half).rotate(flat(self.translation)) / chord;
        Self { translation: unflat(flat, self.translation.y), yaw: self.yaw }
    }

    fn in_an_arc(self) -> Self {
        let Some((chord, half)) = arc(self.yaw) else { return self };
        let flat = DVec2::from_angle(half).rotate(flat(self.translation)) * chord;
        Self { translation: unflat(flat, self.translation.y), yaw: self.yaw }
    }
}

/// Length of an arc's chord in lengths of the arc, and half of its angle; `None` where the arc is straight, or so round
/// that its ends meet.
fn arc(yaw: f64) -> Option<(f64, f64)> {
    let half = 0.5 * yaw;
    let chord = half.sin() / half;
    (yaw != 0.0 && chord > 1e-3).then_some((chord, half))
}

/// A turn about +Y takes +Z to +X: it is one of complex numbers whose real axis is Z and whose imaginary one is X.
fn flat(vector: DVec3) -> DVec2 {
    DVec2::new(vector.z, vector.x)
}

fn unflat(flat: DVec2, y: f64) -> DVec3 {
    DVec3::new(flat.y, y, flat.x)
}

pub(super) fn turned(vector: DVec3, yaw: f64) -> DVec3 {
    // Most clips do not turn, and sine and cosine are the only functions here that differ between machines.
    if yaw == 0.0 { vector } else { unflat(DVec2::from_angle(yaw).rotate(flat(vector)), vector.y) }
}
