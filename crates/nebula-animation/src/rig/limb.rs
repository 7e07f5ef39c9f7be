use glam::{Vec3, Vec3A};

use super::Rig;
use crate::math::direction::direction;

/// The joints of a limb, and the axis of its hinge in the middle one's own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limb {
    pub joints: [u16; 3],
    pub hinge: Vec3A,
}

impl Limb {
    /// The hinge as it is in the rest pose.
    pub fn of(rig: &Rig, joints: [u16; 3]) -> Self {
        let [start, middle, end] = joints.map(|joint| rig.position(joint));
        let (upper, lower) = (direction(middle - start), direction(end - middle));
        let (upper, lower) = (upper.unwrap_or(Vec3::NEG_Y), lower.unwrap_or(Vec3::NEG_Y));
        let front = rig.front().unwrap_or(Vec3::Z);
        let across = upper.cross(lower);
        /// The sine of one degree: a limb modelled with a smaller bend counts as straight.
        const STRAIGHT: f32 = 0.0175;
        let hinge = if across.length() > STRAIGHT {
            across
        } else if upper.dot(Vec3::NEG_Y) > 0.85 {
            front.cross(upper)
        } else {
            (-front).cross(upper)
        };
        let hinge = direction(hinge).unwrap_or_else(|| upper.any_orthonormal_vector());
        let into_joint = rig.model_from_joint(joints[1]).inverse();
        let hinge = direction(into_joint.transform_vector3(hinge)).unwrap_or(Vec3::X);
        Self { joints, hinge: hinge.into() }
    }
}
