use glam::{DQuat, Quat, Vec3};

#[cfg(feature = "serde")]
use super::serial;
use crate::skeleton::JointPose;

/// How the pose of a joint was changed, relative to its parent.
///
/// ```
/// use glam::{Quat, Vec3};
/// use nebula_animation::explain::Change;
///
/// let before = (Vec3::Y, Quat::IDENTITY, Vec3::ONE);
/// let after = (Vec3::Y * 1.25, Quat::from_rotation_x(1.0), Vec3::ONE);
/// let change = Change::between(&before, &after);
/// assert_eq!(change.millimetres(), 250.0);
/// assert!((change.degrees() - 57.29578).abs() < 1e-4);
/// assert!(change.of(&before).1.angle_between(after.1) < 1e-6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Change {
    /// Added to the translation.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::vector"))]
    pub offset: Vec3,
    /// Rotation in the parent's space: `turn * before`. Unit length.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::rotation"))]
    pub turn: Quat,
    /// Added to the scale.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::vector"))]
    pub growth: Vec3,
}

impl Change {
    /// No change.
    pub const NONE: Self = Self { offset: Vec3::ZERO, turn: Quat::IDENTITY, growth: Vec3::ZERO };

    /// The change from one pose to another. If there is no rotation between them, such as from one of zero length,
    /// `turn` is the identity.
    #[must_use]
    pub fn between(before: &JointPose, after: &JointPose) -> Self {
        // In `f64`, so that small turns are not lost in roundings.
        let wide = |turn: Quat| DQuat::from_array(turn.to_array().map(f64::from));
        let turn = wide(after.1) * wide(before.1).conjugate();
        let length = turn.length();
        let turn = if length > 0.0 && length.is_finite() { turn * length.recip() } else { DQuat::IDENTITY };
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let turn = Quat::from_array(turn.to_array().map(|part| part as f32));
        Self { offset: after.0 - before.0, turn, growth: after.2 - before.2 }
    }

    /// Applies the change to a pose.
    #[must_use]
    pub fn of(&self, before: &JointPose) -> JointPose {
        (before.0 + self.offset, self.turn * before.1, before.2 + self.growth)
    }

    /// Angle of the rotation, from 0 to 180 degrees.
    #[must_use]
    pub fn degrees(&self) -> f32 {
        let [x, y, z, w] = self.turn.to_array().map(f64::from);
        (2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs())).to_degrees() as f32
    }

    /// Length of the translation, in thousandths of a model unit: millimetres in files that use glTF's metres.
    #[must_use]
    pub fn millimetres(&self) -> f32 {
        self.offset.length() * 1000.0
    }

    /// `true` if every number is within this distance of no change.
    #[must_use]
    pub fn is_within(&self, most: f32) -> bool {
        let turn = self.turn.xyz().length() * 2.0;
        self.offset.abs().max_element() <= most && self.growth.abs().max_element() <= most && turn <= most
    }
}
