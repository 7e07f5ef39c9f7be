//! A triangle in screen space: functions of the pixel that give its depth and barycentric weights.

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::Mesh;
use super::looks::Map;

/// A triangle that may be seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    /// Index of its mesh in the scene.
    pub(super) mesh: u32,
    /// Its vertices.
    pub(super) corners: [usize; 3],
    /// Whether its normals point away from the camera.
    pub(super) from_behind: bool,
    /// Inverse depth of its farthest and of its nearest corner in front of the camera.
    range: [f32; 2],
    /// The pixel where `origin_weights` holds. Close to the triangle, for the sake of precision.
    origin: Vec2,
    /// Weights of the corners divided by depth, which unlike the weights are linear in x and y.
    origin_weights: Vec3,
    weights_x: Vec3,
    weights_y: Vec3,
}

/// One divided by the depth of a face, which is linear in x and y.
#[derive(Debug, Clone, Copy)]
pub(super) struct InverseDepth {
    pub(super) step_x: f32,
    pub(super) step_y: f32,
    start: f32,
    origin: Vec2,
    range: [f32; 2],
}

impl InverseDepth {
    pub(super) fn at(&self, x: f32, y: f32) -> f32 {
        self.start + self.step_x * (x - self.origin.x) + self.step_y * (y - self.origin.y)
    }

    /// Depths that no corner exceeds: samples of a triangle seen from its edge lie off its plane.
    pub(super) fn bounded(&self, depths: Vec4) -> Vec4 {
        depths.max(Vec4::splat(self.range[0])).min(Vec4::splat(self.range[1]))
    }
}

/// Corner weights and depth of a face at some point of the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) weights: Vec3,
    pub(super) depth: f32,
}

impl Face {
    /// A face of three homogeneous pixels; none if it has no area. `near` bounds its depth.
    pub(super) fn new(
        mesh: u32,
        corners: [usize; 3],
        from_behind: bool,
        triangle: [DVec3; 3],
        near: f32,
    ) -> Option<Self> {
        // The matrix with the corners as columns maps weights divided by depth to (x, y, 1); this is its inverse.
        // It exists for triangles that cross the camera's plane too, and needs no clipping.
        let [a, b, c] = triangle;
        let rows = [b.cross(c), c.cross(a), a.cross(b)];
        let inverse = 1.0 / a.dot(rows[0]);
        if !inverse.is_finite() {
            return None;
        }
        let function = |pick: fn(DVec3) -> f64| DVec3::from(rows.map(pick)) * inverse;
        let (x, y, one) = (function(|row| row.x), function(|row| row.y), function(|row| row.z));
        let nearest = triangle.into_iter().min_by(|left, right| left.z.total_cmp(&right.z))?;
        let visible = if nearest.z > f64::from(near) {
            nearest
        } else {
            triangle.into_iter().max_by(|left, right| left.z.total_cmp(&right.z))?
        };
        let origin = (visible.truncate() / visible.z).round();
        let face = Self {
            mesh,
            corners,
            from_behind,
            range: [(1.0 / a.z.max(b.z).max(c.z)) as f32, (1.0 / nearest.z.max(f64::from(near))) as f32],
            origin: origin.as_vec2(),
            origin_weights: (x * origin.x + y * origin.y + one).as_vec3(),
            weights_x: x.as_vec3(),
            weights_y: y.as_vec3(),
        };
        (face.origin_weights + face.weights_x + face.weights_y).is_finite().then_some(face)
    }

    /// One divided by the depth, as a function of the place.
    pub(super) fn inverse_depth(&self) -> InverseDepth {
        let (step_x, step_y) = (self.weights_x.element_sum(), self.weights_y.element_sum());
        InverseDepth {
            start: self.origin_weights.element_sum(),
            origin: self.origin,
            step_x,
            step_y,
            range: self.range,
        }
    }

    /// Weights and depth at a point of the picture. Beyond an edge, those of the edge.
    pub(super) fn spot(&self, x: f32, y: f32) -> Spot {
        let weights = self.at(x, y).max(Vec3::ZERO);
        let sum = weights.element_sum();
        let weights = if sum > 0.0 { weights / sum } else { Vec3::splat(1.0 / 3.0) };
        Spot { weights, depth: 1.0 / sum.clamp(self.range[0], self.range[1]) }
    }

    /// Linear colour with alpha at a spot, before any light.
    pub(super) fn base_color(&self, mesh: &Mesh, spot: &Spot) -> Vec4 {
        let mut color = mesh.looks.base_color;
        if mesh.colors.len() >= mesh.positions.len() {
            color *= self.mix(mesh.colors, spot);
        }
        if let Some(map) = &mesh.looks.texture {
            color *= self.sample(mesh, map, spot).unwrap_or(Vec4::ONE);
        }
        color
    }

    /// An image at a spot; none where the mesh lacks its texture coordinates.
    pub(super) fn sample(&self, mesh: &Mesh, map: &Map, spot: &Spot) -> Option<Vec4> {
        let uvs = mesh.uvs.get(map.uv).filter(|uvs| uvs.len() >= mesh.positions.len())?;
        let uvs = self.corners.map(|corner| uvs[corner]);
        let mix = |weights: Vec3| uvs[0] * weights.x + uvs[1] * weights.y + uvs[2] * weights.z;
        let uv = mix(spot.weights);
        // The quotient rule: uv is (uv / depth) divided by (1 / depth), and both are linear.
        let along = |step: Vec3| map.transform.transform_vector2((mix(step) - uv * step.element_sum()) * spot.depth);
        let (along_x, along_y) = (along(self.weights_x), along(self.weights_y));
        Some(map.texture.sample(&map.sampler, map.transform.transform_point2(uv), along_x, along_y))
    }

    /// A vertex attribute at a spot.
    pub(super) fn mix<T>(&self, values: &[T], spot: &Spot) -> T
    where
        T: Copy + std::ops::Mul<f32, Output = T> + std::ops::Add<Output = T>,
    {
        let [a, b, c] = self.corners;
        values[a] * spot.weights.x + values[b] * spot.weights.y + values[c] * spot.weights.z
    }

    fn at(&self, x: f32, y: f32) -> Vec3 {
        self.origin_weights + self.weights_x * (x - self.origin.x) + self.weights_y * (y - self.origin.y)
    }
}
