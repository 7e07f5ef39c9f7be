//! Shading.

use glam::{Vec2, Vec3A};

use super::shadow::Reach;
use super::{Light, environment};

/// The light of a scene, ready for use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lamps {
    /// Towards the directional light; a unit vector.
    pub(super) direction: Vec3A,
    pub(super) key: Vec3A,
    sky: Vec3A,
    floor: Vec3A,
    /// Towards the glow on the other side.
    back: Vec3A,
}

/// A point of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surface {
    pub(super) normal: Vec3A,
    /// Towards the camera; a unit vector.
    pub(super) to_eye: Vec3A,
    pub(super) base: Vec3A,
    pub(super) metallic: f32,
    pub(super) roughness: f32,
    /// Part of the light from all around that the surface itself lets through.
    pub(super) occlusion: f32,
    pub(super) emissive: Vec3A,
    /// Part of the directional light that reaches the point.
    pub(super) reach: f32,
}

/// A point of a toon.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToonSurface {
    pub(super) base: Vec3A,
    pub(super) shade: Vec3A,
    /// From 0, in the shade, to 1, in the light.
    pub(super) lit: f32,
    /// Ball and rim.
    pub(super) rim: Vec3A,
    pub(super) rim_lighting: f32,
    pub(super) emissive: Vec3A,
}

/// Light from the camera on terrain, as a part of the directional light: it shows the forms that lie in the shadow.
pub(crate) const FILL: f32 = 0.12;

/// Brightness above which colours are compressed instead of cut off.
pub(crate) const SHOULDER: f32 = 0.82;

/// Part of the light that anything but a metal mirrors straight on.
pub(crate) const PLAIN_MIRROR: f32 = 0.04;

/// The least roughness: a directional light in a perfect mirror would be a point without size.
pub(crate) const SMOOTHEST: f32 = 0.045;

impl Lamps {
    pub(super) fn new(light: &Light) -> Self {
        let direction: Vec3A = light.direction.try_normalize().unwrap_or(glam::Vec3::Y).into();
        Self {
            direction,
            key: light.key.into(),
            sky: light.sky.into(),
            floor: light.floor.into(),
            back: environment::back_of(direction),
        }
    }

    /// Light from sky and floor that reaches a matt surface with this normal.
    pub(super) fn ambient(&self, normal: Vec3A) -> Vec3A {
        self.floor.lerp(self.sky, normal.y * 0.5 + 0.5)
    }

    /// The light that a point of the terrain sends to the camera.
    pub(super) fn matt(&self, normal: Vec3A, to_eye: Vec3A, albedo: Vec3A, reach: Reach) -> Vec3A {
        let key = self.key * (normal.dot(self.direction).max(0.0) * reach.key);
        let fill = self.key * (FILL * normal.dot(to_eye).max(0.0));
        compress(albedo * (self.ambient(normal) * reach.ambient + key + fill))
    }

