//! Small numerical pieces that several stages share.

pub(crate) mod affine;
pub(crate) mod isa;
pub(crate) mod lanes;
pub(crate) mod slerp;
mod sum;

use glam::{DQuat, Quat};

pub(crate) use sum::ExactSum;

/// The unit quaternion of the same direction, or `None` where there is none: zero length or not finite.
///
/// Worked out in `f64`, because the squares of legal components (1e30, 1e-30) leave the range of `f32`.
pub(crate) fn unit_quat(quat: Quat) -> Option<Quat> {
    let wide = quat.as_dquat();
    let length = wide.length();
    (length.is_finite() && length > 0.0).then(|| DQuat::from_vec4(glam::DVec4::from(wide) / length).as_quat())
}
