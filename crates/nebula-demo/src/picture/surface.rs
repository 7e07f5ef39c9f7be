//! A point of a surface: its colours and its normal, from vertices and maps.

use glam::{Mat3A, Vec2, Vec3A, Vec4};

use super::Mesh;
use super::face::{Face, Spot};
use super::looks::{Answer, Drawn, Map};
use super::shade::{Lamps, Surface, ToonSurface};

/// A place in the picture where a surface is seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    pub(super) mesh: &'a Mesh<'a>,
    pub(super) face: &'a Face,
    pub(super) spot: Spot,
    /// Towards the camera; a unit vector.
    pub(super) to_eye: Vec3A,
}

impl Point<'_> {
    /// The unit normal that is lit: that of vertices or of the triangle, bent by a map, on the side that is seen.
    pub(super) fn normal(&self) -> Vec3A {
        let mesh = self.mesh;
        let smooth = if mesh.normals.len() >= mesh.positions.len() {
            Vec3A::from(self.face.mix(mesh.normals, &self.spot))
        } else {
            let [a, b, c] = self.corners();
            (b - a).cross(c - a)
        };
        let Some(smooth) = smooth.try_normalize() else { return self.to_eye };
        let bent = match &mesh.looks.normals {
            Some(map) => self.bent(smooth, map).unwrap_or(smooth),
            None => smooth,
        };
        if self.face.from_behind { -bent } else { bent }
    }

    /// A normal bent by a map.
    fn bent(&self, normal: Vec3A, map: &Map) -> Option<Vec3A> {
        let color = self.face.sample(self.mesh, map, &self.spot)?;
        let scale = self.mesh.looks.normal_scale;
        let bent = (Vec3A::from_vec4(color) * 2.0 - 1.0) * Vec3A::new(scale, scale, 1.0);
        let [tangent, bitangent] = self.tangents(normal, map)?;
        (Mat3A::from_cols(tangent, bitangent, normal) * bent).try_normalize()
    }

    /// The directions on the surface in which a map's image goes right and up: the file's, or those of the triangle.
    fn tangents(&self, normal: Vec3A, map: &Map) -> Option<[Vec3A; 2]> {
        let mesh = self.mesh;
        if mesh.tangents.len() >= mesh.positions.len() {
            let tangent = self.face.mix(mesh.tangents, &self.spot);
            let along = Vec3A::from_vec4(tangent).try_normalize()?;
            return Some([along, normal.cross(along) * tangent.w]);
        }
        let uvs = mesh.uvs.get(map.uv)?;
        let [a, b, c] = self.corners();
        let [at_a, at_b, at_c] = self.face.corners.map(|corner| map.transform.transform_point2(uvs[corner]));
        let (edges, steps): ([Vec3A; 2], [Vec2; 2]) = ([b - a, c - a], [at_b - at_a, at_c - at_a]);
        let side = steps[0].perp_dot(steps[1]).signum();
        let right = (edges[0] * steps[1].y - edges[1] * steps[0].y) * side;
        let up = (edges[0] * steps[1].x - edges[1] * steps[0].x) * side;
        let along = (right - normal * normal.dot(right)).try_normalize()?;
        let across = normal.cross(along);
        Some([along, if across.dot(up) < 0.0 { -across } else { across }])
    }

    fn corners(&self) -> [Vec3A; 3] {
        self.face.corners.map(|corner| Vec3A::from(self.mesh.positions[corner]))
    }

    fn sample(&self, map: &Option<Map>) -> Option<Vec4> {
        self.face.sample(self.mesh, map.as_ref()?, &self.spot)
    }

    /// The light that it sends to the camera. `reach` is asked for the part of the directional light that arrives.
    pub(super) fn shade(&self, lamps: &Lamps, normal: Vec3A, reach: impl Fn() -> f32) -> Vec3A {
        let looks = &self.mesh.looks;
        let base = Vec3A::from_vec4(self.face.base_color(self.mesh, &self.spot)).max(Vec3A::ZERO);
        let towards_light = normal.dot(lamps.direction);
        let emissive = || {
            let map = self.sample(&looks.emissive_map).unwrap_or(Vec4::ONE);
            Vec3A::from(looks.emissive) * Vec3A::from_vec4(map)
        };
        match &looks.answer {
            Answer::Unlit => base,
            Answer::Toon(drawn) => {
                let (low, high) = (drawn.toony - 1.0, 1.0 - drawn.toony);
                let step = (towards_light + drawn.shift - low) / (high - low).max(1e-4);
                let shadow = if towards_light > 0.0 { reach() } else { 1.0 };
                let shade = self.sample(&drawn.shade_map).unwrap_or(Vec4::ONE);
                lamps.toon(&ToonSurface {
                    base,
                    shade: Vec3A::from(drawn.shade) * Vec3A::from_vec4(shade),
                    lit: step.clamp(0.0, 1.0) * shadow,
                    rim: self.rim(drawn, normal),
                    rim_lighting: drawn.rim_lighting,
                    emissive: emissive(),
                })
            }
            Answer::Lit => {
                let data = self.sample(&looks.metallic_roughness).unwrap_or(Vec4::ONE);
                let occlusion = self.sample(&looks.occlusion).map_or(1.0, |data| data.x);
                lamps.shade(&Surface {
                    normal,
                    to_eye: self.to_eye,
                    base,
                    metallic: looks.metallic * data.z,
                    roughness: looks.roughness * data.y,
                    occlusion: 1.0 + (occlusion - 1.0) * looks.occlusion_strength,
                    emissive: emissive(),
                    reach: if towards_light > 0.0 { reach() } else { 0.0 },
                })
            }
        }
    }

    /// Ball and rim of a toon.
    fn rim(&self, drawn: &Drawn, normal: Vec3A) -> Vec3A {
        let grazing = (1.0 - normal.dot(self.to_eye) + drawn.rim_lift).clamp(0.0, 1.0);
        let rim = Vec3A::from(drawn.rim) * grazing.powf(drawn.rim_power);
        let Some(map) = &drawn.ball_map else { return rim };
        let right = Vec3A::new(self.to_eye.z, 0.0, -self.to_eye.x).normalize_or(Vec3A::X);
        let up = self.to_eye.cross(right);
        let uv = Vec2::new(normal.dot(right), -normal.dot(up)) * 0.495 + 0.5;
        let color = map.texture.sample(&map.sampler, uv, Vec2::ZERO, Vec2::ZERO);
        rim + Vec3A::from(drawn.ball) * Vec3A::from_vec4(color)
    }
}