    /// The light that a point sends to the camera: matt and mirrored, of the directional light and of what is all around.
    pub(super) fn shade(&self, surface: &Surface) -> Vec3A {
        let Surface { normal, to_eye, base, metallic, occlusion, emissive, reach, .. } = *surface;
        let roughness = surface.roughness.clamp(SMOOTHEST, 1.0);
        let towards_eye = normal.dot(to_eye).clamp(0.0, 1.0);
        let towards_light = normal.dot(self.direction).clamp(0.0, 1.0);
        let diffuse = base * (1.0 - metallic);
        let straight = Vec3A::splat(PLAIN_MIRROR).lerp(base, metallic);
        let split = split_sum(roughness, towards_eye);
        // Light that finds its way out after more than one reflection between the grooves of a rough mirror.
        let kept = split.x + split.y;
        let again = Vec3A::ONE + straight * (1.0 / kept - 1.0);

        let half = (self.direction + to_eye).normalize_or_zero();
        let fresnel = (1.0 - to_eye.dot(half).clamp(0.0, 1.0)).powi(5);
        let mirror = straight + (Vec3A::ONE - straight) * fresnel;
        let alpha = roughness * roughness;
        let square = alpha * alpha;
        let peak = normal.dot(half).clamp(0.0, 1.0);
        let width = peak * peak * (square - 1.0) + 1.0;
        let seen = towards_light * (square + (1.0 - square) * towards_eye * towards_eye).sqrt()
            + towards_eye * (square + (1.0 - square) * towards_light * towards_light).sqrt();
        // Lobe and visibility; pi is part of what the light's colour means.
        let gloss = square / (width * width) * 0.5 / seen.max(1e-6);
        let matt = 1.0 - (PLAIN_MIRROR + (1.0 - PLAIN_MIRROR) * fresnel);
        let direct = self.key * (towards_light * reach) * (diffuse * matt + mirror * again * gloss);

        let around = self.ambient(normal) + self.key * environment::matt(normal, self.direction, self.back);
        let plain = scattered(Vec3A::splat(PLAIN_MIRROR), split);
        let scatter = scattered(straight, split);
        let ray = normal * (2.0 * normal.dot(to_eye)) - to_eye;
        // Rough mirrors see less of what is behind their own plane.
        let ray = ray.lerp(normal, square).normalize_or(normal);
        let spread = environment::spread(roughness);
        let middle = (self.sky + self.floor) * 0.5;
        let gradient = (self.sky - self.floor) * (0.5 * environment::CONTRAST * (1.0 - spread) * ray.y);
        let mirrored = (middle + gradient).max(Vec3A::ZERO)
            + self.key * environment::mirrored(ray, spread, self.direction, self.back);
        let shown = if occlusion < 1.0 {
            ((towards_eye + occlusion).powf((-16.0 * roughness - 1.0).exp2()) - 1.0 + occlusion).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let indirect = diffuse * (Vec3A::ONE - plain[0] - plain[1]) * around * occlusion
            + (mirrored * scatter[0] + around * scatter[1]) * shown;
        compress(direct + indirect + emissive)
    }

    /// The light that a point of a toon sends to the camera. Full light is white, so that the colours are those that were drawn.
    pub(super) fn toon(&self, surface: &ToonSurface) -> Vec3A {
        let around = (self.sky + self.floor) * 0.5;
        let white = (self.key + around).max_element().max(1e-6);
        let (key, around) = (self.key / white, around / white);
        let drawn = surface.shade.lerp(surface.base, surface.lit) * key + surface.base * around;
        let lighting = Vec3A::ONE.lerp(key * surface.lit + around, surface.rim_lighting);
        drawn + surface.rim * lighting + surface.emissive
    }
}

/// How much of the light around a rough mirror sends to the camera: a factor of what it mirrors straight on, and a constant. The fit
/// that Karis published for mobile devices ("Physically based shading on mobile", 2014).
fn split_sum(roughness: f32, towards_eye: f32) -> Vec2 {
    let [a, b, c, d] =
        [1.0 - roughness, 0.0425 + roughness * -0.0275, 1.04 + roughness * -0.572, -0.04 + roughness * 0.022];
    let grazing = (a * a).min((-9.28 * towards_eye).exp2()) * a + b;
    Vec2::new(-1.04 * grazing + c, 1.04 * grazing + d)
}

/// What a rough mirror sends to the camera by one reflection, and by more of them.
fn scattered(straight: Vec3A, split: Vec2) -> [Vec3A; 2] {
    let once = straight * split.x + split.y;
    let lost = 1.0 - split.x - split.y;
    let mean = straight + (Vec3A::ONE - straight) * (1.0 / 21.0);
    [once, once * mean * lost / (Vec3A::ONE - mean * lost)]
}

/// Bends what is brighter than the shoulder so that it stays below one.
fn compress(color: Vec3A) -> Vec3A {
    let room = Vec3A::splat(1.0 - SHOULDER);
    let above = (color - SHOULDER).max(Vec3A::ZERO);
    color - above + above * room / (above + room)
}
