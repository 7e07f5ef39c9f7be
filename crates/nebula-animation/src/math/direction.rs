use glam::{Vec3, Vec3A};

/// The unit vector, of vectors of any finite length.
#[inline]
pub(crate) fn direction(vector: Vec3) -> Option<Vec3> {
    direction_of(vector.into()).map(Vec3::from)
}

/// The same.
#[inline]
pub(crate) fn direction_of(vector: Vec3A) -> Option<Vec3A> {
    let length_squared = vector.length_squared();
    if ORDINARY.contains(&length_squared) {
        return Some(vector / length_squared.sqrt());
    }
    let largest = vector.abs().max_element();
    if largest > 0.0 && largest.is_finite() { (vector / largest).try_normalize() } else { None }
}

/// Squares of lengths for which nothing is lost in the squares of their parts.
pub(crate) const ORDINARY: std::ops::Range<f32> = 1e-24..1e24;
