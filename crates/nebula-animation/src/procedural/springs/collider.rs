use glam::Vec3;

use crate::state::stateful;

/// A sphere or capsule that moves with a joint and keeps springs outside.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::procedural::springs::SpringCollider;
///
/// let head = SpringCollider::sphere(6, Vec3::new(0.0, 0.08, 0.0), 0.11);
/// let thigh = SpringCollider::capsule(17, [Vec3::ZERO, Vec3::new(0.0, -0.4, 0.0)], 0.08);
/// assert_eq!(head.ends[0], head.ends[1]);
/// assert_ne!(thigh.ends[0], thigh.ends[1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpringCollider {
    /// Index of the joint it is attached to.
    pub joint: u16,
    /// The ends of the capsule's axis in the joint's own space; the same point twice is a sphere.
    pub ends: [Vec3; 2],
    /// Radius in metres in world space; zero or less has no effect.
    pub radius: f32,
}

stateful!(SpringCollider { joint, ends, radius });

impl SpringCollider {
    /// A sphere around a point in the joint's own space, with a radius in metres in world space.
    #[must_use]
    pub fn sphere(joint: u16, centre: Vec3, radius: f32) -> Self {
        Self { joint, ends: [centre; 2], radius }
    }

    /// A capsule around a line in the joint's own space, with a radius in metres in world space.
    #[must_use]
    pub fn capsule(joint: u16, ends: [Vec3; 2], radius: f32) -> Self {
        Self { joint, ends, radius }
    }
}

/// A collider in the world at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Capsule {
    pub ends: [Vec3; 2],
    pub radius: f32,
}

stateful!(Capsule { ends, radius });

impl Capsule {
    /// Interpolates towards another capsule.
    pub fn lerp(&self, to: &Self, amount: f32) -> Self {
        let end = |index: usize| self.ends[index].lerp(to.ends[index], amount);
        Self { ends: [end(0), end(1)], radius: to.radius }
    }

    /// The nearest position for a sphere of this radius that touches the capsule from outside; `None` if it is outside
    /// already.
    pub fn push_out(&self, place: Vec3, radius: f32) -> Option<Vec3> {
        let [start, end] = self.ends;
        let axis = end - start;
        let along = (place - start).dot(axis) / axis.length_squared();
        // Not a number for a sphere, whose axis has no length.
        let nearest = if along > 0.0 { start + axis * along.min(1.0) } else { start };
        let away = place - nearest;
        let (distance, apart) = (away.length(), self.radius + radius.max(0.0));
        if self.radius <= 0.0 || !(distance < apart) {
            return None;
        }
        let way = away
            .try_normalize()
            .unwrap_or_else(|| axis.try_normalize().map_or(Vec3::Y, |axis| axis.any_orthonormal_vector()));
        Some(nearest + way * apart)
    }
}
