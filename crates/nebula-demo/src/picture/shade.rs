//! Light on surfaces.

use glam::Vec3A;

use super::Light;
use super::shadow::Reach;

/// The light of a scene, ready for use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lamps {
    /// Towards the directional light; a unit vector.
    pub(super) direction: Vec3A,
    pub(super) key: Vec3A,
    sky: Vec3A,
    floor: Vec3A,
}

/// A point of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surface {
    pub(super) normal: Vec3A,
    /// Towards the camera; a unit vector.
    pub(super) to_eye: Vec3A,
    /// Part of the light, in each colour, that the surface throws back.
    pub(super) albedo: Vec3A,
    /// Part of the light that reaches the point.
    pub(super) reach: Reach,
    /// Whether it throws back light the same in all directions: no gloss and no rim.
    pub(super) is_matt: bool,
}

/// Light from the camera, as a part of the directional light: it shows the forms that lie in the shadow.
pub(crate) const FILL: f32 = 0.12;

/// Brightness above which colours are compressed instead of cut off.
pub(crate) const SHOULDER: f32 = 0.82;

impl Lamps {
    pub(super) fn new(light: &Light) -> Self {
        Self {
            direction: light.direction.try_normalize().unwrap_or(glam::Vec3::Y).into(),
            key: light.key.into(),
            sky: light.sky.into(),
            floor: light.floor.into(),
        }
    }

    /// Light from all around that reaches a surface with this normal.
    pub(super) fn ambient(&self, normal: Vec3A) -> Vec3A {
        self.floor.lerp(self.sky, normal.y * 0.5 + 0.5)
    }

    /// The light that a point sends to the camera: matt, with a soft gloss and a brighter rim.
    pub(super) fn shade(&self, surface: &Surface) -> Vec3A {
        let Surface { normal, to_eye, albedo, reach, is_matt } = *surface;
        let towards_light = normal.dot(self.direction).max(0.0);
        let towards_eye = normal.dot(to_eye).max(0.0);
        let key = self.key * (towards_light * reach.key);
        let ambient = self.ambient(normal) * reach.ambient;
        let matt = albedo * (ambient + key + self.key * (FILL * towards_eye));
        if is_matt {
            return compress(matt);
        }

        let half = (self.direction + to_eye).normalize_or_zero();
        let gloss = normal.dot(half).max(0.0).powi(32) * 0.16;
        let grazing = 1.0 - towards_eye;
        let rim = (grazing * grazing) * (grazing * grazing) * 0.22;
        compress(matt + key * gloss + ambient * rim)
    }
}

/// Bends what is brighter than the shoulder so that it stays below one.
fn compress(color: Vec3A) -> Vec3A {
    let room = Vec3A::splat(1.0 - SHOULDER);
    let above = (color - SHOULDER).max(Vec3A::ZERO);
    color - above + above * room / (above + room)
}
