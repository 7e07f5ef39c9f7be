//! Light from all around, by formulas: a gradient from the floor to the sky, a wide glow around the directional light and a smaller one on
//! the other side, which shows the edges of what stands in the light. Both what a matt surface gets of it and what a rough mirror shows of
//! it are known in closed form, so that there is no picture of the surroundings to be kept, blurred or looked up.
//!
//! The gradient is of the first order: seen by a matt surface, or blurred by a rough one, it keeps its middle and loses contrast. The
//! glows are `strength * exp(sharpness * (cos - 1))`, and so is, near enough, the lobe of a rough mirror; the product of two such is
//! integrated over the sphere exactly.

use glam::{Vec3, Vec3A};

use super::Light;

/// The light that comes from a direction (of length 1) by the surroundings, without the directional light itself: for a renderer of
/// another kind that is to show the same.
#[must_use]
pub fn radiance(light: &Light, direction: Vec3) -> Vec3 {
    let towards = Vec3A::from(light.direction).normalize_or(Vec3A::Y);
    let glow =
        |glow: Glow, axis: Vec3A| glow.strength * (glow.sharpness * (axis.dot(Vec3A::from(direction)) - 1.0)).exp();
    let gradient = (light.sky - light.floor) * (0.5 * CONTRAST * direction.y);
    let glows = glow(FRONT, towards) + glow(BACK, back_of(towards));
    ((light.sky + light.floor) * 0.5 + gradient).max(Vec3::ZERO) + light.key * glows
}

/// A glow of the surroundings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Glow {
    /// As a part of the directional light.
    pub(crate) strength: f32,
    pub(crate) sharpness: f32,
}

/// Around the directional light.
pub(crate) const FRONT: Glow = Glow { strength: 0.5, sharpness: 6.0 };
/// On the other side, at [`BACK_HEIGHT`].
pub(crate) const BACK: Glow = Glow { strength: 0.6, sharpness: 10.0 };
/// World y of the direction to the glow on the other side, before it gets length 1; x and z are minus those of the light.
const BACK_HEIGHT: f32 = 0.35;

/// The gradient's radiance rises that much faster than what a matt surface gets of it.
pub(crate) const CONTRAST: f32 = 1.5;

/// Sharper lobes of mirrors than this are taken for this: the exponents of their products would lose all digits.
pub(crate) const SHARPEST: f32 = 400.0;

impl Glow {
    /// What a matt surface gets, as a polynomial of the cosine between its normal and the glow: the first three orders of spherical
    /// harmonics.
    pub(crate) fn matt(self) -> [f32; 3] {
        let k = self.sharpness;
        let mean = self.strength * (1.0 - (-2.0 * k).exp()) / (2.0 * k);
        let first = 1.0 / k.tanh() - 1.0 / k;
        let second = 1.0 - 3.0 * first / k;
        // A cosine lobe keeps 2/3 of the first and 1/4 of the second order.
        [mean * (1.0 - 0.625 * second), mean * 2.0 * first, mean * 1.875 * second]
    }

    /// What a mirror shows whose lobe has the sharpness `lobe`, at a cosine between the mirrored ray and the glow.
    fn mirrored(self, cosine: f32, lobe: f32) -> f32 {
        let k = self.sharpness;
        let both = (k * k + lobe * lobe + 2.0 * k * lobe * cosine).max(1e-3).sqrt();
        self.strength * (lobe / both) * (both - k - lobe).exp()
    }
}

/// One divided by the sharpness of the lobe that a mirror of this roughness has: fitted to the mean cosine of GGX seen straight on.
pub(super) fn spread(roughness: f32) -> f32 {
    let r = roughness;
    (r * r * (-0.0885 + r * (2.8585 + r * (-4.0836 + r * 1.6542)))).max(1.0 / SHARPEST)
}

/// Towards the glow on the other side of a light's direction.
pub(crate) fn back_of(direction: Vec3A) -> Vec3A {
    Vec3A::new(-direction.x, BACK_HEIGHT, -direction.z).normalize_or(Vec3A::Y)
}

/// The parts of the directional light that a matt surface gets from both glows; `direction` is that of the light, `back` of the other glow.
pub(super) fn matt(normal: Vec3A, direction: Vec3A, back: Vec3A) -> f32 {
    let part = |glow: Glow, axis: Vec3A| {
        let [constant, linear, square] = glow.matt();
        let cosine = normal.dot(axis);
        constant + cosine * (linear + cosine * square)
    };
    (part(FRONT, direction) + part(BACK, back)).max(0.0)
}

/// The parts of the directional light that a mirror shows of both glows, by its mirrored ray and its spread.
pub(super) fn mirrored(ray: Vec3A, spread: f32, direction: Vec3A, back: Vec3A) -> f32 {
    let lobe = 1.0 / spread;
    FRONT.mirrored(ray.dot(direction), lobe) + BACK.mirrored(ray.dot(back), lobe)
}
