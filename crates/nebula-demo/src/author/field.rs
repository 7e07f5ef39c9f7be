use glam::DVec3;

/// A solid as a signed distance field: negative inside, positive outside, in metres.
///
/// The distances need not be exact far from the surface; only the zero level and the direction of the gradient near it
/// reach the mesh.
pub(super) type Field = Box<dyn Fn(DVec3) -> f64>;

/// The union of two solids whose seam is rounded over roughly `blend` metres.
pub(super) fn blend_union(a: f64, b: f64, blend: f64) -> f64 {
    let overlap = (blend - (a - b).abs()).max(0.0) / blend;
    a.min(b) - overlap * overlap * blend * 0.25
}

/// What is left of `solid` outside of `cutter`, with an edge rounded over roughly `blend` metres.
pub(super) fn blend_cut(solid: f64, cutter: f64, blend: f64) -> f64 {
    -blend_union(-solid, cutter, blend)
}

/// A limb: a ball of radius `radius_a` at `a`, one of `radius_b` at `b`, and the cone that touches both.
pub(super) fn round_cone(p: DVec3, a: DVec3, b: DVec3, radius_a: f64, radius_b: f64) -> f64 {
    let along = b - a;
    let length_squared = along.length_squared();
    let taper = radius_a - radius_b;
    let slant_squared = length_squared - taper * taper;
    let from_a = p - a;
    let y = from_a.dot(along);
    let z = y - length_squared;
    let x_squared = (from_a * length_squared - along * y).length_squared();
    let y_squared = y * y * length_squared;
    let z_squared = z * z * length_squared;
    let side = taper.signum() * taper * taper * x_squared;
    if z.signum() * slant_squared * z_squared > side {
        (x_squared + z_squared).sqrt() / length_squared - radius_b
    } else if y.signum() * slant_squared * y_squared < side {
        (x_squared + y_squared).sqrt() / length_squared - radius_a
    } else {
        ((x_squared * slant_squared / length_squared).sqrt() + y * taper) / length_squared - radius_a
    }
}

/// An ellipsoid with its axes along X, Y and Z. The distance is a close approximation, exact at the surface.
pub(super) fn ellipsoid(p: DVec3, centre: DVec3, radii: DVec3) -> f64 {
    let scaled = (p - centre) / radii;
    let scaled_twice = scaled / radii;
    let length = scaled.length();
    let gradient = scaled_twice.length();
    // The formula is 0 / 0 in the exact centre, where any negative number will do.
    if gradient < 1e-12 { -radii.min_element() } else { length * (length - 1.0) / gradient }
}

/// A box with edges rounded to `rounding`; `half` is half its outer size, rounding included.
pub(super) fn round_box(p: DVec3, centre: DVec3, half: DVec3, rounding: f64) -> f64 {
    let q = (p - centre).abs() - (half - DVec3::splat(rounding));
    q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - rounding
}

/// The right half of a symmetric body folded onto its left half (+X), so that a shape need be described once.
pub(super) fn folded(p: DVec3) -> DVec3 {
    DVec3::new(p.x.abs(), p.y, p.z)
}

/// 0 below `from`, 1 above `to`, and a curve without corners in between.
pub(super) fn smooth_step(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
